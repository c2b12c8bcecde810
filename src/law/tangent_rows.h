#pragma once

#include <memory>

#include "slipstick/law/friction_bounds.h"
#include "slipstick/law/step_friction.h"

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
  bool is_round = false;               // that share may also be what the answer leaves of a disk, ShareLeft
  bool is_viscous_across = false;      // row 2 follows row 1, which alone tells whether the contact slides

  Vec2 limits() const { return {limit, across * limit}; }
  // What an impulse along d_1 leaves across it.
  double ShareLeft(double along) const;
};

// What distinguishes the laws of this family: the rows of contact i for a given limit hμλN, when it begins the step as
// `start` says, in the contact's basis. A limit of 0 has no rows.
class TangentRule {
 public:
  virtual ~TangentRule() = default;
  virtual TangentRows RowsOf(const ContactProblem& problem, int i, const SlipStart& start, double limit) const = 0;
};

struct TangentSettings {
  double velocity_threshold = kAutomaticThreshold;  // sliding faster takes the kinetic coefficient [m/s]
  FrictionBoundSettings bounds;
};

// The law that a rule makes, with limits of the last step or iterated.
std::unique_ptr<Law> MakeBoundedTangentLaw(std::unique_ptr<TangentRule> rule, const TangentSettings& settings);

}  // namespace slipstick::internal
