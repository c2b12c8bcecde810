#include "slipstick/problem/friction_problem.h"

#include <gmock/gmock.h>

#include <Eigen/LU>

#include "slipstick/base/fault.h"
#include "slipstick/problem/mixed_problem.h"
#include "slipstick/problem/siconos_text.h"
#include "slipstick/problem/upper_triangle.h"
#include "tests/problem/problem_samples.h"

namespace slipstick::internal {
namespace {

using ::testing::HasSubstr;
using testing::RandomGlobal;
using testing::RandomLocal;

// Dense elimination: the definition, by another factorization.
void ExpectCondensed(const GlobalProblem& global, const LocalProblem& local) {
  const MatX inverse = MatX(global.M).fullPivLu().inverse();
  const MatX h = global.H;
  const double scale = std::max(1.0, (h.transpose() * inverse * h).norm());
  EXPECT_LT((MatX(local.W) - h.transpose() * inverse * h).norm(), 1e-10 * scale);
  EXPECT_LT((local.q - (h.transpose() * inverse * global.f + global.w)).norm(), 1e-10 * scale);
  if (global.b.size() == 0) {
    EXPECT_EQ(local.s.size(), 0);
    return;
  }
  const MatX g = global.G;
  EXPECT_LT((MatX(local.V) - h.transpose() * inverse * g).norm(), 1e-10 * scale);
  EXPECT_LT((MatX(local.R) - g.transpose() * inverse * g).norm(), 1e-10 * scale);
  EXPECT_LT((local.s - (g.transpose() * inverse * global.f + global.b)).norm(), 1e-10 * scale);
}

TEST(Condense, IsTheDenseElimination) {
  std::mt19937 engine(1);
  for (int trial = 0; trial < 30; ++trial) {
    const int dimension = std::vector{2, 3, 5, 6}[static_cast<std::size_t>(trial % 4)];
    const GlobalProblem global = RandomGlobal(dimension, 1 + trial % 5, 6 + trial, trial % 3, &engine);
    const LocalProblem local = Condense(global);
    EXPECT_TRUE(Check(local).empty());
    ExpectCondensed(global, local);
  }
}

TEST(Condense, TakesMatricesThatAreNotSymmetricOrNotDefinite) {
  std::mt19937 engine(2);
  for (int trial = 0; trial < 20; ++trial) {
    GlobalProblem global = RandomGlobal(3, 2, 9, 0, &engine);
    if (trial % 2 == 0) global.M.coeffRef(1, 2) += 0.5;
    if (trial % 2 == 1) global.M = -global.M;
    ExpectCondensed(global, Condense(global));
  }
}

TEST(Condense, KeepsBlocksApart) {
  // bodies of 6 freedoms, contact i between bodies i and i + 1: W is block tridiagonal
  std::mt19937 engine(3);
  const int bodies = 300;
  GlobalProblem global;
  global.contacts = testing::RandomCoefficients(3, bodies - 1, &engine);
  std::vector<Eigen::Triplet<double>> mass, jacobian;
  for (int body = 0; body < bodies; ++body) {
    const MatX block = testing::RandomPositive(6, &engine);
    for (int i = 0; i < 36; ++i) mass.emplace_back(6 * body + i / 6, 6 * body + i % 6, block(i / 6, i % 6));
    for (int contact = std::max(0, body - 1); contact <= std::min(body, bodies - 2); ++contact) {
      const VecX values = testing::RandomVector(18, &engine);
      for (int i = 0; i < 18; ++i) jacobian.emplace_back(6 * body + i / 3, 3 * contact + i % 3, values[i]);
    }
  }
  global.M.resize(6 * bodies, 6 * bodies);
  global.M.setFromTriplets(mass.begin(), mass.end());
  global.H.resize(6 * bodies, 3 * (bodies - 1));
  global.H.setFromTriplets(jacobian.begin(), jacobian.end());
  global.f = testing::RandomVector(6 * bodies, &engine);
  global.w = testing::RandomVector(3 * (bodies - 1), &engine);
  const LocalProblem local = Condense(global);
  EXPECT_EQ(local.W.nonZeros(), 9 * (3 * (bodies - 1) - 2));
}

TEST(Condense, TakesNothingAtAll) {
  const LocalProblem local = Condense(GlobalProblem());
  EXPECT_EQ(local.W.rows(), 0);
  EXPECT_EQ(local.q.size(), 0);
  // no contacts, and no freedoms
  std::mt19937 engine(8);
  EXPECT_EQ(Condense(RandomGlobal(3, 0, 6, 2, &engine)).s.size(), 2);
  EXPECT_EQ(Condense(RandomGlobal(3, 2, 0, 1, &engine)).W.rows(), 6);
}

TEST(Condense, RefusesSingularMatrices) {
  std::mt19937 engine(4);
  const auto message = [](const GlobalProblem& problem) -> std::string {
    try {
      Condense(problem);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no fault";
  };
  GlobalProblem global = RandomGlobal(3, 1, 6, 0, &engine);
  GlobalProblem changed = global;
  changed.M.setZero();
  EXPECT_THAT(message(changed), HasSubstr("invertible"));
  // rank 5, nothing exactly zero: only rounding hides the singularity
  MatX root = MatX::Random(6, 5);
  changed.M = MatX(root * root.transpose()).sparseView();
  EXPECT_THAT(message(changed), HasSubstr("invertible"));
  changed = global;
  changed.M = MatX(MatX::Random(6, 5) * MatX::Random(5, 6)).sparseView();
  EXPECT_THAT(message(changed), HasSubstr("invertible"));
  changed = global;
  changed.f.conservativeResize(5);
  EXPECT_THAT(message(changed), HasSubstr("M"));
  changed = RandomGlobal(3, 1, 6, 2, &engine);
  changed.M.coeffRef(0, 1) += 1;
  EXPECT_THAT(message(changed), HasSubstr("symmetric"));
}

TEST(Condense, AgreesWithTheOneThatSiconosMade) {
  const std::filesystem::path folder = testing::SharedProblems();
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << "the problems of others are not part of this repository, and ../shared/problems is not there";
  const auto global = std::get<GlobalProblem>(ReadSiconosText(folder / "fc3d_global/GFC3D_TwoRods1.dat"));
  const auto stored = std::get<LocalProblem>(ReadSiconosText(folder / "fc3d_local/GFC3D_TwoRods1-condensed.dat"));
  const LocalProblem local = Condense(global);
  // W is printed with six decimals of its mantissa
  EXPECT_LT(SparseMat(local.W - stored.W).norm(), 1e-5 * stored.W.norm());
  EXPECT_LT((local.q - stored.q).norm(), 1e-5 * stored.q.norm());
}

TEST(Check, FindsEveryFault) {
  std::mt19937 engine(5);
  EXPECT_TRUE(Check(RandomLocal(3, 4, 0, &engine)).empty());
  EXPECT_TRUE(Check(RandomLocal(6, 4, 2, &engine)).empty());
  EXPECT_TRUE(Check(RandomGlobal(5, 4, 12, 2, &engine)).empty());
  LocalProblem local = RandomLocal(3, 4, 1, &engine);
  local.contacts.sliding[2] = -0.1;
  local.q[0] = std::nan("");
  local.s.resize(3);
  const std::vector<std::string> faults = Check(local);
  EXPECT_THAT(faults, ::testing::IsSupersetOf({HasSubstr("mu[2]"), HasSubstr("q"), HasSubstr("V"), HasSubstr("R")}));
  local = RandomLocal(3, 4, 0, &engine);
  local.contacts.dimension = 4;
  EXPECT_THAT(Check(local), ::testing::Contains(HasSubstr("dimension")));
  MixedProblem mixed{MatX::Zero(2, 2), VecX::Zero(2), {true, false}, {false, false}};
  EXPECT_THAT(Check(mixed), ::testing::ElementsAre(HasSubstr("complementary")));
  mixed.is_free = {true, false};
  EXPECT_TRUE(Check(mixed).empty());
}

TEST(MirrorUpperTriangle, TouchesOnlyUpperTriangles) {
  std::mt19937 engine(6);
  const SparseMat whole = testing::RandomPositive(7, &engine);
  const SparseMat upper = whole.triangularView<Eigen::Upper>();
  const SparseMat lower = whole.triangularView<Eigen::Lower>();
  EXPECT_EQ(SparseMat(MirrorUpperTriangle(upper) - whole).norm(), 0);
  EXPECT_EQ(SparseMat(MirrorUpperTriangle(whole) - whole).norm(), 0);
  EXPECT_EQ(SparseMat(MirrorUpperTriangle(lower) - lower).norm(), 0);
  const SparseMat diagonal = MatX(VecX::Ones(4).asDiagonal()).sparseView();
  EXPECT_EQ(SparseMat(MirrorUpperTriangle(diagonal) - diagonal).norm(), 0);
}

}  // namespace
}  // namespace slipstick::internal
