#include "slipstick/contact/condition.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/law/random_problems.h"

namespace slipstick::internal {
namespace {

using testing::AppendGroundContact;
using testing::CompleteProblem;
using testing::RandomNumbers;
using testing::RandomProblem;
using testing::RandomProblemOptions;

constexpr ConditionSettings kAlwaysSparse{.largest_dense = 0};

// Masses that move up and down alone, the first on the ground and each on the one below, without friction.
ContactProblem Tower(const std::vector<double>& masses, int contacts_each = 1) {
  ContactProblem problem;
  problem.step = 0.01;
  BlockLayout layout;
  for (std::size_t i = 0; i < masses.size(); ++i) layout.Append(1);
  problem.mass.Reset(layout);
  for (int i = 0; i < layout.count(); ++i) problem.mass.block(i).setConstant(masses[i]);
  problem.mass.Factorize();
  problem.velocity = problem.free_velocity = VecX::Constant(layout.total, -0.1);
  problem.bilateral.jacobian.Reset(layout);
  problem.bounded.jacobian.Reset(layout);
  problem.contacts.Reset(layout);
  for (int i = 0; i < layout.count(); ++i) {
    for (int k = 0; k < contacts_each; ++k) {
      const int contact = AppendGroundContact(0, INFINITY, i, i - 1, &problem);
      problem.contacts.jacobian.piece_a(contact)(0, 0) = 1;
      if (i > 0) problem.contacts.jacobian.piece_b(contact)(0, 0) = -1;
    }
  }
  CompleteProblem(&problem);
  return problem;
}

// W of two masses, scaled to the diagonal 1, has −c beside it with c² = (1/m)²/((1/m)(1/m + 1/M)).
TEST(Condition, OfTwoMassesIsThatOfTheClosedForm) {
  for (const double ratio : {1e-3, 1.0, 7.0, 1e3, 1e6}) {
    const ProblemCondition condition = ConditionOf(Tower({2, 2 * ratio}));
    const double c = 1 / std::sqrt(1 + 1 / ratio);
    EXPECT_NEAR(condition.number * (1 - c) / (1 + c), 1, 1e-6) << ratio;
    EXPECT_EQ(condition.rows, 2);
    EXPECT_EQ(condition.rank, 2);
  }
}

// n equal masses: the scaled W is 1 − (Jacobi matrix of Chebyshev's polynomials), whose eigenvalues are the zeros of
// T_n, so that the condition is (1 + cos α)/(1 − cos α) = cot²(α/2) with α = π/(2n).
TEST(Condition, OfATowerIsThatOfTheClosedFormDenseAndSparse) {
  for (const int n : {1, 2, 10, 120, 250}) {
    const ContactProblem tower = Tower(std::vector<double>(n, 3.0));
    const double exact = n == 1 ? 1 : std::pow(std::tan(std::numbers::pi / (4 * n)), -2);
    EXPECT_NEAR(ConditionOf(tower, {.largest_dense = 1000}).number / exact, 1, 1e-9) << n;
    const ProblemCondition sparse = ConditionOf(tower, kAlwaysSparse);
    EXPECT_NEAR(sparse.number / exact, 1, 0.02) << n;
    EXPECT_EQ(sparse.rank, n);
  }
}

// Each contact k times over: every eigenvalue but zero grows by k.
TEST(Condition, DoesNotChangeWithRedundantContacts) {
  for (const ConditionSettings& settings : {ConditionSettings{}, kAlwaysSparse}) {
    const ProblemCondition one = ConditionOf(Tower({1, 50, 3, 1000}), settings);
    const ProblemCondition four = ConditionOf(Tower({1, 50, 3, 1000}, 4), settings);
    EXPECT_NEAR(four.number / one.number, 1, 1e-9);
    EXPECT_EQ(one.deficit(), 0);
    EXPECT_EQ(four.rows, 16);
    EXPECT_EQ(four.rank, 4);
    EXPECT_TRUE(IsWorse(ProblemCondition{.number = 5, .rows = 8, .rank = 4}, {.number = 5, .rows = 6, .rank = 4}));
    EXPECT_FALSE(IsWorse(ProblemCondition{.number = 5, .rows = 8, .rank = 4}, {.number = 6, .rows = 6, .rank = 4}));
  }
}

TEST(Condition, HeavyOnLightIsWorseThanLightOnHeavy) {
  EXPECT_TRUE(IsWorse(ConditionOf(Tower({1, 1000})), ConditionOf(Tower({1000, 1}))));
  EXPECT_GT(ConditionOf(Tower({1, 1000})).number, 3000);
  EXPECT_LT(ConditionOf(Tower({1000, 1})).number, 1.1);
}

// The singular values of F J M^{−1/2}, by other code.
ProblemCondition ByHand(const ContactProblem& problem) {
  const MatX root = testing::DenseMass(problem).llt().matrixL();
  const MatX jacobian = testing::DenseJacobian(problem);
  const int contacts = problem.contacts.size(), first = static_cast<int>(jacobian.rows()) - 3 * contacts;
  MatX rows = root.triangularView<Eigen::Lower>().solve(jacobian.transpose()).transpose();
  for (int i = 0; i < first; ++i) rows.row(i).normalize();
  for (int i = 0; i < contacts; ++i)
    rows.middleRows<3>(first + 3 * i) *= std::sqrt(3.0) / rows.middleRows<3>(first + 3 * i).norm();
  const VecX values = Eigen::JacobiSVD<MatX>(rows).singularValues();  // falling
  ProblemCondition condition;
  condition.rows = static_cast<int>(rows.rows());
  condition.rank = static_cast<int>((values.array() > 1e-6 * values[0]).count());
  condition.number = std::pow(values[0] / values[condition.rank - 1], 2);
  return condition;
}

TEST(Condition, AgreesWithSingularValuesOnRandomProblems) {
  RandomNumbers random(5);
  for (int trial = 0; trial < 60; ++trial) {
    RandomProblemOptions options;
    options.bodies = 1 + trial % 7;
    options.contacts = trial % 11;
    options.bilateral = trial % 3;
    options.bounded = (trial / 3) % 3;
    if (options.contacts + options.bilateral + options.bounded == 0) continue;
    const ContactProblem problem = RandomProblem(options, &random);
    const ProblemCondition expected = ByHand(problem), dense = ConditionOf(problem);
    const ProblemCondition sparse = ConditionOf(problem, kAlwaysSparse);
    EXPECT_NEAR(dense.number / expected.number, 1, 1e-6) << trial;
    EXPECT_NEAR(sparse.number / expected.number, 1, 0.02) << trial;
    for (const ProblemCondition& found : {dense, sparse}) {
      EXPECT_EQ(found.rows, expected.rows) << trial;
      EXPECT_EQ(found.rank, expected.rank) << trial;
    }
  }
}

// Kilograms or tonnes, and bodies that touch nothing, make no difference.
TEST(Condition, DoesNotDependOnUnitsOrOnFreeBodies) {
  RandomNumbers random(6);
  ContactProblem problem = RandomProblem({}, &random);
  const double number = ConditionOf(problem).number;
  for (int b = 0; b < problem.mass.layout().count(); ++b) problem.mass.block(b) *= 1e-3;
  problem.mass.Factorize();
  EXPECT_NEAR(ConditionOf(problem).number / number, 1, 1e-9);

  ContactProblem alone = Tower({1, 10}), with_free = Tower({1, 10, 5});
  with_free.contacts.jacobian.piece_a(2).setZero();
  with_free.contacts.jacobian.piece_b(2).setZero();
  EXPECT_NEAR(ConditionOf(with_free).number, ConditionOf(alone).number, 1e-12);
  EXPECT_EQ(ConditionOf(with_free).rank, 2);
}

// W = 1/m, twice the same row: with a compliance C on both the eigenvalues are 2/m + C and C.
TEST(Condition, ComplianceMakesRedundantRowsCount) {
  ContactProblem problem = Tower({2}, 2);
  EXPECT_EQ(ConditionOf(problem).number, 1);
  EXPECT_EQ(ConditionOf(problem).rank, 1);
  for (ContactSurface& surface : problem.contacts.surfaces) surface.normal_compliance = 1e-3;
  for (const ConditionSettings& settings : {ConditionSettings{}, kAlwaysSparse}) {
    // beyond the dense size it is known to 2 %
    EXPECT_NEAR(ConditionOf(problem, settings).number, 1.001 / 0.001, settings.largest_dense > 0 ? 1e-6 : 20);
    EXPECT_EQ(ConditionOf(problem, settings).rank, 2);
  }
}

TEST(Condition, OfNothing) {
  RandomProblemOptions options;
  options.contacts = options.bilateral = options.bounded = 0;
  RandomNumbers random(7);
  ContactProblem problem = RandomProblem(options, &random);
  for (const ConditionSettings& settings : {ConditionSettings{}, kAlwaysSparse}) {
    const ProblemCondition condition = ConditionOf(problem, settings);
    EXPECT_EQ(condition.number, 1);
    EXPECT_EQ(condition.rows, 0);
    EXPECT_EQ(condition.rank, 0);
  }
  problem.mass_is_singular = true;
  EXPECT_EQ(ConditionOf(problem).number, INFINITY);
}

}  // namespace
}  // namespace slipstick::internal
