#include "slipstick/model/dynamics.h"

#include <algorithm>

#include "slipstick/model/given_force.h"

#include "slipstick/base/rotation.h"

namespace slipstick::internal {
namespace {

Mat3 WorldInertia(const LoneBody& body, const Mat3& R_WB) {
  return body.is_ball ? body.inertia : Mat3(R_WB * body.inertia * R_WB.transpose());
}

// Inertia about a point displaced by c from the centre of mass: I + m(c·c 1 − c cᵀ).
Mat3 Steiner(double mass, const Vec3& c) { return mass * (c.squaredNorm() * Mat3::Identity() - c * c.transpose()); }

// Sums the wrenches up the trees and projects them on each joint's motions: force[i] = Σ columnᵀ wrench.
void ProjectWrenches(const Model& model, const Kinematics& kin, DynamicsWorkspace* work, VecX* result) {
  for (auto next = model.linked_bodies.rbegin(); next != model.linked_bodies.rend(); ++next) {
    const int i = *next;
    const ModelBody& body = model.bodies[i];
    if (body.floats) {
      result->segment<3>(body.v_offset) = work->torque[i];
      result->segment<3>(body.v_offset + 3) = work->force[i];
      continue;
    }
    for (int c = body.v_offset; c < body.v_offset + body.v_count; ++c) {
      (*result)[c] = kin.angular_columns.col(c).dot(work->torque[i]) + kin.linear_columns.col(c).dot(work->force[i]);
    }
    if (body.parent == kWorld) continue;
    const Vec3 r = kin.X_WB[i].position - kin.X_WB[body.parent].position;
    work->force[body.parent] += work->force[i];
    work->torque[body.parent] += work->torque[i] + r.cross(work->force[i]);
  }
}

struct Triple {
  double x, y, z;
};

// The lists of DynamicsWorkspace::motions.
struct Motions {
  const double *wx, *wy, *wz, *vx, *vy, *vz, *ox, *oy, *oz;

  Motions(const double* lists, std::ptrdiff_t n)
      : wx(lists),
        wy(lists + n),
        wz(lists + 2 * n),
        vx(lists + 3 * n),
        vy(lists + 4 * n),
        vz(lists + 5 * n),
        ox(lists + 6 * n),
        oy(lists + 7 * n),
        oz(lists + 8 * n) {}
};

// Entries of a column of a tree's block: the momentum of a composite body, given about a point, seen along the motions
// of a run of velocities. In plain numbers, two at a time: half of what the matrix of a long chain costs is spent here.
void FillRun(const Motions& of, Triple force, Triple torque, Triple point, int first, int last,
             double* __restrict column) {
  for (int d = first; d < last; ++d) {
    const double x = point.x - of.ox[d], y = point.y - of.oy[d], z = point.z - of.oz[d];
    column[d] =
        (of.wx[d] * (torque.x + (y * force.z - z * force.y)) + of.wy[d] * (torque.y + (z * force.x - x * force.z)) +
         of.wz[d] * (torque.z + (x * force.y - y * force.x))) +
        (of.vx[d] * force.x + of.vy[d] * force.y + of.vz[d] * force.z);
  }
}

}  // namespace

void ComputeMassMatrix(const Model& model, const Kinematics& kin, DynamicsWorkspace* work, BlockDiagonal* mass) {
  mass->Reset(model.trees, model.tree_is_lone);
  for (const LoneBody& lone : model.lone_bodies) {
    if (lone.is_ball && mass->IsSet(lone.tree)) continue;
    const Mat3& R_WB = kin.R_WB[lone.body];
    mass->SetFree(lone.tree, lone.mass, R_WB * lone.com, WorldInertia(lone, R_WB));
  }
  if (model.linked_bodies.empty()) return;
  const std::size_t n = model.bodies.size();
  work->mass.resize(n);
  work->joint_origin.resize(n);
  work->first_moment.resize(n);
  work->inertia.resize(n);
  const std::ptrdiff_t velocities = model.v_size();
  work->motions.resize(9 * velocities);
  for (const int i : model.linked_bodies) {
    const ModelBody& body = model.bodies[i];
    const Vec3 c = kin.arm[i] + kin.com[i];
    work->joint_origin[i] = kin.X_WB[i].position - kin.arm[i];
    work->mass[i] = body.mass;
    work->first_moment[i] = body.mass * c;
    work->inertia[i] = kin.inertia[i] + Steiner(body.mass, c);
    for (int d = body.v_offset; d < body.v_offset + body.v_count; ++d) {
      const Vec3 w = kin.angular_columns.col(d), v = kin.linear_columns.col(d) - w.cross(kin.arm[i]);
      const bool turns_only = body.joint == JointType::kRevolute;
      double* const lists = work->motions.data() + d;
      for (int k = 0; k < 3; ++k) {
        lists[k * velocities] = w[k];
        lists[(3 + k) * velocities] = turns_only ? 0.0 : v[k];
        lists[(6 + k) * velocities] = work->joint_origin[i][k];
      }
    }
  }
  // composite bodies: each with all that hangs on it
  for (auto next = model.linked_bodies.rbegin(); next != model.linked_bodies.rend(); ++next) {
    const int i = *next, p = model.bodies[i].parent;
    if (p == kWorld) continue;
    const Vec3 r = work->joint_origin[i] - work->joint_origin[p];
    const Vec3& s = work->first_moment[i];
    work->mass[p] += work->mass[i];
    work->first_moment[p] += s + work->mass[i] * r;
    // about the parent's: I + m(r·r 1 − r rᵀ) + 2 r·s 1 − (r sᵀ + s rᵀ)
    work->inertia[p] += work->inertia[i] + Steiner(work->mass[i], r) + 2.0 * r.dot(s) * Mat3::Identity() -
                        r * s.transpose() - s * r.transpose();
  }
  const Motions motions(work->motions.data(), velocities);
  for (const int i : model.linked_bodies) {
    const ModelBody& body = model.bodies[i];
    if (body.v_count == 0) continue;
    auto block = mass->block(body.tree);
    double* entries = block.data();
    const std::ptrdiff_t size = block.rows();
    const int first = model.trees.offset[body.tree];
    if (body.floats) {
      // [[I, s×], [−s×, m]]
      const Vec3& s = work->first_moment[i];
      const int row = body.v_offset - first;
      Mat3 skew;
      skew << 0, -s.z(), s.y(), s.z(), 0, -s.x(), -s.y(), s.x(), 0;
      block.block<3, 3>(row, row) = Mat3(work->inertia[i].selfadjointView<Eigen::Lower>());
      block.block<3, 3>(row, row + 3) = skew;
      block.block<3, 3>(row + 3, row) = -skew;
      block.block<3, 3>(row + 3, row + 3) = work->mass[i] * Mat3::Identity();
      continue;
    }
    const Vec3 &s = work->first_moment[i], &o = work->joint_origin[i];
    for (int c = body.v_offset; c < body.v_offset + body.v_count; ++c) {
      const Vec3 w(motions.wx[c], motions.wy[c], motions.wz[c]), v(motions.vx[c], motions.vy[c], motions.vz[c]);
      // momentum of the composite body for a unit of this velocity
      const Vec3 force = work->mass[i] * v + w.cross(s), torque = work->inertia[i] * w + s.cross(v);
      double* const column = entries + (c - first) * size - first;
      for (int r = body.first_run; r < body.first_run + body.run_count; ++r) {
        const auto& [begin, end] = model.velocity_runs[r];
        const int last = std::min(end, c + 1);
        FillRun(motions, {force.x(), force.y(), force.z()}, {torque.x(), torque.y(), torque.z()}, {o.x(), o.y(), o.z()},
                begin, last, column);
        for (int d = begin; d < last; ++d) entries[(d - first) * size + (c - first)] = column[d];
      }
    }
  }
}

void ComputeBiasForces(const Model& model, const Kinematics& kin, DynamicsWorkspace* work, VecX* bias) {
  ComputeLinkedBiasForces(model, kin, work, bias);
  for (const LoneBody& lone : model.LoneBodies(kin.released)) {
    if (lone.is_ball) continue;
    const Mat3& R_WB = kin.R_WB[lone.body];
    const Vec3 c = R_WB * lone.com;
    const Vec3& w = kin.angular_velocity[lone.body];
    const Vec3 force = lone.mass * w.cross(w.cross(c));
    bias->segment<3>(lone.v_offset) = w.cross(WorldInertia(lone, R_WB) * w) + c.cross(force);
    bias->segment<3>(lone.v_offset + 3) = force;
  }
}

void ComputeLinkedBiasForces(const Model& model, const Kinematics& kin, DynamicsWorkspace* work, VecX* bias) {
  bias->setZero(model.v_size());
  if (model.linked_bodies.empty()) return;
  work->torque.resize(model.bodies.size());
  work->force.resize(model.bodies.size());
  for (const int i : model.linked_bodies) {
    const ModelBody& body = model.bodies[i];
    const Vec3& c = kin.com[i];
    const Vec3& w = kin.angular_velocity[i];
    const Mat3& inertia = kin.inertia[i];
    const Vec3 a_com = kin.linear_bias[i] + kin.angular_bias[i].cross(c) + w.cross(w.cross(c));
    work->force[i] = body.mass * a_com;
    work->torque[i] = inertia * kin.angular_bias[i] + w.cross(inertia * w) + c.cross(work->force[i]);
  }
  ProjectWrenches(model, kin, work, bias);
}

void ComputeGravityForces(const Model& model, const Kinematics& kin, DynamicsWorkspace* work, VecX* force) {
  force->setZero(model.v_size());
  for (const LoneBody& lone : model.LoneBodies(kin.released)) {
    const Vec3 weight = lone.mass * model.gravity;
    if (!lone.is_ball) force->segment<3>(lone.v_offset) = (kin.R_WB[lone.body] * lone.com).cross(weight);
    force->segment<3>(lone.v_offset + 3) = weight;
  }
  if (model.linked_bodies.empty()) return;
  work->torque.resize(model.bodies.size());
  work->force.resize(model.bodies.size());
  for (const int i : model.linked_bodies) {
    work->force[i] = model.bodies[i].mass * model.gravity;
    work->torque[i] = kin.com[i].cross(work->force[i]);
  }
  ProjectWrenches(model, kin, work, force);
}

void ComputeAppliedForces(const Model& model, const Kinematics& kin, double time, VecX* force) {
  force->setZero(model.v_size());
  for (const JointEffort& effort : model.joint_efforts) (*force)[effort.v_index] += effort.effort(time);
  if (model.given_efforts.size() > 0) *force += model.given_efforts;
  ForEachGivenForce(model, kin, time, [&](int body, const GivenForce& now) {
    for (int b = body; b != kWorld; b = model.bodies[b].parent) {
      const Vec3 moment = now.torque + (now.point - kin.X_WB[b].position).cross(now.force);
      for (int c = model.bodies[b].v_offset; c < model.bodies[b].v_offset + model.bodies[b].v_count; ++c) {
        (*force)[c] += kin.linear_columns.col(c).dot(now.force) + kin.angular_columns.col(c).dot(moment);
      }
    }
  });
}

double PotentialEnergy(const Model& model, const Kinematics& kin) {
  double energy = 0;
  for (const LoneBody& lone : model.LoneBodies(kin.released)) {
    const Pose& X_WB = kin.X_WB[lone.body];
    energy -= lone.mass * model.gravity.dot(lone.is_ball ? X_WB.position : X_WB * lone.com);
  }
  for (const int i : model.linked_bodies) {
    if (model.IsWaiting(i, kin.released)) continue;
    energy -= model.bodies[i].mass * model.gravity.dot(kin.X_WB[i].position + kin.com[i]);
  }
  return energy;
}

double KineticEnergy(const Model& model, const Kinematics& kin) {
  double energy = 0;
  for (const LoneBody& lone : model.LoneBodies(kin.released)) {
    const Vec3 &w = kin.angular_velocity[lone.body], &v = kin.linear_velocity[lone.body];
    if (lone.is_ball) {
      energy += 0.5 * (lone.mass * v.squaredNorm() + lone.inertia(0, 0) * w.squaredNorm());
      continue;
    }
    const Mat3& R_WB = kin.R_WB[lone.body];
    energy += 0.5 * (lone.mass * (v + w.cross(R_WB * lone.com)).squaredNorm() + w.dot(WorldInertia(lone, R_WB) * w));
  }
  for (const int i : model.linked_bodies) {
    const ModelBody& body = model.bodies[i];
    const Vec3& w = kin.angular_velocity[i];
    const Vec3 v_com = kin.linear_velocity[i] + w.cross(kin.com[i]);
    energy += 0.5 * body.mass * v_com.squaredNorm() + 0.5 * w.dot(kin.inertia[i] * w);
  }
  return energy;
}

void Momentum(const Model& model, const Kinematics& kin, Vec3* linear, Vec3* angular, double* size) {
  linear->setZero();
  angular->setZero();
  if (size != nullptr) *size = 0;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const ModelBody& body = model.bodies[i];
    const Vec3& w = kin.angular_velocity[i];
    const Vec3 c = kin.R_WB[i] * body.com;
    const Vec3 p = body.mass * (kin.linear_velocity[i] + w.cross(c));
    *linear += p;
    const Vec3 orbital = (kin.X_WB[i].position + c).cross(p);
    const Vec3 own = kin.R_WB[i] * (body.inertia * (kin.R_WB[i].transpose() * w));
    *angular += orbital + own;
    if (size != nullptr) *size += orbital.norm() + own.norm();
  }
}

bool IsIsolated(const Model& model) {
  if (model.bodies.empty() || !model.gravity.isZero(0) || !model.body_forces.empty()) return false;
  for (const ModelBody& body : model.bodies) {
    if (body.release_number >= 0 || (body.parent == kWorld && body.joint != JointType::kFree)) return false;
  }
  for (const ModelShape& shape : model.shapes) {
    if (shape.body == kWorld && shape.collides) return false;
  }
  const auto is_outside = [](const std::array<int, 2>& bodies) { return bodies[0] == kWorld || bodies[1] == kWorld; };
  for (const PointSpring& spring : model.springs) {
    if (is_outside(spring.body)) return false;
  }
  // velocities of free joints are against the world
  const auto is_of_joint = [&](int v_index) {
    return std::none_of(model.bodies.begin(), model.bodies.end(), [&](const ModelBody& body) {
      return body.parent == kWorld && v_index >= body.v_offset && v_index < body.v_offset + body.v_count;
    });
  };
  for (const JointEffort& effort : model.joint_efforts) {
    if (!is_of_joint(effort.v_index)) return false;
  }
  for (const JointDrive& drive : model.drives) {
    if (!is_of_joint(drive.v_index)) return false;
  }
  for (const JointResistance& joint : model.joint_resistances) {
    if (model.bodies[joint.body].parent == kWorld) return false;
  }
  for (const ModelConstraint& constraint : model.constraints) {
    const auto* loop = std::get_if<LoopConstraint>(&constraint.kind);
    const auto* distance = std::get_if<DistanceConstraint>(&constraint.kind);
    if (loop == nullptr && distance == nullptr) return false;
    if (is_outside(loop != nullptr ? loop->body : distance->body)) return false;
  }
  return true;
}

double FallBySize(const Model& model) {
  double fall = 0;
  for (const ModelShape& shape : model.shapes) {
    if (shape.body == kWorld) continue;
    fall += model.bodies[shape.body].mass * model.gravity.norm() * SmallestHalfExtent(shape.geometry);
  }
  return fall;
}

}  // namespace slipstick::internal
