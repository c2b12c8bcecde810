#include "slipstick/run/run_summary_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_set>

#include "slipstick/base/draft_file.h"
#include "slipstick/measure/measures.h"
#include "slipstick/run/version.h"

namespace slipstick::internal {
namespace {

using Json = nlohmann::ordered_json;

Json SpreadJson(const Spread& spread) { return {{"worst", spread.worst}, {"rms", spread.Rms()}}; }

Json VectorJson(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

Json SettingsJson(const GivenSettings& settings) {
  Json json = Json::object();
  for (const auto& [name, value] : settings) {
    Json& entry = json[name];
    std::visit([&entry](const auto& v) { entry = v; }, value);
  }
  return json;
}

Json EventsJson(const EventLog& events) {
  Json json;
  json["total"] = std::accumulate(events.counts.begin(), events.counts.end(), 0L);
  json["counts"] = Json::object();
  for (int kind = 0; kind < kEventKinds; ++kind) {
    const long count = events.counts[kind];
    if (count > 0) json["counts"][EventName(static_cast<EventKind>(kind))] = count;
  }
  json["first"] = Json::array();
  for (const MotionEvent& event : events.listed) {
    Json entry = {{"kind", EventName(event.kind)},
                  {"time_seconds", event.time},
                  {"bodies", Json::array({event.body_a, event.body_b})},
                  {"contacts", event.contacts}};
    if (event.speed > 0) entry["speed_metres_per_second"] = event.speed;
    if (!event.remark.empty()) entry["remark"] = event.remark;
    json["first"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace

Json OverridesJson(const std::vector<std::pair<std::string, std::string>>& overrides) {
  Json json = Json::array();
  for (const auto& [key, value] : overrides) json.push_back({{"key", key}, {"value", value}});
  return json;
}

std::string InputHash(const Scene& scene) {
  std::uint64_t hash = 1469598103934665603ull;  // FNV-1a
  for (const std::string& text : {std::string(kVersion), scene.effective_text}) {
    for (const unsigned char byte : text) hash = (hash ^ byte) * 1099511628211ull;
    hash = (hash ^ 0xff) * 1099511628211ull;  // no byte of a text in UTF-8: keeps "ab", "c" apart from "a", "bc"
  }
  return fmt::format("{:016x}", hash);
}

Json SummaryJson(const Scene& scene, const Simulation& simulation, const RunSummary& summary) {
  Json json;
  json["format"] = "slipstick-summary 1";
  json["version"] = kVersion;
  json["scene"] = scene.name;
  json["title"] = scene.title;
  json["input_hash"] = InputHash(scene);
  json["overrides"] = OverridesJson(scene.overrides);
  json["law"] = {{"name", scene.law}, {"settings", SettingsJson(scene.law_settings)}};
  json["solver"] = {{"name", scene.solver}, {"settings", SettingsJson(scene.solver_settings)}};
  json["stepper"] = {{"name", scene.stepper}, {"settings", SettingsJson(scene.stepper_settings)}};
  json["step_seconds"] = simulation.step();
  json["passed"] = summary.passed();
  json["stopped_early"] = summary.stopped;
  json["not_finite"] = summary.not_finite;
  json["steps"] = summary.steps;
  json["steps_planned"] = summary.steps_planned;
  json["end_time_seconds"] = summary.end_time;
  json["failed_steps"] = summary.failed_steps;
  json["failures"] = Json::array();
  for (const FailedStep& failure : summary.failures) {
    json["failures"].push_back({{"step", failure.number}, {"time_seconds", failure.time}, {"reason", failure.reason}});
  }
  if (!summary.changes.empty()) {
    json["parameter_changes"] = Json::array();
    for (const ParameterChange& change : summary.changes) {
      json["parameter_changes"].push_back(
          {{"time_seconds", change.time}, {"name", change.name}, {"from", change.from}, {"to", change.to}});
    }
  }
  json["certificate"] = {{"momentum_residual", SpreadJson(summary.momentum_residual)},
                         {"law_residual_metres_per_second", SpreadJson(summary.law_residual)},
                         {"coulomb_residual_metres_per_second", SpreadJson(summary.coulomb_residual)},
                         {"cone_violation", SpreadJson(summary.cone_violation)},
                         {"relaxation_gap_metres", SpreadJson(summary.relaxation_gap)},
                         {"complementarity_joule", SpreadJson(summary.complementarity)},
                         {"penetration_metres", SpreadJson(summary.penetration)},
                         {"penetration_relative", SpreadJson(summary.relative_penetration)},
                         {"constraint_drift", SpreadJson(summary.drift)},
                         {"energy_gain", SpreadJson(summary.energy_gain)},
                         {"angular_momentum_drift", SpreadJson(summary.momentum_drift)}};
  json["solves"] = {{"unsolved_by_own_word", summary.unsolved_programs},
                    {"programs_per_step_max", summary.programs.worst},
                    {"iterations_max", summary.solver_iterations.worst},
                    {"contacts_max", summary.largest_contacts}};
  for (const StartOverlap& overlap : summary.overlaps) {
    if (json["start_overlaps"].size() >= 10) break;
    json["start_overlaps"].push_back({{"between", {overlap.first, overlap.second}}, {"depth_metres", overlap.depth}});
  }
  json["constraints"] = {{"rows", summary.constraints.rows}, {"redundant_rows", summary.constraints.redundant}};
  if (const EventLog* events = simulation.events()) json["events"] = EventsJson(*events);
  const EnergyAccount& energy = summary.energy;
  json["energy_joule"] = {{"initial", energy.initial},
                          {"released", energy.released},
                          {"kinetic", energy.kinetic},
                          {"potential", energy.potential},
                          {"work_applied", energy.work.applied},
                          {"work_bilateral", energy.work.bilateral},
                          {"work_joint_friction", energy.work.bounded},
                          {"work_drives", energy.work.drives},
                          {"work_normal", energy.work.normal},
                          {"work_friction", energy.work.friction},
                          {"work_rolling", energy.work.rolling},
                          {"numerical_remainder", energy.remainder},
                          {"gained", energy.gained},
                          {"gain_compares_with", energy.scale}};
  if (!scene.measures.empty()) {
    for (const MeasureResult& result : TakeMeasures(scene, simulation, summary.watched)) {
      for (const auto& [quantity, value] : result.values) json["measures"][result.name][quantity] = value;
    }
  }
  json["body_count"] = scene.bodies.size();
  json["bodies"] = Json::object();
  const Model& model = simulation.model();
  const Kinematics& kin = simulation.kinematics();
  const std::unordered_set<std::string> wanted(scene.output.bodies.begin(), scene.output.bodies.end());
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (model.bodies[i].is_link || (scene.has_many_bodies() && wanted.count(model.bodies[i].name) == 0)) continue;
    const Quat& r = kin.X_WB[i].rotation;
    json["bodies"][model.bodies[i].name] = {{"position_metres", VectorJson(kin.X_WB[i].position)},
                                            {"quaternion_wxyz", Json::array({r.w(), r.x(), r.y(), r.z()})},
                                            {"velocity_metres_per_second", VectorJson(kin.linear_velocity[i])},
                                            {"angular_velocity_per_second", VectorJson(kin.angular_velocity[i])}};
  }
  json["state_hash"] = fmt::format("{:016x}", summary.state_hash);
  json["seconds"] = summary.seconds;
  return json;
}

void WriteJson(const Json& json, const std::filesystem::path& file) { WriteFile(file, json.dump(2) + "\n"); }

}  // namespace slipstick::internal
