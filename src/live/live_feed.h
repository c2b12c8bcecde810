#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "slipstick/output/replay.h"

namespace slipstick::internal {

// One row of the plots that grow while a run goes on: the time and a value for each of their curves.
using LiveRow = std::vector<double>;

// What a run has to show, from the thread that computes to those that serve pages. The run never waits for anybody: of
// the frames the newest are kept and older ones dropped, whether a page has seen them or not.
class LiveFeed {
 public:
  // How many frames are kept, at least one, and how many rows.
  LiveFeed(std::size_t most_frames, std::size_t most_rows);

  // A frame and the row that belongs to it.
  void Publish(ReplayFrame frame, LiveRow row);
  // JSON; what the pages should know beside the frames.
  void SetStatus(std::string status);
  // Nobody waits any longer, now or later.
  void Close();

  struct News {
    std::string status;
    long version = 0;      // of the status
    long first_row = 0;    // number of the first row; frames and rows are counted alike, from 0 on
    long frame_count = 0;  // published so far
    std::vector<LiveRow> rows;
    std::vector<std::shared_ptr<const ReplayFrame>> frames;  // those of the last rows
  };
  // What came from number `from` on, of the frames the newest `most_frames`; waits until there is some, or another
  // version of the status.
  News WaitForNews(long from, long version, std::size_t most_frames, std::chrono::milliseconds longest);

 private:
  const std::size_t most_frames_, most_rows_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<const ReplayFrame>> frames_;
  std::deque<LiveRow> rows_;
  long count_ = 0, version_ = 0;
  std::string status_;
  bool is_closed_ = false;
};

}  // namespace slipstick::internal
