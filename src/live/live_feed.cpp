#include "slipstick/live/live_feed.h"

#include <algorithm>

#include "slipstick/base/check.h"

namespace slipstick::internal {

LiveFeed::LiveFeed(std::size_t most_frames, std::size_t most_rows) : most_frames_(most_frames), most_rows_(most_rows) {
  SLIPSTICK_CHECK(most_frames >= 1 && most_rows >= most_frames, "room for the newest frame and its row");
}

void LiveFeed::Publish(ReplayFrame frame, LiveRow row) {
  auto shared = std::make_shared<const ReplayFrame>(std::move(frame));
  {
    const std::lock_guard lock(mutex_);
    frames_.push_back(std::move(shared));
    rows_.push_back(std::move(row));
    if (frames_.size() > most_frames_) frames_.pop_front();
    if (rows_.size() > most_rows_) rows_.pop_front();
    ++count_;
  }
  changed_.notify_all();
}

void LiveFeed::SetStatus(std::string status) {
  {
    const std::lock_guard lock(mutex_);
    if (status == status_) return;
    status_ = std::move(status);
    ++version_;
  }
  changed_.notify_all();
}

void LiveFeed::Close() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  changed_.notify_all();
}

LiveFeed::News LiveFeed::WaitForNews(long from, long version, std::size_t most_frames,
                                     std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, longest, [&] { return is_closed_ || count_ > from || version_ != version; });
  News news{status_, version_, count_, count_, {}, {}};
  // a page of another run may ask for what is not there yet
  const long fresh = std::clamp(count_ - std::max(from, 0L), 0L, static_cast<long>(rows_.size()));
  news.first_row = count_ - fresh;
  news.rows.assign(rows_.end() - fresh, rows_.end());
  const auto shown = std::min({static_cast<std::size_t>(fresh), frames_.size(), most_frames});
  news.frames.assign(frames_.end() - static_cast<std::ptrdiff_t>(shown), frames_.end());
  return news;
}

}  // namespace slipstick::internal
