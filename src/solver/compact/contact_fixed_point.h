#pragma once

#include <vector>

#include "slipstick/base/setting_table.h"
#include "slipstick/solver/compact/compact_cone.h"

namespace slipstick::internal {

struct ContactFixedPointSettings {
  int max_iterations = 1000;
  double relaxation = 1.0;  // ω
  double averaging = 1.0;   // λ

  static const SettingTable<ContactFixedPointSettings>& Table();
};

// The fixed-point iteration of Tasora & Anitescu eq 46 as it stands, matrix-free:
//   γ_i := λ P_i(γ_i − ω B_i u_i) + (1 − λ) γ_i,
// contact after contact with the velocities that the ones before have left (K strictly lower triangular), and the exact
// projection on the intersection of the cones (their appendix C). One thread; the plain twin of ContactSweep.
class ContactFixedPoint {
 public:
  explicit ContactFixedPoint(const ContactFixedPointSettings& settings) : settings_(settings) {}

  // As ContactSweep::Solve.
  SolveReport Solve(const CompactProgram& program, double tolerance, CompactImpulses* impulses);

 private:
  ContactFixedPointSettings settings_;
  std::vector<CompactScale> scales_;
  CompactVelocities velocities_;
};

}  // namespace slipstick::internal
