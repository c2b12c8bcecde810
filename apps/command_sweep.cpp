#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <list>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "child_process.h"
#include "commands.h"
#include "progress_bar.h"
#include "slipstick/base/nearest_name.h"
#include "slipstick/run/run_summary_json.h"
#include "slipstick/run/sampling.h"
#include "slipstick/scene_file/scene_library.h"
#include "slipstick/simulation/simulation_parts.h"
#include "slipstick/study/sweep.h"
#include "text_table.h"

namespace slipstick::internal {
namespace {

// The arguments of the one run.
SceneArguments ArgumentsOf(const SweepArguments& arguments, const Sweep& sweep, const SweepRun& run) {
  SceneArguments given = arguments.scene;
  for (const Override& one : OverridesOf(sweep.axes, run)) given.set.push_back(one.key + "=" + one.value);
  return given;
}

// Faults of a varied key name the option it came by.
Fault AsVaried(Fault fault, const std::vector<SweepAxis>& axes) {
  const std::string prefix = "--set ";
  if (fault.key.rfind(prefix, 0) != 0) return fault;
  const std::string key = fault.key.substr(prefix.size());
  for (const SweepAxis& axis : axes)
    for (const std::string& varied : axis.keys)
      if (key == varied || key.rfind(varied + ".", 0) == 0) fault.key = "--vary " + key;
  return fault;
}

void CheckQuantities(const SweepArguments& arguments, const nlohmann::ordered_json& sample, Sweep* sweep,
                     std::vector<Fault>* faults) {
  const std::vector<std::string> known = QuantityPaths(sample);
  for (const std::string& quantity : arguments.quantities)
    if (std::find(known.begin(), known.end(), quantity) == known.end())
      faults->push_back(
          {"", 0, "--quantity", "a number of summary.json, " + OneOf(known, quantity), fmt::format("'{}'", quantity)});
  sweep->quantities = arguments.quantities.empty() ? UsualQuantities(sample) : arguments.quantities;
}

// Everything is checked before anything runs or is written.
Sweep Plan(const SweepArguments& arguments) {
  Sweep sweep;
  for (const Override& given : OverridesOf(arguments.scene)) sweep.overrides.emplace_back(given.key, given.value);
  for (const std::string& given : arguments.vary) sweep.axes.push_back(ParseSweepAxis(given));
  sweep.runs = PlanRuns(sweep.axes);
  std::vector<Fault> faults;
  std::set<std::string> messages;
  for (SweepRun& run : sweep.runs) {
    try {
      const SceneArguments given = ArgumentsOf(arguments, sweep, run);
      const Scene scene = ReadScene(FindScene(given.scene), OverridesOf(given));
      const Simulation simulation = Simulation(scene);
      CheckSampling(scene, simulation);
      run.input_hash = InputHash(scene);
      if (sweep.scene_name.empty()) {
        sweep.scene_name = scene.name;
        sweep.title = scene.title.empty() ? scene.name : scene.title;
        CheckQuantities(arguments, SummaryJson(scene, simulation, {}), &sweep, &faults);
      }
    } catch (const InputError& error) {
      for (const Fault& fault : error.faults()) {
        const Fault named = AsVaried(fault, sweep.axes);
        if (messages.insert(named.Message()).second) faults.push_back(named);
      }
    }
  }
  if (!faults.empty()) throw InputError(faults);
  return sweep;
}

std::vector<std::string> CommandOf(const SweepArguments& arguments, const Sweep& sweep, const SweepRun& run,
                                   const std::filesystem::path& folder) {
  const SceneArguments given = ArgumentsOf(arguments, sweep, run);
  std::vector<std::string> command = {"run", std::filesystem::absolute(FindScene(given.scene)).string(), "-o",
                                      (folder / run.folder).string()};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) command.insert(command.end(), {option, value});
  };
  add("--law", given.law);
  add("--solver", given.solver);
  add("--stepper", given.stepper);
  add("--step", given.step);
  add("--time", given.time);
  for (const std::string& set : given.set) add("--set", set);
  return command;
}

// Runs side by side, as many as there are jobs.
class Workers {
 public:
  Workers(const SweepArguments& arguments, const std::filesystem::path& folder, Sweep* sweep)
      : arguments_(arguments), folder_(folder), sweep_(sweep), bar_(arguments.quiet) {}

  void RunAll() {
    std::size_t next = 0;
    std::vector<SweepRun>& runs = sweep_->runs;
    while (next < runs.size() || !working_.empty()) {
      while (!Interrupted() && next < runs.size() && static_cast<int>(working_.size()) < arguments_.jobs) {
        if (!runs[next].outcome) Start(&runs[next]);
        ++next;
      }
      if (Interrupted()) {
        for (; next < runs.size(); ++next) runs[next].interrupted = !runs[next].outcome;
        if (!told_) {
          for (Working& one : working_) one.process.Interrupt();
        }
        told_ = true;
      }
      Wait();
      working_.remove_if([this](Working& one) { return Finish(&one); });
      Show();
    }
    bar_.Clear();
  }

 private:
  struct Working {
    SweepRun* run;
    ChildProcess process;
  };

  void Start(SweepRun* run) {
    // of an older run, with other inputs or cut short; a summary says that all beside it is complete
    std::error_code ignored;
    std::filesystem::remove(folder_ / run->folder / "summary.json", ignored);
    working_.push_back({run, ChildProcess(CommandOf(arguments_, *sweep_, *run, folder_))});
  }

  // Until one of them says something or a moment has passed.
  void Wait() const {
    std::vector<pollfd> files;
    for (const Working& one : working_) files.push_back({one.process.output(), POLLIN, 0});
    constexpr int kMoment = 100;  // milliseconds
    if (!files.empty()) poll(files.data(), files.size(), kMoment);
    // a pipe whose other end is closed has news for ever
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }

  bool Finish(Working* one) {
    if (!one->process.HasEnded()) return false;
    SweepRun& run = *one->run;
    if (const auto summary = FindFinished(folder_ / run.folder, run.input_hash)) {
      run.outcome = OutcomeOf(*summary, sweep_->quantities);
    } else if (Interrupted()) {
      run.interrupted = true;
    } else {
      run.complaint = fmt::format("ended with exit code {}: {}", one->process.exit_code(), one->process.complaints());
    }
    return true;
  }

  void Show() {
    double done = 0;
    int finished = 0;
    for (const SweepRun& run : sweep_->runs) finished += run.outcome || !run.complaint.empty() ? 1 : 0;
    for (const Working& one : working_) done += one.process.fraction();
    bar_.Show((finished + done) / static_cast<double>(sweep_->runs.size()), sweep_->scene_name,
              fmt::format("{} of {} runs done, {} running", finished, sweep_->runs.size(), working_.size()));
  }

  const SweepArguments& arguments_;
  const std::filesystem::path folder_;
  Sweep* sweep_;
  ProgressBar bar_;
  std::list<Working> working_;
  bool told_ = false;
};

// The runs as a table with the quantities from `first` on, as many of them as fit beside what was varied.
std::string TableOf(const Sweep& sweep, std::size_t first, std::size_t count) {
  std::vector<std::string> header;
  for (const SweepAxis& axis : sweep.axes) header.push_back(HeadingOf(axis));
  for (std::size_t q = first; q < first + count; ++q) header.push_back(HeadingOf(sweep.quantities[q]));
  header.insert(header.end(), {"took [s]", "passed"});
  std::vector<std::vector<std::string>> rows;
  for (const SweepRun& run : sweep.runs) {
    std::vector<std::string> row;
    for (std::size_t a = 0; a < sweep.axes.size(); ++a) row.push_back(sweep.axes[a].values[run.choice[a]]);
    for (std::size_t q = first; q < first + count; ++q) {
      const bool is_there = run.outcome && run.outcome->quantities[q];
      row.push_back(is_there ? fmt::format("{:.4g}", *run.outcome->quantities[q]) : "–");
    }
    row.push_back(run.outcome ? fmt::format("{:.3g}", run.outcome->seconds) : "–");
    row.push_back(!run.outcome ? "✗ not finished" : run.outcome->passed ? "✓" : "✗");
    rows.push_back(row);
  }
  return FormatTable(header, rows, 0);
}

// One table, or where there are too many quantities several with the same rows.
std::string TablesOf(const Sweep& sweep) {
  std::string text;
  std::size_t first = 0;
  do {
    std::size_t count = sweep.quantities.size() - first;
    std::string table = TableOf(sweep, first, count);
    // a cut cell is as good as a line that is too long
    while (count > 1 && (WidestLine(table) > kLineWidth || table.find("…") != std::string::npos)) {
      table = TableOf(sweep, first, --count);
    }
    text += (text.empty() ? "" : "\n") + table;
    first += count;
  } while (first < sweep.quantities.size());
  return text;
}

void Print(const Sweep& sweep) {
  const auto reused = std::count_if(sweep.runs.begin(), sweep.runs.end(), [](const SweepRun& r) { return r.reused; });
  fmt::print("{}, {} runs{}\n\n{}", sweep.title, sweep.runs.size(),
             reused > 0 ? fmt::format(", {} of them made before", reused) : "", TablesOf(sweep));
  for (const SweepRun& run : sweep.runs)
    if (!run.complaint.empty()) fmt::print("{}: {}", run.folder, run.complaint);
}

}  // namespace

int SweepScene(const SweepArguments& given) {
  SweepArguments arguments = given;
  if (arguments.jobs == 0) arguments.jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  Sweep sweep = Plan(arguments);
  const std::filesystem::path folder = arguments.output.empty() ? "out/sweep-" + sweep.scene_name : arguments.output;
  for (SweepRun& run : sweep.runs) {
    const auto summary = arguments.again ? std::nullopt : FindFinished(folder / run.folder, run.input_hash);
    if (!summary) continue;
    run.reused = true;
    run.outcome = OutcomeOf(*summary, sweep.quantities);
  }
  Workers(arguments, folder, &sweep).RunAll();

  WriteReport(ReportOfSweep(sweep, folder), folder / "report.html");
  const auto summary = SweepJson(sweep);
  WriteJson(summary, folder / "summary.json");
  if (arguments.json) {
    std::cout << summary.dump(2) << "\n";
  } else {
    Print(sweep);
    fmt::print("report: {}\n", (folder / "report.html").string());
  }
  if (Interrupted()) return kExitInterrupted;
  return sweep.passed() ? kExitPassed : kExitNotPassed;
}

}  // namespace slipstick::internal
