#include "slipstick/events/share_forces.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

constexpr double kRank = 1e-10;      // of directions: below, they are not independent
constexpr double kAccuracy = 1e-12;  // of the largest force, with which the best margin is found
constexpr double kSteeper = 10;      // from one centre of the barrier to the next
constexpr int kMostSteps = 200;      // of Newton's method in all
constexpr int kMostHalvings = 50;
constexpr double kCentred = 1e-4;  // Newton's decrement at which a centre is near enough

// The distance of a contact's forces from its limit [N]; below zero it is beyond.
double Margin(const ShareLimit& limit, const VecX& forces) {
  const double normal = forces[limit.row];
  return limit.sticks ? limit.friction * normal - forces.segment<2>(limit.row + 1).norm() : normal;
}

double LeastMargin(const std::vector<ShareLimit>& limits, const VecX& forces) {
  double least = std::numeric_limits<double>::infinity();
  for (const ShareLimit& limit : limits) least = std::min(least, Margin(limit, forces));
  return least;
}

// The greatest margin that all contacts can have at once, by a barrier −log of what each has beyond the margin: over
// x = (shares y, margin m), maximise m with |λT| ≤ μλN − m or 0 ≤ λN − m, and m ≤ `most`.
class MarginProgram {
 public:
  MarginProgram(const std::vector<ShareLimit>& limits, const VecX& forces, const MatX& shares, double most)
      : limits_(limits), forces_(forces), shares_(shares), most_(most) {}

  VecX ForcesAt(const VecX& x) const { return forces_ + shares_ * x.head(shares_.cols()); }

  // −slope m + barrier; infinite outside. With derivatives where they are asked for.
  double Value(const VecX& x, double slope, VecX* gradient, MatX* hessian) const {
    const Eigen::Index last = x.size() - 1;
    const VecX forces = ForcesAt(x);
    const double margin = x[last];
    if (gradient != nullptr) {
      gradient->setZero(x.size());
      hessian->setZero(x.size(), x.size());
      (*gradient)[last] = -slope;
    }
    double value = -slope * margin;
    VecX row(x.size());
    // −log of a number with that gradient
    const auto add = [&](double room) {
      value -= std::log(room);
      if (gradient == nullptr) return;
      *gradient -= row / room;
      *hessian += row * row.transpose() / (room * room);
    };
    if (!(margin < most_)) return std::numeric_limits<double>::infinity();
    row.setZero();
    row[last] = -1;
    add(most_ - margin);
    for (const ShareLimit& limit : limits_) {
      const double normal = (limit.sticks ? limit.friction : 1.0) * forces[limit.row] - margin;
      if (!(normal > 0)) return std::numeric_limits<double>::infinity();
      VecX along(x.size());
      along.head(last) = (limit.sticks ? limit.friction : 1.0) * shares_.row(limit.row).transpose();
      along[last] = -1;
      if (!limit.sticks) {
        row = along;
        add(normal);
        continue;
      }
      const Vec2 friction = forces.segment<2>(limit.row + 1);
      const double room = normal * normal - friction.squaredNorm();
      if (!(room > 0)) return std::numeric_limits<double>::infinity();
      const MatX across = shares_.middleRows(limit.row + 1, 2);
      row = 2 * normal * along;
      row.head(last) -= 2 * across.transpose() * friction;
      add(room);
      if (hessian == nullptr) continue;
      *hessian -= 2 / room * along * along.transpose();
      hessian->topLeftCorner(last, last) += 2 / room * across.transpose() * across;
    }
    return value;
  }

 private:
  const std::vector<ShareLimit>& limits_;
  const VecX& forces_;
  const MatX& shares_;
  double most_;
};

// Combinations of the contacts' forces that act on nothing, one a column.
MatX RedundantShares(const std::vector<ShareLimit>& limits, const MatX& directions) {
  std::vector<int> rows;
  for (const ShareLimit& limit : limits) {
    for (int k = 0; k < (limit.sticks ? 3 : 1); ++k) rows.push_back(limit.row + k);
  }
  const auto count = static_cast<Eigen::Index>(rows.size());
  MatX acting(count, directions.cols());
  for (Eigen::Index i = 0; i < count; ++i) acting.row(i) = directions.row(rows[static_cast<std::size_t>(i)]);
  // kernel of the transpose: the last columns of Q in `acting` P = Q R
  Eigen::ColPivHouseholderQR<MatX> decomposition;
  decomposition.setThreshold(kRank);
  decomposition.compute(acting);
  const Eigen::Index free = count - decomposition.rank();
  if (free == 0) return {};
  const MatX q = decomposition.householderQ() * MatX::Identity(count, count);
  MatX shares = MatX::Zero(directions.rows(), free);
  for (Eigen::Index i = 0; i < count; ++i) {
    shares.row(rows[static_cast<std::size_t>(i)]) = q.row(i).tail(free);
  }
  return shares;
}

}  // namespace

void ShareWithinLimits(const std::vector<ShareLimit>& limits, const MatX& directions, VecX* forces) {
  if (limits.size() < 2) return;
  const double before = LeastMargin(limits, *forces);
  if (before >= 0) return;
  const MatX shares = RedundantShares(limits, directions);
  if (shares.cols() == 0) return;
  double largest = 0;
  for (const ShareLimit& limit : limits) largest = std::max(largest, std::abs((*forces)[limit.row]));
  if (!(largest > 0)) return;
  // more than the largest force is never needed: what is pinched could be pressed without end
  const MarginProgram program(limits, *forces, shares, largest);
  VecX x = VecX::Zero(shares.cols() + 1), gradient;
  MatX hessian;
  x[shares.cols()] = before - largest;
  double slope = 1 / largest;
  const double steepest = 2 * static_cast<double>(limits.size() + 1) / (kAccuracy * largest);
  for (int step = 0; step < kMostSteps; ++step) {
    const double value = program.Value(x, slope, &gradient, &hessian);
    const VecX change = -hessian.ldlt().solve(gradient);
    const double decrement = -gradient.dot(change);
    if (!change.allFinite()) break;
    if (decrement < kCentred) {
      if (slope >= steepest) break;
      slope = std::min(kSteeper * slope, steepest);
      continue;
    }
    double length = 1;
    for (int k = 0; k < kMostHalvings; ++k, length /= 2) {
      if (program.Value(x + length * change, slope, nullptr, nullptr) <= value - 0.1 * length * decrement) break;
    }
    x += length * change;
  }
  const VecX shared = program.ForcesAt(x);
  if (shared.allFinite() && LeastMargin(limits, shared) > before) *forces = shared;
}

}  // namespace slipstick::internal
