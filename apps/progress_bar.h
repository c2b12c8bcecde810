#pragma once

#include <chrono>
#include <string>

#include "slipstick/run/run_simulation.h"

namespace slipstick::internal {

// Progress on standard error: one line redrawn in place on a terminal, as wide as that is; a plain line now and then
// elsewhere; plain lines and often where the environment has SLIPSTICK_PROGRESS=lines, for a program that reads them.
// Nothing where `quiet`.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar();
  // `fraction` of 0 … 1 of all the work; `label` says what is being done, `detail` figures of the moment.
  void Show(double fraction, const std::string& label, const std::string& detail);
  void Clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool quiet_, lines_, terminal_, colour_;
  bool drawn_ = false;
  Clock::time_point start_, last_;
  std::string last_label_;
};

// Figures of a run at the moment: simulated time, contacts, residual, and how many seconds a second of computing makes.
std::string ProgressDetail(const RunProgress& progress, double elapsed);

}  // namespace slipstick::internal
