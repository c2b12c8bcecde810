#pragma once

#include <array>
#include <cmath>

// The sliding wheel written down from the laws of Newton and Euler with plain numbers, sharing nothing with the
// program. Wheel: mass 1 kg, moments 0.3, 0.6 (axle), 0.3 kg m², radius 0.5 m; μ = 0.3; g = 9.81 m/s².
//
// Axes F = Rz(ψ) Rx(θ) follow the wheel but do not spin with it: e₁ is horizontal, e₂ the axle, −e₃ points from the
// centre to the lowest point of the rim. With ω in F, Ω = (θ̇, ψ̇ sin θ, ψ̇ cos θ) the rotation of F, L = (Aω₁, Cω₂, Aω₃):
//   ω₁ = θ̇,  ω₂ = ψ̇ sin θ + φ̇,  ω₃ = ψ̇ cos θ,        L̇ + Ω × L = (−R e₃) × f = (R f₂, −R f₁, 0)
// The contact force is f = N (−μ c/|c|, 1) with c the sliding velocity of the rim's material point. N follows from the
// constraint z = R cos θ: z̈ = N/m − g = −R (θ̈ sin θ + θ̇² cos θ), in which θ̈ is linear in N.

namespace slipstick::internal::testing {

// x y z, ψ θ φ, ẋ ẏ ż, ω₁ ω₂ ω₃
using WheelState = std::array<double, 12>;

struct WheelRates {
  WheelState derivative;
  double normal_force;
  double slip_speed;
  double psi_rate, theta_rate, phi_rate;
};

inline WheelRates WheelEquations(const WheelState& s) {
  constexpr double kMass = 1, kA = 0.3, kC = 0.6, kRadius = 0.5, kMu = 0.3, kGravity = 9.81;
  const double sp = std::sin(s[3]), cp = std::cos(s[3]), st = std::sin(s[4]), ct = std::cos(s[4]);
  const double w1 = s[9], w2 = s[10], w3 = s[11];
  const double theta_rate = w1, psi_rate = w3 / ct, phi_rate = w2 - psi_rate * st;
  // sliding velocity: ẋ + ω × (−R e₃); in F that is (−R ω₂, R ω₁, 0)
  const double along_1 = -kRadius * w2, along_2 = kRadius * w1;
  const double cx = s[6] + along_1 * cp - along_2 * sp * ct, cy = s[7] + along_1 * sp + along_2 * cp * ct;
  const double speed = std::hypot(cx, cy);
  const double gx = -kMu * cx / speed, gy = -kMu * cy / speed;  // f = N (gx, gy, 1)
  const double g1 = gx * cp + gy * sp, g2 = -gx * sp * ct + gy * cp * ct + st;
  const double o1 = theta_rate, o2 = psi_rate * st, o3 = psi_rate * ct;
  const double l1 = kA * w1, l2 = kC * w2, l3 = kA * w3;
  const double gyro_1 = o2 * l3 - o3 * l2, gyro_2 = o3 * l1 - o1 * l3, gyro_3 = o1 * l2 - o2 * l1;
  // θ̈ = a + b N
  const double a = -gyro_1 / kA, b = kRadius * g2 / kA;
  const double normal = (kGravity - kRadius * (a * st + theta_rate * theta_rate * ct)) / (1 / kMass + kRadius * b * st);
  return {{s[6], s[7], s[8], psi_rate, theta_rate, phi_rate, normal * gx / kMass, normal * gy / kMass,
           normal / kMass - kGravity, a + b * normal, (-kRadius * g1 * normal - gyro_2) / kC, -gyro_3 / kA},
          normal,
          speed,
          psi_rate,
          theta_rate,
          phi_rate};
}

// Classical Runge–Kutta of fourth order from the paper's initial state.
inline WheelState IntegrateWheel(double until, int steps) {
  const double tilt = 20 * M_PI / 180, spin = -2, h = until / steps;
  WheelState s = {0, 0, 0.5 * std::cos(tilt), 0, tilt, 0, 6, 0, 0, 0, spin * std::sin(tilt), spin * std::cos(tilt)};
  const auto moved = [](const WheelState& from, const WheelState& rate, double by) {
    WheelState to;
    for (int i = 0; i < 12; ++i) to[i] = from[i] + by * rate[i];
    return to;
  };
  for (int k = 0; k < steps; ++k) {
    const WheelState k1 = WheelEquations(s).derivative, k2 = WheelEquations(moved(s, k1, h / 2)).derivative;
    const WheelState k3 = WheelEquations(moved(s, k2, h / 2)).derivative,
                     k4 = WheelEquations(moved(s, k3, h)).derivative;
    for (int i = 0; i < 12; ++i) s[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return s;
}

}  // namespace slipstick::internal::testing
