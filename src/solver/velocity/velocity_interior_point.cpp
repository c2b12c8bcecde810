#include "slipstick/solver/velocity/velocity_interior_point.h"

#include <Eigen/LU>
#include <algorithm>
#include <limits>

#include "slipstick/solver/cone/interior_iteration.h"
#include "slipstick/solver/velocity/velocity_matrix.h"
#include "slipstick/solver/velocity/velocity_run.h"

namespace slipstick::internal {
namespace {

constexpr const char* kName = "velocity-interior-point";
constexpr double kLeastStep = 1e-8;
constexpr int kPatience = 25;  // iterations without a better answer
// Of a block's own inverse mass: what is added to D at least. Its inverse stands beside M, which has to be seen beside
// it; what it changes is taken back by the next iteration.
constexpr double kLeastGive = 1e-11;
constexpr int kRefinements = 1;

// W = F (J M⁻¹ Jᵀ + C) F, F the scaling by blocks.
class VelocityOperator : public ShiftedOperator {
 public:
  VelocityOperator(const VelocityProgram& program, const VelocityForm& form)
      : program_(program),
        form_(form),
        matrix_(form),
        factor_(program.size()),
        inverses_(program.blocks.size()),
        shifts_(program.blocks.size()),
        change_(form.layout().total) {
    for (std::size_t k = 0; k < program.blocks.size(); ++k) {
      const ConeBlock& block = program.blocks[k];
      factor_.segment(block.offset, block.rows()).setConstant(1 / std::sqrt(form.scales()[Index(k)]));
    }
  }

  const VecX& factor() const { return factor_; }

  void Multiply(const VecX& x, VecX* out) const override {
    impulses_ = factor_.cwiseProduct(x);
    MultiplyUnscaled(impulses_, out);
    *out = factor_.cwiseProduct(*out);
  }

  bool Factorize(const std::vector<ContactMatrix>& blocks) override {
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      const ConeBlock& block = program_.blocks[k];
      const double scale = form_.scales()[Index(k)];
      shifts_[k] = scale * blocks[k];
      ContactMatrix give = shifts_[k];
      give.diagonal() += program_.compliance.segment(block.offset, block.rows());
      give.diagonal().array() += kLeastGive * scale;
      Invert(give, &inverses_[k]);
      if (!inverses_[k].allFinite()) return false;
    }
    return matrix_.Factorize(inverses_);
  }

  // With B = C + D: x = B⁻¹ (f − J w), (M + Jᵀ B⁻¹ J) w = Jᵀ B⁻¹ f.
  void Solve(const VecX& right, VecX* x) const override {
    const VecX unscaled = right.cwiseQuotient(factor_);
    SolveOnce(unscaled, x);
    VecX left(right.size()), more(right.size());
    for (int round = 0; round < kRefinements; ++round) {
      MultiplyUnscaled(*x, &left);
      for (std::size_t k = 0; k < shifts_.size(); ++k) {
        const auto rows = Eigen::seqN(program_.blocks[k].offset, program_.blocks[k].rows());
        left(rows) += shifts_[k] * (*x)(rows);
      }
      SolveOnce(unscaled - left, &more);
      *x += more;
    }
    *x = x->cwiseQuotient(factor_);
  }

 private:
  static Eigen::Index Index(std::size_t k) { return static_cast<Eigen::Index>(k); }

  static void Invert(const ContactMatrix& matrix, ContactMatrix* inverse) {
    if (matrix.rows() == 3) {
      *inverse = Mat3(matrix).inverse();
    } else if (matrix.rows() == 1) {
      inverse->setConstant(1, 1, 1 / matrix(0, 0));
    } else {
      *inverse = matrix.inverse();
    }
  }

  void MultiplyUnscaled(const VecX& r, VecX* out) const {
    form_.ChangeFrom(r, &change_);
    form_.Multiply(change_, out);
    *out += program_.compliance.cwiseProduct(r);
  }

  void ApplyInverses(VecX* x) const {
    for (std::size_t k = 0; k < inverses_.size(); ++k) {
      auto rows = x->segment(program_.blocks[k].offset, inverses_[k].rows());
      rows = (inverses_[k] * rows).eval();
    }
  }

  void SolveOnce(const VecX& right, VecX* x) const {
    *x = right;
    ApplyInverses(x);
    change_.setZero();
    form_.AddTransposed(*x, &change_);
    matrix_.SolveInPlace(change_);
    form_.Multiply(change_, x);
    *x = right - *x;
    ApplyInverses(x);
  }

  const VelocityProgram& program_;
  const VelocityForm& form_;
  VelocityMatrix matrix_;
  VecX factor_;
  std::vector<ContactMatrix> inverses_;  // (C + D)⁻¹ of each block
  std::vector<ContactMatrix> shifts_;    // D without its scaling
  mutable VecX change_, impulses_;
};

std::vector<ConeBlock> Scaled(std::vector<ConeBlock> blocks, const VecX& factor) {
  for (ConeBlock& block : blocks) {
    const double f = factor[block.offset];
    block.lower /= f;
    block.upper /= f;
    block.radius /= f;
  }
  return blocks;
}

}  // namespace

ConeAnswer SolveByVelocityInteriorPoint(const VelocityProgram& program, const VelocityInteriorPointSettings& settings,
                                        const StopRule& stop) {
  const VelocityForm form(program);
  VelocityRun run(program, form, stop);
  if (run.solved()) return run.Finish(kName, SolveStatus::kStalled, 0);
  VelocityOperator matrix(program, form);
  const std::vector<ConeBlock> blocks = Scaled(program.blocks, matrix.factor());
  const VecX q = program.q.cwiseProduct(matrix.factor());
  InteriorIteration iteration(blocks, program.non_associated, q, run.best().cwiseQuotient(matrix.factor()),
                              stop.tolerance, &matrix);
  double best = std::numeric_limits<double>::infinity();
  int since_best = 0;
  for (int count = 1; count <= settings.max_iterations; ++count) {
    // not finite: y or z have reached the border within rounding
    if (!iteration.Step()) return run.Finish(kName, SolveStatus::kStalled, count);
    const VecX impulses = ProjectOnSets(program.blocks, iteration.x().cwiseProduct(matrix.factor()));
    if (run.Judge(impulses)) return run.Finish(kName, SolveStatus::kStalled, count);
    if (run.TimeIsUp()) return run.Finish(kName, SolveStatus::kTimeLimit, count);
    if (run.error() > 0.7 * best) iteration.AimLower();
    since_best = run.error() < 0.8 * best ? 0 : since_best + 1;
    best = std::min(best, run.error());
    if (iteration.length() < kLeastStep || since_best >= kPatience) {
      return run.Finish(kName, SolveStatus::kStalled, count);
    }
  }
  return run.Finish(kName, SolveStatus::kIterationLimit, settings.max_iterations);
}

}  // namespace slipstick::internal
