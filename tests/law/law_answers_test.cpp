#include <gtest/gtest.h>

#include "slipstick/contact/certificate.h"
#include "tests/contact/motion_of.h"
#include "tests/law/random_problems.h"

// What every law must do on random problems with bilateral, bounded and contact rows at once: answer, be judged right
// by its own residual, and be judged wrong after any change of the answer.

namespace slipstick::internal {
namespace {

using testing::NamedMethod;
using testing::RandomNumbers;
using testing::RandomProblem;
using testing::SolveProblem;

constexpr int kProblems = 60;
constexpr double kResidual = 1e-9;  // of the velocity scale

std::vector<NamedMethod> Laws() {
  std::vector<NamedMethod> laws = testing::EveryLaw();
  laws.push_back({"max-dissipation", testing::MethodOf("max-dissipation")});
  return laws;
}

class EveryLawTest : public ::testing::TestWithParam<int> {
 protected:
  EveryLawTest() : methods_(Laws()) {}
  const Method& method() const { return methods_[GetParam()].method; }
  const std::string& name() const { return methods_[GetParam()].name; }

 private:
  std::vector<NamedMethod> methods_;
};

double RelativeMomentum(const ContactProblem& problem, const ContactSolution& solution) {
  return Certify(problem, solution, MotionOf(problem, solution), 0, {}).momentum_residual;
}

TEST_P(EveryLawTest, AnswersMeetTheLaw) {
  RandomNumbers random(11);
  for (int k = 0; k < kProblems; ++k) {
    SCOPED_TRACE(name() + ", problem " + std::to_string(k));
    const ContactProblem problem = RandomProblem({}, &random);
    const ContactSolution solution = SolveProblem(method(), problem);
    ASSERT_TRUE(solution.velocity.allFinite());
    EXPECT_LE(method().law->Residual(problem, solution), kResidual * problem.velocity_scale);
    EXPECT_LE(RelativeMomentum(problem, solution), 1e-12);
    EXPECT_TRUE(
        Certify(problem, solution, MotionOf(problem, solution), method().law->Residual(problem, solution), {}).passed);
    for (int i = 0; i < problem.contacts.size(); ++i) EXPECT_GE(solution.Normal(i), 0.0);
    // joint friction within its limits, constraints met
    for (int i = 0; i < solution.bounded.size(); ++i)
      EXPECT_LE(std::abs(solution.bounded[i]), problem.bounded.upper[i]);
    VecX rows(2);
    problem.bilateral.jacobian.Multiply(solution.velocity, rows);
    EXPECT_LE((rows - problem.bilateral.target).norm(), kResidual * problem.velocity_scale);
  }
}

// The impulses alone are changed and the velocity follows, so that only the law can notice.
TEST_P(EveryLawTest, ChangedImpulsesRaiseTheResidual) {
  RandomNumbers random(12);
  int noticed = 0, loaded = 0;
  for (int k = 0; k < kProblems; ++k) {
    SCOPED_TRACE(name() + ", problem " + std::to_string(k));
    const ContactProblem problem = RandomProblem({}, &random);
    const ContactSolution right = SolveProblem(method(), problem);
    const double largest = right.contact.lpNorm<Eigen::Infinity>();
    if (!(largest > 1e-6)) continue;
    ++loaded;
    ContactSolution wrong = right;
    wrong.contact += random.Vector(static_cast<int>(wrong.contact.size()), 1e-3 * largest);
    ComputeVelocity(problem, &wrong);
    const double residual = method().law->Residual(problem, wrong);
    EXPECT_GT(residual, method().law->Residual(problem, right));
    if (residual > 1e-6 * problem.velocity_scale) ++noticed;

    wrong = right;
    wrong.bilateral *= 1.001;
    ComputeVelocity(problem, &wrong);
    EXPECT_GT(method().law->Residual(problem, wrong), 1e-6 * problem.velocity_scale);

    // a velocity that does not follow from the impulses breaks the balance of momentum
    wrong = right;
    wrong.velocity += random.Vector(static_cast<int>(wrong.velocity.size()), 1e-6);
    EXPECT_GT(RelativeMomentum(problem, wrong), 1e-9);
  }
  EXPECT_GT(loaded, kProblems / 2);
  EXPECT_EQ(noticed, loaded);
}

// Nothing may depend on what the solver is warm started with: other solvers of the same kind give the same velocity.
TEST_P(EveryLawTest, VelocityDoesNotDependOnTheSolver) {
  const bool is_cone_program = name() == "coulomb" || name() == "cone" || name().starts_with("liang");
  const bool is_dissipation = name() == "max-dissipation";
  // interior points alone, without Newton's method after them, have fewer digits
  const double unsettled = is_dissipation ? 3e-6 : 1e-7;
  Method second = method();
  second.solver = is_dissipation    ? testing::MethodOf("max-dissipation", {}, "interior-point").solver
                  : is_cone_program ? testing::MethodOf("coulomb", {}, "semismooth-newton").solver
                                    : testing::MethodOf("box", {}, "lemke").solver;
  RandomNumbers random(13);
  for (int k = 0; k < 20; ++k) {
    SCOPED_TRACE(name() + ", problem " + std::to_string(k));
    // friction small enough for one answer alone
    const ContactProblem problem = RandomProblem({.friction_most = 0.2}, &random);
    const VecX one = SolveProblem(method(), problem).velocity, other = SolveProblem(second, problem).velocity;
    EXPECT_LE((one - other).norm(), unsettled * problem.velocity_scale);
  }
}

// μ = 0: all laws are the same frictionless problem, solved here by trying all sets of closed contacts.
VecX FrictionlessVelocity(const ContactProblem& problem) {
  const MatX jacobian = testing::DenseJacobian(problem);
  const MatX mass = testing::DenseMass(problem);
  const int bilateral = static_cast<int>(problem.bilateral.target.size()), contacts = problem.contacts.size();
  for (int set = 0; set < (1 << contacts); ++set) {
    std::vector<int> active;
    std::vector<double> targets;
    for (int i = 0; i < bilateral; ++i) {
      active.push_back(i);
      targets.push_back(problem.bilateral.target[i]);
    }
    for (int i = 0; i < contacts; ++i) {
      if ((set & (1 << i)) == 0) continue;
      active.push_back(bilateral + 3 * i);
      targets.push_back(problem.contacts.normal_target[i]);
    }
    MatX rows(active.size(), jacobian.cols());
    VecX missing(active.size());
    for (std::size_t k = 0; k < active.size(); ++k) {
      rows.row(k) = jacobian.row(active[k]);
      missing[k] = targets[k] - rows.row(k).dot(problem.free_velocity);
    }
    const MatX spread = mass.llt().solve(rows.transpose());
    const VecX impulses = (rows * spread).llt().solve(missing);
    const VecX velocity = problem.free_velocity + spread * impulses;
    bool right = true;
    for (int k = bilateral; k < impulses.size(); ++k) right = right && impulses[k] >= 0;
    for (int i = 0; i < contacts; ++i) {
      right = right && jacobian.row(bilateral + 3 * i).dot(velocity) >= problem.contacts.normal_target[i] - 1e-9;
    }
    if (right) return velocity;
  }
  ADD_FAILURE() << "no set of contacts fits";
  return problem.free_velocity;
}

TEST_P(EveryLawTest, WithoutFrictionAllLawsAgreeWithEnumeration) {
  RandomNumbers random(14);
  for (int k = 0; k < kProblems; ++k) {
    SCOPED_TRACE(name() + ", problem " + std::to_string(k));
    const ContactProblem problem = RandomProblem({.bounded = 0, .friction_most = 0}, &random);
    const ContactSolution solution = SolveProblem(method(), problem);
    EXPECT_LE((solution.velocity - FrictionlessVelocity(problem)).norm(), 1e-9 * problem.velocity_scale);
    for (int i = 0; i < problem.contacts.size(); ++i) EXPECT_LE(solution.Tangential(i).norm(), 1e-25);
  }
}

// Contacts that carried nothing, and contacts never seen before: friction starts from zero limits, and nothing is NaN.
TEST_P(EveryLawTest, ContactsWithoutLoadInTheLastStep) {
  RandomNumbers random(15);
  for (int k = 0; k < kProblems; ++k) {
    SCOPED_TRACE(name() + ", problem " + std::to_string(k));
    ContactProblem problem = RandomProblem({}, &random);
    for (ContactHistory& history : problem.contacts.history) {
      const bool known = random.Chance(0.5);
      history = {};
      history.known = known;
    }
    const ContactSolution solution = SolveProblem(method(), problem);
    ASSERT_TRUE(solution.velocity.allFinite() && solution.contact.allFinite());
    EXPECT_LE(method().law->Residual(problem, solution), kResidual * problem.velocity_scale);
  }
}

TEST_P(EveryLawTest, NothingTouches) {
  RandomNumbers random(16);
  const ContactProblem problem = RandomProblem({.contacts = 0, .bilateral = 0, .bounded = 0}, &random);
  const ContactSolution solution = SolveProblem(method(), problem);
  EXPECT_EQ((solution.velocity - problem.free_velocity).norm(), 0.0);
  EXPECT_EQ(method().law->Residual(problem, solution), 0.0);
}

INSTANTIATE_TEST_SUITE_P(Laws, EveryLawTest, ::testing::Range(0, static_cast<int>(Laws().size())));

}  // namespace
}  // namespace slipstick::internal
