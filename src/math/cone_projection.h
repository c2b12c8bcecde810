#pragma once

#include "slipstick/base/eigen.h"

// Euclidean projections on the sets in which contact impulses live, and their generalized Jacobians. Vectors of a
// contact have the normal component first: r = (r_N, r_T).

namespace slipstick::internal {

// Nearest point of the friction cone K = {|r_T| ≤ μ r_N}, μ ≥ 0 finite; μ = 0 is the half-line of normal impulses.
Vec3 ProjectOnCone(const Vec3& z, double mu);

// Nearest point of the dual cone K* = {u_N ≥ μ|u_T|}. By Moreau z = P_K*(z) − P_K(−z).
Vec3 ProjectOnDualCone(const Vec3& z, double mu);

// Nearest point of the polar cone K° = −K*.
Vec3 ProjectOnPolarCone(const Vec3& z, double mu);

// Nearest point of the disk |r| ≤ radius; the radius may be infinite.
Vec2 ProjectOnDisk(const Vec2& z, double radius);

// One element of the generalized (Clarke) Jacobian ∂P/∂z: the derivative where P is smooth, the limit from one of the
// sides on the border between two pieces. Symmetric with eigenvalues in [0, 1].
Mat3 ConeProjectionJacobian(const Vec3& z, double mu);
Mat2 DiskProjectionJacobian(const Vec2& z, double radius);

}  // namespace slipstick::internal
