#include "progress_bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "text_table.h"

namespace slipstick::internal {
namespace {

constexpr std::size_t kMostCells = 24, kLeastCells = 4;
constexpr double kRedraw = 0.1;      // seconds between two drawings on a terminal
constexpr double kPlainLine = 10.0;  // seconds between two lines elsewhere
constexpr double kReadLine = 0.3;    // and between two that a program reads

std::string Duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h {:02.0f} min", std::floor(seconds / 3600), std::fmod(seconds, 3600.0) / 60);
}

std::size_t TerminalWidth() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kLineWidth;
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
  // The last column stays free: some terminals start a new line after it. Where room is short the bar is the first to
  // shrink, then the text is cut.
  const std::size_t room = TerminalWidth() - 1;
  const std::string all =
      fmt::format("{:3.0f} % {}{}{}", 100 * fraction, label, detail.empty() ? "" : "  " + detail, left);
  const std::size_t wide = DisplayWidth(all) + 1;
  const std::size_t cells = wide + kLeastCells > room ? 0 : std::min(kMostCells, room - wide);
  const auto full = static_cast<std::size_t>(fraction * static_cast<double>(cells));
  std::string bar;
  for (std::size_t i = 0; i < cells; ++i) bar += i < full ? "█" : "░";
  if (cells > 0) bar = colour_ ? "\033[36m" + bar + "\033[0m " : bar + " ";
  fmt::print(stderr, "\r\033[K{}{}", bar, cells > 0 ? all : CutAtEnd(all, room));
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressBar::Clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

std::string ProgressDetail(const RunProgress& progress, double elapsed) {
  std::string text =
      fmt::format("{:.3f} s, {} contacts, residual {:.0e}", progress.time, progress.contacts, progress.law_residual);
  if (elapsed > 0.2 && progress.time > 0) text += fmt::format(", {:.2g} s/s", progress.time / elapsed);
  return text;
}

}  // namespace slipstick::internal
