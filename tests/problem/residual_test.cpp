#include "slipstick/problem/residual.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <random>

namespace slipstick::internal {
namespace {

SparseMat Sparse(const MatX& dense) { return dense.sparseView(); }

MatX RandomPositive(int size, std::mt19937* random) {
  std::normal_distribution<double> normal;
  const MatX root = MatX::NullaryExpr(size, size, [&] { return normal(*random); });
  return root * root.transpose() + 0.1 * MatX::Identity(size, size);
}

VecX RandomVector(int size, std::mt19937* random) {
  std::normal_distribution<double> normal;
  return VecX::NullaryExpr(size, [&] { return normal(*random); });
}

ContactCoefficients RandomCoefficients(int dimension, int contacts, std::mt19937* random) {
  std::uniform_real_distribution<double> uniform(0.1, 1.2);
  ContactCoefficients coefficients;
  coefficients.dimension = dimension;
  const auto draw = [&] { return VecX(VecX::NullaryExpr(contacts, [&] { return uniform(*random); })); };
  coefficients.sliding = draw();
  if (dimension >= 5) coefficients.rolling = draw();
  if (dimension == 6) coefficients.spinning = draw();
  return coefficients;
}

// The smallest distance over all normal components on a grid that closes in, with the best tangential parts for each.
VecX NearestByGrid(const std::vector<ContactPart>& parts, const VecX& z) {
  const auto at = [&](double t) {
    VecX point = z;
    point[0] = t;
    int row = 1;
    for (const ContactPart& part : parts) {
      const double norm = z.segment(row, part.rows).norm(), most = part.limit * t;
      if (norm > most) point.segment(row, part.rows) *= most / norm;
      row += part.rows;
    }
    return point;
  };
  double low = 0, high = 4 * z.norm() + 1;
  for (int round = 0; round < 40; ++round) {
    constexpr int kCells = 40;
    int best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= kCells; ++i) {
      const double distance = (at(low + (high - low) * i / kCells) - z).squaredNorm();
      if (distance < least) {
        least = distance;
        best = i;
      }
    }
    const double width = (high - low) / kCells, middle = low + width * best;
    low = std::max(0.0, middle - width);
    high = middle + width;
  }
  return at(0.5 * (low + high));
}

TEST(Residual, ProjectionIsTheNearestPoint) {
  std::mt19937 random(1);
  for (const int dimension : {2, 3, 5, 6}) {
    for (int i = 0; i < 200; ++i) {
      const std::vector<ContactPart> parts = PartsOfContact(RandomCoefficients(dimension, 1, &random), 0);
      const VecX z = RandomVector(dimension, &random);
      const VecX nearest = NearestInCone(parts, z);
      // a grid finds the place of a minimum to half of the digits, the distance to all
      EXPECT_LT((nearest - NearestByGrid(parts, z)).norm(), 1e-6) << "dimension " << dimension;
      // z − P is orthogonal to P and in the polar cone: Moreau
      EXPECT_NEAR((z - nearest).dot(nearest), 0, 1e-12);
      EXPECT_LE(SlipOf(parts, z - nearest), -(z - nearest)[0] + 1e-12);
      EXPECT_LT((NearestInCone(parts, nearest) - nearest).norm(), 1e-13);
    }
  }
}

TEST(Residual, ProjectionOfHandComputedPoints) {
  const std::vector<ContactPart> parts = {{2, 1.0}};
  EXPECT_LT((NearestInCone(parts, Vec3(2, 1, 1)) - Vec3(2, 1, 1)).norm(), 1e-15);  // inside
  EXPECT_EQ(NearestInCone(parts, Vec3(-2, 1, 1)).norm(), 0);                       // in the polar cone
  EXPECT_LT((NearestInCone(parts, Vec3(0, 2, 0)) - Vec3(1, 1, 0)).norm(), 1e-15);  // half way on a 45° cone
  EXPECT_LT((NearestInCone({{2, 0.0}}, Vec3(3, 2, 1)) - Vec3(3, 0, 0)).norm(), 1e-15);
  // both parts beyond their limit: t = (z_N + c₁|z₁| + c₂|z₂|) / (1 + c₁² + c₂²)
  VecX z(5);
  z << 1, 3, 0, 0, 4;
  const VecX nearest = NearestInCone({{2, 1.0}, {2, 2.0}}, z);
  const double t = (1 + 3 + 2 * 4) / (1.0 + 1 + 4);
  VecX expected(5);
  expected << t, t, 0, 0, 2 * t;
  EXPECT_LT((nearest - expected).norm(), 1e-14);
}

// One contact, W = 1: u = r + q.
LocalProblem UnitContact(const Vec3& q, double mu) {
  LocalProblem problem;
  problem.contacts.sliding = VecX::Constant(1, mu);
  problem.W = Sparse(MatX::Identity(3, 3));
  problem.q = q;
  return problem;
}

TEST(Residual, HandComputedContact) {
  // pressed down with speed 2 and pushed sideways with 3 at μ = 1/2: slides, r = (2, −1, 0), u = (0, 2, 0)
  const LocalProblem problem = UnitContact(Vec3(-2, 3, 0), 0.5);
  const VecX none;
  EXPECT_LT(ResidualOf(problem, Vec3(2, -1, 0), none).relative, 1e-15);
  EXPECT_LT(ResidualOf(problem, Vec3(2, -1, 0), none).per_contact, 1e-15);
  // r = 0: u = q, ũ = (−2 + 3/2, 3, 0); P(−ũ) with −ũ = (1/2, −3, 0): t = (1/2 + 3/2)/(5/4) = 8/5, (8/5, −4/5, 0)
  const ProblemResidual at_zero = ResidualOf(problem, Vec3(0, 0, 0), none);
  EXPECT_NEAR(at_zero.relative, std::hypot(1.6, 0.8) / std::sqrt(13.0), 1e-14);
  EXPECT_NEAR(at_zero.per_contact, std::hypot(1.6, 0.8) / std::sqrt(13.0), 1e-14);
  // the convex relaxation dilates: u_N = μ|u_T|, so r = (2 + a/2, −1 − a/4, 0) with u_N = a/2 and |u_T| = 2 − a/4 = a
  const double a = 8.0 / 5;
  EXPECT_LT(ResidualOf(problem, Vec3(2 + a / 2, -1 - a / 4, 0), none, false).relative, 1e-15);
  EXPECT_GT(ResidualOf(problem, Vec3(2 + a / 2, -1 - a / 4, 0), none, true).relative, 0.1);
  EXPECT_GT(ResidualOf(problem, Vec3(2, -1, 0), none, false).relative, 0.1);
}

TEST(Residual, PerContactSeesASmallContactBesideALargeOne) {
  // two contacts apart; the second's numbers are a millionth of the first's and wholly wrong
  LocalProblem problem;
  problem.contacts.sliding = VecX::Constant(2, 0.5);
  problem.W = Sparse(MatX::Identity(6, 6));
  problem.q = VecX::Zero(6);
  problem.q[0] = -1;
  problem.q[3] = -1e-6;
  VecX r = VecX::Zero(6);
  r[0] = 1;
  const ProblemResidual residual = ResidualOf(problem, r, VecX());
  EXPECT_NEAR(residual.relative, 1e-6, 1e-9);
  EXPECT_NEAR(residual.per_contact, 1, 1e-12);
}

TEST(Residual, PerContactDoesNotDependOnUnits) {
  std::mt19937 random(4);
  LocalProblem problem;
  problem.contacts = RandomCoefficients(3, 4, &random);
  problem.W = Sparse(RandomPositive(12, &random));
  problem.q = RandomVector(12, &random);
  const VecX r = RandomVector(12, &random);
  const double before = ResidualOf(problem, r, VecX()).per_contact;
  problem.W = 1e5 * problem.W;  // impulses in units 1e5 times as large, velocities 1e3 as small
  problem.W = 1e3 * problem.W;
  problem.q *= 1e3;
  EXPECT_NEAR(ResidualOf(problem, 1e-5 * r, VecX()).per_contact, before, 1e-12 * before);
}

// r, λ chosen, and q, s made such that they solve: every contact in one of the three states.
struct Made {
  LocalProblem problem;
  VecX r, lambda;
};

Made MakeSolved(int dimension, int contacts, int bilateral, bool non_associated, std::mt19937* random) {
  Made made;
  made.problem.contacts = RandomCoefficients(dimension, contacts, random);
  const int rows = dimension * contacts;
  const MatX all = RandomPositive(rows + bilateral, random);
  made.problem.W = Sparse(all.topLeftCorner(rows, rows));
  made.r.setZero(rows);
  made.lambda = RandomVector(bilateral, random);
  VecX u = VecX::Zero(rows);
  for (int c = 0; c < contacts; ++c) {
    const std::vector<ContactPart> parts = PartsOfContact(made.problem.contacts, c);
    const VecX draw = RandomVector(dimension, random);
    if (c % 3 == 0) {  // open
      u.segment(dimension * c, dimension) = draw;
      u[dimension * c] = std::abs(draw[0]) + (non_associated ? 0 : SlipOf(parts, draw));
    } else if (c % 3 == 1) {  // sticking
      VecX inside = draw;
      inside[0] = std::abs(draw[0]) + 1;
      made.r.segment(dimension * c, dimension) = NearestInCone(parts, inside);
    } else {  // sliding in every part
      VecX impulse(dimension), velocity = draw;
      impulse[0] = std::abs(draw[0]) + 1;
      velocity[0] = non_associated ? 0 : SlipOf(parts, draw);
      int row = 1;
      for (const ContactPart& part : parts) {
        impulse.segment(row, part.rows) = -part.limit * impulse[0] * draw.segment(row, part.rows).normalized();
        row += part.rows;
      }
      made.r.segment(dimension * c, dimension) = impulse;
      u.segment(dimension * c, dimension) = velocity;
    }
  }
  made.problem.q = u - made.problem.W * made.r;
  if (bilateral > 0) {
    made.problem.V = Sparse(all.topRightCorner(rows, bilateral));
    made.problem.R = Sparse(all.bottomRightCorner(bilateral, bilateral));
    made.problem.q -= made.problem.V * made.lambda;
    made.problem.s = -(made.problem.V.transpose() * made.r + made.problem.R * made.lambda);
  }
  return made;
}

TEST(Residual, IsZeroJustAtSolutions) {
  std::mt19937 random(2);
  for (const int dimension : {2, 3, 5, 6}) {
    for (const int bilateral : {0, 2}) {
      for (const bool non_associated : {true, false}) {
        const Made made = MakeSolved(dimension, 7, bilateral, non_associated, &random);
        const ProblemResidual residual = ResidualOf(made.problem, made.r, made.lambda, non_associated);
        EXPECT_LT(residual.relative, 1e-14) << dimension << " " << bilateral << " " << non_associated;
        EXPECT_LT(residual.per_contact, 1e-13);
        EXPECT_GT(ResidualOf(made.problem, made.r, made.lambda, !non_associated).relative, 1e-3);
        // every single impulse matters
        for (int i = 0; i < made.r.size(); ++i) {
          VecX changed = made.r;
          changed[i] += 1e-4;
          EXPECT_GT(ResidualOf(made.problem, changed, made.lambda, non_associated).relative, 1e-7);
        }
        for (int i = 0; i < bilateral; ++i) {
          VecX changed = made.lambda;
          changed[i] += 1e-4;
          EXPECT_GT(ResidualOf(made.problem, made.r, changed, non_associated).relative, 1e-7);
        }
      }
    }
  }
}

TEST(Residual, GlobalFormAgreesWithTheLocalOne) {
  std::mt19937 random(3);
  GlobalProblem global;
  global.contacts = RandomCoefficients(3, 3, &random);
  const MatX M = RandomPositive(10, &random), H = MatX::Random(10, 9), G = MatX::Random(10, 2);
  global.M = Sparse(M);
  global.H = Sparse(H);
  global.G = Sparse(G);
  global.f = RandomVector(10, &random);
  global.w = RandomVector(9, &random);
  global.b = RandomVector(2, &random);
  LocalProblem local;
  local.contacts = global.contacts;
  local.W = Sparse(H.transpose() * M.inverse() * H);
  local.V = Sparse(H.transpose() * M.inverse() * G);
  local.R = Sparse(G.transpose() * M.inverse() * G);
  local.q = H.transpose() * M.inverse() * global.f + global.w;
  local.s = G.transpose() * M.inverse() * global.f + global.b;
  const VecX r = RandomVector(9, &random), lambda = RandomVector(2, &random);
  const double relative = ResidualOf(local, r, lambda).relative;
  EXPECT_NEAR(ResidualOf(global, r, lambda, nullptr).relative, relative, 1e-12 * relative);
  // v that does not fit the impulses counts
  VecX v = M.inverse() * (H * r + G * lambda + global.f);
  EXPECT_NEAR(ResidualOf(global, r, lambda, &v).relative, relative, 1e-12 * relative);
  v *= 1.01;
  const VecX momentum = M * v, force = H * r + G * lambda;
  const double share = 0.01 / 1.01 * momentum.norm() / std::max({global.f.norm(), momentum.norm(), force.norm()});
  const VecX u = H.transpose() * v + global.w;
  EXPECT_GT(ResidualOf(global, r, lambda, &v).relative, share);
  EXPECT_EQ(u.size(), 9);
}

TEST(Residual, BoundedRows) {
  // no contact, one row: rate = λ + s within −1 ≤ λ ≤ 1
  LocalProblem problem;
  problem.contacts.sliding.resize(0);
  problem.W.resize(0, 0);
  problem.q.resize(0);
  problem.V.resize(0, 1);
  problem.R = Sparse(MatX::Identity(1, 1));
  const MultiplierBounds bounds{VecX::Constant(1, -1), VecX::Constant(1, 1)};
  const auto residual = [&](double s, double lambda) {
    problem.s = VecX::Constant(1, s);
    return ResidualOf(problem, VecX(), VecX::Constant(1, lambda), true, &bounds).relative;
  };
  EXPECT_EQ(residual(0.5, -0.5), 0);  // within: no motion
  EXPECT_EQ(residual(3, -1), 0);      // too strong: at the lower bound, moves on
  EXPECT_EQ(residual(-3, 1), 0);
  EXPECT_NEAR(residual(3, 1), 2.0 / 3, 1e-15);   // the wrong bound
  EXPECT_NEAR(residual(0.5, -1), 0.5, 1e-15);    // at a bound that it pulls away from
  EXPECT_NEAR(residual(3, -2), 1.0 / 3, 1e-15);  // beyond
}

TEST(Residual, Complementarity) {
  MixedProblem problem;
  problem.M = MatX::Identity(2, 2) * 2;
  problem.q = Vec2(-4, 3);
  problem.is_equation = problem.is_free = {false, false};
  EXPECT_EQ(ResidualOf(problem, Vec2(2, 0)).relative, 0);
  EXPECT_EQ(ResidualOf(problem, Vec2(2, 0)).per_contact, 0);
  // z = 0: w = q, z − max(0, z − w) = (−4, 0)
  EXPECT_NEAR(ResidualOf(problem, Vec2(0, 0)).relative, 4.0 / 5, 1e-15);
  // negative z counts: (−1, 0) → w = (−6, 3), −1 − max(0, 5) = −6
  EXPECT_NEAR(ResidualOf(problem, Vec2(-1, 0)).relative, 6.0 / 5, 1e-15);
  // a free variable with its equation: w₀ = 0 whatever the sign of z₀
  problem.q = Vec2(4, 3);
  problem.is_equation = problem.is_free = {true, false};
  EXPECT_EQ(ResidualOf(problem, Vec2(-2, 0)).relative, 0);
  EXPECT_NEAR(ResidualOf(problem, Vec2(0, 0)).relative, 4.0 / 5, 1e-15);
}

TEST(Residual, PairsRowsWithVariablesInOrder) {
  // rows: complementary, equation; columns: free, non-negative. w = M z + q
  MixedProblem problem;
  problem.M.resize(2, 2);
  problem.M << 0, 1, 1, 0;
  problem.q = Vec2(-1, -5);
  problem.is_equation = {false, true};
  problem.is_free = {true, false};
  EXPECT_EQ(ResidualOf(problem, Vec2(5, 1)).relative, 0);
  EXPECT_GT(ResidualOf(problem, Vec2(1, 5)).relative, 0.1);
}

TEST(Residual, WhatIsNotFiniteIsInfinitelyWrong) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
  const LocalProblem problem = UnitContact(Vec3(-2, 3, 0), 0.5);
  for (const double bad : {kNan, kInf, -kInf}) {
    for (int i = 0; i < 3; ++i) {
      Vec3 r(2, -1, 0);
      r[i] = bad;
      EXPECT_EQ(ResidualOf(problem, r, VecX()).relative, kInf);
      EXPECT_EQ(ResidualOf(problem, r, VecX()).per_contact, kInf);
    }
  }
  EXPECT_EQ(ResidualOf(problem, VecX(Vec2(0, 0)), VecX()).relative, kInf);  // a size that does not fit
  EXPECT_EQ(ResidualOf(problem, Vec3(1e300, 1e300, 1e300) * 1e8, VecX()).relative, kInf);
  MixedProblem mixed;
  mixed.M = MatX::Identity(1, 1);
  mixed.q = VecX::Constant(1, -1);
  mixed.is_equation = mixed.is_free = {false};
  EXPECT_EQ(ResidualOf(mixed, VecX::Constant(1, kNan)).relative, kInf);
}

TEST(Residual, NothingToSolveIsSolved) {
  const LocalProblem problem = UnitContact(Vec3::Zero(), 0.5);
  EXPECT_EQ(ResidualOf(problem, Vec3::Zero(), VecX()).relative, 0);
  EXPECT_EQ(ResidualOf(problem, Vec3::Zero(), VecX()).per_contact, 0);
}

}  // namespace
}  // namespace slipstick::internal
