#pragma once

#include <string>
#include <vector>

#include "slipstick/scene_file/scene_reader.h"

namespace slipstick::internal {

// One way to compute a benchmark's scene: what it changes of the scene.
struct BenchmarkMethod {
  std::string name;
  std::vector<Override> overrides;
};

// A scene that is timed, by several methods of slipstick and by other simulators.
struct Benchmark {
  std::string name, title;
  std::string scene;                // a file of scenes/bench, or the name of a scene
  std::vector<Override> overrides;  // of all methods and all simulators
  std::vector<BenchmarkMethod> methods;
  std::vector<std::string> peers;  // other simulators, by the words of bench/peer_*.cpp
  double duration = 1;             // [s]
  int settled_steps = 100;         // at the end of the run, which the settled figures are of
  // Where a method is too slow for the way to rest: that is gone once, by this method, for so long; all others then
  // begin where it ends.
  std::vector<Override> settle_by;
  double settle_duration = 0;
};

const std::vector<Benchmark>& BenchmarkCatalog();

// The benchmarks of these names in their order, all where there are none. InputError for names that there are not.
std::vector<Benchmark> ChooseBenchmarks(const std::vector<std::string>& names);

// The scene with the benchmark's overrides and then those given.
Scene SceneOf(const Benchmark& benchmark, const std::vector<Override>& overrides);

}  // namespace slipstick::internal
