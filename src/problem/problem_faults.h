#pragma once

#include <string>
#include <vector>

#include "slipstick/base/fault.h"
#include "slipstick/problem/friction_problem.h"
#include "slipstick/problem/mixed_problem.h"

namespace slipstick::internal {

// The faults that Check tells in words, with `file` for those who read files.
std::vector<Fault> FindFaults(const LocalProblem& problem, const std::string& file);
std::vector<Fault> FindFaults(const GlobalProblem& problem, const std::string& file);
std::vector<Fault> FindFaults(const MixedProblem& problem, const std::string& file);

// Throws one InputError with all of them, if there are any.
template <typename Problem>
void RequireFaultless(const Problem& problem, const std::string& file) {
  std::vector<Fault> faults = FindFaults(problem, file);
  if (!faults.empty()) throw InputError(std::move(faults));
}

}  // namespace slipstick::internal
