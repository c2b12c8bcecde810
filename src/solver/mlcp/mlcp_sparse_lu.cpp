#include "slipstick/solver/mlcp/mlcp_sparse_lu.h"

#include <Eigen/OrderingMethods>

namespace slipstick::internal {
namespace {

// The least pivot on the diagonal, in parts of the largest entry of its column.
constexpr double kLeastPivot = 1e-6;

}  // namespace

bool SparseLuFactors::Compute(const Eigen::SparseMatrix<double>& K, bool same_pattern) {
  if (!same_pattern) {
    Eigen::AMDOrdering<int>()(K, order_);
    order_ = order_.inverse().eval();
    lu_.setPivotThreshold(kLeastPivot);
  }
  ordered_ = K.twistedBy(order_);
  if (!same_pattern) lu_.analyzePattern(ordered_);
  lu_.factorize(ordered_);
  return lu_.info() == Eigen::Success;
}

VecX SparseLuFactors::Solve(const VecX& rhs) const {
  const VecX ordered_rhs = order_ * rhs;
  VecX x = lu_.solve(ordered_rhs);
  x += lu_.solve(ordered_rhs - ordered_ * x);
  return order_.inverse() * x;
}

}  // namespace slipstick::internal
