#include "slipstick/law/joint_rows.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "slipstick/base/check.h"
#include "slipstick/law/delassus_form.h"

namespace slipstick::internal {
namespace {

// Of the step's velocity scale: what an answer in velocities may leave, a tenth of what is allowed to all others.
constexpr double kSolved = 1e-11;

// Impulses to begin with, those of the last step; and each row as if it were alone where none are known.
VecX Start(const ContactProblem& problem) {
  if (problem.bounded.remembered.size() == problem.bounded.target.size()) return problem.bounded.Start();
  const BoundedSet& bounded = problem.bounded;
  const VecX masses = RowMasses(problem, bounded.jacobian);
  VecX velocities(bounded.target.size());
  bounded.jacobian.Multiply(problem.free_velocity, velocities);
  return (-masses.cwiseProduct(velocities - bounded.target)).cwiseMax(bounded.lower).cwiseMin(bounded.upper);
}

// Where there is nothing but rows of single velocities.
std::optional<LawAnswer> SolveSingleRows(const ContactProblem& problem, const VecX& start, ProgramSolver& solver) {
  const BoundedSet& bounded = problem.bounded;
  if (!solver.single_rows || problem.bilateral.jacobian.rows() > 0) return std::nullopt;
  SingleRowsProgram program{&problem.mass, &problem.free_velocity, {}};
  program.rows.reserve(bounded.jacobian.groups());
  for (int g = 0; g < bounded.jacobian.groups(); ++g) {
    const BlockRows::Single* single = bounded.jacobian.single(g);
    if (single == nullptr || !problem.mass.HasEntries(bounded.jacobian.block_a(g))) return std::nullopt;
    program.rows.push_back({bounded.jacobian.block_a(g), single->index, single->factor, bounded.target[g],
                            bounded.lower[g], bounded.upper[g]});
  }
  SingleRowsAnswer found = solver.single_rows(program, start);
  if (found.report.status != SolveStatus::kSolved) return std::nullopt;
  LawAnswer answer{.solution = {}, .report = std::move(found.report), .programs = 1};
  answer.solution.bounded = std::move(found.z);
  // the solver's velocities are nearer: those of rows that hold are exact, where M⁻¹ times the impulses' rounding is
  // not; but what is nothing is nothing
  ComputeVelocity(problem, &answer.solution);
  for (Eigen::Index k = 0; k < found.velocity.size(); ++k) {
    if (answer.solution.velocity[k] != 0) answer.solution.velocity[k] = found.velocity[k];
  }
  answer.report.residual = ResidualOutsideContacts(problem, answer.solution);
  if (!(answer.report.residual <= kSolved * problem.velocity_scale)) return std::nullopt;
  return answer;
}

}  // namespace

LawAnswer SolveJointRows(const ContactProblem& problem, ProgramSolver& solver) {
  SLIPSTICK_CHECK(problem.contacts.size() == 0, "a problem with contacts needs its law");
  if (problem.bilateral.jacobian.rows() + problem.bounded.jacobian.rows() == 0) {
    LawAnswer free{.solution = {}, .report = {SolveStatus::kSolved, 0, 0, "free motion"}, .programs = 0};
    free.solution.velocity = problem.free_velocity;
    return free;
  }
  const VecX start = Start(problem);
  if (std::optional<LawAnswer> answer = SolveSingleRows(problem, start, solver)) return *std::move(answer);
  const DelassusForm form = BuildDelassusForm(problem);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  BoundedMlcp program;
  program.A = form.W;
  program.b = form.q;
  program.lower = VecX::Constant(form.q.size(), -kInfinity);
  program.upper = VecX::Constant(form.q.size(), kInfinity);
  program.lower.tail(form.bounded) = problem.bounded.lower;
  program.upper.tail(form.bounded) = problem.bounded.upper;
  VecX guess = VecX::Zero(form.q.size());
  guess.tail(form.bounded) = start;
  const MlcpAnswer answer = solver.mlcp(program, &guess);
  return {SolutionFromImpulses(problem, form, answer.z), answer.report, 1};
}

}  // namespace slipstick::internal
