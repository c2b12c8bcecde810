#pragma once

#include <array>

namespace slipstick::internal {

// F(θ) = a_0 + Σ_{k=1..n} a_k cos kθ + b_k sin kθ with n ≤ 3. Conditions on the direction d = (cos θ, sin θ) of a
// sliding contact are such polynomials: they are built from Cosine() and Sine() with + − *, like the formula they come
// from.
class TrigonometricPolynomial {
 public:
  static constexpr int kMaxDegree = 3;

  TrigonometricPolynomial(double constant = 0) { cosine_[0] = constant; }  // NOLINT: a number is a polynomial
  static TrigonometricPolynomial Cosine();
  static TrigonometricPolynomial Sine();

  TrigonometricPolynomial operator+(const TrigonometricPolynomial& other) const;
  TrigonometricPolynomial operator-(const TrigonometricPolynomial& other) const;
  // The degrees must not sum up to more than kMaxDegree.
  TrigonometricPolynomial operator*(const TrigonometricPolynomial& other) const;
  TrigonometricPolynomial operator*(double factor) const;

  int degree() const { return degree_; }
  double At(double angle) const;
  double DerivativeAt(double angle) const;
  // Σ |a_k| + |b_k|: bounds |F|, and eps times it bounds the rounding error.
  double Magnitude() const;

  // All angles in (−π, π] with F = 0, in increasing order; at most 2n are distinct. A place where F touches zero within
  // rounding counts too, and may come as two or three roots some √eps apart. Empty for F ≡ 0, of which every angle is a
  // root.
  struct Angles {
    std::array<double, 4 * kMaxDegree> values{};
    int count = 0;
    const double* begin() const { return values.data(); }
    const double* end() const { return values.data() + count; }
  };
  Angles Roots() const;

 private:
  int degree_ = 0;
  std::array<double, kMaxDegree + 1> cosine_{};  // a_k
  std::array<double, kMaxDegree + 1> sine_{};    // b_k; b_0 = 0
};

inline TrigonometricPolynomial operator*(double factor, const TrigonometricPolynomial& p) { return p * factor; }

}  // namespace slipstick::internal
