#include "slipstick/collision/detect_contacts.h"

#include <algorithm>

#include "slipstick/collision/narrow_phase.h"

namespace slipstick {
namespace {

// Shapes of one rigid whole share a group; those that do not collide have none.
std::vector<int> Groups(const Model& model) {
  std::vector<int> groups;
  for (const ModelShape& shape : model.shapes) {
    const int group = 1 + model.GroupOf(shape.body);  // the world is −1
    groups.push_back(shape.collides ? group : -1);
  }
  return groups;
}

}  // namespace

ContactDetector::ContactDetector(const Model& model) : broad_phase_(Groups(model), model.excluded_shape_pairs) {}

const std::vector<ContactPoint>& ContactDetector::Detect(const Model& model, const Kinematics& kinematics,
                                                         double margin) {
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
  std::vector<std::pair<std::string, std::string>> unsupported;
  // one representative of each kind of shape against each other kind is enough to know
  std::vector<std::pair<std::size_t, std::size_t>> seen;
  const int n = static_cast<int>(model.shapes.size());
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) {
      const auto kinds = std::minmax(model.shapes[a].geometry.index(), model.shapes[b].geometry.index());
      if (std::find(seen.begin(), seen.end(), std::pair(kinds.first, kinds.second)) != seen.end()) continue;
      if (!model.MayTouch(a, b)) continue;
      seen.push_back(kinds);
      if (!CanCollide(model.shapes[a].geometry, model.shapes[b].geometry)) {
        unsupported.push_back({model.shapes[a].name, model.shapes[b].name});
      }
    }
  }
  return unsupported;
}

}  // namespace slipstick
