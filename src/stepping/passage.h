#pragma once

#include <optional>
#include <span>
#include <vector>

#include "slipstick/model/kinematics.h"
#include "slipstick/state/state.h"

namespace slipstick::internal {

// Two shapes of which one passes through the other within a step.
struct Passage {
  int shape_a = 0, shape_b = 0;
  double depth = 0;  // overlap on the way [m]
  double size = 0;   // smallest half-extent of the two [m]
};

// The motion of a step, for a time h: from q with the velocities v up to where a body is hit, (T4g), and from then on
// as if it had come from `origin` with those after.
struct StepPath {
  const VecX &q, &v;
  const VecX &origin, &after;
  const std::vector<double>& hits;  // of each tree the time of its hit, or not above 0; empty: nothing is hit
  double step = 0;

  double HitOf(int tree) const { return hits.empty() ? 0.0 : hits[static_cast<std::size_t>(tree)]; }
};

// The first pair of `points`, those that the step has looked at, that sweeps through each other on the way,
// docs/theory.md (T8b). Pairs of bodies that float, or of one with what is fixed to the world.
std::optional<Passage> FindPassage(const Model& model, const StepPath& path, std::span<const ContactPoint> points);

}  // namespace slipstick::internal
