#include "slipstick/contact/contact_problem.h"

namespace slipstick {

void ContactSet::Reset(const BlockLayout& trees) {
  jacobian.Reset(trees);
  key.clear();
  shape_a.clear();
  shape_b.clear();
  feature.clear();
  position.clear();
  normal.clear();
  tangent_1.clear();
  tangent_2.clear();
  gap.clear();
  friction_static.clear();
  friction_kinetic.clear();
  restitution.clear();
  tangential_stiffness.clear();
  rolling.clear();
  spinning.clear();
  normal_compliance.clear();
  tangential_compliance.clear();
  normal_target.clear();
  restitution_target.clear();
  shape_size.clear();
  effective_mass.clear();
  history.clear();
  angular.Reset(trees);
  angular_group.clear();
  angular_length.clear();
}

void ComputeVelocity(const ContactProblem& problem, ContactSolution* solution) {
  VecX& v = solution->velocity;
  v.setZero(problem.free_velocity.size());
  problem.bilateral.jacobian.AddTransposed(solution->bilateral, v);
  problem.bounded.jacobian.AddTransposed(solution->bounded, v);
  problem.contacts.jacobian.AddTransposed(solution->contact, v);
  if (solution->moment.size() == 0) solution->moment.setZero(problem.contacts.angular.rows());
  problem.contacts.angular.AddTransposed(solution->moment, v);
  problem.mass.SolveInPlace(v);
  v += problem.free_velocity;
}

}  // namespace slipstick
