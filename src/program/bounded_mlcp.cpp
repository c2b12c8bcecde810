#include "slipstick/program/bounded_mlcp.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/check.h"
#include "slipstick/program/factored_box.h"

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Larger numbers than this mean nothing in a contact problem, and their products would overflow.
constexpr double kLargest = 1e100;

// d_i of the natural map; what stands in for entries that are not positive.
double StandInDiagonal(const VecX& diagonal) {
  double sum = 0;
  int count = 0;
  for (const double entry : diagonal) {
    if (entry <= 0) continue;
    sum += entry;
    ++count;
  }
  return count > 0 ? sum / count : 1.0;
}

void Append(const std::string& fault, std::string* faults) {
  if (!faults->empty()) *faults += "; ";
  *faults += fault;
}

// written so that NaN fails
bool InRange(const MatX& A) { return (A.array().abs() <= kLargest).all(); }
bool InRange(const SparseMat& A) {
  for (int i = 0; i < A.outerSize(); ++i)
    for (SparseMat::InnerIterator entry(A, i); entry; ++entry)
      if (!(std::abs(entry.value()) <= kLargest)) return false;
  return true;
}

bool InRange(const GramMatrix& A) { return InRange(A.factor()); }

VecX AbsoluteProduct(const MatX& A, ConstRef<VecX> z) {
  VecX sum = VecX::Zero(A.rows());
  for (int j = 0; j < z.size(); ++j)
    if (z[j] != 0) sum += std::abs(z[j]) * A.col(j).cwiseAbs();
  return sum;
}
VecX AbsoluteProduct(const SparseMat& A, ConstRef<VecX> z) { return A.cwiseAbs() * z.cwiseAbs(); }
VecX AbsoluteProduct(const GramMatrix& A, ConstRef<VecX> z) { return A.AbsoluteProduct(z); }

template <typename Problem>
std::string FaultsOf(const Problem& problem) {
  std::string faults;
  const auto n = problem.b.size();
  if (problem.A.rows() != n || problem.A.cols() != n)
    Append("A is " + std::to_string(problem.A.rows()) + " × " + std::to_string(problem.A.cols()) + " but b has " +
               std::to_string(n) + " entries",
           &faults);
  if (problem.lower.size() != n) Append("lower has " + std::to_string(problem.lower.size()) + " entries", &faults);
  if (problem.upper.size() != n) Append("upper has " + std::to_string(problem.upper.size()) + " entries", &faults);
  if (!InRange(problem.A)) Append("A is not finite, or has entries beyond 1e100", &faults);
  if (!(problem.b.array().abs() <= kLargest).all()) Append("b is not finite, or has entries beyond 1e100", &faults);
  for (int i = 0; i < std::min(problem.lower.size(), problem.upper.size()); ++i) {
    const double lower = problem.lower[i], upper = problem.upper[i];
    const bool in_range = lower <= kLargest && upper >= -kLargest && (lower >= -kLargest || lower == -kInfinity) &&
                          (upper <= kLargest || upper == kInfinity);
    if (!(lower <= upper && in_range))
      Append(
          "bounds of row " + std::to_string(i) + " are [" + std::to_string(lower) + ", " + std::to_string(upper) + "]",
          &faults);
  }
  return faults;
}

template <typename Problem>
double NaturalResidualOf(const Problem& problem, ConstRef<VecX> z) {
  SLIPSTICK_CHECK(z.size() == problem.size(), "z does not fit the problem");
  if (problem.size() == 0) return 0;
  if (!z.allFinite()) return kInfinity;
  const VecX w = problem.A * z + problem.b;
  if (!w.allFinite()) return kInfinity;
  const VecX diagonal = problem.A.diagonal();
  const double stand_in = StandInDiagonal(diagonal);
  double worst = 0;
  for (int i = 0; i < z.size(); ++i) {
    const double d = diagonal[i] > 0 ? diagonal[i] : stand_in;
    // r_i d_i, written as mid(d(z − u), w, d(z − l)) so that no digit is lost where z_i is much larger than w_i/d
    const double residual = std::min(std::max(d * (z[i] - problem.upper[i]), w[i]), d * (z[i] - problem.lower[i]));
    if (std::isnan(residual)) return kInfinity;
    worst = std::max(worst, std::abs(residual));
  }
  return worst;
}

template <typename Problem>
double ResidualScaleOf(const Problem& problem, ConstRef<VecX> z) {
  SLIPSTICK_CHECK(z.size() == problem.size(), "z does not fit the problem");
  if (problem.size() == 0) return 0;
  return (problem.b.cwiseAbs() + AbsoluteProduct(problem.A, z)).maxCoeff();
}

}  // namespace

std::string Check(const BoundedMlcp& problem) { return FaultsOf(problem); }
std::string Check(const SparseBoundedMlcp& problem) { return FaultsOf(problem); }
std::string Check(const FactoredBox& problem) { return FaultsOf(problem); }

double NaturalResidual(const BoundedMlcp& problem, ConstRef<VecX> z) { return NaturalResidualOf(problem, z); }
double NaturalResidual(const SparseBoundedMlcp& problem, ConstRef<VecX> z) { return NaturalResidualOf(problem, z); }
double NaturalResidual(const FactoredBox& problem, ConstRef<VecX> z) { return NaturalResidualOf(problem, z); }

double ResidualScale(const BoundedMlcp& problem, ConstRef<VecX> z) { return ResidualScaleOf(problem, z); }
double ResidualScale(const SparseBoundedMlcp& problem, ConstRef<VecX> z) { return ResidualScaleOf(problem, z); }
double ResidualScale(const FactoredBox& problem, ConstRef<VecX> z) { return ResidualScaleOf(problem, z); }

}  // namespace slipstick::internal
