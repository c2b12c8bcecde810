#include "slipstick/stepping/limit_iteration.h"

#include <Eigen/QR>
#include <algorithm>

namespace slipstick::internal {
namespace {

constexpr int kRemembered = 6;  // pairs that are extrapolated from
constexpr double kReach = 1e6;  // an extrapolation that goes further than so many plain steps is not believed
constexpr double kLongest = 1024, kShortest = 1.0 / 64;

}  // namespace

// The combination Σ c_j x_j, Σ c_j = 1, with the least |Σ c_j (g(x_j) − x_j)|, and the step that g then makes.
bool LimitIteration::Extrapolate(const VecX& change, VecX* next) const {
  if (changes_.empty()) return false;
  // with more pairs than limits, old ones from beyond a kink of g would only be averaged in
  const Eigen::Index count =
      std::min({static_cast<Eigen::Index>(changes_.size()), Eigen::Index{kRemembered}, x_.size()});
  MatX steps(x_.size(), count), differences(x_.size(), count);
  for (Eigen::Index j = 0; j < count; ++j) {
    const std::size_t k = changes_.size() - 1 - static_cast<std::size_t>(j);
    steps.col(j) = x_ - limits_[k];
    differences.col(j) = change - changes_[k];
  }
  const VecX weights = differences.completeOrthogonalDecomposition().solve(change);
  *next = x_ + change - (steps + differences) * weights;
  return next->allFinite() && next->minCoeff() >= 0 && (*next - x_).dot(change) > 0 &&
         (*next - x_).lpNorm<Eigen::Infinity>() <= kReach * change.lpNorm<Eigen::Infinity>();
}

void LimitIteration::Continue(const VecX& found) {
  const VecX change = found - x_;
  if (!change.allFinite()) {
    x_ = found;
    return;
  }
  VecX next;
  const bool goes_on = changes_.empty() || change.dot(changes_.back()) > 0;
  if (!goes_on && length_ > 1) {
    // a lengthened step went past a kink of g, beyond which pairs from before tell nothing
    length_ = 1;
    next = found;
  } else if (!Extrapolate(change, &next)) {
    length_ = changes_.empty() ? 1 : std::clamp(goes_on ? 2 * length_ : 0.25 * length_, kShortest, kLongest);
    next = (x_ + length_ * change).cwiseMax(0.0);
  }
  limits_.push_back(x_);
  changes_.push_back(change);
  x_ = std::move(next);
}

}  // namespace slipstick::internal
