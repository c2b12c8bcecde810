#include "slipstick/collision/broad_phase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace slipstick {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

// Straight from the definition.
Pairs BruteForce(const std::vector<Aabb>& boxes, const std::vector<HalfSpace>& half_spaces = {},
                 const std::vector<int>& groups = {}, const Pairs& excluded = {}) {
  const int count = static_cast<int>(boxes.size());
  Pairs pairs;
  const auto add = [&](int i, int j) {
    if (!groups.empty() && (groups[i] < 0 || groups[j] < 0 || groups[i] == groups[j])) return;
    if (std::count(excluded.begin(), excluded.end(), std::pair(i, j)) > 0) return;
    if (std::count(excluded.begin(), excluded.end(), std::pair(j, i)) > 0) return;
    pairs.push_back({std::min(i, j), std::max(i, j)});
  };
  const auto empty = [&](int i) { return !(boxes[i].least.array() <= boxes[i].most.array()).all(); };
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      bool meet = !empty(i) && !empty(j);
      for (int axis = 0; axis < 3; ++axis) {
        meet &= boxes[i].least(axis) <= boxes[j].most(axis);
        meet &= boxes[j].least(axis) <= boxes[i].most(axis);
      }
      if (meet) add(i, j);
    }
  }
  for (const HalfSpace& half_space : half_spaces) {
    for (int i = 0; i < count; ++i) {
      double lowest = INFINITY;
      for (int corner = 0; corner < 8; ++corner) {
        const Vec3 p(corner & 1 ? boxes[i].least.x() : boxes[i].most.x(),
                     corner & 2 ? boxes[i].least.y() : boxes[i].most.y(),
                     corner & 4 ? boxes[i].least.z() : boxes[i].most.z());
        lowest = std::min(lowest, half_space.normal.dot(p));
      }
      if (lowest <= half_space.offset && !empty(i)) add(i, half_space.shape);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::vector<Aabb> Widened(std::vector<Aabb> boxes, double margin) {
  for (Aabb& box : boxes) box = slipstick::Widened(box, margin);
  return boxes;
}

const Aabb kEmpty{Vec3::Constant(INFINITY), Vec3::Constant(-INFINITY)};

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
  for (const double margin : {0.0, 0.025}) {
    const std::vector<Aabb> boxes = Widened(MixedSpheres(2000, &random), margin);
    broad_phase.FindPairs(boxes, {}, &pairs);
    EXPECT_GT(pairs.size(), 1000u);
    EXPECT_EQ(pairs, BruteForce(boxes));
  }
}

TEST(BroadPhaseTest, PairsHalfSpacesWithAllThatReachIn) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 50; ++round) {
    std::vector<Aabb> boxes = MixedSpheres(60, &random);
    std::vector<HalfSpace> half_spaces{{7, Vec3::UnitY(), 0.5}};
    for (const int shape : {31, 59}) {
      half_spaces.push_back(
          {shape, Vec3(normal(random), normal(random), normal(random)).normalized(), 3 * normal(random)});
    }
    for (const HalfSpace& half_space : half_spaces) boxes[half_space.shape] = kEmpty;
    BroadPhase broad_phase;
    Pairs pairs;
    broad_phase.FindPairs(boxes, half_spaces, &pairs);
    EXPECT_EQ(pairs, BruteForce(boxes, half_spaces));
  }
}

TEST(BroadPhaseTest, LeavesOutGroupsAndExcludedPairs) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    std::vector<Aabb> boxes = Widened(MixedSpheres(300, &random), 0.1);
    const std::vector<HalfSpace> half_spaces{{5, Vec3::UnitZ(), 0.0}};
    boxes[5] = kEmpty;
    std::vector<int> groups;
    Pairs excluded;
    for (int i = 0; i < 300; ++i) groups.push_back(static_cast<int>(random() % 40) - 1);
    const Pairs all = BruteForce(boxes, half_spaces);
    for (std::size_t i = 0; i < all.size(); i += 3) {
      excluded.push_back(i % 2 == 0 ? all[i] : std::pair(all[i].second, all[i].first));
    }
    BroadPhase broad_phase(groups, excluded);
    Pairs pairs;
    broad_phase.FindPairs(boxes, half_spaces, &pairs);
    EXPECT_EQ(pairs, BruteForce(boxes, half_spaces, groups, excluded));
    EXPECT_LT(pairs.size(), all.size());
  }
}

TEST(BroadPhaseTest, SmallAndDegenerateSets) {
  BroadPhase broad_phase;
  Pairs pairs{{1, 2}};
  broad_phase.FindPairs({}, {}, &pairs);
  EXPECT_TRUE(pairs.empty());
  std::vector<Aabb> boxes(1);
  broad_phase.FindPairs(boxes, {}, &pairs);
  EXPECT_TRUE(pairs.empty());
  boxes.resize(5);  // all the same point: every pair touches
  broad_phase.FindPairs(boxes, {}, &pairs);
  EXPECT_EQ(pairs, BruteForce(boxes));
  EXPECT_EQ(pairs.size(), 10u);
  boxes[2].least.x() = NAN;  // what has no place has no neighbours
  broad_phase.FindPairs(boxes, {}, &pairs);
  EXPECT_EQ(pairs.size(), 6u);
  boxes[1].most.z() = -1;  // nor what is empty in one direction
  broad_phase.FindPairs(boxes, {}, &pairs);
  EXPECT_EQ(pairs.size(), 3u);
}

TEST(BroadPhaseTest, OneObjectServesScenesOfChangingSize) {
  std::mt19937 random(4);
  BroadPhase broad_phase;
  Pairs pairs;
  for (const int count : {500, 3, 129, 128, 127, 1000, 1}) {
    const std::vector<Aabb> boxes = Widened(MixedSpheres(count, &random), 0.15);
    broad_phase.FindPairs(boxes, {}, &pairs);
    EXPECT_EQ(pairs, BruteForce(boxes)) << count;
  }
}

// Boxes of every sort in one heap: sizes over many decades and sizes all alike, clusters, lattices whose boxes share
// faces with their cells' borders, outliers, unbounded and empty ones, far from the origin and all in one place.
TEST(BroadPhaseTest, EqualsBruteForceOnEverySortOfHeap) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  const auto vector = [&] { return Vec3(unit(random), unit(random), unit(random)); };
  BroadPhase broad_phase;
  Pairs pairs;
  std::size_t found = 0;
  for (int round = 0; round < 300; ++round) {
    const double decades = 6 * std::max(0.0, unit(random));
    const double spread = std::pow(10, 3 * unit(random));
    const Vec3 offset = round % 5 == 0 ? Vec3(std::pow(10, 12 * unit(random)) * vector()) : Vec3(Vec3::Zero());
    const int count = 2 + static_cast<int>(random() % 150);
    std::vector<Vec3> centers{offset};
    std::vector<Aabb> boxes;
    std::vector<HalfSpace> half_spaces;
    for (int i = 0; i < count; ++i) {
      const Vec3 half = std::pow(10, decades * unit(random)) * (0.2 * vector() + Vec3::Constant(1));
      Vec3 center = offset + spread * vector();
      switch (round % 4) {
        case 0:  // clusters
          if (random() % 8 != 0) center = centers[random() % centers.size()] + 3 * half.norm() * vector();
          break;
        case 1:  // a lattice of cubes that touch
          for (int axis = 0; axis < 3; ++axis) center(axis) = offset(axis) + 2.0 * static_cast<double>(random() % 5);
          break;
        default:
          break;
      }
      centers.push_back(center);
      const Vec3 extent = round % 4 == 1 ? Vec3(Vec3::Ones()) : half;
      boxes.push_back({center - extent, center + extent});
      if (random() % 40 == 0) boxes.back() = slipstick::Widened(boxes.back(), 1e3 * spread);
      if (random() % 40 == 0) boxes.back() = {1e9 * center, 1e9 * center + Vec3::Ones()};
      if (random() % 60 == 0) boxes.back().most.x() = INFINITY;
      if (random() % 60 == 0) boxes.back() = kEmpty;
      if (random() % 60 == 0) boxes.back() = {Vec3::Constant(-1e300), Vec3::Constant(1e300)};
      if (random() % 50 == 0) {
        boxes.back() = kEmpty;
        half_spaces.push_back({i, vector().normalized(), spread * unit(random)});
      }
    }
    broad_phase.FindPairs(boxes, half_spaces, &pairs);
    ASSERT_EQ(pairs, BruteForce(boxes, half_spaces)) << "round " << round;
    found += pairs.size();
  }
  EXPECT_GT(found, 10'000u);
}

// A row of boxes whose distance is a power of two of cells, which a table that wraps around would put into one bucket.
TEST(BroadPhaseTest, RegularRowsDoNotCrowdOneBucket) {
  BoxGrid grid;
  for (const Vec3& step : {Vec3(64, 0, 0), Vec3(0, 256, 0), Vec3(1024, 1024, 0), Vec3(512, 128, 2048)}) {
    constexpr int kCount = 4096;
    grid.Clear(1);
    for (int i = 0; i < kCount; ++i) {
      const Vec3 center = i * step;
      ASSERT_TRUE(grid.Insert({center - Vec3::Constant(0.5), center + Vec3::Constant(0.5)}, i, i));
    }
    grid.Sort();
    EXPECT_LT(grid.FullestBucket(), 24) << step.transpose();
  }
}

}  // namespace
}  // namespace slipstick
