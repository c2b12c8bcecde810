#include "slipstick/model/kinematics.h"

#include <cmath>

#include "slipstick/model/joint_kinematics.h"

namespace slipstick::internal {
namespace {

// Centre of mass and inertia in world axes.
void TurnMass(const ModelBody& body, int i, Kinematics* kin) {
  const Mat3& R_WB = kin->R_WB[i];
  kin->com[i] = R_WB * body.com;
  // a ball's is the same in all axes, to the last digit too
  const Mat3& I = body.inertia;
  const bool is_ball = I(0, 0) == I(1, 1) && I(0, 0) == I(2, 2) && I(0, 1) == 0 && I(0, 2) == 0 && I(1, 2) == 0 &&
                       I(1, 0) == 0 && I(2, 0) == 0 && I(2, 1) == 0;
  if (is_ball) {
    kin->inertia[i] = I;
    return;
  }
  const bool is_diagonal = I(0, 1) == 0 && I(0, 2) == 0 && I(1, 2) == 0;
  Mat3 product;  // R I
  if (is_diagonal) {
    for (int k = 0; k < 3; ++k) product.col(k) = I(k, k) * R_WB.col(k);
  } else {
    product.noalias() = R_WB * I;
  }
  Mat3& turned = kin->inertia[i];
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j <= k; ++j) {
      turned(j, k) = turned(k, j) =
          product(j, 0) * R_WB(k, 0) + product(j, 1) * R_WB(k, 1) + product(j, 2) * R_WB(k, 2);
    }
  }
}

// What changes of a body that floats. Says the same as the general way.
void MoveFloatingBody(const double* q, const double* v, int i, Kinematics* kin) {
  const Pose X_WB{Quat(q[0], q[1], q[2], q[3]), Vec3(q[4], q[5], q[6])};
  kin->X_WB[i] = X_WB;
  kin->R_WB[i] = X_WB.rotation.toRotationMatrix();
  kin->angular_velocity[i] = Vec3(v[0], v[1], v[2]);
  kin->linear_velocity[i] = Vec3(v[3], v[4], v[5]);
}

// The same of a body on a revolute or prismatic joint.
void PlaceOnOneAxis(const ModelBody& body, double q, int i, Kinematics* kin) {
  Vec3 origin = body.X_PF.position, axis = body.axis_P;
  Quat turn = body.X_PF.rotation;
  if (body.parent != kWorld) {
    const Mat3& R_WP = kin->R_WB[body.parent];
    const Pose& X_WP = kin->X_WB[body.parent];
    origin = X_WP.position + R_WP * origin;
    axis = R_WP * axis;
    turn = body.turned_in_parent ? X_WP.rotation * turn : X_WP.rotation;
  }
  const bool turns = body.joint == JointType::kRevolute;
  if (turns) {
    const double sine = std::sin(0.5 * q);
    turn = turn * Quat(std::cos(0.5 * q), sine * body.axis.x(), sine * body.axis.y(), sine * body.axis.z());
  } else {
    origin += q * axis;
  }
  if (body.turned_on_body) turn = turn * body.X_MB.rotation;
  const Mat3 R_WB = turn.toRotationMatrix();
  const Vec3 arm = R_WB * body.arm_B;
  kin->X_WB[i] = {turn, origin + arm};
  kin->R_WB[i] = R_WB;
  kin->arm[i] = arm;
  kin->angular_columns.col(body.v_offset) = turns ? axis : Vec3(0, 0, 0);
  kin->linear_columns.col(body.v_offset) = turns ? Vec3(axis.cross(arm)) : axis;
}

// Pose, columns and mass of a body, where those that carry it are placed.
void Place(const Model& model, const MotionState& state, int i, Kinematics* kin) {
  const ModelBody& body = model.bodies[i];
  const double* q = state.q.data() + body.q_offset;
  const double* v = state.v.data() + body.v_offset;
  if (body.floats) {
    MoveFloatingBody(q, v, i, kin);
    kin->arm[i].setZero();
    kin->angular_columns.middleCols<6>(body.v_offset) << Mat3::Identity(), Mat3::Zero();
    kin->linear_columns.middleCols<6>(body.v_offset) << Mat3::Zero(), Mat3::Identity();
  } else if (body.joint == JointType::kRevolute || body.joint == JointType::kPrismatic) {
    PlaceOnOneAxis(body, q[0], i, kin);
  } else {
    const Pose X_WF = kin->PoseOf(body.parent) * body.X_PF;
    const JointKinematics joint = ComputeJointKinematics(body.joint, body.axis, body.second_axis, q, v);
    const Pose X_WM = X_WF * joint.X_FM, X_WB = X_WM * body.X_MB;
    const Mat3 R_WF = X_WF.rotation.toRotationMatrix();
    const Vec3 arm = X_WB.position - X_WM.position;
    for (int c = 0; c < body.v_count; ++c) {
      const Vec3 angular = R_WF * joint.angular.col(c);
      kin->angular_columns.col(body.v_offset + c) = angular;
      kin->linear_columns.col(body.v_offset + c) = R_WF * joint.linear.col(c) + angular.cross(arm);
    }
    kin->X_WB[i] = X_WB;
    kin->R_WB[i] = X_WB.rotation.toRotationMatrix();
    kin->arm[i] = arm;
  }
  TurnMass(body, i, kin);
}

// Velocity of a placed body, and its acceleration at v̇ = 0: parent → M (moving in the parent's frame) → B (fixed on
// M), (K3)–(K6), with the columns for the joint's own motion; of all joints the universal one alone has s_ω.
void SetVelocity(const Model& model, ConstRef<VecX> v, int i, Kinematics* kin) {
  const ModelBody& body = model.bodies[i];
  if (body.floats) {
    kin->angular_velocity[i] = v.segment<3>(body.v_offset);
    kin->linear_velocity[i] = v.segment<3>(body.v_offset + 3);
    kin->angular_bias[i].setZero();
    kin->linear_bias[i].setZero();
    return;
  }
  const Vec3& r_MB = kin->arm[i];
  Vec3 w_rel = Vec3::Zero(), v_rel = Vec3::Zero(), alpha = Vec3::Zero();
  if (body.joint == JointType::kRevolute) {
    w_rel = v[body.v_offset] * kin->angular_columns.col(body.v_offset);
  } else {
    for (int c = body.v_offset; c < body.v_offset + body.v_count; ++c) {
      const Vec3 angular = kin->angular_columns.col(c);
      w_rel += v[c] * angular;
      v_rel += v[c] * (kin->linear_columns.col(c) - angular.cross(r_MB));
    }
  }
  if (body.joint == JointType::kUniversal) {
    const Vec3 first = kin->angular_columns.col(body.v_offset), second = kin->angular_columns.col(body.v_offset + 1);
    alpha = v[body.v_offset] * v[body.v_offset + 1] * first.cross(second);
  }
  Vec3 w = w_rel, velocity = v_rel, acceleration = Vec3::Zero();
  if (body.parent != kWorld) {
    const int p = body.parent;
    const Vec3 &w_P = kin->angular_velocity[p], &alpha_P = kin->angular_bias[p];
    const Vec3 r_PM = kin->X_WB[i].position - r_MB - kin->X_WB[p].position, w_r = w_P.cross(r_PM);
    w += w_P;
    velocity += kin->linear_velocity[p] + w_r;
    alpha += alpha_P + w_P.cross(w_rel);
    acceleration = kin->linear_bias[p] + alpha_P.cross(r_PM) + w_P.cross(w_r + 2.0 * v_rel);
  }
  const Vec3 w_r = w.cross(r_MB);
  kin->angular_velocity[i] = w;
  kin->linear_velocity[i] = velocity + w_r;
  kin->angular_bias[i] = alpha;
  kin->linear_bias[i] = acceleration + alpha.cross(r_MB) + w.cross(w_r);
}

}  // namespace

void ComputeKinematics(const Model& model, const MotionState& state, Kinematics* kin) {
  const std::size_t n = model.bodies.size();
  kin->X_WB.resize(n);
  kin->R_WB.resize(n);
  kin->angular_velocity.resize(n);
  kin->linear_velocity.resize(n);
  kin->angular_bias.resize(n);
  kin->linear_bias.resize(n);
  kin->arm.resize(n);
  kin->com.resize(n);
  kin->inertia.resize(n);
  kin->angular_columns.resize(3, model.v_size());
  kin->linear_columns.resize(3, model.v_size());

  kin->released = state.released;
  for (std::size_t i = 0; i < n; ++i) ComputeBodyKinematics(model, state, static_cast<int>(i), kin);
}

void UpdateKinematics(const Model& model, const MotionState& state, Kinematics* kin) {
  UpdatePositions(model, state, kin);
  SetLinkedVelocities(model, state.v, kin);
}

void UpdatePositions(const Model& model, const MotionState& state, Kinematics* kin) {
  kin->released = state.released;
  for (const int i : model.linked_bodies) Place(model, state, i, kin);
  for (const LoneBody& lone : model.LoneBodies(state.released)) {
    MoveFloatingBody(state.q.data() + lone.q_offset, state.v.data() + lone.v_offset, lone.body, kin);
  }
}

void ComputeBodyKinematics(const Model& model, const MotionState& state, int i, Kinematics* kin) {
  Place(model, state, i, kin);
  SetVelocity(model, state.v, i, kin);
}

void SetLinkedVelocities(const Model& model, ConstRef<VecX> v, Kinematics* kin) {
  for (const int i : model.linked_bodies) SetVelocity(model, v, i, kin);
}

void ComputeBodyVelocities(const Model& model, const Kinematics& kin, ConstRef<VecX> v, BodyVelocities* velocities) {
  const std::size_t n = model.bodies.size();
  velocities->angular.resize(n);
  velocities->linear.resize(n);
  for (const LoneBody& lone : model.lone_bodies) {
    velocities->angular[lone.body] = v.segment<3>(lone.v_offset);
    velocities->linear[lone.body] = v.segment<3>(lone.v_offset + 3);
  }
  for (const int i : model.linked_bodies) {
    const ModelBody& body = model.bodies[i];
    Vec3 &angular = velocities->angular[i], &linear = velocities->linear[i];
    angular.setZero();
    linear.setZero();
    if (body.parent != kWorld) {
      angular = velocities->angular[body.parent];
      linear = velocities->linear[body.parent] + angular.cross(kin.X_WB[i].position - kin.X_WB[body.parent].position);
    }
    for (int c = body.v_offset; c < body.v_offset + body.v_count; ++c) {
      angular += v[c] * kin.angular_columns.col(c);
      linear += v[c] * kin.linear_columns.col(c);
    }
  }
}

void AdvancePositions(const Model& model, ConstRef<VecX> v, double h, VecX* q) {
  AdvancePositions(model, v, h, static_cast<int>(model.releases.size()), q);
}

void AdvancePositions(const Model& model, ConstRef<VecX> v, double h, int released, VecX* q) {
  for (const int i : model.linked_bodies) {
    const ModelBody& body = model.bodies[i];
    if (body.v_count > 0) AdvanceJoint(body.joint, v.data() + body.v_offset, h, q->data() + body.q_offset);
  }
  for (const LoneBody& lone : model.LoneBodies(released)) {
    AdvanceJoint(JointType::kFree, v.data() + lone.v_offset, h, q->data() + lone.q_offset);
  }
}

void AddPointRow(const Model& model, const Kinematics& kin, int body, const Vec3& p_W, const Vec3& direction,
                 double scale, Ref<Eigen::RowVectorXd> row) {
  if (body == kWorld) return;
  const int first = model.trees.offset[model.bodies[body].tree];
  for (int b = body; b != kWorld; b = model.bodies[b].parent) {
    // d · (v + ω × r) = d · v + (r × d) · ω
    const Vec3 moment = (p_W - kin.X_WB[b].position).cross(direction);
    for (int c = model.bodies[b].v_offset; c < model.bodies[b].v_offset + model.bodies[b].v_count; ++c) {
      row[c - first] += scale * (direction.dot(kin.linear_columns.col(c)) + moment.dot(kin.angular_columns.col(c)));
    }
  }
}

void AddAngularRow(const Model& model, const Kinematics& kin, int body, const Vec3& direction, double scale,
                   Ref<Eigen::RowVectorXd> row) {
  if (body == kWorld) return;
  const int first = model.trees.offset[model.bodies[body].tree];
  for (int b = body; b != kWorld; b = model.bodies[b].parent) {
    for (int c = model.bodies[b].v_offset; c < model.bodies[b].v_offset + model.bodies[b].v_count; ++c) {
      row[c - first] += scale * direction.dot(kin.angular_columns.col(c));
    }
  }
}

}  // namespace slipstick::internal
