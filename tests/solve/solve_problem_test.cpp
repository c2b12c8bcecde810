#include "slipstick/solve/solve_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"
#include "tests/solve/contact_examples.h"

namespace slipstick::internal {
namespace {

using examples::BodyOnFloor, examples::Box, examples::Chain, examples::MakeGlobal;
using testing::Contains, testing::Field, testing::HasSubstr;

std::vector<std::string> Names(const LoadedProblem& problem) {
  std::vector<std::string> names;
  for (const SolverChoice& choice : SolversFor(Prepare(problem))) {
    if (choice.refusal.empty()) names.push_back(choice.name);
  }
  return names;
}

TEST(SolveProblem, BoxAtRestByEverySolver) {
  const BodyOnFloor box = Box();
  const GlobalProblem problem = MakeGlobal(box);
  const std::vector<std::string> names = Names(problem);
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(names.front(), "auto");
  for (const std::string& name : names) {
    const ProblemSolution solution = Solve(problem, {.solver = name, .tolerance = 1e-6, .time_limit = 10});
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << name;
    EXPECT_LE(solution.residual, 1e-6) << name;
    EXPECT_EQ(ResidualOf(problem, solution.r, solution.lambda, &solution.v).relative, solution.residual) << name;
    // nothing moves, and the floor carries the weight
    EXPECT_LT(solution.v.norm(), 1e-4) << name;
    double carried = 0;
    for (int c = 0; c < 4; ++c) carried += solution.r[3 * c];
    EXPECT_NEAR(carried, -box.push.z(), 1e-4) << name;
    ASSERT_FALSE(solution.tried.empty()) << name;
    EXPECT_FALSE(solution.solver.empty()) << name;
  }
}

TEST(SolveProblem, SlidingPointMassClosedForm) {
  // one contact at the centre of mass: Δv_x = (40 − μ·20)/2
  const BodyOnFloor body{.mass = 2, .mu = 0.5, .points = {{0, 0, 0}}, .push = {40, 0, -20}};
  const ProblemSolution solution = Solve(MakeGlobal(body), {.tolerance = 1e-10});
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_LT((solution.r - Vec3(20, -10, 0)).norm(), 1e-7);
  EXPECT_LT((solution.u - Vec3(0, 15, 0)).norm(), 1e-7);
  EXPECT_NEAR(solution.v[0], 15, 1e-7);
  EXPECT_LT(solution.residual_per_contact, 1e-8);
}

TEST(SolveProblem, ConvexRelaxationLiftsASlidingBody) {
  const BodyOnFloor body{.mass = 2, .mu = 0.5, .points = {{0, 0, 0}}, .push = {40, 0, -20}};
  const ProblemSolution solution = Solve(MakeGlobal(body), {.tolerance = 1e-10, .convex = true});
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  // u_N = μ u_T: (r_N − 20)/2 = ½ (40 − ½ r_N)/2  →  r_N = 32
  EXPECT_NEAR(solution.r[0], 32, 1e-6);
  EXPECT_NEAR(solution.u[0], 0.5 * solution.u[1], 1e-6);
}

TEST(SolveProblem, RandomProblemsOfEveryDimension) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (const int dimension : {2, 3, 5, 6}) {
    for (const int bilateral : {0, 3}) {
      const int contacts = 6, rows = dimension * contacts, all = rows + bilateral;
      // as many velocities as a few bodies have, fewer than rows
      const MatX J = MatX::NullaryExpr(all, 18, [&] { return normal(random); });
      const MatX W = J * J.transpose();
      LocalProblem problem;
      problem.contacts.dimension = dimension;
      problem.contacts.sliding = VecX::Constant(contacts, 0.6);
      if (dimension >= 5) problem.contacts.rolling = VecX::Constant(contacts, 0.2);
      if (dimension == 6) problem.contacts.spinning = VecX::Constant(contacts, 0.1);
      problem.W = W.topLeftCorner(rows, rows).sparseView();
      VecX q = J * VecX::NullaryExpr(18, [&] { return normal(random); });
      problem.q = q.head(rows);
      if (bilateral > 0) {
        problem.V = W.topRightCorner(rows, bilateral).sparseView();
        problem.R = W.bottomRightCorner(bilateral, bilateral).sparseView();
        problem.s = q.tail(bilateral);
      }
      for (const bool convex : {false, true}) {
        const ProblemSolution solution = Solve(problem, {.tolerance = 1e-8, .time_limit = 10, .convex = convex});
        EXPECT_EQ(solution.status, SolveStatus::kSolved)
            << dimension << " rows, " << bilateral << " bilateral, convex " << convex << ": " << solution.residual;
      }
    }
  }
}

TEST(SolveProblem, AStepWithJointFriction) {
  const Scene scene = ReadScene(FindScene("joint-friction"), {});
  Simulation simulation = Simulation(scene);
  for (int i = 0; i < 5; ++i) simulation.Step();
  const StepRecord& record = simulation.last_step();
  ASSERT_GT(record.problem.bounded.jacobian.rows(), 0);
  const ProblemSolution solution = Solve(record.problem, {.tolerance = 1e-10});
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_LT((solution.v - record.solution.velocity).norm(), 1e-7 * (1 + record.solution.velocity.norm()));
}

TEST(SolveProblem, AStepWithContactsGivesTheVelocityOfTheRun) {
  const Scene scene = ReadScene(FindScene("box-on-corners"), {{"law.name", "coulomb"}});
  Simulation simulation = Simulation(scene);
  for (int i = 0; i < 5; ++i) simulation.Step();
  const StepRecord& record = simulation.last_step();
  ASSERT_GT(record.problem.contacts.size(), 0);
  const ProblemSolution solution = Solve(record.problem, {.tolerance = 1e-11});
  EXPECT_LT((solution.v - record.solution.velocity).norm(), 1e-6);
}

MixedProblem Lcp(const MatX& M, const VecX& q) {
  MixedProblem problem;
  problem.M = M;
  problem.q = q;
  problem.is_equation.assign(q.size(), false);
  problem.is_free.assign(q.size(), false);
  return problem;
}

TEST(SolveProblem, ComplementarityByEverySolver) {
  MatX M(2, 2);
  M << 2, 1, 1, 2;
  const MixedProblem problem = Lcp(M, Vec2(-5, -6));
  for (const std::string& name : Names(problem)) {
    const ProblemSolution solution = Solve(problem, {.solver = name});
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << name;
    EXPECT_LT((solution.z - Vec2(4.0 / 3, 7.0 / 3)).norm(), 1e-12) << name;
    EXPECT_LT(solution.w.norm(), 1e-12) << name;
    EXPECT_EQ(solution.r.size(), 0);
  }
}

TEST(SolveProblem, MoreEquationsThanFreeVariables) {
  // z₀ free with the equations z₀ = 3 and 2 z₀ = 6; z₁ ≥ 0 ⟂ z₁ − z₀ + 1 ≥ 0
  MixedProblem problem;
  problem.M.resize(3, 2);
  problem.M << 1, 0, 2, 0, -1, 1;
  problem.q = Vec3(-3, -6, 1);
  problem.is_equation = {true, true, false};
  problem.is_free = {true, false};
  const ProblemSolution solution = Solve(problem);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_LT((solution.z - Vec2(3, 2)).norm(), 1e-10);
}

TEST(SolveProblem, WithoutASolutionItSaysSo) {
  // w = −1 whatever z
  const ProblemSolution solution = Solve(Lcp(MatX::Zero(1, 1), VecX::Constant(1, -1)));
  EXPECT_NE(solution.status, SolveStatus::kSolved);
  EXPECT_GT(solution.residual, 1e-3);
  EXPECT_TRUE(solution.z.allFinite());
}

TEST(SolveProblem, AProofThatThereIsNoSolutionOutweighsASmallResidual) {
  // w₂ = −1e-9 whatever z, beside a first row that is large: |min(z, w)| / |q| is below the tolerance
  const ProblemSolution solution = Solve(Lcp(MatX(Vec2(1, 0).asDiagonal()), Vec2(-1, -1e-9)), {.tolerance = 1e-4});
  EXPECT_LT(solution.residual, 1e-4);
  EXPECT_EQ(solution.status, SolveStatus::kNoSolution);
}

TEST(SolveProblem, NothingToDoIsToldAsSuch) {
  GlobalProblem problem = MakeGlobal(Box());
  problem.f.head<3>() = Vec3(0, 0, 5);  // it flies off
  const ProblemSolution solution = Solve(problem);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_EQ(solution.solver, "start");
  ASSERT_EQ(solution.tried.size(), 1U);
  EXPECT_EQ(solution.tried[0].solver, "start");
  EXPECT_EQ(solution.tried[0].iterations, 0);
}

TEST(SolveProblem, RefusesWhatItCannotTake) {
  const GlobalProblem problem = MakeGlobal(Box());
  const auto faults_of = [&](const LoadedProblem& given, const SolveSettings& settings) -> std::vector<Fault> {
    try {
      Solve(given, settings);
    } catch (const InputError& error) {
      return error.faults();
    }
    return {};
  };
  EXPECT_THAT(faults_of(problem, {.solver = "nobody"}), Contains(Field(&Fault::expected, HasSubstr("auto"))));
  EXPECT_THAT(faults_of(problem, {.solver_settings = {{"colour", 1.0}}}),
              Contains(Field(&Fault::key, HasSubstr("colour"))));
  EXPECT_FALSE(faults_of(problem, {.tolerance = 0}).empty());
  EXPECT_FALSE(faults_of(problem, {.time_limit = -1}).empty());
  GlobalProblem broken = problem;
  broken.f[0] = std::numeric_limits<double>::quiet_NaN();
  broken.contacts.sliding[1] = -1;
  EXPECT_EQ(faults_of(broken, {}).size(), 2u);
  GlobalProblem singular = problem;
  singular.M.coeffRef(5, 5) = 0;
  EXPECT_FALSE(faults_of(singular, {}).empty());
  EXPECT_FALSE(faults_of(Lcp(MatX::Zero(1, 1), VecX::Zero(1)), {.solver = "nobody"}).empty());
  LocalProblem rolling;
  rolling.contacts.dimension = 5;
  rolling.contacts.sliding = rolling.contacts.rolling = VecX::Constant(1, 0.5);
  rolling.W = MatX(MatX::Identity(5, 5)).sparseView();
  rolling.q = -VecX::Ones(5);
  EXPECT_EQ(Solve(rolling).status, SolveStatus::kSolved);
  EXPECT_THAT(faults_of(rolling, {.solver = "gauss-seidel-newton"}),
              Contains(Field(&Fault::found, HasSubstr("not for rolling contacts"))));
}

TEST(SolveProblem, ATimeLimitEndsIt) {
  const ProblemSolution solution = Solve(Chain(40), {.tolerance = 1e-15, .time_limit = 1e-6});
  EXPECT_TRUE(solution.r.allFinite());
  EXPECT_TRUE(std::isfinite(solution.residual));
  const ProblemSolution mixed = Solve(Lcp(MatX::Identity(2, 2), Vec2(-1, -2)), {.time_limit = 1e-12});
  EXPECT_EQ(mixed.status, SolveStatus::kTimeLimit);
  EXPECT_TRUE(mixed.z.allFinite());
  EXPECT_FALSE(mixed.tried.empty());
}

// Problems of others, where they are at hand.
TEST(SolveProblem, SmallProblemsOfOthers) {
  const std::filesystem::path folder = std::filesystem::path(SLIPSTICK_SOURCE_DIR) / "../shared/problems";
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << "the problems of others are not part of this repository, and ../shared/problems is not there";
  int count = 0;
  for (const char* name : {"fc3d_local/FrictionContact3D_1c.dat", "fc3d_local/FC3D_Example1.dat",
                           "fc3d_local/Rover1039.dat", "fc3d_global/GFC3D_Example1.dat", "fc3d_global/CubeH8.hdf5",
                           "rolling/RFC3D_sphere_1.dat", "lcp/lcp_mmc.dat", "mlcp/RLCD_mlcp.dat"}) {
    const std::filesystem::path file = folder / name;
    if (!std::filesystem::exists(file)) continue;
    ++count;
    const ProblemSolution solution = Solve(LoadProblem(file), {.tolerance = 1e-8, .time_limit = 5});
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << name << ": " << solution.residual;
  }
  EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace slipstick::internal
