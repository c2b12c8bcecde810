#include "slipstick/math/trigonometric_polynomial.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "slipstick/base/check.h"

namespace slipstick::internal {
namespace {

constexpr int kMaxDegree = TrigonometricPolynomial::kMaxDegree;
constexpr int kCoefficients = 2 * kMaxDegree + 1;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Coefficients of a polynomial in t, lowest power first.
using Power = std::array<double, kCoefficients>;

constexpr Power Multiply(const Power& p, const Power& q) {
  Power product{};
  for (int i = 0; i < kCoefficients; ++i)
    for (int j = 0; i + j < kCoefficients; ++j) product[i + j] += p[i] * q[j];
  return product;
}

// With t = tan(θ/2):  cos kθ (1+t²)ⁿ  and  sin kθ (1+t²)ⁿ, k ≤ n, as polynomials in t of degree 2n; [n][k].
struct HalfAngleTable {
  std::array<std::array<Power, kMaxDegree + 1>, kMaxDegree + 1> cosine{}, sine{};

  constexpr HalfAngleTable() {
    cosine[0][0][0] = 1;
    const Power c{1, 0, -1}, s{0, 2}, weight{1, 0, 1};
    for (int n = 1; n <= kMaxDegree; ++n) {
      for (int k = 0; k < n; ++k) {
        cosine[n][k] = Multiply(cosine[n - 1][k], weight);
        sine[n][k] = Multiply(sine[n - 1][k], weight);
      }
      // angle addition: cos nθ = cos (n−1)θ cos θ − sin (n−1)θ sin θ and so on
      const Power cc = Multiply(cosine[n - 1][n - 1], c), ss = Multiply(sine[n - 1][n - 1], s);
      const Power sc = Multiply(sine[n - 1][n - 1], c), cs = Multiply(cosine[n - 1][n - 1], s);
      for (int i = 0; i < kCoefficients; ++i) {
        cosine[n][n][i] = cc[i] - ss[i];
        sine[n][n][i] = sc[i] + cs[i];
      }
    }
  }
};
constexpr HalfAngleTable kHalfAngle;

double Evaluate(const Power& p, int degree, double t) {
  double value = p[degree];
  for (int i = degree - 1; i >= 0; --i) value = value * t + p[i];
  return value;
}

// The root of p between a and b, where p has opposite signs: Newton from the last point, bisection where it leaves the
// bracket or converges slowly.
double BracketedRoot(const Power& p, const Power& derivative, int degree, double a, double b, double p_a) {
  double t = 0.5 * (a + b);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double value = Evaluate(p, degree, t);
    if (value == 0) return t;
    if ((value < 0) == (p_a < 0)) {
      a = t;
    } else {
      b = t;
    }
    const double slope = Evaluate(derivative, degree - 1, t);
    double next = t - value / slope;
    if (!(next > a && next < b)) next = 0.5 * (a + b);
    // an interval that Newton shortens from one side only is cut every fourth time
    if (iteration % 4 == 3) next = 0.5 * (a + b);
    if (std::abs(next - t) <= kEpsilon * (1 + std::abs(t)) && iteration % 4 != 3) return next;
    if (b - a <= 2 * kEpsilon) return next;
    t = next;
  }
  return t;
}

// Roots in increasing order; the room above the degree is for a double root that rounding shows as several.
struct RootList {
  static constexpr int kRoom = 2 * kCoefficients;
  std::array<double, kRoom> values{};
  int count = 0;
  void Add(double t) {
    if (count < kRoom) values[count++] = t;
  }
};

// Roots of p in [−limit, limit]: between two neighbouring roots of p′ there is at most one, so the roots of p^(n−1),
// p^(n−2) … are found one after the other, each by bracketing. No root can be lost, however p is conditioned.
RootList RootsInInterval(const Power& p, int degree, double limit) {
  std::array<Power, kCoefficients> derivatives;
  derivatives[0] = p;
  for (int order = 1; order <= degree; ++order) {
    derivatives[order] = {};
    for (int i = 0; i + 1 < kCoefficients; ++i) derivatives[order][i] = (i + 1) * derivatives[order - 1][i + 1];
  }
  RootList turning;  // roots of the derivative one order above
  for (int order = degree - 1; order >= 0; --order) {
    const Power& poly = derivatives[order];
    const int poly_degree = degree - order;
    double magnitude = 0;
    for (double coefficient : poly) magnitude += std::abs(coefficient);
    const double tiny = 16 * kEpsilon * magnitude;
    RootList roots;
    double a = -limit, p_a = Evaluate(poly, poly_degree, a);
    for (int i = 0; i <= turning.count; ++i) {
      const bool is_last = i == turning.count;
      const double b = is_last ? limit : turning.values[i];
      const double p_b = Evaluate(poly, poly_degree, b);
      if ((p_a < 0) != (p_b < 0) && p_a != 0) {
        roots.Add(p_b == 0 ? b : BracketedRoot(poly, derivatives[order + 1], poly_degree, a, b, p_a));
      } else if (!is_last && std::abs(p_b) <= tiny) {
        roots.Add(b);  // touches zero at a turning point
      }
      a = b;
      p_a = p_b;
    }
    turning = roots;
  }
  return turning;
}

}  // namespace

TrigonometricPolynomial TrigonometricPolynomial::Cosine() {
  TrigonometricPolynomial p;
  p.degree_ = 1;
  p.cosine_[1] = 1;
  return p;
}

TrigonometricPolynomial TrigonometricPolynomial::Sine() {
  TrigonometricPolynomial p;
  p.degree_ = 1;
  p.sine_[1] = 1;
  return p;
}

TrigonometricPolynomial TrigonometricPolynomial::operator+(const TrigonometricPolynomial& other) const {
  TrigonometricPolynomial sum = *this;
  sum.degree_ = std::max(degree_, other.degree_);
  for (int k = 0; k <= other.degree_; ++k) {
    sum.cosine_[k] += other.cosine_[k];
    sum.sine_[k] += other.sine_[k];
  }
  return sum;
}

TrigonometricPolynomial TrigonometricPolynomial::operator-(const TrigonometricPolynomial& other) const {
  return *this + other * -1.0;
}

TrigonometricPolynomial TrigonometricPolynomial::operator*(double factor) const {
  TrigonometricPolynomial product = *this;
  for (int k = 0; k <= degree_; ++k) {
    product.cosine_[k] *= factor;
    product.sine_[k] *= factor;
  }
  return product;
}

TrigonometricPolynomial TrigonometricPolynomial::operator*(const TrigonometricPolynomial& other) const {
  SLIPSTICK_CHECK(degree_ + other.degree_ <= kMaxDegree, "the product has more harmonics than are stored");
  TrigonometricPolynomial product;
  product.degree_ = degree_ + other.degree_;
  for (int i = 0; i <= degree_; ++i) {
    for (int j = 0; j <= other.degree_; ++j) {
      // cos i cos j = ½(cos(i−j) + cos(i+j)), sin i sin j = ½(cos(i−j) − cos(i+j)), sin i cos j = ½(sin(i+j) +
      // sin(i−j))
      const double cc = 0.5 * cosine_[i] * other.cosine_[j], ss = 0.5 * sine_[i] * other.sine_[j];
      const double sc = 0.5 * sine_[i] * other.cosine_[j], cs = 0.5 * cosine_[i] * other.sine_[j];
      const int difference = std::abs(i - j);
      const double sign = i < j ? -1.0 : 1.0;  // sin is odd in i − j
      product.cosine_[i + j] += cc - ss;
      product.cosine_[difference] += cc + ss;
      product.sine_[i + j] += sc + cs;
      product.sine_[difference] += sign * (sc - cs);
    }
  }
  product.sine_[0] = 0;
  return product;
}

double TrigonometricPolynomial::At(double angle) const {
  double value = cosine_[0];
  for (int k = 1; k <= degree_; ++k) value += cosine_[k] * std::cos(k * angle) + sine_[k] * std::sin(k * angle);
  return value;
}

double TrigonometricPolynomial::DerivativeAt(double angle) const {
  double value = 0;
  for (int k = 1; k <= degree_; ++k) value += k * (sine_[k] * std::cos(k * angle) - cosine_[k] * std::sin(k * angle));
  return value;
}

double TrigonometricPolynomial::Magnitude() const {
  double sum = 0;
  for (int k = 0; k <= degree_; ++k) sum += std::abs(cosine_[k]) + std::abs(sine_[k]);
  return sum;
}

TrigonometricPolynomial::Angles TrigonometricPolynomial::Roots() const {
  Angles angles;
  const double magnitude = Magnitude();
  if (!(magnitude > 0) || !std::isfinite(magnitude)) return angles;
  std::array<double, 2 * RootList::kRoom> found{};
  int found_count = 0;
  // Each half of the circle is mapped by t = tan(θ/2) on [−1, 1], where powers of t are well scaled. The halves overlap
  // a little, so that a root on their border is not lost to rounding.
  constexpr double kLimit = 1.01;
  for (int half = 0; half < 2; ++half) {
    Power p{};
    for (int k = 0; k <= degree_; ++k) {
      // θ → θ + π turns the sign of the odd harmonics; normalized so that nothing under- or overflows below
      const double sign = (half == 1 && k % 2 == 1 ? -1.0 : 1.0) / magnitude;
      const Power& cosine = kHalfAngle.cosine[degree_][k];
      const Power& sine = kHalfAngle.sine[degree_][k];
      for (int i = 0; i < kCoefficients; ++i) p[i] += sign * (cosine_[k] * cosine[i] + sine_[k] * sine[i]);
    }
    const RootList roots = RootsInInterval(p, 2 * degree_, kLimit);
    for (int i = 0; i < roots.count; ++i) {
      double angle = 2 * std::atan(roots.values[i]) + (half == 1 ? std::numbers::pi : 0.0);
      // one Newton step on F itself takes out the rounding of the change of variable
      const double value = At(angle), slope = DerivativeAt(angle);
      if (std::abs(slope) > 1e-6 * magnitude) {
        const double refined = angle - value / slope;
        if (std::abs(At(refined)) < std::abs(value)) angle = refined;
      }
      if (angle > std::numbers::pi) angle -= 2 * std::numbers::pi;
      found[found_count++] = angle;
    }
  }
  std::sort(found.begin(), found.begin() + found_count);
  constexpr double kSame = 1e-11;  // two names for one root, not two roots
  for (int i = 0; i < found_count && angles.count < static_cast<int>(angles.values.size()); ++i) {
    if (angles.count > 0 && found[i] - angles.values[angles.count - 1] < kSame) continue;
    if (angles.count > 0 && angles.values[0] + 2 * std::numbers::pi - found[i] < kSame) continue;
    angles.values[angles.count++] = found[i];
  }
  return angles;
}

}  // namespace slipstick::internal
