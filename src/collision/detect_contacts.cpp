#include "slipstick/collision/detect_contacts.h"

#include <algorithm>

#include "slipstick/collision/narrow_phase.h"

namespace slipstick {
namespace {

// Shapes of one rigid whole share a group; those that do not collide, or not yet, have none.
std::vector<int> Groups(const Model& model, int released) {
  std::vector<int> groups;
  for (const ModelShape& shape : model.shapes) {
    const int group = 1 + model.GroupOf(shape.body);  // the world is −1
    groups.push_back(shape.collides && !model.IsWaiting(shape.body, released) ? group : -1);
  }
  return groups;
}

}  // namespace

ContactDetector::ContactDetector(const Model& model) : broad_phase_(Groups(model, 0), model.excluded_shape_pairs) {}

const std::vector<ContactPoint>& ContactDetector::Detect(const Model& model, const Kinematics& kinematics,
                                                         double margin) {
  if (kinematics.released != released_) {
    released_ = kinematics.released;
    broad_phase_.SetGroups(Groups(model, released_));
  }
  const int n = static_cast<int>(model.shapes.size());
  poses_.resize(n);
  boxes_.resize(n);
  for (int i = 0; i < n; ++i) {
    poses_[i] = kinematics.PoseOf(model.shapes[i].body) * model.shapes[i].X_BS;
    boxes_[i] = BoundingBox(model.shapes[i].geometry, poses_[i]);
  }
  broad_phase_.FindPairs(boxes_, margin, &pairs_);
  points_.clear();
  for (const auto& [a, b] : pairs_) {
    if (!model.MayTouch(a, b)) continue;
    local_.clear();
    Collide(model.shapes[a].geometry, poses_[a], model.shapes[b].geometry, poses_[b], margin, &local_);
    std::sort(local_.begin(), local_.end(),
              [](const LocalContact& x, const LocalContact& y) { return x.feature < y.feature; });
    for (const LocalContact& c : local_) points_.push_back({a, b, c.normal, c.point_a, c.point_b, c.gap, c.feature});
  }
  return points_;
}

std::vector<std::pair<std::string, std::string>> UnsupportedPairs(const Model& model) {
  // one representative of each kind of shape against each other kind is enough to know
  std::vector<const ShapeGeometry*> kinds(std::variant_size_v<ShapeGeometry>, nullptr);
  for (const ModelShape& shape : model.shapes) kinds[shape.geometry.index()] = &shape.geometry;
  std::vector<std::pair<std::string, std::string>> unsupported;
  const int n = static_cast<int>(model.shapes.size());
  for (std::size_t one = 0; one < kinds.size(); ++one) {
    for (std::size_t other = one; other < kinds.size(); ++other) {
      if (kinds[one] == nullptr || kinds[other] == nullptr || CanCollide(*kinds[one], *kinds[other])) continue;
      // only then is it worth to look for two that may meet
      for (int a = 0, found = 0; a < n && !found; ++a) {
        for (int b = a + 1; b < n && !found; ++b) {
          const auto pair = std::minmax(model.shapes[a].geometry.index(), model.shapes[b].geometry.index());
          if (pair.first != one || pair.second != other || !model.MayTouch(a, b)) continue;
          unsupported.push_back({model.shapes[a].name, model.shapes[b].name});
          found = 1;
        }
      }
    }
  }
  return unsupported;
}

}  // namespace slipstick
