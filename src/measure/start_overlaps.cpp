#include "slipstick/measure/start_overlaps.h"

#include <algorithm>
#include <map>

#include "slipstick/collision/detect_contacts.h"

namespace slipstick::internal {

std::vector<StartOverlap> FindOverlaps(const Simulation& simulation) {
  const Model& model = simulation.model();
  ContactDetector detector(model);
  std::map<std::pair<int, int>, double> deepest;
  for (const ContactPoint& point : detector.Detect(model, simulation.kinematics(), 0.0)) {
    const double size = std::min(SmallestHalfExtent(model.shapes[point.shape_a()].geometry),
                                 SmallestHalfExtent(model.shapes[point.shape_b()].geometry));
    if (!(-point.gap > simulation.tolerances().penetration * size)) continue;
    double& depth = deepest[{point.shape_a(), point.shape_b()}];
    depth = std::max(depth, -point.gap);
  }
  const auto name = [&](int number) {
    const ModelShape& shape = model.shapes[number];
    return (shape.body == kWorld ? "world" : model.bodies[shape.body].name) + "." + shape.name;
  };
  std::vector<StartOverlap> overlaps;
  overlaps.reserve(deepest.size());
  for (const auto& [pair, depth] : deepest) overlaps.push_back({name(pair.first), name(pair.second), depth});
  std::stable_sort(overlaps.begin(), overlaps.end(),
                   [](const StartOverlap& a, const StartOverlap& b) { return a.depth > b.depth; });
  return overlaps;
}

}  // namespace slipstick::internal
