#pragma once

#include <vector>

#include "slipstick/program/solve_report.h"
#include "slipstick/solver/mlcp/mlcp_auto.h"

namespace slipstick::internal {

// A mixed problem whose equations and free variables differ in number:
//   w = M z + q,  w_i = 0 in rows that are equations,  0 ≤ w ⊥ z ≥ 0 in the others, the k-th of which belongs to the
//   k-th variable that is not free.
// It becomes a square one (BoundedMlcp) with the k-th equation in the place of the k-th free variable: the solutions do
// not depend on which equation stands where. What is short is filled up, equations by 0 = 0 and free variables by such
// that occur nowhere; the solvers take singular matrices, and equations that contradict each other are found so.
struct GeneralMlcpAnswer {
  VecX z;              // of M's columns
  VecX w;              // M z + q
  SolveReport report;  // `residual` is GeneralMlcpError
};
GeneralMlcpAnswer SolveGeneralMlcp(const MatX& M, const VecX& q, const std::vector<bool>& is_equation,
                                   const std::vector<bool>& is_free, const MlcpAutoSettings& settings);

// ‖(w of the equations, z − max(0, z − w) of the others)‖ / ‖q‖, undivided where q = 0: the measure of Siconos.
double GeneralMlcpError(const MatX& M, const VecX& q, const std::vector<bool>& is_equation,
                        const std::vector<bool>& is_free, const VecX& z);

// The square problem, and which of its variables are columns of M.
struct SquareMlcp {
  BoundedMlcp problem;
  std::vector<int> columns;  // of the square problem, for each column of M
};
SquareMlcp MakeSquare(const MatX& M, const VecX& q, const std::vector<bool>& is_equation,
                      const std::vector<bool>& is_free);

}  // namespace slipstick::internal
