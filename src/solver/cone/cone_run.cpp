#include "slipstick/solver/cone/cone_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

BlockLayout LayoutOf(const std::vector<ConeBlock>& blocks) {
  BlockLayout layout;
  for (const ConeBlock& block : blocks) layout.Append(block.rows());
  return layout;
}

std::vector<int> RowsInOrderOfBlocks(const ConeProgram& program) {
  std::vector<int> row_of;
  row_of.reserve(program.size());
  for (const ConeBlock& block : program.blocks) {
    for (int row = 0; row < block.rows(); ++row) row_of.push_back(block.offset + row);
  }
  return row_of;
}

VecX ScalingFactors(const ConeProgram& program) {
  const VecX diagonal = program.W.diagonal();
  VecX factor = VecX::Ones(program.size());
  int first = 0;
  for (const ConeBlock& block : program.blocks) {
    const double trace = diagonal.segment(block.offset, block.rows()).sum();
    if (trace > 0) factor.segment(first, block.rows()).setConstant(std::sqrt(block.rows() / trace));
    first += block.rows();
  }
  return factor;
}

SparseMat PermutedAndScaled(const ConeProgram& program, const std::vector<int>& row_of, const VecX& factor) {
  const int n = program.size();
  std::vector<int> place(n);
  for (int i = 0; i < n; ++i) place[row_of[i]] = i;
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(program.W.nonZeros());
  for (int row = 0; row < n; ++row) {
    for (SparseMat::InnerIterator entry(program.W, row); entry; ++entry) {
      if (entry.value() == 0) continue;
      const int i = place[row], j = place[entry.col()];
      entries.emplace_back(i, j, factor[i] * entry.value() * factor[j]);
    }
  }
  SparseMat result(n, n);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

double SquaredNaturalMap(const std::vector<ConeBlock>& blocks, bool non_associated, const VecX& r, const VecX& u) {
  double sum = 0;
  for (const ConeBlock& block : blocks) {
    const double norm = NaturalMapNorm(block, non_associated, 1, r.data() + block.offset, u.data() + block.offset);
    sum += norm * norm;
  }
  return sum;
}

double Quotient(double error, double scale) { return error == 0 ? 0.0 : scale > 0 ? error / scale : kInfinity; }

// The measure of FCLIB compares with |r| too, so that impulses that run away (a problem without a solution) would count
// as an answer. They do not: while the natural map is as large as the velocities, it is compared with these alone.
double FclibError(double natural_map, double q, double r, double u) {
  const double by_velocities = Quotient(natural_map, std::max(q, u));
  return by_velocities > 0.1 ? by_velocities : Quotient(natural_map, std::max({q, r, u}));
}

}  // namespace

ScaledCone::ScaledCone(const ConeProgram& program)
    : W(SparseMat(), BlockLayout()),
      blocks(program.blocks),
      non_associated(program.non_associated),
      factor(ScalingFactors(program)),
      row_of(RowsInOrderOfBlocks(program)) {
  W = PanelMatrix(PermutedAndScaled(program, row_of, factor), LayoutOf(blocks));
  q = program.q(row_of).cwiseProduct(factor);
  int first = 0;
  for (ConeBlock& block : blocks) {
    block.offset = first;
    const double f = factor[first];
    block.lower /= f;
    block.upper /= f;
    block.radius /= f;
    first += block.rows();
  }
}

ConeRun::ConeRun(const ConeProgram& program, const StopRule& stop, const VecX* warm_start, std::string solver)
    : program_(program),
      stop_(stop),
      scaled_(program),
      solver_(std::move(solver)),
      begin_(std::chrono::steady_clock::now()),
      scale_(VelocityScale(program)),
      q_norm_(program.q.norm()),
      error_(kInfinity),
      best_error_(kInfinity) {
  // a warm start that does not fit is no start
  const bool warm = warm_start != nullptr && warm_start->size() == program.size() && warm_start->allFinite();
  start_ = warm ? VecX((*warm_start)(scaled_.row_of).cwiseQuotient(scaled_.factor)) : VecX::Zero(program.size());
  start_ = ProjectOnSets(scaled_.blocks, start_);
  best_ = start_;
}

double ConeRun::Error(const VecX& x, const VecX& u) const {
  if (!x.allFinite() || !u.allFinite()) return kInfinity;
  if (stop_.measure == ErrorMeasure::kNatural) {
    // in the scaled program ρ = 1 on every block, and velocities are f times the given ones
    double worst = 0;
    for (const ConeBlock& block : scaled_.blocks) {
      const double norm =
          NaturalMapNorm(block, scaled_.non_associated, 1, x.data() + block.offset, u.data() + block.offset);
      worst = std::max(worst, norm / scaled_.factor[block.offset]);
    }
    return Quotient(worst, scale_);
  }
  const VecX r = scaled_.factor.cwiseProduct(x), velocity = u.cwiseQuotient(scaled_.factor);
  const double squared = SquaredNaturalMap(scaled_.blocks, scaled_.non_associated, r, velocity);
  return FclibError(std::sqrt(squared), q_norm_, r.norm(), velocity.norm());
}

bool ConeRun::Judge(const VecX& x) {
  velocity_.resize(x.size());
  scaled_.W.Multiply(x, velocity_);
  velocity_ += scaled_.q;
  error_ = Error(x, velocity_);
  history_.push_back(error_);
  if (error_ < best_error_) {
    best_error_ = error_;
    best_ = x;
  }
  return solved();
}

bool ConeRun::TimeIsUp() const {
  if (!std::isfinite(stop_.seconds)) return false;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() > stop_.seconds;
}

ConeAnswer ConeRun::Finish(SolveStatus otherwise, int iterations) {
  ConeAnswer answer;
  const auto unscaled = [&](const VecX& x) {
    VecX r(program_.size());
    r(scaled_.row_of) = scaled_.factor.cwiseProduct(x);
    return r;
  };
  answer.r = unscaled(best_);
  answer.u = program_.W * answer.r + program_.q;
  answer.report.residual = RelativeError(program_, stop_.measure, answer.r, answer.u);
  // Newton's points are in K but for rounding; the nearest one in K is as good wherever it does not cost the tolerance
  const VecX inside = ProjectOnSets(program_.blocks, answer.r);
  if (inside != answer.r) {
    const VecX velocity = program_.W * inside + program_.q;
    const double error = RelativeError(program_, stop_.measure, inside, velocity);
    if (error <= std::max(answer.report.residual, stop_.tolerance)) {
      answer.r = inside;
      answer.u = velocity;
      answer.report.residual = error;
    }
  }
  answer.report.solver = solver_;
  answer.report.iterations = iterations;
  answer.report.history = std::move(history_);
  answer.report.status = answer.report.residual <= stop_.tolerance ? SolveStatus::kSolved : otherwise;
  return answer;
}

void SetSlipTerms(const std::vector<ConeBlock>& blocks, const VecX& u, VecX* s) {
  for (const ConeBlock& block : blocks) {
    if (block.kind == BlockKind::kCone) (*s)[block.offset] = SlipTerm(block.cone, u.data() + block.offset);
  }
}

ConeAnswer RefusedProgram(const ConeProgram& program, const std::string& solver) {
  ConeAnswer answer;
  answer.r = answer.u = VecX::Zero(program.size());
  answer.report.status = SolveStatus::kBadInput;
  answer.report.residual = kInfinity;
  answer.report.solver = solver;
  return answer;
}

double VelocityScale(const ConeProgram& program) {
  if (program.size() == 0) return 0;
  const VecX least = ProjectOnSets(program.blocks, VecX::Zero(program.size()));
  double scale = program.q.cwiseAbs().maxCoeff();
  if (!least.isZero(0)) scale = std::max(scale, VecX(program.W * least).cwiseAbs().maxCoeff());
  return scale;
}

double RelativeError(const ConeProgram& program, ErrorMeasure measure, ConstRef<VecX> r, ConstRef<VecX> u) {
  if (!r.allFinite() || !u.allFinite()) return kInfinity;
  if (measure == ErrorMeasure::kNatural) {
    const VecX scales = BlockScales(program.blocks, program.W.diagonal());
    return Quotient(NaturalResidual(program.blocks, program.non_associated, scales, r, u), VelocityScale(program));
  }
  const double squared = SquaredNaturalMap(program.blocks, program.non_associated, r, u);
  return FclibError(std::sqrt(squared), program.q.norm(), r.norm(), u.norm());
}

}  // namespace slipstick::internal
