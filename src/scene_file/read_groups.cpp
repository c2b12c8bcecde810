#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "slipstick/scene/body_group.h"
#include "slipstick/scene_file/scene_parts.h"

namespace slipstick::internal {
namespace {

// A whole number as the scene holds it; what is none, or too large, is left to be refused.
int Count(const DocumentNode& node) {
  constexpr double kMost = 1e9;
  if (!node.is_number() || !(node.number >= 1)) return 0;
  return static_cast<int>(std::min(node.number, kMost));
}

void ReadRange(const Place& place, DocumentReader* reader, ScalePlan* scale) {
  const std::vector<Place> both = place.Items();
  if (both.size() != 2) return;  // the schema's fault
  scale->least = reader->Value(both[0]);
  scale->most = reader->Value(both[1]);
}

ScalePlan ReadScale(const Place& place, DocumentReader* reader) {
  ScalePlan scale;
  for (const char* key : {"uniform", "within"})
    if (const auto child = place.Child(key)) ReadRange(*child, reader, &scale);
  const auto normal = place.Child("normal");
  const std::vector<Place> both = normal ? normal->Items() : std::vector<Place>();
  if (both.size() != 2) return scale;
  scale.mean = reader->Value(both[0]);
  scale.deviation = reader->Value(both[1]);
  return scale;
}

LatticePlan ReadLattice(const Place& place, DocumentReader* reader) {
  LatticePlan lattice;
  if (const auto counts = place.Child("counts")) {
    const std::vector<Place> items = counts->Items();
    for (size_t axis = 0; axis < 3 && axis < items.size(); ++axis) lattice.counts[axis] = Count(*items[axis].node);
  }
  if (const auto spacing = place.Child("spacing"))
    lattice.spacing =
        spacing->node->is_list() ? reader->Vector(*spacing) : Vec3(Vec3::Constant(reader->Value(*spacing)));
  lattice.origin = reader->Vector(place, "origin");
  lattice.jitter = reader->Value(place, "jitter");
  if (const auto count = place.Child("count")) lattice.count = Count(*count->node);
  return lattice;
}

PourPlan ReadPour(const Place& place, DocumentReader* reader) {
  PourPlan pour;
  if (const auto count = place.Child("count")) pour.count = Count(*count->node);
  pour.rate = reader->Value(place, "rate", 1);
  pour.start = reader->Value(place, "start");
  if (const auto region = place.Child("region")) {
    pour.region.center = reader->Vector(*region, "center");
    if (const auto size = region->Child("size")) pour.region.size = reader->Vector(*size);
    if (const auto radius = region->Child("radius")) pour.region.radius = reader->Value(*radius);
    if (const auto height = region->Child("height")) pour.region.size.z() = reader->Value(*height);
  }
  return pour;
}

std::uint64_t ReadSeed(const Place& item, DocumentReader* reader) {
  const auto place = item.Child("seed");
  if (!place || !(place->node->number >= 0)) return 0;
  constexpr double kMost = 0x1p53;  // whole numbers beyond it are not told apart
  if (place->node->number > kMost) {
    reader->Fail(*place, fmt::format("at most {:.0f}", kMost));
    return 0;
  }
  return static_cast<std::uint64_t>(place->node->number);
}

BodyGroupPlan ReadPlan(const Place& item, const std::string& key, DocumentReader* reader) {
  BodyGroupPlan plan;
  const auto prototype = item.Child("template"), scale = item.Child("scale");
  if (prototype && prototype->node->is_map()) {
    plan.prototype = ReadBody(*prototype, JoinPath(key, "template"), reader);
    if (const auto density = prototype->Child("density")) plan.density = reader->Value(*density);
  }
  if (scale) plan.scale = ReadScale(*scale, reader);
  if (const auto orientation = item.Child("orientation")) {
    plan.random_orientation = reader->Text(*orientation) == "random";
    if (const auto rotation = prototype ? prototype->Child("rotation") : std::nullopt;
        plan.random_orientation && rotation)
      reader->Fail(*rotation, "no such key beside a random orientation");
  }
  plan.seed = ReadSeed(item, reader);
  if (const auto lattice = item.Child("lattice")) plan.places = ReadLattice(*lattice, reader);
  if (const auto pour = item.Child("pour")) plan.places = ReadPour(*pour, reader);
  return plan;
}

// Bodies with names and nothing else that matters, so that what refers to them yields no further faults.
BodyGroup NamesOf(const BodyGroupPlan& plan) {
  BodyGroup group;
  const double count = std::visit([](const auto& places) -> double { return places.BodyCount(); }, plan.places);
  for (int i = 0; i < count && count <= kMostBodies; ++i) {
    SceneBody& body = group.bodies.emplace_back();
    body.name = fmt::format("{}-{}", plan.prototype.name, i);
    body.mass = 1;
    body.inertia.setIdentity();
  }
  return group;
}

}  // namespace

void ReadGroups(const Place& document, DocumentReader* reader, Scene* scene) {
  const auto list = document.Child("groups");
  if (!list) return;
  for (const Place& item : list->Items()) {
    const std::string name = ReadName(item);
    const std::string key = KeyOf("groups", name, 0, item, reader);
    const size_t faults = reader->fault_count();
    BodyGroupPlan plan = ReadPlan(item, key, reader);
    plan.prototype.name = name;
    reader->Append(Validate(plan));
    BodyGroup made = reader->fault_count() > faults ? NamesOf(plan) : MakeGroup(plan, scene->gravity);
    if (!made.complete) {
      reader->Append({NoRoomFor(plan, made)});
      made = NamesOf(plan);
    }
    scene->groups.push_back({name, static_cast<int>(scene->bodies.size()), static_cast<int>(made.bodies.size())});
    std::move(made.bodies.begin(), made.bodies.end(), std::back_inserter(scene->bodies));
  }
}

}  // namespace slipstick::internal
