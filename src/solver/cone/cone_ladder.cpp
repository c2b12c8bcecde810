#include "slipstick/solver/cone/cone_ladder.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>

#include "slipstick/solver/cone/accelerated_gradient.h"
#include "slipstick/solver/cone/admm.h"
#include "slipstick/solver/cone/cone_run.h"
#include "slipstick/solver/cone/extragradient.h"
#include "slipstick/solver/cone/gauss_seidel.h"
#include "slipstick/solver/cone/gauss_seidel_newton.h"
#include "slipstick/solver/cone/interior_point.h"
#include "slipstick/solver/cone/proximal_newton.h"
#include "slipstick/solver/cone/semismooth_newton.h"

namespace slipstick::internal {
namespace {

using Clock = std::chrono::steady_clock;

// Whose answer it is where there was nothing to do.
constexpr const char* kStart = "start";

// Above this tolerance first-order methods get there before a factorization pays.
constexpr double kLoose = 1e-6;
// Up to so many rows a factorization costs about as much as a sweep.
constexpr int kQuickToFactorize = 300;
// Up to so many rows the dense solver is the quickest way to the last digits, and up to so many it is worth a try.
constexpr int kSmall = 90, kStillDense = 450;
// Up to so many rows Newton's method from the start given is tried where cones have rolling rows.
constexpr int kWorthNewton = 2000;
// Sweeps of the dense solver that a small program is given first; and the error below which a few more may bring the
// last digits.
constexpr int kQuickSweeps = 30;
constexpr double kNear = 1e-6;
// Relative error that no solver gets below but by chance.
constexpr double kLastDigit = 1e-16;
// Rounding of an answer, in units of the last digit of its largest sum of products.
constexpr double kFewDigits = 1;

double SecondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

class Ladder {
 public:
  Ladder(const ConeProgram& program, const StopRule& stop, const VecX* warm_start)
      : program_(program), stop_(stop), begin_(Clock::now()) {
    // the warm start is the first answer; nothing is the second, whatever it is worth: where numbers overflow no error
    // is finite
    SolveReport report;
    report.solver = kStart;
    if (warm_start != nullptr && warm_start->size() == program.size() && warm_start->allFinite()) {
      const VecX r = ProjectOnSets(program.blocks, *warm_start);
      Take({r, program.W * r + program.q, report});
    }
    if (!(best_error_ <= stop_.tolerance)) {
      ConeAnswer nothing{VecX::Zero(program.size()), program.q, report};
      const double error = RelativeError(program_, stop_.measure, nothing.r, nothing.u);
      if (!(best_error_ < error)) {
        best_ = std::move(nothing);
        best_error_ = error;
        rounding_ = 0;
      }
    }
    if (best_error_ <= stop_.tolerance)
      tried_.push_back({kStart, SolveStatus::kSolved, 0, best_error_, SecondsSince(begin_)});
  }

  double best_error() const { return best_error_; }
  bool done() const { return best_error_ <= goal() || SecondsSince(begin_) >= stop_.seconds; }

  // Tries a solver from the best answer so far, unless the goal is reached or the time is up.
  void Try(const std::function<ConeAnswer(const StopRule&, const VecX*)>& solve) {
    if (!done()) Run(solve);
  }

  // The same whether the goal is reached or not.
  void Run(const std::function<ConeAnswer(const StopRule&, const VecX*)>& solve) {
    StopRule rest = stop_;
    rest.seconds = stop_.seconds - SecondsSince(begin_);
    const Clock::time_point begin = Clock::now();
    ConeAnswer answer = solve(rest, &best_.r);
    const double seconds = SecondsSince(begin);
    const double error = Take(answer);
    iterations_ += answer.report.iterations;
    tried_.push_back({answer.report.solver, answer.report.status, answer.report.iterations, error, seconds});
  }

  ConeAnswer Finish() {
    best_.report.tried = std::move(tried_);
    best_.report.iterations = iterations_;
    best_.report.residual = best_error_;
    if (best_error_ <= goal()) {
      best_.report.status = SolveStatus::kSolved;
    } else if (SecondsSince(begin_) >= stop_.seconds) {
      best_.report.status = SolveStatus::kTimeLimit;
    } else if (best_.report.status == SolveStatus::kSolved) {
      best_.report.status = SolveStatus::kStalled;  // by its own measure, not by this one
    }
    return std::move(best_);
  }

 private:
  double Take(const ConeAnswer& answer) {
    const double error = RelativeError(program_, stop_.measure, answer.r, answer.u);
    if (error < best_error_) {
      best_error_ = error;
      best_ = answer;
      rounding_ = stop_.measure == ErrorMeasure::kNatural ? Rounding(answer.r) : 0.0;
    }
    return error;
  }

  // What is asked for, unless the impulses' own rounding is worth more, as where tonnes rest on a gram.
  double goal() const { return std::max(stop_.tolerance, rounding_); }

  // Relative error that the last digits of impulses make: a velocity of a few ε |W| |r|.
  double Rounding(const VecX& r) const {
    if (r.size() == 0 || !r.allFinite()) return 0.0;
    const double velocity = (program_.W.cwiseAbs() * r.cwiseAbs()).maxCoeff(), scale = VelocityScale(program_);
    return scale > 0 ? kFewDigits * std::numeric_limits<double>::epsilon() * velocity / scale : 0.0;
  }

  const ConeProgram& program_;
  StopRule stop_;
  Clock::time_point begin_;
  ConeAnswer best_;
  double best_error_ = std::numeric_limits<double>::infinity(), rounding_ = 0;
  int iterations_ = 0;
  std::vector<SolveAttempt> tried_;
};

}  // namespace

ConeAnswer SolveByLadder(const ConeProgram& program, const StopRule& stop, const VecX* warm_start) {
  if (!Check(program).empty()) return RefusedProgram(program, "auto");
  Ladder ladder(program, stop, warm_start);
  const bool loose = stop.tolerance > kLoose, plain = GaussSeidelNewtonRefusal(program.blocks).empty();
  const auto gauss_seidel = [&](int sweeps) {
    return [&program, sweeps](const StopRule& rule, const VecX* start) {
      return SolveByGaussSeidel(program, {.max_iterations = sweeps}, rule, start);
    };
  };
  const auto accelerated_gradient = [&](const StopRule& rule, const VecX* start) {
    return SolveByAcceleratedGradient(program, {.max_iterations = 1000}, rule, start);
  };
  const auto admm = [&](const StopRule& rule, const VecX* start) {
    return SolveByAdmm(program, {.max_iterations = loose ? 2000 : 5000}, rule, start);
  };
  // from rest: an interior point method gains nothing from a good answer, which lies on the borders
  const auto interior_point = [&](const StopRule& rule, const VecX*) {
    return SolveByInteriorPoint(program, {}, rule, nullptr);
  };
  const auto proximal = [&](double shift) {
    return [&program, shift](const StopRule& rule, const VecX* start) {
      return SolveByProximalNewton(program, {.max_iterations = 150, .shift = shift}, rule, start);
    };
  };
  const auto dense = [&](const StopRule& rule, const VecX* start) {
    // its own measure is stricter than either of the two
    return SolveByGaussSeidelNewton(program, {.tolerance = std::min(1e-12, rule.tolerance), .seconds = rule.seconds},
                                    start);
  };

  // A few sweeps with Newton's method between them, and nothing else: nearly all small programs need no more.
  const auto quick_dense = [&program](double tolerance) {
    return [&program, tolerance](const StopRule& rule, const VecX* start) {
      const GaussSeidelNewtonSettings settings{.tolerance = std::min(tolerance, rule.tolerance),
                                               .max_sweeps = kQuickSweeps,
                                               .max_convex_steps = 0,
                                               .max_continuations = 0,
                                               .max_restarts = 0,
                                               .max_proximal_steps = 0,
                                               .seconds = rule.seconds};
      return SolveByGaussSeidelNewton(program, settings, start);
    };
  };
  const auto newton = [&](const StopRule& rule, const VecX* start) {
    return SolveBySemismoothNewton(program, {.max_iterations = 30}, rule, start);
  };
  // as far as Newton's method goes: its last step costs nothing beside the others
  const auto polish = [&](const StopRule& rule, const VecX* start) {
    StopRule further = rule;
    further.tolerance = kLastDigit;
    return newton(further, start);
  };

  if (!plain && program.size() <= kSmall && stop.tolerance_of_small < stop.tolerance) {
    ladder.Run(polish);
  } else if (!plain && program.size() <= kWorthNewton) {
    ladder.Try(newton);
  }
  const bool is_small = plain && program.size() <= kSmall;
  if (is_small && stop.measure == ErrorMeasure::kNatural) {
    // as exactly as it may be; where sweeps do not get there, interior points do at a small part of the cost of all
    // that the dense solver could still try
    const double goal = std::min(stop.tolerance, stop.tolerance_of_small);
    if (ladder.best_error() > goal) ladder.Run(quick_dense(1e-12));
    if (ladder.best_error() > stop.tolerance) {
      ladder.Run(interior_point);
      // and then Newton's method on the states that they have found, to the last digit: what rests shall not creep
      if (ladder.best_error() <= kNear) ladder.Run(quick_dense(kLastDigit));
    }
  }
  ladder.Try(gauss_seidel(loose ? 100 : 60));
  if (loose && program.size() > kQuickToFactorize) {
    ladder.Try(accelerated_gradient);
    ladder.Try(admm);
  }
  const bool from_rest_tried = is_small && stop.measure == ErrorMeasure::kNatural;  // its answer would be the same
  if (!from_rest_tried) ladder.Try(interior_point);
  ladder.Try(proximal(1e-4));
  if (!loose || program.size() <= kQuickToFactorize) ladder.Try(admm);
  ladder.Try(proximal(1e-2));
  if (plain && program.size() <= kStillDense) ladder.Try(dense);
  // what the dense solver with all its tries could not do with so few rows, first-order methods have never done
  if (from_rest_tried) return ladder.Finish();
  ladder.Try([&](const StopRule& rule, const VecX* start) { return SolveByExtragradient(program, {}, rule, start); });
  ladder.Try(gauss_seidel(20000));
  ladder.Try(proximal(1e-1));
  return ladder.Finish();
}

}  // namespace slipstick::internal
