#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "slipstick/scene/scene.h"

namespace slipstick::internal {

// Names that something may refer to.
class KnownNames {
 public:
  void Add(const std::string& name);
  bool empty() const { return names_.empty(); }
  bool Contains(const std::string& name) const { return lookup_.count(name) > 0; }
  // The words of a fault where `name` was found: one of these.
  std::string Expected(const std::string& name) const;

 private:
  std::vector<std::string> names_;  // in the order of the scene
  std::unordered_set<std::string> lookup_;
};

KnownNames MaterialNames(const Scene& scene);
KnownNames BodyNames(const Scene& scene, bool with_world);
KnownNames SingleBodyNames(const Scene& scene);  // without those of groups, which take their place from the group

// Joints that can move: each link of a chain by its name, and bodies without a joint, which are free, by theirs.
struct MovingJoints {
  struct Joint {
    JointType type = JointType::kFree;
    std::string body;  // that it moves
  };
  KnownNames names;
  std::unordered_map<std::string, Joint> joints;
};
MovingJoints FindMovingJoints(const Scene& scene);

// Gives out names that are not in use.
class NameMaker {
 public:
  void Take(const std::string& name) { names_.insert(name); }
  // Such as "sphere-2" for base "sphere", and takes it.
  std::string MakeUp(const std::string& base);

 private:
  std::set<std::string> names_;
};

}  // namespace slipstick::internal
