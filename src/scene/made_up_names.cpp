#include "slipstick/scene/made_up_names.h"

#include <algorithm>

#include "slipstick/scene/known_names.h"

namespace slipstick::internal {
namespace {

using internal::NameMaker;

constexpr auto kNamed = [](const auto& item) { return !item.name.empty(); };

// `word` gives the name to start from.
template <typename Item, typename Word>
void NameAll(std::vector<Item>* items, Word word) {
  if (std::all_of(items->begin(), items->end(), kNamed)) return;
  NameMaker maker;
  for (const Item& item : *items) maker.Take(item.name);
  for (Item& item : *items) {
    if (item.name.empty()) item.name = maker.MakeUp(word(item));
  }
}

void NameShapes(std::vector<SceneShape>* shapes) {
  NameAll(shapes, [](const SceneShape& shape) { return ShapeName(shape.geometry); });
}

std::string WordOf(ConstraintType type) {
  switch (type) {
    case ConstraintType::kLoop:
      return "loop";
    case ConstraintType::kDistance:
      return "distance";
    case ConstraintType::kMotion:
      return "motion";
    case ConstraintType::kCoupling:
      return "coupling";
    case ConstraintType::kRolling:
      return "rolling";
    case ConstraintType::kKnifeEdge:
      return "knife-edge";
  }
  return "constraint";
}

void NameLinks(std::vector<SceneJoint>* joints) {
  NameMaker maker;
  for (const SceneJoint& joint : *joints)
    for (const SceneJointLink& link : joint.links) maker.Take(link.name);
  for (SceneJoint& joint : *joints)
    for (SceneJointLink& link : joint.links)
      if (link.name.empty()) link.name = maker.MakeUp(joint.name);
}

}  // namespace

void MakeUpNames(Scene* scene) {
  NameShapes(&scene->world_shapes);
  for (SceneBody& body : scene->bodies) NameShapes(&body.shapes);
  NameLinks(&scene->joints);
  NameAll(&scene->constraints, [](const SceneConstraint& constraint) { return WordOf(constraint.type); });
  NameAll(&scene->forces, [](const SceneForce&) { return "force"; });
  NameAll(&scene->drives, [](const SceneDrive&) { return "drive"; });
}

bool HasAllNames(const Scene& scene) {
  const auto all_named = [](const auto& items) { return std::all_of(items.begin(), items.end(), kNamed); };
  const auto shapes_named = [&](const SceneBody& body) { return all_named(body.shapes); };
  const auto links_named = [&](const SceneJoint& joint) { return all_named(joint.links); };
  return all_named(scene.world_shapes) && all_named(scene.constraints) && all_named(scene.forces) &&
         all_named(scene.drives) && std::all_of(scene.bodies.begin(), scene.bodies.end(), shapes_named) &&
         std::all_of(scene.joints.begin(), scene.joints.end(), links_named);
}

}  // namespace slipstick::internal
