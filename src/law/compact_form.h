#pragma once

#include <optional>
#include <span>

#include "slipstick/law/compact_mechanisms.h"
#include "slipstick/law/law.h"

namespace slipstick::internal {

// What a law says of its contacts, one entry each.
struct CompactTerms {
  std::span<const double> friction;  // μ
  std::span<const double> target;    // of the normal velocity [m/s]
  bool non_associated = false;
  bool with_moments = true;      // rolling and spinning friction
  bool with_compliance = false;  // of springs along the normals; what remembers or is nonlinear has no compact form
};

// The problem as contacts of free bodies and of mechanisms, with the last step's impulses. False where a mechanism has
// too many coordinates. Bodies are the trees; what is needed of them is read off their rows and masses, so that saved
// problems take the same path. Problem and terms must stay as long as the program is used, which does not copy what is
// already there.
bool ToCompactProgram(const ContactProblem& problem, const CompactTerms& terms, HeldMechanisms* mechanisms,
                      CompactProgram* program, CompactImpulses* impulses);

// The law's answer where the solver takes compact programs and the problem is one. Where mechanisms take part, a
// program of moderate size that the solver has not solved has none.
std::optional<LawAnswer> SolveCompact(const ContactProblem& problem, const CompactTerms& terms, ProgramSolver& solver);

// Its impulses as the problem's, with the velocity that follows.
ContactSolution SolutionFromCompact(const ContactProblem& problem, const HeldMechanisms& mechanisms,
                                    const CompactImpulses& impulses);

}  // namespace slipstick::internal
