#pragma once

#include "slipstick/contact/contact_problem.h"
#include "slipstick/model/model.h"

namespace slipstick {

// How a contact of two shapes gives way (docs/theory.md (T4b)), as ContactSet keeps it.
struct ContactCompliance {
  double normal = 0, tangential = 0;  // 1/(h²k) of springs [1/kg]
  double hertz_stiffness = 0;         // κ = 4/3 E* √R [N/m^(3/2)]; 0: none
  double mindlin_ratio = 0;           // kT over Hertz's secant stiffness
};

ContactCompliance ComputeCompliance(const PairProperties& pair, const ShapeGeometry& shape_a,
                                    const ShapeGeometry& shape_b, double h);

}  // namespace slipstick
