#include "slipstick/program/bounded_mlcp.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/check.h"

namespace slipstick {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Larger numbers than this mean nothing in a contact problem, and their products would overflow.
constexpr double kLargest = 1e100;

// d_i of the natural map; what stands in for entries that are not positive.
double StandInDiagonal(const MatX& A) {
  double sum = 0;
  int count = 0;
  for (int i = 0; i < A.rows(); ++i) {
    if (A(i, i) <= 0) continue;
    sum += A(i, i);
    ++count;
  }
  return count > 0 ? sum / count : 1.0;
}

void Append(const std::string& fault, std::string* faults) {
  if (!faults->empty()) *faults += "; ";
  *faults += fault;
}

}  // namespace

std::string Check(const BoundedMlcp& problem) {
  std::string faults;
  const auto n = problem.b.size();
  if (problem.A.rows() != n || problem.A.cols() != n)
    Append("A is " + std::to_string(problem.A.rows()) + " × " + std::to_string(problem.A.cols()) + " but b has " +
               std::to_string(n) + " entries",
           &faults);
  if (problem.lower.size() != n) Append("lower has " + std::to_string(problem.lower.size()) + " entries", &faults);
  if (problem.upper.size() != n) Append("upper has " + std::to_string(problem.upper.size()) + " entries", &faults);
  // written so that NaN fails, here and below
  if (!(problem.A.array().abs() <= kLargest).all()) Append("A is not finite, or has entries beyond 1e100", &faults);
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

double NaturalResidual(const BoundedMlcp& problem, ConstRef<VecX> z) {
  SLIPSTICK_CHECK(z.size() == problem.size(), "z does not fit the problem");
  if (problem.size() == 0) return 0;
  if (!z.allFinite()) return kInfinity;
  const VecX w = problem.A * z + problem.b;
  if (!w.allFinite()) return kInfinity;
  const double stand_in = StandInDiagonal(problem.A);
  double worst = 0;
  for (int i = 0; i < z.size(); ++i) {
    const double d = problem.A(i, i) > 0 ? problem.A(i, i) : stand_in;
    // r_i d_i, written as mid(d(z − u), w, d(z − l)) so that no digit is lost where z_i is much larger than w_i/d
    const double residual = std::min(std::max(d * (z[i] - problem.upper[i]), w[i]), d * (z[i] - problem.lower[i]));
    if (std::isnan(residual)) return kInfinity;
    worst = std::max(worst, std::abs(residual));
  }
  return worst;
}

double ResidualScale(const BoundedMlcp& problem, ConstRef<VecX> z) {
  SLIPSTICK_CHECK(z.size() == problem.size(), "z does not fit the problem");
  if (problem.size() == 0) return 0;
  VecX size = problem.b.cwiseAbs();
  for (int j = 0; j < z.size(); ++j)
    if (z[j] != 0) size += std::abs(z[j]) * problem.A.col(j).cwiseAbs();
  return size.maxCoeff();
}

}  // namespace slipstick
