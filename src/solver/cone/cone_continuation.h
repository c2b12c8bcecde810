#pragma once

#include <Eigen/LU>

#include "slipstick/base/eigen.h"
#include "slipstick/solver/cone/dense_cone_program.h"

namespace slipstick::internal {

// Follows a smoothed cone program from far away to near its solution: the projections P of the natural map r − P(r −
// v), v = u + s, are replaced by smooth ones that tend to them as τ → 0 (Chen–Harker–Kanzow–Smale; for cones:
// Fukushima, Luo & Tseng 2001), and Newton's method solves Φ_τ(r) = 0 for smaller and smaller τ. For the associated
// rule Φ_τ′ is regular for every τ > 0, even where W is singular, and the path leads to the middle of the solution set,
// where Newton on the unsmoothed equations then converges: this is what redundant contacts need. For exact Coulomb
// there is no such guarantee, but it mostly works. The program has no free rows and blocks scaled to trace(W_ii) =
// rows.
class ConeContinuation {
 public:
  // Makes room for programs of this size.
  explicit ConeContinuation(int size);

  struct Point {
    VecX r;
    double tau = 1;
  };
  // Follows the path from *point down to τ = `smallest` with at most `max_steps` Newton steps, and stops early where
  // Newton fails. r may end outside the sets by about τ. Returns the number of steps.
  int Follow(const DenseConeProgram& program, double smallest, int max_steps, Point* point);

 private:
  void Equations(const DenseConeProgram& program, const VecX& r, double tau);
  void ConeEquations(const DenseConeProgram& program, const ConeBlock& block, const VecX& r, double tau);

  VecX u_, phi_, step_, trial_;
  MatX jacobian_;
  Eigen::PartialPivLU<MatX> factors_;
};

}  // namespace slipstick::internal
