#include "slipstick/solver/cone/cone_equations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/math/cone_projection.h"

namespace slipstick::internal {
namespace {

// A cone narrower than this has no room for friction in the self-dual coordinates.
constexpr double kNarrowCone = 1e-6;

void IntervalEquation(const ConeBlock& block, double x, double u, BlockEquation* out) {
  const double z = x - u;
  const bool inside = block.kind == BlockKind::kFree || (z > block.lower && z < block.upper);
  out->phi[0] = inside ? u : x - std::clamp(z, block.lower, block.upper);
  out->by_x(0, 0) = inside ? 0 : 1;
  out->by_u(0, 0) = inside ? 1 : 0;
}

// Φ = x − z R/|z| outside the disk and u inside, z = x − u, on `rows` rows from `first` on; returns the direction of z
// outside, by which Φ changes with R, and zero inside.
ContactVector DiskEquation(double radius, int first, int rows, const double* x, const double* u, BlockEquation* out) {
  ContactVector z(rows);
  for (int i = 0; i < rows; ++i) z[i] = x[first + i] - u[first + i];
  const double norm = z.norm();
  if (norm <= radius) {
    for (int i = 0; i < rows; ++i) {
      out->phi[first + i] = u[first + i];
      out->by_u(first + i, first + i) = 1;
    }
    return ContactVector::Zero(rows);
  }
  const ContactVector t = z / norm;
  const ContactMatrix turn = radius / norm * (ContactMatrix::Identity(rows, rows) - t * t.transpose());
  for (int i = 0; i < rows; ++i) {
    out->phi[first + i] = x[first + i] - radius * t[i];
    for (int j = 0; j < rows; ++j) {
      out->by_x(first + i, first + j) = (i == j ? 1.0 : 0.0) - turn(i, j);
      out->by_u(first + i, first + j) = turn(i, j);
    }
  }
  return t;
}

void AlartCurnier(const FrictionCone& cone, const double* x, const double* u, BlockEquation* out) {
  const double z_n = x[0] - u[0];
  if (z_n <= 0) {
    for (int i = 0; i < cone.rows(); ++i) out->phi[i] = x[i];
    out->by_x.diagonal().setOnes();
    out->open = true;
    return;
  }
  out->phi[0] = u[0];
  out->by_u(0, 0) = 1;
  int first = 1;
  for (int k = 0; k < cone.part_count; ++k) {
    const int rows = cone.parts[k].rows;
    const double c = cone.parts[k].limit;
    const ContactVector t = DiskEquation(c * z_n, first, rows, x, u, out);
    for (int i = 0; i < rows; ++i) {
      out->by_x(first + i, 0) = -c * t[i];
      out->by_u(first + i, 0) = c * t[i];
    }
    first += rows;
  }
}

void NaturalMap(const FrictionCone& cone, const double* x, const double* u, BlockEquation* out) {
  const int rows = cone.rows();
  ContactVector z(rows), projected(rows);
  for (int i = 0; i < rows; ++i) z[i] = x[i] - u[i];
  ProjectOnFrictionCone(cone, z.data(), projected.data());
  const ContactMatrix slope = FrictionConeJacobian(cone, z.data());
  for (int i = 0; i < rows; ++i) out->phi[i] = x[i] - projected[i];
  out->open = slope.isZero(0);
  out->by_x = ContactMatrix::Identity(rows, rows) - slope;
  out->by_u = slope;
}

Mat3 Arrow(const Vec3& x) {
  Mat3 arrow = x[0] * Mat3::Identity();
  arrow.row(0).tail<2>() = x.tail<2>();
  arrow.col(0).tail<2>() = x.tail<2>();
  return arrow;
}

// In the coordinates X = A x, V = A⁻¹ (u + s) with A = diag(√μ, 1/√μ, 1/√μ) cone and dual cone are both |X_T| ≤ X_N.
// The root has the spectral values √λ₁, √λ₂ of what stands under it.
void FischerBurmeister(double mu, bool non_associated, const double* x, const double* u, BlockEquation* out) {
  const double root_mu = std::sqrt(mu);
  const Vec3 stretch(root_mu, 1 / root_mu, 1 / root_mu);
  Vec3 v(u[0], u[1], u[2]);
  Mat3 v_by_u = Mat3::Identity();
  const double speed = std::hypot(u[1], u[2]);
  if (non_associated && speed > 0) {
    v[0] += mu * speed;
    v_by_u.row(0).tail<2>() = mu / speed * v.tail<2>();
  }
  const Vec3 X = stretch.cwiseProduct(Vec3(x[0], x[1], x[2])), V = v.cwiseQuotient(stretch);
  const double sum = X.squaredNorm() + V.squaredNorm();
  const Vec2 side = 2 * (X[0] * X.tail<2>() + V[0] * V.tail<2>());
  const double norm = side.norm();
  const Vec2 t = norm > 0 ? Vec2(side / norm) : Vec2(1, 0);
  const double high = std::sqrt(sum + norm), low = std::sqrt(std::max(sum - norm, 0.0));
  const Vec3 root(0.5 * (high + low), 0.5 * (high - low) * t[0], 0.5 * (high - low) * t[1]);
  out->phi = root - X - V;
  // L_root is singular where the root lies on the cone: an element of the generalized Jacobian by a nudge inwards
  const Vec3 nudged = root + Vec3(1e-12 * (high + std::numeric_limits<double>::min()), 0, 0);
  const Mat3 inverse = Arrow(nudged).inverse();
  out->by_x = (inverse * Arrow(X) - Mat3::Identity()) * stretch.asDiagonal();
  out->by_u = (inverse * Arrow(V) - Mat3::Identity()) * stretch.cwiseInverse().asDiagonal() * v_by_u;
}

}  // namespace

void EvaluateBlock(const ConeBlock& block, bool non_associated, ConeFormulation formulation, const double* x,
                   const double* u, BlockEquation* out) {
  const int rows = block.rows();
  out->phi.setZero(rows);
  out->by_x.setZero(rows, rows);
  out->by_u.setZero(rows, rows);
  out->open = false;
  switch (block.kind) {
    case BlockKind::kFree:
    case BlockKind::kInterval:
      return IntervalEquation(block, x[0], u[0], out);
    case BlockKind::kDisk:
      DiskEquation(block.radius, 0, 2, x, u, out);
      return;
    case BlockKind::kCone:
      break;
  }
  if (formulation == ConeFormulation::kFischerBurmeister && block.cone.is_sliding_only() && block.mu() >= kNarrowCone) {
    return FischerBurmeister(block.mu(), non_associated, x, u, out);
  }
  if (non_associated) return AlartCurnier(block.cone, x, u, out);
  NaturalMap(block.cone, x, u, out);
}

}  // namespace slipstick::internal
