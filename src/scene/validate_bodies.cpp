#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "slipstick/geometry/mass_properties.h"
#include "slipstick/scene/body_group.h"
#include "slipstick/scene/validate_parts.h"

namespace slipstick::internal {
namespace {

// --- shapes ----------------------------------------------------------------------------------------------------------

// Sizes by the keys that a scene file has for them.
struct SizeCheck {
  const Key& key;
  Findings* findings;

  bool Radius(double radius) const { return findings->Number(key.Of("radius"), radius, AboveZero("m")); }
  bool Length(double half) const { return findings->Number(key.Of("length"), 2 * half, AboveZero("m")); }

  bool operator()(const Plane&) const { return true; }
  bool operator()(const Sphere& sphere) const { return Radius(sphere.radius); }
  bool operator()(const Disk& disk) const { return Radius(disk.radius); }
  bool operator()(const Box& box) const {
    return findings->Vector(key.Of("size"), 2 * box.half_extents, AboveZero("m"));
  }
  bool operator()(const Capsule& capsule) const {
    const bool radius = Radius(capsule.radius);
    return Length(capsule.half_length) && radius;
  }
  bool operator()(const Cylinder& cylinder) const {
    const bool radius = Radius(cylinder.radius);
    return Length(cylinder.half_length) && radius;
  }
  bool operator()(const Hull& hull) const {
    if (hull.polyhedron != nullptr) return true;
    findings->Add(key.Of("points"), "a list of points: four points at least, not all in one plane", "nothing");
    return false;
  }
};

void CheckShapes(const Key& list, const std::vector<SceneShape>& shapes, Findings* findings) {
  NameCheck names("a shape");
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const SceneShape& shape = shapes[i];
    const Key key = list.Item(shape.name, i);
    names.Optional(key, shape.name, findings);
    if (shape.stone) {
      const Hull* hull = std::get_if<Hull>(&shape.geometry);
      if (CheckStone(key, *shape.stone, findings) && (hull == nullptr || hull->polyhedron == nullptr))
        findings->Add(key, "the hull that was drawn from the stone's plan", "none");
    } else {
      std::visit(SizeCheck{key, findings}, shape.geometry);
    }
    findings->Frame(key, shape.pose);
  }
}

void CheckMaterialNames(const Key& list, const std::vector<SceneShape>& shapes, const KnownNames& materials,
                        Findings* findings) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const SceneShape& shape = shapes[i];
    if (!shape.material.empty())
      findings->Reference(list.Item(shape.name, i).Of("material"), materials, shape.material);
  }
}

// --- mass ------------------------------------------------------------------------------------------------------------

// Each entry; a file may give the diagonal alone.
bool CheckFinite(const Key& key, const Mat3& inertia, Findings* findings) {
  if (inertia.allFinite()) return true;
  const bool is_diagonal = inertia(0, 1) == 0 && inertia(0, 2) == 0 && inertia(1, 2) == 0 && inertia(1, 0) == 0 &&
                           inertia(2, 0) == 0 && inertia(2, 1) == 0;
  for (std::size_t row = 0; row < 3; ++row) {
    const Key row_key = key.Of(row);
    for (std::size_t column = 0; column < 3; ++column) {
      if (is_diagonal && row != column) continue;
      findings->Number(is_diagonal ? row_key : row_key.Of(column), inertia(row, column));
    }
  }
  return false;
}

void CheckInertia(const Key& key, const Mat3& inertia, Findings* findings) {
  if (!CheckFinite(key, inertia, findings) || IsPhysicalInertia(inertia)) return;
  if (inertia.isZero(0)) {
    findings->Add(key, "an inertia, or shapes with volume to compute it from", "nothing");
    return;
  }
  const double scale = inertia.cwiseAbs().maxCoeff();
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > 1e-9 * scale) {
    findings->Add(key, "a symmetric inertia", "one that is not");
    return;
  }
  const Vec3 moments = Eigen::SelfAdjointEigenSolver<Mat3>(inertia).eigenvalues();
  findings->Add(key,
                moments[0] <= 0 ? "an inertia with principal moments above 0"
                                : "an inertia with no principal moment above the sum of the other two",
                fmt::format("principal moments {:.6g}, {:.6g}, {:.6g}", moments[0], moments[1], moments[2]));
}

// --- bodies ----------------------------------------------------------------------------------------------------------

// The group of each body; null for bodies that stand alone.
std::vector<const SceneGroup*> GroupsOfBodies(const Scene& scene, Findings* findings) {
  std::vector<const SceneGroup*> groups(scene.bodies.size(), nullptr);
  const Key list("groups");
  NameCheck names("a group");
  for (std::size_t i = 0; i < scene.groups.size(); ++i) {
    const SceneGroup& group = scene.groups[i];
    const Key key = list.Item(group.name, i);
    names.Required(key, group.name, findings);
    const double end = static_cast<double>(group.first) + group.count;
    if (group.first < 0 || group.count < 0 || end > static_cast<double>(scene.bodies.size())) {
      findings->Add(key, fmt::format("bodies of the scene, which has {}", scene.bodies.size()),
                    fmt::format("{} from number {} on", group.count, group.first));
    } else {
      std::fill_n(groups.begin() + group.first, group.count, &group);
    }
    if (end > kMostBodies) {
      findings->Add(key, fmt::format("at most {} bodies", kMostBodies), fmt::format("{:.0f}", end));
    }
  }
  return groups;
}

}  // namespace

bool CheckStone(const Key& key, const StonePlan& stone, Findings* findings) {
  const std::size_t before = findings->count();
  const Vec3& half = stone.half_axes;
  if (half[0] == half[1] && half[1] == half[2]) {
    findings->Number(key.Of("radius"), half[0], AboveZero("m"));
  } else {
    findings->Vector(key.Of("size"), 2 * half, AboveZero("m"));
  }
  if (stone.points < StonePlan::kFewestPoints || stone.points > StonePlan::kMostPoints)
    findings->Add(key.Of("points"),
                  fmt::format("a whole number from {} to {}", StonePlan::kFewestPoints, StonePlan::kMostPoints),
                  fmt::format("{}", stone.points));
  return findings->count() == before;
}

void CheckBody(const Key& key, const SceneBody& body, bool has_mass, Findings* findings) {
  const std::size_t before = findings->count();
  CheckShapes(key.Of("shapes"), body.shapes, findings);
  const bool shapes_are_right = findings->count() == before;
  if (has_mass) {
    findings->Number(key.Of("mass"), body.mass, AboveZero("kg"));
    findings->Vector(key.Of("com"), body.com);
    // from shapes that are wrong nothing can be computed, and they are faults already
    if (shapes_are_right || !body.inertia.isZero(0)) CheckInertia(key.Of("inertia"), body.inertia, findings);
  }
  findings->Frame(key, body.pose);
  findings->Vector(key.Of("velocity"), body.linear_velocity);
  findings->Vector(key.Of("angular_velocity"), body.angular_velocity);
  findings->Number(key.Of("release"), body.release, AtLeastZero("s"));
}

void CheckBodies(const Scene& scene, Findings* findings) {
  const KnownNames materials = MaterialNames(scene);
  const Key world("world"), world_shapes = world.Of("shapes");
  CheckShapes(world_shapes, scene.world_shapes, findings);
  CheckMaterialNames(world_shapes, scene.world_shapes, materials, findings);
  const std::vector<const SceneGroup*> groups = GroupsOfBodies(scene, findings);
  const Key list("bodies"), group_list("groups");
  NameCheck names("a body");
  std::unordered_set<std::string> taken;
  const SceneGroup* told = nullptr;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const SceneBody& body = scene.bodies[i];
    const Key key = list.Item(body.name, i);
    const bool is_new = taken.insert(body.name).second;
    if (groups[i] == nullptr || body.name.empty()) {
      names.Required(key, body.name, findings);
    } else if (!is_new && told != groups[i]) {
      told = groups[i];
      const Key group = group_list.Of(told->name);
      findings->Add(group.Of("name"), "a group whose bodies have names of their own",
                    fmt::format("'{}' a second time", body.name));
    }
    CheckBody(key, body, true, findings);
    CheckMaterialNames(key.Of("shapes"), body.shapes, materials, findings);
  }
}

}  // namespace slipstick::internal
