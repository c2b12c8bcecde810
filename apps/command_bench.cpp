#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "child_process.h"
#include "commands.h"
#include "progress_bar.h"
#include "slipstick/base/draft_file.h"
#include "slipstick/benchmark/benchmark_table.h"
#include "slipstick/run/run_summary_json.h"
#include "slipstick/run/version.h"
#include "text_table.h"

namespace slipstick::internal {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Other simulators are programs of their own, so that this one does not depend on them: bench/, beside this program
// where they were built.
fs::path PeerProgram(const std::string& peer) {
  std::error_code error;
  const fs::path own = fs::read_symlink("/proc/self/exe", error);
  const fs::path program = own.parent_path() / ("slipstick_peer_" + peer);
  return !error && fs::exists(program, error) ? program : fs::path();
}

// A row to be made, or the rows of another simulator.
struct Task {
  const Benchmark* benchmark = nullptr;
  const BenchmarkMethod* method = nullptr;  // null: the peer
  std::string peer;
};

std::vector<Task> TasksOf(const std::vector<Benchmark>& benchmarks, std::vector<std::string>* missing) {
  std::vector<Task> tasks;
  for (const Benchmark& benchmark : benchmarks) {
    for (const BenchmarkMethod& method : benchmark.methods) tasks.push_back({&benchmark, &method, ""});
    for (const std::string& peer : benchmark.peers) {
      if (!PeerProgram(peer).empty()) {
        tasks.push_back({&benchmark, nullptr, peer});
      } else if (std::find(missing->begin(), missing->end(), peer) == missing->end()) {
        missing->push_back(peer);
      }
    }
  }
  return tasks;
}

// Runs the other simulator's program, which writes its rows into a file.
std::vector<BenchmarkRow> RunPeer(const Task& task, const BenchArguments& arguments, const fs::path& folder) {
  const fs::path file = folder / ("peer-" + task.peer + ".json");
  std::vector<std::string> words = {task.benchmark->name, file.string(), fmt::format("{:.17g}", arguments.time_limit)};
  if (arguments.quick) words.emplace_back("quick");
  ChildProcess process(PeerProgram(task.peer), words);
  while (!process.HasEnded()) {
    if (Interrupted()) process.Interrupt();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  std::vector<BenchmarkRow> rows;
  if (process.exit_code() != 0) {
    BenchmarkRow row;
    row.benchmark = task.benchmark->name;
    row.engine = task.peer;
    row.note =
        Interrupted() ? "interrupted" : "failed: " + process.complaints().substr(0, process.complaints().find('\n'));
    return {row};
  }
  std::ifstream stream(file);
  for (const Json& row : Json::parse(stream)) rows.push_back(BenchmarkRowFrom(row));
  stream.close();
  std::error_code ignored;
  fs::remove(file, ignored);
  return rows;
}

class Measurement {
 public:
  Measurement(const BenchArguments& arguments, const fs::path& folder, std::size_t tasks)
      : arguments_(arguments), folder_(folder), bar_(arguments.quiet), count_(static_cast<double>(tasks)) {
    options_.quick = arguments.quick;
    options_.time_limit = arguments.time_limit;
    options_.on_progress = [this](double fraction) {
      bar_.Show((done_ + fraction) / count_, label_, "");
      return !Interrupted();
    };
  }

  void Take(const Task& task) {
    label_ = task.benchmark->name + ": " + (task.method != nullptr ? task.method->name : task.peer);
    bar_.Show(done_ / count_, label_, "");
    if (task.method == nullptr) {
      for (const BenchmarkRow& row : RunPeer(task, arguments_, folder_)) rows.push_back(row);
    } else {
      if (task.benchmark != started_) {
        start_ = SettledStart(*task.benchmark, options_);
        started_ = task.benchmark;
      }
      if (Interrupted()) return;
      rows.push_back(MeasureMethod(*task.benchmark, *task.method, start_, options_));
    }
    done_ += 1;
  }
  void End() { bar_.Clear(); }

  std::vector<BenchmarkRow> rows;

 private:
  const BenchArguments& arguments_;
  fs::path folder_;
  ProgressBar bar_;
  BenchmarkOptions options_;
  std::string label_;
  const Benchmark* started_ = nullptr;
  std::optional<State> start_;
  double done_ = 0, count_;
};

// A scene's rows, as much of them as fits into a terminal; all of it is in the files.
void PrintScene(const std::string& title, const std::vector<BenchmarkRow>& rows) {
  std::vector<std::vector<std::string>> table;
  for (const BenchmarkRow& row : rows) {
    const std::vector<std::string> cells = BenchmarkCells({row}).front();
    const std::string by = row.engine.rfind("slipstick, ", 0) == 0 ? row.engine.substr(11) : row.engine;
    table.push_back({by, cells[3], row.note.empty() ? cells[4] : "✗", cells[6], cells[7], cells[8], cells[10]});
  }
  fmt::print("{}: {}\n\n{}", rows.front().benchmark, title,
             FormatTable({"by", "contacts", "ms", "worst", "residual", "overlap", "passed"}, table, 0));
  for (const BenchmarkRow& row : rows) {
    if (!row.note.empty()) fmt::print("✗ {}: {}\n", row.engine, row.note);
  }
  fmt::print("\n");
}

void PrintRows(const std::vector<Benchmark>& benchmarks, const std::vector<BenchmarkRow>& rows) {
  for (const Benchmark& benchmark : benchmarks) {
    std::vector<BenchmarkRow> own;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(own),
                 [&](const BenchmarkRow& row) { return row.benchmark == benchmark.name; });
    if (!own.empty()) PrintScene(benchmark.title, own);
  }
}

}  // namespace

int Bench(const BenchArguments& arguments) {
  const std::vector<Benchmark> benchmarks = ChooseBenchmarks(arguments.names);
  for (const Benchmark& benchmark : benchmarks) {
    for (const BenchmarkMethod& method : benchmark.methods) Simulation(SceneOf(benchmark, method.overrides));
  }
  const fs::path folder = arguments.output.empty() ? "out/bench" : arguments.output;
  std::vector<std::string> missing;
  const std::vector<Task> tasks = TasksOf(benchmarks, &missing);
  fs::create_directories(folder);
  Measurement measurement(arguments, folder, tasks.size());
  for (const Task& task : tasks) {
    measurement.Take(task);
    if (Interrupted()) break;
  }
  measurement.End();

  const std::vector<BenchmarkRow>& rows = measurement.rows;
  Json all = Json::array();
  for (const BenchmarkRow& row : rows) all.push_back(BenchmarkRowJson(row));
  Json facts = Json::object();
  for (const auto& [name, value] : BenchmarkFacts()) facts[name] = value;
  const Json summary = {{"format", "slipstick-bench 1"}, {"quick", arguments.quick}, {"facts", facts}, {"rows", all}};
  WriteJson(summary, folder / "bench.json");
  WriteFile(folder / "bench.md", BenchmarkMarkdown(rows));
  WriteReport(ReportOfBenchmarks(rows), folder / "report.html");
  if (arguments.json) {
    std::cout << summary.dump(2) << "\n";
  } else {
    PrintRows(benchmarks, rows);
    for (const std::string& peer : missing)
      fmt::print("without {}: no slipstick_peer_{} beside this program (docs/performance.md)\n", peer, peer);
    fmt::print("report: {}\n", (folder / "report.html").string());
  }
  if (Interrupted()) return kExitInterrupted;
  return std::all_of(rows.begin(), rows.end(), [](const BenchmarkRow& row) { return row.note.empty(); })
             ? kExitPassed
             : kExitNotPassed;
}

}  // namespace slipstick::internal
