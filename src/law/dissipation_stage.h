#pragma once

#include <vector>

#include "slipstick/law/contact_space.h"
#include "slipstick/program/program_solver.h"

namespace slipstick::internal {

// One collision or one step of an island in contact space: what its impulses act on, docs/theory.md (L16)–(L21). Rows
// are (normal, tangent_1, tangent_2) of each contact, then the bounded ones.
struct DissipationInput {
  const ContactSpace* space = nullptr;
  VecX b;                               // velocities before, with the normal targets taken off
  std::vector<int> contacts;            // those that may act, of the island's
  std::vector<double> friction, extra;  // μ and c of each contact of the island
  VecX lower, upper;                    // of the bounded rows
  std::vector<char> is_loaded;          // of each: it has an impulse already, and friction with it; empty: none has
  VecX remembered;                      // impulses to start from; zero where there are none
};

struct DissipationOutput {
  VecX first;                    // impulses of phase I
  VecX x;                        // of phase II, or those of phase I where it failed
  VecX push;                     // y, one for each contact of the island
  double tax = 0;                // τ
  std::vector<char> takes_part;  // of each contact of the island: in phase II
  SolveReport report;
  int programs = 0;
};

// Phases I and II.
DissipationOutput SolveDissipationStage(const DissipationInput& input, ProgramSolver& solver);

}  // namespace slipstick::internal
