#pragma once

#include <memory>
#include <vector>

#include "slipstick/base/setting_table.h"
#include "slipstick/base/thread_team.h"
#include "slipstick/solver/compact/compact_cone.h"

namespace slipstick::internal {

struct ContactGradientSettings {
  int max_iterations = 1000;

  static const SettingTable<ContactGradientSettings>& Table();
};

// Accelerated projected gradient for very many contacts of free bodies, matrix-free: AcceleratedGradient's method with
// products by J M⁻¹ Jᵀ, bodies and contacts divided among threads. Sums are taken over fixed pieces in a fixed order,
// so that the answer is the same to the bit for any number of threads. Keeps its storage from one problem to the next.
class ContactGradient {
 public:
  ContactGradient(const ContactGradientSettings& settings, std::shared_ptr<ThreadTeam> team);

  // As ContactSweep::Solve.
  SolveReport Solve(const CompactProgram& program, double tolerance, CompactImpulses* impulses);

 private:
  struct End {  // of a contact at a body
    int contact = 0;
    double sign = 1;  // −1: at B
  };
  // A point with the velocities of the contacts there, scaled.
  struct Point {
    std::vector<CompactPair> x, u;
  };

  void Prepare(const CompactProgram& program, const CompactImpulses& impulses);
  // The velocities of a point, by all threads together.
  void Respond(const CompactProgram& program, int thread, Point* point);
  void Iterate(const CompactProgram& program, double tolerance, int thread, SolveReport* report);
  // Contacts that are summed over as one.
  int pieces() const;

  ContactGradientSettings settings_;
  std::shared_ptr<ThreadTeam> team_;
  std::vector<int> first_end_;  // of each body
  std::vector<End> ends_;
  std::vector<CompactScale> scales_;
  Point here_, next_, ahead_;
  CompactVelocities velocities_;
  std::vector<double> curvature_, length_, slope_, residual_;  // of each piece
};

}  // namespace slipstick::internal
