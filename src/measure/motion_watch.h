#pragma once

#include <utility>
#include <vector>

#include "slipstick/scene/scene.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {

// Measures of a scene that are taken over all steps: how far points of a body come from a point or line of another, how
// often a body turns.
class MotionWatch {
 public:
  MotionWatch(const Scene& scene, const Simulation& simulation);

  // Looks at the present state. Between two looks a body turns by less than half a turn.
  void See(const Simulation& simulation);

  struct Result {
    std::string name;
    std::vector<std::pair<std::string, double>> values;
  };
  // In the order of the scene.
  std::vector<Result> Results() const;

 private:
  struct Watched {
    SceneMeasure measure;
    int body, from;  // numbers in the model; `from` is −1 for the world
    double greatest = 0, present = 0;
    double angle = 0;
    Quat before = Quat::Identity();
    bool has_seen = false;
  };
  std::vector<Watched> watched_;
};

}  // namespace slipstick::internal
