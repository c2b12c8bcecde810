#pragma once

#include <chrono>
#include <string>

#include "slipstick/math/panel_matrix.h"
#include "slipstick/program/cone_program.h"
#include "slipstick/program/stop_rule.h"

namespace slipstick::internal {

// A cone program in the variables x = r/f with f_i = √(rows_i / trace W_ii) on each block: every block's own matrix has
// the mean diagonal 1, so that one step length fits all, whatever the masses. W becomes F W F, q and u are F q and F u.
struct ScaledCone {
  explicit ScaledCone(const ConeProgram& program);

  PanelMatrix W;
  VecX q;
  std::vector<ConeBlock> blocks;  // offsets in the order of the blocks, radii and bounds scaled
  bool non_associated;
  VecX factor;
  std::vector<int> row_of;  // row of the program for each row here: blocks are put in consecutive order

  int size() const { return static_cast<int>(q.size()); }
};

// What all iterative solvers of cone programs share: the scaled program, the start, the best point seen by the
// measure asked for, the history and the clock.
class ConeRun {
 public:
  // `program` must outlive the run and pass Check.
  ConeRun(const ConeProgram& program, const StopRule& stop, const VecX* warm_start, std::string solver);

  const ScaledCone& scaled() const { return scaled_; }
  // The warm start where it fits, else zero; in K, scaled.
  const VecX& start() const { return start_; }

  // Judges x, which is scaled, and keeps it where it is the best so far. True where it is good enough.
  bool Judge(const VecX& x);
  // W x + q, scaled, of the point judged last.
  const VecX& velocity() const { return velocity_; }
  // By the measure asked for, of the point judged last, and of the best one.
  double error() const { return error_; }
  double best_error() const { return best_error_; }
  bool solved() const { return best_error_ <= stop_.tolerance; }
  bool TimeIsUp() const;

  // The best point with its verdict: kSolved, or `otherwise`.
  ConeAnswer Finish(SolveStatus otherwise, int iterations);
  // The same where a point was judged good enough: kStalled only if it is not so any more without the scaling.
  ConeAnswer Solved(int iterations) { return Finish(SolveStatus::kStalled, iterations); }

 private:
  double Error(const VecX& x, const VecX& u) const;

  const ConeProgram& program_;
  StopRule stop_;
  ScaledCone scaled_;
  std::string solver_;
  std::chrono::steady_clock::time_point begin_;
  double scale_ = 0;   // of velocities, kNatural
  double q_norm_ = 0;  // kFclib
  VecX start_, best_, velocity_;
  double error_, best_error_;
  std::vector<double> history_;
};

// s of the non-associated law, Σ c_k|u_k| in the normal row of each cone, zero elsewhere.
void SetSlipTerms(const std::vector<ConeBlock>& blocks, const VecX& u, VecX* s);

// A program that does not pass Check, as an answer.
ConeAnswer RefusedProgram(const ConeProgram& program, const std::string& solver);

// What velocities are compared with: those of q, and those that the least impulses within the bounds bring in.
double VelocityScale(const ConeProgram& program);

// The error by a measure of r with u = W r + q, relative as StopRule says.
double RelativeError(const ConeProgram& program, ErrorMeasure measure, ConstRef<VecX> r, ConstRef<VecX> u);

}  // namespace slipstick::internal
