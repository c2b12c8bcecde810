#pragma once

#include <array>
#include <cstdint>

#include "slipstick/collision/separating_axis.h"

namespace slipstick::internal {

// Where an edge touches: an end of the stretch that two have in common side by side, or a corner of the other shape.
struct EdgeContact {
  Vec3 normal = Vec3::UnitZ();  // unit, from B to A
  Vec3 on_a = Vec3::Zero();
  double separation = 0;  // along the normal
  std::uint32_t feature = 0;
};

struct EdgeContacts {
  std::array<EdgeContact, 2> ends;
  int count = 0;
};

// Contacts of boxes or hulls whose normal no face sets, docs/theory.md (H4): of two edges side by side, or of a corner
// on an edge. None where faces touch, where edges cross, or where the shapes are further apart than their edges count
// as round. `axis` is the one of largest separation. In units of the smaller shape's radius.
EdgeContacts FindTouchingEdges(const ConvexCore& a, const ConvexCore& b, const SeparatingAxis& axis);

}  // namespace slipstick::internal
