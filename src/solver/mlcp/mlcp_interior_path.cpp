#include "slipstick/solver/mlcp/mlcp_interior_path.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "slipstick/solver/mlcp/mlcp_sparse_lu.h"

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// On the diagonal of rows without bounds, so that redundant ones do no harm; parts of entries of about one.
constexpr double kRidge = 1e-11;
constexpr double kToBoundary = 0.995;
// A step shorter than the first gives way to one towards the middle; some in a row that are shorter than the second end
// the path.
constexpr double kShortStep = 0.1, kVeryShortStep = 0.01;
constexpr int kVeryShortSteps = 6;
// Where paths start, in parts of b: the next one where one comes to an end without an answer.
constexpr double kStarts[] = {10, 1, 100};
// Products of gap and multiplier are kept within this part of their mean and its inverse.
constexpr double kCentrality = 0.1;
constexpr double kOfferBelow = 1e-3;
constexpr double kLeastComplementarity = 1e-26;

// Factors of A + a diagonal, again and again.
class DenseShifted {
 public:
  explicit DenseShifted(const MatX& A) : A_(A) {}
  bool Factorize(const VecX& diagonal) {
    MatX K = A_;
    K.diagonal() += diagonal;
    factors_.compute(K);
    return true;
  }
  VecX Solve(const VecX& rhs) const { return factors_.solve(rhs); }

 private:
  const MatX& A_;
  Eigen::PartialPivLU<MatX> factors_;
};

class SparseShifted {
 public:
  explicit SparseShifted(const SparseMat& A) : K_(A) {
    Eigen::SparseMatrix<double> identity(A.rows(), A.cols());
    identity.setIdentity();
    K_ = K_ + 0.0 * identity;  // so that every diagonal entry has its place
    diagonal_ = K_.diagonal();
  }
  bool Factorize(const VecX& diagonal) {
    for (int i = 0; i < diagonal.size(); ++i) K_.coeffRef(i, i) = diagonal_[i] + diagonal[i];
    const bool done = factors_.Compute(K_, same_pattern_);
    same_pattern_ = true;
    return done;
  }
  VecX Solve(const VecX& rhs) const { return factors_.Solve(rhs); }

 private:
  Eigen::SparseMatrix<double> K_;
  VecX diagonal_;
  bool same_pattern_ = false;
  SparseLuFactors factors_;
};

// One of the two bounds of all rows; where a row does not have it, gap is infinite and multiplier zero for good.
struct BoundSide {
  VecX gap, multiplier;

  // Newton's step of gap · multiplier = target, for a step of the gap.
  VecX MultiplierStep(const VecX& gap_step, const VecX& target) const {
    VecX step = VecX::Zero(gap.size());
    for (int i = 0; i < gap.size(); ++i)
      if (gap[i] < kInfinity) step[i] = (target[i] - multiplier[i] * gap_step[i]) / gap[i] - multiplier[i];
    return step;
  }
  // The longest step that keeps both from becoming negative.
  double LongestStep(const VecX& gap_step, const VecX& multiplier_step) const {
    double longest = kInfinity;
    for (int i = 0; i < gap.size(); ++i) {
      if (!(gap[i] < kInfinity)) continue;
      if (gap_step[i] < 0) longest = std::min(longest, -gap[i] / gap_step[i]);
      if (multiplier_step[i] < 0) longest = std::min(longest, -multiplier[i] / multiplier_step[i]);
    }
    return longest;
  }
  double Sum(const VecX& gap_step, const VecX& multiplier_step, double length) const {
    double sum = 0;
    for (int i = 0; i < gap.size(); ++i)
      if (gap[i] < kInfinity) sum += (gap[i] + length * gap_step[i]) * (multiplier[i] + length * multiplier_step[i]);
    return sum;
  }
  void Center(double mean) {
    for (int i = 0; i < gap.size(); ++i)
      if (gap[i] < kInfinity)
        multiplier[i] = std::clamp(multiplier[i], kCentrality * mean / gap[i], mean / (kCentrality * gap[i]));
  }
  int count() const { return static_cast<int>((gap.array() < kInfinity).count()); }
};

struct Step {
  VecX z, at_lower, at_upper;  // of z and the two multipliers
};

template <typename Problem>
class InteriorPath {
 public:
  InteriorPath(const Problem& problem, double start)
      : problem_(problem),
        shifted_(problem.A),
        n_(problem.size()),
        pinned_(problem.lower.array() == problem.upper.array()) {
    z_.resize(n_);
    lower_ = {VecX::Constant(n_, kInfinity), VecX::Zero(n_)};
    upper_ = lower_;
    unit_ = std::max(problem.b.template lpNorm<Eigen::Infinity>(), std::numeric_limits<double>::min());
    for (int i = 0; i < n_; ++i) Start(i, start * unit_);
    sides_ = lower_.count() + upper_.count();
  }

  double unit() const { return unit_; }
  const VecX& z() const { return z_; }
  double Complementarity() const {
    if (sides_ == 0) return 0;
    const VecX none = VecX::Zero(n_);
    return (lower_.Sum(none, none, 0) + upper_.Sum(none, none, 0)) / sides_;
  }

  // One step of predictor and corrector; its length, or 0 where the factors failed.
  double Advance() {
    const VecX residual = problem_.A * z_ + problem_.b - lower_.multiplier + upper_.multiplier;
    VecX diagonal = VecX::Zero(n_);
    for (int i = 0; i < n_; ++i) {
      if (lower_.gap[i] < kInfinity) diagonal[i] += lower_.multiplier[i] / lower_.gap[i];
      if (upper_.gap[i] < kInfinity) diagonal[i] += upper_.multiplier[i] / upper_.gap[i];
      if (pinned_[i]) diagonal[i] = kPinned;
      diagonal[i] += kRidge;
    }
    if (!shifted_.Factorize(diagonal)) return 0;
    const VecX none = VecX::Zero(n_);
    const Step predictor = Direction(residual, none, none);
    const double mu = Complementarity();
    const double reach = std::min(1.0, LongestStep(predictor));
    const double after = sides_ == 0 ? 0
                                     : (lower_.Sum(predictor.z, predictor.at_lower, reach) +
                                        upper_.Sum(-predictor.z, predictor.at_upper, reach)) /
                                           sides_;
    const double sigma = mu > 0 ? std::clamp(std::pow(std::max(after, 0.0) / mu, 3), 1e-4, 1.0) : 0;
    const VecX center = VecX::Constant(n_, sigma * mu);
    const VecX second = predictor.z.cwiseProduct(predictor.at_lower),
               second_upper = -predictor.z.cwiseProduct(predictor.at_upper);
    Step step = Direction(residual, center - reach * second, center - reach * second_upper);
    double length = std::min(1.0, kToBoundary * LongestStep(step));
    if (length < kShortStep) {
      const VecX middle = VecX::Constant(n_, mu);
      const Step centering = Direction(residual, middle, middle);
      const double centering_length = std::min(1.0, kToBoundary * LongestStep(centering));
      if (centering_length > length) {
        step = centering;
        length = centering_length;
      }
    }
    if (!step.z.allFinite()) return 0;
    z_ += length * step.z;
    for (int i = 0; i < n_; ++i) {
      if (lower_.gap[i] < kInfinity) lower_.gap[i] += length * step.z[i];
      if (upper_.gap[i] < kInfinity) upper_.gap[i] -= length * step.z[i];
    }
    lower_.multiplier += length * step.at_lower;
    upper_.multiplier += length * step.at_upper;
    // Where one product runs ahead of the others the next steps are cut short by it, on problems that are not monotone
    // for good. What is changed in the multipliers goes into the residual, which the next step takes away.
    const double mean = Complementarity();
    lower_.Center(mean);
    upper_.Center(mean);
    return length;
  }

  Partition Suggest() const {
    Partition partition(n_, Side::kFree);
    for (int i = 0; i < n_; ++i) {
      if (pinned_[i] || lower_.gap[i] < lower_.multiplier[i])
        partition[i] = Side::kLower;
      else if (upper_.gap[i] < upper_.multiplier[i])
        partition[i] = Side::kUpper;
    }
    return partition;
  }

 private:
  static constexpr double kPinned = 1e30;

  // At the given distance from the bound it has, or between both, near zero if that is possible.
  void Start(int i, double distance) {
    const double l = problem_.lower[i], u = problem_.upper[i];
    const bool no_lower = std::isinf(l), no_upper = std::isinf(u);
    if (no_lower && no_upper) {
      z_[i] = 0;
    } else if (pinned_[i]) {
      z_[i] = l;
    } else {
      const double room = 0.1 * (u - l);
      z_[i] = no_upper ? l + distance : no_lower ? u - distance : std::clamp(0.0, l + room, u - room);
      if (!no_lower) {
        lower_.gap[i] = z_[i] - l;
        lower_.multiplier[i] = distance;
      }
      if (!no_upper) {
        upper_.gap[i] = u - z_[i];
        upper_.multiplier[i] = distance;
      }
    }
  }

  Step Direction(const VecX& residual, const VecX& target_lower, const VecX& target_upper) const {
    VecX rhs = -residual;
    for (int i = 0; i < n_; ++i) {
      if (lower_.gap[i] < kInfinity) rhs[i] += target_lower[i] / lower_.gap[i] - lower_.multiplier[i];
      if (upper_.gap[i] < kInfinity) rhs[i] -= target_upper[i] / upper_.gap[i] - upper_.multiplier[i];
      if (pinned_[i]) rhs[i] = 0;
    }
    Step step;
    step.z = shifted_.Solve(rhs);
    for (int i = 0; i < n_; ++i)
      if (pinned_[i]) step.z[i] = 0;
    step.at_lower = lower_.MultiplierStep(step.z, target_lower);
    step.at_upper = upper_.MultiplierStep(-step.z, target_upper);
    return step;
  }

  double LongestStep(const Step& step) const {
    return std::min(lower_.LongestStep(step.z, step.at_lower), upper_.LongestStep(-step.z, step.at_upper));
  }

  const Problem& problem_;
  std::conditional_t<std::is_same_v<Problem, BoundedMlcp>, DenseShifted, SparseShifted> shifted_;
  int n_;
  Eigen::Array<bool, Eigen::Dynamic, 1> pinned_;
  double unit_;  // the size of the numbers
  int sides_;    // bounds in all
  VecX z_;
  BoundSide lower_, upper_;
};

template <typename Problem>
InteriorEnd FollowFrom(const Problem& problem, double start, int most_steps, int iteration_limit,
                       const std::function<bool(const VecX& z, const Partition& partition)>& offer, int* iterations,
                       const Deadline& deadline) {
  InteriorPath<Problem> path(problem, start);
  const double square = path.unit() * path.unit();
  int very_short = 0;
  for (int step = 0; step < most_steps && *iterations < iteration_limit && !deadline.HasPassed(); ++step) {
    ++*iterations;
    const double length = path.Advance();
    very_short = length < kVeryShortStep ? very_short + 1 : 0;
    if (length == 0 || very_short == kVeryShortSteps) return InteriorEnd::kStalled;
    const double complementarity = path.Complementarity();
    if (complementarity > kOfferBelow * square) continue;
    if (offer(path.z(), path.Suggest())) return InteriorEnd::kAccepted;
    if (complementarity < kLeastComplementarity * square) return InteriorEnd::kConverged;
  }
  return InteriorEnd::kIterationLimit;
}

}  // namespace

template <typename Problem>
InteriorEnd FollowInteriorPath(const Problem& problem, int most_steps, int iteration_limit,
                               const std::function<bool(const VecX& z, const Partition& partition)>& offer,
                               int* iterations, const Deadline& deadline) {
  InteriorEnd end = InteriorEnd::kIterationLimit;
  for (const double start : kStarts) {
    end = FollowFrom(problem, start, most_steps, iteration_limit, offer, iterations, deadline);
    if (end == InteriorEnd::kAccepted) break;
  }
  return end;
}

template InteriorEnd FollowInteriorPath(const BoundedMlcp& problem, int most_steps, int iteration_limit,
                                        const std::function<bool(const VecX& z, const Partition& partition)>& offer,
                                        int* iterations, const Deadline& deadline);
template InteriorEnd FollowInteriorPath(const SparseBoundedMlcp& problem, int most_steps, int iteration_limit,
                                        const std::function<bool(const VecX& z, const Partition& partition)>& offer,
                                        int* iterations, const Deadline& deadline);

}  // namespace slipstick::internal
