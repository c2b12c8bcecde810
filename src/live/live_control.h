#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace slipstick::internal {

// What the people at the pages want of the run, from the threads that serve them to the one that computes. A run begins
// paused. Once nobody has watched for a while it goes on to its end as fast as it can.
class LiveControl {
 public:
  using Clock = std::chrono::steady_clock;

  // By the pages.
  void Pause();
  void Continue();
  void Step(int count);  // pauses, and takes so many steps
  void End();
  void SetSpeed(double speed);  // simulated seconds a second; 0: as fast as it goes
  void SetValue(const std::string& parameter, double value);

  // A page that is open asks for news all the time.
  class Watch {
   public:
    explicit Watch(LiveControl* control);
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch();

   private:
    LiveControl* control_;
  };
  bool IsWatched();

  // By the run: what to do next at this simulated time.
  enum class Order { kStep, kWait, kChange, kEnd };
  Order Next(double time);
  // Until something new is wanted, a paced step is due, or this long.
  void Wait(std::chrono::milliseconds longest);
  std::map<std::string, double> TakeValues();
  bool is_paused();
  double speed();
  double waited_seconds() const { return waited_; }  // by Wait

 private:
  bool IsLeft(Clock::time_point now) const;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool paused_ = true, ended_ = false;
  int steps_ = 0;
  double speed_ = 1;
  std::map<std::string, double> values_;
  int watching_ = 0;
  bool was_watched_ = false;
  Clock::time_point last_watched_;
  // pacing: simulated time `anchor_time_` is due at `anchor_`
  std::optional<Clock::time_point> anchor_;
  double anchor_time_ = 0;
  Clock::time_point due_;
  double waited_ = 0;
};

}  // namespace slipstick::internal
