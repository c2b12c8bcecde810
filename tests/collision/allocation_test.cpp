// After warm-up neither phase asks for memory.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "tests/collision/detector_samples.h"

namespace {
std::atomic<long> allocations = 0;
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace slipstick::internal {
namespace {

using namespace samples;

TEST(Allocation, NoneInTheNarrowPhaseAfterWarmUp) {
  Random random(31);
  std::vector<ShapeGeometry> shapes;
  std::vector<Pose> poses;
  for (int i = 0; i < 60; ++i) {
    shapes.push_back(RandomShape(i % kKinds, &random));
    poses.push_back({RandomRotation(&random), 2 * RandomVector(&random)});
  }
  std::vector<LocalContact> contacts;
  const auto collide = [&] {
    contacts.clear();
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      for (std::size_t j = i + 1; j < shapes.size(); ++j) {
        Collide(shapes[i], poses[i], shapes[j], poses[j], 0.1, &contacts);
      }
    }
  };
  const long at_start = allocations;
  collide();
  EXPECT_GT(allocations - at_start, 0) << "the count does not count";
  EXPECT_GT(contacts.size(), 100u);
  const long warm = allocations;
  collide();
  EXPECT_EQ(allocations - warm, 0);
}

// The detector with all its grids, also when shapes move from one grid and cell to another.
TEST(Allocation, NoneInADetectorThatIsWarm) {
  Random random(32);
  Heap heap = RandomHeap(300, 6.0, &random);
  ContactDetector detector(heap.model);
  std::vector<double> margins(heap.model.shapes.size(), 0.1);
  const auto move = [&] {
    for (Pose& pose : heap.kinematics.X_WB) pose.position += 1e-3 * RandomVector(&random);
    for (double& margin : margins) margin = Uniform(&random, 0.05, 0.1);
  };
  std::size_t contacts = 0;
  std::fill(margins.begin(), margins.end(), 0.2);
  for (int i = 0; i < 5; ++i) contacts = detector.Detect(heap.model, heap.kinematics, margins).size();
  EXPECT_GT(contacts, 300u);
  for (int i = 0; i < 5; ++i) {
    move();
    const long warm = allocations;
    detector.Detect(heap.model, heap.kinematics, margins);
    EXPECT_EQ(allocations - warm, 0);
  }
}

}  // namespace
}  // namespace slipstick::internal
