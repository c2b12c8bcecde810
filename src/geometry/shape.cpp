#include "slipstick/geometry/shape.h"

#include <algorithm>

#include <cmath>
#include <limits>

namespace slipstick {
namespace {

struct NameOf {
  const char* operator()(const Plane&) const { return "plane"; }
  const char* operator()(const Sphere&) const { return "sphere"; }
  const char* operator()(const Box&) const { return "box"; }
  const char* operator()(const Capsule&) const { return "capsule"; }
  const char* operator()(const Cylinder&) const { return "cylinder"; }
  const char* operator()(const Disk&) const { return "disk"; }
  const char* operator()(const Hull&) const { return "hull"; }
};

struct ScaledBy {
  double factor;

  ShapeGeometry operator()(const Plane& plane) const { return plane; }
  ShapeGeometry operator()(const Sphere& sphere) const { return Sphere{factor * sphere.radius}; }
  ShapeGeometry operator()(const Box& box) const { return Box{factor * box.half_extents}; }
  ShapeGeometry operator()(const Capsule& c) const { return Capsule{factor * c.radius, factor * c.half_length}; }
  ShapeGeometry operator()(const Cylinder& c) const { return Cylinder{factor * c.radius, factor * c.half_length}; }
  ShapeGeometry operator()(const Disk& disk) const { return Disk{factor * disk.radius}; }
  ShapeGeometry operator()(const Hull& hull) const { return Hull{Scaled(*hull.polyhedron, factor)}; }
};

struct RadiusOf {
  double operator()(const Plane&) const { return std::numeric_limits<double>::infinity(); }
  double operator()(const Sphere& sphere) const { return sphere.radius; }
  double operator()(const Box& box) const { return box.half_extents.norm(); }
  double operator()(const Capsule& capsule) const { return capsule.radius + capsule.half_length; }
  double operator()(const Cylinder& cylinder) const { return std::hypot(cylinder.radius, cylinder.half_length); }
  double operator()(const Disk& disk) const { return disk.radius; }
  double operator()(const Hull& hull) const { return hull.polyhedron->reach; }
};

}  // namespace

std::string ShapeName(const ShapeGeometry& geometry) { return std::visit(NameOf{}, geometry); }

ShapeGeometry Scaled(const ShapeGeometry& geometry, double factor) { return std::visit(ScaledBy{factor}, geometry); }

double BoundingRadius(const ShapeGeometry& geometry) { return std::visit(RadiusOf{}, geometry); }

double SmallestHalfExtent(const ShapeGeometry& geometry) {
  if (const auto* box = std::get_if<Box>(&geometry)) return box->half_extents.minCoeff();
  if (const auto* capsule = std::get_if<Capsule>(&geometry)) return capsule->radius;
  if (const auto* cylinder = std::get_if<Cylinder>(&geometry)) return std::min(cylinder->radius, cylinder->half_length);
  if (const auto* hull = std::get_if<Hull>(&geometry)) return hull->polyhedron->inner_radius;
  return BoundingRadius(geometry);
}

}  // namespace slipstick
