#include <algorithm>
#include <cmath>

#include "slipstick/state/state.h"

namespace slipstick {

void EnergyAccount::Start(double kinetic_energy, double potential_energy, double fall) {
  *this = {};
  largest_kinetic = kinetic_energy;
  scale = kinetic_energy + fall;
  kinetic = kinetic_energy;
  potential = potential_energy;
  initial = kinetic + potential;
}

void EnergyAccount::Release(double kinetic_energy, double potential_energy) {
  released += kinetic_energy + potential_energy - Total();
  kinetic = kinetic_energy;
  potential = potential_energy;
}

double EnergyAccount::Add(const StepWork& step, double kinetic_energy, double potential_energy, bool contacts_store) {
  const double change = kinetic_energy + potential_energy - Total();
  const double contacts = step.normal + step.friction + step.rolling;
  const double gain = change - (step.Sum() - contacts) - (contacts_store ? contacts : std::min(contacts, 0.0));
  gained += gain;
  scale += std::max(kinetic_energy - largest_kinetic, 0.0);
  largest_kinetic = std::max(largest_kinetic, kinetic_energy);
  for (const double one : {step.applied, step.bilateral, step.bounded, step.drives, step.normal, step.friction,
                           step.rolling, potential_energy - potential}) {
    scale += std::abs(one);
  }
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
  return gain;
}

}  // namespace slipstick
