#include "slipstick/contact/energy_account.h"

#include <gtest/gtest.h>

#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"
#include "tests/contact/motion_of.h"
#include "tests/law/random_problems.h"

namespace slipstick::internal {
namespace {

using testing::RandomNumbers;
using testing::RandomProblem;
using testing::SolveProblem;

// The works of all impulses are the change of ½vᵀMv, whatever the law and however the impulses came about.
TEST(EnergyAccount, WorksAddUpToTheChangeOfKineticEnergy) {
  RandomNumbers random(31);
  for (const auto& [name, method] : testing::EveryLaw()) {
    for (int k = 0; k < 10; ++k) {
      const ContactProblem problem = RandomProblem({}, &random);
      const ContactSolution solution = SolveProblem(method, problem);
      const MatX mass = testing::DenseMass(problem);
      const VecX forces = mass * (problem.free_velocity - problem.velocity) / problem.step;
      const StepWork work = ComputeStepWork(problem, solution, forces);
      const double before = 0.5 * problem.velocity.dot(mass * problem.velocity);
      const double after = 0.5 * solution.velocity.dot(mass * solution.velocity);
      EXPECT_NEAR(work.Sum(), after - before, 1e-13 * (before + after)) << name;
    }
  }
}

TEST(EnergyAccount, SumTakesEveryKindOnce) {
  const StepWork work{
      .applied = 1, .bilateral = 2, .bounded = 4, .drives = 8, .normal = 16, .friction = 32, .rolling = 64};
  EXPECT_EQ(work.Sum(), 127);
}

// Each kind by itself: impulses times J (v + v⁺)/2, from the dense J.
TEST(EnergyAccount, EachKindIsItsImpulsesTimesTheMeanVelocities) {
  RandomNumbers random(32);
  double rolling = 0;
  for (int k = 0; k < 20; ++k) {
    const ContactProblem problem =
        RandomProblem({.bodies = 2, .contacts = 3, .bilateral = 1, .bounded = 2, .moment_share = 0.7}, &random);
    const ContactSolution solution = SolveProblem(testing::MethodOf("coulomb"), problem);
    const VecX applied = random.Vector(static_cast<int>(problem.velocity.size()), 3);
    const StepWork work = ComputeStepWork(problem, solution, applied);
    const VecX mean = 0.5 * (problem.velocity + solution.velocity);
    const VecX rows = testing::DenseJacobian(problem) * mean;
    double normal = 0, friction = 0;
    for (int i = 0; i < 3; ++i) {
      const int first = 3 + 3 * i;
      normal += solution.contact[3 * i] * rows[first];
      friction += solution.contact.segment<2>(3 * i + 1).dot(rows.segment<2>(first + 1));
    }
    EXPECT_NEAR(work.applied, problem.step * applied.dot(mean), 1e-13);
    EXPECT_NEAR(work.bilateral, solution.bilateral[0] * rows[0], 1e-13);
    EXPECT_NEAR(work.bounded, solution.bounded.dot(rows.segment<2>(1)), 1e-13);
    EXPECT_NEAR(work.normal, normal, 1e-13);
    EXPECT_NEAR(work.friction, friction, 1e-13);
    EXPECT_EQ(work.drives, 0);  // of the stepper
    VecX turning(problem.contacts.angular.rows());
    problem.contacts.angular.Multiply(mean, turning);
    EXPECT_NEAR(work.rolling, solution.moment.dot(turning), 1e-13);
    rolling += std::abs(work.rolling);
  }
  EXPECT_GT(rolling, 0);
}

// A sliding point: each kind of work by hand.
TEST(EnergyAccount, WorksOfASlidingPoint) {
  const double mass = 2, mu = 0.4, h = 0.01, g = 9.81, speed = 3;
  const ContactProblem problem = testing::PointOnGround(mass, mu, h, {0, speed, 0}, {-g, 0, 0});
  const ContactSolution solution = SolveProblem(testing::MethodOf("coulomb"), problem);
  const StepWork work = ComputeStepWork(problem, solution, VecX::Zero(3));
  const double after = speed - mu * g * h;
  EXPECT_NEAR(work.friction, 0.5 * mass * (after * after - speed * speed), 1e-12);
  EXPECT_NEAR(work.normal, 0, 1e-14);
  EXPECT_EQ(work.applied, 0);
  EXPECT_EQ(work.bilateral, 0);
  EXPECT_EQ(work.bounded, 0);
}

// An impact loses its energy along the normal: −½ m v² of the approach.
TEST(EnergyAccount, ImpactLosesItsEnergyAlongTheNormal) {
  const ContactProblem problem = testing::PointOnGround(2, 0, 0.01, {-3, 1, 0}, Vec3::Zero());
  const StepWork work = ComputeStepWork(problem, SolveProblem(testing::MethodOf("coulomb"), problem), VecX::Zero(3));
  EXPECT_NEAR(work.normal, -0.5 * 2 * 9, 1e-12);
  EXPECT_NEAR(work.friction, 0, 1e-14);
}

TEST(EnergyAccount, RemainderIsWhatTheWorksDoNotExplain) {
  EnergyAccount account;
  account.Start(3, 4, 0);
  EXPECT_EQ(account.Total(), 7);
  account.Add({.applied = 1, .bilateral = 0.5, .bounded = -0.25, .normal = -0.5, .friction = -2}, 2, 3);
  EXPECT_EQ(account.work.Sum(), -1.25);
  EXPECT_EQ(account.remainder, 5 - 7 + 1.25);
  account.Add({.friction = -1}, 1, 3);
  EXPECT_EQ(account.work.friction, -3);
  EXPECT_EQ(account.remainder, 4 - 7 + 2.25);
}

double RemainderOfWheel(const char* scene, const std::string& step) {
  Simulation simulation =
      Simulation(ReadScene(FindScene(scene), {{"law", "coulomb"}, {"stepper.step", step}, {"stepper.duration", "1"}}));
  const int steps = static_cast<int>(std::lround(1 / simulation.step()));
  for (int k = 0; k < steps; ++k) simulation.Step();
  // friction takes several joules meanwhile
  EXPECT_LT(simulation.energy().work.friction, -4);
  return simulation.energy().remainder;
}

// What the integrator gains or loses vanishes with the step, to first order where it is semi-implicit; a body that
// floats alone has none.
TEST(EnergyAccount, RemainderVanishesWithTheStep) {
  EXPECT_LT(std::abs(RemainderOfWheel("wheel-free", "2e-3")), 1e-10);
  {
    const char* scene = "wheel";
    const double coarse = RemainderOfWheel(scene, "2e-3"), middle = RemainderOfWheel(scene, "1e-3"),
                 fine = RemainderOfWheel(scene, "5e-4");
    EXPECT_GT(coarse / middle, 1.7);
    EXPECT_LT(coarse / middle, 2.3);
    EXPECT_GT(middle / fine, 1.7);
    EXPECT_LT(middle / fine, 2.3);
    EXPECT_LT(std::abs(fine), 0.02);
  }
}

}  // namespace
}  // namespace slipstick::internal
