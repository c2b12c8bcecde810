#include "slipstick/law/joint_rows.h"

#include <algorithm>
#include <limits>

#include "slipstick/base/check.h"
#include "slipstick/law/delassus_form.h"

namespace slipstick::internal {

LawAnswer SolveJointRows(const ContactProblem& problem, ProgramSolver& solver) {
  SLIPSTICK_CHECK(problem.contacts.size() == 0, "a problem with contacts needs its law");
  if (problem.bilateral.jacobian.rows() + problem.bounded.jacobian.rows() == 0) {
    LawAnswer free{.solution = {}, .report = {SolveStatus::kSolved, 0, 0, "free motion"}, .programs = 0};
    free.solution.velocity = problem.free_velocity;
    return free;
  }
  const DelassusForm form = BuildDelassusForm(problem);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  BoundedMlcp program;
  program.A = form.W;
  program.b = form.q;
  program.lower = VecX::Constant(form.q.size(), -kInfinity);
  program.upper = VecX::Constant(form.q.size(), kInfinity);
  program.lower.tail(form.bounded) = problem.bounded.lower;
  program.upper.tail(form.bounded) = problem.bounded.upper;
  // Each row as if it were alone: what slides is then at its limit from the start, which is most of the answer.
  VecX guess = VecX::Zero(form.q.size());
  for (int i = form.bilateral; i < guess.size(); ++i) {
    if (form.W(i, i) > 0) guess[i] = std::clamp(-form.q[i] / form.W(i, i), program.lower[i], program.upper[i]);
  }
  const MlcpAnswer answer = solver.mlcp(program, &guess);
  return {SolutionFromImpulses(problem, form, answer.z), answer.report, 1};
}

}  // namespace slipstick::internal
