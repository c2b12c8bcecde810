#pragma once

#include <string>
#include <vector>

#include "slipstick/benchmark/measure_steps.h"
#include "slipstick/output/report.h"

namespace slipstick::internal {

// The rows of some benchmarks as cells of text: what they are, and beside the time the ratio to the fastest of the same
// benchmark's rows, which a busy machine changes less than the time.
std::vector<std::string> BenchmarkColumns();
std::vector<std::vector<std::string>> BenchmarkCells(const std::vector<BenchmarkRow>& rows);

// How a settled step's time grows from one heap to a larger one, by law: exponent of the number of bodies.
std::vector<std::string> GrowthColumns();
std::vector<std::vector<std::string>> GrowthCells(const std::vector<BenchmarkRow>& rows);

// Both as tables in Markdown, for docs/performance.md; and as a report.
std::string BenchmarkMarkdown(const std::vector<BenchmarkRow>& rows);
Report ReportOfBenchmarks(const std::vector<BenchmarkRow>& rows);

// What the figures were computed by: processor, compiler, version of slipstick.
std::vector<std::pair<std::string, std::string>> BenchmarkFacts();

}  // namespace slipstick::internal
