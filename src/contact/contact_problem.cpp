#include "slipstick/contact/contact_problem.h"

#include <algorithm>
#include <cmath>

#include "slipstick/base/check.h"
#include "slipstick/base/make_room.h"

namespace slipstick::internal {

void ContactSet::Reset(const BlockLayout& trees, int count) {
  jacobian.Reset(trees);
  angular.Reset(trees);
  angular_length.clear();
  surfaces.clear();
  memory.clear();
  lost.clear();
  const auto resize = [count](auto* list) {
    MakeRoom(list, count);
    list->resize(count);
  };
  const auto resize_all = [&](auto&... lists) { (resize(&lists), ...); };
  resize_all(key, position, gap, surface_of, normal_target, restitution_target, impact_time, waits, shape_size,
             effective_mass, history, angular_group);
}

VecX BoundedSet::Start() const {
  constexpr double kRounding = 1e-12;  // of a bound, within which an impulse is at it
  VecX start = VecX::Zero(target.size());
  for (Eigen::Index row = 0; row < target.size(); ++row) {
    double z = remembered.size() == target.size() ? remembered[row] : 0.0;
    if (std::abs(z - lower[row]) <= kRounding * std::abs(lower[row])) z = lower[row];
    if (std::abs(z - upper[row]) <= kRounding * std::abs(upper[row])) z = upper[row];
    z = std::clamp(z, lower[row], upper[row]);
    start[row] = std::isfinite(z) ? z : 0.0;
  }
  return start;
}

ContactSurface& ContactSet::OwnSurface(int i) {
  Append(&surfaces, surface(i));
  surface_of[i] = static_cast<int>(surfaces.size()) - 1;
  return surfaces.back();
}

double ContactSet::NormalGive(int i, double p, double h) const {
  const ContactSurface& of = surface(i);
  double give = of.normal_compliance * p;
  if (p > 0 && of.hertz_stiffness > 0) give += std::pow(p / (h * of.hertz_stiffness), 2.0 / 3.0) / h;
  return give;
}

double ContactSet::TangentialCompliance(int i, double p, double h) const {
  const ContactSurface& of = surface(i);
  double compliance = of.tangential_compliance;
  p = std::max(p, h * history[i].normal_force);
  if (p > 0 && of.hertz_stiffness > 0) {
    // δ/λN = κ^(−2/3) λN^(−1/3)
    compliance += std::cbrt(h / (p * of.hertz_stiffness * of.hertz_stiffness)) / (of.mindlin_ratio * h * h);
  }
  return compliance;
}

namespace {

// Frame and arms of contact i's rows, which its angular rows share; null where they are dense.
const BlockRows::Rigid* RigidRows(const ContactSet& contacts, int i) {
  const int group = contacts.angular_group[i];
  return group < 0 || contacts.angular.turning(group) != nullptr ? contacts.jacobian.rigid(i) : nullptr;
}

// out += Jᵀ p + Ωᵀ m of all contacts, and where asked how large the terms are of which that sum consists.
void AddContactImpulses(const ContactProblem& problem, const ContactSolution& solution, VecX* out, VecX* sizes) {
  const ContactSet& contacts = problem.contacts;
  const int* offset = problem.mass.layout().offset.data();
  for (int i = 0; i < contacts.size(); ++i) {
    const int group = contacts.angular_group[i];
    const BlockRows::Rigid* rows = RigidRows(contacts, i);
    if (rows == nullptr) {
      contacts.jacobian.AddTransposedGroup(i, solution.contact, *out);
      if (sizes != nullptr) contacts.jacobian.AddTransposedSizesGroup(i, solution.contact, *sizes);
      if (group < 0) continue;
      contacts.angular.AddTransposedGroup(group, solution.moment, *out);
      if (sizes != nullptr) contacts.angular.AddTransposedSizesGroup(group, solution.moment, *sizes);
      continue;
    }
    // most of those left open push nothing
    if (solution.Normal(i) == 0 && solution.Tangential(i).isZero(0) &&
        (group < 0 || solution.moment.segment<3>(3 * group).isZero(0))) {
      continue;
    }
    const Vec3 impulse = rows->frame.World(solution.contact.segment<3>(3 * i));
    const Vec3 moment = group < 0 ? Vec3(0, 0, 0) : rows->frame.World(solution.moment.segment<3>(3 * group));
    const double length = impulse.norm(), turning = moment.norm();
    const auto add = [&](int block, const Vec3& arm, double sign) {
      if (block < 0) return;
      out->segment<3>(offset[block]) += sign * (arm.cross(impulse) + moment);
      out->segment<3>(offset[block] + 3) += sign * impulse;
      if (sizes == nullptr) return;
      sizes->segment<3>(offset[block]).array() += arm.norm() * length + turning;
      sizes->segment<3>(offset[block] + 3).array() += length;
    };
    add(contacts.jacobian.block_a(i), rows->arm_a, 1);
    add(contacts.jacobian.block_b(i), rows->arm_b, -1);
  }
}

// A velocity that is smaller than the rounding of the sum that it is made of tells nothing, and is zero; a tree whose
// kinetic energy is, rests. So that what is held by friction rests for ever, instead of creeping by last digits.
void ClearRounding(const ContactProblem& problem, const VecX& sizes, VecX* v) {
  constexpr double kRounding = 32 * std::numeric_limits<double>::epsilon();
  const BlockLayout& layout = problem.mass.layout();
  static thread_local VecX diagonal, momentum;  // keep their storage
  for (int b = 0; b < layout.count(); ++b) {
    const int first = layout.offset[b], size = layout.size[b];
    if (sizes.segment(first, size).isZero(0)) continue;
    diagonal.resize(size);
    problem.mass.GetDiagonal(b, diagonal.data());
    double of_terms = 0;  // twice their kinetic energy
    for (int i = 0; i < size; ++i) {
      const int k = first + i;
      if (sizes[k] == 0) continue;
      const double mass = diagonal[i], term = std::abs(problem.free_velocity[k]) + sizes[k] / mass;
      if (std::abs((*v)[k]) <= kRounding * term) (*v)[k] = 0;
      of_terms += mass * term * term;
    }
    auto part = v->segment(first, size);
    momentum.resize(size);
    problem.mass.MultiplyBlock(b, part.data(), momentum.data());
    const double energy = part.dot(momentum);
    if (energy <= kRounding * kRounding * of_terms) part.setZero();
  }
}

}  // namespace

RelativeMotion ComputeRelativeMotion(const BlockRows& jacobian, int i, const VecX& velocity) {
  const BlockRows::Rigid& rows = *jacobian.rigid(i);
  const auto of = [&](int block, const Vec3& arm) -> RelativeMotion {
    const double* v = velocity.data() + jacobian.layout().offset[block];
    const Vec3 angular(v[0], v[1], v[2]);
    return {Vec3(v[3], v[4], v[5]) + angular.cross(arm), angular};
  };
  const int a = jacobian.block_a(i), b = jacobian.block_b(i);
  RelativeMotion motion{Vec3(0, 0, 0), Vec3(0, 0, 0)};
  if (a >= 0) motion = of(a, rows.arm_a);
  if (b < 0) return motion;
  const RelativeMotion other = of(b, rows.arm_b);
  return {motion.point - other.point, motion.angular - other.angular};
}

PointMotion ComputePointMotion(const ContactSet& contacts, int i, const VecX& velocity) {
  PointMotion motion{Vec3(0, 0, 0), Vec3(0, 0, 0)};
  const int group = contacts.angular_group[i];
  const BlockRows::Rigid* rows = RigidRows(contacts, i);
  if (rows == nullptr) {
    contacts.jacobian.MultiplyGroup(i, velocity, motion.contact);
    if (group >= 0) contacts.angular.MultiplyGroup(group, velocity, motion.angular);
    return motion;
  }
  const RelativeMotion relative = ComputeRelativeMotion(contacts.jacobian, i, velocity);
  const Vec3 across = rows->frame.second_tangent();
  const auto components = [&](const Vec3& v) {
    return Vec3(rows->frame.normal.dot(v), rows->frame.tangent.dot(v), across.dot(v));
  };
  motion.contact = components(relative.point);
  if (group >= 0) motion.angular = components(relative.angular);
  return motion;
}

void ComputeContactMotion(const ContactProblem& problem, const VecX& velocity, ContactMotion* motion) {
  const ContactSet& contacts = problem.contacts;
  motion->contact.resize(contacts.jacobian.rows());
  motion->angular.resize(contacts.angular.rows());
  for (int i = 0; i < contacts.size(); ++i) {
    const PointMotion of = ComputePointMotion(contacts, i, velocity);
    motion->contact.segment<3>(3 * i) = of.contact;
    if (const int group = contacts.angular_group[i]; group >= 0) motion->angular.segment<3>(3 * group) = of.angular;
  }
}

void ComputeEndMotion(const ContactProblem& problem, const VecX& velocity, ContactMotion* motion) {
  ComputeContactMotion(problem, velocity, motion);
  AddCurvature(problem.contacts, motion->contact);
}

void AddCurvature(const ContactSet& contacts, Ref<VecX> velocities) {
  if (contacts.curvature.empty()) return;
  for (int i = 0; i < contacts.size(); ++i) {
    if (contacts.curvature[i].isZero(0)) continue;
    velocities.segment<2>(3 * i + 1) += contacts.Tangential(i, contacts.curvature[i]);
  }
}

double ContactProblem::CorrectionSpeed(int contact) const {
  constexpr double kShareOfSize = 0.01;  // in a step, where no gravity says what is fast
  if (correction_speed >= 0) return correction_speed;
  const double size = contacts.shape_size[contact];
  return gravity > 0 ? std::sqrt(gravity * size) : kShareOfSize * size / step;
}

void ComputeMomentumChange(const ContactProblem& problem, const ContactSolution& solution, VecX* change) {
  change->setZero(problem.free_velocity.size());
  problem.bilateral.jacobian.AddTransposed(solution.bilateral, *change);
  problem.bounded.jacobian.AddTransposed(solution.bounded, *change);
  AddContactImpulses(problem, solution, change, nullptr);
}

VecX MomentumChange(const ContactProblem& problem, const ContactSolution& solution) {
  VecX change;
  ComputeMomentumChange(problem, solution, &change);
  return change;
}

void ComputeVelocity(const ContactProblem& problem, ContactSolution* solution) {
  VecX& v = solution->velocity;
  v.setZero(problem.free_velocity.size());
  static thread_local VecX sizes;  // keeps its storage
  sizes.setZero(v.size());
  if (solution->moment.size() == 0) solution->moment.setZero(problem.contacts.angular.rows());
  problem.bilateral.jacobian.AddTransposed(solution->bilateral, v);
  problem.bilateral.jacobian.AddTransposedSizes(solution->bilateral, sizes);
  problem.bounded.jacobian.AddTransposed(solution->bounded, v);
  problem.bounded.jacobian.AddTransposedSizes(solution->bounded, sizes);
  AddContactImpulses(problem, *solution, &v, &sizes);
  problem.mass.SolveInPlace(v);
  v += problem.free_velocity;
  ClearRounding(problem, sizes, &v);
}

}  // namespace slipstick::internal
