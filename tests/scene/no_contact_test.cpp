#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "slipstick/measure/start_overlaps.h"
#include "slipstick/simulation/simulation_parts.h"
#include "tests/scene/faults_of.h"

// Pairs that never touch.

namespace slipstick::internal {
namespace {

using ::testing::HasSubstr;

const char* const kBodies =
    "world: {shapes: [{name: ground, type: plane}, {name: pillar, type: box, size: [1, 1, 1]}]}\n"
    "bodies:\n"
    "  - {name: a, mass: 1, position: [0, 0, 0.4], shapes: [{name: core, type: sphere, radius: 0.5}]}\n"
    "  - {name: b, mass: 1, position: [0.2, 0, 0.4], shapes: [{name: core, type: sphere, radius: 0.5}]}\n";

std::vector<StartOverlap> OverlapsOf(const std::string& no_contact) {
  const Scene scene = ReadSceneText(
      std::string("format: slipstick-scene 1\n") + kBodies + "no_contact: " + no_contact + "\n", "test.yaml");
  return FindOverlaps(Simulation(scene));
}

TEST(NoContact, LeavesOutBodiesAndShapes) {
  // a and b in each other, both in the pillar and in the ground
  const std::vector<StartOverlap> all = OverlapsOf("[]");
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0].depth, std::max_element(all.begin(), all.end(), [](const auto& x, const auto& y) {
                            return x.depth < y.depth;
                          })->depth);
  EXPECT_EQ(OverlapsOf("[[a, b]]").size(), 4u);
  EXPECT_EQ(OverlapsOf("[[a, b], [world, a]]").size(), 2u);
  const std::vector<StartOverlap> ground = OverlapsOf("[[b.core, a.core], [a, world.pillar], [world.pillar, b]]");
  ASSERT_EQ(ground.size(), 2u);
  for (const StartOverlap& overlap : ground) {
    EXPECT_TRUE(overlap.first == "world.ground" || overlap.second == "world.ground");
    EXPECT_NEAR(overlap.depth, 0.1, 1e-12);
  }
}

TEST(NoContact, FaultsNameWhatIsMissing) {
  const auto faults = [](const std::string& no_contact) {
    return FaultsOf(std::string(kBodies) + "no_contact: " + no_contact + "\n");
  };
  EXPECT_THAT(faults("[[a, c]]"), HasSubstr("no_contact.0.1"));
  EXPECT_THAT(faults("[[a, b.shell]]"), HasSubstr("core"));
  EXPECT_THAT(faults("[[a]]"), HasSubstr("no_contact.0"));
  EXPECT_THAT(faults("[a, b]"), HasSubstr("a pair of bodies"));
}

}  // namespace
}  // namespace slipstick::internal
