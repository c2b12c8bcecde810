#pragma once

#include "slipstick/geometry/aabb.h"

namespace slipstick::internal {

// What the broad phase knows of shapes, margins included. Each has its shape's number and the group of shapes that it
// does not pair with.

// A sphere.
struct BallBound {
  Vec3 center = Vec3::Zero();
  double radius = 0;
  int shape = 0;
  int group = 0;
};

// Anything else that has an end.
struct BoxBound {
  Aabb box;
  int shape = 0;
  int group = 0;
};

// All points p with normal·p ≤ offset: what a plane keeps others out of.
struct HalfSpaceBound {
  Vec3 normal = Vec3::UnitZ();
  double offset = 0;
  int shape = 0;
  int group = 0;
};

inline Aabb BoxOf(const BallBound& ball) { return Widened({ball.center, ball.center}, ball.radius); }
inline const Aabb& BoxOf(const BoxBound& bound) { return bound.box; }

// Longest side of the box around the bound.
inline double ExtentOf(const BallBound& ball) { return 2 * ball.radius; }
inline double ExtentOf(const BoxBound& bound) { return (bound.box.most - bound.box.least).maxCoeff(); }

inline Vec3 CenterOf(const BallBound& ball) { return ball.center; }
inline Vec3 CenterOf(const BoxBound& bound) { return 0.5 * (bound.box.least + bound.box.most); }

// Whether two bounds have a point in common. False where one is not a number.
inline bool Meet(const BallBound& a, const BallBound& b) {
  const double reach = a.radius + b.radius;
  return (a.center - b.center).squaredNorm() <= reach * reach;
}
inline bool Meet(const BoxBound& a, const BoxBound& b) {
  // not short-circuited: which of the comparisons fails first cannot be foreseen
  bool meet = true;
  for (int axis = 0; axis < 3; ++axis) {
    meet &= a.box.least(axis) <= b.box.most(axis);
    meet &= b.box.least(axis) <= a.box.most(axis);
  }
  return meet;
}
inline bool Meet(const BallBound& ball, const BoxBound& bound) {
  const Vec3 closest = ball.center.cwiseMax(bound.box.least).cwiseMin(bound.box.most);
  return (ball.center - closest).squaredNorm() <= ball.radius * ball.radius;
}
inline bool Meet(const BoxBound& bound, const BallBound& ball) { return Meet(ball, bound); }
inline bool Meet(const HalfSpaceBound& half_space, const BallBound& ball) {
  return half_space.normal.dot(ball.center) - ball.radius <= half_space.offset;
}
inline bool Meet(const HalfSpaceBound& half_space, const BoxBound& bound) {
  double height = 0;  // of the lowest corner; a side without end counts only where it matters
  for (int axis = 0; axis < 3; ++axis) {
    const double n = half_space.normal(axis);
    if (n != 0) height += n * (n > 0 ? bound.box.least(axis) : bound.box.most(axis));
  }
  return height <= half_space.offset;
}

// Whether the bound can meet anything: a number, and least ≤ most.
inline bool IsSomewhere(const BallBound& ball) {
  return ball.center.allFinite() && ball.radius >= 0 && ball.radius <= std::numeric_limits<double>::max();
}
inline bool IsSomewhere(const BoxBound& bound) { return (bound.box.least.array() <= bound.box.most.array()).all(); }

}  // namespace slipstick::internal
