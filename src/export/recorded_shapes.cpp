#include "slipstick/export/recorded_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "slipstick/base/fault.h"

namespace slipstick::internal {
namespace {

[[noreturn]] void Fail(const RecordingHeader::Shape& shape, const std::string& expected, const std::string& found) {
  throw InputError({Fault{.file = "recording.h5",
                          .line = 0,
                          .key = fmt::format("shapes.{}.{}", shape.body, shape.name),
                          .expected = expected,
                          .found = found}});
}

// A hull as recorded; without its faces, as older recordings have it, they are found again.
ShapeGeometry HullOf(const RecordingHeader::Shape& shape) {
  std::vector<Vec3> corners;
  for (std::size_t i = 0; i + 3 <= shape.sizes.size(); i += 3) corners.emplace_back(&shape.sizes[i]);
  if (shape.faces.empty()) {
    const ConvexHull hull = MakeConvexHull(corners);
    if (!hull.polyhedron) Fail(shape, hull.fault, "others");
    return Hull{hull.polyhedron};
  }
  auto polyhedron = std::make_shared<Polyhedron>();
  for (std::size_t i = 0; i < shape.faces.size();) {
    const auto count = static_cast<std::size_t>(std::max(shape.faces[i], 0));
    if (count < 3 || i + count >= shape.faces.size()) Fail(shape, "faces of three corners and more", "a broken list");
    Polyhedron::Face face;
    face.first = static_cast<int>(polyhedron->loops.size());
    face.count = static_cast<int>(count);
    for (std::size_t k = 1; k <= count; ++k) {
      const std::int32_t corner = shape.faces[i + k];
      if (corner < 0 || static_cast<std::size_t>(corner) >= corners.size()) {
        Fail(shape, fmt::format("corners below {}", corners.size()), fmt::format("{}", corner));
      }
      polyhedron->loops.push_back(corner);
    }
    polyhedron->faces.push_back(face);
    i += count + 1;
  }
  for (const Vec3& corner : corners) polyhedron->reach = std::max(polyhedron->reach, corner.norm());
  polyhedron->corners = std::move(corners);
  return Hull{polyhedron};
}

// Sides of what is round, so that a frame of ten thousand spheres stays below a million triangles.
int SidesFor(std::size_t shapes) { return shapes <= 200 ? 24 : shapes <= 2000 ? 16 : 8; }

// How far from its origin a plane must reach.
double PlaneHalfWidth(const ExportSource& source, const Pose& plane, const std::vector<Vec3>& least_most) {
  double reach = 0;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 at;
    for (int k = 0; k < 3; ++k) at[k] = least_most[(corner >> k) & 1][k];
    const Vec3 local = plane.Inverse() * at;
    reach = std::max({reach, std::abs(local.x()), std::abs(local.y())});
  }
  return source.header().body_names.empty() ? 1.0 : 1.1 * reach;
}

// The box that holds the bodies' shapes in all frames, planes aside: its least and its largest corner.
std::vector<Vec3> Bounds(const ExportSource& source, const std::vector<ShapeGeometry>& geometries,
                         const std::vector<RecordedShape>& shapes) {
  const RecordingHeader& header = source.header();
  std::vector<double> radius(header.body_names.size(), 0.0);
  Vec3 least = Vec3::Constant(INFINITY), most = -least;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const double bound = BoundingRadius(geometries[i]);
    if (!std::isfinite(bound)) continue;
    if (shapes[i].body >= 0) {
      radius[shapes[i].body] = std::max(radius[shapes[i].body], shapes[i].pose.position.norm() + bound);
    } else {
      least = least.cwiseMin(shapes[i].pose.position - Vec3::Constant(bound));
      most = most.cwiseMax(shapes[i].pose.position + Vec3::Constant(bound));
    }
  }
  for (const int frame : source.frames) {
    const std::vector<Pose> poses = source.PosesAt(frame);
    for (std::size_t body = 0; body < poses.size(); ++body) {
      if (!poses[body].position.allFinite()) continue;
      least = least.cwiseMin(poses[body].position - Vec3::Constant(radius[body]));
      most = most.cwiseMax(poses[body].position + Vec3::Constant(radius[body]));
    }
  }
  return least.allFinite() ? std::vector{least, most} : std::vector{Vec3(Vec3::Constant(-1)), Vec3(Vec3::Constant(1))};
}

}  // namespace

Pose Normalized(const Pose& pose) {
  const double norm = pose.rotation.norm();
  if (!(norm > 0)) return {Quat::Identity(), pose.position};
  return {Quat(pose.rotation.coeffs() / norm), pose.position};
}

ShapeGeometry ShapeOf(const RecordingHeader::Shape& shape) {
  const auto sizes = [&](std::size_t count) {
    if (shape.sizes.size() != count) {
      Fail(shape, fmt::format("{} sizes of a {}", count, shape.type), fmt::format("{}", shape.sizes.size()));
    }
    return shape.sizes.data();
  };
  if (shape.type == "plane") return Plane{};
  if (shape.type == "sphere") return Sphere{*sizes(1)};
  if (shape.type == "box") return Box{Vec3(sizes(3))};
  if (shape.type == "capsule") return Capsule{sizes(2)[0], sizes(2)[1]};
  if (shape.type == "cylinder") return Cylinder{sizes(2)[0], sizes(2)[1]};
  if (shape.type == "disk") return Disk{*sizes(1)};
  if (shape.type == "hull") return HullOf(shape);
  Fail(shape, "a type of shape that this program knows", fmt::format("'{}'", shape.type));
}

RecordedShapes ShapesOf(const ExportSource& source) {
  const RecordingHeader& header = source.header();
  std::map<std::string, int> body_of;
  for (std::size_t i = 0; i < header.body_names.size(); ++i) body_of[header.body_names[i]] = static_cast<int>(i);
  RecordedShapes all;
  std::vector<ShapeGeometry> geometries;
  for (const RecordingHeader::Shape& shape : header.shapes) {
    geometries.push_back(ShapeOf(shape));
    const auto body = body_of.find(shape.body);
    all.shapes.push_back({body == body_of.end() ? -1 : body->second, 0, Normalized(shape.pose)});
  }
  const std::vector<Vec3> bounds = Bounds(source, geometries, all.shapes);
  using Key = std::tuple<std::string, std::vector<double>, std::vector<std::int32_t>, double>;
  std::map<Key, int> mesh_of;
  MeshDetail detail{.sides = SidesFor(header.shapes.size())};
  for (std::size_t i = 0; i < header.shapes.size(); ++i) {
    const RecordingHeader::Shape& shape = header.shapes[i];
    const bool is_plane = std::holds_alternative<Plane>(geometries[i]);
    if (is_plane) detail.plane_half_width = PlaneHalfWidth(source, all.shapes[i].pose, bounds);
    const auto [mesh, is_new] =
        mesh_of.insert({{shape.type, shape.sizes, shape.faces, is_plane ? detail.plane_half_width : 0},
                        static_cast<int>(all.meshes.size())});
    if (is_new) all.meshes.push_back(MeshOf(geometries[i], detail));
    all.shapes[i].mesh = mesh->second;
  }
  return all;
}

}  // namespace slipstick::internal
