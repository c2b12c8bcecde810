#include "slipstick/solver/cone/interior_iteration.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

// A cone narrower than this has no interior to speak of; the answer is judged with the true coefficient.
constexpr double kNarrowest = 1e-9;
constexpr double kStepShare = 0.99;  // of the way to the border
constexpr double kShortStep = 0.1;
constexpr double kGapShare = 1e-3;  // of the tolerance
constexpr double kLeastGap = 1e-14;

}  // namespace

std::vector<InteriorIteration::Constraint> InteriorIteration::ConstraintsOf(const std::vector<ConeBlock>& blocks,
                                                                            bool non_associated) {
  std::vector<Constraint> constraints;
  for (int k = 0; k < static_cast<int>(blocks.size()); ++k) {
    const ConeBlock& block = blocks[k];
    switch (block.kind) {
      case BlockKind::kFree:
        break;
      case BlockKind::kInterval:
        if (std::isfinite(block.lower)) constraints.push_back({1, block.offset, 1, -block.lower, 0, k});
        if (std::isfinite(block.upper)) constraints.push_back({1, block.offset, -1, block.upper, 0, k});
        break;
      case BlockKind::kDisk:
        if (std::isfinite(block.radius)) {
          constraints.push_back({3, -1, 0, std::max(block.radius, kNarrowest), block.offset, k});
        }
        break;
      case BlockKind::kCone: {
        int first = block.offset + 1;
        for (int part = 0; part < block.cone.part_count; ++part) {
          const int rows = block.cone.parts[part].rows;
          const double slope = std::max(block.cone.parts[part].limit, kNarrowest);
          constraints.push_back({1 + rows, block.offset, slope, 0, first, k, non_associated});
          first += rows;
        }
        break;
      }
    }
  }
  return constraints;
}

InteriorIteration::InteriorIteration(const std::vector<ConeBlock>& blocks, bool non_associated, const VecX& q,
                                     const VecX& start, double tolerance)
    : blocks_(blocks),
      constraints_(ConstraintsOf(blocks, non_associated)),
      x_(start),
      dx_(start.size()),
      dual_(start.size()),
      q_(q) {
  first_constraint_.assign(blocks.size() + 1, 0);
  for (const Constraint& constraint : constraints_) ++first_constraint_[constraint.block + 1];
  for (std::size_t k = 0; k < blocks.size(); ++k) first_constraint_[k + 1] += first_constraint_[k];
  const std::size_t count = constraints_.size();
  for (auto* vectors : {&y_, &z_, &slip_, &primal_, &dy_, &dz_, &target_, &right_}) vectors->resize(count);
  scalings_.resize(count);
  const double velocity = q.cwiseAbs().maxCoeff();
  least_gap_ = std::max(kGapShare * tolerance, kLeastGap) * velocity * velocity;
  for (std::size_t i = 0; i < count; ++i) {
    y_[i] = constraints_[i].Image(x_);
    y_[i][0] = std::max(y_[i][0], std::hypot(y_[i][1], y_[i][2]) + velocity);
    z_[i] = Vec3(velocity, 0, 0);
  }
}

bool InteriorIteration::Step() {
  Linearize();
  if (!Factorize()) return false;
  double gap = 0;
  for (std::size_t i = 0; i < y_.size(); ++i) gap += y_[i].dot(z_[i]);
  const double mean_gap = y_.empty() ? 0.0 : gap / static_cast<double>(y_.size());

  for (std::size_t i = 0; i < y_.size(); ++i) {
    right_[i] = -JordanProduct(scalings_[i].lambda, scalings_[i].lambda);
  }
  if (!SolveFor()) return false;
  const double affine = std::min(1.0, LongestStep());
  double gap_after = 0;
  for (std::size_t i = 0; i < y_.size(); ++i) gap_after += (y_[i] + affine * dy_[i]).dot(z_[i] + affine * dz_[i]);
  const double ratio = gap > 0 ? std::clamp(gap_after / gap, 0.0, 1.0) : 0.0;

  // where the last step was stopped early the iterate hugs a border: back to the middle first
  const bool recentre = length_ < kShortStep;
  // and never closer to the borders than the answer needs: there y and z lose their digits before they are aligned
  const double target = std::max(recentre ? mean_gap : ratio * ratio * ratio * mean_gap, least_gap_);
  for (std::size_t i = 0; i < y_.size(); ++i) {
    if (!recentre) right_[i] -= JordanProduct(scalings_[i].ApplyInverse(dy_[i]), scalings_[i].Apply(dz_[i]));
    right_[i][0] += target;
  }
  if (!SolveFor()) return false;
  length_ = std::min(1.0, kStepShare * LongestStep());
  x_ += length_ * dx_;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    y_[i] += length_ * dy_[i];
    z_[i] += length_ * dz_[i];
  }
  slip_share_ = length_ < kShortStep ? 0.5 * slip_share_ : std::min(1.0, 2 * slip_share_ + 0.01);
  return x_.allFinite();
}

// Residuals and scalings.
void InteriorIteration::Linearize() {
  Multiply(x_, &dual_);
  dual_ += q_;
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const Constraint& constraint = constraints_[i];
    scalings_[i] = NesterovToddScaling::Of(y_[i], z_[i]);
    primal_[i] = constraint.Image(x_) - y_[i];
    constraint.AddTransposed(-z_[i], &dual_);
    slip_[i].setZero();
    if (constraint.slips) {
      const double speed = std::hypot(z_[i][1], z_[i][2]);
      dual_[constraint.axis] += constraint.slope * speed;
      if (speed > 0) slip_[i].tail<2>() = slip_share_ / speed * z_[i].tail<2>();
    }
  }
}

bool InteriorIteration::SolveFor() {
  for (std::size_t i = 0; i < right_.size(); ++i) target_[i] = JordanQuotient(scalings_[i].lambda, right_[i]);
  Solve();
  return dx_.allFinite();
}

double InteriorIteration::LongestStep() const {
  double step = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < y_.size(); ++i) {
    step = std::min({step, StepToBorder(y_[i], dy_[i]), StepToBorder(z_[i], dz_[i])});
  }
  return step;
}

}  // namespace slipstick::internal
