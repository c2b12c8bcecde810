#include "slipstick/live/live_feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <future>

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

// News for one who knows all frames before `from` and that version of the status: it must wait until the action, and be
// woken by it long before its patience ends.
LiveFeed::News NewsAfter(LiveFeed* feed, long from, long version, const std::function<void()>& action) {
  constexpr std::chrono::seconds kPatience(20);
  auto waiting = std::async(std::launch::async, [&] { return feed->WaitForNews(from, version, 100, kPatience); });
  EXPECT_EQ(waiting.wait_for(milliseconds(50)), std::future_status::timeout) << "there was nothing new yet";
  action();
  EXPECT_EQ(waiting.wait_for(kPatience / 2), std::future_status::ready) << "nobody woke it";
  return waiting.get();
}

TEST(LiveFeedTest, WhoWaitsIsWokenByAFrame) {
  LiveFeed feed(10, 100);
  const LiveFeed::News news = NewsAfter(&feed, 0, 0, [&] { Fill(&feed, 1); });
  EXPECT_THAT(TimesOf(news), ElementsAre(0));
  EXPECT_EQ(news.version, 0);
}

TEST(LiveFeedTest, WhoWaitsIsWokenByAnotherStatus) {
  LiveFeed feed(10, 100);
  Fill(&feed, 1);
  const LiveFeed::News news = NewsAfter(&feed, 1, 0, [&] { feed.SetStatus("paused"); });
  EXPECT_EQ(news.status, "paused");
  EXPECT_EQ(news.version, 1);
  EXPECT_THAT(TimesOf(news), IsEmpty());
  // the same status once more is no news
  feed.SetStatus("paused");
  EXPECT_EQ(NewsAfter(&feed, 1, 1, [&] { feed.SetStatus("runs"); }).version, 2);
}

TEST(LiveFeedTest, WhoWaitsIsWokenByTheEndAndNobodyWaitsAfterIt) {
  LiveFeed feed(10, 100);
  NewsAfter(&feed, 0, 0, [&] { feed.Close(); });
  const auto begin = std::chrono::steady_clock::now();
  feed.WaitForNews(0, 0, 100, std::chrono::seconds(20));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

}  // namespace
}  // namespace slipstick::internal
