#pragma once

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "slipstick/document/document_reader.h"
#include "slipstick/scene/scene.h"

// The parts of a scene file, each read into the scene after the parts it may refer to: materials, then bodies, groups,
// joints, constraints, forces, drives, output. `document` is the whole file. What is wrong becomes a fault of the
// reader, and as much as possible of a faulty part is kept, so that what refers to it by name yields no further faults.

namespace slipstick::internal {

void ReadMaterials(const Place& document, DocumentReader* reader, Scene* scene);
void ReadBodies(const Place& document, DocumentReader* reader, Scene* scene);  // and the world's shapes
void ReadNoContact(const Place& document, DocumentReader* reader, Scene* scene);
void ReadGroups(const Place& document, DocumentReader* reader, Scene* scene);  // adds to the bodies
void ReadJoints(const Place& document, DocumentReader* reader, Scene* scene);
void ReadConstraints(const Place& document, DocumentReader* reader, Scene* scene);
void ReadForces(const Place& document, DocumentReader* reader, Scene* scene);
void ReadDrives(const Place& document, DocumentReader* reader, Scene* scene);
void ReadMethods(const Place& document, DocumentReader* reader, Scene* scene);  // law, solver, stepper, certificate
void ReadMeasures(const Place& document, DocumentReader* reader, Scene* scene);
// Numbers that may be changed while the scene runs. With overrides, those are left out whose keys lead nowhere then.
void ReadParameters(const Place& document, bool has_overrides, DocumentReader* reader, Scene* scene);
void ReadOutput(const Place& document, DocumentReader* reader, Scene* scene);

// Names of one kind of thing, each to be used once.
class NameList {
 public:
  // `kind` for faults, as in "a body".
  explicit NameList(std::string kind) : kind_(std::move(kind)) {}

  // Adds the name of the map `item`; a fault where it is no plain name, is reserved or stood before. False where there
  // is no name to use.
  bool Add(const Place& item, DocumentReader* reader, std::string* name);
  // A name not in use yet, such as "sphere-2" for base "sphere", added to the list.
  std::string MakeUp(const std::string& base);

 private:
  std::string kind_;
  std::set<std::string> names_;
};

// Names that something may refer to.
class KnownNames {
 public:
  void Add(const std::string& name);
  bool empty() const { return names_.empty(); }
  bool Contains(const std::string& name) const { return lookup_.count(name) > 0; }
  // The words of a fault where `name` was found: one of these.
  std::string Expected(const std::string& name) const;

  // The text at `place` where it is one of these names; else a fault and "".
  std::string Read(const Place& place, DocumentReader* reader) const;

 private:
  std::vector<std::string> names_;  // in the order of the file
  std::unordered_set<std::string> lookup_;
};

KnownNames MaterialNames(const Scene& scene);
// A body but for its name.
SceneBody ReadBody(const Place& item, const KnownNames& materials, DocumentReader* reader);
// Friction under load of a revolute or prismatic joint, in the tree or in a loop.
BearingFriction ReadBearing(const Place& place, JointType type, DocumentReader* reader);
KnownNames BodyNames(const Scene& scene, bool with_world);
KnownNames SingleBodyNames(const Scene& scene);  // without those of groups, which take their place from the group

// Joints that can move: each link of a chain by its name, and bodies without a joint, which are free, by theirs.
struct MovingJoints {
  KnownNames names;
  std::unordered_map<std::string, JointType> types;
};
MovingJoints FindMovingJoints(const Scene& scene);

// A joint with the number of one of its velocities, from the keys `joint_key` and `index_key` of a map.
struct JointCoordinate {
  std::string joint;
  int index = 0;
  JointType type = JointType::kRevolute;
};
std::optional<JointCoordinate> ReadJointCoordinate(const Place& map, const std::string& joint_key,
                                                   const std::string& index_key, const MovingJoints& joints,
                                                   DocumentReader* reader);

}  // namespace slipstick::internal
