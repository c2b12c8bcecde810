// Pieces that together make a body which is not convex: a pin in a ring, a prism in a guide, blocks side by side.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/collision/shape_samples.h"

namespace slipstick::internal {
namespace {

using namespace samples;

// A wedge of a ring about y with the inner radius `in` and the outer one `out`, `sides` of them make the ring.
Hull Wedge(double in, double out, double half_width, int sides) {
  const double slope = std::tan(M_PI / sides);
  std::vector<Vec3> corners;
  for (const double r : {in, out}) {
    for (const double y : {-half_width, half_width}) {
      for (const double side : {-1.0, 1.0}) corners.emplace_back(r, y, side * r * slope);
    }
  }
  return {MakeConvexHull(corners).polyhedron};
}

Pose WedgePose(int k, int sides) { return {ExpRotation(Vec3(0, 2 * M_PI * k / sides, 0)), Vec3::Zero()}; }

// Wherever the pin is, every wedge has the two ends of the pin's line against it, with the gap of closed form and the
// normal of its inner face: the seams between wedges are not felt.
TEST(Compound, PinInARingOfWedges) {
  constexpr int kSides = 12;
  const double in = 0.0121, radius = 0.012, half_length = 0.02, half_width = 0.017;
  const Hull wedge = Wedge(in, 0.02, half_width, kSides);
  const Cylinder pin{radius, half_length};
  const Quat along_y(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitX()));
  Random random(81);
  for (int number = 0; number < 200; ++number) {
    const double angle = Uniform(&random, 0, 2 * M_PI), off = number == 0 ? 0 : Uniform(&random, 0, 1.2e-4);
    const Vec3 center(off * std::cos(angle), 0, off * std::sin(angle));
    const Quat turn(Eigen::AngleAxisd(Uniform(&random, 0, 6), Vec3::UnitY()));
    for (int k = 0; k < kSides; ++k) {
      SCOPED_TRACE(::testing::Message() << "pin " << number << ", wedge " << k);
      const Pose pose = WedgePose(k, kSides);
      const auto contacts = Contacts(pin, {turn * along_y, center}, wedge, pose, 1e-3);
      const Vec3 outward = pose.rotation * Vec3::UnitX();
      const double gap = in - radius - center.dot(outward);
      ASSERT_EQ(contacts.size(), 2u);
      double least = INFINITY, most = -INFINITY;
      for (const LocalContact& contact : contacts) {
        EXPECT_NEAR(contact.gap, gap, 1e-12);
        EXPECT_LE((contact.normal + outward).norm(), 1e-7);
        least = std::min(least, contact.point_b.y());
        most = std::max(most, contact.point_b.y());
      }
      // the whole width of the ring is held
      EXPECT_NEAR(least, -half_width, 1e-6);
      EXPECT_NEAR(most, half_width, 1e-6);
    }
  }
}

// A pin that is not quite parallel to its ring touches it with one end first, and both ends keep their points.
TEST(Compound, TiltedPinInARing) {
  const Hull wedge = Wedge(0.0121, 0.02, 0.017, 12);
  const Cylinder pin{0.012, 0.02};
  const double tilt = 2e-3;
  const Quat along_y(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitX())), tilted(Eigen::AngleAxisd(tilt, Vec3::UnitZ()));
  const auto contacts = Contacts(pin, {tilted * along_y, Vec3::Zero()}, wedge, {}, 1e-3);
  ASSERT_EQ(contacts.size(), 2u);
  const double one = contacts[0].gap, other = contacts[1].gap;
  EXPECT_NEAR(std::min(one, other), 1e-4 - tilt * 0.017, 2e-7);
  EXPECT_NEAR(std::max(one, other), 1e-4 + tilt * 0.017, 2e-7);
}

// An octagonal prism in a guide of eight walls: four corners of each side against the wall that it looks at, whatever
// its place and a small turn; no wall catches an edge of a side that is not its own deeper than that side.
TEST(Compound, PrismInAGuide) {
  constexpr int kSides = 8;
  const double half = 0.03, height = 0.02, clearance = 1e-4, slope = std::tan(M_PI / kSides);
  std::vector<Vec3> corners;
  for (int k = 0; k < kSides; ++k) {
    const Quat turn(Eigen::AngleAxisd(2 * M_PI * k / kSides, Vec3::UnitZ()));
    for (const double z : {-height, height}) corners.push_back(turn * Vec3(half, half * slope, z));
  }
  const Hull piston{MakeConvexHull(corners).polyhedron};
  const Box wall{Vec3(0.004, 0.013, 0.055)};
  Random random(82);
  for (int number = 0; number < 200; ++number) {
    const Vec3 shift = 5e-5 * RandomVector(&random);
    const Quat small = number % 2 == 0 ? Quat::Identity() : ExpRotation(2e-4 * RandomVector(&random));
    for (int k = 0; k < kSides; ++k) {
      SCOPED_TRACE(::testing::Message() << "piston " << number << ", wall " << k);
      const Quat turn(Eigen::AngleAxisd(2 * M_PI * k / kSides, Vec3::UnitZ()));
      const Vec3 outward = turn * Vec3::UnitX();
      const Pose pose{turn, (half + clearance + 0.004) * outward};
      const auto contacts = Contacts(piston, {small, shift}, wall, pose, 1e-3);
      ASSERT_EQ(contacts.size(), 4u);
      for (const LocalContact& contact : contacts) {
        EXPECT_GE(contact.normal.dot(-outward), 1 - 1e-6);
        // the gap is that of a corner of the side
        EXPECT_LE(std::abs(contact.gap - (clearance - shift.dot(outward))), 2e-5);
      }
    }
  }
}

// A box stands across two blocks side by side, boxes or hulls: all normals look up, and its four corners are held
// wherever it stands, but where one of its sides is within the margin of the seam: that side then faces the next
// block's.
TEST(Compound, CornersAreHeldAcrossASeam) {
  const auto block = [](bool hull) -> ShapeGeometry {
    if (!hull) return Box{Vec3(0.5, 0.5, 0.5)};
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i) corners.emplace_back(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
    return Hull{MakeConvexHull(corners).polyhedron};
  };
  for (const bool hull : {false, true}) {
    for (const bool slider_is_hull : {false, true}) {
      ShapeGeometry slider = block(true);
      if (!slider_is_hull) slider = Box{Vec3(0.5, 0.5, 0.5)};
      slider = Scaled(slider, 0.4);
      for (int step = -40; step <= 40; ++step) {
        if (std::abs(step) == 20) continue;
        SCOPED_TRACE(::testing::Message() << "hulls " << hull << slider_is_hull << ", step " << step);
        const Vec3 center(0.01 * step, 0.05, 0.2 - 1e-5);
        std::vector<LocalContact> contacts;
        for (const double x : {-0.5, 0.5}) {
          Collide(slider, {Quat::Identity(), center}, block(hull), {Quat::Identity(), Vec3(x, 0, -0.5)}, 1e-3,
                  &contacts);
        }
        for (const LocalContact& contact : contacts) {
          EXPECT_LE((contact.normal - Vec3::UnitZ()).norm(), 1e-9);
          EXPECT_NEAR(contact.gap, -1e-5, 1e-9);
        }
        for (const double dx : {-0.2, 0.2}) {
          for (const double dy : {-0.2, 0.2}) {
            const Vec3 corner = center + Vec3(dx, dy, -0.2);
            EXPECT_TRUE(std::any_of(contacts.begin(), contacts.end(), [&](const LocalContact& contact) {
              return (contact.point_a - corner).norm() < 1e-6;
            }));
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace slipstick::internal
