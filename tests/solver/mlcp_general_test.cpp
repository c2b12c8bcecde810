#include "slipstick/solver/mlcp/mlcp_general.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <variant>

#include "slipstick/problem/siconos_text.h"
#include "tests/solver/mlcp_examples.h"

namespace slipstick::internal {
namespace {

// rows: equations first; columns: free ones first
GeneralMlcpAnswer Solve(const MatX& M, const VecX& q, int equations, int free) {
  std::vector<bool> is_equation(M.rows(), false), is_free(M.cols(), false);
  std::fill(is_equation.begin(), is_equation.begin() + equations, true);
  std::fill(is_free.begin(), is_free.begin() + free, true);
  return SolveGeneralMlcp(M, q, is_equation, is_free, {});
}

TEST(GeneralMlcp, SolvesMoreEquationsThanFreeVariables) {
  // x − y = 0 twice and w = x + y − 1: x = y = 1/2
  MatX M(3, 2);
  M << 1, -1, -2, 2, 1, 1;
  const GeneralMlcpAnswer answer = Solve(M, Vec3(0, 0, -1), 2, 1);
  EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
  EXPECT_NEAR(answer.z[0], 0.5, 1e-10);
  EXPECT_NEAR(answer.z[1], 0.5, 1e-10);
  EXPECT_LE(answer.report.residual, 1e-10);
}

TEST(GeneralMlcp, SolvesFewerEquationsThanFreeVariables) {
  // x₁ + x₂ = 2 and w = y + x₁ − x₂ + 1: many solutions
  MatX M(2, 3);
  M << 1, 1, 0, 1, -1, 1;
  const GeneralMlcpAnswer answer = Solve(M, Vec2(-2, -5), 1, 2);
  EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
  EXPECT_NEAR(answer.z[0] + answer.z[1], 2, 1e-9);
  EXPECT_LE(answer.report.residual, 1e-10);
}

TEST(GeneralMlcp, ShowsThatEquationsContradictEachOther) {
  MatX M(3, 2);
  M << 1, -1, 1, -1, 1, 1;
  EXPECT_EQ(Solve(M, Vec3(0, 1, -1), 2, 1).report.status, SolveStatus::kNoSolution);
}

TEST(GeneralMlcp, SolvesRandomProblemsThatHaveASolution) {
  Draw draw(91);
  for (int trial = 0; trial < 60; ++trial) {
    const int m = draw.Integer(1, 6), free = draw.Integer(0, 4), equations = free + draw.Integer(-std::min(free, 2), 2);
    MatX M = draw.Matrix(equations + m, free + m);
    M.bottomRightCorner(m, m) = draw.Monotone(m);
    // monotone after the free variables are gone: they enter as they are bound
    M.bottomLeftCorner(m, free).setZero();
    const int common = std::min(equations, free);
    M.bottomLeftCorner(m, common) = -M.block(0, free, common, m).transpose();
    M.topLeftCorner(equations, free).setZero();
    VecX z(free + m), w = VecX::Zero(equations + m);
    z.head(free) = draw.Vector(free);
    for (int i = 0; i < m; ++i) {
      const bool at_bound = draw.Integer(0, 1) == 0;
      z[free + i] = at_bound ? 0 : draw.Uniform(0, 1);
      w[equations + i] = at_bound ? draw.Uniform(0, 1) : 0;
    }
    const VecX q = w - M * z;
    const GeneralMlcpAnswer answer = Solve(M, q, equations, free);
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved) << trial;
    EXPECT_LE(answer.report.residual, 1e-8) << trial;
    EXPECT_LT((answer.w - (M * answer.z + q)).norm(), 1e-14);
  }
}

TEST(GeneralMlcp, KeepsTheOrderOfRowsAndColumnsThatAreMixed) {
  // columns: y, x; rows: complementary, equation.  w = 2y + x − 1, 0 = x − 0.5
  MatX M(2, 2);
  M << 2, 1, 0, 1;
  const GeneralMlcpAnswer answer = SolveGeneralMlcp(M, Vec2(-1, -0.5), {false, true}, {false, true}, {});
  EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
  EXPECT_NEAR(answer.z[0], 0.25, 1e-12);
  EXPECT_NEAR(answer.z[1], 0.5, 1e-12);
}

// Problems that others made: all but one have a solution, and that one can be shown to have none, since
// w₁ = −z₂ − z₃ − 10⁻⁴.
TEST(GeneralMlcp, SolvesTheProblemsOfOthers) {
  const std::filesystem::path folder =
      std::filesystem::path(SLIPSTICK_SOURCE_DIR).parent_path() / "shared" / "problems";
  int found = 0;
  for (const char* kind : {"lcp", "mlcp"}) {
    if (!std::filesystem::exists(folder / kind))
      GTEST_SKIP() << "the problems of others are not part of this repository, and ../shared/problems is not there";
    for (const auto& file : std::filesystem::directory_iterator(folder / kind)) {
      if (file.path().extension() != ".dat") continue;
      const auto problem = std::get<MixedProblem>(ReadSiconosText(file.path()));
      const GeneralMlcpAnswer answer = SolveGeneralMlcp(problem.M, problem.q, problem.is_equation, problem.is_free, {});
      ++found;
      if (file.path().filename() == "lcp_Pang_isolated_sol_perturbed.dat") {
        EXPECT_EQ(answer.report.status, SolveStatus::kNoSolution);
        continue;
      }
      EXPECT_EQ(answer.report.status, SolveStatus::kSolved) << file.path();
      EXPECT_LE(GeneralMlcpError(problem.M, problem.q, problem.is_equation, problem.is_free, answer.z), 1e-8)
          << file.path();
    }
  }
  EXPECT_GE(found, 29);
}

}  // namespace
}  // namespace slipstick::internal
