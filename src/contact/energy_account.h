#pragma once

#include "slipstick/contact/contact_problem.h"

namespace slipstick::internal {

// Work of each kind of force in one step [J], taken with the mean velocity (v + v⁺)/2, with which the impulses' work is
// exactly the change of ½vᵀMv at fixed M (docs/theory.md (T9)). Gravity's is the change of the potential energy.
struct StepWork {
  double applied = 0;    // the given forces
  double bilateral = 0;  // constraints: prescribed motions, drift correction
  double bounded = 0;    // joint friction and stops
  double drives = 0;     // springs, servos, motors
  double normal = 0;     // contacts along their normals: impacts dissipate here
  double friction = 0;   // contacts along their tangents
  double rolling = 0;    // contacts' moments of rolling and spinning friction

  double Sum() const { return applied + bilateral + bounded + drives + normal + friction + rolling; }
};

// `applied` is the generalized force of the given forces, without gravity.
StepWork ComputeStepWork(const ContactProblem& problem, const ContactSolution& solution, ConstRef<VecX> applied);

// The account of a run: energy = initial + released + Σ work + numerical remainder, the remainder being what the
// integrator gained or lost. A body counts from its release on: it brings its kinetic and potential energy with it.
struct EnergyAccount {
  double initial = 0;
  double released = 0;                // what released bodies brought, summed
  double kinetic = 0, potential = 0;  // now
  StepWork work;                      // summed
  double remainder = 0;               // (kinetic + potential) − initial − released − Σ work

  double Total() const { return kinetic + potential; }
  void Start(double kinetic_energy, double potential_energy);
  // Bodies were released; the energies are those with them.
  void Release(double kinetic_energy, double potential_energy);
  void Add(const StepWork& step, double kinetic_energy, double potential_energy);
};

}  // namespace slipstick::internal
