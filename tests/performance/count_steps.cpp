// Steps of a scene, of which callgrind counts the last ones: all that CountedSteps does (instruction_counts.py).
#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation.h"

namespace {

// By its name callgrind knows where to begin.
[[gnu::noinline]] void CountedSteps(slipstick::Simulation* simulation, int count) {
  for (int k = 0; k < count; ++k) simulation->Step();
}

}  // namespace

// count_steps SCENE STEPS_BEFORE STEPS_COUNTED KEY=VALUE…
int main(int count, char** arguments) {
  if (count < 4) return 2;
  try {
    std::vector<slipstick::Override> overrides;
    for (int i = 4; i < count; ++i) {
      const std::string given = arguments[i];
      overrides.push_back({given.substr(0, given.find('=')), given.substr(given.find('=') + 1)});
    }
    slipstick::Simulation simulation(slipstick::ReadScene(arguments[1], overrides));
    for (int k = 0; k < std::atoi(arguments[2]); ++k) simulation.Step();
    CountedSteps(&simulation, std::atoi(arguments[3]));
    fmt::print("{}\n", simulation.Contacts().size());
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
