#pragma once

#include <memory>

#include "slipstick/law/tangent_rows.h"

namespace slipstick::internal {

struct RegularizedSettings {
  double velocity_threshold = kAutomaticThreshold;  // vth: sliding at most this fast is sticking [m/s]
  bool has_square_limits = false;                   // while sticking: both rows have μλN, as in the paper
  FrictionBoundSettings bounds;

  static const SettingTable<RegularizedSettings>& Table();
};

// Peiret, Gholami, Kövecses & Font-Llagunes 2016, eqs 8–31: a bristle while sticking, dry friction along the sliding
// direction and viscous friction across it while sliding. Stiffness kT is the materials'; it may be infinite.
// Deviations: impulses hλ instead of forces; d₁ = −λT/|λT| in eq 13; rows where μλN is 0 or rounding alone are dropped,
// because bμ = 0 would make the compliance infinite; while sticking the second row has what the disk leaves it, unless
// the paper's square is asked for; what slides is told by its last step, unless a vth is given.
std::unique_ptr<Law> MakeRegularized(const RegularizedSettings& settings);

}  // namespace slipstick::internal
