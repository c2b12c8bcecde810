#include "slipstick/contact/contact_problem.h"

#include "slipstick/base/check.h"

#include <cmath>

namespace slipstick {

std::uint64_t ContactKey(int shape_a, int shape_b, std::uint32_t feature) {
  SLIPSTICK_CHECK(shape_a < (1 << 20) && shape_b < (1 << 20) && feature < (1u << 24), "contact key out of range");
  return (static_cast<std::uint64_t>(shape_a) << 44) | (static_cast<std::uint64_t>(shape_b) << 24) | feature;
}

void ContactSet::Reset(const BlockLayout& trees) {
  jacobian.Reset(trees);
  angular.Reset(trees);
  angular_length.clear();
  Resize(0);
}

void ContactSet::Resize(int count) {
  const auto resize = [count](auto&... lists) { (lists.resize(count), ...); };
  resize(key, shape_a, shape_b, feature, position, normal, tangent_1, tangent_2, gap, friction_static, friction_kinetic,
         restitution, tangential_stiffness, rolling, spinning, normal_compliance, tangential_compliance,
         hertz_stiffness, mindlin_ratio, normal_target, restitution_target, shape_size, effective_mass, history,
         angular_group);
}

double ContactSet::NormalGive(int i, double p, double h) const {
  double give = normal_compliance[i] * p;
  if (p > 0 && hertz_stiffness[i] > 0) give += std::pow(p / (h * hertz_stiffness[i]), 2.0 / 3.0) / h;
  return give;
}

double ContactSet::TangentialCompliance(int i, double p, double h) const {
  double compliance = tangential_compliance[i];
  if (p > 0 && hertz_stiffness[i] > 0) {
    // δ/λN = κ^(−2/3) λN^(−1/3)
    compliance += std::cbrt(h / (p * hertz_stiffness[i] * hertz_stiffness[i])) / (mindlin_ratio[i] * h * h);
  }
  return compliance;
}

namespace {

// A velocity that is smaller than the rounding of the sum that it is made of tells nothing, and is zero; a tree whose
// kinetic energy is, rests. So that what is held by friction rests for ever, instead of creeping by last digits.
void ClearRounding(const ContactProblem& problem, const ContactSolution& solution, VecX* v) {
  constexpr double kRounding = 32 * std::numeric_limits<double>::epsilon();
  VecX sizes = VecX::Zero(v->size());
  problem.bilateral.jacobian.AddTransposedSizes(solution.bilateral, sizes);
  problem.bounded.jacobian.AddTransposedSizes(solution.bounded, sizes);
  problem.contacts.jacobian.AddTransposedSizes(solution.contact, sizes);
  problem.contacts.angular.AddTransposedSizes(solution.moment, sizes);
  const BlockLayout& layout = problem.mass.layout();
  for (int b = 0; b < layout.count(); ++b) {
    double of_terms = 0;  // twice their kinetic energy
    for (int i = 0; i < layout.size[b]; ++i) {
      const int k = layout.offset[b] + i;
      if (sizes[k] == 0) continue;
      const double mass = problem.mass.block(b)(i, i), term = std::abs(problem.free_velocity[k]) + sizes[k] / mass;
      if (std::abs((*v)[k]) <= kRounding * term) (*v)[k] = 0;
      of_terms += mass * term * term;
    }
    if (of_terms == 0) continue;
    auto part = v->segment(layout.offset[b], layout.size[b]);
    const double energy = part.dot(problem.mass.block(b).lazyProduct(part));
    if (energy <= kRounding * kRounding * of_terms) part.setZero();
  }
}

}  // namespace

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
  ClearRounding(problem, *solution, &v);
}

}  // namespace slipstick
