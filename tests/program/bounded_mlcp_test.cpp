#include "slipstick/program/bounded_mlcp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace slipstick::internal {
namespace {

using ::testing::HasSubstr;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

BoundedMlcp OneRow(double a, double b, double lower, double upper) {
  return {MatX::Constant(1, 1, a), VecX::Constant(1, b), VecX::Constant(1, lower), VecX::Constant(1, upper)};
}

double ResidualAt(const BoundedMlcp& problem, double z) { return NaturalResidual(problem, VecX::Constant(1, z)); }

TEST(NaturalResidual, IsZeroAtEachKindOfSolution) {
  EXPECT_EQ(ResidualAt(OneRow(2, 3, 0, kInf), 0), 0);         // at the lower bound, w = 3
  EXPECT_EQ(ResidualAt(OneRow(2, -3, 0, kInf), 1.5), 0);      // between, w = 0
  EXPECT_EQ(ResidualAt(OneRow(2, -3, 0, 1), 1), 0);           // at the upper bound, w = −1
  EXPECT_EQ(ResidualAt(OneRow(2, -3, -kInf, kInf), 1.5), 0);  // free
  EXPECT_EQ(ResidualAt(OneRow(2, -3, 0.5, 0.5), 0.5), 0);     // pinned, whatever w is
}

TEST(NaturalResidual, CountsInTheUnitOfW) {
  EXPECT_NEAR(ResidualAt(OneRow(2, -3, -kInf, kInf), 1), 1, 1e-15);  // free: |w|
  EXPECT_NEAR(ResidualAt(OneRow(2, 3, 0, kInf), 0.1), 0.2,
              1e-15);  // w = 3.2 asks for less, but 0.1 is all there is: A δ
  EXPECT_NEAR(ResidualAt(OneRow(2, -3, 0, kInf), 1.4), 0.2, 1e-15);    // w = −0.2 asks for more
  EXPECT_NEAR(ResidualAt(OneRow(2, 3, 0, kInf), -0.5), 1, 1e-15);      // outside: A δ, though w is fine
  EXPECT_NEAR(ResidualAt(OneRow(2, -3, 0.5, 0.5), 0.75), 0.5, 1e-15);  // pinned: A δ
  EXPECT_NEAR(ResidualAt(OneRow(0, 3, 0, kInf), 0.1), 0.1, 1e-15);     // no diagonal at all: d = 1
}

TEST(NaturalResidual, TakesTheMeanDiagonalWhereARowHasNone) {
  BoundedMlcp problem{MatX::Zero(3, 3), VecX::Zero(3), VecX::Zero(3), VecX::Constant(3, kInf)};
  problem.A.diagonal() << 2, 6, 0;
  problem.b << 0, 0, 5;
  EXPECT_DOUBLE_EQ(NaturalResidual(problem, Vec3(0, 0, 0.1)), 0.4);
}

TEST(NaturalResidual, GrowsByTheUnitOfWOnly) {
  // z in other units: A → A s, z → z / s, bounds too
  const BoundedMlcp problem = OneRow(2, 3, 0.25, 2);
  const BoundedMlcp other = OneRow(2e3, 3, 0.25e-3, 2e-3);
  for (const double z : {-1.0, 0.2, 0.3, 1.0, 3.0})
    EXPECT_NEAR(ResidualAt(problem, z), ResidualAt(other, 1e-3 * z), 1e-12);
}

TEST(NaturalResidual, IsInfiniteWhereThePointIsNotFinite) {
  EXPECT_EQ(ResidualAt(OneRow(2, 3, 0, kInf), kNan), kInf);
  EXPECT_EQ(ResidualAt(OneRow(2, 3, 0, kInf), kInf), kInf);
  EXPECT_EQ(ResidualAt(OneRow(1e300, 3, 0, kInf), 1e300), kInf);
}

TEST(NaturalResidual, OfTheEmptyProblemIsZero) {
  EXPECT_EQ(NaturalResidual(BoundedMlcp{}, VecX()), 0);
  EXPECT_EQ(ResidualScale(BoundedMlcp{}, VecX()), 0);
}

TEST(ResidualScale, SumsWhatCancels) {
  BoundedMlcp problem{MatX::Zero(2, 2), VecX::Zero(2), VecX::Zero(2), VecX::Constant(2, kInf)};
  problem.A << 1, -2, 3, 4;
  problem.b << -5, 1;
  EXPECT_DOUBLE_EQ(ResidualScale(problem, Vec2(1, -1)), 8);
}

TEST(CheckMlcp, AcceptsInfiniteBoundsOnTheirOwnSide) {
  EXPECT_EQ(Check(OneRow(1, 1, -kInf, kInf)), "");
  EXPECT_EQ(Check(OneRow(1, 1, 0, 0)), "");
  EXPECT_EQ(Check(BoundedMlcp{}), "");
}

TEST(CheckMlcp, NamesEveryFault) {
  EXPECT_THAT(Check(OneRow(1, 1, 1, 0)), HasSubstr("bounds of row 0"));
  EXPECT_THAT(Check(OneRow(1, 1, kInf, kInf)), HasSubstr("bounds of row 0"));
  EXPECT_THAT(Check(OneRow(1, 1, -kInf, -kInf)), HasSubstr("bounds of row 0"));
  EXPECT_THAT(Check(OneRow(1, 1, 0, kNan)), HasSubstr("bounds of row 0"));
  EXPECT_THAT(Check(OneRow(1, 1, kNan, 0)), HasSubstr("bounds of row 0"));
  EXPECT_THAT(Check(OneRow(1e200, 1, 0, 1)), HasSubstr("A is not finite"));
  BoundedMlcp problem = OneRow(kNan, kInf, 0, 1);
  problem.lower.resize(0);
  problem.A.conservativeResizeLike(MatX::Constant(1, 2, kNan));
  const std::string faults = Check(problem);
  for (const char* part : {"A is 1 × 2", "lower has 0", "A is not finite", "b is not finite"})
    EXPECT_THAT(faults, HasSubstr(part));
}

TEST(SolveStatus, HasANameForEach) {
  EXPECT_EQ(ToString(SolveStatus::kSolved), "solved");
  EXPECT_EQ(ToString(SolveStatus::kIterationLimit), "iteration limit");
  EXPECT_EQ(ToString(SolveStatus::kStalled), "stalled");
  EXPECT_EQ(ToString(SolveStatus::kRay), "ray");
  EXPECT_EQ(ToString(SolveStatus::kNoSolution), "no solution");
  EXPECT_EQ(ToString(SolveStatus::kSingular), "singular");
  EXPECT_EQ(ToString(SolveStatus::kBadInput), "bad input");
}

}  // namespace
}  // namespace slipstick::internal
