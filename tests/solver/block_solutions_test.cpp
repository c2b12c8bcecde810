#include "slipstick/solver/cone/block_solutions.h"

#include <gtest/gtest.h>

#include "tests/base/random_numbers.h"

// Little problems of one block, judged by the conditions of its set as they are written, not by the natural map.

namespace slipstick::internal {
namespace {

using testing::RandomNumbers;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

MatX RandomPositive(int n, int rank, RandomNumbers* random) {
  MatX root(n, rank);
  for (int c = 0; c < rank; ++c) root.col(c) = random->Vector(n, 1);
  return root * root.transpose() + (rank == n ? 0.1 : 0.0) * MatX::Identity(n, n);
}

ConeProgram OneBlock(ConeBlock block, const MatX& W, bool non_associated) {
  ConeProgram program;
  program.W = W.sparseView();
  program.q = VecX::Zero(W.rows());
  program.blocks = {block};
  program.non_associated = non_associated;
  return program;
}

// u = W r + q of the answer to q, in the scaled variables; `start` is where r begins.
struct Answer {
  VecX r, u;
};
Answer SolveBlock(const ScaledCone& scaled, const VecX& q, const VecX& start) {
  BlockSolutions solutions(scaled);
  Answer answer{start, {}};
  solutions.Solve(0, q.data(), answer.r.data());
  answer.u = scaled.W.DiagonalBlock(0) * answer.r + q;
  return answer;
}

// r ∈ K, ũ ∈ K*, r·ũ = 0, where ũ_N = u_N + Σ c_k|u_k| for exact Coulomb and ũ = u for the convex law.
void ExpectConeLaw(const FrictionCone& cone, bool non_associated, const Answer& answer, double tolerance) {
  const VecX &r = answer.r, &u = answer.u;
  double slip = 0;
  int first = 1;
  for (int k = 0; k < cone.part_count; ++k) {
    const FrictionCone::Part& part = cone.parts[k];
    EXPECT_LE(r.segment(first, part.rows).norm(), part.limit * r[0] + tolerance);
    slip += part.limit * u.segment(first, part.rows).norm();
    first += part.rows;
  }
  EXPECT_GE(r[0], -tolerance);
  const double normal = u[0] + (non_associated ? slip : 0);
  EXPECT_GE(normal, slip - tolerance);
  EXPECT_NEAR(r.dot(u) + r[0] * (normal - u[0]), 0, tolerance);
}

TEST(BlockSolutions, OfIntervalsAreTheirClosedForm) {
  RandomNumbers random(51);
  for (int k = 0; k < 200; ++k) {
    const double lower = random.Chance(0.3) ? -kInfinity : random.Between(-1, 0),
                 upper = random.Chance(0.3) ? kInfinity : random.Between(0, 1);
    const ScaledCone scaled(
        OneBlock(ConeBlock::Interval(0, lower, upper), RandomPositive(1, 1, &random), random.Chance(0.5)));
    const ConeBlock& block = scaled.blocks[0];
    const Answer answer = SolveBlock(scaled, random.Vector(1, 2), random.Vector(1, 1));
    EXPECT_NEAR(answer.r[0], std::clamp(answer.r[0], block.lower, block.upper), 0);
    if (answer.r[0] == block.lower) {
      EXPECT_GE(answer.u[0], -1e-14);
    } else if (answer.r[0] == block.upper) {
      EXPECT_LE(answer.u[0], 1e-14);
    } else {
      EXPECT_NEAR(answer.u[0], 0, 1e-14);
    }
  }
  const ScaledCone free(OneBlock(ConeBlock::Free(0), MatX::Constant(1, 1, 4), true));
  EXPECT_NEAR(SolveBlock(free, VecX::Constant(1, 3), VecX::Zero(1)).u[0], 0, 1e-15);
}

// W = 0: u is q whatever r is, and its sign says at which end r must be; without that end r stays.
TEST(BlockSolutions, OfARowThatNoImpulseMoves) {
  const auto end_for = [](double lower, double upper, double q) {
    const ScaledCone scaled(OneBlock(ConeBlock::Interval(0, lower, upper), MatX::Zero(1, 1), true));
    const Answer answer = SolveBlock(scaled, VecX::Constant(1, q), VecX::Constant(1, 0.25));
    if (answer.r[0] == scaled.blocks[0].lower) return -1;
    if (answer.r[0] == scaled.blocks[0].upper) return 1;
    return answer.r[0] == 0.25 ? 0 : 99;
  };
  EXPECT_EQ(end_for(-1, 2, 0.5), -1);
  EXPECT_EQ(end_for(-1, 2, -0.5), 1);
  EXPECT_EQ(end_for(-1, 2, 0), 0);
  EXPECT_EQ(end_for(-kInfinity, kInfinity, 0.5), 0);
}

TEST(BlockSolutions, OfDisksOpposeTheSlip) {
  RandomNumbers random(52);
  int held = 0, slid = 0;
  for (int k = 0; k < 200; ++k) {
    const ScaledCone scaled(OneBlock(ConeBlock::Disk(0, random.Between(0, 1.5)), RandomPositive(2, 2, &random), true));
    const double radius = scaled.blocks[0].radius;
    const Answer answer = SolveBlock(scaled, random.Vector(2, 1), VecX::Zero(2));
    EXPECT_LE(answer.r.norm(), radius * (1 + 1e-12));
    if (answer.r.norm() < radius * (1 - 1e-9)) {
      EXPECT_LT(answer.u.norm(), 1e-10);
      ++held;
    } else {
      EXPECT_NEAR(answer.r.dot(answer.u), -radius * answer.u.norm(), 1e-9);
      ++slid;
    }
  }
  EXPECT_GT(held, 20);
  EXPECT_GT(slid, 20);
}

TEST(BlockSolutions, OfConesMeetTheirLaw) {
  RandomNumbers random(53);
  for (const bool non_associated : {true, false}) {
    int apart = 0, held = 0, slid = 0;
    for (int k = 0; k < 400; ++k) {
      const double mu = k % 10 == 0 ? 0.0 : random.Between(0.05, 1.2);
      const int rank = k % 7 == 0 ? 2 : 3;  // some that leave a direction of the impulse open
      const ScaledCone scaled(OneBlock(ConeBlock::Cone(0, mu), RandomPositive(3, rank, &random), non_associated));
      // within the image of W where W is singular: else there may be no answer
      const VecX q = scaled.W.DiagonalBlock(0) * random.Vector(3, 1);
      const Answer answer = SolveBlock(scaled, q, VecX::Zero(3));
      SCOPED_TRACE(k);
      ExpectConeLaw(scaled.blocks[0].cone, non_associated, answer, 1e-9);
      ++(answer.r.isZero(0) ? apart : answer.u.norm() < 1e-9 ? held : slid);
    }
    EXPECT_GT(apart, 20);
    EXPECT_GT(held, 20);
    EXPECT_GT(slid, 20);
  }
}

TEST(BlockSolutions, OfRollingConesMeetTheirLaw) {
  RandomNumbers random(54);
  for (const bool non_associated : {true, false}) {
    for (int k = 0; k < 200; ++k) {
      const FrictionCone cone =
          k % 2 == 0 ? FrictionCone::Rolling(random.Between(0.1, 1), random.Between(0.01, 0.5))
                     : FrictionCone::SpinningAndRolling(random.Between(0.1, 1), random.Between(0.01, 0.5), 0.1);
      const ScaledCone scaled(
          OneBlock(ConeBlock::Cone(0, cone), RandomPositive(cone.rows(), cone.rows(), &random), non_associated));
      const Answer answer = SolveBlock(scaled, random.Vector(cone.rows(), 1), VecX::Zero(cone.rows()));
      SCOPED_TRACE(k);
      ExpectConeLaw(scaled.blocks[0].cone, non_associated, answer, 1e-6);
    }
  }
}

// Sweeps against the same with dense products, forwards and backwards, plain and relaxed.
TEST(BlockSolutions, SweepsUpdateBlockAfterBlock) {
  RandomNumbers random(55);
  ConeProgram program;
  program.W = RandomPositive(10, 10, &random).sparseView();
  program.q = random.Vector(10, 1);
  program.blocks = {ConeBlock::Cone(0, 0.4), ConeBlock::Interval(3, -0.2, 0.3), ConeBlock::Cone(4, 0.7),
                    ConeBlock::Disk(7, 0.5), ConeBlock::Free(9)};
  const ScaledCone scaled(program);
  MatX W(10, 10);
  for (int c = 0; c < 10; ++c) {
    VecX column(10);
    scaled.W.Multiply(VecX::Unit(10, c), column);
    W.col(c) = column;
  }
  for (const bool forwards : {true, false}) {
    for (const double relaxation : {1.0, 0.6}) {
      BlockSolutions swept(scaled), single(scaled);
      VecX x = ProjectOnSets(scaled.blocks, random.Vector(10, 0.5)), expected = x;
      swept.Sweep(forwards, &x, relaxation);
      for (int step = 0; step < 5; ++step) {
        const int k = forwards ? step : 4 - step;
        const ConeBlock& block = scaled.blocks[k];
        const int first = block.offset, n = block.rows();
        VecX own = expected.segment(first, n);
        const VecX before = own, q = (W * expected + scaled.q).segment(first, n) - W.block(first, first, n, n) * before;
        single.Solve(k, q.data(), own.data());
        VecX next = (1 - relaxation) * before + relaxation * own;
        if (relaxation != 1) ProjectOnBlock(block, next.data(), next.data());
        expected.segment(first, n) = next;
      }
      EXPECT_LT((x - expected).norm(), 1e-12);
    }
  }
  // and they lead to the program's solution
  BlockSolutions solutions(scaled);
  VecX x = VecX::Zero(10);
  for (int k = 0; k < 3000; ++k) solutions.Sweep(k % 2 == 0, &x);
  VecX r(10);
  r(scaled.row_of) = scaled.factor.cwiseProduct(x);
  EXPECT_LT(NaturalResidual(program, r), 1e-8);
}

}  // namespace
}  // namespace slipstick::internal
