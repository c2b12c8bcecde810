#include "slipstick/solve/solve_problem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/SparseLU>
#include <chrono>
#include <cmath>
#include <utility>

#include "slipstick/base/check.h"
#include "slipstick/base/fault.h"
#include "slipstick/problem/cone_form.h"
#include "slipstick/solve/solve_mixed.h"
#include "slipstick/solver/cone/cone_solvers.h"

namespace slipstick::internal {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kTightenings = 3;  // of a solver's own tolerance, a factor 10 each

double Since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

ConeProgram ProgramOf(const PreparedProblem& problem, bool convex) {
  ConeProgram program = ToConeProgram(*problem.local, !convex);
  if (!problem.bounds) return program;
  const int first = problem.local->contacts.rows();
  for (ConeBlock& block : program.blocks) {
    if (block.kind != BlockKind::kFree) continue;
    const double lower = problem.bounds->lower[block.offset - first],
                 upper = problem.bounds->upper[block.offset - first];
    if (std::isfinite(lower) || std::isfinite(upper)) block = ConeBlock::Interval(block.offset, lower, upper);
  }
  return program;
}

VecX VelocityOf(const GlobalProblem& problem, const VecX& r, const VecX& lambda) {
  VecX force = problem.H * r + problem.f;
  if (lambda.size() > 0) force += problem.G * lambda;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> inverse;
  inverse.compute(Eigen::SparseMatrix<double>(problem.M));
  return inverse.solve(force);
}

// Impulses of all rows, judged on the problem as it was given.
void Judge(const PreparedProblem& problem, const VecX& impulses, bool convex, ProblemSolution* solution) {
  const LocalProblem& local = *problem.local;
  const int rows = local.contacts.rows();
  solution->r = impulses.head(rows);
  solution->lambda = impulses.tail(impulses.size() - rows);
  const MultiplierBounds* bounds = problem.bounds ? &*problem.bounds : nullptr;
  ProblemResidual residual;
  if (problem.global) {
    solution->v = VelocityOf(*problem.global, solution->r, solution->lambda);
    solution->u = problem.global->H.transpose() * solution->v + problem.global->w;
    residual = ResidualOf(*problem.global, solution->r, solution->lambda, &solution->v, !convex, bounds);
  } else {
    solution->u = local.W * solution->r + local.q;
    if (solution->lambda.size() > 0) solution->u += local.V * solution->lambda;
    residual = ResidualOf(local, solution->r, solution->lambda, !convex, bounds);
  }
  solution->residual = residual.relative;
  solution->residual_per_contact = residual.per_contact;
}

// The solver asked for is one that takes the problem.
void RequireSolver(const std::string& name, const PreparedProblem& problem) {
  std::vector<std::string> names;
  std::string refusal;
  for (const SolverChoice& choice : SolversFor(problem)) {
    if (choice.name == name && choice.refusal.empty()) return;
    if (choice.name == name) refusal = ", which is " + choice.refusal;
    if (choice.refusal.empty()) names.push_back(choice.name);
  }
  throw InputError({Fault{.key = "solver",
                          .expected = fmt::format("one of {}", fmt::join(names, ", ")),
                          .found = fmt::format("'{}'{}", name, refusal)}});
}

ProblemSolution SolveFriction(const PreparedProblem& problem, const SolveSettings& settings) {
  const ConeSolver* solver = FindConeSolver(settings.solver);
  SLIPSTICK_CHECK(solver != nullptr, "a solver of SolversFor()");
  std::vector<Fault> faults;
  const Settings own = Settings::Read(solver->settings, settings.solver_settings, "solver", &faults);
  if (!faults.empty()) throw InputError(faults);

  const ConeProgram program = ProgramOf(problem, settings.convex);
  StopRule stop{.measure = ErrorMeasure::kFclib, .tolerance = settings.tolerance, .seconds = settings.time_limit};
  ProblemSolution best;
  int iterations = 0;
  double seconds = problem.seconds;
  std::vector<SolveAttempt> tried;
  VecX warm;
  for (int attempt = 0; attempt <= kTightenings; ++attempt) {
    const auto begin = Clock::now();
    stop.seconds = std::max(0.0, settings.time_limit - seconds);
    const ConeAnswer answer = solver->solve(program, own, stop, attempt > 0 ? &warm : nullptr);
    const double took = Since(begin);
    seconds += took;
    iterations += answer.report.iterations;
    ProblemSolution found;
    Judge(problem, answer.r, settings.convex, &found);
    found.solver = answer.report.solver.empty() ? solver->name : answer.report.solver;
    found.history = answer.report.history;
    if (answer.report.tried.empty()) {
      tried.push_back({found.solver, answer.report.status, answer.report.iterations, found.residual, took});
    } else {
      tried.insert(tried.end(), answer.report.tried.begin(), answer.report.tried.end());
    }
    const bool says_solved = answer.report.status == SolveStatus::kSolved;
    // claims that do not hold are no more than a lack of progress
    found.status = found.residual <= settings.tolerance ? SolveStatus::kSolved
                   : says_solved                        ? SolveStatus::kStalled
                                                        : answer.report.status;
    if (attempt == 0 || found.residual < best.residual) best = std::move(found);
    if (best.status == SolveStatus::kSolved || !says_solved || seconds >= settings.time_limit) break;
    warm = answer.r;
    stop.tolerance *= 0.1;
  }
  best.iterations = iterations;
  best.seconds = seconds;
  best.tried = std::move(tried);
  return best;
}

}  // namespace

std::vector<SolverChoice> SolversFor(const PreparedProblem& problem) {
  if (!problem.is_friction()) return MixedSolvers();
  std::vector<SolverChoice> choices;
  const std::vector<ConeBlock> blocks = BlocksOf(*problem.local);
  for (const ConeSolver& solver : ConeSolvers()) {
    choices.push_back({solver.name, solver.summary, solver.settings, solver.Refusal(blocks)});
  }
  return choices;
}

ProblemSolution Solve(const PreparedProblem& problem, const SolveSettings& settings) {
  if (!(settings.tolerance > 0)) {
    throw InputError(
        {Fault{.key = "tolerance", .expected = "above 0", .found = fmt::format("{}", settings.tolerance)}});
  }
  if (!(settings.time_limit > 0)) {
    throw InputError(
        {Fault{.key = "time_limit", .expected = "above 0 s", .found = fmt::format("{}", settings.time_limit)}});
  }
  RequireSolver(settings.solver, problem);
  return problem.is_friction() ? SolveFriction(problem, settings) : SolveMixed(*problem.mixed, settings);
}

ProblemSolution Solve(const LoadedProblem& problem, const SolveSettings& settings) {
  return Solve(Prepare(problem), settings);
}

}  // namespace slipstick::internal
