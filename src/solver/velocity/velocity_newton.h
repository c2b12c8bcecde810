#pragma once

#include "slipstick/program/stop_rule.h"
#include "slipstick/program/velocity_program.h"

namespace slipstick::internal {

// Newton's method on the velocities of proximal subproblems, docs/theory.md §5.10: with impulses r̄ and a small
// compliance e, impulses are an explicit function r(δ) of the velocities' change δ = v⁺ − v_free, and
//   M δ = Jᵀ r(δ)
// has the sparse derivative M + Jᵀ (∂r/e) J. Then r̄ = r, until r solves the program itself. Redundant rows are no
// trouble, as e > 0; and from r̄ = 0 on, of all impulses with the same motion those of least norm come out, to the order
// of e.
struct VelocityNewtonSettings {
  int max_iterations = 3000;  // Newton steps of all subproblems together
  bool only_near = false;     // give up at once where the impulses given are no near answer
};

// `states` are impulses that are corrected where they are nearly an answer, and else give the states (open, sticking,
// sliding) that the first step is taken with; null: none are known.
ConeAnswer SolveByVelocityNewton(const VelocityProgram& program, const VelocityNewtonSettings& settings,
                                 const StopRule& stop, const VecX* states);

}  // namespace slipstick::internal
