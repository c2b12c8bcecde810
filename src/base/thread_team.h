#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace slipstick::internal {

// A fixed number of threads, the caller's among them, that run the same function together and meet at barriers. What is
// computed may not depend on which thread does it; then results are the same for any number of threads.
class ThreadTeam {
 public:
  explicit ThreadTeam(int size);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int size() const { return size_; }

  // Calls job(0), …, job(size − 1), each on its own thread, and returns when all have returned.
  void Run(const std::function<void(int)>& job);

  // Within a job: returns when all threads have come here.
  void Meet();

 private:
  void Work(int index);

  int size_;
  const std::function<void(int)>* job_ = nullptr;
  std::atomic<unsigned> round_ = 0;  // of jobs
  std::atomic<bool> ends_ = false;
  std::atomic<int> arrived_ = 0;
  std::atomic<unsigned> meeting_ = 0;  // number of the present one
  std::vector<std::thread> workers_;
};

// [first, last) of `count` items that thread `index` of `size` takes.
struct Share {
  int first = 0, last = 0;
};
Share ShareOf(int count, int index, int size);

}  // namespace slipstick::internal
