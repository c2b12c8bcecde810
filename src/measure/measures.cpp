#include "slipstick/measure/measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "slipstick/geometry/mass_properties.h"

namespace slipstick::internal {
namespace {

// A body of the scene that takes part, with its number in the model.
struct Member {
  const SceneBody* body;
  int index;
};

std::vector<Member> MembersOf(const Scene& scene, const Simulation& simulation, const std::string& group_name) {
  const Model& model = simulation.model();
  std::unordered_map<std::string, int> index_of;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) index_of.emplace(model.bodies[i].name, static_cast<int>(i));
  SceneGroup group{"", 0, static_cast<int>(scene.bodies.size())};
  for (const SceneGroup& one : scene.groups)
    if (one.name == group_name) group = one;
  std::vector<Member> members;
  for (int i = group.first; i < group.first + group.count; ++i) {
    const int index = index_of.at(scene.bodies[i].name);
    if (!model.IsWaiting(index, simulation.state().released)) members.push_back({&scene.bodies[i], index});
  }
  return members;
}

double VolumeOf(const SceneBody& body) {
  double volume = 0;
  for (const SceneShape& shape : body.shapes)
    if (const auto properties = UniformMassProperties(shape.geometry, 1)) volume += properties->mass;
  return volume;
}

MeasureResult MeasureAngle(const SceneMeasure& measure, const std::vector<Member>& members, const Kinematics& kin) {
  std::vector<PileGrain> grains;
  for (const Member& member : members) {
    const double radius = std::cbrt(VolumeOf(*member.body) / (4.0 / 3 * std::numbers::pi));
    grains.push_back({kin.X_WB[member.index] * member.body->com, radius});
  }
  const PileShape pile = MeasurePile(grains, {measure.floor, measure.axis, measure.reach});
  return {measure.name,
          {{"angle_degrees", pile.angle * 180 / std::numbers::pi},
           {"radius_metres", pile.radius},
           {"height_metres", pile.height},
           {"deviation_metres", pile.deviation},
           {"bodies", static_cast<double>(grains.size())}},
          pile};
}

MeasureResult MeasureOutside(const SceneMeasure& measure, const std::vector<Member>& members, const Kinematics& kin) {
  double outside = 0;
  for (const Member& member : members) {
    const Vec3 away = (kin.X_WB[member.index].position - measure.center).cwiseAbs();
    // written so that what is not a number counts as outside
    outside += (away.array() <= 0.5 * measure.size.array()).all() ? 0 : 1;
  }
  return {measure.name, {{"outside", outside}, {"bodies", static_cast<double>(members.size())}}, std::nullopt};
}

// The profile of a pile with its line.
ReportPlot PilePlot(const std::string& name, const PileShape& pile) {
  ReportPlot plot{
      fmt::format("Profile of {}", name),
      fmt::format("Height of the surface in rings about the axis. The line between 0.2 and 0.8 of the radius "
                  "of {:.3g} m is inclined by {:.1f}°.",
                  pile.radius, pile.angle * 180 / std::numbers::pi),
      "distance from the axis [m]",
      "height [m]",
      pile.ring_radius,
      {{"surface", pile.ring_height}, {"line", {}}}};
  // through the mean of its points
  double r_mean = 0, h_mean = 0, count = 0;
  const auto is_fitted = [&](double r) { return r >= 0.2 * pile.radius && r <= 0.8 * pile.radius; };
  for (std::size_t k = 0; k < pile.ring_radius.size(); ++k) {
    if (!is_fitted(pile.ring_radius[k])) continue;
    r_mean += pile.ring_radius[k];
    h_mean += pile.ring_height[k];
    count += 1;
  }
  for (const double r : pile.ring_radius) {
    plot.series[1].y.push_back(is_fitted(r) ? h_mean / count - std::tan(pile.angle) * (r - r_mean / count)
                                            : std::numeric_limits<double>::quiet_NaN());
  }
  plot.y_min = 0;
  return plot;
}

}  // namespace

std::vector<MeasureResult> TakeMeasures(const Scene& scene, const Simulation& simulation,
                                        const std::vector<MotionWatch::Result>& watched) {
  const std::vector<MotionWatch::Result> motion = watched.empty() ? MotionWatch(scene, simulation).Results() : watched;
  std::vector<MeasureResult> results;
  for (const SceneMeasure& measure : scene.measures) {
    const auto seen = std::find_if(motion.begin(), motion.end(),
                                   [&](const MotionWatch::Result& result) { return result.name == measure.name; });
    if (seen != motion.end()) {
      results.push_back({measure.name, seen->values, std::nullopt});
      continue;
    }
    const std::vector<Member> members = MembersOf(scene, simulation, measure.group);
    const Kinematics& kin = simulation.kinematics();
    results.push_back(measure.type == MeasureType::kOutside ? MeasureOutside(measure, members, kin)
                                                            : MeasureAngle(measure, members, kin));
  }
  return results;
}

ReportSection MeasureSection(const std::vector<MeasureResult>& results) {
  ReportSection section{"Measures", "Taken at the end; greatest distances and turns over all steps.", {}, {}};
  ReportTable table{"Measures", "", {"measure", "quantity", "value"}, {}};
  for (const MeasureResult& result : results) {
    for (const auto& [quantity, value] : result.values)
      table.rows.push_back({result.name, quantity, fmt::format("{:.6g}", value)});
    if (result.pile && !result.pile->ring_radius.empty()) section.plots.push_back(PilePlot(result.name, *result.pile));
  }
  section.tables.push_back(table);
  return section;
}

}  // namespace slipstick::internal
