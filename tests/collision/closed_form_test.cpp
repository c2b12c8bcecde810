// Distances, normals and points that can be worked out by hand, pair by pair.

#include <gtest/gtest.h>

#include "tests/collision/shape_samples.h"

namespace slipstick::internal {
namespace {

using namespace samples;

Pose At(double x, double y, double z, const Quat& rotation = Quat::Identity()) { return {rotation, Vec3(x, y, z)}; }
Quat Turn(double x, double y, double z) { return ExpRotation(Vec3(x, y, z)); }

void ExpectOne(const std::vector<LocalContact>& contacts, double gap, const Vec3& normal, const Vec3& point_a) {
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].gap, gap, 1e-12);
  EXPECT_LT((contacts[0].normal - normal).norm(), 1e-9) << contacts[0].normal.transpose();
  EXPECT_LT((contacts[0].point_a - point_a).norm(), 1e-9) << contacts[0].point_a.transpose();
}

const double kRoot2 = std::sqrt(2.0);

TEST(ClosedForm, SphereAndPlane) {
  const Pose plane = At(0, 0, 1, Turn(0.5 * M_PI, 0, 0));  // its normal is −y
  ExpectOne(Contacts(Sphere{0.5}, At(3, -0.7, 2), Plane{}, plane, 1), 0.2, Vec3(0, -1, 0), Vec3(3, -0.2, 2));
  ExpectOne(Contacts(Sphere{0.5}, At(3, 7, 2), Plane{}, plane, 1), -7.5, Vec3(0, -1, 0), Vec3(3, 7.5, 2));
}

TEST(ClosedForm, Spheres) {
  ExpectOne(Contacts(Sphere{1}, At(3, 4, 0), Sphere{2}, At(0, 0, 0), 2), 2, Vec3(0.6, 0.8, 0), Vec3(2.4, 3.2, 0));
  EXPECT_TRUE(Contacts(Sphere{1}, At(3, 4, 0), Sphere{2}, At(0, 0, 0), 1.9).empty());
  const auto concentric = Contacts(Sphere{1}, At(3, 4, 0), Sphere{2}, At(3, 4, 0), 0);
  ASSERT_EQ(concentric.size(), 1u);
  EXPECT_NEAR(concentric[0].gap, -3, 1e-15);
  EXPECT_NEAR(concentric[0].normal.norm(), 1, 1e-15);
}

TEST(ClosedForm, SphereAndBox) {
  const Box box{Vec3(1, 2, 3)};
  ExpectOne(Contacts(Sphere{0.5}, At(0.3, 2.6, 1), box, {}, 1), 0.1, Vec3(0, 1, 0), Vec3(0.3, 2.1, 1));
  ExpectOne(Contacts(Sphere{0.5}, At(2, 3, 0), box, {}, 1), kRoot2 - 0.5, Vec3(1, 1, 0) / kRoot2,
            Vec3(2, 3, 0) - 0.5 * Vec3(1, 1, 0) / kRoot2);
  ExpectOne(Contacts(Sphere{1}, At(-2, -3, 4), box, {}, 1), std::sqrt(3.0) - 1, Vec3(-1, -1, 1) / std::sqrt(3.0),
            Vec3(-2, -3, 4) - Vec3(-1, -1, 1) / std::sqrt(3.0));
  // centre inside, nearest to −x: out through that face
  ExpectOne(Contacts(Sphere{0.5}, At(-0.8, 0, 0), box, {}, 0), -0.7, Vec3(-1, 0, 0), Vec3(-0.3, 0, 0));
}

TEST(ClosedForm, SphereAndCapsule) {
  const Capsule capsule{0.25, 1};
  ExpectOne(Contacts(Sphere{0.5}, At(1, 0, 0.4), capsule, {}, 1), 0.25, Vec3(1, 0, 0), Vec3(0.5, 0, 0.4));
  ExpectOne(Contacts(Sphere{0.5}, At(0, 0, 2), capsule, {}, 1), 0.25, Vec3(0, 0, 1), Vec3(0, 0, 1.5));
  EXPECT_NEAR(Contacts(Sphere{0.5}, At(0, 0, 0.4), capsule, {}, 0).at(0).gap, -0.75, 1e-15);
}

TEST(ClosedForm, SphereAndCylinder) {
  const Cylinder cylinder{1, 0.5};
  ExpectOne(Contacts(Sphere{0.5}, At(0, 2, 0.1), cylinder, {}, 1), 0.5, Vec3(0, 1, 0), Vec3(0, 1.5, 0.1));
  ExpectOne(Contacts(Sphere{0.5}, At(0.5, 0, -1.2), cylinder, {}, 1), 0.2, Vec3(0, 0, -1), Vec3(0.5, 0, -0.7));
  ExpectOne(Contacts(Sphere{0.5}, At(2, 0, 1.5), cylinder, {}, 1), kRoot2 - 0.5, Vec3(1, 0, 1) / kRoot2,
            Vec3(2, 0, 1.5) - 0.5 * Vec3(1, 0, 1) / kRoot2);
  ExpectOne(Contacts(Sphere{0.1}, At(0.9, 0, 0), cylinder, {}, 0), -0.2, Vec3(1, 0, 0), Vec3(0.8, 0, 0));
  ExpectOne(Contacts(Sphere{0.1}, At(0, 0, 0.4), cylinder, {}, 0), -0.2, Vec3(0, 0, 1), Vec3(0, 0, 0.3));
}

TEST(ClosedForm, SphereAndDisk) {
  ExpectOne(Contacts(Sphere{0.5}, At(0.3, 0.3, -0.6), Disk{1}, {}, 1), 0.1, Vec3(0, 0, -1), Vec3(0.3, 0.3, -0.1));
  ExpectOne(Contacts(Sphere{0.5}, At(2, 0, 1), Disk{1}, {}, 1), kRoot2 - 0.5, Vec3(1, 0, 1) / kRoot2,
            Vec3(2, 0, 1) - 0.5 * Vec3(1, 0, 1) / kRoot2);
  const auto centred = Contacts(Sphere{0.5}, At(0.1, 0, 0), Disk{1}, {}, 0);
  ASSERT_EQ(centred.size(), 1u);
  EXPECT_NEAR(centred[0].gap, -0.5, 1e-15);
  EXPECT_NEAR(std::abs(centred[0].normal.z()), 1, 1e-15);
}

// The wheel's disk at a tilt: the lowest rim point is c − R (n projected on the disk's plane, made unit).
TEST(ClosedForm, TiltedDiskTouchesThePlaneAtItsLowestRimPoint) {
  const double radius = 0.3;
  for (const double tilt : {0.03, 20 * M_PI / 180, 1.2, 0.5 * M_PI}) {
    for (const double heading : {0.0, 0.4, 2.9}) {
      for (const double rolled : {0.0, 1.0, 5.0}) {
        const Quat rotation = Turn(0, 0, heading) * Turn(tilt, 0, 0) * Turn(0, 0, rolled);
        const Vec3 center(1, 2, radius * std::sin(tilt) + 0.01);
        const Vec3 axis = rotation * Vec3::UnitZ();
        const Vec3 up = Vec3::UnitZ();
        const Vec3 across = up - axis * axis.dot(up);
        const Vec3 lowest = center - radius * across / across.norm();
        for (const double margin : {0.05, 1.0}) {
          ExpectOne(Contacts(Disk{radius}, {rotation, center}, Plane{}, {}, margin), 0.01, up, lowest);
          // the same wheel on a large box instead of the plane
          ExpectOne(Contacts(Disk{radius}, {rotation, center}, Box{Vec3(50, 50, 1)}, At(0, 0, -1), margin), 0.01, up,
                    lowest);
        }
      }
    }
  }
}

TEST(ClosedForm, BoxesAlongAnEdgeAndCornerDirection) {
  const Box unit{Vec3(1, 1, 1)};
  // corner to corner
  ExpectOne(Contacts(unit, At(3, 3, 3), unit, {}, 2), std::sqrt(3.0), Vec3(1, 1, 1) / std::sqrt(3.0), Vec3(2, 2, 2));
  // edges that cross at a right angle: x-edge below, y-edge above
  const Quat x_edge_up = Turn(M_PI / 4, 0, 0);
  const Quat y_edge_down = Turn(0, M_PI / 4, 0);
  for (const double gap : {0.1, 1e-9, -0.1}) {
    ExpectOne(Contacts(unit, At(0.2, -0.3, 2 * kRoot2 + gap, y_edge_down), unit, At(0, 0, 0, x_edge_up), 0.5), gap,
              Vec3(0, 0, 1), Vec3(0.2, 0, kRoot2 + gap) + Vec3(0, 0, 0));
  }
  // a corner above a face
  const Quat corner_down = Quat::FromTwoVectors(Vec3(1, 1, 1), Vec3(0, 0, -1));
  const auto contacts = Contacts(unit, At(0, 0, 1 + std::sqrt(3.0) - 0.02, corner_down), unit, {}, 0.01);
  ExpectOne(contacts, -0.02, Vec3(0, 0, 1), Vec3(0, 0, 0.98));
}

TEST(ClosedForm, CapsulesCrossAndPass) {
  const Capsule capsule{0.2, 1};
  const Quat along_x = Turn(0, 0.5 * M_PI, 0);
  const Quat along_y = Turn(0.5 * M_PI, 0, 0);
  ExpectOne(Contacts(capsule, At(0.3, 0.1, 0.5, along_x), capsule, At(0.1, 0.2, 0, along_y), 1), 0.1, Vec3(0, 0, 1),
            Vec3(0.1, 0.1, 0.3));
  // end to end
  ExpectOne(Contacts(capsule, At(0, 0, 2.5), capsule, {}, 1), 0.1, Vec3(0, 0, 1), Vec3(0, 0, 1.3));
  // axes that meet: out across both
  const auto crossing = Contacts(capsule, At(0, 0, 0, along_x), capsule, At(0, 0, 0, along_y), 0);
  ASSERT_EQ(crossing.size(), 1u);
  EXPECT_NEAR(crossing[0].gap, -0.4, 1e-12);
  EXPECT_NEAR(std::abs(crossing[0].normal.z()), 1, 1e-12);
}

TEST(ClosedForm, CapsuleAndBoxEdge) {
  // a capsule along y above and beside the box's upper edge, at 45°, turned a little so that the lines cross
  const Box box{Vec3(1, 5, 1)};
  const Quat along_y = Turn(0, 0, 0.5) * Turn(0.5 * M_PI, 0, 0);
  const Vec3 direction = along_y * Vec3::UnitZ();
  const Vec3 normal = Vec3(0, 1, 0).cross(direction).normalized();
  const Quat tilted = Turn(0, 0.25 * M_PI, 0) * along_y;
  const Vec3 turned_normal = (Turn(0, 0.25 * M_PI, 0) * normal) * (normal.z() > 0 ? 1.0 : -1.0);
  const Vec3 on_edge(1, 0.3, 1);
  const Vec3 center = on_edge + 0.5 * turned_normal;
  ExpectOne(Contacts(Capsule{0.2, 1}, {tilted, center}, box, {}, 1), 0.3, turned_normal, on_edge + 0.3 * turned_normal);
}

TEST(ClosedForm, CylindersCrossed) {
  const Quat along_x = Turn(0, 0.5 * M_PI, 0);
  const Quat along_y = Turn(0.5 * M_PI, 0, 0);
  for (const double gap : {0.05, 0.0, -0.05}) {
    ExpectOne(Contacts(Cylinder{0.5, 1}, At(0.2, 0, 1 + gap, along_x), Cylinder{0.5, 1}, At(0, -0.1, 0, along_y), 0.1),
              gap, Vec3(0, 0, 1), Vec3(0, 0, 0.5 + gap));
    ExpectOne(Contacts(Capsule{0.5, 1}, At(0.2, 0, 1 + gap, along_x), Cylinder{0.5, 1}, At(0, -0.1, 0, along_y), 0.1),
              gap, Vec3(0, 0, 1), Vec3(0, 0, 0.5 + gap));
  }
}

TEST(ClosedForm, CornerOfABoxInTheSideOfACylinder) {
  // the box stands on a corner edge-on: its corner at angle 0.7 about the cylinder's axis, between the ends
  for (const double gap : {0.1, 1e-7, 0.0, -1e-7, -0.05}) {
    const Vec3 outward(std::cos(0.7), std::sin(0.7), 0);
    const Quat corner_in = Quat::FromTwoVectors(Vec3(1, 1, 1), -outward);
    const Vec3 corner = (1 + gap) * outward + Vec3(0, 0, 0.2);
    const Pose X_WB{corner_in, corner - corner_in * Vec3(0.5, 0.5, 0.5)};
    ExpectOne(Contacts(Box{Vec3(0.5, 0.5, 0.5)}, X_WB, Cylinder{1, 2}, {}, 0.2), gap, outward, corner);
  }
}

TEST(ClosedForm, DisksRimToRim) {
  // two upright disks in planes at a right angle, one above the other: rims touch where both are extreme
  const Quat axis_x = Turn(0, 0.5 * M_PI, 0);
  const Quat axis_y = Turn(0.5 * M_PI, 0, 0);
  for (const double gap : {0.1, 1e-6, -0.02}) {
    ExpectOne(Contacts(Disk{1}, At(0, 0, 2 + gap, axis_x), Disk{1}, At(0, 0, 0, axis_y), 0.2), gap, Vec3(0, 0, 1),
              Vec3(0, 0, 1 + gap));
  }
}

// The distance of two boxes by alternating projection, which shares nothing with the search over directions.
TEST(ClosedForm, BoxesApartAgreeWithAlternatingProjection) {
  Random random(11);
  int checked = 0;
  for (int i = 0; i < 200; ++i) {
    const Box a{Vec3(Uniform(&random, 0.2, 1), Uniform(&random, 0.2, 1), Uniform(&random, 0.2, 1))};
    const Box b{Vec3(Uniform(&random, 0.2, 1), Uniform(&random, 0.2, 1), Uniform(&random, 0.2, 1))};
    const Pose X_WA{RandomRotation(&random), 2.5 * RandomVector(&random)};
    const Pose X_WB{RandomRotation(&random), Vec3::Zero()};
    const auto project = [](const Box& box, const Pose& pose, const Vec3& p) {
      const Vec3 local = pose.Inverse() * p;
      return pose * Vec3(local.cwiseMax(-box.half_extents).cwiseMin(box.half_extents));
    };
    Vec3 p = X_WA.position;
    Vec3 q = X_WB.position;
    for (int k = 0; k < 3000; ++k) {
      q = project(b, X_WB, p);
      p = project(a, X_WA, q);
    }
    const double distance = (p - q).norm();
    if (distance < 1e-2) continue;
    const auto contacts = Contacts(a, X_WA, b, X_WB, 10);
    ASSERT_FALSE(contacts.empty());
    const double tolerance = contacts.size() == 1 ? 1e-6 : 0.02;  // see kFlatSine
    EXPECT_NEAR(LeastGap(contacts), distance, tolerance);
    EXPECT_LT((contacts[0].normal - (p - q) / distance).norm(), contacts.size() == 1 ? 1e-4 : 0.03);
    ++checked;
  }
  EXPECT_GT(checked, 80);
}

}  // namespace
}  // namespace slipstick::internal
