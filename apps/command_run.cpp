#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "commands.h"
#include "progress_bar.h"
#include "slipstick/live/live_run.h"
#include "slipstick/measure/measures.h"
#include "slipstick/output/report.h"
#include "slipstick/run/record_run.h"
#include "slipstick/run/run_report.h"
#include "slipstick/run/run_summary_json.h"
#include "slipstick/run/sampling.h"
#include "slipstick/run/save_problems.h"
#include "slipstick/scene_file/scene_library.h"
#include "slipstick/simulation/simulation_parts.h"
#include "slipstick/state_file/state_file.h"

namespace slipstick::internal {

std::vector<Override> OverridesOf(const SceneArguments& arguments) {
  std::vector<Override> overrides;
  std::vector<Fault> faults;
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) overrides.push_back({key, value});
  };
  add("law.name", arguments.law);
  add("solver.name", arguments.solver);
  add("stepper.name", arguments.stepper);
  add("stepper.step", arguments.step);
  add("stepper.duration", arguments.time);
  for (const std::string& given : arguments.set) {
    const std::size_t equal = given.find('=');
    if (equal == std::string::npos || equal == 0) {
      faults.push_back({"", 0, "--set", "KEY=VALUE, such as bodies.wheel.mass=2", fmt::format("'{}'", given)});
    } else {
      // keys joined by commas take the same value
      std::istringstream keys(given.substr(0, equal));
      for (std::string key; std::getline(keys, key, ',');) overrides.push_back({key, given.substr(equal + 1)});
    }
  }
  if (!faults.empty()) throw InputError(faults);
  return overrides;
}

namespace {

// Start, end, and every kind of work that was done in between, so that they add up.
std::string EnergyLines(const EnergyAccount& energy) {
  std::string text =
      fmt::format("energy: {:.6g} J at the start, {:.6g} J at the end\n", energy.initial, energy.Total());
  const StepWork& work = energy.work;
  for (const auto& [name, joule] : {std::pair("released bodies", energy.released),
                                    {"given forces and springs", work.applied},
                                    {"constraints", work.bilateral},
                                    {"joint friction and stops", work.bounded},
                                    {"springs, servos and motors of joints", work.drives},
                                    {"contact normals, impacts", work.normal},
                                    {"sliding friction", work.friction},
                                    {"rolling and spinning friction", work.rolling}}) {
    if (joule != 0) text += fmt::format("        {:.6g} J by {}\n", joule, name);
  }
  return text + fmt::format("        {:.3g} J numerical remainder\n", energy.remainder);
}

// Gives the simulation the state in a file, where one is named. Returns what is left of the run [s].
double DurationFrom(const std::string& state_file, Simulation* simulation) {
  if (state_file.empty()) return simulation->duration();
  RestoreState(state_file, simulation);
  const State& state = simulation->state();
  const double left = simulation->duration() - static_cast<double>(state.step_count) * simulation->step();
  if (left > 0.5 * simulation->step()) return left;
  throw InputError({{state_file, 0, "time",
                     fmt::format("a state before the end of the run at {:g} s; --time makes it longer",
                                 state.start_time + simulation->duration()),
                     fmt::format("{:g} s", state.time)}});
}

}  // namespace

int Run(const RunArguments& arguments) {
  std::optional<SaveProblemsSettings> saved_problems;
  if (arguments.save_problems) saved_problems = SaveProblemsSettings::Parse(*arguments.save_problems);
  const std::vector<Override> overrides = OverridesOf(arguments.scene);
  const Scene scene = ReadScene(FindScene(arguments.scene.scene), overrides);
  Simulation simulation = Simulation(scene);
  CheckSampling(scene, simulation);
  const double duration = DurationFrom(arguments.from_state, &simulation);
  std::optional<LiveRun> live;
  if (arguments.live) {
    CheckPort(arguments.port);
    live.emplace(scene, overrides, simulation, arguments.port, Interrupted);
  }
  const std::filesystem::path folder = arguments.output.empty() ? "out/" + scene.name : arguments.output;

  RunRecorder recorder(folder, scene, simulation);
  // of an older run; a summary says that all beside it is complete
  std::error_code ignored;
  std::filesystem::remove(folder / "summary.json", ignored);
  std::optional<ProblemKeeper> keeper;
  if (saved_problems) keeper.emplace(folder, scene, *saved_problems);
  ProgressBar bar(arguments.quiet);
  const auto start = std::chrono::steady_clock::now();
  RunOptions options;
  options.scene = &scene;
  options.duration = duration;
  options.sample_every = SampleInterval(scene, simulation.step());
  options.tracked_bodies = scene.output.bodies;
  options.reads_joints = true;
  options.on_sample = [&](const Simulation& s, const Trajectory& t) { recorder.Record(s, t); };
  options.on_step = [&](const StepRecord& record, long number) {
    if (keeper) keeper->See(record, number);
    if (live) live->AfterStep(simulation);
  };
  if (live) {
    options.before_step = [&](Simulation* s) { return live->BeforeStep(s); };
    fmt::print(stderr, "{} shows the run and waits for you to start it; Ctrl-C ends it\n", live->address());
    if (arguments.open) OpenBrowser(live->address());
  }
  options.on_progress = [&](const RunProgress& p) {
    bar.Show(p.time / p.duration, scene.name,
             ProgressDetail(p, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()));
    return !Interrupted();
  };
  RunResult result = RunSimulation(&simulation, options);
  if (live) {
    result.summary.changes = live->changes();
    result.summary.seconds -= live->waited_seconds();
  }
  bar.Clear();
  recorder.Close(simulation);
  if (!arguments.save_state.empty()) SaveState(arguments.save_state, simulation);
  if (keeper) keeper->Close();
  const auto summary = SummaryJson(scene, simulation, result.summary);
  Report report = ReportOfRun(scene, simulation, result);
  report.replays.push_back({scene.law, EncodeReplay(RecordingReader(folder))});
  WriteReport(report, folder / "report.html");
  WriteJson(summary, folder / "summary.json");

  if (arguments.json) {
    std::cout << summary.dump(2) << "\n";
  } else {
    fmt::print("{} with law {}: {:g} s in {} steps, {:.3g} s of computing\n", scene.name, scene.law,
               result.summary.end_time, result.summary.steps, result.summary.seconds);
    if (const std::string rounding = RoundingOf(result.summary); !rounding.empty()) fmt::print("{}\n", rounding);
    if (const std::string redundancy = RedundancyOf(result.summary); !redundancy.empty()) {
      fmt::print("constraints: {}\n", redundancy);
    }
    if (const std::string overlaps = OverlapsOf(result.summary); !overlaps.empty()) fmt::print("{}\n", overlaps);
    fmt::print("{}\n", VerdictOf(result.summary));
    fmt::print("{}", EnergyLines(result.summary.energy));
    for (const MeasureResult& measure : TakeMeasures(scene, simulation, result.summary.watched)) {
      std::string values;
      for (const auto& [quantity, value] : measure.values)
        values += fmt::format("{}{} {:.6g}", values.empty() ? "" : ", ", quantity, value);
      fmt::print("{}: {}\n", measure.name, values);
    }
    fmt::print("report: {}\n", (folder / "report.html").string());
  }
  const int exit_code = Interrupted() ? kExitInterrupted : result.summary.passed() ? kExitPassed : kExitNotPassed;
  if (live) {
    live->ShowEnd(simulation, VerdictOf(result.summary), result.summary.passed(), folder / "report.html");
    std::fflush(stdout);
    live->WaitForPages();
  }
  return exit_code;
}

}  // namespace slipstick::internal
