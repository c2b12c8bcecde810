#include "slipstick/law/max_dissipation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "slipstick/law/contact_space.h"
#include "slipstick/law/delassus_form.h"
#include "tests/law/random_problems.h"

// The properties of Drumwright & Shell 2010, §3, and what the law is in closed form, docs/theory.md §5.8.

namespace slipstick::internal {
namespace {

using testing::MethodOf;
using testing::PointOnGround;
using testing::RandomNumbers;
using testing::RandomProblem;

constexpr double kTolerance = 1e-9;  // of the velocity scale

double KineticEnergy(const ContactProblem& problem, const VecX& v) {
  VecX momentum(v.size());
  problem.mass.Multiply(v, momentum);
  return 0.5 * v.dot(momentum);
}

// A collision: no forces, no drives, targets zero.
ContactProblem RandomCollision(RandomNumbers* random) {
  testing::RandomProblemOptions options;
  options.bodies = 1 + random->Below(3);
  options.contacts = 1 + random->Below(7);
  options.bilateral = random->Below(3);
  options.bounded = random->Below(3);
  options.friction_most = 1.2;
  ContactProblem problem = RandomProblem(options, random);
  problem.free_velocity = problem.velocity;
  for (double& target : problem.contacts.normal_target) target = 0;
  // a motion that the bilateral rows allow
  if (options.bilateral > 0) {
    const MatX rows = testing::DenseJacobian(problem).topRows(options.bilateral);
    const MatX spread = testing::DenseMass(problem).llt().solve(rows.transpose());
    problem.velocity -= spread * (rows * spread).ldlt().solve(rows * problem.velocity);
    problem.bilateral.target.setZero();
    problem.free_velocity = problem.velocity;
  }
  testing::CompleteProblem(&problem);
  return problem;
}

TEST(MaxDissipationTest, PropertiesOfThePaperOnRandomCollisions) {
  Method method = MethodOf("max-dissipation");
  RandomNumbers random(21);
  int rubbed = 0;
  for (int k = 0; k < 400; ++k) {
    SCOPED_TRACE(k);
    const ContactProblem problem = RandomCollision(&random);
    const LawAnswer answer = method.law->Solve(problem, method.solver);
    const ContactSolution& solution = answer.solution;
    const double scale = problem.velocity_scale;
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
    EXPECT_LE(method.law->Residual(problem, solution), kTolerance * scale);
    // 1: energy does not grow
    const double before = KineticEnergy(problem, problem.velocity), after = KineticEnergy(problem, solution.velocity);
    EXPECT_LE(after, before * (1 + 1e-12));
    const VecX u = ContactVelocities(problem, solution.velocity);
    const auto& proof = dynamic_cast<const DissipationEvidence&>(*solution.evidence);
    for (int i = 0; i < problem.contacts.size(); ++i) {
      EXPECT_GE(u[3 * i], -kTolerance * scale);  // 2: no interpenetration
      EXPECT_GE(solution.Normal(i), 0);          // 3: compressive
      // 4: within the cone
      EXPECT_LE(solution.Tangential(i).norm(),
                problem.contacts.surface(i).friction_static * solution.Normal(i) + 1e-12);
      if (solution.Tangential(i).norm() > 1e-6) ++rubbed;
    }
    // and that has no more to stand on than without friction
    for (const ContactIsland& island : FindIslands(problem)) {
      double sum = 0, limit = 0;
      for (const int i : island.contacts) {
        sum += solution.Normal(i);
        limit += proof.step.first_normal[i];
      }
      EXPECT_LE(sum, limit * (1 + 1e-9) + 1e-12);
    }
    // 5: no less than without friction; against sampled alternatives in tests/solver/dissipation_test.cpp
    ContactSolution first;
    first.contact = VecX::Zero(3 * problem.contacts.size());
    for (int i = 0; i < problem.contacts.size(); ++i) first.contact[3 * i] = proof.step.first_normal[i];
    first.bounded = proof.step.first_bounded;
    first.bilateral = proof.step.first_bilateral;
    ComputeVelocity(problem, &first);
    EXPECT_LE(after, KineticEnergy(problem, first.velocity) + 1e-12 * before);
  }
  EXPECT_GT(rubbed, 200);
}

// Targets, drives and forces that press: every law's test (law_answers_test.cpp) has them too; here with all settings.
TEST(MaxDissipationTest, TestImpulsesGiveTheSameMatrixAndTheSameMotion) {
  const Method formula = MethodOf("max-dissipation", {{"representation", std::string("formula")}}),
               tested = MethodOf("max-dissipation", {{"representation", std::string("test-impulses")}});
  RandomNumbers random(22);
  for (int k = 0; k < 60; ++k) {
    SCOPED_TRACE(k);
    const ContactProblem problem = RandomProblem({.contacts = 1 + random.Below(6)}, &random);
    const VecX one = testing::SolveProblem(formula, problem).velocity,
               other = testing::SolveProblem(tested, problem).velocity;
    EXPECT_LE((one - other).norm(), 1e-9 * problem.velocity_scale);
  }
}

// QP 2 against QP 1: generalized coordinates give the same motion, with joints, bounded rows and redundant contacts.
TEST(MaxDissipationTest, GeneralizedCoordinatesGiveTheSameMotion) {
  const Method formula = MethodOf("max-dissipation", {{"representation", std::string("formula")}}),
               generalized = MethodOf("max-dissipation", {{"representation", std::string("generalized")}});
  RandomNumbers random(25);
  for (int k = 0; k < 120; ++k) {
    SCOPED_TRACE(k);
    testing::RandomProblemOptions options;
    options.bodies = 1 + random.Below(3);
    options.contacts = 1 + random.Below(12);
    options.bilateral = random.Below(3);
    options.bounded = random.Below(3);
    const ContactProblem problem = RandomProblem(options, &random);
    const ContactSolution one = testing::SolveProblem(formula, problem),
                          other = testing::SolveProblem(generalized, problem);
    EXPECT_LE((one.velocity - other.velocity).norm(), 1e-6 * problem.velocity_scale);
    EXPECT_LE(generalized.law->Residual(problem, other), 1e-7 * problem.velocity_scale);
  }
}

// Eqs 4 and 5 of the paper against M, N, S, T, J as dense matrices; b of what holds the joints.
TEST(MaxDissipationTest, ContactSpaceIsWhatGeneralizedCoordinatesGive) {
  RandomNumbers random(23);
  for (int k = 0; k < 40; ++k) {
    SCOPED_TRACE(k);
    ContactProblem problem = RandomProblem({.bodies = 2, .contacts = 4, .bilateral = 2, .bounded = 1}, &random);
    if (k % 4 == 0) {
      // a redundant row
      BlockRows& rows = problem.bilateral.jacobian;
      rows.piece_a(1) = 2 * rows.piece_a(0).eval();
      rows.piece_b(1) = 2 * rows.piece_b(0).eval();
      problem.bilateral.target[1] = 2 * problem.bilateral.target[0];
    }
    const MatX all = testing::DenseJacobian(problem), inverse = testing::DenseMass(problem).inverse();
    const MatX joints = all.topRows(k % 4 == 0 ? 1 : 2);
    const MatX held = joints * inverse * joints.transpose();
    const MatX C = inverse - inverse * joints.transpose() * held.inverse() * joints * inverse;
    for (const ContactIsland& island : FindIslands(problem)) {
      const ContactSpace space = BuildContactSpace(problem, island);
      std::vector<int> rows;
      for (const int i : island.contacts) {
        for (int r = 0; r < 3; ++r) rows.push_back(3 + 3 * i + r);
      }
      for (const int i : island.bounded) rows.push_back(2 + i);
      const MatX J = all(rows, Eigen::all);
      const MatX expected = J * C * J.transpose();
      EXPECT_LE((space.A - expected).norm(), 1e-10 * expected.norm());
      const SparseMat G = BuildGeneralizedSpace(problem, island).gram.factor();
      EXPECT_LE((MatX(G * G.transpose()) - expected).norm(), 1e-10 * expected.norm());
      const VecX v_held = problem.free_velocity - inverse * joints.transpose() *
                                                      held.ldlt().solve(joints * problem.free_velocity -
                                                                        problem.bilateral.target.head(joints.rows()));
      EXPECT_LE((space.RowVelocities(problem, island, problem.free_velocity) - J * v_held).norm(), 1e-10);
    }
  }
}

TEST(MaxDissipationTest, PointOnGroundInClosedForm) {
  const double h = 0.01, g = 10, m = 2, mu = 0.5;
  Method method = MethodOf("max-dissipation");
  const auto solve = [&](const Vec3& v, const Vec3& a, const Method& by) {
    return testing::SolveProblem(by, PointOnGround(m, mu, h, v, a));
  };
  // slides: −μgh along its way, and does not lift
  ContactSolution s = solve({0, 3, 4}, {-g, 0, 0}, method);
  EXPECT_LE((s.velocity - Vec3(0, 3 - 0.6 * mu * g * h, 4 - 0.8 * mu * g * h)).norm(), 1e-12);
  // held up to μg
  s = solve({0, 0, 0}, {-g, 0.99 * mu * g, 0}, method);
  EXPECT_LE(s.velocity.norm(), 1e-12);
  s = solve({0, 0, 0}, {-g, 1.01 * mu * g, 0}, method);
  EXPECT_NEAR(s.velocity[1], 0.01 * mu * g * h, 1e-12);
  // viscous friction adds h μ_v |v|
  const Method viscous = MethodOf("max-dissipation", {{"viscous_friction", 7.0}});
  s = solve({0, 3, 4}, {-g, 0, 0}, viscous);
  EXPECT_NEAR(s.Tangential(0).norm(), mu * m * g * h + h * 7 * 5, 1e-12);
  // and never turns round
  const Method thick = MethodOf("max-dissipation", {{"viscous_friction", 1e6}});
  s = solve({0, 3, 4}, {-g, 0, 0}, thick);
  EXPECT_LE(s.velocity.norm(), 1e-12);
}

// A ball of speed w leaves with εw, also where it rubs; energy is never gained whatever the coefficients.
TEST(MaxDissipationTest, PoissonsRestitutionOfOneContact) {
  Method method = MethodOf("max-dissipation");
  const double h = 0.01, w = 2, slide = 3, mu = 0.4, m = 2;
  for (const double restitution : {0.0, 0.5, 1.0}) {
    SCOPED_TRACE(restitution);
    ContactProblem problem = PointOnGround(m, mu, h, {-w, slide, 0}, {-10, 0, 0});
    problem.contacts.OwnSurface(0).restitution = restitution;
    if (restitution > 0) {
      problem.contacts.restitution_target[0] = problem.contacts.normal_target[0] = restitution * w;
    }
    const ContactSolution s = testing::SolveProblem(method, problem);
    EXPECT_NEAR(s.velocity[0], restitution * w, 1e-12);
    EXPECT_NEAR(s.velocity[1], slide - mu * ((1 + restitution) * w + 10 * h), 1e-12);
    EXPECT_LE(method.law->Residual(problem, s), kTolerance * problem.velocity_scale);
    // a proof that is not that of the answer is none
    ContactSolution wrong = s;
    wrong.contact[0] += 1e-3;
    ComputeVelocity(problem, &wrong);
    EXPECT_GT(method.law->Residual(problem, wrong), 1e-6);
  }
}

TEST(MaxDissipationTest, PoissonsRestitutionNeverGainsEnergy) {
  Method method = MethodOf("max-dissipation");
  RandomNumbers random(24);
  int bounced = 0, newton_gains = 0;
  const Method newton = MethodOf("max-dissipation", {{"restitution", std::string("newton")}});
  for (int k = 0; k < 300; ++k) {
    SCOPED_TRACE(k);
    ContactProblem problem = RandomCollision(&random);
    const VecX before = ContactVelocities(problem, problem.velocity);
    for (int i = 0; i < problem.contacts.size(); ++i) {
      problem.contacts.OwnSurface(i).restitution = random.Chance(0.3) ? 1.0 : random.Between(0, 1);
      if (before[3 * i] >= 0) continue;
      const double target = -problem.contacts.surface(i).restitution * before[3 * i];
      problem.contacts.restitution_target[i] = problem.contacts.normal_target[i] = target;
    }
    const ContactSolution solution = testing::SolveProblem(method, problem);
    EXPECT_LE(method.law->Residual(problem, solution), 1e-8 * problem.velocity_scale);
    const double energy = KineticEnergy(problem, problem.velocity);
    EXPECT_LE(KineticEnergy(problem, solution.velocity), energy * (1 + 1e-9));
    const VecX after = ContactVelocities(problem, solution.velocity);
    for (int i = 0; i < problem.contacts.size(); ++i) {
      EXPECT_GE(after[3 * i], -1e-8 * problem.velocity_scale);
      EXPECT_GE(solution.Normal(i), 0);
      EXPECT_LE(solution.Tangential(i).norm(), problem.contacts.surface(i).friction_static * solution.Normal(i) + 1e-9);
      if (after[3 * i] > 1e-3) ++bounced;
    }
    if (KineticEnergy(problem, testing::SolveProblem(newton, problem).velocity) > energy * (1 + 1e-9)) ++newton_gains;
  }
  EXPECT_GT(bounced, 300);
  EXPECT_GT(newton_gains, 0);  // which is why Poisson's is the default
}

// Two that touch nothing in common do not know of each other, and one κ for both would let them.
TEST(MaxDissipationTest, IslandsAreApart) {
  RandomNumbers random(25);
  ContactProblem problem = RandomProblem({.bodies = 4, .contacts = 9, .bilateral = 1, .bounded = 3}, &random);
  const std::vector<ContactIsland> islands = FindIslands(problem);
  std::size_t contacts = 0, bounded = 0, bilateral = 0;
  for (const ContactIsland& island : islands) {
    contacts += island.contacts.size();
    bounded += island.bounded.size();
    bilateral += island.bilateral.size();
  }
  EXPECT_EQ(contacts, 9u);
  EXPECT_EQ(bounded, 3u);
  EXPECT_EQ(bilateral, 1u);

  const auto point = [](double slide) { return PointOnGround(1, 0.5, 0.01, {0, slide, 0}, {-10, 0, 0}); };
  ContactProblem two = point(1);
  BlockLayout layout;
  layout.Append(3);
  layout.Append(3);
  two.mass.Reset(layout);
  two.mass.block(0).setIdentity();
  two.mass.block(1).setIdentity();
  two.mass.Factorize();
  two.velocity = VecX::Zero(6);
  two.velocity << 0, 1, 0, 0, 0, 0;
  two.free_velocity = two.velocity;
  two.free_velocity[0] = two.free_velocity[3] = -0.1;
  two.bilateral.jacobian.Reset(layout);
  two.bounded.jacobian.Reset(layout);
  two.contacts.Reset(layout);
  for (int b = 0; b < 2; ++b) {
    testing::AppendGroundContact(0.5, 1, b, -1, &two);
    two.contacts.jacobian.piece_a(b).setIdentity();
  }
  testing::CompleteProblem(&two);
  EXPECT_EQ(FindIslands(two).size(), 2u);
  const ContactSolution s = testing::SolveProblem(MethodOf("max-dissipation"), two);
  EXPECT_LE((s.velocity.head<3>() - testing::SolveProblem(MethodOf("coulomb"), point(1)).velocity).norm(), 1e-12);
  EXPECT_LE(s.velocity.tail<3>().norm(), 1e-12);
}

// A contact that is passed at a distance does not rub, fast as the passing may be.
TEST(MaxDissipationTest, NoFrictionAtADistance) {
  ContactProblem problem = PointOnGround(1, 0.5, 0.01, {0, 6, 0}, {-10, 0, 0});
  problem.contacts.gap[0] = 0.005;
  problem.contacts.normal_target[0] = -0.5;
  const ContactSolution s = testing::SolveProblem(MethodOf("max-dissipation"), problem);
  EXPECT_EQ(s.contact.norm(), 0);
}

// Where phase II fails, phase I's answer stands, the report says so, and the law's residual does not hide it.
TEST(MaxDissipationTest, PhaseOneStandsWherePhaseTwoFails) {
  Method method = MethodOf("max-dissipation");
  method.solver.dissipation = [](const DissipationProgram& program, const VecX*) {
    DissipationAnswer answer;
    answer.x = VecX::Constant(program.size(), 1e6);
    answer.multipliers.push = VecX::Zero(static_cast<Eigen::Index>(program.contacts.size()));
    answer.report = {SolveStatus::kIterationLimit, 1, 1, "none"};
    return answer;
  };
  const ContactProblem problem = PointOnGround(2, 0.5, 0.01, {0, 3, 0}, {-10, 0, 0});
  const LawAnswer answer = method.law->Solve(problem, method.solver);
  EXPECT_EQ(answer.report.status, SolveStatus::kIterationLimit);
  EXPECT_LE((answer.solution.velocity - Vec3(0, 3, 0)).norm(), 1e-12);
  EXPECT_GT(method.law->Residual(problem, answer.solution), 1e-3);
}

}  // namespace
}  // namespace slipstick::internal
