#include "slipstick/run/sampling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {
namespace {

// The faults of what is done, in words; empty where there are none.
template <typename Action>
std::string FaultsOf(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

Scene Slope(const std::vector<Override>& overrides) { return ReadScene(FindScene("slope"), overrides); }

TEST(SampleStride, WholeMultiplesOnly) {
  EXPECT_EQ(SampleStride(0, 1e-3), 1);
  EXPECT_EQ(SampleStride(4e-4, 1e-3), 1);
  EXPECT_EQ(SampleStride(1e-3, 1e-3), 1);
  EXPECT_EQ(SampleStride(0.01, 1e-3), 10);
  EXPECT_EQ(SampleStride(0.3, 0.1), 3);  // 0.3 / 0.1 is below 3 in floating point
  EXPECT_EQ(SampleStride(1, 1.0 / 3), 3);
  EXPECT_EQ(SampleStride(1.5e-3, 1e-3), std::nullopt);
  EXPECT_EQ(SampleStride(1.001e-3, 1e-3), std::nullopt);
  EXPECT_EQ(SampleStride(0.01, 6.1e-4), std::nullopt);
}

TEST(CheckSampling, NamesTheKeyAndWhatWouldFit) {
  const auto check = [](const std::vector<Override>& overrides) {
    return FaultsOf([&] {
      const Scene scene = Slope(overrides);
      CheckSampling(scene, Simulation(scene));
    });
  };
  EXPECT_EQ(check({{"output.every", "0"}}), "");
  EXPECT_EQ(check({{"output.every", "0.0001"}}), "");
  EXPECT_EQ(check({{"output.every", "0.003"}}), "");
  const std::string message = check({{"output.every", "0.0025"}});
  for (const char* word : {"output.every", "multiple", "0.001 s", "0.002 or 0.003 s", "found 0.0025"}) {
    EXPECT_NE(message.find(word), std::string::npos) << word << " in " << message;
  }
}

TEST(CheckSampling, ShippedScenesFit) {
  for (const SceneEntry& entry : ListScenes()) {
    const Scene scene = ReadScene(entry.file, {});
    EXPECT_NO_THROW(CheckSampling(scene, Simulation(scene))) << entry.name;
  }
}

TEST(PrepareSimulation, ADurationBelowHalfAStepIsAFault) {
  const auto prepare = [](const char* duration) {
    return FaultsOf([&] { Simulation(Slope({{"stepper.step", "0.001"}, {"stepper.duration", duration}})); });
  };
  EXPECT_EQ(prepare("0"), "");
  EXPECT_EQ(prepare("0.0006"), "");
  const std::string message = prepare("0.0004");
  EXPECT_NE(message.find("stepper.duration"), std::string::npos) << message;
  EXPECT_NE(message.find("0.001 s"), std::string::npos) << message;
}

TEST(MatchTimes, PairsEqualTimes) {
  using Pairs = std::vector<std::pair<int, int>>;
  EXPECT_EQ(MatchTimes({0, 1, 2, 3}, {0, 2, 2.5, 3}), (Pairs{{0, 0}, {2, 1}, {3, 3}}));
  EXPECT_EQ(MatchTimes({0, 1, 2}, {0, 1}), (Pairs{{0, 0}, {1, 1}}));
  EXPECT_EQ(MatchTimes({}, {0, 1}), Pairs{});
  EXPECT_EQ(MatchTimes({1}, {}), Pairs{});
  EXPECT_EQ(MatchTimes({0.5}, {0, 1}), Pairs{});
}

TEST(MatchTimes, SumsOfDifferentStepsAreEqual) {
  std::vector<double> coarse, fine;
  double t = 0, s = 0;
  for (int k = 0; k < 2000; ++k) {
    coarse.push_back(t);
    fine.push_back(s);
    t += 1e-2;
    for (int i = 0; i < 7; ++i) s += 1e-2 / 7;
  }
  ASSERT_NE(coarse, fine);
  const auto pairs = MatchTimes(coarse, fine);
  ASSERT_EQ(pairs.size(), coarse.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    EXPECT_EQ(pairs[i], std::make_pair(static_cast<int>(i), static_cast<int>(i)));
}

TEST(ValuesAt, LeavesGaps) {
  const std::vector<double> placed = ValuesAt({0, 1, 2, 3}, {1, 2.5, 3}, {10, 20, 30});
  ASSERT_EQ(placed.size(), 4u);
  EXPECT_TRUE(std::isnan(placed[0]));
  EXPECT_EQ(placed[1], 10);
  EXPECT_TRUE(std::isnan(placed[2]));
  EXPECT_EQ(placed[3], 30);
}

}  // namespace
}  // namespace slipstick::internal
