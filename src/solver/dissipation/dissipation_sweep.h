#pragma once

#include "slipstick/program/dissipation_program.h"

namespace slipstick::internal {

struct DissipationSweepSettings {
  int max_iterations = 5000;
  double tolerance = 1e-6;     // DissipationResidual relative to the largest of |b|
  double speed_tolerance = 0;  // or this much of it, whatever b is [m/s]
};

// Sweeps for large dissipation programs with A = G Gᵀ, docs/theory.md (L22): an augmented Lagrangian of the constraints
// that join contacts, (A x + b)_N ≥ 0 and Σ x_N ≤ κ, which leaves each contact its own cone,
//   ½ xᵀA x + bᵀx + Σ ((y_i − ρ_i u_i)₊² − y_i²)/2ρ_i + ((τ + σ(Σ x_N − κ))₊² − τ²)/2σ,   u = (A x + b)_N,
// descended by projected steps over the contacts, to and fro, with y and τ renewed after each sweep. Nothing of the
// size of A is made: a contact knows the columns of its rows and the contacts that share a body with it.
// Sweeps alternating between x and y, contact by contact, are no method: they go round in circles where grains collide.
//
// kSolved at either tolerance, else kIterationLimit with the best point met; kUnsupported for a program without G.
DissipationAnswer SolveDissipationBySweeps(const DissipationProgram& program, const DissipationSweepSettings& settings,
                                           const VecX* warm_start = nullptr);

}  // namespace slipstick::internal
