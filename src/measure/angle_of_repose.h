#pragma once

#include <optional>
#include <span>
#include <vector>

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// A grain of a pile as a sphere; one of another shape as the sphere of its volume.
struct PileGrain {
  Vec3 center = Vec3::Zero();
  double radius = 0;
};

struct PileSettings {
  double floor = 0;             // height of what the pile stands on [m]
  std::optional<Vec2> axis;     // where it is highest; else the centre of the grains' volume
  std::optional<double> reach;  // rings that reach farther than this from the axis do not count: there is a wall [m]
};

// The shape of a pile about an upright axis, docs/theory.md §9:
//
// 1. h(x, y) is the height above the floor of the highest grain's surface over a point of a square grid, four points a
//    mean diameter d; 0 where there is none.
// 2. The profile H(r) is, for rings of width d about the axis, the quantile 0.8 of h in the ring: high, so that holes
//    between the grains do not count, and not the largest, so that one loose grain does not either.
// 3. The radius R of the pile is the outer end of the rings from the axis on that are higher than d/2.
// 4. A line is fitted to the profile's points between 0.2 R and 0.8 R by least squares. The angle of repose is that of
//    the line: the tip is rounded by what falls on it, the foot by single grains that roll away.
struct PileShape {
  std::vector<double> ring_radius, ring_height;  // the profile: middle of the ring, H [m]
  double radius = 0;                             // R [m]
  double height = 0;                             // largest H [m]
  // Of the line; NaN where fewer than three rings were between its ends.
  double angle = 0;      // [rad], positive where the pile falls outwards
  double deviation = 0;  // root mean square of H about the line [m]
};

PileShape MeasurePile(std::span<const PileGrain> grains, const PileSettings& settings);

}  // namespace slipstick::internal
