#pragma once

#include "slipstick/program/dissipation_program.h"

namespace slipstick::internal {

// A dissipation program in variables without units, x = v f ⊙ x̂ with f = √m of each contact and interval (RowMasses)
// and v the largest of |b|/f: every contact's block has the mean diagonal 1 and velocities are at most 1. The limit κ
// reads Σ weight_i x̂_N ≤ κ̂ with the mean weight 1.
struct ScaledDissipation {
  explicit ScaledDissipation(const DissipationProgram& original);

  DissipationProgram program;
  VecX weight;  // of each contact
  VecX factor;  // x/x̂ of each row
  double tax_factor = 1;

  int contacts() const { return static_cast<int>(program.contacts.size()); }
  VecX ToScaled(const VecX& x) const { return x.cwiseQuotient(factor); }
  VecX ToOriginal(const VecX& x) const { return x.cwiseProduct(factor); }
  DissipationMultipliers ToOriginal(const DissipationMultipliers& scaled) const;
  DissipationMultipliers ToScaled(const DissipationMultipliers& original) const;
};

// The nearest point of all contacts' limits and intervals.
VecX ProjectOnLimits(const DissipationProgram& program, VecX x);

// Keeps the best point seen, judged on the program as given.
class DissipationRun {
 public:
  explicit DissipationRun(const DissipationProgram& program);

  // Judges a point with its multipliers after projecting both on their limits. True where it is good enough.
  bool Judge(VecX x, DissipationMultipliers multipliers, double tolerance);
  double error() const { return error_; }  // of the point judged last, relative to the largest of |b|
  double best_error() const { return best_error_; }
  const VecX& best() const { return best_; }
  const DissipationMultipliers& best_multipliers() const { return multipliers_; }
  DissipationAnswer Finish(SolveStatus status, int iterations, const char* solver) const;

 private:
  const DissipationProgram& program_;
  double scale_;
  VecX best_;
  DissipationMultipliers multipliers_;
  double error_, best_error_;
};

}  // namespace slipstick::internal
