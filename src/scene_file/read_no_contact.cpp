#include "slipstick/scene_file/scene_parts.h"

namespace slipstick::internal {
namespace {

// BODY or BODY.SHAPE; names have no dots.
SceneShapes ReadSide(const Place& place, DocumentReader* reader) {
  const std::string text = reader->Text(place);
  const std::size_t dot = text.find('.');
  return {text.substr(0, dot), dot == std::string::npos ? "" : text.substr(dot + 1)};
}

}  // namespace

void ReadNoContact(const Place& document, DocumentReader* reader, Scene* scene) {
  const auto list = document.Child("no_contact");
  if (!list) return;
  for (const Place& item : list->Items()) {
    const std::vector<Place> both = item.Items();
    if (both.size() != 2) continue;  // the schema's fault
    KeyOf("no_contact", "", scene->no_contact.size(), item, reader);
    scene->no_contact.push_back({ReadSide(both[0], reader), ReadSide(both[1], reader)});
  }
}

}  // namespace slipstick::internal
