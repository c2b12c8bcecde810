#include "slipstick/run/trajectory.h"

#include <algorithm>
#include <cmath>

namespace slipstick {
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
    figures.limit += contacts.friction_static[i] * normal;
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

  const Model& model = simulation.model();
  for (std::size_t i = 0, column = 0; i < model.bodies.size(); ++i) {
    if (model.bodies[i].is_link) continue;
    t->position[column++].push_back(simulation.kinematics().X_WB[i].position);
  }
}

Trajectory StartTrajectory(const Simulation& simulation) {
  Trajectory trajectory;
  for (const ModelBody& body : simulation.model().bodies) {
    if (!body.is_link) trajectory.bodies.push_back(body.name);
  }
  trajectory.position.resize(trajectory.bodies.size());
  AppendSample(simulation, &trajectory);
  return trajectory;
}

}  // namespace slipstick
