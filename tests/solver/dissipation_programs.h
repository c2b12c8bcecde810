#pragma once

#include <limits>

#include "slipstick/solver/dissipation/dissipation_interior_point.h"
#include "slipstick/solver/dissipation/gradient_projection.h"
#include "tests/law/random_problems.h"

// Programs of phase II with phase I solved before, as contacts of rigid bodies make them.

namespace slipstick::internal::testing {

struct DissipationProblem {
  DissipationProgram program;
  VecX start;  // of phase I
};

// Phase I of a program whose κ is then set.
inline DissipationProblem WithFirstPhase(DissipationProgram program) {
  std::vector<int> rows;
  for (const DissipationContact& contact : program.contacts) rows.push_back(contact.row);
  const auto normals = static_cast<Eigen::Index>(rows.size());
  for (const DissipationInterval& interval : program.intervals) rows.push_back(interval.row);
  const auto all = static_cast<Eigen::Index>(rows.size());
  BoundedMlcp box{program.A(rows, rows), program.b(rows), VecX::Zero(all),
                  VecX::Constant(all, std::numeric_limits<double>::infinity())};
  for (std::size_t i = 0; i < program.intervals.size(); ++i) {
    box.lower[normals + static_cast<Eigen::Index>(i)] = program.intervals[i].lower;
    box.upper[normals + static_cast<Eigen::Index>(i)] = program.intervals[i].upper;
  }
  const VecX z = SolveByGradientProjection(box, {}).z;
  DissipationProblem problem{std::move(program), {}};
  problem.start = VecX::Zero(problem.program.size());
  problem.start(rows) = z;
  problem.program.normal_limit = z.head(normals).sum();
  return problem;
}

// Contacts of `bodies` rigid bodies with each other and the ground in random directions, coming at each other;
// redundant where there are many. Some without friction, some with a part of it that needs no load, and intervals.
inline DissipationProblem RandomDissipation(int contacts, int bodies, RandomNumbers* random) {
  const int n = 6 * bodies, intervals = random->Below(3);
  MatX rows = MatX::Zero(3 * contacts + intervals, n);
  VecX inverse_mass(n);
  for (int b = 0; b < bodies; ++b) {
    const double mass = random->Between(0.5, 3);
    inverse_mass.segment<3>(6 * b).setConstant(1 / mass);
    inverse_mass.segment<3>(6 * b + 3).setConstant(10 / mass);
  }
  DissipationProgram program;
  std::vector<int> used;
  for (int i = 0; i < contacts; ++i) {
    const int a = random->Below(bodies), b = bodies > 1 && random->Chance(0.5) ? (a + 1) % bodies : -1;
    const Vec3 normal = (Vec3(0, 0, 1) + random->Vector(0.8)).normalized(), t1 = normal.unitOrthogonal();
    const Vec3 axes[3] = {normal, t1, normal.cross(t1)};
    for (const int body : {a, b}) {
      if (body < 0) continue;
      const Vec3 arm = random->Vector(0.5);
      for (int k = 0; k < 3; ++k) {
        const double sign = body == a ? 1 : -1;
        rows.block<1, 3>(3 * i + k, 6 * body) = sign * axes[k].transpose();
        rows.block<1, 3>(3 * i + k, 6 * body + 3) = sign * arm.cross(axes[k]).transpose();
      }
    }
    const bool slips = random->Chance(0.15);
    program.contacts.push_back({static_cast<int>(used.size()), slips ? 1 : 3, slips ? 0.0 : random->Between(0.05, 1),
                                !slips && random->Chance(0.2) ? random->Between(0, 0.3) : 0.0});
    for (int k = 0; k < (slips ? 1 : 3); ++k) used.push_back(3 * i + k);
  }
  for (int i = 0; i < intervals; ++i) {
    rows.row(3 * contacts + i) = random->Vector(n, 1).transpose();
    const double bound = random->Between(0, 0.2);
    program.intervals.push_back({static_cast<int>(used.size()), -bound, bound});
    used.push_back(3 * contacts + i);
  }
  VecX velocity = random->Vector(n, 1);
  for (int b = 0; b < bodies; ++b) velocity[6 * b + 2] -= 1;
  const MatX jacobian = rows(used, Eigen::all);
  program.A = jacobian * inverse_mass.asDiagonal() * jacobian.transpose();
  program.A = (0.5 * (program.A + program.A.transpose())).eval();
  program.b = jacobian * velocity;
  return WithFirstPhase(std::move(program));
}

}  // namespace slipstick::internal::testing
