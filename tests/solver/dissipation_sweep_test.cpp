#include "slipstick/solver/dissipation/dissipation_sweep.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "tests/solver/dissipation_programs.h"

// Sweeps against the dense solvers of the same programs.

namespace slipstick::internal {
namespace {

using testing::RandomDissipation;
using testing::RandomNumbers;
using testing::WithFirstPhase;

// The same program by a factor of A: its eigenvectors, scaled.
DissipationProgram Factored(const DissipationProgram& program) {
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(program.A);
  const MatX factor = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  DissipationProgram factored = program;
  factored.A.resize(0, 0);
  factored.gram = GramMatrix(SparseMat(factor.sparseView(1.0, 1e-14)));
  return factored;
}

// Spheres in a row of layers, each on those below it: rows as sparse as those of a heap.
DissipationProgram RandomHeap(int spheres, RandomNumbers* random) {
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> b;
  DissipationProgram program;
  VecX velocity = random->Vector(6 * spheres, 0.3);
  for (int i = 0; i < spheres; ++i) velocity[6 * i + 2] -= 0.5;
  const double turning = 1 / std::sqrt(0.4);  // R/√(I/m), of unit masses
  for (int i = 0; i < spheres; ++i) {
    for (int k = 0; k < 3; ++k) {
      const int below = i - 1 - random->Below(5);
      const Vec3 normal = (Vec3(0, 0, 1) + random->Vector(0.9)).normalized(), t1 = normal.unitOrthogonal();
      const Vec3 axes[3] = {normal, t1, normal.cross(t1)};
      const auto row = static_cast<int>(b.size());
      for (int r = 0; r < 3; ++r) {
        Eigen::Matrix<double, 1, 6> own;
        own << axes[r].transpose(), (-turning * normal.cross(axes[r])).transpose();
        double rate = own * velocity.segment<6>(6 * i);
        for (int c = 0; c < 6; ++c) entries.emplace_back(row + r, 6 * i + c, own[c]);
        if (below >= 0) {
          own.head<3>() *= -1;
          rate += own * velocity.segment<6>(6 * below);
          for (int c = 0; c < 6; ++c) entries.emplace_back(row + r, 6 * below + c, own[c]);
        }
        b.push_back(rate);
      }
      program.contacts.push_back({row, 3, 0.5, 0});
    }
  }
  SparseMat factor(static_cast<Eigen::Index>(b.size()), 6 * spheres);
  factor.setFromTriplets(entries.begin(), entries.end());
  program.b = Eigen::Map<const VecX>(b.data(), static_cast<Eigen::Index>(b.size()));
  program.A = MatX(factor * factor.transpose());
  program = WithFirstPhase(std::move(program)).program;
  program.A.resize(0, 0);
  program.gram = GramMatrix(std::move(factor));
  return program;
}

TEST(DissipationSweepTest, AgreesWithDenseSolversOnRandomPrograms) {
  RandomNumbers random(31);
  for (int k = 0; k < 100; ++k) {
    const int contacts = 1 + random.Below(8), bodies = 1 + random.Below(4);
    SCOPED_TRACE(::testing::Message() << "program " << k << ", contacts " << contacts << ", bodies " << bodies);
    const auto [program, start] = RandomDissipation(contacts, bodies, &random);
    const DissipationAnswer exact = SolveDissipation(program, &start);
    const DissipationAnswer swept =
        SolveDissipationBySweeps(Factored(program), {.max_iterations = 200000, .tolerance = 1e-8}, &start);
    EXPECT_EQ(swept.report.status, SolveStatus::kSolved) << swept.report.residual;
    EXPECT_LE(DissipationResidual(program, swept.x, swept.multipliers), 1e-7);
    EXPECT_LE((program.A * (swept.x - exact.x)).lpNorm<Eigen::Infinity>(), 1e-5);
  }
}

TEST(DissipationSweepTest, AgreesWithDenseSolversOnHeaps) {
  RandomNumbers random(32);
  int limited = 0;  // heaps where κ holds, as where grains collide
  for (const int spheres : {3, 5, 8, 12, 25}) {
    SCOPED_TRACE(spheres);
    const DissipationProgram heap = RandomHeap(spheres, &random), dense = WithMatrix(heap);
    ASSERT_EQ(Check(heap), "");
    const DissipationAnswer exact = SolveDissipation(dense);
    ASSERT_LE(exact.report.residual, 1e-8);
    limited += exact.multipliers.tax > 1e-3 && exact.multipliers.push.maxCoeff() > 1e-3 ? 1 : 0;
    const DissipationAnswer swept = SolveDissipationBySweeps(heap, {.max_iterations = 20000, .tolerance = 1e-5});
    EXPECT_EQ(swept.report.status, SolveStatus::kSolved) << swept.report.residual;
    EXPECT_LE((dense.A * (swept.x - exact.x)).lpNorm<Eigen::Infinity>(), 1e-3);
  }
  EXPECT_GE(limited, 3);
}

TEST(DissipationSweepTest, StopsAtASpeedAndAtItsLimit) {
  RandomNumbers random(33);
  const DissipationProgram heap = RandomHeap(20, &random);
  const DissipationAnswer rough = SolveDissipationBySweeps(heap, {.speed_tolerance = 1e-2}),
                          fine = SolveDissipationBySweeps(heap, {.speed_tolerance = 1e-4});
  EXPECT_EQ(rough.report.status, SolveStatus::kSolved);
  EXPECT_LE(DissipationResidual(heap, rough.x, rough.multipliers), 1e-2);
  EXPECT_LE(DissipationResidual(heap, fine.x, fine.multipliers), 1e-4);
  EXPECT_LT(rough.report.iterations, fine.report.iterations);
  const DissipationAnswer few = SolveDissipationBySweeps(heap, {.max_iterations = 3});
  EXPECT_EQ(few.report.status, SolveStatus::kIterationLimit);
  EXPECT_TRUE(few.x.allFinite());
  for (const DissipationContact& contact : heap.contacts) {
    const double* x = few.x.data() + contact.row;
    EXPECT_LE(std::hypot(x[1], x[2]), contact.friction * x[0] + 1e-12);
  }
}

TEST(DissipationSweepTest, OtherProgramsEndInAStatus) {
  RandomNumbers random(34);
  const auto [program, start] = RandomDissipation(4, 2, &random);
  EXPECT_EQ(SolveDissipationBySweeps(program, {}, &start).report.status, SolveStatus::kUnsupported);
  DissipationProgram broken = Factored(program);
  broken.b[0] = std::nan("");
  const DissipationAnswer refused = SolveDissipationBySweeps(broken, {});
  EXPECT_EQ(refused.report.status, SolveStatus::kBadInput);
  EXPECT_TRUE(refused.x.allFinite());
  EXPECT_EQ(SolveDissipationBySweeps({}, {}).report.status, SolveStatus::kSolved);
  // rows that nothing moves along stay what they are
  DissipationProgram still;
  still.b = Vec3(-1, 0.5, 0);
  still.contacts = {{0, 3, 0.5, 0}};
  still.gram = GramMatrix(SparseMat(3, 6));
  EXPECT_TRUE(SolveDissipationBySweeps(still, {.max_iterations = 10}).x.allFinite());
}

}  // namespace
}  // namespace slipstick::internal
