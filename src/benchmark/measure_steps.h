#pragma once

#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "slipstick/benchmark/benchmark.h"
#include "slipstick/simulation/simulation.h"

namespace slipstick::internal {

// What is left out of a run, and what may end it.
struct BenchmarkOptions {
  bool quick = false;                                // a few steps of each row: whether it works, not how fast it is
  double time_limit = 120;                           // seconds of processor time for a row
  std::function<bool(double fraction)> on_progress;  // false ends the row
};

// One line of the table: a simulator, or a method of slipstick, on a scene. NaN is what is not known.
struct BenchmarkRow {
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  std::string benchmark, engine;
  double step = 0;  // [s]
  long steps = 0, steps_planned = 0;
  double settled_milliseconds = kUnknown;  // median over the settled steps, processor time of the thread
  double worst_milliseconds = 0;           // of all steps
  double contacts = kUnknown;              // mean over the settled steps
  // the worst of the settled steps: law residual [m/s], which other simulators do not tell
  double residual = kUnknown;
  // the worst of all steps
  double penetration = 0;  // in half-extents of the thinner shape
  double drift = 0;
  double passed = kUnknown;    // share of the steps whose certificate passed
  Vec3 centre = Vec3::Zero();  // of mass, where the run ended: simulators that were given the same scene nearly agree
  std::string note;            // why there is less than was planned

  bool is_complete() const { return steps == steps_planned; }
};

nlohmann::ordered_json BenchmarkRowJson(const BenchmarkRow& row);
BenchmarkRow BenchmarkRowFrom(const nlohmann::ordered_json& json);

// What the figures are taken from.
struct MeasuredSteps {
  double step = 0, duration = 0;  // [s]
  int settled_steps = 0;
  std::function<int()> take;                               // a step, timed; the number of its contacts
  std::function<bool(bool settled, BenchmarkRow*)> judge;  // after it, not timed; false ends the run
};
void MeasureSteps(const MeasuredSteps& steps, const BenchmarkOptions& options, BenchmarkRow* row);

Vec3 CentreOfMass(const Simulation& simulation);

// A method of slipstick on a benchmark; `start` where it does not begin as the scene does.
BenchmarkRow MeasureMethod(const Benchmark& benchmark, const BenchmarkMethod& method, const std::optional<State>& start,
                           const BenchmarkOptions& options);

// Where the methods of the benchmark begin; nothing where that is the scene's start.
std::optional<State> SettledStart(const Benchmark& benchmark, const BenchmarkOptions& options);

}  // namespace slipstick::internal
