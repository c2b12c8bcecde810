#include "slipstick/solver/mlcp/mlcp_low_rank.h"

#include <cmath>
#include <limits>
#include <vector>

#include "slipstick/solver/mlcp/free_block.h"

namespace slipstick::internal {
namespace {

constexpr double kLargestRank = 0.2;  // in parts of the rows
constexpr double kThinRest = 0.02;    // nonzeros outside of the block, in parts of all entries
// What is left of a unit diagonal counts as zero below this.
constexpr double kRank = 1e-14;

// G with A ≈ G Gᵀ, by Cholesky's method with the largest pivot first, or nothing if the rank is above the given one.
std::optional<MatX> LowRankFactor(const MatX& A, int most) {
  const auto n = A.rows();
  const VecX size = A.diagonal();
  VecX left = VecX::Ones(n);  // of the diagonal, in parts of it
  MatX G(n, most);
  int rank = 0;
  Eigen::Index pivot = 0;
  while (left.maxCoeff(&pivot) > kRank) {
    if (rank == most) return std::nullopt;
    const double root = std::sqrt(left[pivot] * size[pivot]);
    const VecX row = G.row(pivot).head(rank).transpose();
    G.col(rank) = (A.col(pivot) - G.leftCols(rank) * row) / root;
    left -= G.col(rank).cwiseAbs2().cwiseQuotient(size);
    left[pivot] = 0;
    ++rank;
  }
  return G.leftCols(rank);
}

}  // namespace

std::optional<SparseBoundedMlcp> SplitLowRank(const BoundedMlcp& problem) {
  const int n = problem.size();
  std::vector<int> inside, outside;
  for (int i = 0; i < n; ++i) (problem.A(i, i) > 0 ? inside : outside).push_back(i);
  if (outside.empty() || inside.empty()) return std::nullopt;
  const double inside_share = static_cast<double>(inside.size()) / n;
  const auto nonzeros = static_cast<double>((problem.A.array() != 0).count());
  if (nonzeros > (inside_share * inside_share + kThinRest) * n * n) return std::nullopt;
  const MatX block = problem.A(inside, inside);
  if (!block.isApprox(block.transpose(), 1e-13)) return std::nullopt;
  const std::optional<MatX> G = LowRankFactor(block, static_cast<int>(kLargestRank * n));
  // a negative part would show in what is left off the diagonal
  if (!G || (block - *G * G->transpose()).lpNorm<Eigen::Infinity>() > 1e-12 * block.lpNorm<Eigen::Infinity>())
    return std::nullopt;

  const auto rank = static_cast<int>(G->cols());
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = 0; k < rank; ++k) {
    entries.emplace_back(k, k, 1.0);
    for (std::size_t i = 0; i < inside.size(); ++i) {
      const double entry = (*G)(static_cast<Eigen::Index>(i), k);
      if (entry == 0) continue;
      entries.emplace_back(rank + inside[i], k, entry);
      entries.emplace_back(k, rank + inside[i], -entry);
    }
  }
  std::vector<bool> is_inside(n, false);
  for (const int i : inside) is_inside[i] = true;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (problem.A(i, j) != 0 && !(is_inside[i] && is_inside[j]))
        entries.emplace_back(rank + i, rank + j, problem.A(i, j));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  SparseBoundedMlcp split{SparseMat(rank + n, rank + n), VecX::Zero(rank + n), VecX::Constant(rank + n, -kInfinity),
                          VecX::Constant(rank + n, kInfinity)};
  split.A.setFromTriplets(entries.begin(), entries.end());
  split.b.tail(n) = problem.b;
  split.lower.tail(n) = problem.lower;
  split.upper.tail(n) = problem.upper;
  return split;
}

}  // namespace slipstick::internal
