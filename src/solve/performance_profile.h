#pragma once

#include <limits>
#include <string>
#include <vector>

namespace slipstick::internal {

// Which solver is fast how often, which is robust: Dolan & Moré, "Benchmarking optimization software with performance
// profiles", Math. Program. 91 (2002). For each solver the share of problems that it solved within τ times the time of
// the fastest solver on that problem. Its value at τ = 1 is how often it was the fastest, its limit how much it solved.
struct PerformanceProfile {
  std::vector<double> tau;                 // rising from 1: the corners of all curves, and a margin after the last
  std::vector<std::vector<double>> share;  // [solver][tau], 0 … 1, constant up to the next corner
};

// Times below this count as this: differences there are the machine's, not the solver's.
inline constexpr double kLeastSeconds = 1e-4;

// seconds[problem][solver], +∞ where it did not solve the problem (or does not take such problems). Problems that
// nobody solved count among all.
PerformanceProfile MakePerformanceProfile(const std::vector<std::vector<double>>& seconds, int solvers);

}  // namespace slipstick::internal
