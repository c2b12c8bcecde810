#include "slipstick/solver/velocity/velocity_interior_point.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/solver/cone/interior_iteration.h"
#include "slipstick/solver/velocity/velocity_matrix.h"
#include "slipstick/solver/velocity/velocity_run.h"

namespace slipstick::internal {
namespace {

constexpr const char* kName = "velocity-interior-point";
constexpr double kLeastStep = 1e-8;
constexpr int kPatience = 25, kCoulombPatience = 5;  // iterations without a better answer
// What rows give way by at least, of their own inverse mass: M has to be seen beside its inverse. What it changes is
// taken back by the next iteration.
constexpr double kLeastGive = 1e-8;
// The response of a free row without that.
constexpr double kFree = 1e12;
constexpr double kNarrowest = 1e-9;  // interval, of the velocities

// A program in the variables x = r/f, f² the inverse of each block's own inverse mass.
struct ScaledProgram {
  ScaledProgram(const VelocityProgram& program, const VelocityForm& form)
      : factor(program.size()), blocks(program.blocks) {
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      ConeBlock& block = blocks[k];
      const double f = 1 / std::sqrt(form.scales()[static_cast<Eigen::Index>(k)]);
      factor.segment(block.offset, block.rows()).setConstant(f);
      block.lower /= f;
      block.upper /= f;
      block.radius /= f;
    }
    q = program.q.cwiseProduct(factor);
    // an interval needs an inside
    const double least = kNarrowest * q.cwiseAbs().maxCoeff();
    for (ConeBlock& block : blocks) {
      const double missing = least - (block.upper - block.lower);
      if (block.kind != BlockKind::kInterval || !(missing > 0)) continue;
      block.lower -= 0.5 * missing;
      block.upper += 0.5 * missing;
    }
    compliance = program.compliance.cwiseProduct(factor).cwiseProduct(factor);
  }

  VecX factor, q, compliance;
  std::vector<ConeBlock> blocks;
};

// W = J M⁻¹ Jᵀ + C with M and J kept. What a block does to the velocities that it sees, dx = dx⁰ − K J w, is explicit,
// and M w = Jᵀ dx leads to (M + Jᵀ K J) w = Jᵀ dx⁰: docs/theory.md §5.10.
class VelocityIteration : public InteriorIteration {
 public:
  VelocityIteration(const VelocityProgram& program, const VelocityForm& form, const ScaledProgram& scaled,
                    double tolerance)
      : InteriorIteration(scaled.blocks, program.non_associated, scaled.q, VecX::Zero(program.size()), tolerance),
        form_(form),
        scaled_(scaled),
        matrix_(form),
        responses_(blocks_.size()),
        softer_(blocks_.size()),
        unscaled_(blocks_.size()),
        give_(scaled.compliance.array() + kLeastGive),
        change_(form.layout().total),
        scaled_target_(constraints_.size()),
        sliding_(blocks_.size()) {
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      sliding_[k].is = blocks_[k].kind == BlockKind::kCone && blocks_[k].cone.is_sliding_only();
    }
  }

 private:
  void Multiply(const VecX& x, VecX* out) const override {
    form_.ChangeFrom(scaled_.factor.cwiseProduct(x), &change_);
    form_.Multiply(change_, out);
    *out = out->cwiseProduct(scaled_.factor) + scaled_.compliance.cwiseProduct(x);
  }

  bool Factorize() override {
    for (int k = 0; k < static_cast<int>(blocks_.size()); ++k) {
      const double f = scaled_.factor[blocks_[k].offset];
      if (sliding_[k].is) {
        SetSliding(k);
        unscaled_[k] = f * f * (sliding_[k].softer * sliding_[k].response);
        if (!unscaled_[k].allFinite()) return false;
        continue;
      }
      SetResponse(k);
      SetSofter(k);
      unscaled_[k] = f * f * softer_[k] * responses_[k];
      if (!unscaled_[k].allFinite()) return false;
    }
    return matrix_.Factorize(unscaled_);
  }

  void Solve() override {
    for (std::size_t i = 0; i < target_.size(); ++i) scaled_target_[i] = scalings_[i].Apply(target_[i]);
    seen_.setZero(x_.size());
    SolveBlocks();
    change_.setZero();
    form_.AddTransposed(scaled_.factor.cwiseProduct(dx_), &change_);
    matrix_.SolveInPlace(change_);
    form_.Multiply(change_, &seen_);
    seen_ = seen_.cwiseProduct(scaled_.factor);
    SolveBlocks();
  }

  // (1 + K C)⁻¹: compliance is in series with K.
  void SetSofter(int k) {
    const int rows = blocks_[k].rows(), at = blocks_[k].offset;
    const auto invert = [&](auto sum) {
      sum = responses_[k] * give_.segment(at, rows).asDiagonal();
      sum.diagonal().array() += 1;
      softer_[k] = sum.inverse();
    };
    rows == 3 ? invert(Mat3()) : invert(ContactMatrix(rows, rows));
  }

  // K = (Gᵀ V⁻² G)⁻¹, with slips. Of a cone by elimination: given x_N, its parts have nothing to do with each other.
  // With the slips Σ c_k sᵀ_k z_k in the normal row the inverse is multiplied by (1 − e_N aᵀ)⁻¹ = 1 + e_N aᵀ.
  void SetResponse(int k) {
    const ConeBlock& own = blocks_[k];
    const int rows = own.rows(), first = first_constraint_[k], last = first_constraint_[k + 1];
    ContactMatrix& response = responses_[k];
    response.setIdentity(rows, rows);
    if (own.kind == BlockKind::kCone) {
      ContactVector by_normal(rows), slips(rows);  // what parts do for x_N = 1
      by_normal[0] = 1;
      slips[0] = 0;
      double stiffness = 0;
      for (int i = first; i < last; ++i) {
        const Constraint& constraint = constraints_[i];
        const int at = constraint.first - own.offset, size = constraint.dimension - 1;
        const Vec3 column = scalings_[i].Square().col(0);
        response.block(at, at, size, size) = scalings_[i].InverseAcross().topLeftCorner(size, size);
        by_normal.segment(at, size) = constraint.slope / column[0] * column.segment(1, size);
        slips.segment(at, size) = constraint.slope * slip_[i].segment(1, size);
        stiffness += constraint.slope * constraint.slope / column[0];
      }
      response(0, 0) = 0;
      response += by_normal * by_normal.transpose() / stiffness;
      response += (response.col(0) * slips.transpose()).eval();
    } else if (own.kind == BlockKind::kDisk && last > first) {
      response = scalings_[first].InverseAcross();
    } else if (last > first) {
      double stiffness = 0;
      for (int i = first; i < last; ++i) stiffness += scalings_[i].InverseSquare()(0, 0);
      response(0, 0) = 1 / stiffness;
    } else {
      response *= kFree;
    }
  }

  // SetResponse and SetSofter of a cone with two sliding rows, which nearly all are: sizes are known.
  void SetSliding(int k) {
    SlidingContact& own = sliding_[k];
    const int i = first_constraint_[k];
    const double slope = constraints_[i].slope;
    own.column = scalings_[i].SquareColumn();
    own.stiffness = slope * slope / own.column[0];
    const Vec3 by_normal(1, slope / own.column[0] * own.column[1], slope / own.column[0] * own.column[2]);
    own.response.setZero();
    own.response.bottomRightCorner<2, 2>() = scalings_[i].InverseAcross();
    own.response += by_normal * by_normal.transpose() / own.stiffness;
    const Vec3 normal = own.response.col(0), slips(0, slope * slip_[i][1], slope * slip_[i][2]);
    own.response += normal * slips.transpose();
    Mat3 sum = own.response * give_.segment<3>(blocks_[k].offset).asDiagonal();
    sum.diagonal().array() += 1;
    own.softer = sum.inverse();
  }

  // SolveRound of such a cone.
  void SolveSliding(int k) {
    const SlidingContact& own = sliding_[k];
    const int at = blocks_[k].offset, i = first_constraint_[k];
    const Vec3 right = seen_.segment<3>(at) + dual_.segment<3>(at);
    double normal = RespondAlong(k, right);
    const Vec3 dy = scalings_[i].Apply(target_[i] - scalings_[i].Apply(dz_[i])) - primal_[i];
    const Vec3 dx = own.softer * Vec3(normal, dy[1], dy[2]);
    dx_.segment<3>(at) = dx;
    RespondAlong(k, right + give_.segment<3>(at).cwiseProduct(dx));
    dy_[i] = primal_[i] + constraints_[i].Linear(dx_);
  }

  // dz of such a cone that sees velocities; its dx_N without compliance.
  double RespondAlong(int k, const Vec3& seen) {
    const SlidingContact& own = sliding_[k];
    const int i = first_constraint_[k];
    const double slope = constraints_[i].slope;
    Vec3& dz = dz_[i];
    const double first =
        (scaled_target_[i][0] - primal_[i][0] - own.column[1] * seen[1] - own.column[2] * seen[2]) / own.column[0];
    const double slip = slip_[i][1] * seen[1] + slip_[i][2] * seen[2];
    const double normal = (slope * (first - slip) - seen[0]) / own.stiffness;
    dz = Vec3(first - slope * normal / own.column[0], seen[1], seen[2]);
    return normal;
  }

  // dx, dy, dz of all blocks for the velocities J w seen.
  void SolveBlocks() {
    for (int k = 0; k < static_cast<int>(blocks_.size()); ++k) {
      if (sliding_[k].is) {
        SolveSliding(k);
        continue;
      }
      const bool is_round = blocks_[k].kind == BlockKind::kCone ||
                            (blocks_[k].kind == BlockKind::kDisk && first_constraint_[k + 1] > first_constraint_[k]);
      is_round ? SolveRound(k) : SolveRow(k);
    }
  }

  // Cones and disks. What the rows across see is dz there; its first component follows from dy_0 = c dx_N, and dx_N
  // from the normal row; then dy = V (target − V dz). Never dz by V⁻², nor dx by V²: that would square what the border
  // takes of the digits.
  void SolveRound(int k) {
    const int at = blocks_[k].offset, rows = blocks_[k].rows();
    const ContactVector right = seen_.segment(at, rows) + dual_.segment(at, rows);
    const ContactVector dx = softer_[k] * Respond(k, right);
    Respond(k, right + give_.segment(at, rows).cwiseProduct(dx));
    dx_.segment(at, rows) = dx;
    for (int i = first_constraint_[k]; i < first_constraint_[k + 1]; ++i) {
      dy_[i] = primal_[i] + constraints_[i].Linear(dx_);
    }
  }

  // dx of a block without compliance that sees velocities, with dz.
  ContactVector Respond(int k, const ContactVector& seen) {
    const int first = first_constraint_[k], last = first_constraint_[k + 1], offset = blocks_[k].offset;
    double sum = 0, stiffness = 0;
    for (int i = first; i < last; ++i) {
      const Constraint& constraint = constraints_[i];
      const Vec3 column = scalings_[i].Square().col(0);
      dz_[i].setZero();
      dz_[i].segment(1, constraint.dimension - 1) = seen.segment(constraint.first - offset, constraint.dimension - 1);
      dz_[i][0] = (scaled_target_[i][0] - primal_[i][0] - column.dot(dz_[i])) / column[0];
      if (constraint.axis < 0) continue;
      sum += constraint.slope * (dz_[i][0] - slip_[i].dot(dz_[i]));
      stiffness += constraint.slope * constraint.slope / column[0];
    }
    ContactVector dx(blocks_[k].rows());
    const double normal = stiffness > 0 ? (sum - seen[0]) / stiffness : 0.0;
    if (stiffness > 0) dx[0] = normal;
    for (int i = first; i < last; ++i) {
      const Constraint& constraint = constraints_[i];
      if (constraint.axis >= 0) dz_[i][0] -= constraint.slope * normal / scalings_[i].Square()(0, 0);
      const Vec3 dy = scalings_[i].Apply(target_[i] - scalings_[i].Apply(dz_[i])) - primal_[i];
      dx.segment(constraint.first - offset, constraint.dimension - 1) = dy.segment(1, constraint.dimension - 1);
    }
    return dx;
  }

  // One row, free or within an interval.
  void SolveRow(int k) {
    const int at = blocks_[k].offset, rows = blocks_[k].rows();
    const int first = first_constraint_[k], last = first_constraint_[k + 1];
    ContactVector right = -dual_.segment(at, rows) - seen_.segment(at, rows);
    dx_.segment(at, rows) = right;
    for (int i = first; i < last; ++i) {
      dz_[i] = scalings_[i].ApplyInverse(target_[i] - scalings_[i].ApplyInverse(primal_[i]));
      Vec3 seen = dz_[i];
      seen[0] -= slip_[i].dot(dz_[i]);
      constraints_[i].AddTransposed(seen, &dx_);
    }
    const ContactVector dx = softer_[k] * (responses_[k] * dx_.segment(at, rows));
    dx_.segment(at, rows) = dx;
    for (int i = first; i < last; ++i) {
      const Vec3 moved = constraints_[i].Linear(dx_);
      dy_[i] = moved + primal_[i];
      dz_[i] -= scalings_[i].ApplyInverse(scalings_[i].ApplyInverse(moved));
    }
  }

  struct SlidingContact {
    bool is = false;
    Mat3 response, softer;
    Vec3 column;  // the first of V²
    double stiffness = 0;
  };

  const VelocityForm& form_;
  const ScaledProgram& scaled_;
  VelocityMatrix matrix_;
  std::vector<ContactMatrix> responses_;  // K of each block without its compliance
  std::vector<ContactMatrix> softer_;     // (1 + K C)⁻¹
  std::vector<ContactMatrix> unscaled_;   // K with its compliance, of the program as it was given
  VecX give_;                             // C, and a little more
  mutable VecX change_;
  VecX seen_;                            // J w
  std::vector<Vec3> scaled_target_;      // V t
  std::vector<SlidingContact> sliding_;  // of the blocks that are such
};

}  // namespace

ConeAnswer SolveByVelocityInteriorPoint(const VelocityProgram& program, const VelocityInteriorPointSettings& settings,
                                        const StopRule& stop) {
  if (std::optional<ConeAnswer> trivial = TrivialAnswer(program, kName)) return *std::move(trivial);
  const VelocityForm form(program);
  VelocityRun run(program, form, stop);
  if (run.solved()) return run.Finish(kName, SolveStatus::kStalled, 0);
  const ScaledProgram scaled(program, form);
  VelocityIteration iteration(program, form, scaled, stop.tolerance);
  double best = std::numeric_limits<double>::infinity();
  int since_best = 0;
  const int patience = program.non_associated ? kCoulombPatience : kPatience;
  for (int count = 1; count <= settings.max_iterations; ++count) {
    // not finite: y or z have reached the border within rounding
    if (!iteration.Step()) return run.Finish(kName, SolveStatus::kStalled, count);
    const VecX impulses = ProjectOnSets(program.blocks, iteration.x().cwiseProduct(scaled.factor));
    if (run.Judge(impulses)) return run.Finish(kName, SolveStatus::kStalled, count);
    if (run.TimeIsUp()) return run.Finish(kName, SolveStatus::kTimeLimit, count);
    if (run.error() > 0.7 * best) iteration.AimLower();
    since_best = run.error() < 0.8 * best ? 0 : since_best + 1;
    best = std::min(best, run.error());
    if (iteration.length() < kLeastStep || since_best >= patience) {
      return run.Finish(kName, SolveStatus::kStalled, count);
    }
  }
  return run.Finish(kName, SolveStatus::kIterationLimit, settings.max_iterations);
}

}  // namespace slipstick::internal
