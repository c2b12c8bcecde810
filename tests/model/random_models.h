#pragma once

#include <random>
#include <string>
#include <vector>

#include "slipstick/base/rotation.h"
#include "slipstick/model/compile_model.h"
#include "slipstick/model/kinematics.h"

namespace slipstick::internal {

// Random numbers, poses and systems of trees with a fixed seed.
class RandomModels {
 public:
  explicit RandomModels(unsigned seed) : engine_(seed) {}

  double Number(double least = -1, double most = 1) {
    return std::uniform_real_distribution<double>(least, most)(engine_);
  }
  int Integer(int least, int most) { return std::uniform_int_distribution<int>(least, most)(engine_); }
  Vec3 Vector() { return {Number(), Number(), Number()}; }
  Vec3 Direction() {
    for (;;) {
      const Vec3 v = Vector();
      if (v.norm() > 0.1) return v.normalized();
    }
  }
  Quat Rotation() { return ExpRotation(3.0 * Vector()); }
  Pose Frame() { return {Rotation(), Vector()}; }

  // No free joints but of bodies without a joint, spherical joints last in a chain, six velocities a chain.
  bool only_what_mujoco_has = false;

  // `joints` elementary joints of all kinds, alone or in chains with massless links, in one or more trees.
  Scene MakeScene(int joints) {
    Scene scene;
    scene.gravity = 10.0 * Vector();
    int made = 0;
    while (made < joints) {
      const std::string number = std::to_string(scene.bodies.size());
      SceneBody body;
      body.name = "body" + number;
      body.mass = Number(0.1, 2);
      body.com = Vector();
      const Mat3 turn = Rotation().toRotationMatrix();
      // principal moments of a cloud of points: a² + b², … obey the triangle inequality
      const Vec3 square = Vec3(Number(0.1, 1), Number(0.1, 1), Number(0.1, 1)).cwiseAbs2();
      const Vec3 moments(square[1] + square[2], square[0] + square[2], square[0] + square[1]);
      body.inertia = turn * moments.asDiagonal() * turn.transpose();
      const Pose start = Frame();

      const bool has_joint = Integer(0, 9) > 0;
      if (!has_joint) body.pose = start;  // else its place comes from the joint
      ++made;
      if (has_joint) {
        SceneJoint joint;
        joint.name = "joint" + number;
        joint.child = body.name;
        if (!scene.bodies.empty() && Integer(0, 5) > 0) {
          joint.parent = scene.bodies[Integer(0, static_cast<int>(scene.bodies.size()) - 1)].name;
        }
        joint.parent_frame = Frame();
        joint.child_frame = Frame();
        const int links = std::max(1, Integer(-1, only_what_mujoco_has ? 2 : 3));
        for (int i = 0; i < links; ++i) {
          joint.links.push_back(Link(joint.name + "-" + std::to_string(i), i + 1 == links));
        }
        made += links - 1;
        scene.joints.push_back(joint);
      }
      scene.bodies.push_back(body);
    }
    return scene;
  }

  // Positions and velocities anywhere.
  MotionState AnyState(const Model& model) {
    MotionState state = model.initial_state;
    state.time = Number(0, 1);
    state.v.resize(model.v_size());
    VecX far(model.v_size());
    for (double& v : far) v = Number(-3, 3);
    AdvancePositions(model, far, 1.0, &state.q);
    for (double& v : state.v) v = Number();
    return state;
  }

 private:
  SceneJointLink Link(const std::string& name, bool last) {
    static const JointType types[] = {JointType::kFree,        JointType::kFixed,     JointType::kRevolute,
                                      JointType::kPrismatic,   JointType::kSpherical, JointType::kUniversal,
                                      JointType::kCylindrical, JointType::kPlanar};
    SceneJointLink link;
    link.name = name;
    do {
      link.type = types[Integer(0, 7)];
    } while (only_what_mujoco_has && (link.type == JointType::kFree || (link.type == JointType::kSpherical && !last)));
    link.axis = Direction();
    Vec3 other;
    CompleteFrame(link.axis, &link.second_axis, &other);
    return link;
  }

  std::mt19937 engine_;
};

// q ⊕ s v at the time t + s: the motion with v̇ = 0, exactly, for every joint.
inline MotionState Moved(const Model& model, const MotionState& state, const VecX& v, double s) {
  MotionState moved = state;
  moved.time += s;
  moved.v = v;
  AdvancePositions(model, v, s, &moved.q);
  return moved;
}

inline Kinematics KinematicsOf(const Model& model, const MotionState& state) {
  Kinematics kinematics;
  ComputeKinematics(model, state, &kinematics);
  return kinematics;
}

// d f(s)/ds at 0 by central differences of fourth order.
template <typename F>
auto Derivative(F&& f, double s = 2e-4) {
  const auto near = (f(s) - f(-s)).eval(), far = (f(2 * s) - f(-2 * s)).eval();
  return ((8.0 * near - far) / (12.0 * s)).eval();
}

}  // namespace slipstick::internal
