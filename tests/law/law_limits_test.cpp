#include <gtest/gtest.h>

#include <numbers>

#include "tests/law/random_problems.h"

// Limit cases in which a law's answer is known in closed form or must equal another law's. A point mass on the ground
// has W = I/m: the normal impulse is m (−u_N), and friction follows from it alone.

namespace slipstick::internal {
namespace {

using testing::MethodOf;
using testing::PointOnGround;
using testing::RandomNumbers;
using testing::RandomProblem;
using testing::SolveProblem;

const SettingSpec::Value kIterated = std::string("iterated");
constexpr double kMass = 2.0, kMu = 0.4, kStep = 1e-3, kGravity = 9.81;
constexpr double kWeight = kMass * kGravity * kStep;  // p_N of a point that rests or slides

Vec2 At(double angle) { return {std::cos(angle), std::sin(angle)}; }

// Slides at `speed` in the direction `angle`, pressed down by its weight.
ContactProblem Sliding(double angle, double speed = 3.0, double mu = kMu) {
  const Vec2 v = speed * At(angle);
  return PointOnGround(kMass, mu, kStep, {0, v[0], v[1]}, {-kGravity, 0, 0});
}

TEST(LawLimits, IsotropicLawsSlideStraight) {
  for (double angle : {0.0, 0.3, 0.7854, 1.5, 2.6, -2.0}) {
    for (const Method& method : {MethodOf("coulomb"), MethodOf("regularized", {{"bounds", kIterated}}),
                                 MethodOf("regularized"), MethodOf("liang")}) {
      SCOPED_TRACE(method.law_name + " at " + std::to_string(angle));
      const ContactSolution solution = SolveProblem(method, Sliding(angle));
      EXPECT_NEAR(solution.Normal(0), kWeight, 1e-12);
      EXPECT_LE((solution.Tangential(0) + kMu * kWeight * At(angle)).norm(), 1e-12);
    }
  }
}

TEST(LawLimits, EveryLawSlidesStraightAlongAnAxis) {
  for (const auto& [name, method] : testing::EveryLaw()) {
    if (name == "polygonal, 8 sides, turned") continue;  // has no corner on the axes
    if (name == "cone") continue;                        // lifts what slides, and so presses it more
    SCOPED_TRACE(name);
    const ContactSolution solution = SolveProblem(method, Sliding(0));
    EXPECT_LE((solution.Tangential(0) + kMu * kWeight * At(0)).norm(), 1e-12);
  }
}

TEST(LawLimits, EveryLawHoldsWhatIsPushedLittle) {
  // at rest, pushed with 0.6 of the limit in a direction inside of every law's set
  const double push = 0.6 * kMu * kGravity;
  for (const auto& [name, method] : testing::EveryLaw()) {
    if (name.starts_with("bristle") || name.starts_with("liang") || name.starts_with("regularized")) continue;
    SCOPED_TRACE(name);
    const Vec2 d = At(0.5);
    const ContactProblem problem =
        PointOnGround(kMass, kMu, kStep, Vec3::Zero(), {-kGravity, push * d[0], push * d[1]});
    const ContactSolution solution = SolveProblem(method, problem);
    EXPECT_LE(solution.velocity.norm(), 1e-14);
    EXPECT_LE((solution.Tangential(0) + kMass * kStep * push * d).norm(), 1e-14);
  }
}

// The box's force is what its two sides give together: up to √2 of Coulomb's, along the diagonal.
TEST(LawLimits, BoxIsTooStrongOffItsAxes) {
  for (double turn : {0.0, 0.3}) {
    const Method box = MethodOf("box", {{"orientation", turn}});
    for (double angle : {0.2, 0.7854, 1.3}) {
      const Vec2 force = SolveProblem(box, Sliding(turn + angle)).Tangential(0);
      EXPECT_NEAR(force.norm(), std::numbers::sqrt2 * kMu * kWeight, 1e-12);
      EXPECT_LE((force.normalized() + At(turn + std::numbers::pi / 4)).norm(), 1e-12);
    }
  }
  // never weaker than Coulomb
  RandomNumbers random(3);
  for (int k = 0; k < 50; ++k) {
    const ContactProblem problem = Sliding(random.Between(-3, 3), random.Between(0.1, 5));
    EXPECT_GE(SolveProblem(MethodOf("box"), problem).Tangential(0).norm(),
              SolveProblem(MethodOf("coulomb"), problem).Tangential(0).norm() - 1e-12);
  }
}

// A sliding point gets the force of the corner that opposes it best: turned away by π/n at most, so that it dissipates
// at least cos(π/n) of what Coulomb's does; the error of the dissipation falls as 1/n², that of the angle as 1/n.
TEST(LawLimits, PolygonComesNearTheCircle) {
  double last_loss = 1;
  for (int sides : {4, 8, 16, 32, 64}) {
    const Method polygonal = MethodOf("polygonal", {{"sides", static_cast<double>(sides)}});
    double worst_angle = 0, worst_loss = 0;
    for (int k = 0; k < 97; ++k) {
      const double angle = 2 * std::numbers::pi * (k + 0.35) / 97;
      const Vec2 force = SolveProblem(polygonal, Sliding(angle)).Tangential(0);
      EXPECT_NEAR(force.norm(), kMu * kWeight, 1e-11);
      // a corner, and the nearest one
      const double corner = std::round((angle + std::numbers::pi) * sides / (2 * std::numbers::pi));
      EXPECT_LE((force / (kMu * kWeight) - At(2 * std::numbers::pi * corner / sides)).norm(), 1e-9);
      const double along = -force.dot(At(angle)) / (kMu * kWeight);
      worst_angle = std::max(worst_angle, std::acos(std::min(along, 1.0)));
      worst_loss = std::max(worst_loss, 1 - along);
    }
    EXPECT_LE(worst_angle, std::numbers::pi / sides + 1e-9);
    EXPECT_GE(worst_angle, 0.75 * std::numbers::pi / sides);
    EXPECT_LE(worst_loss, 1 - std::cos(std::numbers::pi / sides) + 1e-12);
    if (sides > 4) {
      EXPECT_GT(last_loss / worst_loss, 2.5);
      EXPECT_LT(last_loss / worst_loss, 6.5);
    }
    last_loss = worst_loss;
  }
}

TEST(LawLimits, TurningThePolygonTurnsItsForce) {
  for (double turn : {0.1, 0.4, 1.1}) {
    const Method straight = MethodOf("polygonal", {{"sides", 5.0}});
    const Method turned = MethodOf("polygonal", {{"sides", 5.0}, {"orientation", turn}});
    for (double angle : {0.0, 0.9, 2.0}) {
      const Vec2 a = SolveProblem(straight, Sliding(angle)).Tangential(0);
      const Vec2 b = SolveProblem(turned, Sliding(angle + turn)).Tangential(0);
      EXPECT_LE((Eigen::Rotation2Dd(turn) * a - b).norm(), 1e-12);
    }
  }
}

TEST(LawLimits, StewartTrinkleIsAnitescuPotraAtZeroGap) {
  const Method velocity_level = MethodOf("polygonal"),
               with_gap = MethodOf("polygonal", {{"form", std::string("stewart-trinkle")}});
  RandomNumbers random(5);
  for (int k = 0; k < 40; ++k) {
    ContactProblem problem = RandomProblem({}, &random);
    for (int i = 0; i < problem.contacts.size(); ++i) problem.contacts.normal_target[i] = problem.contacts.gap[i] = 0;
    const ContactSolution a = SolveProblem(velocity_level, problem), b = SolveProblem(with_gap, problem);
    EXPECT_EQ((a.velocity - b.velocity).norm(), 0.0);
    // and with a gap it is the other law with the target −Φ/h
    for (double& gap : problem.contacts.gap) gap = random.Between(-1e-3, 1e-3);
    const ContactSolution c = SolveProblem(with_gap, problem);
    EXPECT_LE(with_gap.law->Residual(problem, c), 1e-9 * problem.velocity_scale);
    for (int i = 0; i < problem.contacts.size(); ++i) {
      problem.contacts.normal_target[i] = -problem.contacts.gap[i] / problem.step;
    }
    EXPECT_LE((SolveProblem(velocity_level, problem).velocity - c.velocity).norm(), 1e-9 * problem.velocity_scale);
  }
}

// Along one axis the limit on the norm is the limit on the component.
TEST(LawLimits, LiangIsBristleInOneDimension) {
  RandomNumbers random(6);
  for (int k = 0; k < 60; ++k) {
    const double speed = random.Chance(0.3) ? 0.0 : random.Between(-0.02, 0.02);
    const double push = random.Between(-2, 2) * kMu * kGravity;
    ContactProblem problem =
        PointOnGround(kMass, kMu, kStep, {0, speed, 0}, {-kGravity, push, 0}, std::pow(10.0, random.Between(2, 9)));
    ContactHistory& history = problem.contacts.history[0];
    history.known = true;
    history.normal_force = kMass * kGravity;
    history.tangential_force = {random.Between(-1, 1) * kMu * kMass * kGravity, 0, 0};
    const ContactSolution a = SolveProblem(MethodOf("liang"), problem), b = SolveProblem(MethodOf("bristle"), problem);
    EXPECT_LE((a.velocity - b.velocity).norm(), 1e-12);
    EXPECT_NEAR(a.Tangential(0)[1], 0.0, 1e-15);
  }
}

// One bristle on a point mass, eqs 1–4 solved by hand: p = h λ − h² kT v⁺ with v⁺ = v_free + p/m, cut to ±μ p_N.
TEST(LawLimits, BristleOfAPointInClosedForm) {
  RandomNumbers random(7);
  for (int k = 0; k < 60; ++k) {
    const double stiffness = std::pow(10.0, random.Between(2, 9)), push = random.Between(-2, 2) * kMu * kGravity;
    ContactProblem problem = PointOnGround(kMass, kMu, kStep, {0, 0, 0}, {-kGravity, push, 0}, stiffness);
    ContactHistory& history = problem.contacts.history[0];
    history.known = true;
    history.normal_force = kMass * kGravity;
    const double remembered = random.Between(-1, 1) * kMu * kMass * kGravity;
    history.tangential_force = {remembered, 0, 0};
    const double spring = kStep * kStep * stiffness;
    const double held = (kStep * remembered - spring * kStep * push) / (1 + spring / kMass);
    const double expected = std::clamp(held, -kMu * kWeight, kMu * kWeight);
    for (const char* law : {"bristle", "liang", "regularized"}) {
      SCOPED_TRACE(law);
      EXPECT_NEAR(SolveProblem(MethodOf(law), problem).Tangential(0)[0], expected, 1e-12);
    }
  }
}

TEST(LawLimits, StiffBristleIsBox) {
  RandomNumbers random(8);
  const double infinity = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 40; ++k) {
    ContactProblem problem = RandomProblem({}, &random);
    const VecX box = SolveProblem(MethodOf("box"), problem).velocity;
    for (ContactSurface& surface : problem.contacts.surfaces) surface.tangential_stiffness = infinity;
    EXPECT_EQ((SolveProblem(MethodOf("bristle"), problem).velocity - box).norm(), 0.0);
    // first order in the compliance
    for (ContactSurface& surface : problem.contacts.surfaces) surface.tangential_stiffness = 1e14;
    EXPECT_LE((SolveProblem(MethodOf("bristle"), problem).velocity - box).norm(), 1e-5 * problem.velocity_scale);
  }
}

// Box friction with given limits, found by trying all states of all rows: an oracle that shares nothing with the
// solvers. Loads are such that they are steady, and limits those of the last step.
TEST(LawLimits, BoxAgreesWithEnumeration) {
  RandomNumbers random(9);
  const Method box = MethodOf("box");
  int steady = 0;
  for (int k = 0; k < 120; ++k) {
    SCOPED_TRACE(k);
    ContactProblem problem = RandomProblem({.bodies = 2, .contacts = 2, .bilateral = 1, .bounded = 1}, &random);
    const ContactSolution loads = SolveProblem(MethodOf("box", {{"bounds", kIterated}}), problem);
    for (int i = 0; i < 2; ++i) {
      problem.contacts.history[i].known = true;
      problem.contacts.history[i].normal_force =
          random.Between(0.8, 1.2) * std::max(loads.Normal(i), 1e-6) / problem.step;
    }
    const MatX jacobian = testing::DenseJacobian(problem);
    const MatX delassus = jacobian * testing::DenseMass(problem).llt().solve(jacobian.transpose());
    const int rows = static_cast<int>(jacobian.rows());
    VecX q = jacobian * problem.free_velocity, lower(rows), upper(rows);
    const double infinity = std::numeric_limits<double>::infinity();
    q[0] -= problem.bilateral.target[0];
    lower[0] = -infinity, upper[0] = infinity;
    lower[1] = problem.bounded.lower[0], upper[1] = problem.bounded.upper[0];
    for (int i = 0; i < 2; ++i) {
      const int r = 2 + 3 * i;
      const double limit =
          problem.contacts.surface(i).friction_static * problem.step * problem.contacts.history[i].normal_force;
      q[r] -= problem.contacts.normal_target[i];
      lower[r] = 0, upper[r] = infinity;
      lower.segment<2>(r + 1).setConstant(-limit);
      upper.segment<2>(r + 1).setConstant(limit);
    }
    int states = 1;
    for (int r = 1; r < rows; ++r) states *= 3;
    bool found = false;
    for (int state = 0; state < states && !found; ++state) {
      VecX z = VecX::Zero(rows);
      std::vector<int> open = {0};
      bool possible = true;
      for (int r = 1, rest = state; r < rows; ++r, rest /= 3) {
        if (rest % 3 == 0) open.push_back(r);
        if (rest % 3 == 1) z[r] = lower[r];
        if (rest % 3 == 2) z[r] = upper[r];
        possible = possible && std::isfinite(z[r]);
      }
      if (!possible) continue;
      const VecX w0 = delassus * z + q;
      const VecX inside = -delassus(open, open).llt().solve(w0(open));
      for (std::size_t i = 0; i < open.size(); ++i) z[open[i]] = inside[static_cast<int>(i)];
      const VecX w = delassus * z + q;
      found = true;
      for (int r = 0; r < rows; ++r) {
        const bool at_lower = z[r] == lower[r], at_upper = z[r] == upper[r];
        found = found && z[r] >= lower[r] && z[r] <= upper[r];
        found = found && (at_lower ? w[r] >= -1e-9 : at_upper ? w[r] <= 1e-9 : std::abs(w[r]) <= 1e-9);
      }
      if (!found) continue;
      const VecX velocity = problem.free_velocity + testing::DenseMass(problem).llt().solve(jacobian.transpose() * z);
      bool is_steady = true;
      for (int i = 0; i < 2; ++i) {
        const double ratio = z[2 + 3 * i] / (problem.step * problem.contacts.history[i].normal_force);
        is_steady = is_steady && ratio > 1 / 1.5 && ratio < 1.5;
      }
      if (!is_steady) continue;
      ++steady;
      EXPECT_LE((SolveProblem(box, problem).velocity - velocity).norm(), 1e-9 * problem.velocity_scale);
    }
    EXPECT_TRUE(found);
  }
  EXPECT_GT(steady, 15);
}

// A point that hits the ground has the friction of the hit, whatever it carried before; one whose load is steady that
// of the last step, by the paper's linear program. (L7)
TEST(LawLimits, LimitsOfTheLastStepWhereLoadsAreSteady) {
  for (const char* law : {"regularized", "liang", "box", "bristle"}) {
    SCOPED_TRACE(law);
    const Method method = MethodOf(law);
    const double hit = kMass * (1 + kGravity * kStep);
    for (const double before : {0.0, 1e-3, 0.1, 0.6, 1.6, 10.0}) {
      ContactProblem problem = PointOnGround(kMass, kMu, kStep, {-1, 3, 0}, {-kGravity, 0, 0});
      problem.contacts.history[0].known = true;
      problem.contacts.history[0].normal_force = before * hit / kStep;
      const ContactSolution solution = SolveProblem(method, problem);
      EXPECT_NEAR(solution.Normal(0), hit, 1e-12);
      EXPECT_NEAR(solution.Tangential(0)[0], -kMu * hit, 1e-9) << before;
      EXPECT_LE(method.law->Residual(problem, solution), 1e-9);
    }
    for (const double before : {0.7, 0.9, 1.1, 1.4}) {
      ContactProblem problem = Sliding(0);
      problem.contacts.history[0].known = true;
      problem.contacts.history[0].normal_force = before * kWeight / kStep;
      const ContactSolution solution = SolveProblem(method, problem);
      EXPECT_NEAR(solution.Tangential(0)[0], -kMu * before * kWeight, 1e-12) << before;
      EXPECT_LE(method.law->Residual(problem, solution), 1e-9);
    }
  }
}

// What rests is held by an answer that holds it, also where the solver of the exact program comes back with slip.
TEST(LawLimits, CoulombKeepsWhatHolds) {
  Method method = MethodOf("coulomb");
  method.solver.compact = {};
  const auto solve = method.solver.cone;
  method.solver.cone = [solve](const ConeProgram& program, const VecX* warm) {
    ConeAnswer answer = solve(program, warm);
    if (program.non_associated) answer.r.tail<2>().setZero();
    answer.u = program.W * answer.r + program.q;
    return answer;
  };
  const ContactProblem problem = PointOnGround(kMass, kMu, kStep, Vec3::Zero(), {-kGravity, 0.6 * kMu * kGravity, 0});
  const ContactSolution solution = SolveProblem(method, problem);
  EXPECT_LE(solution.velocity.norm(), 1e-12);
  EXPECT_LE(method.law->Residual(problem, solution), 1e-12);
}

// The kinetic coefficient is for what slides and goes on; what the step stops, or turns round, may have the static one.
TEST(LawLimits, StaticCoefficientForWhatComesToRest) {
  for (const auto& [name, method] : testing::EveryLaw()) {
    SCOPED_TRACE(name);
    if (name == "polygonal, 8 sides, turned" || name == "cone" || name.starts_with("bristle")) continue;
    // braked by 0.4 g and more, with μ 0.5 and 0.2: from 1 mm/s it would be turned round by kinetic friction
    for (const double speed : {1e-3, 1.0}) {
      ContactProblem problem = PointOnGround(kMass, 0.5, kStep, {0, speed, 0}, {-kGravity, -0.4 * kGravity, 0});
      problem.contacts.OwnSurface(0).friction_kinetic = 0.2;
      const ContactSolution solution = SolveProblem(method, problem);
      const double slower = speed - 0.6 * kGravity * kStep;
      EXPECT_NEAR(solution.velocity[1], std::max(slower, 0.0), 1e-9) << speed;
      EXPECT_LE(method.law->Residual(problem, solution), 1e-9);
    }
  }
}

// The exact law on a point that is stopped within the step: it sticks where the cone allows, else it goes on slower.
TEST(LawLimits, CoulombOfAPointInClosedForm) {
  RandomNumbers random(10);
  for (int k = 0; k < 200; ++k) {
    const Vec3 velocity = random.Vector(1);
    const ContactProblem problem = PointOnGround(kMass, kMu, kStep, velocity, Vec3::Zero());
    const ContactSolution solution = SolveProblem(MethodOf("coulomb"), problem);
    Vec3 expected = velocity;
    if (velocity[0] < 0) {
      expected[0] = 0;
      const double speed = velocity.tail<2>().norm(), lost = kMu * -velocity[0];
      expected.tail<2>() *= speed > lost ? 1 - lost / speed : 0.0;
    }
    EXPECT_LE((solution.velocity - expected).norm(), 1e-12);
  }
}

// A load that is rounding alone bears no friction, and is no fault of the answer.
TEST(LawLimits, LoadsOfRoundingSizeCountAsNone) {
  for (const auto& [name, method] : testing::EveryLaw()) {
    if (name == "cone") continue;  // pushes what slides
    SCOPED_TRACE(name);
    const ContactProblem problem = PointOnGround(kMass, kMu, kStep, {0, 2, 1}, {0, 5, -5});
    ContactSolution solution = SolveProblem(method, problem);
    EXPECT_EQ(solution.contact.norm(), 0.0);
    solution.contact[0] = 1e-17;
    ComputeVelocity(problem, &solution);
    EXPECT_LE(method.law->Residual(problem, solution), 1e-12);
  }
}

// Static friction below the threshold, kinetic above it, for every law.
TEST(LawLimits, KineticCoefficientWhereItSlides) {
  for (const auto& [name, method] : testing::EveryLaw()) {
    SCOPED_TRACE(name);
    if (name == "polygonal, 8 sides, turned" || name == "cone") continue;
    for (double speed : {1e-5, 2.0}) {
      ContactProblem problem = PointOnGround(kMass, 0.5, kStep, {0, speed, 0}, {-kGravity, 100 * kGravity, 0});
      problem.contacts.OwnSurface(0).friction_kinetic = 0.2;
      const double mu = speed > 1 ? 0.2 : 0.5;
      EXPECT_NEAR(SolveProblem(method, problem).Tangential(0)[0], -mu * kWeight, 1e-10);
    }
  }
  // Stribeck's curve between the two
  const double speed = 0.3, stribeck = 0.4;
  ContactProblem problem = PointOnGround(kMass, 0.5, kStep, {0, speed, 0}, {-kGravity, 0, 0});
  problem.contacts.OwnSurface(0).friction_kinetic = 0.2;
  const double mu = 0.2 + 0.3 * std::exp(-std::pow(speed / stribeck, 2));
  EXPECT_NEAR(SolveProblem(MethodOf("liang", {{"stribeck_velocity", stribeck}}), problem).Tangential(0)[0],
              -mu * kWeight, 1e-10);
}

}  // namespace
}  // namespace slipstick::internal
