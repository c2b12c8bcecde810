#pragma once

#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/math/block_rows.h"

namespace slipstick::internal {

// What of a compact program has coordinates of its own: trees of joints, and bodies that bilateral or bounded rows
// touch. Trees that bilateral rows tie together are one mechanism, and those rows hold by elimination: they are part of
// its inverse mass, so that an impulse anywhere moves it as its loops and prescribed motions let it.
struct CompactMechanisms {
  struct Mechanism {
    int first = 0, size = 0;  // coordinates, among those of all mechanisms
    MatX inverse_mass;        // M⁻¹ − M⁻¹Gᵀ S⁺ G M⁻¹, S = G M⁻¹ Gᵀ, of bilateral rows G
    VecX loose;               // diagonal of M⁻¹: what is far below this in the matrix above is rounding
  };
  // A row with bounds on its impulse, on one body of the program or two.
  struct Limited {
    int body_a = -1, body_b = -1;
    int group = 0, row = 0;  // of limited_rows
    double target = 0, lower = 0, upper = 0;
  };

  std::vector<Mechanism> list;
  std::vector<int> of_body;     // of each body of the program its mechanism, −1 for a free one; empty: there are none
  std::vector<int> coordinate;  // of each body its first one, among those of all mechanisms
  VecX velocity;                // without impulses of contacts and bounded rows
  // Rows of the contacts, of their moments with the group of each contact, and of what has bounds; the
  // problem's, which must stay.
  const BlockRows* contact_rows = nullptr;
  const BlockRows* moment_rows = nullptr;
  const std::vector<int>* moment_group = nullptr;
  const BlockRows* limited_rows = nullptr;
  std::vector<Limited> limited;

  bool empty() const { return list.empty(); }
  bool has(int body) const { return body >= 0 && !of_body.empty() && of_body[body] >= 0; }
};

}  // namespace slipstick::internal
