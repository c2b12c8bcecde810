#pragma once

#include <optional>
#include <span>

#include "slipstick/model/kinematics.h"
#include "slipstick/state/state.h"

namespace slipstick::internal {

// Two shapes of which one passes through the other within a step.
struct Passage {
  int shape_a = 0, shape_b = 0;
  double depth = 0;  // overlap on the way [m]
  double size = 0;   // smallest half-extent of the two [m]
};

// The motion of a step: from q with the velocities v for a time h.
struct StepPath {
  const VecX& q;
  const VecX& v;
  double step = 0;
};

// The first pair of `points`, those that the step has looked at, that sweeps through each other on the way,
// docs/theory.md (T8b). Pairs of bodies that float, or of one with what is fixed to the world.
std::optional<Passage> FindPassage(const Model& model, const StepPath& path, std::span<const ContactPoint> points);

}  // namespace slipstick::internal
