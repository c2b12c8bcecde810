#include <fmt/format.h>
#include <ode/ode.h>

#include <cmath>

#include "bench/peer.h"

namespace slipstick::internal {
namespace {

constexpr int kMostPoints = 8;  // of a pair

void ToOde(const Quat& r, dQuaternion q) {
  q[0] = r.w();
  q[1] = r.x();
  q[2] = r.y();
  q[3] = r.z();
}

dGeomID ShapeOf(dSpaceID space, const ModelShape& shape) {
  const Pose& pose = shape.X_BS;
  if (std::holds_alternative<Plane>(shape.geometry)) {
    const Vec3 n = pose.rotation * Vec3::UnitZ();
    return dCreatePlane(space, n.x(), n.y(), n.z(), n.dot(pose.position));
  }
  if (const auto* sphere = std::get_if<Sphere>(&shape.geometry)) return dCreateSphere(space, sphere->radius);
  if (const auto* box = std::get_if<Box>(&shape.geometry)) {
    const Vec3 size = 2 * box->half_extents;
    return dCreateBox(space, size.x(), size.y(), size.z());
  }
  if (const auto* capsule = std::get_if<Capsule>(&shape.geometry))
    return dCreateCapsule(space, capsule->radius, 2 * capsule->half_length);
  if (const auto* cylinder = std::get_if<Cylinder>(&shape.geometry))
    return dCreateCylinder(space, cylinder->radius, 2 * cylinder->half_length);
  throw std::runtime_error("a shape that ODE is not given here");
}

class OdeWorld final : public PeerWorld {
 public:
  OdeWorld(const Model& model, double step, bool exact) : step_(step), exact_(exact), friction_(FrictionOf(model)) {
    RequireFreeBodies(model);
    dWorldSetGravity(world_, model.gravity.x(), model.gravity.y(), model.gravity.z());
    dWorldSetQuickStepNumIterations(world_, 50);
    for (const ModelBody& body : model.bodies) {
      const double* q = &model.initial_state.q[body.q_offset];
      const double* v = &model.initial_state.v[body.v_offset];
      const dBodyID copy = dBodyCreate(world_);
      dMass mass;
      dMassSetParameters(&mass, body.mass, 0, 0, 0, body.inertia(0, 0), body.inertia(1, 1), body.inertia(2, 2), 0, 0,
                         0);
      dBodySetMass(copy, &mass);
      dBodySetPosition(copy, q[4], q[5], q[6]);
      dQuaternion turn;
      ToOde(Quat(q[0], q[1], q[2], q[3]), turn);
      dBodySetQuaternion(copy, turn);
      dBodySetAngularVel(copy, v[0], v[1], v[2]);
      dBodySetLinearVel(copy, v[3], v[4], v[5]);
      bodies_.push_back(copy);
    }
    for (const ModelShape& shape : model.shapes) {
      const dGeomID geometry = ShapeOf(space_, shape);
      if (shape.body != kWorld) {
        if (!IsIdentity(shape.X_BS)) throw std::runtime_error("a shape apart from its body's frame");
        dGeomSetBody(geometry, bodies_[shape.body]);
      } else if (!std::holds_alternative<Plane>(shape.geometry)) {
        throw std::runtime_error("only planes in the world");
      }
    }
  }
  ~OdeWorld() override {
    dJointGroupDestroy(joints_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }

  void Step() override {
    count_ = 0;
    dSpaceCollide(space_, this, [](void* self, dGeomID a, dGeomID b) { static_cast<OdeWorld*>(self)->Touch(a, b); });
    if (exact_) {
      dWorldStep(world_, step_);
    } else {
      dWorldQuickStep(world_, step_);
    }
    dJointGroupEmpty(joints_);
  }
  int contacts() const override { return count_; }
  void Read(const Model& model, VecX* q) const override {
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const dReal *p = dBodyGetPosition(bodies_[b]), *r = dBodyGetQuaternion(bodies_[b]);
      PutPose(model.bodies[b], {Quat(r[0], r[1], r[2], r[3]), Vec3(p[0], p[1], p[2])}, q);
    }
  }

 private:
  void Touch(dGeomID a, dGeomID b) {
    dContact contacts[kMostPoints];
    const int found = dCollide(a, b, kMostPoints, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < found; ++i) {
      contacts[i].surface.mode = dContactApprox1;  // limits of friction grow with the normal force
      contacts[i].surface.mu = friction_;
      dJointAttach(dJointCreateContact(world_, joints_, &contacts[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
    count_ += found;
  }

  double step_;
  bool exact_;
  double friction_;
  dWorldID world_ = dWorldCreate();
  dSpaceID space_ = dHashSpaceCreate(nullptr);
  dJointGroupID joints_ = dJointGroupCreate(0);
  std::vector<dBodyID> bodies_;
  int count_ = 0;
};

PeerMethod By(const char* method, bool exact, int most_bodies) {
  return {fmt::format("ODE {}, {}", dODE_VERSION, method),
          [exact](const Model& model, double step) { return std::make_unique<OdeWorld>(model, step, exact); },
          most_bodies};
}

}  // namespace
}  // namespace slipstick::internal

int main(int count, char** arguments) {
  using namespace slipstick::internal;
  dInitODE2(0);
  const int code = RunPeer(count, arguments, {By("50 iterations", false, 1 << 30), By("Dantzig", true, 100)});
  dCloseODE();
  return code;
}
