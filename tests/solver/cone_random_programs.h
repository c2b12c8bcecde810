#pragma once

#include <Eigen/QR>
#include <vector>

#include "slipstick/base/rotation.h"
#include "slipstick/program/cone_program.h"
#include "tests/base/random_numbers.h"

// Cone programs of rigid bodies for the tests: W = J M⁻¹ Jᵀ and q = J v with true contact Jacobians.

namespace slipstick::internal::testing {

struct Body {
  double mass = 1;
  Mat3 inertia = Mat3::Identity();
  Vec3 centre = Vec3::Zero();
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();
};

// a pushes away from b (−1: the world) along the normal.
struct Touch {
  int a = 0, b = -1;
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();
  double mu = 0.5;
  double turn = 0;  // of the tangents about the normal
};

// Rows normal, tangent, tangent of each touch, for velocities (linear, angular) of each body.
inline MatX ContactJacobian(const std::vector<Body>& bodies, const std::vector<Touch>& touches) {
  MatX J = MatX::Zero(3 * touches.size(), 6 * bodies.size());
  for (std::size_t k = 0; k < touches.size(); ++k) {
    const Touch& touch = touches[k];
    Vec3 t1, t2;
    CompleteFrame(touch.normal, &t1, &t2);
    Mat3 frame;
    frame.row(0) = touch.normal;
    frame.row(1) = std::cos(touch.turn) * t1 + std::sin(touch.turn) * t2;
    frame.row(2) = -std::sin(touch.turn) * t1 + std::cos(touch.turn) * t2;
    for (int side = 0; side < 2; ++side) {
      const int body = side == 0 ? touch.a : touch.b;
      if (body < 0) continue;
      const double sign = side == 0 ? 1 : -1;
      J.block<3, 3>(3 * k, 6 * body) = sign * frame;
      J.block<3, 3>(3 * k, 6 * body + 3) = -sign * frame * Skew(touch.point - bodies[body].centre);
    }
  }
  return J;
}

inline MatX InverseMass(const std::vector<Body>& bodies) {
  MatX inverse = MatX::Zero(6 * bodies.size(), 6 * bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    inverse.block<3, 3>(6 * i, 6 * i) = Mat3::Identity() / bodies[i].mass;
    inverse.block<3, 3>(6 * i + 3, 6 * i + 3) = bodies[i].inertia.inverse();
  }
  return inverse;
}

inline VecX Velocities(const std::vector<Body>& bodies) {
  VecX v(6 * bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) v.segment<6>(6 * i) << bodies[i].velocity, bodies[i].angular_velocity;
  return v;
}

inline ConeProgram ContactProgram(const std::vector<Body>& bodies, const std::vector<Touch>& touches) {
  const MatX J = ContactJacobian(bodies, touches);
  ConeProgram program;
  const MatX W = J * InverseMass(bodies) * J.transpose();
  program.W = MatX(0.5 * (W + W.transpose())).sparseView();
  program.q = J * Velocities(bodies);
  for (std::size_t k = 0; k < touches.size(); ++k)
    program.blocks.push_back(ConeBlock::Cone(static_cast<int>(3 * k), touches[k].mu));
  return program;
}

inline Body RandomBody(RandomNumbers* random) {
  Body body;
  body.mass = random->Between(0.3, 3);
  // principal moments of a solid: sums of two positive numbers each
  const Vec3 spread(random->Between(0.05, 1), random->Between(0.05, 1), random->Between(0.05, 1));
  const Mat3 rotation = ExpRotation(random->Vector(3)).toRotationMatrix();
  const Vec3 moments = body.mass * Vec3(spread[1] + spread[2], spread[0] + spread[2], spread[0] + spread[1]);
  body.inertia = rotation * moments.asDiagonal() * rotation.transpose();
  body.velocity = random->Vector(1);
  body.angular_velocity = random->Vector(1);
  return body;
}

// A cloud of bodies that touch one another and the world at random; with more than two contacts a body it is redundant.
inline ConeProgram RandomCloud(int body_count, int contact_count, double largest_mu, unsigned seed) {
  RandomNumbers random(seed);
  std::vector<Body> bodies;
  for (int i = 0; i < body_count; ++i) {
    bodies.push_back(RandomBody(&random));
    bodies.back().centre = random.Vector(1.0 + body_count / 4.0);
  }
  std::vector<Touch> touches;
  for (int k = 0; k < contact_count; ++k) {
    Touch touch;
    touch.a = random.Below(body_count);
    touch.b = random.Below(body_count + 1) - 1;
    if (touch.b == touch.a) touch.b = -1;
    touch.normal = random.Direction();
    touch.point = bodies[touch.a].centre - touch.normal * random.Between(0.3, 1) + random.Vector(0.3);
    touch.mu = random.Between(0, largest_mu);
    touch.turn = random.Between(-3, 3);
    touches.push_back(touch);
  }
  return ContactProgram(bodies, touches);
}

// Boxes of 1 × 1 × 0.5 on top of each other on the ground, touching at `corners` points on a circle (or the square's
// corners if 4).
inline ConeProgram Tower(int box_count, int corners, double mu, unsigned seed, double speed = 0.3) {
  RandomNumbers random(seed);
  std::vector<Body> bodies;
  std::vector<Touch> touches;
  for (int i = 0; i < box_count; ++i) {
    Body body;
    body.mass = random.Between(0.5, 2);
    body.inertia = body.mass * Vec3(0.1042, 0.1042, 0.1667).asDiagonal();
    body.centre = Vec3(0, 0, 0.25 + 0.5 * i);
    body.velocity = random.Vector(speed) + Vec3(0, 0, -0.0981);
    body.angular_velocity = random.Vector(0.3 * speed);
    bodies.push_back(body);
    for (int k = 0; k < corners; ++k) {
      const double angle = 2 * M_PI * (k + 0.5) / corners;
      const double radius = corners == 4 ? std::sqrt(0.5) : 0.5;
      Touch touch;
      touch.a = i;
      touch.b = i - 1;
      touch.point = Vec3(radius * std::cos(angle), radius * std::sin(angle), 0.5 * i);
      touch.mu = mu;
      touches.push_back(touch);
    }
  }
  return ContactProgram(bodies, touches);
}

}  // namespace slipstick::internal::testing
