#include "slipstick/math/free_rotation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "slipstick/base/rotation.h"
#include "tests/base/random_numbers.h"

namespace slipstick::internal {
namespace {

using testing::RandomNumbers;
using LongVec3 = Eigen::Matrix<long double, 3, 1>;
using LongMat3 = Eigen::Matrix<long double, 3, 3>;
using LongQuat = Eigen::Quaternion<long double>;

struct State {
  Quat rotation;
  Vec3 omega;
};

struct Body {
  std::string name;
  Vec3 moments;
  Mat3 axes, inertia;  // principal axes as columns

  Body(std::string given_name, const Vec3& given_moments, const Quat& frame)
      : name(std::move(given_name)), moments(given_moments), axes(frame.toRotationMatrix()) {
    const Mat3 product = axes * moments.asDiagonal() * axes.transpose();
    inertia = 0.5 * (product + product.transpose());
  }
  // The principal axis with the smallest (0), middle or largest moment.
  Vec3 Axis(int rank) const {
    int order[] = {0, 1, 2};
    std::sort(order, order + 3, [&](int a, int b) { return moments[a] < moments[b]; });
    return axes.col(order[rank]);
  }
};

Quat RandomRotation(RandomNumbers* random) { return ExpRotation(random->Vector(3)).normalized(); }

// Moments y + z, z + x, x + y with x, y, z not negative: such bodies exist.
Body RandomBody(const std::string& name, RandomNumbers* random) {
  double x = random->Between(0.05, 1), y = random->Between(0.05, 1), z = random->Between(0.05, 1);
  if (name == "nearly symmetric, 1e-3") y = x * (1 + 1e-3);
  if (name == "nearly symmetric, 1e-6") y = x * (1 + 1e-6);
  if (name == "nearly symmetric, 1e-10") y = x * (1 + 1e-10);
  if (name == "nearly a ball, 1e-6") y = x * (1 + 1e-6), z = x * (1 - 2e-6);
  if (name == "nearly a ball, 1e-10") y = x * (1 + 1e-10), z = x * (1 - 3e-10);
  if (name == "symmetric") y = x;
  if (name == "plate") z = 0;
  if (name == "needle") x *= 1e-6, y *= 1e-6;
  const Vec3 moments(y + z, z + x, x + y);
  return Body(name, std::pow(10, random->Between(-4, 3)) * moments, RandomRotation(random));
}

std::vector<Body> RandomBodies(int of_each, RandomNumbers* random) {
  std::vector<Body> bodies;
  for (const char* name : {"any", "nearly symmetric, 1e-3", "nearly symmetric, 1e-6", "nearly symmetric, 1e-10",
                           "nearly a ball, 1e-6", "nearly a ball, 1e-10", "symmetric", "plate", "needle"}) {
    for (int i = 0; i < of_each; ++i) bodies.push_back(RandomBody(name, random));
  }
  return bodies;
}

// Directions of all sorts, one after the other: any, the three principal axes, near the middle one.
State RandomState(const Body& body, int sort, double speed, RandomNumbers* random) {
  const Quat rotation = RandomRotation(random);
  Vec3 direction = random->Direction();
  if (sort % 5 == 1) direction = body.Axis(1);
  if (sort % 5 == 2) direction = body.Axis(2);
  if (sort % 5 == 3 && body.name != "needle") direction = body.Axis(0);
  if (sort % 5 == 4) direction = (body.Axis(1) + 1e-3 * random->Vector(1)).normalized();
  return {rotation, rotation * (speed * direction)};
}

State Advanced(const FreeRotation& motion, double h, State state) {
  motion.Advance(h, &state.rotation, &state.omega);
  return state;
}

// An independent way: Runge–Kutta steps of order 4 for the quaternion and the angular velocity in body axes.
State RungeKutta(const Mat3& inertia, double h, const State& start, int steps) {
  const LongMat3 moment = inertia.cast<long double>(), inverse = moment.inverse();
  LongQuat q = start.rotation.cast<long double>().normalized();
  LongVec3 w = q.conjugate() * start.omega.cast<long double>();
  const auto rate = [&](const LongQuat& a, const LongVec3& b, LongQuat* a_rate, LongVec3* b_rate) {
    *a_rate = a * LongQuat(0, b[0] / 2, b[1] / 2, b[2] / 2);
    *b_rate = inverse * (moment * b).cross(b);
  };
  const long double k = static_cast<long double>(h) / steps;
  for (int i = 0; i < steps; ++i) {
    LongQuat q1, q2, q3, q4;
    LongVec3 w1, w2, w3, w4;
    const auto moved = [&](long double by, const LongQuat& along) {
      return LongQuat(q.coeffs() + by * along.coeffs());
    };
    rate(q, w, &q1, &w1);
    rate(moved(k / 2, q1), w + k / 2 * w1, &q2, &w2);
    rate(moved(k / 2, q2), w + k / 2 * w2, &q3, &w3);
    rate(moved(k, q3), w + k * w3, &q4, &w4);
    q.coeffs() += k / 6 * (q1.coeffs() + 2 * q2.coeffs() + 2 * q3.coeffs() + q4.coeffs());
    w += k / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
  }
  q.normalize();
  return {q.cast<double>(), (q * w).cast<double>()};
}

LongVec3 Momentum(const Body& body, const State& state) {
  const LongMat3 rotation = state.rotation.cast<long double>().normalized().toRotationMatrix();
  return rotation * body.inertia.cast<long double>() * rotation.transpose() * state.omega.cast<long double>();
}

double TwiceEnergy(const Body& body, const State& state) {
  return static_cast<double>(Momentum(body, state).dot(state.omega.cast<long double>()));
}

double AngleBetween(const Quat& a, const Quat& b) { return LogRotation(a.conjugate() * b).norm(); }

bool SameBits(const State& a, const State& b) {
  return std::memcmp(a.rotation.coeffs().data(), b.rotation.coeffs().data(), 4 * sizeof(double)) == 0 &&
         std::memcmp(a.omega.data(), b.omega.data(), 3 * sizeof(double)) == 0;
}

// Differences over the larger of the turn and 1e-3, where those of rounding would be seen else.
void ExpectNear(const State& a, const State& b, double turn, double tolerance, const std::string& what) {
  EXPECT_LT(AngleBetween(a.rotation, b.rotation), tolerance * std::max(turn, 1e-3)) << what << ", turn " << turn;
  EXPECT_LT((a.omega - b.omega).norm(), 10 * tolerance * std::max(turn, 1e-3) * b.omega.norm())
      << what << ", turn " << turn;
}

TEST(FreeRotation, IsThatOfRungeKutta) {
  RandomNumbers random(1);
  int sort = 0;
  for (const double turn : {1e-4, 1e-2, 0.1, 0.249, 1.0, 20.0}) {
    for (const Body& body : RandomBodies(2, &random)) {
      const double speed = std::pow(10, random.Between(-1, 3));
      const State start = RandomState(body, sort++, speed, &random);
      const double h = turn / speed;
      const State expected = RungeKutta(body.inertia, h, start, turn > 1 ? 10000 : 1000);
      ExpectNear(Advanced(FreeRotation(body.inertia), h, start), expected, turn, turn > 1 ? 1e-9 : 1e-11, body.name);
    }
  }
}

// The components of ω across the axis turn about it at the rate (1 − I_a/I_t) ω_a in the body, and the axis turns about
// the momentum at the rate |L|/I_t.
TEST(FreeRotation, OfATopIsItsPrecession) {
  const double across = 0.3, along = 0.5;
  const FreeRotation motion(Vec3(across, across, along).asDiagonal());
  const State start{Quat(0.5, 0.5, -0.5, 0.5), Vec3(1, 2, -3)};
  const Body body("top", Vec3(across, across, along), Quat::Identity());
  const Vec3 momentum = Momentum(body, start).cast<double>();
  const Vec3 in_body = start.rotation.conjugate() * start.omega;
  for (const double h : {-30.0, -0.3, 1e-4, 0.1, 1.0, 50.0}) {
    const Vec3 precession = h / across * momentum;
    const double own = h * (1 - along / across) * in_body.z();
    const Quat expected = ExpRotation(precession) * start.rotation * ExpRotation(Vec3(0, 0, own));
    const State after = Advanced(motion, h, start);
    EXPECT_LT(AngleBetween(after.rotation, expected), 1e-13) << h;
    EXPECT_LT((after.omega - expected * (ExpRotation(Vec3(0, 0, -own)) * in_body)).norm(), 1e-13) << h;
  }
}

TEST(FreeRotation, KeepsMomentumAndEnergyOverManySteps) {
  RandomNumbers random(2);
  int sort = 0;
  for (const Body& body : RandomBodies(3, &random)) {
    const FreeRotation motion(body.inertia);
    const double speed = std::pow(10, random.Between(-1, 3)), h = std::pow(10, random.Between(-4, -1.7));
    const State start = RandomState(body, sort++, speed, &random);
    State state = start;
    for (int i = 0; i < 100000; ++i) motion.Advance(h, &state.rotation, &state.omega);
    const LongVec3 momentum = Momentum(body, start);
    EXPECT_LT((Momentum(body, state) - momentum).norm(), 5e-13 * momentum.norm())
        << body.name << ", turn " << speed * h;
    EXPECT_NEAR(TwiceEnergy(body, state) / TwiceEnergy(body, start), 1, 1e-12) << body.name << ", turn " << speed * h;
    EXPECT_NEAR(state.rotation.norm(), 1, 1e-15) << body.name;
  }
}

TEST(FreeRotation, GoesBackAndInHalves) {
  RandomNumbers random(3);
  int sort = 0;
  for (const double turn : {1e-3, 0.1, 1.0, 7.0}) {
    for (const Body& body : RandomBodies(2, &random)) {
      const FreeRotation motion(body.inertia);
      const State start = RandomState(body, sort++, 1, &random);
      const State after = Advanced(motion, turn, start);
      const State back = Advanced(motion, -turn, after);
      const State halves = Advanced(motion, turn / 2, Advanced(motion, turn / 2, start));
      // rounding, which grows as exp(turn) near the unstable axis
      const double tolerance = 4e-15 * std::exp(turn);
      EXPECT_LT((back.rotation.coeffs() - start.rotation.coeffs()).norm(), tolerance) << body.name << ", turn " << turn;
      EXPECT_LT((back.omega - start.omega).norm(), tolerance) << body.name << ", turn " << turn;
      EXPECT_LT((halves.rotation.coeffs() - after.rotation.coeffs()).norm(), tolerance)
          << body.name << ", turn " << turn;
      EXPECT_LT((halves.omega - after.omega).norm(), tolerance) << body.name << ", turn " << turn;
    }
  }
}

TEST(FreeRotation, OfABallKeepsTheAngularVelocity) {
  for (const Mat3& inertia : {Mat3(0.4 * Mat3::Identity()), Mat3(Mat3::Zero())}) {
    const FreeRotation motion(inertia);
    EXPECT_TRUE(motion.is_ball());
    const State start{Quat(0.5, 0.5, -0.5, 0.5), Vec3(1, 2, -3)};
    const State after = Advanced(motion, 0.7, start);
    EXPECT_EQ(after.omega, start.omega);
    EXPECT_LT(AngleBetween(after.rotation, ExpRotation(0.7 * start.omega) * start.rotation), 1e-14);
  }
  EXPECT_TRUE(FreeRotation().is_ball());
  EXPECT_FALSE(FreeRotation(Vec3(1, 1, 1.001).asDiagonal()).is_ball());
}

// The middle one too, for a time in which its instability does not make rounding grow much.
TEST(FreeRotation, AboutAPrincipalAxisIsSteady) {
  const FreeRotation motion(Vec3(0.2, 0.7, 0.6).asDiagonal());
  const Quat rotation(0.5, 0.5, -0.5, 0.5);
  for (int axis = 0; axis < 3; ++axis) {
    const State start{rotation, rotation * (3 * Vec3::Unit(axis))};
    const State after = Advanced(motion, 0.5, start);
    EXPECT_LT((after.omega - start.omega).norm(), 1e-14);
    EXPECT_LT(AngleBetween(after.rotation, ExpRotation(0.5 * start.omega) * start.rotation), 1e-14);
  }
}

// A rod's ω along itself carries no momentum: it stays, and the rod turns in a plane.
TEST(FreeRotation, OfARodLeavesTheSpinAboutIt) {
  const Quat rotation(0.5, 0.5, -0.5, 0.5), frame = ExpRotation(Vec3(0.3, -1, 2));
  for (const Quat& axes : {Quat(1, 0, 0, 0), frame}) {
    const Body rod("rod", Vec3(0, 0.4, 0.4), axes);
    const FreeRotation motion(rod.inertia);
    const Vec3 along = rotation * rod.axes.col(0), across = rotation * rod.axes.col(1);
    const State after = Advanced(motion, 0.3, {rotation, 2 * across + 5 * along});
    const Quat swing = ExpRotation(0.3 * 2 * across);
    EXPECT_LT((after.omega - (2 * across + 5 * (swing * along))).norm(), 1e-13);
    EXPECT_LT(AngleBetween(after.rotation, swing * rotation * ExpRotation(0.3 * 5 * rod.axes.col(0))), 1e-13);
  }
}

TEST(FreeRotation, AtRestKeepsItsBits) {
  for (const Vec3& moments : {Vec3(1, 1, 1), Vec3(1, 1, 0.5), Vec3(1, 0.8, 0.5)}) {
    const State start{Quat(0.5000001, 0.5, -0.5, 0.5), Vec3(0, -0.0, 0)};
    EXPECT_TRUE(SameBits(Advanced(FreeRotation(moments.asDiagonal()), 0.1, start), start));
  }
}

TEST(FreeRotation, OfWhatIsNotFiniteIsNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const State good{Quat(0.5, 0.5, -0.5, 0.5), Vec3(1, 2, 3)};
  for (const Vec3& moments : {Vec3(1, 1, 1), Vec3(1, 1, 0.5), Vec3(1, 0.8, 0.5)}) {
    const FreeRotation motion(moments.asDiagonal());
    for (const double bad : {nan, infinity, -infinity}) {
      EXPECT_FALSE(Advanced(motion, bad, good).rotation.coeffs().allFinite());
      EXPECT_FALSE(Advanced(motion, 0.1, {good.rotation, Vec3(1, bad, 0)}).omega.allFinite());
      EXPECT_FALSE(Advanced(motion, 0.1, {Quat(bad, 0, 0, 0), good.omega}).rotation.coeffs().allFinite());
    }
  }
}

// Speeds whose squares are no numbers, and turns beyond counting.
TEST(FreeRotation, OfExtremesKeepsMomentumAndEnergy) {
  const Body body("any", Vec3(1, 0.8, 0.5), ExpRotation(Vec3(1, 2, 3)));
  const FreeRotation motion(body.inertia);
  const Quat rotation(0.5, 0.5, -0.5, 0.5);
  const State slow = Advanced(motion, 1e200, {rotation, 1e-200 * Vec3(1, 2, 3)});
  const State fast = Advanced(motion, 1e-200, {rotation, 1e200 * Vec3(1, 2, 3)});
  const State common = Advanced(motion, 1, {rotation, Vec3(1, 2, 3)});
  for (const State& scaled : {State{slow.rotation, 1e200 * slow.omega}, State{fast.rotation, 1e-200 * fast.omega}}) {
    EXPECT_LT(AngleBetween(scaled.rotation, common.rotation), 1e-14);
    EXPECT_LT((scaled.omega - common.omega).norm(), 1e-14);
  }
  const State start{rotation, Vec3(1, 2, 3)};
  for (const double h : {1e7, 1e300}) {
    const State after = Advanced(motion, h, start);
    EXPECT_LT((Momentum(body, after) - Momentum(body, start)).norm(), 1e-10);
    EXPECT_NEAR(TwiceEnergy(body, after) / TwiceEnergy(body, start), 1, 1e-10);
  }
}

}  // namespace
}  // namespace slipstick::internal
