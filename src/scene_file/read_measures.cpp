#include "slipstick/scene_file/scene_parts.h"

namespace slipstick::internal {
namespace {

MeasureType TypeOf(const std::string& word) {
  if (word == "outside") return MeasureType::kOutside;
  if (word == "distance") return MeasureType::kDistance;
  return word == "turns" ? MeasureType::kTurns : MeasureType::kAngleOfRepose;
}

// Keys of measures that are taken of single bodies over all steps.
void ReadMotionMeasure(const Place& item, const Scene& scene, DocumentReader* reader, SceneMeasure* measure) {
  if (const auto body = item.Child("body")) measure->body = BodyNames(scene, false).Read(*body, reader);
  if (const auto from = item.Child("from")) measure->from = BodyNames(scene, true).Read(*from, reader);
  if (const auto points = item.Child("points")) {
    for (const Place& point : points->Items()) measure->points.push_back(reader->Vector(point));
  }
  if (measure->points.empty()) measure->points.push_back(Vec3::Zero());
  measure->through = reader->Vector(item, "through");
  if (const auto along = item.Child("along")) measure->along = reader->UnitVector(*along);
  const auto axis = item.Child("axis");
  if (axis && measure->type == MeasureType::kTurns) measure->turn_axis = reader->UnitVector(*axis);
}

}  // namespace

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
    measure.type = TypeOf(type->node->text);
    if (measure.type == MeasureType::kDistance || measure.type == MeasureType::kTurns) {
      ReadMotionMeasure(item, *scene, reader, &measure);
      scene->measures.push_back(std::move(measure));
      continue;
    }
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

}  // namespace slipstick::internal
