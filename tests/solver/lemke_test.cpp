#include "slipstick/solver/mlcp/lemke.h"

#include <gtest/gtest.h>

#include "tests/solver/mlcp_examples.h"

namespace slipstick::internal {
namespace {

TEST(Lemke, SolvesPolygonalFriction) {
  Draw draw(21);
  for (int trial = 0; trial < 200; ++trial) {
    FrictionExample example;
    example.contacts = draw.Integer(1, 8);
    example.sides = 2 * draw.Integer(2, 4);
    example.dof = draw.Integer(3, 18);
    const BoundedMlcp problem = PolygonalFriction(example, &draw);
    const MlcpAnswer answer = SolveByLemke(problem, {});
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved)
        << "trial " << trial << ": " << ToString(answer.report.status) << " " << answer.report.residual;
    EXPECT_LE(RelativeResidual(problem, answer.z), 1e-9);
  }
}

TEST(Lemke, SolvesPolygonalFrictionOfManyRedundantContacts) {
  Draw draw(22);
  for (int trial = 0; trial < 3; ++trial) {
    const BoundedMlcp problem = PolygonalFriction({.contacts = 25, .sides = 8, .dof = 12, .most_friction = 1}, &draw);
    const MlcpAnswer answer = SolveByLemke(problem, {});
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved) << ToString(answer.report.status);
    EXPECT_LE(RelativeResidual(problem, answer.z), 1e-9);
  }
}

TEST(Lemke, SlidesABlockAsCoulombSays) {
  // A unit mass on a plane with v = (vx, 0, −g h): the normal impulse is g h, friction μ g h against the motion.
  const double mu = 0.3, fall = 0.1, vx = 1;
  MatX J(5, 3);
  J << 0, 0, 1, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0;
  MatX A = MatX::Zero(6, 6);
  A.topLeftCorner(5, 5) = J * J.transpose();
  A.block(1, 5, 4, 1).setOnes();
  A.row(5) << mu, -1, -1, -1, -1, 0;
  VecX b = VecX::Zero(6);
  b.head(5) = J * Vec3(vx, 0, -fall);
  const MlcpAnswer answer = SolveByLemke(PlainLcp(A, b), {});
  EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
  EXPECT_NEAR(answer.z[0], fall, 1e-12);
  EXPECT_NEAR(answer.z[3] - answer.z[1], mu * fall, 1e-12);
  EXPECT_NEAR(answer.z[5], vx - mu * fall, 1e-12);  // the slip speed
}

TEST(Lemke, SolvesMurtysExample) {
  const MlcpAnswer answer = SolveByLemke(MurtyExample(12), {});
  EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
  EXPECT_LT((answer.z - VecX::Unit(12, 11)).norm(), 1e-10);
}

TEST(Lemke, DoesNotCycleOnTies) {
  // Kostreva, "Cycling in linear complementarity problems", Math. Program. 16 (1979): every ratio ties with another
  MatX A(3, 3);
  A << 1, 2, 0, 0, 1, 2, 2, 0, 1;
  LemkeSettings settings;
  settings.attempts = 1;
  const MlcpAnswer answer = SolveByLemke(PlainLcp(A, VecX::Constant(3, -1)), settings);
  EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
  EXPECT_LE(answer.report.iterations, 8);
  EXPECT_LT((answer.z - VecX::Constant(3, 1.0 / 3)).norm(), 1e-12);
}

TEST(Lemke, ProvesThatThereIsNoSolution) {
  // feasible sets that are empty: J Jᵀ z + b with b outside of what J spans, pushed the wrong way
  Draw draw(23);
  for (int trial = 0; trial < 30; ++trial) {
    const int n = draw.Integer(2, 10);
    // v > 0 with Jᵀ v = 0 and bᵀ v < 0
    VecX v = draw.Vector(n).cwiseAbs();
    v.array() += 0.1;
    MatX J = draw.Matrix(n, n);
    J -= v * (v.transpose() * J) / v.squaredNorm();
    VecX b = draw.Vector(n);
    b -= v * (b.dot(v) + 1) / v.squaredNorm();
    const MlcpAnswer answer = SolveByLemke(PlainLcp(J * J.transpose(), b), {});
    EXPECT_EQ(answer.report.status, SolveStatus::kNoSolution) << ToString(answer.report.status);
  }
}

TEST(Lemke, ProvesThatBilateralRowsDisagree) {
  const BoundedMlcp rows{MatX::Ones(2, 2), Vec2(1, 2), VecX::Constant(2, -kInf), VecX::Constant(2, kInf)};
  EXPECT_EQ(SolveByLemke(rows, {}).report.status, SolveStatus::kNoSolution);
}

TEST(Lemke, SaysRayWhereThatProvesNothing) {
  // −z − 1 ≥ 0 has no point z ≥ 0, and the ray shows it. On matrices of no class at all the path may end on a ray
  // though there are solutions: that is never called unsolvable.
  EXPECT_EQ(SolveByLemke(PlainLcp(-MatX::Identity(1, 1), VecX::Constant(1, -1)), {}).report.status,
            SolveStatus::kNoSolution);
  Draw draw(24);
  int rays = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = draw.Integer(2, 4);
    const BoundedMlcp problem = PlainLcp(draw.Matrix(n, n), draw.Vector(n));
    const bool solvable = !SolveByEnumeration(problem).empty();
    const SolveStatus status = SolveByLemke(problem, {}).report.status;
    EXPECT_FALSE(status == SolveStatus::kNoSolution && solvable) << trial;
    EXPECT_FALSE(status == SolveStatus::kSolved && !solvable) << trial;
    rays += status == SolveStatus::kRay;
  }
  EXPECT_GT(rays, 0);
}

TEST(Lemke, TakesEquationsInAnyOrderAndSign) {
  // The equations of free variables may be mixed among each other; the solution is the same. Mixed, A is not monotone.
  Draw draw(18);
  for (int trial = 0; trial < 20; ++trial) {
    const int p = 4, n = 10;
    BoundedMlcp problem{MatX::Zero(n, n), draw.Vector(n), VecX::Zero(n), VecX::Constant(n, kInf)};
    const MatX E = draw.Matrix(p, n - p);
    problem.A.bottomRightCorner(n - p, n - p) = draw.PositiveDefinite(n - p);
    problem.A.topRightCorner(p, n - p) = E;
    problem.A.bottomLeftCorner(n - p, p) = -E.transpose();
    problem.lower.head(p).setConstant(-kInf);
    problem.b.head(p) = -E * draw.Vector(n - p).cwiseAbs();  // E x = e has a solution x ≥ 0
    const MlcpAnswer plain = SolveByLemke(problem, {});
    EXPECT_EQ(plain.report.status, SolveStatus::kSolved) << trial;
    const MatX mix = draw.Matrix(p, p) - 2 * MatX::Identity(p, p).rowwise().reverse();
    problem.A.topRows(p) = (mix * problem.A.topRows(p)).eval();
    problem.b.head(p) = (mix * problem.b.head(p)).eval();
    const MlcpAnswer mixed = SolveByLemke(problem, {});
    EXPECT_EQ(mixed.report.status, SolveStatus::kSolved) << trial;
    EXPECT_LT((mixed.z.tail(n - p) - plain.z.tail(n - p)).norm(), 1e-7) << trial;
  }
}

TEST(Lemke, StopsAtItsLimit) {
  Draw draw(25);
  const BoundedMlcp problem = WithKnownSolution(draw.Monotone(40), &draw).problem;
  LemkeSettings settings;
  settings.max_iterations = 3;
  const MlcpAnswer answer = SolveByLemke(problem, settings);
  EXPECT_EQ(answer.report.status, SolveStatus::kIterationLimit);
  EXPECT_EQ(answer.report.iterations, 3);
}

TEST(Lemke, ReadsItsSettings) {
  std::vector<Fault> faults;
  const GivenSettings given = {{"tolerance", 1e-6}, {"attempts", 1.0}};
  const auto settings =
      LemkeSettings::Table().From(Settings::Read(LemkeSettings::Table().Specs(), given, "solver", &faults));
  EXPECT_TRUE(faults.empty());
  EXPECT_EQ(settings.tolerance, 1e-6);
  EXPECT_EQ(settings.attempts, 1);
  EXPECT_EQ(settings.max_iterations, LemkeSettings().max_iterations);
}

}  // namespace
}  // namespace slipstick::internal
