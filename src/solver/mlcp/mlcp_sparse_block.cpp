#include "slipstick/solver/mlcp/mlcp_sparse_block.h"

#include <Eigen/SparseCholesky>
#include <limits>

#include "slipstick/solver/mlcp/mlcp_sparse_lu.h"

namespace slipstick::internal {
namespace {

using ColumnMatrix = Eigen::SparseMatrix<double>;

constexpr double kConsistent = 1e-9;
constexpr double kRank = 1e-12;
// δ, relative to entries of about one, and how often the step is repeated. An error that lies where A_FF is regular
// falls by δ over its least eigenvalue each time.
constexpr double kShift = 1e-8;
constexpr int kShiftedSteps = 8;

class SparseCholesky {
 public:
  explicit SparseCholesky(const ColumnMatrix& K) : factors_(K) {}
  bool IsPositiveDefinite() const { return factors_.info() == Eigen::Success && factors_.vectorD().minCoeff() > kRank; }
  VecX Solve(const VecX& rhs) const { return factors_.solve(rhs); }

 private:
  Eigen::SimplicialLDLT<ColumnMatrix> factors_;
};

ColumnMatrix PrincipalSubmatrix(const SparseMat& A, const std::vector<int>& free, double shift) {
  std::vector<int> place(A.rows(), -1);
  for (std::size_t k = 0; k < free.size(); ++k) place[free[k]] = static_cast<int>(k);
  std::vector<Eigen::Triplet<double>> entries;
  for (const int row : free) {
    for (SparseMat::InnerIterator entry(A, row); entry; ++entry)
      if (place[entry.col()] >= 0) entries.emplace_back(place[row], place[entry.col()], entry.value());
    if (shift > 0) entries.emplace_back(place[row], place[row], shift);
  }
  const auto size = static_cast<Eigen::Index>(free.size());
  ColumnMatrix block(size, size);
  block.setFromTriplets(entries.begin(), entries.end());
  return block;
}

double Error(const ColumnMatrix& block, const VecX& rhs, const VecX& x) {
  return x.allFinite() ? (block * x - rhs).lpNorm<Eigen::Infinity>() : std::numeric_limits<double>::infinity();
}

template <typename Factors>
bool SolveInSteps(const Factors& factors, const ColumnMatrix& block, const VecX& rhs, double magnitude, int steps,
                  VecX* x) {
  x->setZero(rhs.size());
  double error = rhs.lpNorm<Eigen::Infinity>();
  for (int step = 0; step < steps; ++step) {
    const VecX next = *x + factors.Solve(rhs - block * *x);
    const double next_error = Error(block, rhs, next);
    if (!(next_error < error)) break;
    *x = next;
    error = next_error;
  }
  return error <= kConsistent * magnitude;
}

}  // namespace

bool SparseFreeBlock::Solve(const std::vector<int>& free, const VecX& rhs, double magnitude, VecX* x) {
  x->setZero(rhs.size());
  if (free.empty() || rhs.isZero(0)) return true;
  const ColumnMatrix block = PrincipalSubmatrix(A_, free, 0);
  for (const double shift : {0.0, kShift}) {
    const ColumnMatrix shifted = shift > 0 ? PrincipalSubmatrix(A_, free, shift) : block;
    const int steps = shift > 0 ? kShiftedSteps : 2;
    if (symmetric_) {
      const SparseCholesky factors(shifted);
      if (factors.IsPositiveDefinite() && SolveInSteps(factors, block, rhs, magnitude, steps, x)) return true;
    }
    SparseLuFactors factors;
    if (factors.Compute(shifted) && SolveInSteps(factors, block, rhs, magnitude, steps, x)) return true;
  }
  return false;
}

}  // namespace slipstick::internal
