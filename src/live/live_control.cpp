#include "slipstick/live/live_control.h"

#include <algorithm>
#include <utility>

namespace slipstick::internal {
namespace {

// A page that is loaded anew comes back sooner.
constexpr std::chrono::seconds kLeftAfter(10);
// A run that falls behind its pace by more than this does not try to make up for it.
constexpr std::chrono::milliseconds kMostDebt(100);
// Shorter waits are not worth it: threads wake up late.
constexpr std::chrono::milliseconds kLeastLead(2);

}  // namespace

void LiveControl::Pause() {
  const std::lock_guard lock(mutex_);
  paused_ = true;
  steps_ = 0;
  changed_.notify_all();
}

void LiveControl::Continue() {
  const std::lock_guard lock(mutex_);
  paused_ = false;
  anchor_.reset();
  changed_.notify_all();
}

void LiveControl::Step(int count) {
  const std::lock_guard lock(mutex_);
  paused_ = true;
  steps_ += count;
  changed_.notify_all();
}

void LiveControl::End() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

void LiveControl::SetSpeed(double speed) {
  const std::lock_guard lock(mutex_);
  speed_ = speed;
  anchor_.reset();
  changed_.notify_all();
}

void LiveControl::SetValue(const std::string& parameter, double value) {
  const std::lock_guard lock(mutex_);
  values_[parameter] = value;
  changed_.notify_all();
}

LiveControl::Watch::Watch(LiveControl* control) : control_(control) {
  const std::lock_guard lock(control_->mutex_);
  ++control_->watching_;
  control_->was_watched_ = true;
}

LiveControl::Watch::~Watch() {
  const std::lock_guard lock(control_->mutex_);
  --control_->watching_;
  control_->last_watched_ = Clock::now();
}

bool LiveControl::IsLeft(Clock::time_point now) const {
  return was_watched_ && watching_ == 0 && now - last_watched_ > kLeftAfter;
}

bool LiveControl::IsWatched() {
  const std::lock_guard lock(mutex_);
  return was_watched_ && !IsLeft(Clock::now());
}

LiveControl::Order LiveControl::Next(double time) {
  const std::lock_guard lock(mutex_);
  if (ended_) return Order::kEnd;
  if (!values_.empty()) return Order::kChange;
  const Clock::time_point now = Clock::now();
  if (IsLeft(now)) return Order::kStep;
  if (paused_) {
    due_ = Clock::time_point::max();
    if (steps_ == 0) return Order::kWait;
    --steps_;
    return Order::kStep;
  }
  if (speed_ <= 0) return Order::kStep;
  if (!anchor_) {
    anchor_ = now;
    anchor_time_ = time;
  }
  due_ = *anchor_ +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>((time - anchor_time_) / speed_));
  if (due_ > now + kLeastLead) return Order::kWait;
  if (due_ < now - kMostDebt) {
    anchor_ = now;
    anchor_time_ = time;
  }
  return Order::kStep;
}

void LiveControl::Wait(std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  const Clock::time_point begin = Clock::now();
  changed_.wait_until(lock, std::min(due_, begin + longest));
  waited_ += std::chrono::duration<double>(Clock::now() - begin).count();
}

std::map<std::string, double> LiveControl::TakeValues() {
  const std::lock_guard lock(mutex_);
  return std::exchange(values_, {});
}

bool LiveControl::is_paused() {
  const std::lock_guard lock(mutex_);
  return paused_;
}

double LiveControl::speed() {
  const std::lock_guard lock(mutex_);
  return speed_;
}

}  // namespace slipstick::internal
