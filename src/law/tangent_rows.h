#pragma once

#include <memory>

#include "slipstick/law/friction_bounds.h"
#include "slipstick/law/law.h"

namespace slipstick::internal {

// How a contact's two tangential rows enter a mixed LCP with bounds (Peiret eqs 25–29, in impulses): along the
// directions d_j the slack is  σ_j = d_j·v_T⁺ + compliance_j (p_j − reference_j),  with |p_j| ≤ limit_j and σ_j ≥ 0
// at the lower, ≤ 0 at the upper limit, = 0 in between.
struct TangentRows {
  Mat2 directions = Mat2::Identity();  // rows d_1, d_2 in the contact's basis (tangent_1, tangent_2)
  Vec2 compliance = Vec2::Zero();      // C̃ [1/kg]
  Vec2 reference = Vec2::Zero();       // h λ̃ [N s]
  double limit = 0;                    // h μ λN [N s]; 0 drops both rows
  double across = 1;                   // share of it that row 2 has

  Vec2 limits() const { return {limit, across * limit}; }
};

// What distinguishes the laws of this family: the rows of contact i for a given bounding normal impulse, when the
// sliding velocity at the start of the step is `slip` (in the contact's basis).
class TangentRule {
 public:
  virtual ~TangentRule() = default;
  virtual TangentRows RowsOf(const ContactProblem& problem, int i, const Vec2& slip, double normal_impulse) const = 0;
};

// The law that a rule makes, with limits fixed or iterated.
std::unique_ptr<Law> MakeBoundedTangentLaw(std::unique_ptr<TangentRule> rule, const FrictionBoundSettings& bounds);

}  // namespace slipstick::internal
