#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/solver/dissipation/dissipation_newton.h"
#include "tests/solver/dissipation_programs.h"

namespace slipstick::internal {
namespace {

using testing::DissipationProblem;
using testing::RandomDissipation;
using testing::RandomNumbers;

double Objective(const DissipationProgram& program, const VecX& x) {
  return 0.5 * x.dot(program.A * x) + program.b.dot(x);
}

// One contact of a mass m that comes down with w and slides with s.
DissipationProgram OneContact(double m, double mu, double w, double s, double extra = 0) {
  DissipationProgram program;
  program.A = MatX::Identity(3, 3) / m;
  program.b = Vec3(-w, s, 0);
  program.contacts = {{0, 3, mu, extra}};
  program.normal_limit = m * w;
  return program;
}

TEST(DissipationProgramTest, OneContactInClosedForm) {
  // sliding: all of κ, friction at its limit, no lift
  DissipationAnswer answer = SolveDissipation(OneContact(2, 0.5, 1, 3));
  EXPECT_LE((answer.x - Vec3(2, -1, 0)).norm(), 1e-12);
  // sticking: what stops it
  answer = SolveDissipation(OneContact(2, 0.5, 1, 0.2));
  EXPECT_LE((answer.x - Vec3(2, -0.4, 0)).norm(), 1e-12);
  // a limit that needs no load adds up
  answer = SolveDissipation(OneContact(2, 0.5, 1, 3, 0.25));
  EXPECT_LE((answer.x - Vec3(2, -1.25, 0)).norm(), 1e-12);
  // parting: nothing
  DissipationProgram parting = OneContact(2, 0.5, -1, 3);
  parting.normal_limit = 0;
  EXPECT_LE(SolveDissipation(parting).x.norm(), 1e-12);
}

TEST(DissipationProgramTest, ResidualNoticesEachKindOfError) {
  RandomNumbers random(5);
  int moved = 0;
  for (int k = 0; k < 50; ++k) {
    SCOPED_TRACE(k);
    const auto [program, start] = RandomDissipation(4, 2, &random);
    const DissipationAnswer answer = SolveDissipation(program, &start);
    const double right = DissipationResidual(program, answer.x, answer.multipliers);
    EXPECT_LE(right, 1e-11);
    const VecX wrong = answer.x + random.Vector(program.size(), 1e-3);
    EXPECT_GT(DissipationResidual(program, wrong, answer.multipliers), 1e-6);
    DissipationMultipliers other = answer.multipliers;
    other.tax += 1e-3;
    if (DissipationResidual(program, answer.x, other) > 1e-6) ++moved;
    other = answer.multipliers;
    other.push[0] -= 1e-3 + other.push[0];
    EXPECT_GT(DissipationResidual(program, answer.x, other), 1e-6);
    other.push[0] = std::nan("");
    EXPECT_TRUE(std::isinf(DissipationResidual(program, answer.x, other)));
  }
  EXPECT_GT(moved, 20);
}

TEST(DissipationSolversTest, RandomProgramsToRounding) {
  RandomNumbers random(6);
  for (int k = 0; k < 300; ++k) {
    const int contacts = 1 + random.Below(12), bodies = 1 + random.Below(4);
    SCOPED_TRACE(::testing::Message() << "program " << k << ", contacts " << contacts << ", bodies " << bodies);
    const auto [program, start] = RandomDissipation(contacts, bodies, &random);
    const DissipationAnswer answer = SolveDissipation(program, &start);
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
    EXPECT_LE(DissipationResidual(program, answer.x, answer.multipliers), 1e-11);
  }
}

// Interior points alone have fewer digits where there is no interior; velocities must be the same.
TEST(DissipationSolversTest, InteriorPointsAgreeWithNewton) {
  RandomNumbers random(7);
  for (int k = 0; k < 200; ++k) {
    SCOPED_TRACE(k);
    const auto [program, start] = RandomDissipation(1 + random.Below(10), 1 + random.Below(3), &random);
    const DissipationAnswer interior = SolveDissipationByInteriorPoint(program, {}, &start);
    EXPECT_LE(interior.report.residual, 1e-6);
    const DissipationAnswer answer = SolveDissipation(program, &start);
    EXPECT_LE((program.A * (interior.x - answer.x)).lpNorm<Eigen::Infinity>(), 3e-6);
    EXPECT_NEAR(Objective(program, interior.x), Objective(program, answer.x), 1e-6);
    // phase I is feasible, so that phase II dissipates no less
    EXPECT_LE(Objective(program, answer.x), Objective(program, start) + 1e-12);
  }
}

// No feasible point is better. Samples are mixtures of the optimum, phase I and points within the limits, kept where
// they are feasible.
TEST(DissipationSolversTest, NoSampledPointDissipatesMore) {
  RandomNumbers random(8);
  int feasible = 0;
  for (int k = 0; k < 200; ++k) {
    SCOPED_TRACE(k);
    const auto [program, start] = RandomDissipation(1 + random.Below(6), 1 + random.Below(3), &random);
    const VecX best = SolveDissipation(program, &start).x;
    for (int sample = 0; sample < 200; ++sample) {
      VecX x = start + random.Between(0, 1) * (best - start);
      const double size = std::pow(10.0, random.Between(-6, 0));
      x += random.Vector(program.size(), size);
      double sum = 0;
      for (const DissipationContact& contact : program.contacts) {
        ProjectOnLimits(contact, x.data() + contact.row, x.data() + contact.row);
        sum += x[contact.row];
      }
      for (const DissipationInterval& interval : program.intervals) {
        x[interval.row] = std::clamp(x[interval.row], interval.lower, interval.upper);
      }
      const VecX after = program.A * x + program.b;
      bool allowed = sum <= program.normal_limit * (1 + 1e-12);
      for (const DissipationContact& contact : program.contacts) allowed &= after[contact.row] >= -1e-12;
      if (!allowed) continue;
      ++feasible;
      EXPECT_GE(Objective(program, x), Objective(program, best) - 1e-9);
    }
  }
  EXPECT_GT(feasible, 1000);
}

TEST(DissipationSolversTest, FiniteWhateverTheProgram) {
  DissipationProgram program = OneContact(1, 0.5, 1, 1);
  program.A.setZero();  // nothing moves
  EXPECT_TRUE(SolveDissipation(program).x.allFinite());
  EXPECT_TRUE(SolveDissipationByInteriorPoint(program, {}).x.allFinite());
  program = OneContact(1, 0.5, 1, 1);
  program.normal_limit = 0.5;  // no feasible point
  const DissipationAnswer answer = SolveDissipation(program);
  EXPECT_NE(answer.report.status, SolveStatus::kSolved);
  EXPECT_TRUE(answer.x.allFinite());
  program.b[0] = std::nan("");
  EXPECT_EQ(SolveDissipation(program).report.status, SolveStatus::kBadInput);
  program = OneContact(1, 0.5, 1, 1);
  program.contacts[0].row = 1;
  EXPECT_FALSE(Check(program).empty());
}

}  // namespace
}  // namespace slipstick::internal
