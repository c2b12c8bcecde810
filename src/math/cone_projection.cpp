#include "slipstick/math/cone_projection.h"

#include <cmath>

namespace slipstick::internal {
namespace {

enum class Piece { kInside, kPolar, kSurface };

// The point stays, goes to the apex, or goes to the cone's surface.
Piece PieceOf(const Vec3& z, double tangential, double mu) {
  // the apex first: for μ = 0 a point below it on the axis meets both conditions
  if (z[0] <= 0 && mu * tangential <= -z[0]) return Piece::kPolar;
  if (tangential <= mu * z[0]) return Piece::kInside;
  return Piece::kSurface;
}

// hypot: no overflow and no loss of tiny vectors
double TangentialNorm(const Vec3& z) { return std::hypot(z[1], z[2]); }

}  // namespace

Vec3 ProjectOnCone(const Vec3& z, double mu) {
  const double tangential = TangentialNorm(z);
  switch (PieceOf(z, tangential, mu)) {
    case Piece::kInside:
      return z;
    case Piece::kPolar:
      return Vec3::Zero();
    case Piece::kSurface:
      break;
  }
  // foot of the perpendicular on the generator (1, μ t), t = z_T/|z_T|
  const double normal = (z[0] + mu * tangential) / (1 + mu * mu);
  // |z_T| = 0 is inside or polar, unless μ = 0, where nothing tangential remains
  const double scale = tangential > 0 ? mu * normal / tangential : 0.0;
  return {normal, scale * z[1], scale * z[2]};
}

Vec3 ProjectOnDualCone(const Vec3& z, double mu) { return z + ProjectOnCone(-z, mu); }

Vec3 ProjectOnPolarCone(const Vec3& z, double mu) { return z - ProjectOnCone(z, mu); }

Vec2 ProjectOnDisk(const Vec2& z, double radius) {
  const double norm = std::hypot(z[0], z[1]);
  if (norm <= radius) return z;
  return z * (radius / norm);
}

Mat3 ConeProjectionJacobian(const Vec3& z, double mu) {
  const double tangential = TangentialNorm(z);
  switch (PieceOf(z, tangential, mu)) {
    case Piece::kInside:
      return Mat3::Identity();
    case Piece::kPolar:
      return Mat3::Zero();
    case Piece::kSurface:
      break;
  }
  Mat3 jacobian = Mat3::Zero();
  if (!(tangential > 0)) {
    jacobian(0, 0) = 1;
    return jacobian;
  }
  // P = n (1, μ t):  ∂P = (1, μt)(1, μt)ᵀ/(1 + μ²) + μ n/|z_T| (I − t tᵀ) on the tangential rows
  const Vec2 t = z.tail<2>() / tangential;
  const Vec3 generator(1, mu * t[0], mu * t[1]);
  const double normal = (z[0] + mu * tangential) / (1 + mu * mu);
  jacobian = generator * generator.transpose() / (1 + mu * mu);
  jacobian.bottomRightCorner<2, 2>() += mu * normal / tangential * (Mat2::Identity() - t * t.transpose());
  return jacobian;
}

Mat2 DiskProjectionJacobian(const Vec2& z, double radius) {
  const double norm = std::hypot(z[0], z[1]);
  if (norm <= radius) return Mat2::Identity();
  const Vec2 t = z / norm;
  return radius / norm * (Mat2::Identity() - t * t.transpose());
}

}  // namespace slipstick::internal
