#pragma once

#include <chrono>
#include <cmath>
#include <limits>

namespace slipstick::internal {

// A point in wall time after which work ends with the best that there is. Without one the clock is never read.
class Deadline {
 public:
  Deadline() = default;
  // In so many seconds from now; infinite: never.
  explicit Deadline(double seconds) {
    // beyond what the clock can count nobody waits
    if (seconds < 1e9)
      at_ = Clock::now() +
            std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::fmax(seconds, 0)));
  }

  bool HasPassed() const { return at_ != Clock::time_point::max() && Clock::now() >= at_; }
  // Never negative; infinite where there is no end.
  double SecondsLeft() const {
    if (at_ == Clock::time_point::max()) return std::numeric_limits<double>::infinity();
    return std::fmax(0.0, std::chrono::duration<double>(at_ - Clock::now()).count());
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point at_ = Clock::time_point::max();
};

}  // namespace slipstick::internal
