#pragma once

#include <string>

namespace slipstick {

// How well one step met the laws of mechanics, judged on the physical problem and the impulses alone: the same for
// every law and solver. All of it is computed by the judge (contact/certificate) but law_residual, which the law
// evaluates on J v⁺ without its solver.
struct Certificate {
  bool finite = true;               // no NaN or infinity in v⁺ or the impulses
  bool solvable = true;             // the mass matrix was positive definite
  double momentum_residual = 0;     // relative
  double law_residual = 0;          // natural map of the law in use [m/s]
  double coulomb_residual = 0;      // natural map of exact Coulomb friction with the static coefficient [m/s]
  double cone_violation = 0;        // max(|p_k| − c_k p_N, −p_N, 0), relative to the largest impulse
  double complementarity = 0;       // max |p_N (u_N − target)|, as energy [J]
  double relaxation_gap = 0;        // largest gap that a convex law adds [m]; 0: an exact law
  double penetration = 0;           // max −gap at the start of the step [m]
  double relative_penetration = 0;  // the same in half-extents of the thinner shape
  double drift = 0;                 // max |φ| at the start of the step
  double velocity_scale = 0;        // what the velocities are compared with [m/s]
  double energy_gain = 0;           // that no force accounts for, relative to what the run has moved so far (T9b)
  double momentum_drift = 0;        // change of the angular momentum of what nothing outside acts on, relative
  bool passed = false;
  std::string reason;  // of a failure: which test, found, allowed; empty where passed
};

}  // namespace slipstick
