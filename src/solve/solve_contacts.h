#pragma once

#include <string>
#include <vector>

#include "slipstick/base/eigen.h"

namespace slipstick {

// One step of another simulator, as numbers: M v = H r + f, u = Hᵀ v + w, with three rows a contact, the normal's
// first, and exact Coulomb friction between the impulses r and the velocities u of the contacts.
struct ContactStep {
  MatX M, H;
  VecX f, w;
  VecX friction;  // of each contact
};

// Its answer, judged by a residual that no solver had a hand in.
struct ContactStepAnswer {
  VecX v, r;
  double residual = 0;     // relative
  bool is_solved = false;  // residual within the tolerance
  std::string solver;      // that gave the answer
  // Rows beyond the rank of H leave impulses open: those with the least Σ|r|² that do the same.
  int rows = 0, rank = 0;
  VecX least_impulses;
};

// InputError where the numbers are no such step.
ContactStepAnswer SolveContacts(const ContactStep& step, double tolerance = 1e-8);

}  // namespace slipstick
