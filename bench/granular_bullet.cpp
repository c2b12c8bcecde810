#include <btBulletDynamicsCommon.h>

#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#include <cmath>
#include <memory>

#include "bench/granular.h"

extern btScalar gContactBreakingThreshold;
extern btScalar gDbvtMargin;

namespace slipstick::internal {
namespace {

Vec3 ToVec(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace

GranularFigures RunBullet(const GranularTask& task, int iterations) {
  // absolute lengths, meant for bodies of about a metre
  gContactBreakingThreshold = static_cast<btScalar>(0.02 * 2 * task.radius);
  gDbvtMargin = static_cast<btScalar>(0.05 * 2 * task.radius);
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity({0, 0, -9.81F});
  world.getSolverInfo().m_numIterations = iterations;

  // of a pair: friction is the product, rolling friction Σ friction · rolling of the other
  const double friction = std::sqrt(task.friction), rolling = task.rolling / (2 * friction);
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  const auto add = [&](btCollisionShape* shape, double mass, const Vec3& position) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(static_cast<btScalar>(mass), inertia);
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr, shape, inertia);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin({static_cast<btScalar>(position.x()), static_cast<btScalar>(position.y()),
                                          static_cast<btScalar>(position.z())});
    info.m_friction = static_cast<btScalar>(friction);
    info.m_rollingFriction = info.m_spinningFriction = static_cast<btScalar>(rolling);
    bodies.push_back(std::make_unique<btRigidBody>(info));
    bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(bodies.back().get());
  };
  const Vec3 normals[5] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  for (const Vec3& n : normals) {
    shapes.push_back(std::make_unique<btStaticPlaneShape>(
        btVector3(static_cast<btScalar>(n.x()), static_cast<btScalar>(n.y()), static_cast<btScalar>(n.z())),
        static_cast<btScalar>(n.z() > 0 ? 0 : -task.half_width)));
    add(shapes.back().get(), 0, Vec3::Zero());
  }
  const int walls = static_cast<int>(bodies.size());
  shapes.push_back(std::make_unique<btSphereShape>(static_cast<btScalar>(task.radius)));
  btCollisionShape* sphere = shapes.back().get();
  const double mass = task.density * 4 / 3 * M_PI * std::pow(task.radius, 3);

  GranularMeter meter(task, "Bullet " + std::to_string(iterations));
  CompactProgram program;
  program.non_associated = true;
  CompactImpulses impulses;
  CompactVelocities velocities;
  std::vector<double> gaps;
  std::size_t released = 0;
  const int steps = static_cast<int>(std::lround(task.duration / task.step));
  for (int s = 0; s < steps; ++s) {
    for (; released < task.start.size() && task.release[released] <= s * task.step + 1e-9; ++released) {
      add(sphere, mass, task.start[released]);
      bodies.back()->setLinearVelocity({static_cast<btScalar>(task.velocity.x()),
                                        static_cast<btScalar>(task.velocity.y()),
                                        static_cast<btScalar>(task.velocity.z())});
    }
    const double begin = ThreadSeconds();
    world.stepSimulation(static_cast<btScalar>(task.step), 0);
    const double time = (s + 1) * task.step;
    meter.AddTime(time, ThreadSeconds() - begin);
    if (!meter.IsMeasured(time)) continue;
    // the step as a contact problem: points and distances of its start, impulses and velocities of its end
    const int count = static_cast<int>(bodies.size());
    program.bodies.assign(count, {});
    velocities.linear.resize(count);
    velocities.angular.resize(count);
    for (int b = 0; b < count; ++b) {
      bodies[b]->setUserIndex(b);
      velocities.linear[b] = ToVec(bodies[b]->getLinearVelocity());
      velocities.angular[b] = ToVec(bodies[b]->getAngularVelocity());
      if (b < walls) continue;
      program.bodies[b].inverse_mass = 1 / mass;
      program.bodies[b].inverse_inertia = Mat3::Identity() / (0.4 * mass * task.radius * task.radius);
    }
    program.contacts.clear();
    impulses.force.clear();
    impulses.moment.clear();
    gaps.clear();
    for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
      const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(m);
      const int a = manifold.getBody0()->getUserIndex(), b = manifold.getBody1()->getUserIndex();
      for (int k = 0; k < manifold.getNumContacts(); ++k) {
        const btManifoldPoint& point = manifold.getContactPoint(k);
        CompactContact contact;
        contact.body_a = a < walls ? -1 : a;
        contact.body_b = b < walls ? -1 : b;
        contact.normal = ToVec(point.m_normalWorldOnB).normalized();
        contact.arm_a = -task.radius * contact.normal;
        contact.arm_b = task.radius * contact.normal;
        contact.target = point.getDistance() > 0 ? -point.getDistance() / task.step : 0;
        contact.friction = task.friction;
        program.contacts.push_back(contact);
        gaps.push_back(point.getDistance());
        impulses.force.push_back(point.m_appliedImpulse * contact.normal +
                                 point.m_appliedImpulseLateral1 * ToVec(point.m_lateralFrictionDir1) +
                                 point.m_appliedImpulseLateral2 * ToVec(point.m_lateralFrictionDir2));
        impulses.moment.push_back(Vec3::Zero());
      }
    }
    meter.AddStep(program, gaps, impulses, velocities);
  }
  std::vector<Vec3> positions;
  for (std::size_t b = walls; b < bodies.size(); ++b) {
    positions.push_back(ToVec(bodies[b]->getWorldTransform().getOrigin()));
  }
  for (const auto& body : bodies) world.removeRigidBody(body.get());
  return meter.Finish(positions);
}

}  // namespace slipstick::internal
