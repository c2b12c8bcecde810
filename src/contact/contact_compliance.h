#pragma once

#include "slipstick/contact/contact_problem.h"
#include "slipstick/model/model.h"

namespace slipstick {

// How a contact gives way, as the implicit step sees it (docs/theory.md (T4b)): the force of the end of the step is
//   λN = k (δ⁺ − relief)₊,  δ⁺ = −(Φ + h N v⁺),
// about the overlap at which the contact is. A spring has relief 0; Hertz's law is taken with its tangent.
struct ContactCompliance {
  double normal = 0;      // 1/(h²k) [1/kg]; 0: rigid
  double tangential = 0;  // likewise for the tangents
  double relief = 0;      // [m]
};

// `overlap_of_free_step` is −(Φ + h N v_free): where the contact remembers no force, Hertz's tangent is taken there.
ContactCompliance ComputeCompliance(const PairProperties& pair, const ShapeGeometry& shape_a,
                                    const ShapeGeometry& shape_b, double overlap_of_free_step,
                                    const ContactHistory& history, double h);

}  // namespace slipstick
