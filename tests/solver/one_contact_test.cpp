#include "slipstick/solver/cone/one_contact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "slipstick/math/cone_projection.h"

namespace slipstick::internal {
namespace {

constexpr double kPi = std::numbers::pi;

class RandomProblem {
 public:
  explicit RandomProblem(unsigned seed) : engine_(seed) {}
  double Number(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine_); }
  Vec3 Vector() { return {Number(-1, 1), Number(-1, 1), Number(-1, 1)}; }
  Mat3 Definite(double least) {
    Mat3 root;
    for (double& value : root.reshaped()) value = Number(-1, 1);
    return root * root.transpose() + least * Mat3::Identity();
  }

 private:
  std::mt19937 engine_;
};

// The law itself, without projections: non-penetration, cone, complementarity, friction against the sliding.
void ExpectCoulomb(const Mat3& W, const Vec3& q, double mu, const OneContactAnswer& answer, double tolerance) {
  const Vec3 u = W * answer.r + q;
  EXPECT_LT((u - answer.u).norm(), tolerance);
  const Vec2 u_t = u.tail<2>(), r_t = answer.r.tail<2>();
  EXPECT_GE(answer.r[0], 0);
  EXPECT_GE(u[0], -tolerance);
  EXPECT_NEAR(answer.r[0] * u[0], 0, tolerance * std::max(1.0, answer.r[0]));
  EXPECT_LE(r_t.norm(), mu * answer.r[0] * (1 + 1e-12));
  if (answer.r[0] > 0 && u_t.norm() > 10 * tolerance) {
    // r_T = −μ r_N u_T/|u_T|
    EXPECT_LT((r_t + mu * answer.r[0] * u_t.normalized()).norm(), tolerance * std::max(1.0, answer.r[0]) / u_t.norm());
  }
}

TEST(OneContact, CoulombHoldsForRandomProblems) {
  RandomProblem random(1);
  int count[3] = {0, 0, 0};
  for (int trial = 0; trial < 5000; ++trial) {
    const Mat3 W = random.Definite(trial % 2 == 0 ? 0.2 : 1e-3);
    const Vec3 q = random.Vector();
    const double mu = random.Number(0, 2);
    const OneContactAnswer answer = OneContact(W, mu, FrictionRule::kCoulomb).Solve(q);
    ASSERT_NE(answer.state, ContactState::kNone) << "W =\n" << W << "\nq = " << q.transpose() << " mu " << mu;
    ++count[static_cast<int>(answer.state)];
    ExpectCoulomb(W, q, mu, answer, 1e-11);
  }
  for (int state = 0; state < 3; ++state) EXPECT_GT(count[state], 500);
}

// Brute force: walks round the circle of sliding directions d, with r_N from u_N = 0, and counts where u_T crosses d.
TEST(OneContact, FindsEverySlipThatADenseGridFinds) {
  RandomProblem random(2);
  int several = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Mat3 W = random.Definite(0.01);
    const Vec3 q = random.Vector();
    const double mu = random.Number(0.1, 2);
    constexpr int kSamples = 20000;
    int on_grid = 0;
    double last = 0;
    for (int i = 0; i <= kSamples; ++i) {
      const double angle = 2 * kPi * i / kSamples;
      const Vec2 d(std::cos(angle), std::sin(angle));
      const Vec3 v(1, -mu * d[0], -mu * d[1]);
      const double normal = -q[0] / W.row(0).dot(v);
      const Vec3 u = W * v * normal + q;
      const double cross = u[1] * d[1] - u[2] * d[0];
      const bool valid = normal > 0 && u.tail<2>().dot(d) > 0 && normal < 1e3;
      if (i > 0 && valid && (cross < 0) != (last < 0) && std::abs(cross - last) < 1) ++on_grid;
      last = cross;
    }
    const OneContact::Solutions all = OneContact(W, mu, FrictionRule::kCoulomb).AllSolutions(q);
    int slips = 0;
    for (int i = 0; i < all.count; ++i) {
      ExpectCoulomb(W, q, mu, all.values[i], 1e-10);
      slips += all.values[i].state == ContactState::kSlip;
    }
    EXPECT_EQ(slips, on_grid) << "trial " << trial;
    several += all.count > 1;
  }
  EXPECT_GT(several, 0);  // strongly coupled problems with two solutions were among them
}

TEST(OneContact, ClosedFormsOfAPointMass) {
  // W = I/m: normal and tangents do not couple
  const double mass = 2, mu = 0.5;
  const OneContact contact(Mat3::Identity() / mass, mu, FrictionRule::kCoulomb);
  const OneContactAnswer slip = contact.Solve({-1, 3, 4});
  EXPECT_EQ(slip.state, ContactState::kSlip);
  EXPECT_LT((slip.r - Vec3(2, -0.6, -0.8)).norm(), 1e-14);  // μ m |u_N| along −(0.6, 0.8)
  EXPECT_LT((slip.u - Vec3(0, 2.7, 3.6)).norm(), 1e-14);
  const OneContactAnswer stick = contact.Solve({-1, 0.3, 0.4});
  EXPECT_EQ(stick.state, ContactState::kStick);
  EXPECT_LT((stick.r - Vec3(2, -0.6, -0.8)).norm(), 1e-14);
  EXPECT_EQ(contact.Solve({0.1, 3, 4}).state, ContactState::kTakeOff);
  EXPECT_EQ(contact.Solve({0, 0, 0}).r, Vec3(0, 0, 0));
  // exactly on the border between stick and slip both describe the same impulses
  EXPECT_LT((contact.Solve({-1, 0.5, 0}).r - Vec3(2, -1, 0)).norm(), 1e-12);
}

TEST(OneContact, WithoutFrictionOnlyTheNormalCounts) {
  RandomProblem random(3);
  for (FrictionRule rule : {FrictionRule::kCoulomb, FrictionRule::kAssociated}) {
    const Mat3 W = random.Definite(0.1);
    const OneContact contact(W, 0, rule);
    const OneContactAnswer answer = contact.Solve({-0.7, 1, 2});
    EXPECT_LT((answer.r - Vec3(0.7 / W(0, 0), 0, 0)).norm(), 1e-15);
    EXPECT_EQ(contact.Solve({0.7, 1, 2}).r, Vec3(0, 0, 0));
  }
}

TEST(OneContact, IsIndependentOfTheTangentBasis) {
  RandomProblem random(4);
  for (int trial = 0; trial < 500; ++trial) {
    const Mat3 W = random.Definite(0.1),
               turn = Eigen::AngleAxisd(random.Number(-3, 3), Vec3::UnitX()).toRotationMatrix();
    const Vec3 q = random.Vector();
    const double mu = random.Number(0.1, 1);
    for (FrictionRule rule : {FrictionRule::kCoulomb, FrictionRule::kAssociated}) {
      const Vec3 r = OneContact(W, mu, rule).Solve(q).r;
      const Vec3 turned = OneContact(turn * W * turn.transpose(), mu, rule).Solve(turn * q).r;
      EXPECT_LT((turned - turn * r).norm(), 1e-10 * std::max(1.0, r.norm()));
    }
  }
}

// The convex problem: projected gradient, run to convergence, is slow but cannot be wrong.
TEST(OneContact, AssociatedIsTheMinimum) {
  RandomProblem random(5);
  int count[3] = {0, 0, 0};
  for (int trial = 0; trial < 600; ++trial) {
    const Mat3 W = random.Definite(0.2);
    const Vec3 q = random.Vector();
    const double mu = random.Number(0.05, 2), step = 1 / W.trace();
    const OneContactAnswer answer = OneContact(W, mu, FrictionRule::kAssociated).Solve(q);
    Vec3 r = Vec3::Zero();
    for (int i = 0; i < 4000; ++i) r = ProjectOnCone(r - step * (W * r + q), mu);
    EXPECT_LT((answer.r - r).norm(), 1e-9) << "W =\n" << W << "\nq = " << q.transpose() << " mu " << mu;
    ASSERT_NE(answer.state, ContactState::kNone);
    ++count[static_cast<int>(answer.state)];
  }
  for (int state = 0; state < 3; ++state) EXPECT_GT(count[state], 30);
}

TEST(OneContact, PainleveConfigurations) {
  // sliding along +x presses the contact: D = W_NN − μ W_NT·d < 0 for d = +x
  Mat3 W;
  W << 1, 1.5, 0, 1.5, 4, 0, 0, 0, 1;
  const double mu = 1.5;
  const OneContact contact(W, mu, FrictionRule::kCoulomb);
  // separating and sliding: take-off, but also a slip with a large impulse or a sudden stop
  const Vec3 separating(0.1, 2, 0);
  const OneContact::Solutions all = contact.AllSolutions(separating);
  EXPECT_GE(all.count, 2);
  for (int i = 0; i < all.count; ++i) ExpectCoulomb(W, separating, mu, all.values[i], 1e-11);
  EXPECT_EQ(contact.Solve(separating).state, ContactState::kTakeOff);
  // approaching and sliding: no slip forwards is possible, the impulses stop it at once (impact without collision)
  const Vec3 approaching(-0.1, 2, 0);
  const OneContactAnswer answer = contact.Solve(approaching);
  ASSERT_NE(answer.state, ContactState::kNone);
  ExpectCoulomb(W, approaching, mu, answer, 1e-11);
}

TEST(OneContact, SingularW) {
  // nothing can be moved: solvable just if nothing needs to be
  const OneContact fixed(Mat3::Zero(), 0.5, FrictionRule::kCoulomb);
  EXPECT_EQ(fixed.Solve({0.1, 1, 0}).state, ContactState::kTakeOff);
  EXPECT_EQ(fixed.Solve({-0.1, 1, 0}).state, ContactState::kNone);
  EXPECT_EQ(fixed.Solve({-0.1, 1, 0}).r, Vec3(0, 0, 0));
  // rank one and two, q in the range of W: as built from a planar or a linear mechanism
  RandomProblem random(6);
  int solved = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const int rank = 1 + trial % 2;
    Eigen::Matrix<double, 3, Eigen::Dynamic> root(3, rank);
    VecX velocity(rank);
    for (double& value : root.reshaped()) value = random.Number(-1, 1);
    for (double& value : velocity) value = random.Number(-1, 1);
    const Mat3 W = root * root.transpose();
    const Vec3 q = root * velocity;
    const double mu = random.Number(0.1, 1.5);
    for (FrictionRule rule : {FrictionRule::kCoulomb, FrictionRule::kAssociated}) {
      const OneContact contact(W, mu, rule);
      const OneContactAnswer answer = contact.Solve(q);
      EXPECT_TRUE(answer.r.allFinite());
      if (answer.state == ContactState::kNone) continue;
      ++solved;
      EXPECT_LT(contact.Residual(answer.r, q), 1e-8);
    }
  }
  EXPECT_GT(solved, 1900);
}

TEST(OneDisk, IsTheMinimum) {
  RandomProblem random(7);
  for (int trial = 0; trial < 500; ++trial) {
    Mat2 W = random.Definite(0.2).topLeftCorner<2, 2>();
    Vec2 q = random.Vector().head<2>();
    if (trial % 5 == 0) {
      // rank one, q in its range
      const Vec2 w = random.Vector().head<2>();
      W = w * w.transpose();
      q = w * random.Number(-1, 1);
    }
    const double radius = random.Number(0.05, 2);
    const OneDiskAnswer answer = SolveOneDisk(W, q, radius);
    Vec2 r = Vec2::Zero();
    for (int i = 0; i < 4000; ++i) r = ProjectOnDisk(r - (W * r + q) / W.trace(), radius);
    const auto value = [&](const Vec2& x) { return x.dot(0.5 * (W * x) + q); };
    EXPECT_LE(answer.r.norm(), radius * (1 + 1e-14));
    EXPECT_NEAR(value(answer.r), value(r), 1e-12);
    if (trial % 5 != 0) {
      EXPECT_LT((answer.r - r).norm(), 1e-9);
    }
  }
}

TEST(OneDisk, SpecialCases) {
  EXPECT_EQ(SolveOneDisk(Mat2::Identity(), {1, 2}, 0).r, Vec2(0, 0));
  EXPECT_LT((SolveOneDisk(Mat2::Identity(), {3, 4}, 1).r - Vec2(-0.6, -0.8)).norm(), 1e-15);
  EXPECT_LT((SolveOneDisk(Mat2::Identity(), {3, 4}, std::numeric_limits<double>::infinity()).r - Vec2(-3, -4)).norm(),
            1e-15);
  // nothing moves, so the force is at its limit against the velocity
  EXPECT_LT((SolveOneDisk(Mat2::Zero(), {3, 4}, 2).r - Vec2(-1.2, -1.6)).norm(), 1e-14);
  EXPECT_EQ(SolveOneDisk(Mat2::Zero(), {0, 0}, 2).r, Vec2(0, 0));
}

}  // namespace
}  // namespace slipstick::internal
