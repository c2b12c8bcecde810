#include "slipstick/live/live_control.h"

#include <gtest/gtest.h>

namespace slipstick::internal {
namespace {

using Order = LiveControl::Order;

TEST(LiveControlTest, BeginsPausedAndTakesAsManyStepsAsAskedFor) {
  LiveControl control;
  EXPECT_EQ(control.Next(0), Order::kWait);
  control.Step(2);
  EXPECT_EQ(control.Next(0), Order::kStep);
  EXPECT_EQ(control.Next(0), Order::kStep);
  EXPECT_EQ(control.Next(0), Order::kWait);
  control.Step(3);
  control.Pause();  // forgets those
  EXPECT_EQ(control.Next(0), Order::kWait);
}

TEST(LiveControlTest, KeepsPaceAndDoesNotWaitWhereNoneIsWanted) {
  LiveControl control;
  control.Continue();
  EXPECT_EQ(control.Next(0), Order::kStep);
  EXPECT_EQ(control.Next(3600), Order::kWait);  // an hour ahead
  control.SetSpeed(0);
  EXPECT_EQ(control.Next(3600), Order::kStep);
  control.SetSpeed(1e-6);
  EXPECT_EQ(control.Next(3600), Order::kStep);  // the pace counts from here
  EXPECT_EQ(control.Next(3600.1), Order::kWait);
  control.Step(1);  // pauses
  EXPECT_TRUE(control.is_paused());
  EXPECT_EQ(control.Next(3600.1), Order::kStep);
  EXPECT_EQ(control.Next(3600.1), Order::kWait);
}

TEST(LiveControlTest, ValuesComeFirstAndTheNewestCounts) {
  LiveControl control;
  control.Step(1);
  control.SetValue("friction", 0.2);
  control.SetValue("friction", 0.4);
  EXPECT_EQ(control.Next(0), Order::kChange);
  EXPECT_EQ(control.TakeValues(), (std::map<std::string, double>{{"friction", 0.4}}));
  EXPECT_EQ(control.Next(0), Order::kStep);
  control.End();
  EXPECT_EQ(control.Next(0), Order::kEnd);
}

TEST(LiveControlTest, IsWatchedByThoseWhoAsk) {
  LiveControl control;
  EXPECT_FALSE(control.IsWatched());
  { const LiveControl::Watch watch(&control); }
  EXPECT_TRUE(control.IsWatched());  // it may come back
}

}  // namespace
}  // namespace slipstick::internal
