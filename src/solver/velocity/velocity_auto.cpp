#include "slipstick/solver/velocity/velocity_auto.h"

#include <algorithm>

#include "slipstick/solver/velocity/velocity_interior_point.h"
#include "slipstick/solver/velocity/velocity_newton.h"
#include "slipstick/solver/velocity/velocity_sweep.h"

namespace slipstick::internal {
namespace {

// Error at which Newton's method takes over from interior points, whose last digits cost more: its steps are half as
// dear.
constexpr double kHandOver = 1e-6;
// Newton steps that the last step's impulses are worth, and those that they are after sweeps.
constexpr int kWarmSteps = 30, kSweptSteps = 60;
// Error of the last step's impulses below which sweeps bring most contacts of exact friction into their states, and the
// error at which they have.
constexpr double kWorthSweeps = 0.1, kSwept = 3e-3;

bool IsSolved(const ConeAnswer& answer) { return answer.report.status == SolveStatus::kSolved; }

}  // namespace

ConeAnswer SolveVelocityProgram(const VelocityProgram& program, const StopRule& stop, const VecX* states) {
  if (states != nullptr && !states->isZero(0)) {
    ConeAnswer warm = SolveByVelocityNewton(program, {.max_iterations = kWarmSteps, .only_near = true}, stop, states);
    if (IsSolved(warm)) return warm;
    if (program.non_associated && warm.report.residual <= kWorthSweeps) {
      StopRule until_swept = stop;
      until_swept.tolerance = std::max(stop.tolerance, kSwept);
      const ConeAnswer swept = SolveByVelocitySweep(program, {}, until_swept, *states);
      if (IsSolved(swept)) {
        warm = SolveByVelocityNewton(program, {.max_iterations = kSweptSteps, .only_near = true}, stop, &swept.r);
        if (IsSolved(warm)) return warm;
      }
    }
  }
  StopRule hand_over = stop;
  hand_over.tolerance = std::max(stop.tolerance, kHandOver);
  ConeAnswer interior = SolveByVelocityInteriorPoint(program, {}, hand_over);
  if (interior.report.residual <= stop.tolerance || interior.report.status == SolveStatus::kBadInput) return interior;
  ConeAnswer answer = SolveByVelocityNewton(program, {}, stop, &interior.r);
  answer.report.iterations += interior.report.iterations;
  return answer;
}

}  // namespace slipstick::internal
