// How many points a resting body gets, where they are, and that they stay the same ones while it moves.

#include <gtest/gtest.h>

#include <set>

#include "slipstick/collision/contact_patch.h"
#include "tests/collision/shape_samples.h"

namespace slipstick::internal {
namespace {

using namespace samples;

Pose At(double x, double y, double z, const Quat& rotation = Quat::Identity()) { return {rotation, Vec3(x, y, z)}; }
Quat Turn(double x, double y, double z) { return ExpRotation(Vec3(x, y, z)); }
const Quat kLying = Turn(0, 0.5 * M_PI, 0);  // axis along x
const Box kTable{Vec3(2, 2, 0.5)};           // with its top at z = 0 where posed at z = −0.5

// Whether some contact is at this place of the table's or plane's surface.
void ExpectPlaces(const std::vector<LocalContact>& contacts, const std::vector<Vec3>& places, double gap) {
  ASSERT_EQ(contacts.size(), places.size());
  for (const Vec3& place : places) {
    const bool found = std::any_of(contacts.begin(), contacts.end(),
                                   [&](const LocalContact& c) { return (c.point_b - place).norm() < 1e-6; });
    EXPECT_TRUE(found) << place.transpose();
  }
  for (const LocalContact& contact : contacts) {
    EXPECT_NEAR(contact.gap, gap, 1e-9);
    EXPECT_LT((contact.normal - Vec3::UnitZ()).norm(), 1e-9);
  }
}

struct Ground {
  ShapeGeometry shape;
  Pose pose;
};
const std::vector<Ground> kGrounds{{Plane{}, {}}, {kTable, At(0, 0, -0.5)}};

TEST(Manifold, BodiesAtRest) {
  const double gap = -1e-4;
  for (const Ground& ground : kGrounds) {
    const auto on_ground = [&](const ShapeGeometry& shape, const Pose& pose) {
      return Contacts(shape, pose, ground.shape, ground.pose, 0.05);
    };
    ExpectPlaces(on_ground(Box{Vec3(0.1, 0.2, 0.3)}, At(0, 0, 0.3 + gap)),
                 {{0.1, 0.2, 0}, {-0.1, 0.2, 0}, {0.1, -0.2, 0}, {-0.1, -0.2, 0}}, gap);
    ExpectPlaces(on_ground(Capsule{0.1, 0.4}, At(0, 0, 0.1 + gap, kLying)), {{0.4, 0, 0}, {-0.4, 0, 0}}, gap);
    ExpectPlaces(on_ground(Cylinder{0.1, 0.4}, At(0, 0, 0.1 + gap, kLying)), {{0.4, 0, 0}, {-0.4, 0, 0}}, gap);
    ExpectPlaces(on_ground(Cylinder{0.1, 0.4}, At(0, 0, 0.4 + gap)),
                 {{0.1, 0, 0}, {-0.1, 0, 0}, {0, 0.1, 0}, {0, -0.1, 0}}, gap);
    ExpectPlaces(on_ground(Disk{0.1}, At(0, 0, gap)), {{0.1, 0, 0}, {-0.1, 0, 0}, {0, 0.1, 0}, {0, -0.1, 0}}, gap);
    ExpectPlaces(on_ground(Sphere{0.1}, At(0, 0, 0.1 + gap)), {{0, 0, 0}}, gap);
  }
}

// Edges that cross touch in one point. Where the faces beside them are nearly parallel, a small turn brings a corner to
// the face, far from that point.
TEST(Manifold, CornersAboveTheFaceWhereEdgesCross) {
  const Box box{Vec3(0.05, 0.05, 0.05)};
  const Pose upper = At(0.07, 0.02, 0.1035, Turn(0.04, -0.04, 0) * Turn(0, 0, 0.5));
  const std::vector<LocalContact> contacts = Contacts(box, upper, box, {}, 0.05);
  EXPECT_TRUE(std::any_of(contacts.begin(), contacts.end(), [](const LocalContact& c) {
    return FeatureOfA(c.feature) >= kFirstEdge && FeatureOfB(c.feature) >= kFirstEdge && c.gap < 0.0002;
  }));
  int above = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
    const Vec3 place = upper * Vec3(0.05 * sign);
    if (place.head<2>().cwiseAbs().maxCoeff() > 0.05 || place.z() > 0.08) continue;
    ++above;
    EXPECT_TRUE(std::any_of(contacts.begin(), contacts.end(), [&](const LocalContact& c) {
      return (c.point_a - place).norm() < 1e-9 && std::abs(c.gap - (place.z() - 0.05)) < 1e-9;
    })) << place.transpose();
  }
  EXPECT_EQ(above, 1);
}

TEST(Manifold, OverhangingBodiesAreCutOffAtTheTablesEdge) {
  const double gap = -1e-4;
  const auto on_table = [&](const ShapeGeometry& shape, const Pose& pose) {
    return Contacts(shape, pose, kTable, At(0, 0, -0.5), 0.05);
  };
  ExpectPlaces(on_table(Box{Vec3(0.3, 0.2, 0.1)}, At(1.9, 0, 0.1 + gap)),
               {{1.6, 0.2, 0}, {1.6, -0.2, 0}, {2, 0.2, 0}, {2, -0.2, 0}}, gap);
  ExpectPlaces(on_table(Capsule{0.1, 0.4}, At(1.8, 0, 0.1 + gap, kLying)), {{1.4, 0, 0}, {2, 0, 0}}, gap);
  ExpectPlaces(on_table(Cylinder{0.1, 0.4}, At(1.8, 0, 0.1 + gap, kLying)), {{1.4, 0, 0}, {2, 0, 0}}, gap);
  // the circle crosses the edge at y = ±0.4; rim points at −x and ±y remain
  ExpectPlaces(on_table(Cylinder{0.5, 0.2}, At(1.7, 0, 0.2 + gap)),
               {{1.2, 0, 0}, {1.7, 0.5, 0}, {1.7, -0.5, 0}, {2, 0.4, 0}, {2, -0.4, 0}}, gap);
  ExpectPlaces(on_table(Disk{0.5}, At(1.7, 0, gap)),
               {{1.2, 0, 0}, {1.7, 0.5, 0}, {1.7, -0.5, 0}, {2, 0.4, 0}, {2, -0.4, 0}}, gap);
}

TEST(Manifold, RestingOnACylindersEnd) {
  const double gap = -1e-4;
  const Cylinder stand{1, 0.5};
  const auto on_stand = [&](const ShapeGeometry& shape, const Pose& pose) {
    return Contacts(shape, pose, stand, At(0, 0, -0.5), 0.05);
  };
  // inside, around and across the rim
  ExpectPlaces(on_stand(Box{Vec3(0.1, 0.2, 0.3)}, At(0, 0, 0.3 + gap)),
               {{0.1, 0.2, 0}, {-0.1, 0.2, 0}, {0.1, -0.2, 0}, {-0.1, -0.2, 0}}, gap);
  ExpectPlaces(on_stand(Box{Vec3(2, 2, 0.3)}, At(0, 0, 0.3 + gap)), {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}},
               gap);
  ExpectPlaces(on_stand(Cylinder{0.2, 0.3}, At(0.5, 0, 0.3 + gap)),
               {{0.7, 0, 0}, {0.3, 0, 0}, {0.5, 0.2, 0}, {0.5, -0.2, 0}}, gap);
  ExpectPlaces(on_stand(Disk{3}, At(0.5, 0, gap)), {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}}, gap);
  ExpectPlaces(on_stand(Cylinder{1, 0.3}, At(1.6, 0, 0.3 + gap)),
               {{0.6, 0, 0}, {1, 0, 0}, {0.8, 0.6, 0}, {0.8, -0.6, 0}}, gap);
  ExpectPlaces(on_stand(Capsule{0.1, 3}, At(0, 0.6, 0.1 + gap, kLying)), {{0.8, 0.6, 0}, {-0.8, 0.6, 0}}, gap);
  ExpectPlaces(on_stand(Cylinder{0.1, 0.5}, At(0, 0, 0.1 + gap, kLying)), {{0.5, 0, 0}, {-0.5, 0, 0}}, gap);
}

TEST(Manifold, RotatedBoxOnBoxHasTheCornersOfAnOctagon) {
  const Box box{Vec3(0.5, 0.5, 0.5)};
  const auto contacts = Contacts(box, At(0, 0, 1, Turn(0, 0, M_PI / 4)), box, At(0, 0, 0), 0.01);
  ASSERT_EQ(contacts.size(), 8u);
  const double inner = 0.5 * (std::sqrt(2.0) - 1);
  for (const LocalContact& contact : contacts) {
    const Vec3 p = contact.point_b.cwiseAbs();
    EXPECT_NEAR(std::max(p.x(), p.y()), 0.5, 1e-5);
    EXPECT_NEAR(std::min(p.x(), p.y()), inner, 1e-5);
    EXPECT_NEAR(contact.gap, 0, 1e-9);
  }
}

// A stack that has drifted, yawed and tilted by the little that solvers leave must keep its four corners.
TEST(Manifold, NearlyFlushBoxesKeepFourPoints) {
  Random random(21);
  const Box box{Vec3(0.5, 0.4, 0.3)};
  for (int i = 0; i < 300; ++i) {
    const double size = std::pow(10, Uniform(&random, -9, -4.2));
    const Pose X_WA{ExpRotation(size * RandomVector(&random)), Vec3(0, 0, 0.6) + size * RandomVector(&random)};
    const auto contacts = Contacts(box, X_WA, box, {}, 0.01);
    ASSERT_GE(contacts.size(), 4u) << size;
    ASSERT_LE(contacts.size(), size < 1e-5 ? 4u : 8u) << size;
    // one in each quarter
    std::set<int> quarters;
    for (const LocalContact& contact : contacts) {
      quarters.insert((contact.point_a.x() > 0) + 2 * (contact.point_a.y() > 0));
      EXPECT_GT(contact.normal.z(), 0.999);
    }
    EXPECT_EQ(quarters.size(), 4u);
  }
}

// Where overhanging faces are tilted by a little, the exact axis is that of two crossing edges or of a rim and an edge,
// with a single point. The body still rests on an area.
TEST(Manifold, SlightlyTiltedOverhangsRestOnAnArea) {
  Random random(24);
  const Box brick{Vec3(0.5, 0.2, 0.1)};
  int single = 0;
  for (int i = 0; i < 400; ++i) {
    const Quat tilt = ExpRotation(std::pow(10, Uniform(&random, -6, -2.5)) * RandomVector(&random));
    const Quat yaw = Turn(0, 0, Uniform(&random, 0.4, 1.2));
    const double depth = std::pow(10, Uniform(&random, -5, -2));
    const auto crossed = Contacts(brick, At(0, 0, 0.2 - depth, tilt * yaw), brick, {}, 0.02);
    const auto over_edge = Contacts(Cylinder{0.3, 0.2}, At(1.9, 0, 0.2 - depth, tilt), kTable, At(0, 0, -0.5), 0.02);
    for (const auto& contacts : {crossed, over_edge}) {
      if (contacts.size() < 3) ++single;
      for (const LocalContact& contact : contacts) EXPECT_GT(contact.normal.z(), 0.999);
    }
  }
  EXPECT_EQ(single, 0);
}

// The rim of a reference face starts where the tilted face above comes closest.
TEST(Manifold, RimPointsStartAtTheClosestOne) {
  ContactPatch circle;
  circle.kind = ContactPatch::Kind::kCircle;
  circle.radius = 1;
  circle.first_rim_feature = kFirstRimPoint;
  const ConvexCore ceiling = MakeCore(Box{Vec3(5, 5, 1)}, At(0, 0, 1.5, Turn(0.003, 0.01, 0)), Vec3::Zero(), 1);
  const PatchContacts manifold = IntersectPatches(circle, FacingPatch(ceiling, -Vec3::UnitZ()));
  ASSERT_EQ(manifold.count, 4);
  const Vec3 normal = ceiling.axes.col(2);
  const Vec3 foot = manifold.contacts[0].point - manifold.contacts[0].gap * Vec3::UnitZ();
  EXPECT_LT((foot - Vec3(normal.x(), normal.y(), 0).normalized()).norm(), 1e-9);
  // height of the ceiling's lower side above that place
  const Vec3 below = ceiling.center - normal;
  EXPECT_NEAR(manifold.contacts[0].gap, normal.dot(below - foot) / normal.z(), 1e-12);
  for (int k = 1; k < 4; ++k) EXPECT_GT(manifold.contacts[k].gap, manifold.contacts[0].gap);
}

TEST(Manifold, LogsSideBySideTouchAtBothEnds) {
  Random random(22);
  for (const ShapeGeometry& upper : {ShapeGeometry(Cylinder{0.2, 1}), ShapeGeometry(Capsule{0.2, 1})}) {
    for (const ShapeGeometry& lower : {ShapeGeometry(Cylinder{0.2, 1}), ShapeGeometry(Capsule{0.2, 1})}) {
      for (const double tilt : {0.0, 1e-8, 1e-5, 1e-3}) {
        const Vec3 normal(0, 0.6, 0.8);
        const Quat noise = ExpRotation(tilt * RandomVector(&random));
        const Pose X_WA{noise * kLying, Vec3(0.5, 0, 0) + 0.4 * normal};
        const auto contacts = Contacts(upper, X_WA, lower, {kLying, Vec3::Zero()}, 0.01);
        ASSERT_GE(contacts.size(), 2u) << ShapeName(upper) << " " << ShapeName(lower) << " " << tilt;
        ASSERT_LE(contacts.size(), 3u);
        double least = INFINITY;
        double most = -INFINITY;
        for (const LocalContact& contact : contacts) {
          least = std::min(least, contact.point_a.x());
          most = std::max(most, contact.point_a.x());
          EXPECT_LT((contact.normal - normal).norm(), 0.02);
          EXPECT_NEAR(contact.gap, 0, 3e-3);
        }
        EXPECT_NEAR(least, -0.5, 1e-2);
        EXPECT_NEAR(most, 1, 1e-2);
      }
    }
  }
}

// Two cubes of edge 2 on edge beside each other, as boxes and as hulls: the edges that touch are along y at x = z = 0.
struct CubesOnEdge {
  Vec3 offset = Vec3::Zero();  // of A from where the edges touch
  Vec3 turn = Vec3::Zero();    // of A about the middle of its edge
  double half_width = 1;       // of A along y

  static ShapeGeometry Cube(bool is_hull, double half_width) {
    const Vec3 half(1, half_width, 1);
    if (!is_hull) return Box{half};
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i)
      corners.push_back(half.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
    return Hull{MakeConvexHull(corners).polyhedron};
  }
  std::vector<LocalContact> Find(bool a_is_hull, bool b_is_hull) const {
    const Quat on_edge = Turn(0, M_PI / 4, 0), turned = ExpRotation(turn);
    const Vec3 aside(std::sqrt(2.0), 0, 0);
    return Contacts(Cube(a_is_hull, half_width), {turned * on_edge, offset + turned * aside}, Cube(b_is_hull, 1),
                    {on_edge, -aside}, 0.01);
  }
};

// No face says which normal two edges have that touch side by side. By symmetry it is the middle of those that statics
// allows, and rounding does not change it.
TEST(Manifold, EdgesSideBySideHaveTheNormalBetweenTheirFaces) {
  Random random(25);
  for (int i = 0; i < 200; ++i) {
    const double size = i < 4 ? 0 : std::pow(10, Uniform(&random, -16, -5));
    CubesOnEdge cubes{size * RandomVector(&random), size * RandomVector(&random), i % 8 < 4 ? 1.0 : 0.3};
    const auto contacts = cubes.Find(i & 1, i & 2);
    ASSERT_GE(contacts.size(), 2u) << size;
    double least = INFINITY, most = -INFINITY;
    for (const LocalContact& contact : contacts) {
      EXPECT_LT((contact.normal - Vec3::UnitX()).norm(), 1e-9 + 2e3 * size) << size;
      EXPECT_NEAR(contact.gap, 0, 1e-9 + 4 * size);
      least = std::min(least, contact.point_a.y());
      most = std::max(most, contact.point_a.y());
    }
    EXPECT_NEAR(most, cubes.half_width, 1e-4);
    EXPECT_NEAR(least, -cubes.half_width, 1e-4);
  }
}

// The same where they are not parallel, so that a corner of one touches the edge of the other.
TEST(Manifold, ACornerOnAnEdgeHasTheNormalBetweenTheFaces) {
  for (const double yaw : {0.03, 0.2, -0.5, 0.7}) {
    for (int i = 0; i < 4; ++i) {
      CubesOnEdge cubes{Vec3::Zero(), Vec3(0, 0, yaw), 0.3};
      // the corner at y = ±0.3 of A's edge comes to x = 0
      cubes.offset.x() = 0.3 * std::sin(std::abs(yaw));
      for (const double shift : {0.0, 1e-7, -1e-7}) {
        cubes.offset.z() = shift;
        const auto contacts = cubes.Find(i & 1, i & 2);
        const auto nearest = std::min_element(contacts.begin(), contacts.end(),
                                              [](const auto& c, const auto& d) { return c.gap < d.gap; });
        ASSERT_NE(nearest, contacts.end());
        EXPECT_NEAR(nearest->gap, 0, 1e-6);
        EXPECT_LT((nearest->normal - Vec3::UnitX()).norm(), 1e-3) << yaw << " " << shift;
        EXPECT_LT((nearest->point_a - Vec3(0, (yaw > 0 ? 0.3 : -0.3) * std::cos(yaw), 0)).norm(), 1e-6);
      }
    }
  }
}

// As an edge is drawn past another the normal turns from that of one face to that of the other, without a jump.
TEST(Manifold, TheNormalOfEdgesThatPassEachOtherTurnsSteadily) {
  const double step = 1e-5;
  for (const double gap : {-1e-3, -1e-5, 0.0, 1e-5, 1e-3, 5e-3}) {
    double last = -M_PI / 4;
    for (double z = -0.02; z < 0.02; z += step) {
      const auto contacts = CubesOnEdge{Vec3(gap, 0, z)}.Find(false, false);
      if (contacts.empty()) continue;  // further apart than the margin
      double angle = last;
      for (const LocalContact& contact : contacts) {
        angle = std::atan2(contact.normal.z(), contact.normal.x());
        EXPECT_NEAR(contact.normal.y(), 0, 1e-9);
        ASSERT_NEAR(angle, last, 0.05) << gap << " " << z;
      }
      EXPECT_GE(angle, last - 1e-7) << gap << " " << z;
      last = angle;
    }
    EXPECT_NEAR(last, M_PI / 4, gap > 0 ? 0.6 : 1e-9);
  }
}

TEST(Manifold, BoxCornersFarFromThePlaneCountUpToTheMargin) {
  const Box box{Vec3(0.1, 0.1, 0.1)};
  EXPECT_EQ(Contacts(box, At(0, 0, 0.1), Plane{}, {}, 0.05).size(), 4u);
  EXPECT_EQ(Contacts(box, At(0, 0, 0.1), Plane{}, {}, 0.3).size(), 8u);
  EXPECT_EQ(Contacts(box, At(0, 0, 0.1 + 0.06), Plane{}, {}, 0.05).size(), 0u);
}

// A generous margin must not turn the far side of a rim into a contact.
TEST(Manifold, UprightRimsHaveOnePointWhateverTheMargin) {
  for (const Ground& ground : kGrounds) {
    for (const double margin : {1e-6, 0.05, 1.0, 10.0}) {
      EXPECT_EQ(Contacts(Disk{0.3}, At(0, 0, 0.3, kLying), ground.shape, ground.pose, margin).size(), 1u);
      const Quat tilted = Turn(0, 20 * M_PI / 180, 0);
      EXPECT_EQ(
          Contacts(Disk{0.3}, At(0, 0, 0.3 * std::sin(20 * M_PI / 180), tilted), ground.shape, ground.pose, margin)
              .size(),
          1u);
    }
  }
}

// Tips a cylinder from its end to its side and past: the deepest point is always among the contacts, and each point
// that keeps its name moves continuously.
TEST(Manifold, TippingCylinderKeepsItsDeepestPointAndItsNames) {
  const Cylinder cylinder{0.3, 0.5};
  for (const Ground& ground : kGrounds) {
    std::vector<LocalContact> last;
    const double step = 1e-3;
    for (double angle = 0.005; angle < M_PI - 0.005; angle += step) {
      const Quat rotation = Turn(0, 0, 0.3) * Turn(angle, 0, 0) * Turn(0, 0, angle);  // rolls as it tips
      const double height = 0.5 * std::abs(std::cos(angle)) + 0.3 * std::sin(angle);
      const auto contacts = Contacts(cylinder, At(0, 0, height - 1e-3, rotation), ground.shape, ground.pose, 0.04);
      ASSERT_FALSE(contacts.empty());
      ASSERT_NEAR(LeastGap(contacts), -1e-3, 1e-9) << angle;
      for (const LocalContact& contact : contacts) {
        for (const LocalContact& before : last) {
          if (before.feature == contact.feature) {
            ASSERT_LT((before.point_a - contact.point_a).norm(), 3 * step) << angle;
            ASSERT_LT((before.normal - contact.normal).norm(), 1e-9);
          }
        }
      }
      last = contacts;
    }
  }
}

TEST(Manifold, BoxSlidingOnABoxKeepsItsNames) {
  const Box box{Vec3(0.2, 0.2, 0.2)};
  std::set<std::uint32_t> names;
  for (double x = -1; x < 1; x += 0.01) {
    const auto contacts = Contacts(box, At(x, 0.3 * x, 0.2 - 1e-5, Turn(0, 0, 0.2 * x)), kTable, At(0, 0, -0.5), 0.01);
    ASSERT_EQ(contacts.size(), 4u);
    for (const LocalContact& contact : contacts) names.insert(contact.feature);
  }
  EXPECT_EQ(names.size(), 4u);
}

TEST(Manifold, DeepBodiesLeaveTheShortWay) {
  // nearest way out of the table from just below its top is up, also for shapes whose centres are inside
  for (const ShapeGeometry& shape :
       {ShapeGeometry(Sphere{0.1}), ShapeGeometry(Box{Vec3(0.1, 0.1, 0.1)}), ShapeGeometry(Capsule{0.1, 0.1}),
        ShapeGeometry(Cylinder{0.1, 0.1}), ShapeGeometry(Disk{0.1})}) {
    Random random(23);
    for (int i = 0; i < 20; ++i) {
      const auto contacts = Contacts(shape, At(0, 0, -0.2, RandomRotation(&random)), kTable, At(0, 0, -0.5), 0);
      ASSERT_FALSE(contacts.empty()) << ShapeName(shape);
      EXPECT_LT((contacts[0].normal - Vec3::UnitZ()).norm(), 1e-9) << ShapeName(shape);
      EXPECT_LT(LeastGap(contacts), -0.2);
      EXPECT_GT(LeastGap(contacts), -0.2 - BoundingRadius(shape) - 1e-9);
    }
  }
}

}  // namespace
}  // namespace slipstick::internal
