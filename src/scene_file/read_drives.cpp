#include <map>

#include "slipstick/scene_file/scene_parts.h"

namespace slipstick::internal {
namespace {

const std::map<std::string, DriveType> kDriveTypes = {
    {"spring", DriveType::kSpring}, {"servo", DriveType::kServo}, {"motor", DriveType::kMotor}};

SceneDrive ReadDrive(const Place& item, DocumentReader* reader) {
  SceneDrive drive;
  drive.name = ReadName(item);
  if (const auto type = item.Child("type"); type && type->node->is_text()) {
    const auto known = kDriveTypes.find(type->node->text);
    if (known != kDriveTypes.end()) drive.type = known->second;  // else the schema's fault
  }
  drive.joint = reader->Text(item, "joint");
  drive.coordinate = ReadIndex(item, "coordinate");
  drive.stiffness = reader->Value(item, "stiffness");
  drive.damping = reader->Value(item, "damping");
  if (drive.type != DriveType::kMotor && !item.Child("stiffness") && !item.Child("damping"))
    reader->FailMissing(item, "stiffness", "stiffness or damping");
  if (const auto position = item.Child("position")) drive.position = reader->Function(*position);
  if (const auto velocity = item.Child("velocity")) drive.velocity = reader->Function(*velocity);
  if (const auto effort = item.Child("effort")) drive.effort = reader->Value(*effort);
  return drive;
}

}  // namespace

BearingFriction ReadBearing(const Place& place, JointType type, DocumentReader* reader) {
  BearingFriction bearing;
  const bool turns = type == JointType::kRevolute;
  if (!turns && type != JointType::kPrismatic) {
    reader->Fail(place, "a bearing of a revolute or prismatic joint alone");
    return bearing;
  }
  bearing.friction = reader->Value(place, "friction");
  for (const char* key : {"radius", "thrust_radius"}) {
    const auto given = place.Child(key);
    if (given && !turns) reader->Fail(*given, "no such key: what slides has no radius");
  }
  if (turns && !place.Child("radius")) reader->FailMissing(place, "radius", "the pin's radius, a number above 0 in m");
  if (turns) bearing.thrust_radius = reader->Value(place, "thrust_radius");
  if (turns) bearing.radius = reader->Value(place, "radius", bearing.radius);
  bearing.span = reader->Value(place, "span", bearing.span);
  return bearing;
}

void ReadDrives(const Place& document, DocumentReader* reader, Scene* scene) {
  const auto list = document.Child("drives");
  if (!list) return;
  for (const Place& item : list->Items()) {
    SceneDrive drive = ReadDrive(item, reader);
    KeyOf("drives", drive.name, scene->drives.size(), item, reader);
    scene->drives.push_back(std::move(drive));
  }
}

}  // namespace slipstick::internal
