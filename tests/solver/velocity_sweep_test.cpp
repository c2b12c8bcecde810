#include "slipstick/solver/velocity/velocity_sweep.h"

#include "slipstick/solver/cone/cone_ladder.h"
#include "slipstick/solver/velocity/velocity_auto.h"
#include "tests/solver/velocity_samples.h"

// Sweeps with velocities kept, against solvers that eliminate them.

namespace slipstick::internal {
namespace {

// With sweeps enough they come near to the answer of the convex law, whose motion is unique, over blocks of every kind.
TEST(VelocitySweep, ComesNearTheAnswerOfTheConvexLaw) {
  RandomSource random(31);
  int near = 0;
  for (int k = 0; k < 40; ++k) {
    VelocitySample sample;
    MakeSample(&random, 2 + k % 20, false, &sample);
    const VecX none = VecX::Zero(sample.program.size());
    const ConeAnswer answer = SolveByVelocitySweep(sample.program, {.max_iterations = 3000, .interval = 100, .gain = 1},
                                                   {.tolerance = 1e-5}, none);
    // whatever it says of itself is true
    EXPECT_EQ(answer.report.status == SolveStatus::kSolved, ErrorOf(sample.program, answer.r) <= 1.01e-5) << k;
    if (answer.report.status != SolveStatus::kSolved) continue;
    ++near;
    const ConeAnswer other = SolveByLadder(EliminateVelocities(sample.program), {.tolerance = 1e-11}, nullptr);
    ASSERT_EQ(other.report.status, SolveStatus::kSolved);
    EXPECT_LE((answer.u - other.u).lpNorm<Eigen::Infinity>(), 1e-3) << k;
  }
  EXPECT_GE(near, 30);
}

// What it is for: impulses that are a few percent off are brought nearer, exact friction included, and an answer stays.
TEST(VelocitySweep, BringsImpulsesOfTheLastStepNearer) {
  RandomSource random(32);
  int nearer = 0, solved = 0;
  for (int k = 0; k < 40; ++k) {
    VelocitySample sample;
    MakeSample(&random, 2 + k % 20, true, &sample);
    const ConeAnswer answer = SolveVelocityProgram(sample.program, {.tolerance = 1e-10}, nullptr);
    if (answer.report.status != SolveStatus::kSolved) continue;
    ++solved;
    const ConeAnswer kept = SolveByVelocitySweep(sample.program, {}, {.tolerance = 1e-9}, answer.r);
    EXPECT_EQ(kept.report.iterations, 0);
    EXPECT_LE((kept.r - answer.r).norm(), 1e-13 * answer.r.norm());
    VecX start = answer.r;
    for (double& impulse : start) impulse *= 1 + random.Uniform(-0.03, 0.03);
    const double before = ErrorOf(sample.program, ProjectOnSets(sample.program.blocks, start));
    const ConeAnswer swept = SolveByVelocitySweep(sample.program, {}, {.tolerance = 1e-9}, start);
    EXPECT_TRUE(swept.r.allFinite());
    EXPECT_LE(swept.report.residual, 1.01 * before) << "the best that was seen is returned";
    nearer += swept.report.residual < 0.3 * before ? 1 : 0;
  }
  EXPECT_GE(solved, 35);
  EXPECT_GE(nearer, solved / 2);
}

TEST(VelocitySweep, NumbersThatAreNoneAreTold) {
  RandomSource random(33);
  VelocitySample sample;
  MakeSample(&random, 4, true, &sample);
  sample.program.q[0] = std::nan("");
  const VecX none = VecX::Zero(sample.program.size());
  EXPECT_EQ(SolveByVelocitySweep(sample.program, {}, {}, none).report.status, SolveStatus::kBadInput);
}

}  // namespace
}  // namespace slipstick::internal
