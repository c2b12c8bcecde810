#include <fmt/format.h>

#include <algorithm>

#include "slipstick/base/nearest_name.h"
#include "slipstick/scene_file/scene_parts.h"

namespace slipstick::internal {
namespace {

// BODY or BODY.SHAPE; names have no dots.
SceneShapes ReadSide(const Place& place, const Scene& scene, const KnownNames& bodies, DocumentReader* reader) {
  const std::string text = reader->Text(place);
  const std::size_t dot = text.find('.');
  SceneShapes side{text.substr(0, dot), dot == std::string::npos ? "" : text.substr(dot + 1)};
  if (!place.node->is_text()) return side;
  if (!bodies.Contains(side.body)) {
    reader->Fail(place, fmt::format("{}, or one of its shapes as BODY.SHAPE", bodies.Expected(side.body)));
    return side;
  }
  if (side.shape.empty()) return side;
  const auto body = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                 [&](const SceneBody& one) { return one.name == side.body; });
  std::vector<std::string> shapes;
  for (const SceneShape& shape : body == scene.bodies.end() ? scene.world_shapes : body->shapes) {
    shapes.push_back(shape.name);
  }
  if (std::find(shapes.begin(), shapes.end(), side.shape) == shapes.end()) {
    reader->Fail(place, fmt::format("a shape of '{}': {}", side.body, OneOf(shapes, side.shape)));
  }
  return side;
}

}  // namespace

void ReadNoContact(const Place& document, DocumentReader* reader, Scene* scene) {
  const auto list = document.Child("no_contact");
  if (!list) return;
  const KnownNames bodies = BodyNames(*scene, true);
  for (const Place& item : list->Items()) {
    const std::vector<Place> both = item.Items();
    if (both.size() != 2) continue;  // the schema's fault
    scene->no_contact.push_back({ReadSide(both[0], *scene, bodies, reader), ReadSide(both[1], *scene, bodies, reader)});
  }
}

}  // namespace slipstick::internal
