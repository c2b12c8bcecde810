#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

namespace slipstick::internal {

// The browser could not do what was asked of it; the message says what and why.
class BrowserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Chromium or a browser built from it: $CHROMIUM, or one that is found by its usual names. Nothing where there is none.
std::optional<std::filesystem::path> FindBrowser();

// A browser without a window, in a process of its own, driven by its DevTools protocol over a pair of pipes (JSON
// texts, each ended by a zero byte). It has an empty profile in a folder of its own, which is removed in the end with
// the process and all that it started, however that end comes about.
class HeadlessBrowser {
 public:
  // `is_over` is asked while waiting; true ends all with a BrowserError.
  HeadlessBrowser(const std::filesystem::path& executable, std::chrono::seconds time_limit,
                  std::function<bool()> is_over);
  HeadlessBrowser(const HeadlessBrowser&) = delete;
  HeadlessBrowser& operator=(const HeadlessBrowser&) = delete;
  ~HeadlessBrowser();

  // A command of the protocol with its parameters as JSON; the result as JSON. Throws BrowserError where it is refused,
  // the time is over, or the browser has ended.
  std::string Call(const std::string& method, const std::string& parameters, const std::string& session = "");

 private:
  void Start(const std::filesystem::path& executable);
  void Send(const std::string& message);
  std::string Receive();  // one message
  void End() noexcept;

  std::filesystem::path profile_;
  pid_t id_ = -1;
  int to_browser_ = -1, from_browser_ = -1;
  std::string pending_;
  int last_id_ = 0;
  std::chrono::steady_clock::time_point deadline_;
  std::function<bool()> is_over_;
};

}  // namespace slipstick::internal
