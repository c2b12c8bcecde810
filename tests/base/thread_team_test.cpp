#include "slipstick/base/thread_team.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace slipstick::internal {
namespace {

TEST(ThreadTeam, EveryThreadRunsOnceAndAllMeet) {
  for (int size : {1, 2, 3, 7}) {
    ThreadTeam team(size);
    std::vector<int> runs(size, 0), sums(size, 0);
    for (int round = 1; round <= 200; ++round) {
      team.Run([&](int thread) {
        ++runs[thread];
        team.Meet();
        // after the meeting everybody sees what all have done
        sums[thread] = std::accumulate(runs.begin(), runs.end(), 0);
        team.Meet();
      });
      EXPECT_THAT(sums, testing::Each(round * size));
    }
  }
}

TEST(ThreadTeam, SharesCoverEveryItemOnce) {
  for (int count : {0, 1, 5, 64, 1001}) {
    for (int size : {1, 2, 3, 8}) {
      int next = 0;
      for (int thread = 0; thread < size; ++thread) {
        const Share share = ShareOf(count, thread, size);
        EXPECT_EQ(share.first, next);
        EXPECT_LE(share.last - share.first, count / size + 1);
        next = share.last;
      }
      EXPECT_EQ(next, count);
    }
  }
}

}  // namespace
}  // namespace slipstick::internal
