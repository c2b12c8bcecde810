#include <fmt/format.h>

#include <map>

#include "slipstick/scene_file/joint_words.h"
#include "slipstick/scene_file/scene_parts.h"

namespace slipstick::internal {
namespace {

const std::map<std::string, DriveType> kDriveTypes = {
    {"spring", DriveType::kSpring}, {"servo", DriveType::kServo}, {"motor", DriveType::kMotor}};

SceneDrive ReadDrive(const Place& item, const MovingJoints& joints, DocumentReader* reader) {
  SceneDrive drive;
  if (const auto type = item.Child("type"); type && type->node->is_text()) {
    const auto known = kDriveTypes.find(type->node->text);
    if (known != kDriveTypes.end()) drive.type = known->second;  // else the schema's fault
  }
  if (const auto coordinate = ReadJointCoordinate(item, "joint", "coordinate", joints, reader)) {
    drive.joint = coordinate->joint;
    drive.coordinate = coordinate->index;
    if (CoordinateCount(coordinate->type) != VelocityCount(coordinate->type))
      reader->Fail(*item.Child("joint"), "a joint without a quaternion", fmt::format("'{}'", drive.joint));
  }
  drive.stiffness = reader->Number(item, "stiffness", 0, {.least = 0, .unit = "N/m or N m"});
  drive.damping = reader->Number(item, "damping", 0, {.least = 0, .unit = "N s/m or N m s"});
  if (drive.type != DriveType::kMotor && !item.Child("stiffness") && !item.Child("damping"))
    reader->FailMissing(item, "stiffness", "stiffness or damping");
  if (const auto position = item.Child("position")) drive.position = reader->Function(*position);
  if (const auto velocity = item.Child("velocity")) drive.velocity = reader->Function(*velocity);
  if (const auto effort = item.Child("effort"))
    drive.effort = reader->Number(*effort, {.least = 0, .unit = "N or N m"});
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
  NumberRule coefficient{.least = 0}, length{.least = 0, .unit = "m"}, span{.least = 0, .unit = "m"};
  bearing.friction = reader->Number(place, "friction", 0, coefficient);
  for (const char* key : {"radius", "thrust_radius"}) {
    const auto given = place.Child(key);
    if (given && !turns) reader->Fail(*given, "no such key: what slides has no radius");
  }
  if (turns && !place.Child("radius")) reader->FailMissing(place, "radius", "the pin's radius, a number above 0 in m");
  if (turns) bearing.thrust_radius = reader->Number(place, "thrust_radius", 0, length);
  length.least_excluded = span.least_excluded = span.may_be_infinite = true;
  if (turns) bearing.radius = reader->Number(place, "radius", bearing.radius, length);
  bearing.span = reader->Number(place, "span", bearing.span, span);
  return bearing;
}

void ReadDrives(const Place& document, DocumentReader* reader, Scene* scene) {
  const auto list = document.Child("drives");
  if (!list) return;
  const MovingJoints joints = FindMovingJoints(*scene);
  NameList names("a drive");
  std::vector<std::pair<size_t, int>> unnamed;  // and the line
  for (const Place& item : list->Items()) {
    SceneDrive drive = ReadDrive(item, joints, reader);
    if (!names.Add(item, reader, &drive.name)) unnamed.emplace_back(scene->drives.size(), item.node->line);
    scene->drives.push_back(std::move(drive));
  }
  for (const auto& [index, line] : unnamed) {
    std::string& name = scene->drives[index].name;
    name = names.MakeUp("drive");
    scene->lines["drives." + name] = line;
  }
}

}  // namespace slipstick::internal
