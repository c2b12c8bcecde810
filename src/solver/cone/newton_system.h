#pragma once

#include <vector>

#include "slipstick/solver/cone/cone_equations.h"
#include "slipstick/solver/cone/cone_run.h"

namespace slipstick::internal {

// Newton's method on the equations of a scaled cone program (cone_equations.h), dense or sparse by what the matrix is.
// With a shift ε > 0 and a centre c it works on the proximal program W + ε, q − ε c, which is regular whatever the rank
// of W. Blocks that are open drop out of the linear systems. The program must outlive the object.
class NewtonSystem {
 public:
  struct Target {
    ConeFormulation formulation = ConeFormulation::kAlartCurnier;
    double shift = 0;              // ε
    const VecX* centre = nullptr;  // c; where null, zero
  };
  struct Outcome {
    int steps = 0;
    double merit = 0;       // |Φ| at the end, largest entry
    bool reached = false;   // ≤ goal
    bool singular = false;  // ended at a linear system without a solution
    bool advanced = false;  // x is another point than before
  };

  explicit NewtonSystem(const ScaledCone& program);

  // Steps with a backtracking line search from *x until the largest entry of Φ is at most `goal`, nothing is gained any
  // more, or the run's time is up.
  Outcome Solve(const Target& target, int max_steps, double goal, const ConeRun& run, VecX* x);

 private:
  double Evaluate(const Target& target, const VecX& x);  // |Φ|
  bool FindStep(double shift);

  const ScaledCone& program_;
  std::vector<BlockEquation> equations_;
  VecX u_, step_, trial_;
};

}  // namespace slipstick::internal
