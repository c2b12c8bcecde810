#pragma once

#include <memory>

#include "slipstick/law/friction_bounds.h"

namespace slipstick {

struct BristleSettings {
  double velocity_threshold = 1e-3;  // sliding faster takes the kinetic coefficient, where it differs [m/s]
  double orientation = 0;            // angle of the first limited direction from the contact's tangent_1 [rad]
  FrictionBoundSettings bounds;

  static std::vector<SettingSpec> Specs();
  static BristleSettings From(const Settings& settings);
};

// Bristle friction with limits component by component, Peiret, Kövecses & Font-Llagunes (abstract), eqs 1–4:
// λT⁺ = λT − h kT v_T⁺ cut to ±μλN along two fixed directions.
std::unique_ptr<Law> MakeBristle(const BristleSettings& settings);

// Box friction (Lacoursière 2006, as Peiret et al. compare with): the same box of limits with no bristle in it, so that
// the force inside the box is whatever holds the contact still.
std::unique_ptr<Law> MakeBox(const BristleSettings& settings);

}  // namespace slipstick
