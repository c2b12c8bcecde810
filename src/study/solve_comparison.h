#pragma once

#include <vector>

#include "slipstick/output/report.h"
#include "slipstick/solve/solve_record.h"

namespace slipstick::internal {

// The page of a solve: which solver solved what, how fast and how well; with several solvers their performance profile,
// with one file the convergence of each.
Report ReportOfSolves(const std::vector<SolveRecord>& records, bool interrupted);

}  // namespace slipstick::internal
