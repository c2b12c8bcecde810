#pragma once

#include "slipstick/math/block_diagonal.h"
#include "slipstick/model/constraints.h"
#include "slipstick/model/implicit_lead.h"
#include "slipstick/model/kinematics.h"

// Springs with dampers between points of two bodies, docs/theory.md (T2b).

namespace slipstick::internal {

// Adds −(k (l − l₀) + d l̇) along each spring to the generalized forces, at velocities v.
void AddSpringForces(const Model& model, const Kinematics& kinematics, ConstRef<VecX> v, VecX* force);

// A step as springs see it.
struct SpringStep {
  const VecX& v_before;
  const VecX& v_after;
  const VecX& v_between;              // with which springs between two trees pull
  const std::vector<double>& shares;  // of each spring: of how it looks ahead, ImplicitLead
  double h = 0;
};
// The same for a step of length h: springs within one tree pull with what they are ahead in the step. Their part
// that depends on the end's velocities is h (d + h k) gᵀg in the tree's block of the matrix, g the row of l̇, each term
// times its share of the end. `shares` are found here, or all 1 where the end is asked for.
void AddStepSprings(const Model& model, const Kinematics& kinematics, ConstRef<VecX> v, ConstRef<VecX> v_between,
                    double h, bool at_end, std::vector<double>* shares, BlockDiagonal* mass, VecX* force);

// Adds the forces with which the springs have pulled in a step, as generalized forces or on the bodies.
void AddPulledForces(const Model& model, const Kinematics& kinematics, const SpringStep& step, VecX* force);
void AddPulledWrenches(const Model& model, const Kinematics& kinematics, const SpringStep& step,
                       BodyWrenches* wrenches);

// A spring between two trees pulls with what it is at the start of the step, which a step must be short enough for.
// The spring that asks for the shortest, and how long that is at most; −1 where there is none.
struct SpringLimit {
  int spring = -1;
  double longest_step = 0;
};
SpringLimit FindSpringLimit(const Model& model, const Kinematics& kinematics, const BlockDiagonal& mass);

}  // namespace slipstick::internal
