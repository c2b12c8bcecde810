#include "progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace slipstick {
namespace {

constexpr int kCells = 24;
constexpr double kRedraw = 0.1;      // seconds between two drawings on a terminal
constexpr double kPlainLine = 10.0;  // seconds between two lines elsewhere
constexpr double kReadLine = 0.3;    // and between two that a program reads

std::string Duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  if (seconds < 3600) return fmt::format("{:.0f} min {:02.0f} s", std::floor(seconds / 60), std::fmod(seconds, 60.0));
  return fmt::format("{:.0f} h {:02.0f} min", std::floor(seconds / 3600), std::fmod(seconds, 3600.0) / 60);
}

}  // namespace

ProgressBar::ProgressBar(bool quiet)
    : quiet_(quiet),
      lines_(std::getenv("SLIPSTICK_PROGRESS") != nullptr),
      terminal_(!lines_ && isatty(STDERR_FILENO) != 0),
      colour_(terminal_ && std::getenv("NO_COLOR") == nullptr),
      start_(Clock::now()),
      last_(start_) {}

ProgressBar::~ProgressBar() { Clear(); }

void ProgressBar::Show(double fraction, const std::string& label, const std::string& detail) {
  if (quiet_) return;
  const auto now = Clock::now();
  const double since = std::chrono::duration<double>(now - last_).count();
  const bool news = label != last_label_;
  if (!news && since < (terminal_ ? kRedraw : lines_ ? kReadLine : kPlainLine)) return;
  last_ = now;
  last_label_ = label;
  fraction = std::clamp(fraction, 0.0, 1.0);
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const std::string left =
      fraction > 0.01 && elapsed > 1 ? ", " + Duration(elapsed * (1 - fraction) / fraction) + " left" : "";
  if (!terminal_) {
    fmt::print(stderr, "{:3.0f} % {}{}{}\n", 100 * fraction, label, detail.empty() ? "" : ", " + detail, left);
    return;
  }
  const int full = static_cast<int>(fraction * kCells);
  std::string bar;
  for (int i = 0; i < kCells; ++i) bar += i < full ? "█" : "░";
  if (colour_) bar = "\033[36m" + bar + "\033[0m";
  fmt::print(stderr, "\r\033[K{} {:3.0f} % {}{}{}", bar, 100 * fraction, label, detail.empty() ? "" : "  " + detail,
             left);
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressBar::Clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace slipstick
