#include "slipstick/solver/mlcp/mlcp_feasibility.h"

#include <cmath>
#include <limits>

#include "slipstick/solver/mlcp/lemke.h"

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

Feasibility FindFeasiblePoint(const MatX& C, const VecX& c, const std::vector<RowKind>& rows, const VecX& lower,
                              const VecX& upper, VecX* z, const Deadline& deadline) {
  std::vector<int> used;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i] != RowKind::kAny) used.push_back(static_cast<int>(i));
  const auto n = C.cols(), m = static_cast<Eigen::Index>(used.size());
  // min ½‖z‖²:  z − Cᵀλ ⟂ z in its bounds,  C z + c ⟂ λ
  BoundedMlcp conditions{MatX::Zero(n + m, n + m), VecX::Zero(n + m), VecX(n + m), VecX(n + m)};
  conditions.A.topLeftCorner(n, n).setIdentity();
  conditions.lower.head(n) = lower;
  conditions.upper.head(n) = upper;
  for (Eigen::Index k = 0; k < m; ++k) {
    const int i = used[k];
    double scale = C.row(i).lpNorm<Eigen::Infinity>();
    if (scale == 0) scale = 1;
    conditions.A.block(n + k, 0, 1, n) = C.row(i) / scale;
    conditions.A.block(0, n + k, n, 1) = -C.row(i).transpose() / scale;
    conditions.b[n + k] = c[i] / scale;
    conditions.lower[n + k] = rows[i] == RowKind::kNotNegative ? 0 : -kInfinity;
    conditions.upper[n + k] = rows[i] == RowKind::kNotPositive ? 0 : kInfinity;
  }
  const MlcpAnswer answer = SolveByLemke(conditions, {.seconds = deadline.SecondsLeft()});
  if (answer.report.status == SolveStatus::kNoSolution) return Feasibility::kInfeasible;
  if (answer.report.status != SolveStatus::kSolved) return Feasibility::kUnknown;
  *z = answer.z.head(n);
  return Feasibility::kFeasible;
}

Feasibility FindFeasiblePoint(const BoundedMlcp& problem, VecX* z, const Deadline& deadline) {
  std::vector<RowKind> rows(problem.size(), RowKind::kAny);
  for (int i = 0; i < problem.size(); ++i) {
    const bool no_lower = std::isinf(problem.lower[i]), no_upper = std::isinf(problem.upper[i]);
    if (no_lower && no_upper)
      rows[i] = RowKind::kZero;
    else if (no_upper)
      rows[i] = RowKind::kNotNegative;
    else if (no_lower)
      rows[i] = RowKind::kNotPositive;
  }
  return FindFeasiblePoint(problem.A, problem.b, rows, problem.lower, problem.upper, z, deadline);
}

}  // namespace slipstick::internal
