#include "slipstick/events/accumulation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slipstick::internal {
namespace {

ContactKey Contact(int number) { return {.shape_a = static_cast<std::uint32_t>(number)}; }

TEST(ImpactSeriesTest, GeometricSeriesEndsAtItsLimit) {
  ImpactSeries series;
  const double ratio = 0.7, first = 0.3;
  double time = 1, interval = first;
  const double limit = 1 + first / (1 - ratio);
  for (int k = 0; k < 10; ++k) {
    const auto rest = series.Add(Contact(5), time);
    EXPECT_EQ(rest.has_value(), k >= 3) << k;
    if (rest) {
      EXPECT_NEAR(rest->interval, interval, 1e-12);
      EXPECT_NEAR(time + rest->Duration(), limit, 1e-12);
    }
    time += interval;
    interval *= ratio;
  }
}

TEST(ImpactSeriesTest, OthersDoNot) {
  ImpactSeries steady, growing, uneven;
  for (int k = 0; k < 10; ++k) {
    EXPECT_FALSE(steady.Add(Contact(1), k));
    EXPECT_FALSE(growing.Add(Contact(1), std::pow(1.5, k)));
    EXPECT_FALSE(uneven.Add(Contact(1), k + 0.3 * (k % 2)));
  }
}

TEST(ImpactSeriesTest, ContactsAreApart) {
  ImpactSeries series;
  // each of them hits steadily, together they would look like a series
  const double times[] = {0, 1, 1.5, 1.75, 1.875};
  for (int k = 0; k < 5; ++k) EXPECT_FALSE(series.Add(Contact(k), times[k]));
}

TEST(ImpactSeriesTest, WhatIsForgottenBeginsAnew) {
  ImpactSeries series;
  double time = 0;
  for (int k = 0; k < 5; ++k) {
    series.Add(Contact(1), time);
    time += std::pow(0.5, k);
  }
  series.Forget(Contact(1));
  EXPECT_FALSE(series.Add(Contact(1), time));
}

}  // namespace
}  // namespace slipstick::internal
