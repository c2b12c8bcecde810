#pragma once

#include <vector>

#include "slipstick/solve/solve_problem.h"

namespace slipstick::internal {

// What a contact does, read off its velocity. A part (sliding, spinning, rolling) with no coefficient carries nothing
// and does not count.
enum class ContactMode {
  kOpen,      // separates: no impulse
  kSliding,   // every part slips: the impulse lies on one ray
  kSticking,  // no part slips: anywhere in the cone
  kMixed,     // some parts slip, others stick
};

struct HyperstaticitySettings {
  // Eigenvalues of the scaled W (each contact's own matrix has the mean diagonal 1) below this part of the largest
  // count as zero: singular values of the Jacobian below its square root.
  double rank_tolerance = 1e-10;
  // A contact's share of a null vector of unit length, scaled as W is, above which its force is not unique.
  double share_tolerance = 1e-6;
  int iterations = 20000;  // most, of the search for the least impulses
};

// Redundancy of the constraints, and what of the impulses is left open by the laws of rigid bodies.
struct Hyperstaticity {
  int rows = 0;    // of contacts and bilateral constraints
  int rank = 0;    // of their Jacobian: that of W
  int degree = 0;  // rows − rank
  // Of the impulses that go with the solution's velocities: dimension of the directions in which they may change while
  // no velocity does. Open contacts have none, sliding ones that of their ray, sticking ones all of their rows.
  int freedom = 0;
  std::vector<ContactMode> mode;    // of each contact
  std::vector<bool> is_unique;      // whether the contact's impulse is the only one
  std::vector<bool> is_unique_row;  // the same of each bilateral row
  VecX least_r, least_lambda;       // of all those impulses the ones with the least Σ|r|² + Σλ²
  double least_norm = 0;            // their norm
  ProblemResidual least_residual;   // and how well they solve the problem
  bool least_is_solved = false;     // residual within the tolerance of the solve, or no worse than the answer's
};

// The impulses that solve a problem with the velocities of `solution` are
//   { r in F : W r = W r* },   F = Π F_c,
// where F_c is the face of contact c's cone that its velocity exposes: {0} where it opens, the ray against the slip
// where it slides, the whole cone where it sticks; intervals likewise. (For the convex relaxation and for symmetric W
// these are all solutions; for exact Coulomb other velocities may be possible.) With B a basis of the span of F, a
// contact is not unique where null(W B) has a component in it: exact where some solution is inside F relative to its
// span, and where all touch the border of F (a sticking contact without load, say) the freedom may be less than told.
// A velocity is zero where it is below what the solution's residual lets through.
//
// Expects a friction problem with its solution; dense, cubic in the number of rows.
Hyperstaticity AnalyzeHyperstaticity(const PreparedProblem& problem, const ProblemSolution& solution,
                                     const SolveSettings& solved_with, const HyperstaticitySettings& settings = {});

}  // namespace slipstick::internal
