#include "slipstick/solve/solve_contacts.h"

#include "slipstick/solve/hyperstaticity.h"
#include "slipstick/solve/solve_problem.h"

namespace slipstick {

ContactStepAnswer SolveContacts(const ContactStep& step, double tolerance) {
  internal::GlobalProblem global;
  global.contacts.sliding = step.friction;
  global.M = step.M.sparseView();
  global.H = step.H.sparseView();
  global.f = step.f;
  global.w = step.w;
  const internal::SolveSettings settings{.tolerance = tolerance};
  const internal::PreparedProblem problem = internal::Prepare(global);
  const internal::ProblemSolution solution = internal::Solve(problem, settings);
  const internal::Hyperstaticity redundancy = internal::AnalyzeHyperstaticity(problem, solution, settings);
  return {.v = solution.v,
          .r = solution.r,
          .residual = solution.residual,
          .is_solved = solution.status == internal::SolveStatus::kSolved,
          .solver = solution.solver,
          .rows = redundancy.rows,
          .rank = redundancy.rank,
          .least_impulses = redundancy.least_r};
}

}  // namespace slipstick
