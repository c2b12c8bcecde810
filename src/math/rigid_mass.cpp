#include "slipstick/math/rigid_mass.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

constexpr double kRounding = 1e-12;  // relative, of what is zero in exact numbers
// Least determinant of an inertia against the product of its diagonal about the origin: below, the difference of large
// numbers that gave it may be nothing but their rounding.
constexpr double kLeastDeterminant = 1e-12;
// Least pivot of an inertia given about the centre of mass, against its diagonal.
constexpr double kLeastPivot = 6e-14;

Mat3 Symmetric(double xx, double xy, double xz, double yy, double yz, double zz) {
  Mat3 m;
  m << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return m;
}

struct Inverse {
  Mat3 matrix;
  double determinant = 0;
};

// By cofactors.
Inverse Invert(const Mat3& m) {
  const double xx = m(0, 0), xy = m(1, 0), xz = m(2, 0), yy = m(1, 1), yz = m(2, 1), zz = m(2, 2);
  const double of_x = yy * zz - yz * yz, of_y = xz * yz - xy * zz, of_z = xy * yz - xz * yy;
  const double determinant = xx * of_x + xy * of_y + xz * of_z;
  return {Symmetric(of_x, of_y, of_z, xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy) / determinant,
          determinant};
}

Mat3 Skew(const Vec3& s) {
  Mat3 skew;
  skew << 0, -s.z(), s.y(), s.z(), 0, -s.x(), -s.y(), s.x(), 0;
  return skew;
}

}  // namespace

Mat6 RigidMass::Dense() const {
  Mat6 dense;
  const Mat3 skew = mass * Skew(com);
  const Mat3 about_origin = inertia + mass * (com.squaredNorm() * Mat3::Identity() - com * com.transpose());
  dense << about_origin, skew, -skew, mass * Mat3::Identity();
  return dense;
}

std::optional<RigidMass> MakeRigidMass(double mass, const Vec3& com, const Mat3& inertia) {
  const double xx = inertia(0, 0), xy = inertia(1, 0), xz = inertia(2, 0), yy = inertia(1, 1), yz = inertia(2, 1),
               zz = inertia(2, 2);
  RigidMass rigid{mass, 1 / mass, com, Mat3::Zero(), Symmetric(xx, xy, xz, yy, yz, zz)};
  const Inverse inverse = Invert(rigid.inertia);
  rigid.inverse_inertia = inverse.matrix;
  const double second = yy - xy * xy / xx, third = inverse.determinant / (xx * second);
  if (!(mass > 0 && xx > 0 && second > kLeastPivot * yy && third > kLeastPivot * zz)) return {};
  if (!std::isfinite(rigid.inverse_mass) || !rigid.inverse_inertia.allFinite() || !com.allFinite()) return {};
  return rigid;
}

RigidMass NoRigidMass() {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  return {kNone, kNone, Vec3::Constant(kNone), Mat3::Constant(kNone), Mat3::Constant(kNone)};
}

std::optional<RigidMass> ReadRigidMass(const Eigen::Map<const Mat6>& mass) {
  const double m = mass(3, 3);
  const Vec3 s(mass(2, 4), mass(0, 5), mass(1, 3));
  const double length = std::sqrt((mass(0, 0) + mass(1, 1) + mass(2, 2)) / m);  // turns m into the size of s
  const double of_mass = std::max({std::abs(mass(4, 4) - m), std::abs(mass(5, 5) - m), std::abs(mass(3, 4)),
                                   std::abs(mass(3, 5)), std::abs(mass(4, 5))});
  const double of_moment =
      std::max({std::abs(mass(0, 3)), std::abs(mass(1, 4)), std::abs(mass(2, 5)), std::abs(mass(1, 5) + s.x()),
                std::abs(mass(2, 3) + s.y()), std::abs(mass(0, 4) + s.z())});
  if (!(of_mass <= kRounding * m) || !(of_moment <= kRounding * m * length)) return {};
  RigidMass rigid;
  rigid.mass = m;
  rigid.inverse_mass = 1 / m;
  rigid.com = s / m;
  const Vec3& c = rigid.com;
  rigid.inertia = Symmetric(mass(0, 0) - m * (c.y() * c.y() + c.z() * c.z()), mass(0, 1) + m * c.x() * c.y(),
                            mass(0, 2) + m * c.x() * c.z(), mass(1, 1) - m * (c.x() * c.x() + c.z() * c.z()),
                            mass(1, 2) + m * c.y() * c.z(), mass(2, 2) - m * (c.x() * c.x() + c.y() * c.y()));
  const Inverse inverse = Invert(rigid.inertia);
  rigid.inverse_inertia = inverse.matrix;
  if (!(inverse.determinant > kLeastDeterminant * mass(0, 0) * mass(1, 1) * mass(2, 2))) return {};
  if (!rigid.inverse_inertia.allFinite()) return {};
  return rigid;
}

}  // namespace slipstick::internal
