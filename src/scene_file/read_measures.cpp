#include "slipstick/scene_file/scene_parts.h"

namespace slipstick::internal {
namespace {

MeasureType TypeOf(const std::string& word) {
  if (word == "outside") return MeasureType::kOutside;
  if (word == "distance") return MeasureType::kDistance;
  return word == "turns" ? MeasureType::kTurns : MeasureType::kAngleOfRepose;
}

// Keys of measures that are taken of single bodies over all steps.
void ReadMotionMeasure(const Place& item, DocumentReader* reader, SceneMeasure* measure) {
  measure->body = reader->Text(item, "body");
  measure->from = reader->Text(item, "from", measure->from);
  if (const auto points = item.Child("points")) {
    measure->points.clear();
    for (const Place& point : points->Items()) measure->points.push_back(reader->Vector(point));
  }
  measure->through = reader->Vector(item, "through");
  if (const auto along = item.Child("along")) measure->along = reader->Direction(*along);
  const auto axis = item.Child("axis");
  if (axis && measure->type == MeasureType::kTurns) measure->turn_axis = reader->Direction(*axis);
}

}  // namespace

void ReadMeasures(const Place& document, DocumentReader* reader, Scene* scene) {
  const auto list = document.Child("measures");
  if (!list) return;
  for (const Place& item : list->Items()) {
    SceneMeasure measure;
    measure.name = ReadName(item);
    const auto type = item.Child("type");
    if (!type || !type->node->is_text()) continue;  // the schema's fault
    measure.type = TypeOf(type->node->text);
    KeyOf("measures", measure.name, scene->measures.size(), item, reader);
    if (measure.type == MeasureType::kDistance || measure.type == MeasureType::kTurns) {
      ReadMotionMeasure(item, reader, &measure);
      scene->measures.push_back(std::move(measure));
      continue;
    }
    measure.group = reader->Text(item, "group");
    measure.floor = reader->Value(item, "floor");
    if (const auto axis = item.Child("axis")) {
      const std::vector<Place> both = axis->Items();
      if (both.size() == 2) measure.axis = Vec2(reader->Value(both[0]), reader->Value(both[1]));
    }
    if (const auto reach = item.Child("reach")) measure.reach = reader->Value(*reach);
    measure.center = reader->Vector(item, "center");
    if (const auto size = item.Child("size")) measure.size = reader->Vector(*size);
    scene->measures.push_back(std::move(measure));
  }
}

}  // namespace slipstick::internal
