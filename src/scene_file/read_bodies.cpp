#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "slipstick/geometry/mass_properties.h"
#include "slipstick/scene/material_properties.h"
#include "slipstick/scene/shape_mass.h"
#include "slipstick/scene_file/scene_parts.h"
#include "slipstick/scene_file/shape_copies.h"

namespace slipstick::internal {
namespace {

NumberRule Positive(const std::string& unit) {
  NumberRule rule;
  rule.least = 0;
  rule.least_excluded = true;
  rule.unit = unit;
  return rule;
}

NumberRule AtLeastZero(const std::string& unit = "") {
  NumberRule rule;
  rule.least = 0;
  rule.unit = unit;
  return rule;
}

// --- materials -------------------------------------------------------------------------------------------------------

ScenePairProperties ReadProperties(const Place& place, DocumentReader* reader) {
  ScenePairProperties properties;
  for (const MaterialProperty& property : MaterialProperties()) {
    const auto child = place.Child(property.name);
    if (!child) continue;
    properties.*property.given = reader->Number(*child, {.least = property.range.least,
                                                         .most = property.range.most,
                                                         .least_excluded = property.range.least_excluded,
                                                         .may_be_infinite = property.may_be_infinite,
                                                         .unit = property.unit});
  }
  if (const auto kinetic = place.Child("friction_kinetic")) {
    if (!properties.friction)
      reader->FailMissing(place, "friction", "the friction of sticking beside friction_kinetic");
    else if (*properties.friction_kinetic > *properties.friction)
      reader->Fail(*kinetic, fmt::format("at most the friction of sticking, {}", *properties.friction));
  }
  if (const auto modulus_place = place.Child("young_modulus")) {
    if (properties.normal_stiffness)
      reader->Fail(*modulus_place, "young_modulus or normal_stiffness, not both: either gives the normal stiffness");
  }
  return properties;
}

// --- shapes ----------------------------------------------------------------------------------------------------------

// The convex hull of given points. What is no polyhedron yields a fault and a harmless one.
Hull ReadHull(const Place& place, DocumentReader* reader) {
  std::vector<Vec3> points;
  const size_t faults = reader->fault_count();
  if (const auto list = place.Child("points")) {
    for (const Place& item : list->Items()) points.push_back(reader->Vector(item));
    const ConvexHull hull = MakeConvexHull(points);
    if (hull.polyhedron) return {hull.polyhedron};
    if (reader->fault_count() == faults) reader->Fail(*list, "a list of points: " + hull.fault);
  }
  const Vec3 corners[] = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  return {MakeConvexHull(corners).polyhedron};
}

StonePlan ReadStone(const Place& place, DocumentReader* reader) {
  StonePlan stone;
  const size_t faults = reader->fault_count();
  stone.half_axes = Vec3::Constant(reader->Number(place, "radius", 0, Positive("m")));
  if (const auto size = place.Child("size")) stone.half_axes = 0.5 * reader->Vector(*size, Positive("m"));
  if (const auto points = place.Child("points")) {
    const double count = points->node->is_number() ? points->node->number : 0;
    if (!(count >= 8 && count <= 200 && count == std::floor(count))) {
      reader->Fail(*points, "a whole number from 8 to 200");
    } else {
      stone.points = static_cast<int>(count);
    }
  }
  if (place.Child("radius").has_value() == place.Child("size").has_value()) {
    reader->Fail(place, "a radius or a size, one of the two");
  }
  if (reader->fault_count() > faults || !(stone.half_axes.minCoeff() > 0)) stone.half_axes.setOnes();
  return stone;
}

ShapeGeometry ReadGeometry(const Place& place, const std::string& type, DocumentReader* reader) {
  if (type == "hull") return ReadHull(place, reader);
  const double radius = reader->Number(place, "radius", 0, Positive("m"));
  const double half_length = 0.5 * reader->Number(place, "length", 0, Positive("m"));
  if (type == "sphere") return Sphere{radius};
  if (type == "capsule") return Capsule{radius, half_length};
  if (type == "cylinder") return Cylinder{radius, half_length};
  if (type == "disk") return Disk{radius};
  if (type == "box") {
    const auto size = place.Child("size");
    return Box{size ? Vec3(0.5 * reader->Vector(*size, Positive("m"))) : Vec3::Zero()};
  }
  return Plane{};
}

std::vector<SceneShape> ReadShapes(const Place& owner, const KnownNames& materials, DocumentReader* reader) {
  std::vector<SceneShape> shapes;
  std::vector<std::size_t> first_of_copies;  // of each shape: the one it is a copy of, itself where it is none
  const auto list = owner.Child("shapes");
  if (!list) return shapes;
  const std::vector<Place> items = list->Items();
  NameList names("a shape");
  for (const Place& item : items) {
    SceneShape shape;
    names.Add(item, reader, &shape.name);
    const auto type = item.Child("type");
    // a shape of unknown type is the schema's fault already; its other keys are still looked at
    const std::string word = type && type->node->is_text() ? type->node->text : "plane";
    if (word == "stone") {
      shape.stone = ReadStone(item, reader);
      const auto seed = item.Child("seed");
      RandomSource random(seed && seed->node->number >= 0 ? static_cast<std::uint64_t>(seed->node->number) : 0);
      shape.geometry = Hull{RandomStone(shape.stone->half_axes, shape.stone->points, &random)};
    } else {
      shape.geometry = ReadGeometry(item, word, reader);
    }
    shape.pose = reader->Frame(item);
    if (const auto material = item.Child("material")) shape.material = materials.Read(*material, reader);
    if (const auto collides = item.Child("collides")) shape.collides = reader->Flag(*collides);
    const std::vector<SceneShape> copies = CopiesOf(shape, item, reader);
    first_of_copies.insert(first_of_copies.end(), copies.size(), shapes.size());
    shapes.insert(shapes.end(), copies.begin(), copies.end());
  }
  // after all given names are known; the first of copies has the name that was given
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const std::string& given = shapes[first_of_copies[i]].name;
    if (shapes[i].name.empty() || first_of_copies[i] != i) {
      shapes[i].name = names.MakeUp(given.empty() ? ShapeName(shapes[i].geometry) : given);
    }
  }
  return shapes;
}

// --- mass ------------------------------------------------------------------------------------------------------------

Mat3 ReadInertia(const Place& place, DocumentReader* reader) {
  Mat3 inertia = Mat3::Zero();
  const std::vector<Place> rows = place.Items();
  if (rows.size() != 3) {
    reader->Fail(place, "a list of 3 numbers (diagonal) or of 3 rows of 3 numbers");
    return inertia;
  }
  const bool full = rows[0].node->is_list();
  for (int i = 0; i < 3; ++i) {
    if (rows[i].node->is_list() != full)
      reader->Fail(rows[i], full ? "a row of 3 numbers, as the first one" : "a number, as the first one");
    else if (full)
      inertia.row(i) = reader->Vector(rows[i]).transpose();
    else
      inertia(i, i) = reader->Number(rows[i]);
  }
  return inertia;
}

void CheckInertia(const Place& place, const Mat3& inertia, DocumentReader* reader) {
  if (IsPhysicalInertia(inertia)) return;
  const double scale = inertia.cwiseAbs().maxCoeff();
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > 1e-9 * scale) {
    reader->Fail(place, "a symmetric inertia", "one that is not");
    return;
  }
  const Vec3 moments = Eigen::SelfAdjointEigenSolver<Mat3>(inertia).eigenvalues();
  const std::string found = fmt::format("principal moments {:.6g}, {:.6g}, {:.6g}", moments[0], moments[1], moments[2]);
  reader->Fail(place,
               moments[0] <= 0 ? "an inertia with principal moments above 0"
                               : "an inertia with no principal moment above the sum of the other two",
               found);
}

// `faults_at_start`: how many there were before this body's shapes were read.
void ReadMass(const Place& item, size_t faults_at_start, DocumentReader* reader, SceneBody* body) {
  const auto mass = item.Child("mass"), density = item.Child("density"), inertia = item.Child("inertia");
  const auto com = item.Child("com");
  if (density) {
    for (const auto& other : {mass, inertia, com})
      if (other) reader->Fail(*other, "no such key beside density, which gives mass, com and inertia");
  } else if (!mass) {
    reader->FailMissing(item, "mass", "mass and inertia, mass and shapes, or density and shapes");
    return;
  }
  const double density_value = density ? reader->Number(*density, Positive("kg/m³")) : 0;
  if (mass) body->mass = reader->Number(*mass, Positive("kg"));
  if (com) body->com = reader->Vector(*com);
  if (inertia) {
    const size_t faults_before = reader->fault_count();
    const Mat3 given = ReadInertia(*inertia, reader);
    body->inertia = 0.5 * (given + given.transpose());
    if (reader->fault_count() == faults_before) CheckInertia(*inertia, given, reader);
    return;
  }
  // mass or density spread over the shapes
  if (reader->fault_count() > faults_at_start) return;
  const MassProperties unit = ShapesAtDensityOne(body->shapes);
  if (!(unit.mass > 0) || !IsPhysicalInertia(unit.inertia)) {
    reader->FailMissing(item, "inertia", "an inertia, or shapes with volume to compute it from");
    return;
  }
  const double scale = density ? density_value : body->mass / unit.mass;
  body->mass = scale * unit.mass;
  body->inertia = scale * unit.inertia;
  if (!com) body->com = unit.com;
}

}  // namespace

void ReadMaterials(const Place& document, DocumentReader* reader, Scene* scene) {
  scene->default_material.name = "default";
  NameList names("a material");
  if (const auto list = document.Child("materials"))
    for (const Place& item : list->Items()) {
      SceneMaterial material;
      if (!names.Add(item, reader, &material.name)) continue;
      material.properties = ReadProperties(item, reader);
      if (material.name == scene->default_material.name)
        scene->default_material = material;
      else
        scene->materials.push_back(material);
    }
  const auto pairs = document.Child("material_pairs");
  if (!pairs) return;
  const KnownNames known = MaterialNames(*scene);
  for (const Place& item : pairs->Items()) {
    SceneMaterialPair pair;
    if (const auto between = item.Child("between")) {
      const std::vector<Place> both = between->Items();
      if (both.size() == 2)
        for (int i = 0; i < 2; ++i) pair.between[i] = known.Read(both[i], reader);
      for (const SceneMaterialPair& other : scene->pairs) {
        const bool same =
            std::minmax(other.between[0], other.between[1]) == std::minmax(pair.between[0], pair.between[1]);
        if (same && !pair.between[0].empty() && !pair.between[1].empty())
          reader->Fail(*between, "each pair of materials once",
                       fmt::format("'{}' and '{}' a second time", pair.between[0], pair.between[1]));
      }
    }
    pair.properties = ReadProperties(item, reader);
    scene->pairs.push_back(pair);
  }
}

void ReadBodies(const Place& document, DocumentReader* reader, Scene* scene) {
  const KnownNames materials = MaterialNames(*scene);
  if (const auto world = document.Child("world")) scene->world_shapes = ReadShapes(*world, materials, reader);
  const auto list = document.Child("bodies");
  if (!list) return;
  NameList names("a body");
  for (const Place& item : list->Items()) {
    if (!item.node->is_map()) continue;  // the schema's fault
    std::string name;
    const bool named = names.Add(item, reader, &name);
    SceneBody body = ReadBody(item, materials, reader);
    body.name = name;
    NumberRule release = AtLeastZero();
    release.unit = "s";
    body.release = reader->Number(item, "release", 0, release);
    if (named) scene->bodies.push_back(std::move(body));
  }
}

SceneBody ReadBody(const Place& item, const KnownNames& materials, DocumentReader* reader) {
  SceneBody body;
  const size_t faults_at_start = reader->fault_count();
  body.shapes = ReadShapes(item, materials, reader);
  ReadMass(item, faults_at_start, reader, &body);
  body.pose = reader->Frame(item);
  body.linear_velocity = reader->Vector(item, "velocity");
  body.angular_velocity = reader->Vector(item, "angular_velocity");
  return body;
}

}  // namespace slipstick::internal
