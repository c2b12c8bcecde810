#pragma once

#include <optional>

#include "slipstick/problem/problem_file.h"
#include "slipstick/problem/residual.h"

namespace slipstick::internal {

// A problem in the form that solvers take, with the one it came from, on which answers are judged. Either `mixed` or
// `local` holds it.
struct PreparedProblem {
  std::optional<MixedProblem> mixed;
  std::optional<LocalProblem> local;       // v eliminated
  std::optional<GlobalProblem> global;     // where v was there: what answers are judged on
  std::optional<MultiplierBounds> bounds;  // of the bilateral rows, where some have any: joint friction
  double seconds = 0;                      // that eliminating v took

  bool is_friction() const { return local.has_value(); }
};

// Checks the problem and eliminates v. A step of this program's own becomes a global problem, with its rows of joint
// friction as bilateral ones that have bounds. Throws InputError with all that is wrong; faults name no file.
PreparedProblem Prepare(const LoadedProblem& problem);

}  // namespace slipstick::internal
