#include "slipstick/collision/collide_sphere.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/check.h"

namespace slipstick::internal {
namespace {

// The point at `core` + radius in the direction of p, or of `fallback` where p is the core point itself.
SurfacePoint Rounded(const Vec3& core, double radius, const Vec3& p, const Vec3& fallback) {
  const Vec3 away = p - core;
  const double distance = away.stableNorm();
  const Vec3 normal = distance > 0 ? Vec3(away / distance) : fallback;
  return {core + radius * normal, normal, distance - radius};
}

// Unit vector from the z axis to p, any one where p is on the axis.
Vec3 Radial(const Vec3& p) {
  const double distance = std::hypot(p.x(), p.y());
  return distance > 0 ? Vec3(p.x() / distance, p.y() / distance, 0) : Vec3(Vec3::UnitX());
}

// The point of a face nearest to p, which stands above the face's plane: its foot, or the nearest point of a side that
// the foot is beyond.
Vec3 NearestOfFace(const Polyhedron& polyhedron, const Polyhedron::Face& face, const Vec3& p) {
  const Vec3 foot = p - (face.normal.dot(p) - face.offset) * face.normal;
  Vec3 nearest = foot;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < face.count; ++k) {
    const Vec3& from = polyhedron.corners[polyhedron.loops[face.first + k]];
    const Vec3& to = polyhedron.corners[polyhedron.loops[face.first + (k + 1 < face.count ? k + 1 : 0)]];
    const Vec3 side = to - from;
    if (!(side.cross(face.normal).dot(foot - from) > 0)) continue;
    const Vec3 on_side = from + std::clamp(side.dot(foot - from) / side.squaredNorm(), 0.0, 1.0) * side;
    const double distance = (p - on_side).squaredNorm();
    if (distance < least) {
      least = distance;
      nearest = on_side;
    }
  }
  return nearest;
}

SurfacePoint ClosestOnPolyhedron(const Polyhedron& polyhedron, const Vec3& p) {
  const Polyhedron::Face* highest = &HighestFace(polyhedron, p);
  const double height = highest->normal.dot(p) - highest->offset;
  const SurfacePoint below{p - height * highest->normal, highest->normal, height};
  if (height <= 0) return below;
  Vec3 nearest = NearestOfFace(polyhedron, *highest, p);
  double least = (p - nearest).squaredNorm();
  for (const Polyhedron::Face& face : polyhedron.faces) {
    const double above = face.normal.dot(p) - face.offset;
    // no point of this face is nearer than its plane
    if (&face == highest || above <= 0 || above * above >= least) continue;
    const Vec3 candidate = NearestOfFace(polyhedron, face, p);
    const double distance = (p - candidate).squaredNorm();
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return Rounded(nearest, 0, p, highest->normal);
}

struct ClosestOn {
  const Vec3& p;

  SurfacePoint operator()(const Plane&) const { FailCheck("shape has a bounded surface", __FILE__, __LINE__, "plane"); }

  SurfacePoint operator()(const Sphere& sphere) const { return Rounded(Vec3::Zero(), sphere.radius, p, Vec3::UnitZ()); }

  SurfacePoint operator()(const Box& box) const {
    const Vec3& half = box.half_extents;
    const Vec3 inside = p.cwiseMax(-half).cwiseMin(half);
    if (inside != p) return Rounded(inside, 0, p, Vec3::UnitZ());
    int axis = 0;
    (half - p.cwiseAbs()).minCoeff(&axis);  // the nearest face
    SurfacePoint surface{p, Vec3::Zero(), std::abs(p(axis)) - half(axis)};
    surface.normal(axis) = p(axis) < 0 ? -1.0 : 1.0;
    surface.point(axis) = surface.normal(axis) * half(axis);
    return surface;
  }

  SurfacePoint operator()(const Capsule& capsule) const {
    const double z = std::clamp(p.z(), -capsule.half_length, capsule.half_length);
    return Rounded(Vec3(0, 0, z), capsule.radius, p, Vec3::UnitX());
  }

  SurfacePoint operator()(const Cylinder& cylinder) const {
    const Vec3 radial = Radial(p);
    const double r = std::hypot(p.x(), p.y());
    const bool within_side = r <= cylinder.radius;
    const bool within_ends = std::abs(p.z()) <= cylinder.half_length;
    const Vec3 end(0, 0, p.z() < 0 ? -1.0 : 1.0);
    const SurfacePoint side{cylinder.radius * radial + Vec3(0, 0, p.z()), radial, r - cylinder.radius};
    const SurfacePoint flat{Vec3(p.x(), p.y(), end.z() * cylinder.half_length), end,
                            std::abs(p.z()) - cylinder.half_length};
    if (within_side && within_ends) return side.distance > flat.distance ? side : flat;
    if (within_side) return flat;
    if (within_ends) return side;
    return Rounded(cylinder.radius * radial + cylinder.half_length * end, 0, p, radial);
  }

  SurfacePoint operator()(const Disk& disk) const {
    if (std::hypot(p.x(), p.y()) > disk.radius) return Rounded(disk.radius * Radial(p), 0, p, Radial(p));
    return {Vec3(p.x(), p.y(), 0), Vec3(0, 0, p.z() < 0 ? -1.0 : 1.0), std::abs(p.z())};
  }

  SurfacePoint operator()(const Hull& hull) const { return ClosestOnPolyhedron(*hull.polyhedron, p); }
};

}  // namespace

SurfacePoint ClosestSurfacePoint(const ShapeGeometry& geometry, const Vec3& p) {
  return std::visit(ClosestOn{p}, geometry);
}

void CollideSphere(const Sphere& sphere, const Pose& X_WS, const ShapeGeometry& b, const Pose& X_WB, double margin,
                   std::vector<LocalContact>* out) {
  if (const Sphere* other = std::get_if<Sphere>(&b)) {
    LocalContact contact;
    if (CollideSpheres(X_WS.position, sphere.radius, X_WB.position, other->radius, margin, &contact)) {
      out->push_back(contact);
    }
    return;
  }
  const SurfacePoint surface = ClosestSurfacePoint(b, X_WB.Inverse() * X_WS.position);
  const double gap = surface.distance - sphere.radius;
  if (!(gap <= margin)) return;
  const Vec3 normal = (X_WB.rotation * surface.normal).normalized();
  const Vec3 point_b = X_WB * surface.point;
  out->push_back({normal, point_b + gap * normal, point_b, gap, FeatureId(0, 0)});
}

}  // namespace slipstick::internal
