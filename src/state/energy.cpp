#include "slipstick/state/state.h"

namespace slipstick {

void EnergyAccount::Start(double kinetic_energy, double potential_energy) {
  *this = {};
  kinetic = kinetic_energy;
  potential = potential_energy;
  initial = kinetic + potential;
}

void EnergyAccount::Release(double kinetic_energy, double potential_energy) {
  released += kinetic_energy + potential_energy - Total();
  kinetic = kinetic_energy;
  potential = potential_energy;
}

void EnergyAccount::Add(const StepWork& step, double kinetic_energy, double potential_energy) {
  work.applied += step.applied;
  work.bilateral += step.bilateral;
  work.bounded += step.bounded;
  work.drives += step.drives;
  work.normal += step.normal;
  work.friction += step.friction;
  work.rolling += step.rolling;
  kinetic = kinetic_energy;
  potential = potential_energy;
  remainder = Total() - initial - released - work.Sum();
}

}  // namespace slipstick
