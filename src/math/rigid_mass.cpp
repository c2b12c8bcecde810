#include "slipstick/math/rigid_mass.h"

#include <cmath>

namespace slipstick {
namespace {

constexpr double kRounding = 1e-12;  // relative, of what is zero in exact numbers

}  // namespace

std::optional<RigidMass> ReadRigidMass(const BlockDiagonal::ConstBlock& block) {
  if (block.rows() != 6) return {};
  const Eigen::Map<const Mat6> mass(block.data());
  const double m = mass(3, 3);
  const Vec3 s(mass(2, 4), mass(0, 5), mass(1, 3));
  Mat3 skew;
  skew << 0, -s.z(), s.y(), s.z(), 0, -s.x(), -s.y(), s.x(), 0;
  const Mat3 about_origin = mass.topLeftCorner<3, 3>();
  const double length = std::sqrt(about_origin.trace() / m);  // turns m into the size of s
  if (!((mass.bottomRightCorner<3, 3>() - m * Mat3::Identity()).cwiseAbs().maxCoeff() <= kRounding * m) ||
      !((mass.topRightCorner<3, 3>() - skew).cwiseAbs().maxCoeff() <= kRounding * m * length)) {
    return {};
  }
  RigidMass rigid;
  rigid.inverse_mass = 1 / m;
  rigid.com = s / m;
  const Vec3& c = rigid.com;
  const Mat3 inverse = (about_origin - m * (c.squaredNorm() * Mat3::Identity() - c * c.transpose())).inverse();
  rigid.inverse_inertia = 0.5 * (inverse + inverse.transpose());
  if (!rigid.inverse_inertia.allFinite()) return {};
  return rigid;
}

}  // namespace slipstick
