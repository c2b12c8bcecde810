#include "slipstick/solve/performance_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slipstick::internal {
namespace {

using testing::DoubleEq, testing::ElementsAre;
constexpr double kNot = std::numeric_limits<double>::infinity();

TEST(PerformanceProfile, TwoSolversFourProblems) {
  // ratios: a 1, 1, 4, –;  b 2, 8, 1, –
  const PerformanceProfile profile = MakePerformanceProfile({{1, 2}, {1, 8}, {4, 1}, {kNot, kNot}}, 2);
  EXPECT_THAT(profile.tau, ElementsAre(1, 2, 4, 8, 16));
  EXPECT_THAT(profile.share[0], ElementsAre(0.5, 0.5, 0.75, 0.75, 0.75));
  EXPECT_THAT(profile.share[1], ElementsAre(0.25, 0.5, 0.5, 0.75, 0.75));
}

TEST(PerformanceProfile, TimesBelowTheClockAreEqual) {
  const PerformanceProfile profile = MakePerformanceProfile({{1e-7, 9e-5}}, 2);
  EXPECT_THAT(profile.share[0], ElementsAre(1, 1));
  EXPECT_THAT(profile.share[1], ElementsAre(1, 1));
}

TEST(PerformanceProfile, NobodySolvesAnything) {
  const PerformanceProfile profile = MakePerformanceProfile({{kNot}, {kNot}}, 1);
  EXPECT_THAT(profile.tau, ElementsAre(1, 10));
  EXPECT_THAT(profile.share[0], ElementsAre(0, 0));
}

}  // namespace
}  // namespace slipstick::internal
