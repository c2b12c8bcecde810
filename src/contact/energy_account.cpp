#include "slipstick/contact/energy_account.h"

namespace slipstick::internal {

StepWork ComputeStepWork(const ContactProblem& problem, const ContactSolution& solution, ConstRef<VecX> applied) {
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
  const ContactSet& contacts = problem.contacts;
  for (int i = 0; i < contacts.size(); ++i) {
    if (solution.Normal(i) == 0 && solution.Tangential(i).isZero(0) && solution.Moment(problem, i).isZero(0)) continue;
    const PointMotion motion = ComputePointMotion(contacts, i, mean);
    work.normal += solution.Normal(i) * motion.contact[0];
    work.friction += solution.Tangential(i).dot(motion.contact.tail<2>());
    if (const int group = contacts.angular_group[i]; group >= 0) {
      work.rolling += solution.moment.segment<3>(3 * group).dot(motion.angular);
    }
  }
  return work;
}

}  // namespace slipstick::internal
