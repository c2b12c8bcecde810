#pragma once

#include <cstdint>

#include "slipstick/base/eigen.h"
#include "slipstick/state/state.h"

namespace slipstick::internal {

// One point of contact between two posed shapes A and B that do not know their place in a model; in the world's frame.
// point_a − point_b = gap · normal.
struct LocalContact {
  Vec3 normal = Vec3::UnitZ();  // unit, from B towards A
  Vec3 point_a = Vec3::Zero();  // on the surface of A
  Vec3 point_b = Vec3::Zero();  // on the surface of B
  double gap = 0;               // negative where they penetrate
  std::uint32_t feature = 0;    // which corner, edge or rim point, see FeatureId
  // Which triangle of a mesh or piece of a compound; 0 of a shape that is one.
  std::uint32_t part_a = 0, part_b = 0;
};

// What touches, told by numbers that stay the same while the shapes move: of a box corners 1–8 (1 + bits x, y, z set
// where the coordinate is positive) and edges 16–27, of a line its ends 32 and 33, of a rim the point number k (0 is
// the extreme one, then quarter turns) of end e as 40 + 4e + k, of a hull its corners from 64 on and then its edges,
// and 0 for all that has a single candidate (a sphere, a face).
inline std::uint32_t FeatureId(int of_a, int of_b) {
  return static_cast<std::uint32_t>(of_a) << 12 | static_cast<std::uint32_t>(of_b);
}
// The same with the shapes' numbers and parts: a name among all contacts of a model.
inline ContactKey KeyOf(int shape_a, int shape_b, const LocalContact& contact) {
  return {static_cast<std::uint32_t>(shape_a), static_cast<std::uint32_t>(shape_b),
          ContactKey::Place(contact.part_a, contact.feature >> 12),
          ContactKey::Place(contact.part_b, contact.feature & 0xfff)};
}
inline int FeatureOfA(std::uint32_t feature) { return static_cast<int>(feature >> 12); }
inline int FeatureOfB(std::uint32_t feature) { return static_cast<int>(feature & 0xfff); }
constexpr int kFirstCorner = 1;
constexpr int kFirstEdge = 16;
constexpr int kFirstLineEnd = 32;
constexpr int kFirstRimPoint = 40;
constexpr int kFirstCrossing = 48;  // where an edge or line crosses a rim: 48 on the way in, 49 on the way out
constexpr int kFirstHullCorner = 64;

// Rim points follow the lowest one, not the material, so the other three count as contacts only where the rim lies
// flat: where the sine of its tilt is at most this. They then rise above the lowest by at most 2 · 0.02 · radius,
// however generous the margin. The same number says how far from parallel two faces or lines may be to share a
// manifold.
constexpr double kFlatSine = 0.02;

// Below this sine the direction of steepest descent is rounding noise and the shape's own x axis takes its place.
constexpr double kNoDescentSine = 1e-6;

}  // namespace slipstick::internal
