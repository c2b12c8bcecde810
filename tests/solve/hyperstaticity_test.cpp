#include "slipstick/solve/hyperstaticity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/solve/contact_examples.h"

namespace slipstick::internal {
namespace {

using examples::BodyOnFloor, examples::Box, examples::Chain, examples::MakeGlobal;
using testing::Each, testing::ElementsAre;

constexpr double kTolerance = 1e-10;

struct Analyzed {
  ProblemSolution solution;
  Hyperstaticity result;
};

// The solution is given, so that nothing here depends on a solver.
Analyzed Analyze(const GlobalProblem& problem, const VecX& r) {
  const PreparedProblem prepared = Prepare(problem);
  Analyzed analyzed;
  ProblemSolution& solution = analyzed.solution;
  solution.r = r;
  solution.lambda.resize(0);
  solution.u = prepared.local->W * r + prepared.local->q;
  const ProblemResidual residual = ResidualOf(problem, r, VecX(), nullptr);
  solution.residual = residual.relative;
  EXPECT_LT(residual.relative, 1e-12) << "the test's own solution";
  analyzed.result = AnalyzeHyperstaticity(prepared, solution, {.tolerance = kTolerance});
  EXPECT_TRUE(analyzed.result.least_is_solved);
  EXPECT_LE(analyzed.result.least_residual.relative, kTolerance);
  EXPECT_LE(analyzed.result.least_norm, r.norm() * (1 + 1e-12));
  return analyzed;
}

TEST(Hyperstaticity, TableOnFourLegsWithoutFriction) {
  BodyOnFloor table = Box();
  table.mu = 0;
  // its weight on two opposite legs: as good as on all four, which is the least
  const double weight = -table.push.z();
  VecX r = VecX::Zero(12);
  r[0] = r[9] = weight / 2;
  const auto [solution, result] = Analyze(MakeGlobal(table), r);
  EXPECT_EQ(result.rows, 12);
  EXPECT_EQ(result.rank, 6);
  EXPECT_EQ(result.degree, 6);
  // four normal forces with three equations: the alternating ± of the legs
  EXPECT_EQ(result.freedom, 1);
  EXPECT_THAT(result.is_unique, Each(false));
  EXPECT_THAT(result.mode, Each(ContactMode::kSticking));
  for (int leg = 0; leg < 4; ++leg) EXPECT_NEAR(result.least_r[3 * leg], weight / 4, 1e-8);
  EXPECT_NEAR(result.least_norm, weight / 2, 1e-8);
}

TEST(Hyperstaticity, BoxOnFourCornersWithFriction) {
  const BodyOnFloor box = Box();
  const double weight = -box.push.z();
  VecX r = VecX::Zero(12);
  // corners that press against each other, within friction: moments of the tangential forces cancel in pairs
  for (int c = 0; c < 4; ++c) {
    r[3 * c] = weight / 4;
    r[3 * c + 1] = (box.points[c].x() > 0 ? 1 : -1) * 0.1 * weight;
  }
  const auto [solution, result] = Analyze(MakeGlobal(box), r);
  EXPECT_EQ(result.degree, 12 - 6);
  EXPECT_EQ(result.freedom, 6);
  EXPECT_THAT(result.is_unique, Each(false));
  // the least impulses have no tangential part
  for (int c = 0; c < 4; ++c) {
    EXPECT_NEAR(result.least_r[3 * c], weight / 4, 1e-8);
    EXPECT_NEAR(result.least_r.segment<2>(3 * c + 1).norm(), 0, 1e-8);
  }
}

TEST(Hyperstaticity, LeastImpulsesOnTheBorderOfTheCone) {
  // pushed sideways beyond half of what friction can hold, with one corner row of contacts: a point mass on two
  // contacts at the same place. Least norm: shared evenly; start: unevenly, one of them at its limit
  BodyOnFloor body{.mu = 0.5, .points = {{0, 0, 0}, {0, 0, 0}}, .push = {3, 0, -10}};
  VecX r = VecX::Zero(6);
  r[0] = 6;
  r[1] = -3;
  r[3] = 4;
  const auto [solution, result] = Analyze(MakeGlobal(body), r);
  EXPECT_EQ(result.rank, 3);
  EXPECT_EQ(result.freedom, 3);
  VecX expected(6);
  expected << 5, -1.5, 0, 5, -1.5, 0;
  EXPECT_LT((result.least_r - expected).norm(), 1e-8);
}

TEST(Hyperstaticity, ConeConstrainsTheLeastImpulses) {
  // two contacts of a point mass, one without friction for the other's tangential force: all of the sideways impulse 3
  // must come from the rough one, which needs r_N ≥ 3/μ = 6 of the 10; without the cone it would be 5 and 5
  BodyOnFloor body{.points = {{0, 0, 0}, {0, 0, 0}}, .push = {3, 0, -10}};
  GlobalProblem problem = MakeGlobal(body);
  problem.contacts.sliding = Vec2(0.5, 0);
  VecX r = VecX::Zero(6);
  r[0] = 9;
  r[1] = -3;
  r[3] = 1;
  const auto [solution, result] = Analyze(problem, r);
  VecX expected(6);
  expected << 6, -3, 0, 4, 0, 0;
  EXPECT_LT((result.least_r - expected).norm(), 1e-8);
}

TEST(Hyperstaticity, SingleSphereIsUnique) {
  const BodyOnFloor sphere{.points = {{0, 0, -0.5}}};
  VecX r = VecX::Zero(3);
  r[0] = -sphere.push.z();
  const auto [solution, result] = Analyze(MakeGlobal(sphere), r);
  EXPECT_EQ(result.degree, 0);
  EXPECT_EQ(result.freedom, 0);
  EXPECT_THAT(result.is_unique, ElementsAre(true));
  EXPECT_EQ(result.least_r, r);
}

TEST(Hyperstaticity, ChainIsUniqueAndATableOnItsTopIsNot) {
  VecX r = VecX::Zero(15);
  for (int i = 0; i < 5; ++i) r[3 * i] = 9.81 * (5 - i);
  const auto [solution, result] = Analyze(Chain(5), r);
  EXPECT_EQ(result.rank, 15);
  EXPECT_EQ(result.degree, 0);
  EXPECT_THAT(result.is_unique, Each(true));

  // a fourth contact of the table beside the chain: one problem, two groups
  GlobalProblem table = MakeGlobal(Box()), chain = Chain(2), both;
  both.contacts.sliding.resize(6);
  both.contacts.sliding << chain.contacts.sliding, table.contacts.sliding;
  MatX M = MatX::Zero(12, 12), H = MatX::Zero(12, 18);
  M.topLeftCorner(6, 6) = MatX(chain.M);
  M.bottomRightCorner(6, 6) = MatX(table.M);
  H.topLeftCorner(6, 6) = MatX(chain.H);
  H.bottomRightCorner(6, 12) = MatX(table.H);
  both.M = M.sparseView();
  both.H = H.sparseView();
  both.f.resize(12);
  both.f << chain.f, table.f;
  both.w = VecX::Zero(18);
  VecX all = VecX::Zero(18);
  all[0] = 2 * 9.81;
  all[3] = 9.81;
  for (int c = 2; c < 6; ++c) all[3 * c] = 2 * 9.81 / 4;
  EXPECT_THAT(Analyze(both, all).result.is_unique, ElementsAre(true, true, false, false, false, false));
}

TEST(Hyperstaticity, OpenAndSlidingContacts) {
  // a box that is pulled off at one edge opens there; a box that slides has one ray a contact
  BodyOnFloor box = Box();
  box.push = {40, 0, -20};
  box.inertia = 1e9;  // does not tip
  const double weight = 20;
  VecX r = VecX::Zero(12);
  for (int c = 0; c < 4; ++c) {
    r[3 * c] = weight / 4;
    r[3 * c + 1] = -box.mu * weight / 4;
  }
  GlobalProblem problem = MakeGlobal(box);
  // an inertia so large is a plane: u differs from sliding by 1e-8, which the test leaves out by fixing the rotation
  problem.M.coeffRef(3, 3) = problem.M.coeffRef(4, 4) = problem.M.coeffRef(5, 5) = 1e30;
  const auto [solution, result] = Analyze(problem, r);
  EXPECT_THAT(result.mode, Each(ContactMode::kSliding));
  // four rays, one equation: the normal force (sideways follows)
  EXPECT_EQ(result.freedom, 3);

  BodyOnFloor thrown = Box();
  thrown.push = {0, 0, 5};
  const auto [flying, open] = Analyze(MakeGlobal(thrown), VecX::Zero(12));
  EXPECT_THAT(open.mode, Each(ContactMode::kOpen));
  EXPECT_EQ(open.freedom, 0);
  EXPECT_EQ(open.degree, 6);
  EXPECT_THAT(open.is_unique, Each(true));
}

}  // namespace
}  // namespace slipstick::internal
