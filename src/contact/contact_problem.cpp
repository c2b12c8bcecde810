#include "slipstick/contact/contact_problem.h"

namespace slipstick {

void ContactSet::Reset(const BlockLayout& trees) {
  jacobian.Reset(trees);
  angular.Reset(trees);
  angular_length.clear();
  Resize(0);
}

void ContactSet::Resize(int count) {
  const auto resize = [count](auto&... lists) { (lists.resize(count), ...); };
  resize(key, shape_a, shape_b, feature, position, normal, tangent_1, tangent_2, gap, friction_static, friction_kinetic,
         restitution, tangential_stiffness, rolling, spinning, normal_compliance, tangential_compliance, normal_target,
         restitution_target, shape_size, effective_mass, history, angular_group);
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
