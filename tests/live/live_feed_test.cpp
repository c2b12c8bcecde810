#include "slipstick/live/live_feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace slipstick::internal {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr milliseconds kNoWait(0);

void Fill(LiveFeed* feed, int count) {
  for (int i = 0; i < count; ++i) feed->Publish({static_cast<double>(i), {}, {}}, {static_cast<double>(i)});
}

std::vector<double> TimesOf(const LiveFeed::News& news) {
  std::vector<double> times;
  for (const auto& frame : news.frames) times.push_back(frame->t);
  return times;
}

TEST(LiveFeedTest, NewestFramesAreKeptAndAllRows) {
  LiveFeed feed(3, 100);
  Fill(&feed, 10);
  const LiveFeed::News news = feed.WaitForNews(0, 0, 100, kNoWait);
  EXPECT_THAT(TimesOf(news), ElementsAre(7, 8, 9));
  EXPECT_EQ(news.rows.size(), 10u);
  EXPECT_EQ(news.first_row, 0);
  EXPECT_EQ(news.frame_count, 10);
}

TEST(LiveFeedTest, OldRowsGoAsWell) {
  LiveFeed feed(2, 5);
  Fill(&feed, 10);
  const LiveFeed::News news = feed.WaitForNews(0, 0, 100, kNoWait);
  EXPECT_EQ(news.first_row, 5);
  EXPECT_THAT(news.rows, ElementsAre(LiveRow{5}, LiveRow{6}, LiveRow{7}, LiveRow{8}, LiveRow{9}));
}

TEST(LiveFeedTest, TellsWhatIsNewAlone) {
  LiveFeed feed(10, 100);
  Fill(&feed, 5);
  EXPECT_THAT(TimesOf(feed.WaitForNews(3, 0, 100, kNoWait)), ElementsAre(3, 4));
  EXPECT_THAT(TimesOf(feed.WaitForNews(0, 0, 2, kNoWait)), ElementsAre(3, 4));  // the newest two
  EXPECT_THAT(TimesOf(feed.WaitForNews(5, 0, 100, kNoWait)), IsEmpty());
  EXPECT_THAT(TimesOf(feed.WaitForNews(5000, 0, 100, kNoWait)), IsEmpty());  // a page of another run
  EXPECT_EQ(feed.WaitForNews(5000, 0, 100, kNoWait).frame_count, 5);
  EXPECT_EQ(TimesOf(feed.WaitForNews(-7, 0, 100, kNoWait)).size(), 5u);
}

TEST(LiveFeedTest, WhoWaitsIsWokenByFrameStatusAndEnd) {
  LiveFeed feed(10, 100);
  const auto waits = [&](auto&& action) {
    LiveFeed::News news;
    std::thread waiting([&] { news = feed.WaitForNews(0, 0, 100, std::chrono::minutes(5)); });
    action();
    waiting.join();  // never, were it not woken
    return news;
  };
  EXPECT_THAT(TimesOf(waits([&] { Fill(&feed, 1); })), ElementsAre(0));
  const LiveFeed::News news = waits([&] { feed.SetStatus("paused"); });
  EXPECT_GE(news.version, 0);
  EXPECT_EQ(feed.WaitForNews(1, 0, 100, std::chrono::minutes(5)).status, "paused");
  feed.Close();
  feed.WaitForNews(1, 1, 100, std::chrono::minutes(5));
}

}  // namespace
}  // namespace slipstick::internal
