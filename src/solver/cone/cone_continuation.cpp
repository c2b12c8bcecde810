#include "slipstick/solver/cone/cone_continuation.h"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

constexpr int kMaxHalvings = 10;
// A cone narrower than this has no room for friction here; the caller's last Newton steps use the true μ.
constexpr double kNarrowCone = 1e-6;

struct Smooth {
  double value;
  double slope;
};

// max(0, x) rounded off: ½(x + √(x² + 4τ²)), written so that nothing cancels for x < 0.
Smooth SmoothPositivePart(double x, double tau) {
  const double root = std::hypot(x, 2 * tau);
  const double value = x > 0 ? 0.5 * (x + root) : 2 * tau * tau / (root - x);
  return {value, value / root};
}

// max(l, min(x, u)) rounded off.
Smooth SmoothClamp(double x, double lower, double upper, double tau) {
  Smooth result{x, 1};
  if (std::isfinite(lower)) {
    const Smooth above = SmoothPositivePart(x - lower, tau);
    result = {lower + above.value, above.slope};
  }
  if (std::isfinite(upper)) {
    const Smooth beyond = SmoothPositivePart(x - upper, tau);
    result = {result.value - beyond.value, result.slope - beyond.slope};
  }
  return result;
}

}  // namespace

ConeContinuation::ConeContinuation(int size)
    : u_(size), phi_(size), step_(size), trial_(size), jacobian_(size, size), factors_(size) {}

// In the coordinates r′ = A r, v′ = A⁻¹ v with A = diag(√μ, 1/√μ, 1/√μ) cone and dual cone are both |x_T| ≤ x_N, and
// its smoothed projection acts on the two spectral values z_N ± |z_T| of z = r′ − v′.
void ConeContinuation::ConeEquations(const DenseConeProgram& program, const ConeBlock& block, const VecX& r,
                                     double tau) {
  const int i = block.offset;
  const double mu = block.mu();
  const auto W_rows = program.W.middleRows<3>(i);
  if (mu < kNarrowCone) {
    const Smooth normal = SmoothPositivePart(r[i] - u_[i], tau);
    phi_[i] = r[i] - normal.value;
    phi_.segment<2>(i + 1) = r.segment<2>(i + 1);
    jacobian_.row(i) = normal.slope * W_rows.row(0);
    jacobian_(i, i) += 1 - normal.slope;
    jacobian_.middleRows<2>(i + 1).setZero();
    jacobian_.block<2, 2>(i + 1, i + 1).setIdentity();
    return;
  }
  const double root_mu = std::sqrt(mu);
  const Vec3 stretch(root_mu, 1 / root_mu, 1 / root_mu);  // A
  // v = u + s with s_N = μ √(|u_T|² + τ²), and V = ∂v/∂u
  Vec3 v = u_.segment<3>(i);
  Mat3 V = Mat3::Identity();
  if (program.non_associated) {
    const double speed = std::sqrt(v.tail<2>().squaredNorm() + tau * tau);
    V.block<1, 2>(0, 1) = mu / speed * v.tail<2>().transpose();
    v[0] += mu * speed;
  }
  const Vec3 z = stretch.cwiseProduct(r.segment<3>(i)) - v.cwiseQuotient(stretch);
  const double norm = std::hypot(z[1], z[2]);
  const Vec2 t = norm > 0 ? Vec2(z.tail<2>() / norm) : Vec2(1, 0);
  const Smooth high = SmoothPositivePart(z[0] + norm, tau), low = SmoothPositivePart(z[0] - norm, tau);
  const double mean = 0.5 * (high.slope + low.slope), half_difference = 0.5 * (high.slope - low.slope);
  // divided difference of the positive part; its limit is the slope
  const double across = norm > 1e-8 * tau ? (high.value - low.value) / (2 * norm) : mean;
  Mat3 slope;
  slope(0, 0) = mean;
  slope.block<1, 2>(0, 1) = half_difference * t.transpose();
  slope.block<2, 1>(1, 0) = half_difference * t;
  slope.bottomRightCorner<2, 2>() = across * Mat2::Identity() + (mean - across) * t * t.transpose();
  const Vec3 projected(0.5 * (high.value + low.value), 0.5 * (high.value - low.value) * t[0],
                       0.5 * (high.value - low.value) * t[1]);
  phi_.segment<3>(i) = stretch.cwiseProduct(r.segment<3>(i)) - projected;
  // Φ′ = A − P′ (A − A⁻¹ V W)
  const Mat3 onto_u = slope * stretch.cwiseInverse().asDiagonal() * V;
  jacobian_.middleRows<3>(i).noalias() = onto_u * W_rows;
  jacobian_.block<3, 3>(i, i) += (Mat3::Identity() - slope) * stretch.asDiagonal();
}

// Φ_τ and its Jacobian at r.
void ConeContinuation::Equations(const DenseConeProgram& program, const VecX& r, double tau) {
  u_.noalias() = program.W * r;
  u_ += program.q;
  for (const ConeBlock& block : program.blocks) {
    const int i = block.offset;
    if (block.kind == BlockKind::kCone) {
      ConeEquations(program, block, r, tau);
    } else if (block.kind == BlockKind::kDisk) {
      // P = z R/m with m = R + (|z| − R)₊ rounded off
      const Vec2 z = r.segment<2>(i) - u_.segment<2>(i);
      const double norm = z.norm(), radius = block.radius;
      Vec2 projected = z;
      Mat2 slope = Mat2::Identity();
      if (std::isfinite(radius)) {
        const Vec2 t = norm > 0 ? Vec2(z / norm) : Vec2(1, 0);
        const Smooth beyond = SmoothPositivePart(norm - radius, tau);
        const double shrink = radius / (radius + beyond.value);
        projected *= shrink;
        slope = shrink * (slope - t * t.transpose() * (norm * beyond.slope / (radius + beyond.value)));
      }
      phi_.segment<2>(i) = r.segment<2>(i) - projected;
      jacobian_.middleRows<2>(i).noalias() = slope * program.W.middleRows<2>(i);
      jacobian_.block<2, 2>(i, i) += Mat2::Identity() - slope;
    } else {
      const Smooth clamp = SmoothClamp(r[i] - u_[i], block.lower, block.upper, tau);
      phi_[i] = r[i] - clamp.value;
      jacobian_.row(i) = clamp.slope * program.W.row(i);
      jacobian_(i, i) += 1 - clamp.slope;
    }
  }
}

int ConeContinuation::Follow(const DenseConeProgram& program, double smallest, int max_steps, Point* point) {
  VecX& r = point->r;
  double& tau = point->tau;
  int steps = 0, steps_at_this_tau = 0;
  Equations(program, r, tau);
  while (steps < max_steps && tau > smallest) {
    factors_.compute(jacobian_);
    step_ = factors_.solve(phi_);
    if (!step_.allFinite()) return steps;
    ++steps;
    ++steps_at_this_tau;
    const double merit = phi_.norm();
    double length = 1;
    bool fell = false;
    for (int halving = 0; halving < kMaxHalvings && !fell; ++halving, length *= 0.5) {
      trial_ = r - length * step_;
      Equations(program, trial_, tau);
      fell = phi_.norm() < (1 - 1e-4 * length) * merit;
    }
    if (fell) {
      r = trial_;
    } else if (!(merit <= tau)) {
      return steps;
    }
    // near enough to the path: on with τ, the faster the easier this stretch was
    if (!fell || phi_.lpNorm<Eigen::Infinity>() <= 0.5 * tau) {
      tau *= steps_at_this_tau <= 2 ? 0.1 : steps_at_this_tau <= 4 ? 0.3 : 0.6;
      steps_at_this_tau = 0;
      Equations(program, r, tau);
    }
  }
  return steps;
}

}  // namespace slipstick::internal
