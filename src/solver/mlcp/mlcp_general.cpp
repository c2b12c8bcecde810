#include "slipstick/solver/mlcp/mlcp_general.h"

#include <algorithm>
#include <limits>

#include "slipstick/base/check.h"

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<int> IndicesWhere(const std::vector<bool>& flags, bool value) {
  std::vector<int> indices;
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (flags[i] == value) indices.push_back(static_cast<int>(i));
  return indices;
}

void CheckSizes(const MatX& M, const VecX& q, const std::vector<bool>& is_equation, const std::vector<bool>& is_free) {
  SLIPSTICK_CHECK(M.rows() == q.size() && M.rows() == static_cast<Eigen::Index>(is_equation.size()) &&
                      M.cols() == static_cast<Eigen::Index>(is_free.size()),
                  "M, q and the kinds of rows and columns do not fit");
  SLIPSTICK_CHECK(
      std::count(is_equation.begin(), is_equation.end(), false) == std::count(is_free.begin(), is_free.end(), false),
      "complementary rows and variables differ in number");
}

}  // namespace

SquareMlcp MakeSquare(const MatX& M, const VecX& q, const std::vector<bool>& is_equation,
                      const std::vector<bool>& is_free) {
  CheckSizes(M, q, is_equation, is_free);
  const std::vector<int> equations = IndicesWhere(is_equation, true), free = IndicesWhere(is_free, true);
  const std::vector<int> rows = IndicesWhere(is_equation, false), variables = IndicesWhere(is_free, false);
  const auto unbounded = static_cast<int>(std::max(equations.size(), free.size()));
  const int n = unbounded + static_cast<int>(rows.size());
  std::vector<int> row_to(M.rows()), column_to(M.cols());
  for (std::size_t k = 0; k < equations.size(); ++k) row_to[equations[k]] = static_cast<int>(k);
  for (std::size_t k = 0; k < free.size(); ++k) column_to[free[k]] = static_cast<int>(k);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    row_to[rows[k]] = unbounded + static_cast<int>(k);
    column_to[variables[k]] = unbounded + static_cast<int>(k);
  }
  SquareMlcp square;
  square.columns = column_to;
  square.problem = {MatX::Zero(n, n), VecX::Zero(n), VecX::Constant(n, -kInfinity), VecX::Constant(n, kInfinity)};
  square.problem.lower.tail(n - unbounded).setZero();
  for (Eigen::Index i = 0; i < M.rows(); ++i) {
    square.problem.b[row_to[i]] = q[i];
    for (Eigen::Index j = 0; j < M.cols(); ++j) square.problem.A(row_to[i], column_to[j]) = M(i, j);
  }
  return square;
}

double GeneralMlcpError(const MatX& M, const VecX& q, const std::vector<bool>& is_equation,
                        const std::vector<bool>& is_free, const VecX& z) {
  CheckSizes(M, q, is_equation, is_free);
  const std::vector<int> variables = IndicesWhere(is_free, false);
  VecX error = M * z + q;
  std::size_t k = 0;
  for (Eigen::Index i = 0; i < error.size(); ++i)
    if (!is_equation[i]) error[i] = std::min(z[variables[k++]], error[i]);  // z − max(0, z − w)
  const double size = q.norm();
  return size > 0 ? error.norm() / size : error.norm();
}

GeneralMlcpAnswer SolveGeneralMlcp(const MatX& M, const VecX& q, const std::vector<bool>& is_equation,
                                   const std::vector<bool>& is_free, const MlcpAutoSettings& settings) {
  const SquareMlcp square = MakeSquare(M, q, is_equation, is_free);
  MlcpAnswer answer = SolveMlcpByAuto(square.problem, settings);
  GeneralMlcpAnswer result;
  result.z = answer.z(square.columns);
  result.w = M * result.z + q;
  result.report = std::move(answer.report);
  result.report.residual = GeneralMlcpError(M, q, is_equation, is_free, result.z);
  return result;
}

}  // namespace slipstick::internal
