#include "slipstick/base/thread_team.h"

#include <cstdint>

#include "slipstick/base/check.h"

namespace slipstick::internal {
namespace {

// Waiting awake is quick where every thread has a core, and steals time where not: so awake for some microseconds, the
// length of a colour of a sweep, and then asleep.
constexpr int kAwake = 4000;

void Pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

void WaitWhile(const std::atomic<unsigned>& value, unsigned old) {
  for (int i = 0; i < kAwake; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    Pause();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

ThreadTeam::ThreadTeam(int size) : size_(size) {
  SLIPSTICK_CHECK(size >= 1, "a team has at least one thread");
  for (int index = 1; index < size; ++index) workers_.emplace_back([this, index] { Work(index); });
}

ThreadTeam::~ThreadTeam() {
  ends_ = true;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadTeam::Work(int index) {
  unsigned round = 0;
  while (true) {
    WaitWhile(round_, round++);
    if (ends_) return;
    (*job_)(index);
    Meet();
  }
}

void ThreadTeam::Run(const std::function<void(int)>& job) {
  if (size_ > 1) {
    job_ = &job;
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }
  job(0);
  Meet();
}

void ThreadTeam::Meet() {
  if (size_ == 1) return;
  const unsigned meeting = meeting_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == size_) {
    arrived_.store(0, std::memory_order_relaxed);
    meeting_.fetch_add(1, std::memory_order_release);
    meeting_.notify_all();
  } else {
    WaitWhile(meeting_, meeting);
  }
}

Share ShareOf(int count, int index, int size) {
  const std::int64_t n = count;
  return {static_cast<int>(n * index / size), static_cast<int>(n * (index + 1) / size)};
}

}  // namespace slipstick::internal
