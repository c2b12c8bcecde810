#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "slipstick/problem/friction_problem.h"

namespace slipstick::internal::examples {

// One rigid body under gravity that touches a floor (normal z) in some points, as a step of length 1 from rest: six
// velocities (linear, angular about the centre), f = M v_free. Rows of a contact: normal, x, y.
struct BodyOnFloor {
  double mass = 2, inertia = 0.3;
  double mu = 0.5;
  std::vector<Vec3> points;       // from the centre
  Vec3 push = {0, 0, -2 * 9.81};  // impulse of the step, weight included
};

inline GlobalProblem MakeGlobal(const BodyOnFloor& body) {
  const int contacts = static_cast<int>(body.points.size());
  GlobalProblem problem;
  problem.contacts.sliding = VecX::Constant(contacts, body.mu);
  MatX M = MatX::Zero(6, 6);
  M.diagonal() << body.mass, body.mass, body.mass, body.inertia, body.inertia, body.inertia;
  MatX H = MatX::Zero(6, 3 * contacts);
  const Vec3 axes[3] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
  for (int c = 0; c < contacts; ++c) {
    for (int k = 0; k < 3; ++k) {
      H.block<3, 1>(0, 3 * c + k) = axes[k];
      H.block<3, 1>(3, 3 * c + k) = body.points[c].cross(axes[k]);
    }
  }
  problem.M = M.sparseView();
  problem.H = H.sparseView();
  problem.f = VecX::Zero(6);
  problem.f.head<3>() = body.push;
  problem.w = VecX::Zero(3 * contacts);
  return problem;
}

inline BodyOnFloor Box() { return {.points = {{1, 1, -0.5}, {1, -1, -0.5}, {-1, 1, -0.5}, {-1, -1, -0.5}}}; }

// Spheres of mass 1 on top of each other without rotation, each a point mass in 3-D: contact i is between sphere i and
// the one below, or the floor. Nothing is redundant.
inline GlobalProblem Chain(int spheres) {
  GlobalProblem problem;
  problem.contacts.sliding = VecX::Constant(spheres, 0.4);
  MatX H = MatX::Zero(3 * spheres, 3 * spheres);
  const int axis[3] = {2, 0, 1};
  for (int c = 0; c < spheres; ++c) {
    for (int k = 0; k < 3; ++k) {
      H(3 * c + axis[k], 3 * c + k) = 1;
      if (c > 0) H(3 * (c - 1) + axis[k], 3 * c + k) = -1;
    }
  }
  problem.M = MatX(MatX::Identity(3 * spheres, 3 * spheres)).sparseView();
  problem.H = H.sparseView();
  problem.f = VecX::Zero(3 * spheres);
  for (int i = 0; i < spheres; ++i) problem.f[3 * i + 2] = -9.81;
  problem.w = VecX::Zero(3 * spheres);
  return problem;
}

}  // namespace slipstick::internal::examples
