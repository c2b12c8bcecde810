#pragma once

#include "slipstick/program/cone_program.h"
#include "slipstick/program/stop_rule.h"

namespace slipstick::internal {

// The ladder `auto`: solver after solver until one's answer meets the stop rule, judged by RelativeError on the program
// as given, never by the solver's own word. Each starts from the best answer so far. The best answer comes back with
// the story of what was tried, whether it meets the rule or not. Where no impulses, or the warm start, are good enough
// already, `report.solver` is "start".
ConeAnswer SolveByLadder(const ConeProgram& program, const StopRule& stop, const VecX* warm_start = nullptr);

}  // namespace slipstick::internal
