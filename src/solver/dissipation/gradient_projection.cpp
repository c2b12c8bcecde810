#include "slipstick/solver/dissipation/gradient_projection.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

constexpr double kDescent = 1e-4;     // of the slope that a step must bring
constexpr double kAsymmetric = 1e-8;  // of the largest entry: up to which A counts as symmetric
constexpr int kMostHalvings = 60;
constexpr double kFar = 1e12;     // times the size of b, in scaled variables: a solution does not lie there
constexpr int kPatience = 30;     // iterations without any gain
constexpr int kMostDirect = 300;  // columns of a factor up to which faces are solved directly
constexpr double kRank = 1e-9;    // of the largest: what does not count as another direction

MatX ScaledMatrix(const MatX& A, const VecX& scale) { return scale.asDiagonal() * A * scale.asDiagonal(); }
GramMatrix ScaledMatrix(const GramMatrix& A, const VecX& scale) { return A.Scaled(scale); }

bool IsSymmetric(const MatX& A) {
  return (A - A.transpose()).lpNorm<Eigen::Infinity>() <= kAsymmetric * A.lpNorm<Eigen::Infinity>();
}
bool IsSymmetric(const GramMatrix&) { return true; }

// The least-norm d over the free entries with A d = −g there, where that is cheap: with few columns of G, by an
// orthogonal decomposition of its free rows F, d = −(F⁺)ᵀ F⁺ g. Empty elsewhere.
VecX DirectFace(const MatX&, const VecX&, const VecX&, int) { return {}; }
VecX DirectFace(const GramMatrix& A, const VecX& g, const VecX& is_free, int count) {
  const Eigen::Index columns = A.factor().cols();
  if (columns > kMostDirect) return {};
  MatX rows = MatX::Zero(count, columns);
  VecX right(count);
  std::vector<Eigen::Index> places;
  for (Eigen::Index i = 0; i < g.size(); ++i) {
    if (is_free[i] == 0) continue;
    const auto k = static_cast<Eigen::Index>(places.size());
    for (SparseMat::InnerIterator entry(A.factor(), i); entry; ++entry) rows(k, entry.col()) = entry.value();
    right[k] = -g[i];
    places.push_back(i);
  }
  Eigen::CompleteOrthogonalDecomposition<MatX> decomposition;
  decomposition.setThreshold(kRank);
  decomposition.compute(rows);
  const VecX least = decomposition.transpose().solve(decomposition.solve(right));
  VecX d = VecX::Zero(g.size());
  for (std::size_t k = 0; k < places.size(); ++k) d[places[k]] = least[static_cast<Eigen::Index>(k)];
  return d;
}

// The problem in variables x = z/s with s_i = 1/√A_ii, so that every row has the diagonal 1.
template <typename Matrix>
class BoxProgram {
 public:
  template <typename Problem>
  explicit BoxProgram(const Problem& problem) {
    const VecX diagonal = problem.A.diagonal();
    scale_ = diagonal.unaryExpr([](double entry) { return entry > 0 ? 1 / std::sqrt(entry) : 1.0; });
    A_ = ScaledMatrix(problem.A, scale_);
    b_ = scale_.cwiseProduct(problem.b);
    lower_ = problem.lower.cwiseQuotient(scale_);
    upper_ = problem.upper.cwiseQuotient(scale_);
    far_ = kFar * std::max(b_.size() > 0 ? b_.lpNorm<Eigen::Infinity>() : 0.0, std::numeric_limits<double>::min());
  }

  VecX Inside(const VecX& x) const { return x.cwiseMax(lower_).cwiseMin(upper_); }
  VecX Scaled(const VecX& z) const { return z.cwiseQuotient(scale_); }
  VecX Original(const VecX& x) const { return x.cwiseProduct(scale_); }
  VecX Gradient(const VecX& x) const { return A_ * x + b_; }
  // f(x + d) − f(x), from the difference: the values themselves would lose its digits
  double Change(const VecX& gradient, const VecX& d) const { return gradient.dot(d) + 0.5 * d.dot(A_ * d); }
  bool IsFar(const VecX& x) const { return x.size() > 0 && x.lpNorm<Eigen::Infinity>() > far_; }

  // Projected gradient from x; the length of the last one that was long enough is kept for the next.
  VecX GradientStep(const VecX& x, const VecX& gradient, double length) const {
    for (int k = 0; k < kMostHalvings; ++k, length *= 0.5) {
      const VecX moved = Inside(x - length * gradient), d = moved - x;
      const double slope = gradient.dot(d);
      if (!(slope < 0)) return x;  // nothing moves, or only by rounding
      if (Change(gradient, d) <= kDescent * slope) return moved;
    }
    return x;
  }

  // The best of the face that x is on by conjugate gradients, and from x towards it as far as that descends.
  VecX FaceStep(const VecX& x) const {
    const VecX gradient = Gradient(x);
    VecX is_free = VecX::Zero(x.size());
    int count = 0;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      // a bound that the gradient leaves is no bound of the face
      const bool held = (x[i] <= lower_[i] && gradient[i] >= 0) || (x[i] >= upper_[i] && gradient[i] <= 0);
      if (held) continue;
      is_free[i] = 1;
      ++count;
    }
    if (count == 0) return x;
    if (const VecX d = DirectFace(A_, gradient, is_free, count); d.size() > 0 && d.allFinite()) {
      const VecX moved = Towards(x, gradient, d);
      if (moved != x) return moved;
    }
    return Towards(x, gradient, Conjugate(gradient.cwiseProduct(is_free), is_free, count));
  }

 private:
  // From x along d, projected, as far as that descends enough.
  VecX Towards(const VecX& x, const VecX& gradient, const VecX& d) const {
    double length = 1;
    for (int k = 0; k < kMostHalvings; ++k, length *= 0.5) {
      const VecX moved = Inside(x + length * d), step = moved - x;
      const double slope = gradient.dot(step);
      if (slope < 0 && Change(gradient, step) <= kDescent * slope) return moved;
      if (step.isZero(0)) return x;
    }
    return x;
  }

  // Least of gᵀd + ½ dᵀA d over the free entries, from d = 0. Ends where the matrix has no curvature.
  VecX Conjugate(const VecX& g, const VecX& is_free, int count) const {
    VecX d = VecX::Zero(g.size()), residual = -g, direction = residual;
    double squared = residual.squaredNorm();
    const double enough = 1e-30 * squared;
    for (int k = 0; k < 2 * count + 10 && squared > enough; ++k) {
      const VecX image = (A_ * direction).cwiseProduct(is_free);
      const double curvature = direction.dot(image);
      if (!(curvature > 1e-15 * direction.squaredNorm())) {
        // flat: as far as the gradient step goes where nothing has been found yet
        if (k == 0) d = far_ / std::max(direction.lpNorm<Eigen::Infinity>(), far_ * 1e-12) * direction;
        break;
      }
      const double length = squared / curvature;
      d += length * direction;
      residual -= length * image;
      const double next = residual.squaredNorm();
      direction = residual + next / squared * direction;
      squared = next;
    }
    return d.allFinite() ? d : VecX(-g);
  }

  Matrix A_;
  VecX b_, lower_, upper_, scale_;
  double far_ = 0;
};

template <typename Problem>
MlcpAnswer Finish(const Problem& problem, const VecX& z, SolveStatus status, int iterations) {
  MlcpAnswer answer;
  // products with the scales round: back between the bounds, exactly
  answer.z = z.cwiseMax(problem.lower).cwiseMin(problem.upper);
  answer.w = problem.A * answer.z + problem.b;
  answer.report = {status, iterations, NaturalResidual(problem, answer.z), "gradient-projection"};
  return answer;
}

template <typename Matrix, typename Problem>
MlcpAnswer Solve(const Problem& problem, const GradientProjectionSettings& settings, const VecX* warm_start) {
  const int n = problem.size();
  if (!Check(problem).empty()) {
    return {VecX::Zero(n), VecX::Zero(n), {SolveStatus::kBadInput, 0, 0, "gradient-projection"}};
  }
  VecX start = VecX::Zero(n);
  if (warm_start != nullptr && warm_start->size() == n && warm_start->allFinite()) start = *warm_start;
  if (n == 0) return Finish(problem, start, SolveStatus::kSolved, 0);
  if (!IsSymmetric(problem.A)) return Finish(problem, start, SolveStatus::kUnsupported, 0);
  const BoxProgram<Matrix> program(problem);
  VecX x = program.Inside(program.Scaled(start));
  VecX gradient = program.Gradient(x);
  double length = 1, best = std::numeric_limits<double>::infinity();
  VecX best_x = x;
  int since_best = 0;
  for (int count = 0;; ++count) {
    const VecX z = program.Original(x);
    const double residual = NaturalResidual(problem, z.cwiseMax(problem.lower).cwiseMin(problem.upper));
    since_best = residual < best ? 0 : since_best + 1;
    if (residual < best) {
      best = residual;
      best_x = x;
    }
    if (residual <= settings.tolerance * ResidualScale(problem, z)) {
      return Finish(problem, z, SolveStatus::kSolved, count);
    }
    if (program.IsFar(x)) return Finish(problem, program.Original(best_x), SolveStatus::kRay, count);
    if (since_best >= kPatience) {
      return Finish(problem, program.Original(best_x), SolveStatus::kStalled, count);
    }
    if (count == settings.max_iterations) {
      return Finish(problem, program.Original(best_x), SolveStatus::kIterationLimit, count);
    }
    const VecX next = program.FaceStep(program.GradientStep(x, gradient, length));
    const VecX next_gradient = program.Gradient(next), moved = next - x, turned = next_gradient - gradient;
    // Barzilai & Borwein's length; 1 fits rows of diagonal 1
    const double curvature = moved.dot(turned);
    length = curvature > 0 ? std::clamp(moved.squaredNorm() / curvature, 1e-6, 1e6) : 1.0;
    x = next;
    gradient = next_gradient;
  }
}

}  // namespace

MlcpAnswer SolveByGradientProjection(const BoundedMlcp& problem, const GradientProjectionSettings& settings,
                                     const VecX* warm_start) {
  return Solve<MatX>(problem, settings, warm_start);
}

MlcpAnswer SolveByGradientProjection(const FactoredBox& problem, const GradientProjectionSettings& settings,
                                     const VecX* warm_start) {
  return Solve<GramMatrix>(problem, settings, warm_start);
}

}  // namespace slipstick::internal
