#include <gtest/gtest.h>

#include "slipstick/contact/certificate.h"
#include "slipstick/law/delassus_form.h"
#include "tests/contact/motion_of.h"
#include "tests/law/random_problems.h"

// Rolling and spinning friction in `coulomb` and `cone`, on random problems, by the conditions themselves: written out
// for each part, without cones, projections and scaled rows.

namespace slipstick::internal {
namespace {

using testing::MethodOf;
using testing::RandomNumbers;
using testing::RandomProblem;
using testing::RandomProblemOptions;
using testing::SolveProblem;

constexpr double kTiny = 1e-8;  // of the velocity scale, or of the largest impulse

// |p_k| ≤ c_k p_N, and p_k = −c_k p_N u_k/|u_k| where u_k is not zero.
void ExpectFriction(const VecX& p, const VecX& u, double limit, double normal, double impulse, double speed) {
  EXPECT_LE(p.norm(), limit * normal + kTiny * impulse);
  if (u.norm() > 1e-5 * speed) {
    EXPECT_LE((p + limit * normal * u / u.norm()).norm(), 1e-4 * impulse) << "at speed " << u.norm();
  }
}

class MomentLaws : public ::testing::TestWithParam<const char*> {};

TEST_P(MomentLaws, EachPartObeysItsOwnLimit) {
  const std::string law = GetParam();
  RandomNumbers random(71);
  RandomProblemOptions options;
  options.moment_share = 0.7;
  int rolling = 0, at_rest = 0;
  for (int k = 0; k < 80; ++k) {
    SCOPED_TRACE(k);
    const ContactProblem problem = RandomProblem(options, &random);
    const Method method = MethodOf(law);
    const ContactSolution solution = SolveProblem(method, problem);
    const double scale = problem.velocity_scale;
    EXPECT_LE(method.law->Residual(problem, solution), 1e-9 * scale);
    const Certificate certificate =
        Certify(problem, solution, MotionOf(problem, solution), method.law->Residual(problem, solution), {});
    EXPECT_TRUE(certificate.passed) << certificate.reason;
    if (law == "coulomb") {
      EXPECT_LE(certificate.coulomb_residual, 1e-8 * scale);
    }
    const VecX after = ContactVelocities(problem, solution.velocity);
    const VecX turning = MotionOf(problem, solution).angular;
    double largest_gap = 0;
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const double normal = solution.Normal(i), impulse = solution.contact.norm();
      double slip_term = problem.contacts.surface(i).friction_static * after.segment<2>(3 * i + 1).norm();
      ExpectFriction(solution.Tangential(i), after.segment<2>(3 * i + 1), problem.contacts.surface(i).friction_static,
                     normal, impulse, scale);
      if (const int group = problem.contacts.angular_group[i]; group >= 0) {
        const Vec3 moment = solution.Moment(problem, i), turn = turning.segment<3>(3 * group);
        ExpectFriction(moment.head<1>(), turn.head<1>(), problem.contacts.surface(i).spinning, normal, impulse, scale);
        ExpectFriction(moment.tail<2>(), turn.tail<2>(), problem.contacts.surface(i).rolling, normal, impulse, scale);
        slip_term += problem.contacts.surface(i).spinning * std::abs(turn[0]) +
                     problem.contacts.surface(i).rolling * turn.tail<2>().norm();
        if (normal > 1e-6) {
          ++(turn.tail<2>().norm() > 1e-6 ? rolling : at_rest);
        }
      }
      // exact: no normal velocity where there is a force; relaxed: as much as eq 28 says
      const double leaving = after[3 * i] - solution.NormalTarget(problem, i);
      const double expected = law == "coulomb" ? 0.0 : slip_term;
      EXPECT_GE(leaving, expected - kTiny * scale);
      if (normal > 1e-6 * impulse && normal > 1e-9) {
        EXPECT_NEAR(leaving, expected, 1e-6 * scale);
      }
      if (law == "cone" && normal > 0) {
        EXPECT_NEAR(solution.relaxation_gap[i], problem.step * slip_term, 1e-12);
        largest_gap = std::max(largest_gap, solution.relaxation_gap[i]);
      }
    }
    EXPECT_EQ(certificate.relaxation_gap, largest_gap);
  }
  EXPECT_GT(rolling, 20);
  EXPECT_GT(at_rest, 5);
}

// Changed moments raise the residual.
TEST_P(MomentLaws, ResidualSeesMoments) {
  RandomNumbers random(72);
  RandomProblemOptions options;
  options.moment_share = 1;
  const Method method = MethodOf(GetParam());
  int seen = 0;
  for (int k = 0; k < 30; ++k) {
    const ContactProblem problem = RandomProblem(options, &random);
    const ContactSolution right = SolveProblem(method, problem);
    if (!(right.moment.norm() > 1e-6)) continue;
    ContactSolution wrong = right;
    wrong.moment *= 1.01;
    ComputeVelocity(problem, &wrong);
    EXPECT_GT(method.law->Residual(problem, wrong), 1e-6 * problem.velocity_scale);
    ++seen;
  }
  EXPECT_GT(seen, 20);
}

// With ρ = σ = 0 the six rows are the three.
TEST_P(MomentLaws, LimitWithoutMoments) {
  RandomNumbers random(73);
  RandomProblemOptions options;
  options.moment_share = 1;
  const Method method = MethodOf(GetParam());
  for (int k = 0; k < 20; ++k) {
    ContactProblem six = RandomProblem(options, &random);
    for (ContactSurface& surface : six.contacts.surfaces) surface.rolling = surface.spinning = 0;
    ContactProblem three = six;
    three.contacts.angular.Reset(three.mass.layout());
    three.contacts.angular_length.clear();
    std::fill(three.contacts.angular_group.begin(), three.contacts.angular_group.end(), -1);
    const ContactSolution a = SolveProblem(method, six), b = SolveProblem(method, three);
    EXPECT_LE(a.moment.norm(), 1e-15);
    EXPECT_LE((a.velocity - b.velocity).norm(), 1e-7 * six.velocity_scale);
  }
}

// A point of mass m on a spring, pressed by its weight: C_N p = −(N v⁺ + Φ/h), so λN = k δ⁺.
TEST_P(MomentLaws, NormalSpring) {
  const double mass = 2, h = 1e-3, stiffness = 5e4, gravity = 9.81;
  ContactProblem problem = testing::PointOnGround(mass, 0.5, h, {-0.03, 0.4, 0}, {-gravity, 0, 0});
  problem.contacts.OwnSurface(0).normal_compliance = 1 / (h * h * stiffness);
  problem.contacts.gap[0] = -1e-4;
  problem.contacts.normal_target[0] = 1e-4 / h;
  const Method method = MethodOf(GetParam());
  const ContactSolution solution = SolveProblem(method, problem);
  EXPECT_LE(method.law->Residual(problem, solution), 1e-12);
  const double overlap = 1e-4 - h * solution.velocity[0], slip = std::hypot(solution.velocity[1], solution.velocity[2]);
  const double added = std::string(GetParam()) == "cone" ? 0.5 * slip * h : 0.0;
  EXPECT_NEAR(solution.Normal(0) / h, stiffness * (overlap + added), 1e-9 * stiffness * overlap);
}

INSTANTIATE_TEST_SUITE_P(Laws, MomentLaws, ::testing::Values("coulomb", "cone"));

// The convex answer is the least of ½ pᵀWp + qᵀp: no feasible direction goes down.
TEST(ConeLaw, IsTheMinimum) {
  RandomNumbers random(74);
  RandomProblemOptions options;
  options.moment_share = 0.8;
  options.bilateral = options.bounded = 0;
  for (int k = 0; k < 20; ++k) {
    const ContactProblem problem = RandomProblem(options, &random);
    const ContactSolution solution = SolveProblem(MethodOf("cone"), problem);
    // kinetic energy of the difference to the free motion, plus what targets ask for (none: gaps are 0)
    const auto cost = [&](const ContactSolution& s) {
      const VecX change = s.velocity - problem.free_velocity;
      VecX momentum(change.size());
      problem.mass.Multiply(change, momentum);
      return 0.5 * change.dot(momentum) + problem.free_velocity.dot(momentum);
    };
    const double least = cost(solution);
    for (int trial = 0; trial < 50; ++trial) {
      ContactSolution other = solution;
      for (int i = 0; i < problem.contacts.size(); ++i) {
        const double normal = std::max(0.0, solution.Normal(i) + random.Between(-0.1, 0.1));
        const auto within = [&](VecX part, double limit) -> VecX {
          part += random.Vector(static_cast<int>(part.size()), 0.1);
          return part.norm() > limit * normal ? VecX(part * (limit * normal / part.norm())) : part;
        };
        other.contact[3 * i] = normal;
        other.contact.segment<2>(3 * i + 1) =
            within(solution.Tangential(i), problem.contacts.surface(i).friction_static);
        const int group = problem.contacts.angular_group[i];
        if (group < 0) continue;
        const Vec3 moment = solution.Moment(problem, i);
        other.moment.segment<1>(3 * group) = within(moment.head<1>(), problem.contacts.surface(i).spinning);
        other.moment.segment<2>(3 * group + 1) = within(moment.tail<2>(), problem.contacts.surface(i).rolling);
      }
      ComputeVelocity(problem, &other);
      EXPECT_GE(cost(other), least - 1e-10 * std::abs(least));
    }
  }
}

// Overlaps part at most at the stepper's speed; gaps count in full, or by the skin's rule where asked.
TEST(ConeLaw, GapsInTheNormalRow) {
  ContactProblem problem = testing::PointOnGround(1, 0, 1e-2, {0, 0, 0}, {-9.81, 0, 0});
  problem.correction_speed = 0.5;
  problem.contacts.normal_target[0] = -0.01;
  for (const auto& [gap, speed] : {std::pair{5e-4, -0.05}, std::pair{-1e-3, 0.1}, std::pair{-1e-2, 0.5}}) {
    problem.contacts.gap[0] = gap;
    EXPECT_NEAR(SolveProblem(MethodOf("cone"), problem).velocity[0], speed, 1e-14);
    const ContactSolution by_skin = SolveProblem(MethodOf("cone", {{"gaps", std::string("skin")}}), problem);
    EXPECT_NEAR(by_skin.velocity[0], -0.01, 1e-14);
  }
}

}  // namespace
}  // namespace slipstick::internal
