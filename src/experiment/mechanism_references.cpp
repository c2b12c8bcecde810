#include "slipstick/experiment/mechanism_references.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "slipstick/base/check.h"

namespace slipstick::internal {
namespace {

constexpr double kGravity = 9.81;
constexpr double kThreshold = 1e-3;  // of the library's A01 and A02 [m, m/s]

// The Runge–Kutta method of fourth order. `look` makes the values of a sample from a state.
template <typename Rate, typename Look>
ReferencePath Integrate(VecX y, double step, double every, int count, const Rate& rate, const Look& look) {
  ReferencePath path = {look(y)};
  const long substeps = std::lround(std::ceil(every / step));
  const double h = every / static_cast<double>(substeps);
  for (int sample = 1; sample <= count; ++sample) {
    for (long k = 0; k < substeps; ++k) {
      const VecX k1 = rate(y), k2 = rate(VecX(y + 0.5 * h * k1)), k3 = rate(VecX(y + 0.5 * h * k2)),
                 k4 = rate(VecX(y + h * k3));
      y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    path.push_back(look(y));
  }
  return path;
}

// x, y, ẋ, ẏ of the tip of a rod of 1 m with θ̈ = ratio · g sin θ, θ from upright.
ReferencePath Swing(double ratio, const Vec2& start, double every, int count) {
  const auto rate = [&](const VecX& y) { return VecX(Vec2(y[1], ratio * kGravity * std::sin(y[0]))); };
  const auto look = [](const VecX& y) {
    const double s = std::sin(y[0]), c = std::cos(y[0]);
    return VecX(Eigen::Vector4d(s, c, y[1] * c, -y[1] * s));
  };
  return Integrate(start, 1e-4, every, count, rate, look);
}

// Bricard's linkage of six hinges along edges of a unit cube keeps its symmetry about the cube's diagonal: hinges turn
// by τ and −σ in turn, with (1 + sin τ)(1 − sin σ) = 1 (Chen, You & Tarnai 2005, Threefold-symmetric Bricard linkages
// for deployable structures, closure relation with twists of 90°). Along this curve u is a length, and Lagrange's
// equation is I ü + ½ I′ u̇² + V′ = 0.
class BricardCurve {
 public:
  using Pair = Eigen::Vector2d;  // τ, σ

  struct Pose {
    Vec3 corner, corner_rate;  // d/du
    double inertia = 0, potential = 0;
  };

  static Pair Tangent(const Pair& turns) {
    const Pair along(std::cos(turns[1]) * (1 + std::sin(turns[0])), std::cos(turns[0]) * (1 - std::sin(turns[1])));
    return along.normalized();
  }
  // The pair at a length u from here.
  static Pair Along(const Pair& turns, double u) {
    const Pair k1 = Tangent(turns), k2 = Tangent(turns + 0.5 * u * k1), k3 = Tangent(turns + 0.5 * u * k2),
               k4 = Tangent(turns + u * k3);
    return turns + u / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  static Pose At(const Pair& turns) {
    static const std::array<Vec3, 5> axes = {Vec3::UnitY(), Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
    static const std::array<Vec3, 5> rods = {Vec3::UnitX(), -Vec3::UnitY(), Vec3::UnitZ(), -Vec3::UnitX(),
                                             Vec3::UnitY()};
    constexpr double kSlender = 0.01 / 6, kAcross = 1.01 / 12;  // inertias of 1 kg, 1 m × 0.1 m × 0.1 m
    const Pair tangent = Tangent(turns);
    Pose pose;
    Mat3 turn = Mat3::Identity();
    Vec3 end(0, 0, 0), end_rate(0, 0, 0), angular(0, 0, 0);
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const double sign = i % 2 == 0 ? 1 : -1;
      const auto k = static_cast<Eigen::Index>(i % 2);
      angular += sign * tangent[k] * (turn * axes[i]);
      turn = turn * Eigen::AngleAxisd(sign * turns[k], axes[i]).toRotationMatrix();
      const Vec3 rod = turn * rods[i], rod_rate = angular.cross(rod);
      const Vec3 middle_rate = end_rate + 0.5 * rod_rate;
      const double along = angular.dot(rod);
      pose.inertia +=
          middle_rate.squaredNorm() + kAcross * angular.squaredNorm() + (kSlender - kAcross) * along * along;
      pose.potential += kGravity * (end + 0.5 * rod).y();
      end += rod;
      end_rate += rod_rate;
      if (i == 1) {
        pose.corner = end;
        pose.corner_rate = end_rate;
      }
    }
    return pose;
  }
};

}  // namespace

ReferencePath PendulumPath(double every, int count) { return Swing(1, {-std::numbers::pi / 2, 0}, every, count); }

ReferencePath FourBarRowPath(int windows, double every, int count) {
  // n + 1 uprights that turn and n tops that do not: ((n + 1)/3 + n) θ̈ = ((n + 1)/2 + n) g sin θ
  return Swing(((windows + 1) / 2.0 + windows) / ((windows + 1) / 3.0 + windows), {0, 1}, every, count);
}

ReferencePath BricardPath(double every, int count) {
  constexpr double kLength = 1e-3;  // of the central differences, which are of fourth order
  const auto rate = [](const VecX& y) {
    const BricardCurve::Pair turns = y.head<2>();
    const auto at = [&](double u) { return BricardCurve::At(BricardCurve::Along(turns, u)); };
    const BricardCurve::Pose near_ahead = at(kLength), near_behind = at(-kLength), far_ahead = at(2 * kLength),
                             far_behind = at(-2 * kLength);
    const auto slope = [&](double BricardCurve::Pose::*value) {
      return (8 * (near_ahead.*value - near_behind.*value) - (far_ahead.*value - far_behind.*value)) / (12 * kLength);
    };
    VecX change(3);
    change.head<2>() = y[2] * BricardCurve::Tangent(turns);
    change[2] = -(0.5 * slope(&BricardCurve::Pose::inertia) * y[2] * y[2] + slope(&BricardCurve::Pose::potential)) /
                BricardCurve::At(turns).inertia;
    return change;
  };
  const auto look = [](const VecX& y) {
    const BricardCurve::Pose pose = BricardCurve::At(y.head<2>());
    VecX values(6);
    values << pose.corner, y[2] * pose.corner_rate;
    return values;
  };
  return Integrate(VecX::Zero(3), 5e-4, every, count, rate, look);
}

ReferencePath GovernorPath(double every, int count) {
  constexpr double kArm = 0.05, kRod = 0.3, kBall = 5, kSlider = 3;  // [m, kg]
  constexpr double kStiffness = 8e5, kDamping = 4e4, kLength = 0.5;
  constexpr double kSlender = kRod * 2e-4 / 12, kAcross = kRod * (1 + 1e-4) / 12;
  constexpr double kSpinning = 0.3 * 2e-4 / 12 + kSlider * 0.02 / 12;  // shaft and slider about the axis
  // a rod at the angle α below the horizontal, about the axis
  const auto spin = [](double angle) {
    const double s = std::sin(angle), c = std::cos(angle);
    return kRod * std::pow(kArm + 0.5 * c, 2) + kBall * std::pow(kArm + c, 2) + kSlender * s * s + kAcross * c * c;
  };
  const auto spin_slope = [](double angle) {
    const double s = std::sin(angle), c = std::cos(angle);
    return -kRod * (kArm + 0.5 * c) * s - 2 * kBall * (kArm + c) * s + 2 * (kSlender - kAcross) * s * c;
  };
  constexpr double kHinge = kAcross + 0.25 * kRod + kBall;  // a rod about its hinge
  const double start = 30 * std::numbers::pi / 180;
  const double momentum = 2 * std::numbers::pi * (kSpinning + 2 * spin(start));  // about the axis, kept
  // α, α̇, s, ṡ
  const auto rate = [&](const VecX& y) {
    const double s = std::sin(y[0]), c = std::cos(y[0]), turning = momentum / (kSpinning + 2 * spin(y[0]));
    // from the slider's side, as far from the axis as the hinge, to the middle of the rod
    const double out = 0.5 * c, up = 1 - 0.5 * s - y[2], length = std::hypot(out, up);
    const double by_angle = (out * -0.5 * s + up * -0.5 * c) / length, by_height = -up / length;
    const double pull = kStiffness * (length - kLength) + kDamping * (by_angle * y[1] + by_height * y[3]);
    return VecX(Eigen::Vector4d(
        y[1],
        (0.5 * spin_slope(y[0]) * turning * turning + kGravity * (0.5 * kRod + kBall) * c - pull * by_angle) / kHinge,
        y[3], -kGravity - 2 * pull * by_height / kSlider));
  };
  const auto look = [](const VecX& y) { return VecX(y.tail(2)); };
  // dampers are faster than 10⁻⁴ s
  return Integrate(VecX(Eigen::Vector4d(start, 0, 0.5, 0)), 1e-5, every, count, rate, look);
}

RelativeError CompareWithReference(const ReferencePath& path, const ReferencePath& reference) {
  SLIPSTICK_CHECK(path.size() == reference.size() && path.size() > 1, "as many samples");
  RelativeError error;
  double sum = 0, count = 0;
  for (std::size_t k = 1; k < path.size(); ++k) {
    for (Eigen::Index i = 0; i < reference[k].size(); ++i) {
      const double known = reference[k][i];
      const double e = std::abs(path[k][i] - known) / std::max(std::abs(known), kThreshold);
      if (!(e <= error.most)) error.most = e;  // also what is not a number
      sum += e * e;
      count += 1;
    }
  }
  error.rms = std::sqrt(sum / count);
  return error;
}

}  // namespace slipstick::internal
