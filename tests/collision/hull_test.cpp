// Hulls: as the box where they are one, and against a distance found by an independent method.

#include <gtest/gtest.h>

#include <set>

#include "tests/collision/shape_samples.h"

namespace slipstick::internal {
namespace {

using namespace samples;

Hull BoxHull(const Vec3& half, const Vec3& offset = Vec3::Zero()) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) {
    corners.push_back(offset + half.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  }
  return {MakeConvexHull(corners).polyhedron};
}

bool GapOrder(const LocalContact& x, const LocalContact& y) { return x.gap < y.gap; }

// Whether two sets of contacts are the same but for their names and order.
void ExpectSamePoints(const std::vector<LocalContact>& found, const std::vector<LocalContact>& expected,
                      const std::string& what, bool may_have_more = false) {
  if (may_have_more) {
    ASSERT_EQ(found.empty(), expected.empty()) << what;
    if (expected.empty()) return;
    return ExpectSamePoints({*std::min_element(found.begin(), found.end(), GapOrder)},
                            {*std::min_element(expected.begin(), expected.end(), GapOrder)}, what);
  }
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (const LocalContact& contact : found) {
    const bool same = std::any_of(expected.begin(), expected.end(), [&](const LocalContact& other) {
      return (contact.point_a - other.point_a).norm() < 1e-7 && (contact.point_b - other.point_b).norm() < 1e-7 &&
             (contact.normal - other.normal).norm() < 1e-7 && std::abs(contact.gap - other.gap) < 1e-9;
    });
    EXPECT_TRUE(same) << what;
  }
}

// Against every kind of shape, apart, touching and overlapping, by chance and aligned.
TEST(HullTest, OfABoxesCornersIsTheBox) {
  Random random(51);
  int touching = 0;
  for (int kind = 0; kind < kKinds; ++kind) {
    for (int number = 0; number < 300; ++number) {
      const Vec3 half(Uniform(&random, 0.2, 1), Uniform(&random, 0.2, 1), Uniform(&random, 0.2, 1));
      const Vec3 offset = RandomVector(&random);
      const ShapeGeometry other = RandomShape(kind, &random);
      const Pose X_WA{RandomRotation(&random), RandomVector(&random)};
      const Pose X_WB{RandomRotation(&random), X_WA.position + 1.5 * RandomVector(&random)};
      const Pose X_WH{X_WA.rotation, X_WA.position - X_WA.rotation * offset};
      const auto of_box = Contacts(Box{half}, X_WA, other, X_WB, 0.1);
      const auto of_hull = Contacts(BoxHull(half, offset), X_WH, other, X_WB, 0.1);
      // beside an edge or corner that touches there are further points above the nearest face, a hull's and a box's
      const auto deepest = std::min_element(of_box.begin(), of_box.end(), GapOrder);
      const bool no_face =
          deepest != of_box.end() && FeatureOfA(deepest->feature) != 0 && FeatureOfB(deepest->feature) != 0;
      ExpectSamePoints(of_hull, of_box, ShapeName(other) + " " + std::to_string(number),
                       of_box.size() == 1 || no_face || std::holds_alternative<Hull>(other));
      if (HasFatalFailure()) return;
      touching += of_box.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(touching, 700);
}

TEST(HullTest, OfABoxesCornersLiesFlatLikeTheBox) {
  const Vec3 half(0.5, 0.4, 0.3);
  Random random(52);
  for (int i = 0; i < 200; ++i) {
    const double size = std::pow(10, Uniform(&random, -9, -4.2));
    const Quat yaw = ExpRotation(Vec3(0, 0, i % 2 == 0 ? 0 : Uniform(&random, -3, 3)));
    const Pose X_WA{ExpRotation(size * RandomVector(&random)) * yaw, Vec3(0.1, 0, 0.6) + size * RandomVector(&random)};
    const std::string what = "tilted by " + std::to_string(size);
    const auto of_boxes = Contacts(Box{half}, X_WA, Box{half}, {}, 0.01);
    ASSERT_GE(of_boxes.size(), 4u);
    ExpectSamePoints(Contacts(BoxHull(half), X_WA, BoxHull(half), {}, 0.01), of_boxes, what);
    // of two faces that tie the first shape's is the reference, and a box counts as first before a hull: so the boxes
    // swap
    ExpectSamePoints(Contacts(Box{half}, {}, BoxHull(half), X_WA, 0.01), Contacts(Box{half}, {}, Box{half}, X_WA, 0.01),
                     what);
    ExpectSamePoints(Contacts(Box{half}, X_WA, BoxHull(half), {}, 0.01), of_boxes, what);
  }
}

// The distance of two sets of points' hulls, by projected gradient on the weights of a nearest pair (Frank & Wolfe with
// away steps): min |Σ λᵢ aᵢ − Σ μⱼ bⱼ|². Slow, and shares nothing with the library. Zero where they overlap.
double DistanceOfHulls(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  // points of the Minkowski difference
  std::vector<Vec3> p;
  for (const Vec3& x : a) {
    for (const Vec3& y : b) p.push_back(x - y);
  }
  std::vector<double> weight(p.size(), 0.0);
  weight[0] = 1;
  Vec3 v = p[0];
  for (int iteration = 0; iteration < 20'000; ++iteration) {
    std::size_t towards = 0, away = p.size();
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (v.dot(p[i]) < v.dot(p[towards])) towards = i;
      if (weight[i] > 0 && (away == p.size() || v.dot(p[i]) > v.dot(p[away]))) away = i;
    }
    // weight moves from the worst point in use to the best of all, as far as pays (pairwise Frank & Wolfe)
    const Vec3 step = p[towards] - p[away];
    const double slope = v.dot(step);
    if (slope > -1e-15) break;
    const double share = std::min(weight[away], -slope / step.squaredNorm());
    weight[away] -= share;
    weight[towards] += share;
    v += share * step;
  }
  return v.norm();
}

TEST(HullTest, DistanceAgreesWithAnIndependentMethod) {
  Random random(53);
  int apart = 0;
  for (int number = 0; number < 150; ++number) {
    const Hull a = RandomHull(&random), b = RandomHull(&random);
    const Pose X_WA{RandomRotation(&random), Vec3::Zero()};
    const Pose X_WB{RandomRotation(&random), 1.7 * RandomVector(&random)};
    std::vector<Vec3> corners_a, corners_b;
    for (const Vec3& corner : a.polyhedron->corners) corners_a.push_back(X_WA * corner);
    for (const Vec3& corner : b.polyhedron->corners) corners_b.push_back(X_WB * corner);
    const double distance = DistanceOfHulls(corners_a, corners_b);
    if (distance < 1e-6) continue;
    const auto contacts = Contacts(a, X_WA, b, X_WB, 10);
    ASSERT_FALSE(contacts.empty());
    // a manifold of nearly parallel faces may give up a little against the exact point
    EXPECT_NEAR(LeastGap(contacts), distance, contacts.size() == 1 ? 1e-6 : 0.02) << number;
    EXPECT_TRUE(Contacts(a, X_WA, b, X_WB, 0.999 * distance - 1e-6).empty());
    ++apart;
  }
  EXPECT_GT(apart, 50);
}

// The way out of two overlapping hulls: the largest separation over the normals of all faces and the cross products of
// all edges, both ways, with nothing passed over.
double DepthByTryingAll(const Hull& a, const Pose& X_WA, const Hull& b, const Pose& X_WB) {
  std::vector<Vec3> directions, edges_a, edges_b;
  for (const auto& face : a.polyhedron->faces) directions.push_back(X_WA.rotation * face.normal);
  for (const auto& face : b.polyhedron->faces) directions.push_back(X_WB.rotation * face.normal);
  for (const auto& edge : a.polyhedron->edges) edges_a.push_back(X_WA.rotation * edge.direction);
  for (const auto& edge : b.polyhedron->edges) edges_b.push_back(X_WB.rotation * edge.direction);
  for (const Vec3& x : edges_a) {
    for (const Vec3& y : edges_b) {
      const Vec3 n = x.cross(y);
      if (n.norm() > 1e-6) directions.push_back(n.normalized());
    }
  }
  double best = -INFINITY;
  for (const Vec3& direction : directions) {
    for (const double sign : {1.0, -1.0}) {
      double least_a = INFINITY, most_b = -INFINITY;
      for (const Vec3& corner : a.polyhedron->corners) {
        least_a = std::min(least_a, sign * direction.dot(X_WA * corner));
      }
      for (const Vec3& corner : b.polyhedron->corners) most_b = std::max(most_b, sign * direction.dot(X_WB * corner));
      best = std::max(best, least_a - most_b);
    }
  }
  return best;
}

TEST(HullTest, DepthIsTheLeastOfAll) {
  Random random(55);
  int overlapping = 0, exact = 0;
  for (int number = 0; number < 300; ++number) {
    const Hull a = RandomHull(&random), b = RandomHull(&random);
    const Pose X_WA{RandomRotation(&random), Vec3::Zero()};
    const Pose X_WB{RandomRotation(&random), 0.9 * RandomVector(&random)};
    const double depth = DepthByTryingAll(a, X_WA, b, X_WB);
    if (depth >= 0) continue;
    const auto contacts = Contacts(a, X_WA, b, X_WB, 0);
    ASSERT_FALSE(contacts.empty()) << number;
    // a manifold of nearly parallel faces may give up a little
    EXPECT_NEAR(LeastGap(contacts), depth, contacts.size() == 1 ? 1e-9 : 0.02) << number;
    ++overlapping;
    exact += std::abs(LeastGap(contacts) - depth) < 1e-9 ? 1 : 0;
  }
  EXPECT_GT(overlapping, 100);
  EXPECT_GT(exact, 0.9 * overlapping);
}

// Faces of stones that lie on each other have several points, and each keeps its name while they slide and turn.
TEST(HullTest, FacesHaveSeveralPointsThatKeepTheirNames) {
  std::vector<Vec3> prism;  // of six sides
  for (int i = 0; i < 6; ++i) {
    for (const double z : {-0.2, 0.2}) prism.push_back({std::cos(i * M_PI / 3), std::sin(i * M_PI / 3), z});
  }
  const Hull hull{MakeConvexHull(prism).polyhedron};
  std::vector<LocalContact> last;
  for (double t = 0; t < 1; t += 1e-3) {
    const Pose X_WA{ExpRotation(Vec3(1e-4 * std::sin(7 * t), 1e-4 * std::cos(5 * t), 0.3 * t)),
                    Vec3(0.2 + 0.2 * t, 0.1 * t, 0.4 - 1e-4)};
    const auto contacts = Contacts(hull, X_WA, hull, {}, 0.01);
    ASSERT_GE(contacts.size(), 4u) << t;
    ASSERT_LE(contacts.size(), 12u) << t;
    std::set<std::uint32_t> names;
    for (const LocalContact& contact : contacts) {
      names.insert(contact.feature);
      EXPECT_GT(contact.normal.z(), 0.999);
      for (const LocalContact& before : last) {
        if (before.feature != contact.feature) continue;
        EXPECT_LT((before.point_a - contact.point_a).norm(), 0.01) << t;
      }
    }
    EXPECT_EQ(names.size(), contacts.size());
    last = contacts;
  }
}

// A corner that points down between steep faces is the contact, although a flatter face is further up.
TEST(HullTest, TheDeepestCornerIsAlwaysAmongTheContacts) {
  Random random(54);
  const Box table{Vec3(3, 3, 0.5)};
  for (int i = 0; i < 500; ++i) {
    const Hull hull = RandomHull(&random);
    Pose X_WA{RandomRotation(&random), Vec3::Zero()};
    double lowest = INFINITY;
    for (const Vec3& corner : hull.polyhedron->corners) lowest = std::min(lowest, (X_WA * corner).z());
    const double depth = std::pow(10, Uniform(&random, -6, -2));
    X_WA.position.z() = -lowest - depth;
    for (const ShapeGeometry& ground :
         {ShapeGeometry(Plane{}), ShapeGeometry(table), ShapeGeometry(BoxHull(table.half_extents))}) {
      const bool plane = std::holds_alternative<Plane>(ground);
      const auto contacts = Contacts(hull, X_WA, ground, {Quat::Identity(), Vec3(0, 0, plane ? 0 : -0.5)}, 1e-3);
      ASSERT_NEAR(LeastGap(contacts), -depth, 1e-9) << i << " " << ShapeName(ground);
    }
  }
}

}  // namespace
}  // namespace slipstick::internal
