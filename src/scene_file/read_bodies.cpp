#include <fmt/format.h>

#include <cmath>

#include "slipstick/geometry/mass_properties.h"
#include "slipstick/geometry/random_stone.h"
#include "slipstick/scene/known_names.h"
#include "slipstick/scene/material_properties.h"
#include "slipstick/scene/shape_mass.h"
#include "slipstick/scene_file/scene_parts.h"
#include "slipstick/scene_file/shape_copies.h"

namespace slipstick::internal {
namespace {

constexpr double kInertiaTolerance = 1e-9;  // as IsPhysicalInertia has it

// --- materials -------------------------------------------------------------------------------------------------------

ScenePairProperties ReadProperties(const Place& place, DocumentReader* reader) {
  ScenePairProperties properties;
  for (const MaterialProperty& property : MaterialProperties()) {
    if (const auto child = place.Child(property.name)) properties.*property.given = reader->Value(*child);
  }
  return properties;
}

// --- shapes ----------------------------------------------------------------------------------------------------------

// The convex hull of given points. What is no polyhedron yields a fault and a harmless one.
Hull ReadHull(const Place& place, DocumentReader* reader) {
  std::vector<Vec3> points;
  const size_t faults = reader->fault_count();
  if (const auto list = place.Child("points")) {
    for (const Place& item : list->Items()) points.push_back(reader->FiniteVector(item));
    const ConvexHull hull = MakeConvexHull(points);
    if (hull.polyhedron) return {hull.polyhedron};
    if (reader->fault_count() == faults) reader->Fail(*list, "a list of points: " + hull.fault);
  }
  const Vec3 corners[] = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  return {MakeConvexHull(corners).polyhedron};
}

StonePlan ReadStone(const Place& place, DocumentReader* reader) {
  StonePlan stone;
  stone.half_axes = Vec3::Constant(reader->Value(place, "radius"));
  if (const auto size = place.Child("size")) stone.half_axes = 0.5 * reader->Vector(*size);
  if (place.Child("points")) stone.points = ReadIndex(place, "points");
  if (place.Child("radius").has_value() == place.Child("size").has_value()) {
    reader->Fail(place, "a radius or a size, one of the two");
  }
  return stone;
}

// The stone that a plan stands for. Of a faulty one none, which is nothing that anybody looks at then.
ShapeGeometry DrawStone(const Place& place, const StonePlan& stone) {
  const bool has_size = stone.half_axes.allFinite() && stone.half_axes.minCoeff() > 0;
  if (!has_size || stone.points < StonePlan::kFewestPoints || stone.points > StonePlan::kMostPoints) return Plane{};
  const auto seed = place.Child("seed");
  RandomSource random(seed && seed->node->number >= 0 ? static_cast<std::uint64_t>(seed->node->number) : 0);
  return Hull{RandomStone(stone.half_axes, stone.points, &random)};
}

ShapeGeometry ReadGeometry(const Place& place, const std::string& type, DocumentReader* reader) {
  if (type == "hull") return ReadHull(place, reader);
  const double radius = reader->Value(place, "radius");
  const double half_length = 0.5 * reader->Value(place, "length");
  if (type == "sphere") return Sphere{radius};
  if (type == "capsule") return Capsule{radius, half_length};
  if (type == "cylinder") return Cylinder{radius, half_length};
  if (type == "disk") return Disk{radius};
  if (type == "box") {
    const auto size = place.Child("size");
    return Box{size ? Vec3(0.5 * reader->Vector(*size)) : Vec3::Zero()};
  }
  return Plane{};
}

SceneShape ReadShape(const Place& item, DocumentReader* reader) {
  SceneShape shape;
  shape.name = ReadName(item);
  const auto type = item.Child("type");
  // a shape of unknown type is the schema's fault already; its other keys are still looked at
  const std::string word = type && type->node->is_text() ? type->node->text : "plane";
  if (word == "stone") {
    shape.stone = ReadStone(item, reader);
    shape.geometry = DrawStone(item, *shape.stone);
  } else {
    shape.geometry = ReadGeometry(item, word, reader);
  }
  shape.pose = reader->Frame(item);
  if (const auto material = item.Child("material")) shape.material = reader->Text(*material);
  if (const auto collides = item.Child("collides")) shape.collides = reader->Flag(*collides);
  return shape;
}

std::vector<SceneShape> ReadShapes(const Place& owner, const std::string& owner_key, DocumentReader* reader) {
  std::vector<SceneShape> shapes;
  const auto list = owner.Child("shapes");
  if (!list) return shapes;
  const std::string key = JoinPath(owner_key, "shapes");
  const std::vector<Place> items = list->Items();
  NameMaker names;
  for (const Place& item : items) names.Take(ReadName(item));
  for (const Place& item : items) {
    std::vector<SceneShape> copies = CopiesOf(ReadShape(item, reader), item, reader);
    for (std::size_t i = 0; i < copies.size(); ++i) {
      // the first has the name that was given
      if (i > 0 && !copies[i].name.empty()) copies[i].name = names.MakeUp(copies[i].name);
      KeyOf(key, copies[i].name, shapes.size(), item, reader);
      shapes.push_back(std::move(copies[i]));
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
      inertia(i, i) = reader->Value(rows[i]);
  }
  return inertia;
}

void ReadMass(const Place& item, DocumentReader* reader, SceneBody* body) {
  const auto mass = item.Child("mass"), density = item.Child("density"), inertia = item.Child("inertia");
  const auto com = item.Child("com");
  body->mass = 1;
  if (density) {
    for (const auto& other : {mass, inertia, com})
      if (other) reader->Fail(*other, "no such key beside density, which gives mass, com and inertia");
  } else if (!mass) {
    reader->FailMissing(item, "mass", "mass and inertia, mass and shapes, or density and shapes");
  }
  const double density_value = density ? reader->Number(*density, DensityRule()) : 0;
  if (mass && !density) body->mass = reader->Value(*mass);
  if (com) body->com = reader->Vector(*com);
  if (inertia) {
    const Mat3 given = ReadInertia(*inertia, reader);
    // what rounding in the file left; what is more than that stays for Validate
    const bool is_symmetric =
        (given - given.transpose()).cwiseAbs().maxCoeff() <= kInertiaTolerance * given.cwiseAbs().maxCoeff();
    body->inertia = is_symmetric ? Mat3(0.5 * (given + given.transpose())) : given;
  } else if (density) {
    SpreadDensity(density_value > 0 ? density_value : 1, body);  // what is 0 is a fault that is known
  } else if (mass) {
    SpreadMass(body, com.has_value());
  } else {
    body->inertia.setIdentity();
  }
}

}  // namespace

void ReadMaterials(const Place& document, DocumentReader* reader, Scene* scene) {
  bool has_default = false;
  if (const auto list = document.Child("materials"))
    for (const Place& item : list->Items()) {
      const SceneMaterial material{ReadName(item), ReadProperties(item, reader)};
      if (material.name == scene->default_material.name && !has_default) {
        has_default = true;
        scene->default_material = material;
      } else {
        KeyOf("materials", material.name, scene->materials.size(), item, reader);
        scene->materials.push_back(material);
      }
    }
  const auto pairs = document.Child("material_pairs");
  if (!pairs) return;
  for (const Place& item : pairs->Items()) {
    SceneMaterialPair pair;
    if (const auto between = item.Child("between")) {
      const std::vector<Place> both = between->Items();
      if (both.size() == 2)
        for (int i = 0; i < 2; ++i) pair.between[i] = reader->Text(both[i]);
    }
    pair.properties = ReadProperties(item, reader);
    scene->pairs.push_back(pair);
  }
}

void ReadBodies(const Place& document, DocumentReader* reader, Scene* scene) {
  if (const auto world = document.Child("world")) scene->world_shapes = ReadShapes(*world, "world", reader);
  const auto list = document.Child("bodies");
  if (!list) return;
  for (const Place& item : list->Items()) {
    if (!item.node->is_map()) continue;  // the schema's fault
    const std::string name = ReadName(item);
    SceneBody body = ReadBody(item, KeyOf("bodies", name, scene->bodies.size(), item, reader), reader);
    body.name = name;
    body.release = reader->Value(item, "release");
    scene->bodies.push_back(std::move(body));
  }
}

SceneBody ReadBody(const Place& item, const std::string& key, DocumentReader* reader) {
  SceneBody body;
  body.shapes = ReadShapes(item, key, reader);
  ReadMass(item, reader, &body);
  body.pose = reader->Frame(item);
  body.linear_velocity = reader->Vector(item, "velocity");
  body.angular_velocity = reader->Vector(item, "angular_velocity");
  return body;
}

}  // namespace slipstick::internal
