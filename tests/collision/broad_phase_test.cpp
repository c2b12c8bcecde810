#include "slipstick/collision/broad_phase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace slipstick {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

// Straight from the definition.
Pairs BruteForce(const std::vector<Aabb>& boxes, double margin, const std::vector<int>& groups = {},
                 const Pairs& excluded = {}) {
  Pairs pairs;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    for (int j = i + 1; j < static_cast<int>(boxes.size()); ++j) {
      bool near = true;
      for (int axis = 0; axis < 3; ++axis) {
        near &= boxes[i].least(axis) - boxes[j].most(axis) <= margin;
        near &= boxes[j].least(axis) - boxes[i].most(axis) <= margin;
      }
      if (!near) continue;
      if (!groups.empty() && (groups[i] < 0 || groups[j] < 0 || groups[i] == groups[j])) continue;
      if (std::count(excluded.begin(), excluded.end(), std::pair(i, j)) > 0) continue;
      if (std::count(excluded.begin(), excluded.end(), std::pair(j, i)) > 0) continue;
      pairs.push_back({i, j});
    }
  }
  return pairs;
}

// Spheres whose sizes spread over three decades.
std::vector<Aabb> MixedSpheres(int count, std::mt19937* random) {
  std::uniform_real_distribution<double> place(-5, 5);
  std::uniform_real_distribution<double> decade(-2.5, 0.5);
  std::vector<Aabb> boxes;
  for (int i = 0; i < count; ++i) {
    const double radius = 0.3 * std::pow(10, decade(*random));
    boxes.push_back(
        BoundingBox(Sphere{radius}, Pose{Quat::Identity(), Vec3(place(*random), place(*random), place(*random))}));
  }
  return boxes;
}

TEST(BroadPhaseTest, EqualsBruteForceOnSpheresOfMixedSizes) {
  std::mt19937 random(1);
  BroadPhase broad_phase;
  Pairs pairs;
  for (const double margin : {0.0, 0.05}) {
    const std::vector<Aabb> boxes = MixedSpheres(2000, &random);
    broad_phase.FindPairs(boxes, margin, &pairs);
    EXPECT_GT(pairs.size(), 1000u);
    EXPECT_EQ(pairs, BruteForce(boxes, margin));
  }
}

TEST(BroadPhaseTest, PairsPlanesWithAllTheyReach) {
  std::mt19937 random(2);
  for (int round = 0; round < 20; ++round) {
    std::vector<Aabb> boxes = MixedSpheres(60, &random);
    boxes[7] = BoundingBox(Plane{}, Pose{});
    boxes[31] = BoundingBox(Plane{}, Pose{Quat(0.8, 0.6, 0, 0), Vec3(1, 2, 3)});
    boxes[59] = boxes[31];
    BroadPhase broad_phase;
    Pairs pairs;
    broad_phase.FindPairs(boxes, 0.1, &pairs);
    EXPECT_EQ(pairs, BruteForce(boxes, 0.1));
    // the tilted plane reaches everything
    for (int i = 0; i < 31; ++i) EXPECT_TRUE(std::binary_search(pairs.begin(), pairs.end(), std::pair(i, 31)));
  }
}

TEST(BroadPhaseTest, LeavesOutGroupsAndExcludedPairs) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    const std::vector<Aabb> boxes = MixedSpheres(300, &random);
    std::vector<int> groups;
    Pairs excluded;
    for (int i = 0; i < 300; ++i) groups.push_back(static_cast<int>(random() % 40) - 1);
    const Pairs all = BruteForce(boxes, 0.2);
    for (std::size_t i = 0; i < all.size(); i += 3) {
      excluded.push_back(i % 2 == 0 ? all[i] : std::pair(all[i].second, all[i].first));
    }
    BroadPhase broad_phase(groups, excluded);
    Pairs pairs;
    broad_phase.FindPairs(boxes, 0.2, &pairs);
    EXPECT_EQ(pairs, BruteForce(boxes, 0.2, groups, excluded));
    EXPECT_LT(pairs.size(), all.size());
  }
}

TEST(BroadPhaseTest, SmallAndDegenerateSets) {
  BroadPhase broad_phase;
  Pairs pairs{{1, 2}};
  broad_phase.FindPairs({}, 1, &pairs);
  EXPECT_TRUE(pairs.empty());
  std::vector<Aabb> boxes(1);
  broad_phase.FindPairs(boxes, 1, &pairs);
  EXPECT_TRUE(pairs.empty());
  boxes.resize(5);  // all the same point: every pair touches
  broad_phase.FindPairs(boxes, 0, &pairs);
  EXPECT_EQ(pairs, BruteForce(boxes, 0));
  EXPECT_EQ(pairs.size(), 10u);
  boxes[2].least.x() = NAN;  // what has no place has no neighbours
  broad_phase.FindPairs(boxes, 0, &pairs);
  EXPECT_EQ(pairs.size(), 6u);
}

TEST(BroadPhaseTest, OneObjectServesScenesOfChangingSize) {
  std::mt19937 random(4);
  BroadPhase broad_phase;
  Pairs pairs;
  for (const int count : {500, 3, 129, 128, 127, 1000, 1}) {
    const std::vector<Aabb> boxes = MixedSpheres(count, &random);
    broad_phase.FindPairs(boxes, 0.3, &pairs);
    EXPECT_EQ(pairs, BruteForce(boxes, 0.3)) << count;
  }
}

}  // namespace
}  // namespace slipstick
