#include "slipstick/math/second_order_cone.h"

#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

// hypot, which neither overflows nor loses digits of tiny numbers, takes ten times as long
double LengthAcross(const Vec3& y) {
  const double squares = y[1] * y[1] + y[2] * y[2];
  return squares > 1e-280 && squares < 1e280 ? std::sqrt(squares) : std::hypot(y[1], y[2]);
}

Vec3 Reflected(const Vec3& y) { return {y[0], -y[1], -y[2]}; }

}  // namespace

double ConeDeterminant(const Vec3& y) {
  // as a product: the difference of squares would lose all digits near the border
  const double norm = LengthAcross(y);
  return (y[0] - norm) * (y[0] + norm);
}

Vec3 JordanProduct(const Vec3& a, const Vec3& b) {
  return {a.dot(b), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]};
}

Vec3 JordanQuotient(const Vec3& a, const Vec3& b) {
  Vec3 x;
  x[0] = (a[0] * b[0] - a.tail<2>().dot(b.tail<2>())) / ConeDeterminant(a);
  x.tail<2>() = (b.tail<2>() - x[0] * a.tail<2>()) / a[0];
  return x;
}

double StepToBorder(const Vec3& y, const Vec3& d) {
  double step = d[0] < 0 ? -y[0] / d[0] : std::numeric_limits<double>::infinity();
  // det(y + t d) = a t² + 2 b t + c
  const double a = d.dot(Reflected(d)), b = y.dot(Reflected(d)), c = ConeDeterminant(y);
  const double discriminant = b * b - a * c;
  if (discriminant < 0) return step;
  const double q = b > 0 ? -(b + std::sqrt(discriminant)) : -b + std::sqrt(discriminant);
  for (const double root : {q / a, c / q}) {
    if (root > 0 && root < step) step = root;
  }
  return step;
}

NesterovToddScaling NesterovToddScaling::Of(const Vec3& y, const Vec3& z) {
  NesterovToddScaling scaling;
  const double det_y = ConeDeterminant(y), det_z = ConeDeterminant(z);
  const Vec3 y_unit = y / std::sqrt(det_y), z_unit = z / std::sqrt(det_z);
  scaling.w = (y_unit + Reflected(z_unit)) / std::sqrt(2 * (1 + y_unit.dot(z_unit)));
  // back on wᵀJw = 1, against rounding
  scaling.w[0] = std::sqrt(1 + scaling.w.tail<2>().squaredNorm());
  scaling.eta = std::pow(det_y / det_z, 0.25);
  scaling.lambda = scaling.Apply(z);
  return scaling;
}

Vec3 NesterovToddScaling::Apply(const Vec3& x) const {
  const double dot = w.tail<2>().dot(x.tail<2>());
  Vec3 result;
  result[0] = w[0] * x[0] + dot;
  result.tail<2>() = x.tail<2>() + (x[0] + dot / (1 + w[0])) * w.tail<2>();
  return eta * result;
}

Vec3 NesterovToddScaling::ApplyInverse(const Vec3& x) const {
  const double dot = w.tail<2>().dot(x.tail<2>());
  Vec3 result;
  result[0] = w[0] * x[0] - dot;
  result.tail<2>() = x.tail<2>() + (dot / (1 + w[0]) - x[0]) * w.tail<2>();
  return result / eta;
}

Mat3 NesterovToddScaling::Square() const {
  Mat3 result = 2 * w * w.transpose();
  result.diagonal() += Vec3(-1, 1, 1);
  return eta * eta * result;
}

Vec3 NesterovToddScaling::SquareColumn() const {
  const double twice = 2 * w[0];
  return eta * eta * Vec3(twice * w[0] - 1, twice * w[1], twice * w[2]);
}

Mat2 NesterovToddScaling::InverseAcross() const {
  const Vec2 across = w.tail<2>();
  return eta * eta * (Mat2::Identity() - 2 / (1 + 2 * across.squaredNorm()) * across * across.transpose());
}

Mat3 NesterovToddScaling::InverseSquare() const {
  const Vec3 reflected = Reflected(w);
  Mat3 result = 2 * reflected * reflected.transpose();
  result.diagonal() += Vec3(-1, 1, 1);
  return result / (eta * eta);
}

}  // namespace slipstick::internal
