#include "slipstick/collision/broad_phase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace slipstick::internal {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

struct Heap {
  std::vector<BallBound> balls;
  std::vector<BoxBound> boxes;
  std::vector<HalfSpaceBound> half_spaces;
  int shapes = 0;

  // Each shape is a group of its own unless told otherwise.
  void Add(const Vec3& center, double radius) {
    balls.push_back({center, radius, shapes, shapes});
    ++shapes;
  }
  void Add(const Aabb& box) {
    boxes.push_back({box, shapes, shapes});
    ++shapes;
  }
  void AddHalfSpace(const Vec3& normal, double offset) {
    half_spaces.push_back({normal, offset, shapes, shapes});
    ++shapes;
  }
  template <typename Action>
  void ForAll(const Action& action) {
    for (auto& bound : balls) action(&bound);
    for (auto& bound : boxes) action(&bound);
    for (auto& bound : half_spaces) action(&bound);
  }
};

// Straight from the definitions, every pair.
struct Oracle {
  static bool Empty(const Aabb& box) {
    return !(box.least.x() <= box.most.x() && box.least.y() <= box.most.y() && box.least.z() <= box.most.z());
  }
  static bool Touch(const BallBound& a, const BallBound& b) {
    return (a.center - b.center).squaredNorm() <= (a.radius + b.radius) * (a.radius + b.radius);
  }
  static bool Touch(const BoxBound& a, const BoxBound& b) {
    for (int axis = 0; axis < 3; ++axis) {
      if (a.box.least(axis) > b.box.most(axis) || b.box.least(axis) > a.box.most(axis)) return false;
    }
    return !Empty(a.box) && !Empty(b.box);
  }
  static bool Touch(const BallBound& a, const BoxBound& b) {
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double x = a.center(axis);
      const double beyond = std::max({0.0, b.box.least(axis) - x, x - b.box.most(axis)});
      square += beyond * beyond;
    }
    return square <= a.radius * a.radius && !Empty(b.box);
  }
  static bool Touch(const HalfSpaceBound& a, const BallBound& b) {
    return a.normal.dot(b.center) - b.radius <= a.offset;
  }
  static bool Touch(const HalfSpaceBound& a, const BoxBound& b) {
    double lowest = INFINITY;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 p(corner & 1 ? b.box.least.x() : b.box.most.x(), corner & 2 ? b.box.least.y() : b.box.most.y(),
                   corner & 4 ? b.box.least.z() : b.box.most.z());
      lowest = std::min(lowest, a.normal.dot(p));
    }
    return lowest <= a.offset && !Empty(b.box);
  }
};

Pairs BruteForce(const Heap& heap, const Pairs& excluded = {}) {
  Pairs pairs;
  const auto add = [&](const auto& a, const auto& b) {
    if (a.group == b.group || !Oracle::Touch(a, b)) return;
    const std::pair<int, int> pair = std::minmax(a.shape, b.shape);
    if (std::count(excluded.begin(), excluded.end(), pair) > 0) return;
    if (std::count(excluded.begin(), excluded.end(), std::pair(pair.second, pair.first)) > 0) return;
    pairs.push_back(pair);
  };
  for (std::size_t i = 0; i < heap.balls.size(); ++i) {
    for (std::size_t j = i + 1; j < heap.balls.size(); ++j) add(heap.balls[i], heap.balls[j]);
    for (const BoxBound& box : heap.boxes) add(heap.balls[i], box);
    for (const HalfSpaceBound& half_space : heap.half_spaces) add(half_space, heap.balls[i]);
  }
  for (std::size_t i = 0; i < heap.boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < heap.boxes.size(); ++j) add(heap.boxes[i], heap.boxes[j]);
    for (const HalfSpaceBound& half_space : heap.half_spaces) add(half_space, heap.boxes[i]);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

Pairs Find(BroadPhase* broad_phase, const Heap& heap) {
  Pairs pairs{{-1, -1}};
  broad_phase->FindPairs(heap.balls, heap.boxes, heap.half_spaces, &pairs);
  return pairs;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double Unit() { return std::uniform_real_distribution<double>(-1, 1)(engine_); }
  Vec3 Vector() { return {Unit(), Unit(), Unit()}; }
  int Below(int count) { return static_cast<int>(engine_() % count); }
  bool OneIn(int count) { return Below(count) == 0; }

 private:
  std::mt19937 engine_;
};

// Balls, or boxes around such balls, whose sizes spread over three decades.
Heap MixedSizes(int count, double margin, bool as_boxes, Random* random) {
  Heap heap;
  for (int i = 0; i < count; ++i) {
    const double radius = 0.3 * std::pow(10, 1.5 * random->Unit() - 1) + margin;
    const Vec3 center = 5 * random->Vector();
    if (as_boxes || (i % 2 == 0 && random->OneIn(4))) {
      heap.Add({center - Vec3::Constant(radius), center + Vec3::Constant(radius)});
    } else {
      heap.Add(center, radius);
    }
  }
  return heap;
}

TEST(BroadPhaseTest, EqualsBruteForceOnMixedSizes) {
  Random random(1);
  BroadPhase broad_phase;
  for (const double margin : {0.0, 0.025}) {
    for (const bool as_boxes : {false, true}) {
      const Heap heap = MixedSizes(2000, margin, as_boxes, &random);
      const Pairs pairs = Find(&broad_phase, heap);
      EXPECT_GT(pairs.size(), 900u);
      EXPECT_EQ(pairs, BruteForce(heap));
    }
  }
}

TEST(BroadPhaseTest, PairsHalfSpacesWithAllThatReachIn) {
  Random random(2);
  for (int round = 0; round < 50; ++round) {
    Heap heap = MixedSizes(60, 0, false, &random);
    heap.AddHalfSpace(Vec3::UnitY(), 0.5);
    for (int i = 0; i < 2; ++i) heap.AddHalfSpace(random.Vector().normalized(), 3 * random.Unit());
    BroadPhase broad_phase;
    EXPECT_EQ(Find(&broad_phase, heap), BruteForce(heap));
  }
}

TEST(BroadPhaseTest, LeavesOutGroupsAndExcludedPairs) {
  Random random(3);
  for (int round = 0; round < 20; ++round) {
    Heap heap = MixedSizes(300, 0.1, false, &random);
    heap.AddHalfSpace(Vec3::UnitZ(), 0);
    const Pairs all = BruteForce(heap);
    Pairs excluded;
    for (std::size_t i = 0; i < all.size(); i += 3) {
      excluded.push_back(i % 2 == 0 ? all[i] : std::pair(all[i].second, all[i].first));
    }
    heap.ForAll([&](auto* bound) { bound->group = random.Below(40) - 1; });
    BroadPhase broad_phase(excluded);
    const Pairs pairs = Find(&broad_phase, heap);
    EXPECT_EQ(pairs, BruteForce(heap, excluded));
    EXPECT_LT(pairs.size(), all.size());
    EXPECT_GT(pairs.size(), 10u);
  }
}

TEST(BroadPhaseTest, SmallAndDegenerateSets) {
  BroadPhase broad_phase;
  Heap heap;
  EXPECT_TRUE(Find(&broad_phase, heap).empty());
  heap.Add(Vec3::Zero(), 1);
  EXPECT_TRUE(Find(&broad_phase, heap).empty());
  for (int i = 0; i < 4; ++i) heap.Add(Aabb{});  // all the same point: every pair touches
  EXPECT_EQ(Find(&broad_phase, heap).size(), 10u);
  heap.boxes[2].box.least.x() = NAN;  // what has no place has no neighbours
  EXPECT_EQ(Find(&broad_phase, heap).size(), 6u);
  heap.boxes[1].box.most.z() = -1;  // nor what is empty in one direction
  EXPECT_EQ(Find(&broad_phase, heap).size(), 3u);
  heap.balls[0].center.y() = INFINITY;
  EXPECT_EQ(Find(&broad_phase, heap).size(), 1u);
}

TEST(BroadPhaseTest, OneObjectServesHeapsOfChangingSize) {
  Random random(4);
  BroadPhase broad_phase;
  for (const int count : {500, 3, 129, 128, 127, 1000, 1}) {
    const Heap heap = MixedSizes(count, 0.15, count % 2 == 0, &random);
    EXPECT_EQ(Find(&broad_phase, heap), BruteForce(heap)) << count;
  }
}

// Every sort of heap: sizes over many decades and sizes all alike, clusters, lattices whose boxes and balls just touch
// and lie on the borders of their cells, outliers, boxes without an end and empty ones, far from the origin and all in
// one place.
Heap AnyHeap(int round, Random* random_numbers) {
  Random& random = *random_numbers;
  const double decades = 6 * std::max(0.0, random.Unit());
  const double spread = std::pow(10, 3 * random.Unit());
  const Vec3 offset = round % 5 == 0 ? Vec3(std::pow(10, 12 * random.Unit()) * random.Vector()) : Vec3(Vec3::Zero());
  const int count = 2 + random.Below(150);
  std::vector<Vec3> centers{offset};
  Heap heap;
  for (int i = 0; i < count; ++i) {
    Vec3 half = std::pow(10, decades * random.Unit()) * (0.2 * random.Vector() + Vec3::Constant(1));
    Vec3 center = offset + spread * random.Vector();
    if (round % 4 == 0 && !random.OneIn(8)) {  // clusters
      center = centers[random.Below(static_cast<int>(centers.size()))] + 3 * half.norm() * random.Vector();
    } else if (round % 4 == 1) {  // a lattice
      half = Vec3::Ones();
      for (int axis = 0; axis < 3; ++axis) center(axis) = offset(axis) + 2.0 * random.Below(5);
    } else if (round % 20 == 2) {
      center = offset;
    }
    centers.push_back(center);
    if (random.OneIn(50)) {
      heap.AddHalfSpace(random.Vector().normalized(), spread * random.Unit());
    } else if (round % 3 != 0 && !random.OneIn(10)) {
      heap.Add(random.OneIn(40) ? Vec3(1e9 * center) : center, random.OneIn(60) ? 1e3 * spread : half.x());
    } else {
      Aabb box{center - half, center + half};
      if (random.OneIn(40)) box = Widened(box, 1e3 * spread);
      if (random.OneIn(40)) box = {1e9 * center, 1e9 * center + Vec3::Ones()};
      if (random.OneIn(60)) box.most.x() = INFINITY;
      if (random.OneIn(60)) box = {Vec3::Constant(INFINITY), Vec3::Constant(-INFINITY)};
      if (random.OneIn(60)) box = {Vec3::Constant(-1e150), Vec3::Constant(1e150)};
      heap.Add(box);
    }
  }
  return heap;
}

TEST(BroadPhaseTest, EqualsBruteForceOnEverySortOfHeap) {
  Random random(5);
  BroadPhase broad_phase;
  std::size_t found = 0;
  for (int round = 0; round < 400; ++round) {
    const Heap heap = AnyHeap(round, &random);
    const Pairs pairs = Find(&broad_phase, heap);
    ASSERT_EQ(pairs, BruteForce(heap)) << "round " << round;
    found += pairs.size();
  }
  EXPECT_GT(found, 20'000u);
}

// Some bounds take the place of others, time and again: with the pairs of the changed ones alone nothing is missed.
TEST(BroadPhaseTest, PairsOfChangedBoundsCompleteTheOthers) {
  Random random(6);
  BroadPhase broad_phase;
  std::size_t found = 0;
  for (int round = 0; round < 300; ++round) {
    Heap heap = AnyHeap(round, &random);
    Pairs list = Find(&broad_phase, heap);
    std::set<int> ever_changed;
    for (int time = 0; time < 3; ++time) {
      std::set<int> changed;
      for (BallBound& ball : heap.balls) {
        if (!random.OneIn(8)) continue;
        const BallBound& other = heap.balls[random.Below(static_cast<int>(heap.balls.size()))];
        ball.center = other.center + 0.5 * other.radius * random.Vector();
        ball.radius *= 1.5;
        changed.insert(ball.shape);
      }
      for (BoxBound& box : heap.boxes) {
        if (!random.OneIn(8)) continue;
        box.box = Widened(heap.boxes[random.Below(static_cast<int>(heap.boxes.size()))].box, 0.1);
        changed.insert(box.shape);
      }
      Heap moved;
      const auto gather = [&](const auto& bounds, bool is_now, auto* gathered) {
        for (const auto& bound : bounds) {
          if (ever_changed.count(bound.shape) > 0 && (changed.count(bound.shape) > 0) == is_now) {
            gathered->push_back(bound);
          }
        }
        return gathered->size();
      };
      ever_changed.insert(changed.begin(), changed.end());
      const std::size_t old_balls = gather(heap.balls, false, &moved.balls),
                        old_boxes = gather(heap.boxes, false, &moved.boxes);
      const std::size_t new_balls = gather(heap.balls, true, &moved.balls) - old_balls,
                        new_boxes = gather(heap.boxes, true, &moved.boxes) - old_boxes;
      Pairs of_changed;
      broad_phase.FindPairsOfChanged(moved.balls, new_balls, moved.boxes, new_boxes, heap.half_spaces, &of_changed);
      const auto has_changed = [&](const auto& pair) {
        return changed.count(pair.first) > 0 || changed.count(pair.second) > 0;
      };
      EXPECT_TRUE(std::all_of(of_changed.begin(), of_changed.end(), has_changed));
      EXPECT_TRUE(std::is_sorted(of_changed.begin(), of_changed.end()));
      std::erase_if(list, has_changed);
      list.insert(list.end(), of_changed.begin(), of_changed.end());
      std::sort(list.begin(), list.end());
      for (const auto& pair : BruteForce(heap)) {
        ASSERT_TRUE(std::binary_search(list.begin(), list.end(), pair)) << "round " << round << ", time " << time;
      }
      found += of_changed.size();
    }
  }
  EXPECT_GT(found, 10'000u);
}

// A row of boxes whose distance is a power of two of cells, which a table that wraps around would put into one bucket.
TEST(BroadPhaseTest, RegularRowsDoNotCrowdOneBucket) {
  CellGrid<BallBound> grid;
  for (const Vec3& step : {Vec3(64, 0, 0), Vec3(0, 256, 0), Vec3(1024, 1024, 0), Vec3(512, 128, 2048)}) {
    constexpr int kCount = 4096;
    grid.Clear(1);
    for (int i = 0; i < kCount; ++i) ASSERT_TRUE(grid.Insert({i * step, 0.5, i, i}));
    grid.Sort();
    // all have the same place in their block of 128 cells, of which there are 128 or more in the table
    EXPECT_LT(grid.FullestBucket(), 80) << step.transpose();
  }
}

}  // namespace
}  // namespace slipstick::internal
