#include "slipstick/solver/compact/contact_fixed_point.h"

namespace slipstick::internal {
namespace {

constexpr int kCheckInterval = 8;

void Push(const CompactProgram& program, const CompactContact& contact, const CompactPair& impulse,
          CompactVelocities* velocities) {
  const auto push = [&](int b, const Vec3& arm, double sign) {
    if (b < 0) return;
    const CompactBody& body = program.bodies[b];
    velocities->linear[b] += sign * body.inverse_mass * impulse.force;
    velocities->angular[b] += sign * (body.inverse_inertia * (arm.cross(impulse.force) + impulse.moment));
  };
  push(contact.body_a, contact.arm_a, 1);
  push(contact.body_b, contact.arm_b, -1);
}

}  // namespace

const SettingTable<ContactFixedPointSettings>& ContactFixedPointSettings::Table() {
  using S = ContactFixedPointSettings;
  static const SettingTable<S> table = {
      {&S::max_iterations, "max_iterations", "", "sweeps at most", Between(1, 1e9)},
      {&S::relaxation, "relaxation", "", "ω, of the step", AboveUpTo(0, 2)},
      {&S::averaging, "averaging", "", "λ, share of the new impulses", AboveUpTo(0, 1)},
  };
  return table;
}

SolveReport ContactFixedPoint::Solve(const CompactProgram& program, double tolerance, CompactImpulses* impulses) {
  SolveReport report{.status = SolveStatus::kIterationLimit, .solver = "contact-fixed-point"};
  impulses->force.resize(program.size(), Vec3::Zero());
  impulses->moment.resize(program.size(), Vec3::Zero());
  scales_.resize(program.size());
  for (int i = 0; i < program.size(); ++i) {
    scales_[i] = ScaleOf(program, program.contact(i));
    if (scales_[i].factor == 0 || !impulses->force[i].allFinite()) impulses->force[i].setZero();
    if (scales_[i].length == 0 || !impulses->moment[i].allFinite()) impulses->moment[i].setZero();
  }
  ComputeVelocities(program, *impulses, &velocities_);
  for (int iteration = 0;; ++iteration) {
    if (iteration % kCheckInterval == 0 || iteration == settings_.max_iterations) {
      report.iterations = iteration;
      report.residual = CompactResidual(program, *impulses, velocities_);
      if (report.residual <= tolerance) report.status = SolveStatus::kSolved;
      if (report.residual <= tolerance || iteration == settings_.max_iterations) break;
    }
    for (int i = 0; i < program.size(); ++i) {
      const CompactContact contact = program.contact(i);
      const CompactScale& scale = scales_[i];
      if (scale.factor == 0) continue;
      CompactPair u = ScaledVelocity(contact, scale, velocities_, impulses->force[i]);
      if (program.non_associated) u.force += ScaledSlip(contact, scale, u) * contact.normal;
      CompactPair x{impulses->force[i] / scale.factor, Vec3::Zero()};
      if (scale.length > 0) x.moment = impulses->moment[i] / (scale.factor * scale.length);
      const CompactPair stepped = ProjectScaled(contact, scale, x - (settings_.relaxation / scale.largest) * u);
      const CompactPair change = settings_.averaging * (stepped - x);
      const CompactPair impulse{scale.factor * change.force, scale.factor * scale.length * change.moment};
      impulses->force[i] += impulse.force;
      impulses->moment[i] += impulse.moment;
      Push(program, contact, impulse, &velocities_);
    }
  }
  return report;
}

}  // namespace slipstick::internal
