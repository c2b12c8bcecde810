#include "slipstick/math/free_rotation.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {

// Three numbers that stay in registers. A Vec3 goes by way of the memory between one operation and the next, which
// would make the whole a quarter slower.
struct Triple {
  double x, y, z;

  double dot(const Triple& b) const { return x * b.x + y * b.y + z * b.z; }
  double squaredNorm() const { return dot(*this); }
  Triple cross(const Triple& b) const { return {y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x}; }
  Triple cwiseProduct(const Triple& b) const { return {x * b.x, y * b.y, z * b.z}; }
  friend Triple operator+(const Triple& a, const Triple& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Triple operator-(const Triple& a, const Triple& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Triple operator*(double a, const Triple& b) { return {a * b.x, a * b.y, a * b.z}; }
};

// A unit quaternion (w, vec) by what it differs from 1: all that is added to a state is small where the turn is. An
// error of rounding that is the same in every step would add up over a million of them.
struct FreeTurn {
  double w_less_one;
  Triple vec;

  // R v − v, where |v| is kept though the length of the quaternion is not quite one.
  Triple Change(const Triple& v) const {
    const double excess = w_less_one * (2 + w_less_one) + vec.squaredNorm();  // of the squared length
    Triple across = 2 * vec.cross(v);
    across = across - excess * across;
    return (1 + w_less_one) * across + vec.cross(across);
  }
};

namespace {

Triple FromEigen(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

constexpr double kEqual = 1e-14;       // moments that differ by less, over the largest, differ by rounding alone
constexpr double kLargestPart = 0.25;  // [rad] what the series below are cut for
constexpr double kMostParts = 1 << 14;

// a ∘ b
FreeTurn operator*(const FreeTurn& a, const FreeTurn& b) {
  const double w = 1 + a.w_less_one;
  return {a.w_less_one + (w * b.w_less_one - a.vec.dot(b.vec)),
          a.vec + (w * b.vec + b.w_less_one * a.vec + a.vec.cross(b.vec))};
}

// |(w, v)|² − 1 of what is of unit length but for rounding. A sum near 1 would be cut to the last digit of 1, which is
// the same cut in every step.
double Excess(double w, const Triple& v) { return ((w * w + v.x * v.x) - 0.5) + ((v.y * v.y + v.z * v.z) - 0.5); }

// What is of unit length but for rounding, brought nearer to it.
Quat Normalized(double w, const Triple& v) {
  const double missing = -0.5 * Excess(w, v);
  return Quat(w + missing * w, v.x + missing * v.x, v.y + missing * v.y, v.z + missing * v.z);
}

// q after a turn about world axes.
Quat TurnedInWorld(const Quat& q, const FreeTurn& turn) {
  const Triple v = FromEigen(q.vec());
  return Normalized(q.w() + (turn.w_less_one * q.w() - turn.vec.dot(v)),
                    v + (q.w() * turn.vec + turn.w_less_one * v + turn.vec.cross(v)));
}

// Principal axes in the world, R_WP = R_WB R_BP, by quaternions. These are orthogonal but for rounding that differs
// from pose to pose, where that of a matrix R_BP would be the same in every step.
class PrincipalFrame {
 public:
  PrincipalFrame(const Quat& body, double axes_w, const Vec3& axes)
      : body_w_(body.w()), axes_w_(axes_w), body_(FromEigen(body.vec())), axes_(FromEigen(axes)) {
    w_ = body_w_ * axes_w_ - body_.dot(axes_);
    vec_ = body_w_ * axes_ + axes_w_ * body_ + body_.cross(axes_);
    const double excess = Excess(w_, vec_);
    shortening_ = excess * (1 - excess);
  }
  Triple ToWorld(const Triple& v) const { return Rotated(w_, v); }
  Triple FromWorld(const Triple& v) const { return Rotated(-w_, v); }
  // R_WB after a turn about the principal axes
  Quat TurnedBody(const FreeTurn& turn) const {
    const double w = w_ * turn.w_less_one - vec_.dot(turn.vec);
    const Triple v = w_ * turn.vec + turn.w_less_one * vec_ + vec_.cross(turn.vec);
    return Normalized(body_w_ + (w * axes_w_ + v.dot(axes_)), body_ + (axes_w_ * v - w * axes_ - v.cross(axes_)));
  }

 private:
  Triple Rotated(double w, const Triple& v) const {
    Triple across = 2 * vec_.cross(v);
    across = across - shortening_ * across;
    return v + (w * across + vec_.cross(across));
  }

  double body_w_, axes_w_, w_, shortening_;
  Triple body_, axes_, vec_;
};

// By the vector θ of which half is given.
FreeTurn TurnBy(const Triple& half) {
  const double z = half.squaredNorm();
  if (z < 0.04) {
    constexpr double kS3 = 1.0 / 6, kS5 = 1.0 / 120, kS7 = 1.0 / 5040, kS9 = 1.0 / 362880, kS11 = 1.0 / 39916800;
    constexpr double kC4 = 1.0 / 24, kC6 = 1.0 / 720, kC8 = 1.0 / 40320, kC10 = 1.0 / 3628800;
    return {-z * (0.5 - z * (kC4 - z * (kC6 - z * (kC8 - z * kC10)))),
            (1 - z * (kS3 - z * (kS5 - z * (kS7 - z * (kS9 - z * kS11))))) * half};
  }
  const double angle = std::sqrt(z);
  return {std::cos(angle) - 1, std::sin(angle) / angle * half};
}

// tan(x)/x from x² up to 0.04
double ScaledTangent(double z) {
  constexpr double kC3 = 1.0 / 3, kC5 = 2.0 / 15, kC7 = 17.0 / 315, kC9 = 62.0 / 2835, kC11 = 1382.0 / 155925,
                   kC13 = 21844.0 / 6081075;
  return 1 + z * (kC3 + z * (kC5 + z * (kC7 + z * (kC9 + z * (kC11 + z * kC13)))));
}

// (F5): s/τ from p = (A₁ + A₃) τ² and q = A₁A₃ τ⁴.
double ScaledSine(double p, double q) {
  constexpr double kC3 = 1.0 / 6, kC5 = 1.0 / 120, kC7 = 1.0 / 5040, kC9 = 1.0 / 362880, kC11 = 1.0 / 39916800;
  const double p2 = p * p, q2 = q * q;
  const double c5 = p2 + 12 * q;
  const double c7 = p * (p2 + 132 * q);
  const double c9 = p2 * (p2 + 1224 * q) + 3024 * q2;
  const double c11 = p * (p2 * (p2 + 11064 * q) + 132624 * q2);
  return 1 - (kC3 * p - (kC5 * c5 - (kC7 * c7 - (kC9 * c9 - kC11 * c11))));
}

// (F7): the integral over s³, from p = (A₁ + A₃) s², q = A₁A₃ s⁴ and ν s². The inverse root is Σ rₙ with
// n rₙ = (n − ½) p rₙ₋₁ − (n − 1) q rₙ₋₂, the whole integrand Σ fₙ with fₙ = rₙ + ν fₙ₋₁.
double ScaledIntegral(double p, double q, double nu) {
  const double r1 = 0.5 * p, f1 = r1 + nu;
  const double r2 = 0.75 * p * r1 - 0.5 * q, f2 = r2 + nu * f1;
  const double r3 = (5.0 / 6) * p * r2 - (2.0 / 3) * q * r1, f3 = r3 + nu * f2;
  const double r4 = 0.875 * p * r3 - 0.75 * q * r2, f4 = r4 + nu * f3;
  const double r5 = 0.9 * p * r4 - 0.8 * q * r3, f5 = r5 + nu * f4;
  const double r6 = (11.0 / 12) * p * r5 - (5.0 / 6) * q * r4, f6 = r6 + nu * f5;
  return 1.0 / 3 + (f1 * (1.0 / 5) +
                    (f2 * (1.0 / 7) + (f3 * (1.0 / 9) + (f4 * (1.0 / 11) + (f5 * (1.0 / 13) + f6 * (1.0 / 15))))));
}

// Of a length nearer to 1 than rounding of each component by itself leaves it, mostly by far: what the large ones lack
// goes to the last digits of the small ones. The quaternion of the principal axes comes into every step, and what its
// length lacks would add up.
Quat OfUnitLength(const Quat& q) {
  Vec4 best = q.normalized().coeffs();
  const auto excess = [](const Vec4& v) { return v.cast<long double>().squaredNorm() - 1; };
  int order[] = {0, 1, 2, 3};
  std::sort(order, order + 4, [&](int a, int b) { return std::abs(best[a]) > std::abs(best[b]); });
  for (const int i : order) {
    Vec4 next = best;
    next[i] -= best[i] == 0 ? 0 : static_cast<double>(excess(best) / (2 * best[i]));
    if (std::abs(excess(next)) < std::abs(excess(best)) && std::abs(next[i] - best[i]) < 1e-15) best = next;
  }
  return Quat(best);
}

}  // namespace

// (F3), (F4)
struct FreeRotation::Orbit {
  double y1, y3, norm, rate1, rate3, nu;
  double mean_spin;  // 2E/|L|
  double pole;       // 2E/|L|² − 1/I₂, times |L|

  double fastest_squared() const { return std::max({rate1, rate3, nu, mean_spin * mean_spin}); }
};

// (F6) and (F8), principal axes
struct FreeRotation::Part {
  Triple products;   // s a C: factors of products of two components
  Triple to_middle;  // factors of a component, less 1
  double pole;       // s² a₁a₃
  Triple rodrigues;  // factors of the momentum in the middle

  // Adds the change of the momentum m + change, and returns the turn.
  FreeTurn Pass(const Triple& m, Triple* change) const {
    const Triple start = m + *change;
    const double start_pole = pole * start.y * start.y;
    const Triple middle = start + (1 / (1 - start_pole)) * (Scaled(start, start_pole) + Products(start));
    *change = *change + (2 / (1 - pole * middle.y * middle.y)) * Products(middle);
    const Triple r = rodrigues.cwiseProduct(middle);
    const double square = r.squaredNorm(), secant = std::sqrt(1 + square);
    const double inverse = 1 / (secant * (1 + secant));
    return {-square * inverse, (1 + secant) * inverse * r};
  }

  Triple Scaled(const Triple& m, double pole_here) const {
    return {(to_middle.x + pole_here) * m.x, (to_middle.y + pole_here) * m.y, (to_middle.z + pole_here) * m.z};
  }
  Triple Products(const Triple& m) const {
    return {products.x * (m.y * m.z), products.y * (m.z * m.x), products.z * (m.x * m.y)};
  }
};

FreeRotation::FreeRotation(const Mat3& inertia) {
  const double size = inertia.cwiseAbs().maxCoeff();
  if (!(size > 0) || !std::isfinite(size)) return;
  // In higher precision, since what turns a needle about its axis is a small difference of its large moments.
  using LongMat3 = Eigen::Matrix<long double, 3, 3>;
  const Eigen::SelfAdjointEigenSolver<LongMat3> solver(inertia.cast<long double>() / size);
  LongVec3 moments = solver.eigenvalues().cwiseMax(0.0L);
  moments /= moments[2];
  Mat3 axes = solver.eigenvectors().cast<double>();
  if (axes.determinant() < 0) axes.col(0) = -axes.col(0);
  const bool low_equal = moments[1] - moments[0] <= kEqual;
  const bool high_equal = moments[2] - moments[1] <= kEqual;
  if ((low_equal && high_equal) || moments[1] <= kEqual) return;
  if (high_equal || moments[0] <= kEqual) {
    SetSymmetric(0, moments, axes);
  } else if (low_equal) {
    SetSymmetric(2, moments, axes);
  } else {
    SetAsymmetric(moments, axes);
  }
}

void FreeRotation::SetAxes(const Mat3& axes) {
  const Quat q = OfUnitLength(Quat(axes));
  axes_w_ = q.w();
  axes_ = q.vec();
}

void FreeRotation::SetSymmetric(int axis, const LongVec3& moments, const Mat3& axes) {
  kind_ = Kind::kSymmetric;
  const int next = (axis + 1) % 3, last = (axis + 2) % 3;
  Mat3 axis_last;
  axis_last << axes.col(next), axes.col(last), axes.col(axis);
  SetAxes(axis_last);
  moment_ratio_ = static_cast<double>(2 * moments[axis] / (moments[next] + moments[last]));
}

void FreeRotation::SetAsymmetric(const LongVec3& moments, const Mat3& axes) {
  kind_ = Kind::kAsymmetric;
  SetAxes(axes);
  moments_ = moments.cast<double>();
  inverse_moments_ = moments.cwiseInverse().cast<double>();
  LongVec3 rates;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    rates[i] = (moments[j] - moments[k]) / (moments[j] * moments[k]);
  }
  rates_ = rates.cast<double>();
  share_first_ = static_cast<double>(-rates[0] / rates[1]);
  share_last_ = static_cast<double>(-rates[2] / rates[1]);
}

void FreeRotation::Advance(double h, Quat* rotation, Vec3* angular_velocity) const {
  const double square = angular_velocity->squaredNorm();
  if (!(square > 1e-100 && square < 1e100 && std::isfinite(h))) {
    AdvanceExtreme(h, rotation, angular_velocity);
    return;
  }
  if (is_ball()) {
    *rotation = TurnedInWorld(*rotation, TurnBy((0.5 * h) * FromEigen(*angular_velocity)));
    return;
  }
  const PrincipalFrame frame(*rotation, axes_w_, axes_);
  const Triple before = FromEigen(*angular_velocity), omega = frame.FromWorld(before);
  Triple change{};
  const FreeTurn turn =
      kind_ == Kind::kSymmetric ? SymmetricTurn(h, omega, &change) : AsymmetricTurn(h, omega, &change);
  *rotation = frame.TurnedBody(turn);
  const Triple after = before + frame.ToWorld(change);
  *angular_velocity = Vec3(after.x, after.y, after.z);
}

void FreeRotation::AdvanceExtreme(double h, Quat* rotation, Vec3* angular_velocity) const {
  if (!angular_velocity->allFinite() || !std::isfinite(h)) {
    rotation->coeffs().setConstant(std::numeric_limits<double>::quiet_NaN());
    angular_velocity->setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const double size = angular_velocity->cwiseAbs().maxCoeff();
  if (size == 0) return;
  *angular_velocity /= size;
  Advance(std::clamp(h * size, -1e100, 1e100), rotation, angular_velocity);
  *angular_velocity *= size;
}

// (F9)
FreeTurn FreeRotation::SymmetricTurn(double h, const Triple& omega, Triple* change) const {
  const double own_spin = omega.z * (1 - moment_ratio_);
  const FreeTurn precession = TurnBy((0.5 * h) * Triple{omega.x, omega.y, omega.z - own_spin});
  *change = own_spin * precession.Change(Triple{0, 0, 1});
  return precession * TurnBy(Triple{0, 0, 0.5 * h * own_spin});
}

FreeTurn FreeRotation::AsymmetricTurn(double h, const Triple& omega, Triple* change) const {
  const Triple momentum = FromEigen(moments_).cwiseProduct(omega);
  const Orbit orbit = MakeOrbit(momentum);
  Triple momentum_change = Triple{};
  FreeTurn turn{0, Triple{}};
  if (h * h * orbit.fastest_squared() <= kLargestPart * kLargestPart) {
    turn = MakePart(h, orbit).Pass(momentum, &momentum_change);
  } else {
    const double longest = kLargestPart / std::sqrt(orbit.fastest_squared());
    const double parts = std::ceil(std::min(std::abs(h) / longest, kMostParts));
    const Part part = MakePart(std::copysign(std::min(std::abs(h) / parts, longest), h), orbit);
    for (int i = 0; i < parts; ++i) turn = turn * part.Pass(momentum, &momentum_change);
  }
  const Triple seen_turning{momentum_change.x / moments_[0], momentum_change.y / moments_[1],
                            momentum_change.z / moments_[2]};
  *change = seen_turning + turn.Change(omega + seen_turning);
  return turn;
}

FreeRotation::Orbit FreeRotation::MakeOrbit(const Triple& m) const {
  const double middle = m.y * m.y;
  Orbit orbit;
  orbit.y1 = m.x * m.x + share_first_ * middle;
  orbit.y3 = m.z * m.z + share_last_ * middle;
  orbit.norm = std::sqrt(orbit.y1 + orbit.y3);
  const double inverse_norm = 1 / orbit.norm;
  const double a1 = rates_[0], a2 = rates_[1], a3 = rates_[2];
  orbit.rate1 = -a2 * a3 * orbit.y1;
  orbit.rate3 = -a1 * a2 * orbit.y3;
  orbit.nu = (a2 * a2) * (orbit.y1 * inverse_norm) * (orbit.y3 * inverse_norm);
  orbit.mean_spin = (orbit.y1 * inverse_moments_[0] + orbit.y3 * inverse_moments_[2]) * inverse_norm;
  orbit.pole = (a1 * orbit.y3 - a3 * orbit.y1) * inverse_norm;
  return orbit;
}

FreeRotation::Part FreeRotation::MakePart(double h, const Orbit& orbit) const {
  const double half = 0.5 * h, half2 = half * half;
  const double scaled1 = orbit.rate1 * half2, scaled3 = orbit.rate3 * half2;
  const double ratio = ScaledSine(scaled1 + scaled3, scaled1 * scaled3);
  const double s = half * ratio, s2 = s * s, ratio2 = ratio * ratio;
  const double loss1 = scaled1 * ratio2, loss3 = scaled3 * ratio2;  // A s²
  const double c1 = std::sqrt(1 - loss1), c3 = std::sqrt(1 - loss3), c = c1 * c3;

  const double nu = orbit.nu * s2;
  // the angle over τ
  const double rate = orbit.mean_spin + nu * ratio * orbit.pole * ScaledIntegral(loss1 + loss3, loss1 * loss3, nu);
  const double tangent = rate * ScaledTangent(rate * rate * half2);
  const double weight1 = orbit.y1 * (1 - loss3), weight3 = orbit.y3 * (1 - loss1), weight = ratio * (weight1 + weight3);
  const double inverse = 1 / (weight * c);
  const double i1 = inverse_moments_[0], i2 = inverse_moments_[1], i3 = inverse_moments_[2];
  const double kappa = (orbit.norm * tangent * c - ratio * (weight1 * i1 + weight3 * i3)) * (inverse * c);
  const double s_over_c = s * weight * inverse;

  const double a1 = rates_[0], a2 = rates_[1], a3 = rates_[2];
  const double both = 1 / ((1 + c1) * (1 + c3));
  const double c1_less_one = -loss1 * (1 + c3) * both, c3_less_one = -loss3 * (1 + c1) * both;
  Part part;
  part.products = Triple{s * a1 * c1, s * a2, s * a3 * c3};
  part.to_middle = Triple{c3_less_one, c1_less_one * c3 + c3_less_one, c1_less_one};
  part.pole = s2 * a1 * a3;
  part.rodrigues = Triple{(i1 + kappa) * s_over_c * c3, (i2 + kappa) * s, (i3 + kappa) * s_over_c * c1};
  return part;
}

}  // namespace slipstick::internal
