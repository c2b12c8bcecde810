#pragma once

#include <string>

#include "slipstick/program/bounded_mlcp.h"

namespace slipstick::internal {

// Contacts of rigid bodies in a step of time, without a simulation around them; rows of a contact are normal, tangent,
// tangent.
struct ContactSample {
  std::string name;
  SparseMat J;
  VecX mass;           // M's diagonal
  VecX velocity;       // at the end of the step if there were no contacts
  VecX friction;       // μ of each contact
  VecX normal_before;  // impulses of the step before, which limit the friction of the regularized law

  int contacts() const { return static_cast<int>(friction.size()); }
};

// A piston in its bore: one body, `contacts` contacts on rings along its length.
ContactSample PistonSample(int contacts);
// Balls of different size in an open box, at least `contacts` contacts between neighbours, walls and floor, cut there.
ContactSample BallsSample(int contacts);
// A wall of bricks in running bond, four contacts in each joint between two.
ContactSample BricksSample(int contacts);

// Anitescu & Potra's linear complementarity problem with a pyramid of four sides, six unknowns a contact: normal
// impulses, four tangential ones each, slip speeds.
BoundedMlcp AnitescuPotra(const ContactSample& sample);
// The same with the velocities kept as free variables, which come first: M v⁺ − Jᵀp = M v, and J v⁺ in the other rows.
SparseBoundedMlcp SparseAnitescuPotra(const ContactSample& sample);

// The regularized law's mixed problem: three unknowns a contact, tangential ones within ±μ times the normal impulse of
// the step before, bristles as a compliance on the diagonal.
BoundedMlcp RegularizedMlcp(const ContactSample& sample);
SparseBoundedMlcp SparseRegularizedMlcp(const ContactSample& sample);

}  // namespace slipstick::internal
