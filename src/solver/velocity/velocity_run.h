#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "slipstick/program/stop_rule.h"
#include "slipstick/solver/velocity/velocity_form.h"

namespace slipstick::internal {

// The answer of a program without rows, or with numbers that are none.
std::optional<ConeAnswer> TrivialAnswer(const VelocityProgram& program, const char* solver);

// What solvers of programs with velocities kept share: the best impulses seen, judged by the program itself, the
// history and the clock. The form must outlive it.
class VelocityRun {
 public:
  VelocityRun(const VelocityProgram& program, const VelocityForm& form, const StopRule& stop);

  // Judges impulses and keeps them where they are the best so far. True where the best are good enough.
  bool Judge(const VecX& impulses);
  double error() const { return error_; }  // of those judged last
  double best_error() const { return best_error_; }
  const VecX& best() const { return best_; }
  bool solved() const { return best_error_ <= stop_.tolerance; }
  bool TimeIsUp() const;

  // The best impulses: kSolved, or `otherwise`.
  ConeAnswer Finish(const char* solver, SolveStatus otherwise, int iterations);

 private:
  const VelocityProgram& program_;
  const VelocityForm& form_;
  StopRule stop_;
  std::chrono::steady_clock::time_point begin_;
  VecX change_, u_, best_, best_u_;
  double error_, best_error_;
  std::vector<double> history_;
};

}  // namespace slipstick::internal
