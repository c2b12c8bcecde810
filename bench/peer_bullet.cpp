#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>

#include <algorithm>
#include <cmath>

#include "bench/peer.h"

extern btScalar gContactBreakingThreshold;
extern btScalar gDbvtMargin;

namespace slipstick::internal {
namespace {

btScalar B(double value) { return static_cast<btScalar>(value); }
btVector3 ToBullet(const Vec3& v) { return {B(v.x()), B(v.y()), B(v.z())}; }
btTransform ToBullet(const Pose& pose) {
  const Quat& r = pose.rotation;
  return btTransform(btQuaternion(B(r.x()), B(r.y()), B(r.z()), B(r.w())), ToBullet(pose.position));
}

std::unique_ptr<btCollisionShape> ShapeOf(const ShapeGeometry& geometry) {
  if (std::holds_alternative<Plane>(geometry)) return std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), B(0));
  if (const auto* sphere = std::get_if<Sphere>(&geometry)) return std::make_unique<btSphereShape>(B(sphere->radius));
  if (const auto* box = std::get_if<Box>(&geometry)) return std::make_unique<btBoxShape>(ToBullet(box->half_extents));
  if (const auto* capsule = std::get_if<Capsule>(&geometry))
    return std::make_unique<btCapsuleShapeZ>(B(capsule->radius), B(2 * capsule->half_length));
  if (const auto* cylinder = std::get_if<Cylinder>(&geometry))
    return std::make_unique<btCylinderShapeZ>(
        btVector3(B(cylinder->radius), B(cylinder->radius), B(cylinder->half_length)));
  throw std::runtime_error("a shape that Bullet is not given here");
}

class BulletWorld final : public PeerWorld {
 public:
  BulletWorld(const Model& model, double step, int iterations) : step_(B(step)) {
    RequireFreeBodies(model);
    double size = 1;
    for (const ModelShape& shape : model.shapes) size = std::min(size, SmallestHalfExtent(shape.geometry));
    // absolute lengths, meant for bodies of about a metre
    gContactBreakingThreshold = B(0.04 * size);
    gDbvtMargin = B(0.1 * size);
    world_.setGravity(ToBullet(model.gravity));
    world_.getSolverInfo().m_numIterations = iterations;
    // of a pair it is the product
    const double friction = std::sqrt(FrictionOf(model));
    for (const ModelShape& shape : model.shapes) {
      if (shape.body == kWorld) Add(shape.geometry, {}, 0, shape.X_BS, {}, friction);
    }
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const ModelBody& body = model.bodies[b];
      const double* q = &model.initial_state.q[body.q_offset];
      const double* v = &model.initial_state.v[body.v_offset];
      const Pose pose{Quat(q[0], q[1], q[2], q[3]), Vec3(q[4], q[5], q[6])};
      for (const ModelShape& shape : model.shapes) {
        if (shape.body != static_cast<int>(b)) continue;
        if (!IsIdentity(shape.X_BS)) throw std::runtime_error("a shape apart from its body's frame");
        moving_.push_back(Add(shape.geometry, body.inertia.diagonal(), body.mass, pose, {v[0], v[1], v[2]}, friction));
        moving_.back()->setLinearVelocity({B(v[3]), B(v[4]), B(v[5])});
      }
    }
    if (moving_.size() != model.bodies.size()) throw std::runtime_error("bodies of several shapes");
  }
  ~BulletWorld() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  void Step() override { world_.stepSimulation(step_, 0); }
  int contacts() const override {
    int count = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      const btPersistentManifold& manifold = *dispatcher_.getManifoldByIndexInternal(i);
      count += manifold.getNumContacts();
    }
    return count;
  }
  void Read(const Model& model, VecX* q) const override {
    for (std::size_t b = 0; b < moving_.size(); ++b) {
      const btTransform& at = moving_[b]->getWorldTransform();
      const btQuaternion turn = at.getRotation();
      const btVector3& p = at.getOrigin();
      PutPose(model.bodies[b], {Quat(turn.w(), turn.x(), turn.y(), turn.z()), Vec3(p.x(), p.y(), p.z())}, q);
    }
  }

 private:
  btRigidBody* Add(const ShapeGeometry& geometry, const Vec3& inertia, double mass, const Pose& pose,
                   const Vec3& turning, double friction) {
    shapes_.push_back(ShapeOf(geometry));
    btRigidBody::btRigidBodyConstructionInfo info(B(mass), nullptr, shapes_.back().get(), ToBullet(inertia));
    info.m_startWorldTransform = ToBullet(pose);
    info.m_friction = B(friction);
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    bodies_.back()->setAngularVelocity(ToBullet(turning));
    world_.addRigidBody(bodies_.back().get());
    return bodies_.back().get();
  }

  btScalar step_;
  btDefaultCollisionConfiguration configuration_;
  mutable btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<btRigidBody*> moving_;
};

PeerMethod ByIterations(int iterations) {
  return {
      fmt::format("Bullet {}.{:02}, {} iterations", BT_BULLET_VERSION / 100, BT_BULLET_VERSION % 100, iterations),
      [iterations](const Model& model, double step) { return std::make_unique<BulletWorld>(model, step, iterations); }};
}

}  // namespace
}  // namespace slipstick::internal

int main(int count, char** arguments) {
  using namespace slipstick::internal;
  return RunPeer(count, arguments, {ByIterations(50), ByIterations(250)});
}
