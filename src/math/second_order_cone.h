#pragma once

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// The self-dual second-order cone {y ∈ R³ : |(y_1, y_2)| ≤ y_0} and its Jordan algebra, as an interior point method
// needs them. Cones of dimension 1 and 2 are the same with zeros behind.

// (y_0 − |y_T|)(y_0 + |y_T|): positive just inside.
double ConeDeterminant(const Vec3& y);
// a ∘ b = (aᵀb, a_0 b_T + b_0 a_T), and the x with a ∘ x = b for a inside the cone.
Vec3 JordanProduct(const Vec3& a, const Vec3& b);
Vec3 JordanQuotient(const Vec3& a, const Vec3& b);
// The largest t with y + t d in the cone, for y inside; infinite where there is none.
double StepToBorder(const Vec3& y, const Vec3& d);

// The symmetric V of Nesterov & Todd with V z = V⁻¹ y = λ for y, z inside the cone: V = η Q(w)^½ with wᵀJw = 1.
struct NesterovToddScaling {
  double eta = 1;
  Vec3 w = Vec3::UnitX();
  Vec3 lambda = Vec3::UnitX();

  static NesterovToddScaling Of(const Vec3& y, const Vec3& z);
  Vec3 Apply(const Vec3& x) const;         // V x
  Vec3 ApplyInverse(const Vec3& x) const;  // V⁻¹ x
  Mat3 Square() const;                     // V² = η² (2 w wᵀ − J), J = diag(1, −1, −1)
  Vec3 SquareColumn() const;               // the first of V²
  Mat3 InverseSquare() const;              // V⁻² = (2 (Jw)(Jw)ᵀ − J)/η²
  Mat2 InverseAcross() const;              // of the last two rows and columns of V⁻²
};

}  // namespace slipstick::internal
