#pragma once

#include <string>
#include <vector>

namespace slipstick::internal {

// Every way in which a solver can end.
enum class SolveStatus {
  kSolved,          // the solver's own test was met
  kIterationLimit,  // the best point found is returned
  kTimeLimit,       // the same, of wall time
  kStalled,         // no further progress; the best point found is returned
  kRay,             // ended on a ray: no solution, or a matrix outside of the class the method is proved for
  kNoSolution,      // shown to have none (an inconsistent equation, an infeasibility certificate that was checked)
  kSingular,        // a basis could not be factorized and no way round it was found
  kUnsupported,     // the method is not made for such blocks
  kTooLarge,        // beyond what the method can do in useful time or memory
  kBadInput,        // not finite, or sizes that do not fit
};

// One or two words in lower case, the same in every output: "solved", "iteration limit", …
std::string ToString(SolveStatus status);

// One rung of a ladder of solvers.
struct SolveAttempt {
  std::string solver;
  SolveStatus status = SolveStatus::kSolved;
  int iterations = 0;
  double error = 0;    // of its answer, by the measure asked for
  double seconds = 0;  // it took
};

// What a solver says of itself. The certificate does not believe it.
struct SolveReport {
  SolveStatus status = SolveStatus::kSolved;
  int iterations = 0;
  double residual = 0;              // by the solver's own measure
  std::string solver;               // the one that gave the answer, where several were tried
  std::vector<double> history;      // its measure after each iteration, where it keeps one
  std::vector<SolveAttempt> tried;  // a ladder's story, in order; empty for a single solver
};

}  // namespace slipstick::internal
