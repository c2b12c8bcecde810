#include <fmt/format.h>

#include <cmath>

#include "slipstick/scene/body_group.h"
#include "slipstick/scene_file/scene_parts.h"

namespace slipstick::internal {
namespace {

constexpr double kMostBodies = 1e6;  // of all groups together

NumberRule AtLeastZero(const std::string& unit) {
  NumberRule rule;
  rule.least = 0;
  rule.unit = unit;
  return rule;
}

NumberRule AboveZero(const std::string& unit) {
  NumberRule rule = AtLeastZero(unit);
  rule.least_excluded = true;
  return rule;
}

// A whole number of at least 1 that an int can hold; what the schema refused is taken for what was not given.
int Count(const Place& map, const std::string& key, int otherwise, DocumentReader* reader) {
  const auto place = map.Child(key);
  if (!place || !place->node->is_number() || !(place->node->number >= 1)) return otherwise;
  if (place->node->number > kMostBodies) {
    reader->Fail(*place, fmt::format("at most {:.0f}", kMostBodies));
    return 1;
  }
  return static_cast<int>(place->node->number);
}

// Two numbers above 0, the first not above the second.
std::optional<std::array<double, 2>> Range(const Place& place, DocumentReader* reader) {
  const std::vector<Place> both = place.Items();
  if (both.size() != 2) return std::nullopt;  // the schema's fault
  const size_t faults = reader->fault_count();
  const std::array<double, 2> range = {reader->Number(both[0], AboveZero("")), reader->Number(both[1], AboveZero(""))};
  if (reader->fault_count() > faults) return std::nullopt;
  if (range[0] <= range[1]) return range;
  reader->Fail(place, "the smaller factor first", fmt::format("{:g}, {:g}", range[0], range[1]));
  return std::nullopt;
}

ScalePlan ReadScale(const Place& place, DocumentReader* reader) {
  ScalePlan scale;
  for (const char* key : {"uniform", "within"}) {
    const auto child = place.Child(key);
    const auto range = child ? Range(*child, reader) : std::nullopt;
    if (range) scale.least = (*range)[0], scale.most = (*range)[1];
  }
  const auto normal = place.Child("normal");
  const std::vector<Place> both = normal ? normal->Items() : std::vector<Place>();
  if (both.size() != 2) return scale;
  const size_t faults = reader->fault_count();
  const double mean = reader->Number(both[0], AboveZero("")), deviation = reader->Number(both[1], AboveZero(""));
  if (reader->fault_count() > faults) return scale;
  if (mean < scale.least || mean > scale.most) {
    reader->Fail(both[0], fmt::format("a mean within {:g} and {:g}", scale.least, scale.most));
    return scale;
  }
  scale.mean = mean;
  scale.deviation = deviation;
  return scale;
}

LatticePlan ReadLattice(const Place& place, DocumentReader* reader) {
  LatticePlan lattice;
  double places = 1;
  if (const auto counts = place.Child("counts")) {
    const std::vector<Place> items = counts->Items();
    for (size_t axis = 0; axis < 3 && axis < items.size(); ++axis) {
      const double count = items[axis].node->number;
      if (!(count >= 1)) continue;  // the schema's fault
      places *= count;
      if (places <= kMostBodies) lattice.counts[axis] = static_cast<int>(count);
    }
    if (places > kMostBodies) {
      reader->Fail(*counts, fmt::format("at most {:.0f} places", kMostBodies), fmt::format("{:g}", places));
      lattice.counts = {1, 1, 1};
    }
  }
  lattice.count = lattice.counts[0] * lattice.counts[1] * lattice.counts[2];
  if (const auto spacing = place.Child("spacing"))
    lattice.spacing = spacing->node->is_list() ? reader->Vector(*spacing, AtLeastZero("m"))
                                               : Vec3::Constant(reader->Number(*spacing, AboveZero("m")));
  lattice.origin = reader->Vector(place, "origin");
  lattice.jitter = reader->Number(place, "jitter", 0, AtLeastZero("m"));
  if (const auto given = place.Child("count")) {
    const int count = Count(place, "count", lattice.count, reader);
    if (count > lattice.count) reader->Fail(*given, fmt::format("at most the {} places there are", lattice.count));
    lattice.count = std::min(count, lattice.count);
  }
  return lattice;
}

PourPlan ReadPour(const Place& place, DocumentReader* reader) {
  PourPlan pour;
  pour.count = Count(place, "count", 1, reader);
  pour.rate = reader->Number(place, "rate", 1, AboveZero("1/s"));
  pour.start = reader->Number(place, "start", 0, AtLeastZero("s"));
  if (const auto region = place.Child("region")) {
    pour.region.center = reader->Vector(*region, "center");
    if (const auto size = region->Child("size")) pour.region.size = reader->Vector(*size, AtLeastZero("m"));
    if (const auto radius = region->Child("radius")) pour.region.radius = reader->Number(*radius, AboveZero("m"));
    if (const auto height = region->Child("height")) pour.region.size.z() = reader->Number(*height, AtLeastZero("m"));
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

BodyGroupPlan ReadPlan(const Place& item, const KnownNames& materials, DocumentReader* reader) {
  BodyGroupPlan plan;
  const auto prototype = item.Child("template"), scale = item.Child("scale");
  if (prototype && prototype->node->is_map()) {
    plan.prototype = ReadBody(*prototype, materials, reader);
    if (const auto density = prototype->Child("density")) plan.density = reader->Number(*density);
    if ((scale || HasStones(plan.prototype)) && !plan.density)
      reader->FailMissing(*prototype, "density", "a density, because the bodies differ in size");
    if (item.Child("pour") && !std::isfinite(ReachOf(plan.prototype.shapes)))
      reader->Fail(*prototype, "shapes that have an end", "a plane");
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

// Bodies with names and nothing else, so that what refers to them yields no further faults.
BodyGroup NamesOf(const BodyGroupPlan& plan) {
  BodyGroup group;
  const int count = std::visit([](const auto& places) { return places.count; }, plan.places);
  for (int i = 0; i < count; ++i) {
    group.bodies.emplace_back();
    group.bodies.back().name = fmt::format("{}-{}", plan.prototype.name, i);
  }
  return group;
}

// Appends the bodies to the scene.
void Add(const Place& item, const std::string& name, BodyGroup made, std::unordered_set<std::string>* taken,
         DocumentReader* reader, Scene* scene) {
  SceneGroup group{name, static_cast<int>(scene->bodies.size()), static_cast<int>(made.bodies.size())};
  if (group.first + group.count > kMostBodies)
    reader->Fail(item, fmt::format("at most {:.0f} bodies", kMostBodies), fmt::format("{}", group.first + group.count));
  for (SceneBody& body : made.bodies) {
    if (!taken->insert(body.name).second) {
      reader->Fail(*item.Child("name"), "a group whose bodies have names of their own",
                   fmt::format("'{}' a second time", body.name));
      return;
    }
    scene->bodies.push_back(std::move(body));
  }
  scene->groups.push_back(std::move(group));
}

}  // namespace

void ReadGroups(const Place& document, DocumentReader* reader, Scene* scene) {
  const auto list = document.Child("groups");
  if (!list) return;
  const KnownNames materials = MaterialNames(*scene);
  NameList names("a group");
  std::unordered_set<std::string> taken;
  for (const SceneBody& body : scene->bodies) taken.insert(body.name);
  for (const Place& item : list->Items()) {
    std::string name;
    const bool named = names.Add(item, reader, &name);
    const size_t faults = reader->fault_count();
    BodyGroupPlan plan = ReadPlan(item, materials, reader);
    if (!named) continue;
    plan.prototype.name = name;
    const bool is_faulty = reader->fault_count() > faults;
    BodyGroup made = is_faulty ? NamesOf(plan) : MakeGroup(plan, scene->gravity);
    if (!made.complete) {
      const Place pour = *item.Child("pour");
      reader->Fail(pour.Child("region").value_or(pour),
                   "room for the bodies: a larger region, a lower rate, or a velocity that takes them away faster",
                   fmt::format("no free place for '{}-{}'", name, made.bodies.size()));
      made = NamesOf(plan);
    }
    Add(item, name, std::move(made), &taken, reader, scene);
  }
}

}  // namespace slipstick::internal
