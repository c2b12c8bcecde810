#include "slipstick/collision/detect_contacts.h"

#include <gtest/gtest.h>

#include <tuple>

#include "tests/collision/detector_samples.h"

namespace slipstick::internal {
namespace {

using namespace samples;

// Every pair, one after the other.
std::vector<ContactPoint> PairByPair(const Heap& heap, const std::vector<double>& margins) {
  std::vector<ContactPoint> points;
  const int count = static_cast<int>(heap.model.shapes.size());
  const auto pose = [&](int i) {
    return heap.kinematics.PoseOf(heap.model.shapes[i].body) * heap.model.shapes[i].X_BS;
  };
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      if (!heap.model.MayTouch(a, b)) continue;
      if (heap.model.IsWaiting(heap.model.shapes[a].body, heap.kinematics.released)) continue;
      if (heap.model.IsWaiting(heap.model.shapes[b].body, heap.kinematics.released)) continue;
      for (const LocalContact& c : Contacts(heap.model.shapes[a].geometry, pose(a), heap.model.shapes[b].geometry,
                                            pose(b), margins[a] + margins[b])) {
        points.push_back({KeyOf(a, b, c), c.normal, c.point_a, c.point_b, c.gap});
      }
    }
  }
  std::sort(points.begin(), points.end(), [](const ContactPoint& x, const ContactPoint& y) {
    return std::tuple(x.key.shape_a, x.key.shape_b, x.key.feature_a(), x.key.feature_b()) <
           std::tuple(y.key.shape_a, y.key.shape_b, y.key.feature_a(), y.key.feature_b());
  });
  return points;
}

void ExpectSame(const std::vector<ContactPoint>& found, const std::vector<ContactPoint>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    ASSERT_EQ(found[k].key, expected[k].key);
    EXPECT_NEAR(found[k].gap, expected[k].gap, 1e-12);
    EXPECT_LT((found[k].normal - expected[k].normal).norm(), 1e-9);
    EXPECT_LT((found[k].point_a - expected[k].point_a).norm(), 1e-9);
    EXPECT_LT((found[k].point_b - expected[k].point_b).norm(), 1e-9);
  }
}

TEST(DetectContacts, EqualsPairByPair) {
  Random random(41);
  std::size_t contacts = 0;
  for (int round = 0; round < 60; ++round) {
    Heap heap = RandomHeap(static_cast<int>(random() % 40), round % 3 == 0 ? 8.0 : 2.0, &random);
    ContactDetector detector(heap.model);
    std::vector<double> margins(heap.model.shapes.size());
    for (double& margin : margins) margin = round % 4 == 0 ? 0.0 : std::pow(10, Uniform(&random, -6, -0.5));
    for (const int released : {0, 2, 3, 100}) {
      heap.kinematics.released = released;
      const auto& found = detector.Detect(heap.model, heap.kinematics, margins);
      ExpectSame(found, PairByPair(heap, margins));
      contacts += found.size();
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(contacts, 3000u);
}

TEST(DetectContacts, OneMarginIsSharedByThePair) {
  Random random(42);
  const Heap heap = RandomHeap(30, 2.0, &random);
  ContactDetector detector(heap.model);
  const std::size_t count = heap.model.shapes.size();
  const std::vector<ContactPoint> found = detector.Detect(heap.model, heap.kinematics, 0.3);
  EXPECT_GT(found.size(), 20u);
  ExpectSame(found, PairByPair(heap, std::vector<double>(count, 0.15)));
}

// One detector follows bodies that move, a little so that its list serves for several steps, and now and then a lot.
TEST(DetectContacts, FollowsMovingBodies) {
  Random random(44);
  Heap heap = RandomHeap(60, 2.5, &random);
  heap.kinematics.released = 100;
  ContactDetector detector(heap.model);
  std::vector<double> margins(heap.model.shapes.size());
  for (int step = 0; step < 60; ++step) {
    for (double& margin : margins) margin = Uniform(&random, 0, 0.02) * (step % 7 == 0 ? 5 : 1);
    const double size = step % 10 == 9 ? 0.3 : 2e-3;
    for (std::size_t i = 0; i < heap.kinematics.X_WB.size(); ++i) {
      Pose& pose = heap.kinematics.X_WB[i];
      pose.position += size * RandomVector(&random);
      pose.rotation = ExpRotation(size * RandomVector(&random)) * pose.rotation;
      heap.kinematics.R_WB[i] = pose.rotation.toRotationMatrix();
    }
    ExpectSame(detector.Detect(heap.model, heap.kinematics, margins), PairByPair(heap, margins));
    if (HasFatalFailure()) return;
  }
}

// A few bodies at a time, so that the list is mended rather than made anew.
TEST(DetectContacts, FollowsTheFewThatMove) {
  Random random(44);
  Heap heap = RandomHeap(60, 2.0, &random);
  heap.kinematics.released = 100;
  ContactDetector detector(heap.model);
  std::uniform_int_distribution<std::size_t> any(0, heap.kinematics.X_WB.size() - 1);
  for (int step = 0; step < 60; ++step) {
    for (int k = 0; k < 3; ++k) heap.kinematics.X_WB[any(random)].position += 0.7 * RandomVector(&random);
    const std::vector<double> margins(heap.model.shapes.size(), 0.05);
    ExpectSame(detector.Detect(heap.model, heap.kinematics, margins), PairByPair(heap, margins));
    if (HasFatalFailure()) return;
  }
}

// What was found before leaves no trace: the same poses give the same bits after any others.
TEST(DetectContacts, DependsOnThePosesAlone) {
  Random random(43);
  Heap heap = RandomHeap(40, 2.0, &random);
  ContactDetector used(heap.model);
  const Kinematics first = heap.kinematics;
  for (int i = 0; i < 5; ++i) {
    for (Pose& pose : heap.kinematics.X_WB) pose.position += std::pow(10, 3 * i - 6) * RandomVector(&random);
    used.Detect(heap.model, heap.kinematics, 0.1);
  }
  ContactDetector fresh(heap.model);
  const std::vector<ContactPoint> again = used.Detect(heap.model, first, 0.1);
  const std::vector<ContactPoint>& expected = fresh.Detect(heap.model, first, 0.1);
  ASSERT_EQ(again.size(), expected.size());
  for (std::size_t k = 0; k < again.size(); ++k) {
    EXPECT_EQ(again[k].gap, expected[k].gap);
    EXPECT_EQ(again[k].point_a, expected[k].point_a);
    EXPECT_EQ(again[k].key, expected[k].key);
  }
}

// Spheres that rest exactly on a plane, in a stack: zero margin still finds each contact.
TEST(DetectContacts, ZeroMarginFindsWhatJustTouches) {
  Heap heap;
  for (int i = 0; i < 10; ++i) {
    ModelBody body;
    body.group = i;
    heap.model.bodies.push_back(body);
    ModelShape shape;
    shape.body = i;
    shape.geometry = Sphere{0.5};
    heap.model.shapes.push_back(shape);
    heap.kinematics.X_WB.push_back({Quat::Identity(), Vec3(0, 0, 0.5 + i)});
    heap.kinematics.R_WB.push_back(Mat3::Identity());
    heap.kinematics.linear_velocity.push_back(Vec3::Zero());
  }
  ModelShape plane;
  plane.geometry = Plane{};
  heap.model.shapes.push_back(plane);
  ContactDetector detector(heap.model);
  EXPECT_EQ(detector.Detect(heap.model, heap.kinematics, 0.0).size(), 10u);
}

}  // namespace
}  // namespace slipstick::internal
