#include "slipstick/measure/trajectory.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace slipstick::internal {
namespace {

struct ContactFigures {
  double loaded = 0, normal = 0, friction = 0, limit = 0, slip = 0, misalignment = 0, weight = 0;
};

ContactFigures Measure(const StepRecord& record) {
  ContactFigures figures;
  const ContactSet& contacts = record.problem.contacts;
  VecX velocities(3 * contacts.size());
  contacts.jacobian.Multiply(record.solution.velocity, velocities);
  for (int i = 0; i < contacts.size(); ++i) {
    const double normal = record.solution.Normal(i) / record.problem.step;
    if (!(normal > 0)) continue;
    const Vec2 force = record.solution.Tangential(i) / record.problem.step;
    const Vec2 slip = velocities.segment<2>(3 * i + 1);
    figures.loaded += 1;
    figures.normal += normal;
    figures.friction += force.norm();
    figures.limit += contacts.surface(i).friction_static * normal;
    figures.slip = std::max(figures.slip, slip.norm());
    if (slip.norm() > Trajectory::kSlipping && force.norm() > 0) {
      const double cross = force[0] * slip[1] - force[1] * slip[0];
      const double angle = std::atan2(std::abs(cross), -force.dot(slip));
      figures.misalignment += force.norm() * angle;
      figures.weight += force.norm();
    }
  }
  return figures;
}

void AppendMotion(const Simulation& simulation, Trajectory* t) {
  const Model& model = simulation.model();
  const Kinematics& kin = simulation.kinematics();
  double count = 0, mass = 0, moment = 0, top = 0, squares = 0, fastest = 0;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const ModelBody& body = model.bodies[i];
    if (body.is_link || model.IsWaiting(static_cast<int>(i), kin.released)) continue;
    const double height = kin.X_WB[i].position.z(), square = kin.linear_velocity[i].squaredNorm();
    top = count > 0 ? std::max(top, height) : height;
    count += 1;
    mass += body.mass;
    moment += body.mass * (kin.X_WB[i] * body.com).z();
    squares += square;
    fastest = std::max(fastest, std::sqrt(square));
  }
  t->body_count.push_back(count);
  t->center_height.push_back(mass > 0 ? moment / mass : 0.0);
  t->top_height.push_back(top);
  t->speed_rms.push_back(count > 0 ? std::sqrt(squares / count) : 0.0);
  t->speed_max.push_back(fastest);
}

std::vector<int> Choose(const Model& model, const std::vector<std::string>& names) {
  const std::unordered_set<std::string> wanted(names.begin(), names.end());
  std::vector<int> bodies;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const ModelBody& body = model.bodies[i];
    if (!body.is_link && (wanted.empty() || wanted.count(body.name) > 0)) bodies.push_back(static_cast<int>(i));
  }
  if (!wanted.empty() || bodies.size() <= kMostTracked) return bodies;
  std::vector<int> some;
  for (std::size_t i = 0; i < kMostTracked; ++i) some.push_back(bodies[i * bodies.size() / kMostTracked]);
  return some;
}

// At most so many of the numbers from 0 to count − 1, evenly spread.
std::vector<int> EvenlySpread(std::size_t count, std::size_t most) {
  std::vector<int> chosen;
  const std::size_t kept = std::min(count, most);
  for (std::size_t i = 0; i < kept; ++i) chosen.push_back(static_cast<int>(i * count / kept));
  return chosen;
}

JointCurves StartJointCurves(const Model& model, const std::vector<std::string>& tracked) {
  JointCurves curves;
  curves.gauges = ListJointGauges(model);
  const std::unordered_set<std::string> wanted(tracked.begin(), tracked.end());
  std::vector<int> named;
  for (std::size_t i = 0; i < curves.gauges.reactions.size(); ++i) {
    if (wanted.count(curves.gauges.reactions[i].on) > 0) named.push_back(static_cast<int>(i));
  }
  const std::size_t candidates = named.empty() ? curves.gauges.reactions.size() : named.size();
  for (const int i : EvenlySpread(candidates, kMostJointCurves))
    curves.reactions.push_back(named.empty() ? i : named[i]);
  curves.efforts = EvenlySpread(curves.gauges.efforts.size(), kMostJointCurves);
  curves.effort.resize(curves.efforts.size());
  curves.force.resize(curves.reactions.size());
  curves.torque.resize(curves.reactions.size());
  return curves;
}

void AppendReadings(const Simulation& simulation, JointCurves* curves) {
  curves->last = ComputeJointReadings(simulation);
  for (std::size_t i = 0; i < curves->efforts.size(); ++i) {
    curves->effort[i].push_back(curves->last.efforts[curves->efforts[i]]);
  }
  for (std::size_t i = 0; i < curves->reactions.size(); ++i) {
    const JointReadings::Wrench& reaction = curves->last.reactions[curves->reactions[i]];
    curves->force[i].push_back(reaction.force.norm());
    curves->torque[i].push_back(reaction.torque.norm());
  }
}

}  // namespace

void AppendSample(const Simulation& simulation, Trajectory* t) {
  const EnergyAccount& energy = simulation.energy();
  t->time.push_back(simulation.state().time);
  t->kinetic.push_back(energy.kinetic);
  t->potential.push_back(energy.potential);
  t->total.push_back(energy.Total());
  t->remainder.push_back(energy.remainder);
  t->released.push_back(energy.released);
  t->work_applied.push_back(energy.work.applied);
  t->work_bilateral.push_back(energy.work.bilateral);
  t->work_bounded.push_back(energy.work.bounded);
  t->work_drives.push_back(energy.work.drives);
  t->work_normal.push_back(energy.work.normal);
  t->work_friction.push_back(energy.work.friction);
  t->work_rolling.push_back(energy.work.rolling);

  const StepRecord& record = simulation.last_step();
  const bool stepped = record.solution.velocity.size() > 0;
  const ContactFigures figures = stepped ? Measure(record) : ContactFigures();
  t->contacts.push_back(figures.loaded);
  t->normal_force.push_back(figures.normal);
  t->friction_force.push_back(figures.friction);
  t->friction_ratio.push_back(figures.limit > 0 ? figures.friction / figures.limit : 0.0);
  t->slip_speed.push_back(figures.slip);
  t->misalignment.push_back(figures.weight > 0 ? figures.misalignment / figures.weight : 0.0);
  const Certificate& c = record.certificate;
  t->momentum_residual.push_back(c.momentum_residual);
  t->law_residual.push_back(c.law_residual);
  t->coulomb_residual.push_back(c.coulomb_residual);
  t->cone_violation.push_back(c.cone_violation);
  t->relaxation_gap.push_back(c.relaxation_gap);
  t->penetration.push_back(c.penetration);
  t->drift.push_back(c.drift);

  AppendMotion(simulation, t);
  if (t->joints) AppendReadings(simulation, &*t->joints);
  for (std::size_t i = 0; i < t->tracked.size(); ++i) {
    t->position[i].push_back(simulation.kinematics().X_WB[t->tracked[i]].position);
  }
}

Trajectory StartTrajectory(const Simulation& simulation, const std::vector<std::string>& tracked, bool reads_joints) {
  Trajectory trajectory;
  trajectory.tracked = Choose(simulation.model(), tracked);
  for (int body : trajectory.tracked) trajectory.bodies.push_back(simulation.model().bodies[body].name);
  trajectory.position.resize(trajectory.bodies.size());
  if (reads_joints) trajectory.joints = StartJointCurves(simulation.model(), tracked);
  AppendSample(simulation, &trajectory);
  return trajectory;
}

}  // namespace slipstick::internal
