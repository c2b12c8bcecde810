#include "slipstick/solve/solve_mixed.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "slipstick/base/check.h"
#include "slipstick/base/fault.h"
#include "slipstick/solver/block_pivoting.h"
#include "slipstick/solver/lemke.h"

namespace slipstick {
namespace {

constexpr const char* kAuto = "auto";
constexpr const char* kBlockPivoting = "block-pivoting";
constexpr const char* kLemke = "lemke";

// Rungs of a solver: itself, or both in turn.
std::vector<std::string> RungsOf(const std::string& solver) {
  return solver == kAuto ? std::vector<std::string>{kBlockPivoting, kLemke} : std::vector<std::string>{solver};
}

}  // namespace

BoundedMlcp ToBoundedMlcp(const MixedProblem& problem) {
  std::vector<int> equations, pairs;  // rows
  for (int row = 0; row < problem.q.size(); ++row) (problem.is_equation[row] ? equations : pairs).push_back(row);
  const int columns = static_cast<int>(problem.M.cols());
  const int free = static_cast<int>(std::count(problem.is_free.begin(), problem.is_free.end(), true));
  const int size = columns + std::max(0, static_cast<int>(equations.size()) - free);
  BoundedMlcp square;
  square.A.setZero(size, size);
  square.b.setZero(size);
  square.lower.setConstant(size, -std::numeric_limits<double>::infinity());
  square.upper.setConstant(size, std::numeric_limits<double>::infinity());
  std::size_t next_equation = 0, next_pair = 0;
  for (int i = 0; i < size; ++i) {
    const bool is_free = i >= columns || problem.is_free[i];
    if (is_free && next_equation == equations.size()) continue;  // 0 = 0
    const int row = is_free ? equations[next_equation++] : pairs[next_pair++];
    square.A.row(i).head(columns) = problem.M.row(row);
    square.b[i] = problem.q[row];
    if (!is_free) square.lower[i] = 0;
  }
  SLIPSTICK_CHECK(next_pair == pairs.size(), "as many complementary rows as non-negative variables");
  return square;
}

std::vector<SolverChoice> MixedSolvers() {
  return {{kAuto, "block pivoting, then Lemke's method, until one meets the tolerance", {}},
          {kBlockPivoting, "block principal pivoting with bounds (Júdice & Pires)", BlockPivotingSettings::Specs()},
          {kLemke, "Lemke's method, lexicographic", LemkeSettings::Specs()}};
}

ProblemSolution SolveMixed(const MixedProblem& problem, const SolveSettings& settings) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  std::vector<Fault> faults;
  const std::vector<SolverChoice> known = MixedSolvers();
  const auto choice =
      std::find_if(known.begin(), known.end(), [&](const SolverChoice& one) { return one.name == settings.solver; });
  SLIPSTICK_CHECK(choice != known.end(), "a solver of MixedSolvers()");
  const Settings own = Settings::Read(choice->settings, settings.solver_settings, "solver", &faults);
  if (!faults.empty()) throw InputError(faults);

  const auto begin = Clock::now();
  const BoundedMlcp square = ToBoundedMlcp(problem);
  ProblemSolution best;
  for (const std::string& rung : RungsOf(settings.solver)) {
    const auto rung_begin = Clock::now();
    const bool as_given = rung == settings.solver;
    const MlcpAnswer answer =
        rung == kLemke
            ? SolveByLemke(square, as_given ? LemkeSettings::From(own) : LemkeSettings{})
            : SolveByBlockPivoting(square, as_given ? BlockPivotingSettings::From(own) : BlockPivotingSettings{});
    const VecX z = answer.z.head(problem.M.cols());
    const ProblemResidual residual = ResidualOf(problem, z);
    best.iterations += answer.report.iterations;
    best.tried.push_back({rung, answer.report.status, answer.report.iterations, residual.relative, since(rung_begin)});
    if (best.tried.size() == 1 || residual.relative < best.residual) {
      best.z = z;
      best.w = problem.M * z + problem.q;
      best.residual = residual.relative;
      best.residual_per_contact = residual.per_contact;
      best.solver = rung;
      best.history = answer.report.history;
      best.status = residual.relative <= settings.tolerance        ? SolveStatus::kSolved
                    : answer.report.status == SolveStatus::kSolved ? SolveStatus::kStalled
                                                                   : answer.report.status;
    } else if (answer.report.status == SolveStatus::kNoSolution && best.status != SolveStatus::kSolved) {
      best.status = SolveStatus::kNoSolution;  // a proof says more than a better point that is no solution either
    }
    if (best.status == SolveStatus::kSolved) break;
  }
  best.seconds = since(begin);
  return best;
}

}  // namespace slipstick
