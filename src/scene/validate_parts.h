#pragma once

#include <string>
#include <vector>

#include "slipstick/scene/findings.h"
#include "slipstick/scene/scene.h"

// The parts of Validate (scene.h), one for each part of a scene.

namespace slipstick::internal {

// A scene twice: as it was given, which is what keys of faults are made from, and with every name filled in, which is
// what references are looked up in.
struct SceneToCheck {
  const Scene& given;
  const Scene& named;
};

void CheckMaterials(const Scene& scene, Findings* findings);
// Mass, motion and shapes of a body, but for its name and the names of its shapes' materials: that is all there is to
// know of a template too.
void CheckBody(const Key& key, const SceneBody& body, bool has_mass, Findings* findings);
bool CheckStone(const Key& key, const StonePlan& stone, Findings* findings);
void CheckBodies(const Scene& scene, Findings* findings);  // with groups and the world's shapes
void CheckJoints(const Scene& scene, Findings* findings);
void CheckBearing(const Key& key, const BearingFriction& bearing, JointType type, Findings* findings);
void CheckConstraints(const SceneToCheck& scene, Findings* findings);
void CheckForces(const SceneToCheck& scene, Findings* findings);
void CheckDrives(const SceneToCheck& scene, Findings* findings);
void CheckNoContact(const SceneToCheck& scene, Findings* findings);
void CheckMeasures(const Scene& scene, Findings* findings);
void CheckParameters(const Scene& scene, Findings* findings);
void CheckOutput(const Scene& scene, Findings* findings);
void CheckSettings(const Scene& scene, Findings* findings);

// A joint that can move with the number of one of its velocities; null with a fault where there is none such.
const MovingJoints::Joint* CheckCoordinate(const Key& joint_key, const Key& index_key, const MovingJoints& moving,
                                           const std::string& joint, int index, Findings* findings);

// For the fault of a place that a body is given beside its joint.
std::string PlacedByJoint(const std::string& joint);

// Bodies that take part later, and what refers to one of them although it is joined to it: it could not wait alone.
class Released {
 public:
  explicit Released(const Scene& scene);
  void Refuse(const Key& key, const std::string& body, Findings* findings) const;

 private:
  std::unordered_set<std::string> names_;
};

// How joints hold bodies together. For scenes with rings or two joints a child too, though what it says is of no use
// then.
class BodyTrees {
 public:
  explicit BodyTrees(const Scene& scene);
  // The body that stands for all that are fixed to this one; "world" for what is fixed to it.
  std::string RigidWhole(const std::string& body) const { return Follow(body, true); }
  // The first body of the tree.
  std::string Root(const std::string& body) const { return Follow(body, false); }

 private:
  std::string Follow(const std::string& body, bool only_fixed) const;
  std::unordered_map<std::string, const SceneJoint*> joint_of_;
};

// What constraints and forces may refer to, and what must be known of it.
struct References {
  explicit References(const Scene& scene)
      : bodies(BodyNames(scene, false)),
        bodies_and_world(BodyNames(scene, true)),
        joints(FindMovingJoints(scene)),
        released(scene),
        trees(scene) {}

  KnownNames bodies;  // that move
  KnownNames bodies_and_world;
  MovingJoints joints;
  Released released;
  BodyTrees trees;
};

}  // namespace slipstick::internal
