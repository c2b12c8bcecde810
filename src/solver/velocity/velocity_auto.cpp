#include "slipstick/solver/velocity/velocity_auto.h"

#include <algorithm>

#include "slipstick/solver/velocity/velocity_interior_point.h"
#include "slipstick/solver/velocity/velocity_newton.h"

namespace slipstick::internal {
namespace {

// Error at which Newton's method takes over from interior points: of the convex law, whose last digits it finds in a
// few steps; of exact friction they go as far as they can.
constexpr double kConvexHandOver = 1e-6, kCoulombHandOver = 1e-8;
// Newton steps that the last step's impulses are worth.
constexpr int kWarmSteps = 12;

}  // namespace

ConeAnswer SolveVelocityProgram(const VelocityProgram& program, const StopRule& stop, const VecX* states) {
  if (states != nullptr && !states->isZero(0)) {
    ConeAnswer warm = SolveByVelocityNewton(program, {.max_iterations = kWarmSteps, .only_near = true}, stop, states);
    if (warm.report.status == SolveStatus::kSolved) return warm;
  }
  StopRule hand_over = stop;
  hand_over.tolerance = std::max(stop.tolerance, program.non_associated ? kCoulombHandOver : kConvexHandOver);
  ConeAnswer interior = SolveByVelocityInteriorPoint(program, {}, hand_over);
  if (interior.report.residual <= stop.tolerance || interior.report.status == SolveStatus::kBadInput) return interior;
  ConeAnswer answer = SolveByVelocityNewton(program, {}, stop, &interior.r);
  answer.report.iterations += interior.report.iterations;
  return answer;
}

}  // namespace slipstick::internal
