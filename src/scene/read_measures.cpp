#include "slipstick/scene/scene_parts.h"

namespace slipstick {

void ReadMeasures(const Place& document, DocumentReader* reader, Scene* scene) {
  const auto list = document.Child("measures");
  if (!list) return;
  NumberRule length;
  length.least = 0;
  length.least_excluded = true;
  length.unit = "m";
  KnownNames groups;
  for (const SceneGroup& group : scene->groups) groups.Add(group.name);
  NameList names("a measure");
  for (const Place& item : list->Items()) {
    SceneMeasure measure;
    if (!names.Add(item, reader, &measure.name)) continue;
    const auto type = item.Child("type");
    if (!type || !type->node->is_text()) continue;  // the schema's fault
    measure.type = type->node->text == "outside" ? MeasureType::kOutside : MeasureType::kAngleOfRepose;
    if (const auto group = item.Child("group")) measure.group = groups.Read(*group, reader);
    measure.floor = reader->Number(item, "floor", 0);
    if (const auto axis = item.Child("axis")) {
      const std::vector<Place> both = axis->Items();
      if (both.size() == 2) measure.axis = Vec2(reader->Number(both[0]), reader->Number(both[1]));
    }
    if (const auto reach = item.Child("reach")) measure.reach = reader->Number(*reach, length);
    measure.center = reader->Vector(item, "center");
    if (const auto size = item.Child("size")) measure.size = reader->Vector(*size, length);
    scene->measures.push_back(std::move(measure));
  }
}

}  // namespace slipstick
