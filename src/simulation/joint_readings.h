#pragma once

#include <string>
#include <vector>

#include "slipstick/simulation/simulation_parts.h"

// What drives give and joints carry in a step, as instruments built into them would show it.

namespace slipstick::internal {

// Which instruments a model has; readings come in the same order.
struct JointGauges {
  // The drives, then prescribed motions and couplings in the order of the constraints.
  struct Effort {
    std::string name;
    std::string unit;  // "N m" of what turns, "N" of what slides
  };
  // The joints of the trees, links of chains included, in the order of the bodies; then the constraints that hold
  // bodies: loops, distances, rolling, knife edges.
  struct Reaction {
    std::string name;
    std::string on;  // the body that the wrench acts on, or "world"
  };
  std::vector<Effort> efforts;
  std::vector<Reaction> reactions;

  bool empty() const { return efforts.empty() && reactions.empty(); }
};
JointGauges ListJointGauges(const Model& model);

// The means over a step, impulses over its length; with stepper event-driven the forces at its end. Configurations are
// those that the step starts from, as of its contacts.
struct JointReadings {
  // World axes [N, N m]. Of a joint: all that it does to its child, what drives and friction do along its axis
  // included, about the origin of the joint's frame on the child. Of a constraint: all that it does to its first body,
  // friction included, about its point on that body; the second one gets the opposite.
  struct Wrench {
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  };
  // Of a drive or a prescribed motion: on its coordinate, positive where it pushes towards larger values; of a coupling
  // on the first of its coordinates.
  std::vector<double> efforts;
  std::vector<Wrench> reactions;
};

// Of the last step; NaN before the first one. Costs about as much as the kinematics of all bodies, and nothing where
// there is no gauge.
JointReadings ComputeJointReadings(const Simulation& simulation);

}  // namespace slipstick::internal
