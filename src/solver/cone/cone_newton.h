#pragma once

#include <Eigen/LU>
#include <Eigen/QR>
#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/solver/cone/dense_cone_program.h"
#include "slipstick/solver/cone/one_contact.h"

namespace slipstick::internal {

// Semismooth Newton steps for a cone program without free rows whose blocks are scaled to trace(W_ii) = rows, so that ρ
// = 1 in the equations Φ(r) = 0 below (u = W r + q):
//   exact Coulomb (Alart & Curnier 1991):  r_N − max(0, r_N − u_N),  r_T − P_disk(μ max(0, r_N − u_N))(r_T − u_T),
//   other blocks, and cones of the associated rule:  r − P(r − u).
// Φ is piecewise smooth, and a step solves the equations of one piece for each block, J Δ = −Φ. J is singular where
// contacts are redundant; then the step of least norm is taken (complete orthogonal decomposition).
class ConeNewton {
 public:
  // Makes room for programs of this size.
  explicit ConeNewton(int size);

  struct Outcome {
    int steps = 0;
    bool improved = false;  // |Φ| fell
  };
  // Up to `max_steps` steps with line search on |Φ|₂ from *r, which is replaced where |Φ| falls. If `states` is given,
  // the piece of each block is held as it says (one entry a block), instead of being chosen anew at each point: a
  // polish for an active set that is known. Stops when |Φ|∞ ≤ tolerance, or when no step length makes |Φ| fall.
  Outcome Improve(const DenseConeProgram& program, int max_steps, double tolerance,
                  const std::vector<ContactState>* states, VecX* r);

 private:
  void Equations(const DenseConeProgram& program, const VecX& r, const std::vector<ContactState>* states,
                 bool with_jacobian);
  void CoulombEquations(const DenseConeProgram& program, const ConeBlock& block, const VecX& r,
                        const ContactState* state, bool with_jacobian);

  VecX u_, phi_, step_, trial_;
  MatX jacobian_;
  Eigen::PartialPivLU<MatX> factors_;
  Eigen::CompleteOrthogonalDecomposition<MatX> decomposition_;
};

}  // namespace slipstick::internal
