#include "slipstick/contact/energy_account.h"

namespace slipstick {

StepWork ComputeStepWork(const ContactProblem& problem, const ContactSolution& solution, const ContactMotion& before,
                         const ContactMotion& after, ConstRef<VecX> applied) {
  StepWork work;
  const VecX mean = 0.5 * (problem.velocity + solution.velocity);
  work.applied = problem.step * applied.dot(mean);
  const auto power = [&](const BlockRows& rows, const VecX& impulses) {
    VecX velocities(rows.rows());
    rows.Multiply(mean, velocities);
    return velocities.dot(impulses);
  };
  work.bilateral = power(problem.bilateral.jacobian, solution.bilateral);
  work.bounded = power(problem.bounded.jacobian, solution.bounded);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const Vec3 velocity = 0.5 * (before.contact.segment<3>(3 * i) + after.contact.segment<3>(3 * i));
    work.normal += solution.Normal(i) * velocity[0];
    work.friction += solution.Tangential(i).dot(velocity.tail<2>());
  }
  work.rolling = 0.5 * solution.moment.dot(before.angular + after.angular);
  return work;
}

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
  work.normal += step.normal;
  work.friction += step.friction;
  work.rolling += step.rolling;
  kinetic = kinetic_energy;
  potential = potential_energy;
  remainder = Total() - initial - released - work.Sum();
}

}  // namespace slipstick
