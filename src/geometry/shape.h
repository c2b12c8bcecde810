#pragma once

#include <memory>
#include <string>
#include <variant>

#include "slipstick/base/eigen.h"
#include "slipstick/base/pose.h"
#include "slipstick/geometry/polyhedron.h"

namespace slipstick {

// The half-space z ≤ 0 of its frame; its surface normal is +z.
struct Plane {
  bool operator==(const Plane&) const = default;
};

struct Sphere {
  double radius = 0;

  bool operator==(const Sphere&) const = default;
};

struct Box {
  Vec3 half_extents = Vec3::Zero();  // along x, y, z of its frame

  bool operator==(const Box&) const = default;
};

// A cylinder about z with half-spheres at z = ±half_length.
struct Capsule {
  double radius = 0;
  double half_length = 0;

  bool operator==(const Capsule&) const = default;
};

// A solid cylinder about z, flat ends at z = ±half_length.
struct Cylinder {
  double radius = 0;
  double half_length = 0;

  bool operator==(const Cylinder&) const = default;
};

// A disk of no thickness in the plane z = 0, axis z, with a sharp rim.
struct Disk {
  double radius = 0;

  bool operator==(const Disk&) const = default;
};

// A convex polyhedron, anywhere in its frame; never null. Equal stones may share theirs.
struct Hull {
  std::shared_ptr<const Polyhedron> polyhedron;

  bool operator==(const Hull& other) const {
    if (polyhedron == other.polyhedron) return true;
    return polyhedron != nullptr && other.polyhedron != nullptr && polyhedron->corners == other.polyhedron->corners;
  }
};

using ShapeGeometry = std::variant<Plane, Sphere, Box, Capsule, Cylinder, Disk, Hull>;

// The word that scene files and recordings use for the shape.
std::string ShapeName(const ShapeGeometry& geometry);

// The shape with all its lengths multiplied by a factor above 0.
ShapeGeometry Scaled(const ShapeGeometry& geometry, double factor);

// Radius of the smallest sphere about the shape's origin that holds it; infinite for the plane.
double BoundingRadius(const ShapeGeometry& geometry);

// How thick the shape is where it is thinnest, halved; of a hull the radius of a ball inside it. A disk, which has no
// thickness, counts by its radius, and the plane is infinite.
double SmallestHalfExtent(const ShapeGeometry& geometry);

}  // namespace slipstick
