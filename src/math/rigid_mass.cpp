#include "slipstick/math/rigid_mass.h"

#include <algorithm>
#include <cmath>

namespace slipstick {
namespace {

constexpr double kRounding = 1e-12;  // relative, of what is zero in exact numbers
// Least determinant of an inertia against the product of its diagonal about the origin: below, the difference of large
// numbers that gave it may be nothing but their rounding.
constexpr double kLeastDeterminant = 1e-12;

}  // namespace

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
  rigid.inverse_mass = 1 / m;
  rigid.com = s / m;
  const Vec3& c = rigid.com;
  // about the centre of mass, and its inverse by cofactors
  const double xx = mass(0, 0) - m * (c.y() * c.y() + c.z() * c.z()), xy = mass(0, 1) + m * c.x() * c.y(),
               xz = mass(0, 2) + m * c.x() * c.z(), yy = mass(1, 1) - m * (c.x() * c.x() + c.z() * c.z()),
               yz = mass(1, 2) + m * c.y() * c.z(), zz = mass(2, 2) - m * (c.x() * c.x() + c.y() * c.y());
  const double of_x = yy * zz - yz * yz, of_y = xz * yz - xy * zz, of_z = xy * yz - xz * yy;
  const double determinant = xx * of_x + xy * of_y + xz * of_z;
  rigid.inverse_inertia << of_x, of_y, of_z, of_y, xx * zz - xz * xz, xy * xz - xx * yz, of_z, xy * xz - xx * yz,
      xx * yy - xy * xy;
  rigid.inverse_inertia /= determinant;
  if (!(determinant > kLeastDeterminant * mass(0, 0) * mass(1, 1) * mass(2, 2))) return {};
  if (!rigid.inverse_inertia.allFinite()) return {};
  return rigid;
}

}  // namespace slipstick
