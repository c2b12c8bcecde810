#include "slipstick/benchmark/measure_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>
#include <vector>

#include "slipstick/model/model.h"
#include "slipstick/stepping/stepper.h"

namespace slipstick::internal {
namespace {

using Json = nlohmann::ordered_json;

constexpr long kQuickSteps = 12;
constexpr int kQuickSettled = 6;

// Processor time of this thread [s]: what else the machine does counts little.
double ThreadSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double Median(std::vector<double> values) {
  if (values.empty()) return BenchmarkRow::kUnknown;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Worst of both; what is not known stays unknown until something is.
void Worsen(double* worst, double value) {
  if (std::isnan(*worst) || value > *worst) *worst = value;
}

Json Number(double value) { return std::isfinite(value) ? Json(value) : Json(); }
double NumberFrom(const Json& json) { return json.is_null() ? BenchmarkRow::kUnknown : json.get<double>(); }

}  // namespace

Json BenchmarkRowJson(const BenchmarkRow& row) {
  return {{"benchmark", row.benchmark},
          {"engine", row.engine},
          {"step_s", row.step},
          {"steps", row.steps},
          {"steps_planned", row.steps_planned},
          {"settled_step_ms", Number(row.settled_milliseconds)},
          {"worst_step_ms", Number(row.worst_milliseconds)},
          {"contacts", Number(row.contacts)},
          {"law_residual_m_per_s", Number(row.residual)},
          {"relative_penetration", Number(row.penetration)},
          {"drift", Number(row.drift)},
          {"share_passed", Number(row.passed)},
          {"centre_m", {row.centre.x(), row.centre.y(), row.centre.z()}},
          {"note", row.note}};
}

BenchmarkRow BenchmarkRowFrom(const Json& json) {
  BenchmarkRow row;
  row.benchmark = json.at("benchmark");
  row.engine = json.at("engine");
  row.step = json.at("step_s");
  row.steps = json.at("steps");
  row.steps_planned = json.at("steps_planned");
  row.settled_milliseconds = NumberFrom(json.at("settled_step_ms"));
  row.worst_milliseconds = NumberFrom(json.at("worst_step_ms"));
  row.contacts = NumberFrom(json.at("contacts"));
  row.residual = NumberFrom(json.at("law_residual_m_per_s"));
  row.penetration = NumberFrom(json.at("relative_penetration"));
  row.drift = NumberFrom(json.at("drift"));
  row.passed = NumberFrom(json.at("share_passed"));
  for (int k = 0; k < 3; ++k) row.centre[k] = NumberFrom(json.at("centre_m").at(k));
  row.note = json.at("note");
  return row;
}

void MeasureSteps(const MeasuredSteps& steps, const BenchmarkOptions& options, BenchmarkRow* row) {
  row->step = steps.step;
  row->steps_planned = std::lround(steps.duration / steps.step);
  if (options.quick) row->steps_planned = std::min(row->steps_planned, kQuickSteps);
  const long settled_steps = std::min<long>(options.quick ? kQuickSettled : steps.settled_steps, row->steps_planned);
  std::vector<double> settled;
  double used = 0, contacts = 0;
  while (row->steps < row->steps_planned) {
    const double begin = ThreadSeconds();
    const int count = steps.take();
    const double seconds = ThreadSeconds() - begin;
    used += seconds;
    ++row->steps;
    const bool is_settled = row->steps > row->steps_planned - settled_steps;
    row->worst_milliseconds = std::max(row->worst_milliseconds, 1e3 * seconds);
    if (is_settled) {
      settled.push_back(1e3 * seconds);
      contacts += count;
    }
    const double time = static_cast<double>(row->steps) * steps.step;
    if (!steps.judge(is_settled, row)) {
      row->note = fmt::format("not finite at {:.3g} s", time);
    } else if (used > options.time_limit && !row->is_complete()) {
      row->note = fmt::format("{:.3g} s of computing used up at {:.3g} s", options.time_limit, time);
    } else if (options.on_progress &&
               !options.on_progress(static_cast<double>(row->steps) / static_cast<double>(row->steps_planned))) {
      row->note = fmt::format("interrupted at {:.3g} s", time);
    }
    if (!row->note.empty()) break;
  }
  // figures over the steps that happened to be done would be of another part of the motion
  if (!row->is_complete()) {
    row->residual = BenchmarkRow::kUnknown;
    return;
  }
  row->settled_milliseconds = Median(settled);
  row->contacts = contacts / static_cast<double>(std::max<std::size_t>(settled.size(), 1));
}

Vec3 CentreOfMass(const Simulation& simulation) {
  const std::vector<ModelBody>& bodies = simulation.model().bodies;
  Vec3 moment = Vec3::Zero();
  double mass = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    moment += bodies[b].mass * (simulation.BodyPose(static_cast<int>(b)) * bodies[b].com);
    mass += bodies[b].mass;
  }
  return moment / mass;
}

BenchmarkRow MeasureMethod(const Benchmark& benchmark, const BenchmarkMethod& method, const std::optional<State>& start,
                           const BenchmarkOptions& options) {
  Simulation simulation(SceneOf(benchmark, method.overrides));
  if (start) simulation.TakeOver(*start);
  BenchmarkRow row;
  row.benchmark = benchmark.name;
  row.engine = "slipstick, " + method.name;
  long passed = 0;
  MeasuredSteps steps;
  steps.step = simulation.step();
  steps.duration = benchmark.duration;
  steps.settled_steps = benchmark.settled_steps;
  steps.take = [&] { return simulation.Step().problem.contacts.size(); };
  steps.judge = [&](bool is_settled, BenchmarkRow* figures) {
    const Certificate& certificate = simulation.certificate();
    passed += certificate.passed;
    if (is_settled) Worsen(&figures->residual, certificate.law_residual);
    Worsen(&figures->penetration, certificate.relative_penetration);
    Worsen(&figures->drift, certificate.drift);
    return certificate.finite;
  };
  MeasureSteps(steps, options, &row);
  row.centre = CentreOfMass(simulation);
  row.passed = static_cast<double>(passed) / static_cast<double>(std::max(row.steps, 1L));
  return row;
}

std::optional<State> SettledStart(const Benchmark& benchmark, const BenchmarkOptions& options) {
  if (benchmark.settle_by.empty()) return std::nullopt;
  Simulation simulation(SceneOf(benchmark, benchmark.settle_by));
  const long all = std::lround(benchmark.settle_duration / simulation.step());
  const long steps = options.quick ? std::min(all, kQuickSteps) : all;
  for (long k = 0; k < steps; ++k) {
    simulation.Step();
    if (options.on_progress && !options.on_progress(0)) break;
  }
  return simulation.state();
}

}  // namespace slipstick::internal
