#include "slipstick/benchmark/benchmark_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "slipstick/run/version.h"

namespace slipstick::internal {
namespace {

std::string Cell(double value, const char* format) {
  return std::isfinite(value) ? fmt::format(fmt::runtime(format), value) : "–";
}

// Three digits, without the exponents that a table of milliseconds does not need.
std::string Milliseconds(double value) {
  if (!std::isfinite(value)) return "–";
  return fmt::format("{:.{}f}", value, value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : value >= 0.1 ? 3 : 4);
}

// 100 % is said where it is meant alone.
std::string Share(double share) { return share == 1 ? "100 %" : fmt::format("{:.1f} %", std::min(100 * share, 99.9)); }

double FastestOf(const std::vector<BenchmarkRow>& rows, const std::string& benchmark) {
  double fastest = BenchmarkRow::kUnknown;
  for (const BenchmarkRow& row : rows) {
    const double time = row.settled_milliseconds;
    if (row.benchmark == benchmark && std::isfinite(time) && !(time >= fastest)) fastest = time;
  }
  return fastest;
}

const Benchmark* Find(const std::string& name) {
  const std::vector<Benchmark>& catalog = BenchmarkCatalog();
  const auto at = std::find_if(catalog.begin(), catalog.end(), [&](const Benchmark& b) { return b.name == name; });
  return at == catalog.end() ? nullptr : &*at;
}

struct HeapSize {
  const char* benchmark;
  double bodies;
};
constexpr HeapSize kHeaps[] = {{"heap-100-settled", 100}, {"heap-settled", 225}, {"heap-1000-settled", 1000}};

const BenchmarkRow* RowOf(const std::vector<BenchmarkRow>& rows, const std::string& benchmark,
                          const std::string& engine) {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const BenchmarkRow& row) {
    return row.benchmark == benchmark && row.engine == engine && std::isfinite(row.settled_milliseconds);
  });
  return at == rows.end() ? nullptr : &*at;
}

std::string MarkdownTable(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows) {
  std::string text = fmt::format("| {} |\n|", fmt::join(columns, " | "));
  for (std::size_t i = 0; i < columns.size(); ++i) text += "---|";
  text += "\n";
  for (const auto& row : rows) text += fmt::format("| {} |\n", fmt::join(row, " | "));
  return text;
}

// What the processor calls itself.
std::string Processor() {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

}  // namespace

std::vector<std::string> BenchmarkColumns() {
  return {"scene", "simulator", "h [ms]",      "contacts", "step [ms]", "ratio",
          "worst", "residual",  "penetration", "drift",    "passed"};
}

std::vector<std::vector<std::string>> BenchmarkCells(const std::vector<BenchmarkRow>& rows) {
  std::vector<std::vector<std::string>> cells;
  for (const BenchmarkRow& row : rows) {
    // a bilateral constraint that is not there cannot drift
    const bool has_drift = std::isfinite(row.drift) && row.drift > 0;
    cells.push_back({row.benchmark, row.engine, fmt::format("{:g}", 1e3 * row.step), Cell(row.contacts, "{:.0f}"),
                     row.note.empty() ? Milliseconds(row.settled_milliseconds) : row.note,
                     Cell(row.settled_milliseconds / FastestOf(rows, row.benchmark), "{:.2f}"),
                     Milliseconds(row.worst_milliseconds), Cell(row.residual, "{:.1e}"),
                     Cell(row.penetration, "{:.1e}"), has_drift ? fmt::format("{:.1e}", row.drift) : "–",
                     std::isfinite(row.passed) ? Share(row.passed) : "–"});
  }
  return cells;
}

std::vector<std::string> GrowthColumns() {
  return {"simulator", "100 boxes [ms]", "225 boxes [ms]", "1,000 boxes [ms]", "exponent, 225 to 1,000"};
}

std::vector<std::vector<std::string>> GrowthCells(const std::vector<BenchmarkRow>& rows) {
  std::vector<std::vector<std::string>> cells;
  for (const BenchmarkMethod& method : Find(kHeaps[0].benchmark)->methods) {
    std::vector<std::string> line = {"slipstick, " + method.name};
    double before = BenchmarkRow::kUnknown, bodies_before = 0, exponent = BenchmarkRow::kUnknown;
    for (const HeapSize& heap : kHeaps) {
      const BenchmarkRow* row = RowOf(rows, heap.benchmark, line[0]);
      const double time = row == nullptr ? BenchmarkRow::kUnknown : row->settled_milliseconds;
      line.push_back(Milliseconds(time));
      exponent = std::log(time / before) / std::log(heap.bodies / bodies_before);
      before = time;
      bodies_before = heap.bodies;
    }
    line.push_back(Cell(exponent, "{:.2f}"));
    const auto is_told = [](const std::string& cell) { return cell != "–"; };
    if (std::count_if(line.begin() + 1, line.end(), is_told) > 1) cells.push_back(line);
  }
  return cells;
}

std::string BenchmarkMarkdown(const std::vector<BenchmarkRow>& rows) {
  std::string text;
  for (const auto& [name, value] : BenchmarkFacts()) text += fmt::format("{}: {}\n", name, value);
  text += "\n" + MarkdownTable(BenchmarkColumns(), BenchmarkCells(rows));
  const std::vector<std::vector<std::string>> growth = GrowthCells(rows);
  if (!growth.empty()) text += "\n" + MarkdownTable(GrowthColumns(), growth);
  return text;
}

namespace {

// The section says which scene it is; a page is wide enough for the rest.
std::vector<std::string> WithoutScene(std::vector<std::string> line) {
  line.erase(line.begin());
  return line;
}

}  // namespace

Report ReportOfBenchmarks(const std::vector<BenchmarkRow>& rows) {
  Report report;
  report.title = "slipstick bench";
  report.subtitle = "Processor time of a settled step, and what it is worth";
  report.facts = BenchmarkFacts();
  std::vector<BenchmarkRow> section;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    section.push_back(rows[i]);
    if (i + 1 < rows.size() && rows[i + 1].benchmark == rows[i].benchmark) continue;
    const Benchmark* benchmark = Find(rows[i].benchmark);
    std::vector<std::vector<std::string>> cells = BenchmarkCells(section);
    for (std::vector<std::string>& line : cells) line = WithoutScene(std::move(line));
    report.sections.push_back({rows[i].benchmark,
                               benchmark == nullptr ? "" : benchmark->title,
                               {},
                               {{"Settled step", "Residual in m/s, penetration in half-extents of the thinner shape.",
                                 WithoutScene(BenchmarkColumns()), std::move(cells)}}});
    section.clear();
  }
  const std::vector<std::vector<std::string>> growth = GrowthCells(rows);
  if (!growth.empty()) report.sections.push_back({"Growth", "", {}, {{"Settled step", "", GrowthColumns(), growth}}});
  return report;
}

std::vector<std::pair<std::string, std::string>> BenchmarkFacts() {
  return {{"slipstick", kVersion}, {"processor", Processor()}, {"compiler", "g++ " __VERSION__}, {"threads", "1"}};
}

}  // namespace slipstick::internal
