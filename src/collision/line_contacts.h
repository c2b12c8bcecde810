#pragma once

#include <array>

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// A segment with the radius of the round surface about it: a capsule's or cylinder's axis, or (radius 0) a box's edge.
struct ThickLine {
  Vec3 p = Vec3::Zero();
  Vec3 q = Vec3::Zero();
  double radius = 0;
  std::array<int, 2> features{};  // of p and q
};

// Points of two thick lines' axes that face each other. The normal is from B to A.
struct LineContact {
  Vec3 on_a = Vec3::Zero();  // on the axis, not the surface
  Vec3 on_b = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();
  double gap = 0;  // between the surfaces
  int of_a = 0;
  int of_b = 0;
};

struct LineContacts {
  std::array<LineContact, 2> contacts;
  int count = 0;
};

// Where the axes come closest; of parallel ones any such place. `fallback` is the normal where the axes meet and are
// parallel.
LineContact ClosestOfLines(const ThickLine& a, const ThickLine& b, const Vec3& fallback);

// Both ends of the stretch along which two nearly parallel lines face each other; none where there is no such stretch
// or the lines are further from parallel than kFlatSine. `normal` decides where the axes meet.
LineContacts EndsOfCommonStretch(const ThickLine& a, const ThickLine& b, const Vec3& normal);

}  // namespace slipstick::internal
