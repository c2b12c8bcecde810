#include "slipstick/program/solve_report.h"

#include "slipstick/base/check.h"

namespace slipstick::internal {

std::string ToString(SolveStatus status) {
  switch (status) {
    case SolveStatus::kSolved:
      return "solved";
    case SolveStatus::kIterationLimit:
      return "iteration limit";
    case SolveStatus::kTimeLimit:
      return "time limit";
    case SolveStatus::kStalled:
      return "stalled";
    case SolveStatus::kRay:
      return "ray";
    case SolveStatus::kNoSolution:
      return "no solution";
    case SolveStatus::kSingular:
      return "singular";
    case SolveStatus::kUnsupported:
      return "unsupported";
    case SolveStatus::kTooLarge:
      return "too large";
    case SolveStatus::kBadInput:
      return "bad input";
  }
  SLIPSTICK_CHECK(false, "a status without a name");
}

}  // namespace slipstick::internal
