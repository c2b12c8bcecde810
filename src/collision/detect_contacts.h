#pragma once

#include <vector>

#include "slipstick/collision/broad_phase.h"
#include "slipstick/collision/contact_point.h"
#include "slipstick/collision/local_contact.h"
#include "slipstick/model/kinematics.h"

namespace slipstick {

// Finds the contacts of a model's shapes within a margin, sorted by (shape_a, shape_b, feature). Keeps storage from
// step to step; what it finds depends on the kinematics alone: on the poses, and on which bodies are released.
class ContactDetector {
 public:
  explicit ContactDetector(const Model& model);
  const std::vector<ContactPoint>& Detect(const Model& model, const Kinematics& kinematics, double margin);

 private:
  BroadPhase broad_phase_;
  int released_ = 0;  // of the kinematics that the broad phase's groups are for
  std::vector<Pose> poses_;
  std::vector<Aabb> boxes_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<LocalContact> local_;
  std::vector<ContactPoint> points_;
};

// Pairs of the model's shapes that could meet but that the narrow phase does not know, by name: such a model is
// refused.
std::vector<std::pair<std::string, std::string>> UnsupportedPairs(const Model& model);

}  // namespace slipstick
