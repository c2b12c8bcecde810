#pragma once

#include <array>

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// Vectors and matrices of one contact's rows, at most six, on the stack.
using ContactVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
using ContactMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;

// The set of impulses r = (r_N, r_1, …, r_m) of a contact with r_N ≥ 0 and |r_k| ≤ c_k r_N for each of its parts: two
// sliding rows, and where asked one spinning and two rolling ones (Tasora & Anitescu eqs 18–25). An intersection of
// second-order cones with one normal; its dual is {u : u_N ≥ Σ c_k |u_k|}.
struct FrictionCone {
  struct Part {
    int rows = 0;
    double limit = 0;  // c_k: μ, or σ or ρ [m]
  };
  std::array<Part, 3> parts;
  int part_count = 0;

  static FrictionCone InPlane(double mu) { return {{{{1, mu}}}, 1}; }
  static FrictionCone Sliding(double mu) { return {{{{2, mu}}}, 1}; }
  static FrictionCone Rolling(double mu, double rho) { return {{{{2, mu}, {2, rho}}}, 2}; }
  static FrictionCone SpinningAndRolling(double mu, double sigma, double rho) {
    return {{{{2, mu}, {1, sigma}, {2, rho}}}, 3};
  }

  int rows() const {
    int count = 1;
    for (int k = 0; k < part_count; ++k) count += parts[k].rows;
    return count;
  }
  bool is_sliding_only() const { return part_count == 1 && parts[0].rows == 2; }
  double mu() const { return parts[0].limit; }
};

// Σ c_k |u_k|: what the non-associated law adds to the normal velocity (de Saxcé & Feng; with rolling: docs/theory.md).
double SlipTerm(const FrictionCone& cone, const double* u);

// Nearest point of the cone to z, closed form: r_N is the zero of the increasing, piecewise linear
// r_N − z_N − Σ c_k (|z_k| − c_k r_N)₊, found by passing its breakpoints |z_k|/c_k in order. `out` may be z.
void ProjectOnFrictionCone(const FrictionCone& cone, const double* z, double* out);

// One element of the generalized Jacobian of that projection: symmetric, eigenvalues in [0, 1].
ContactMatrix FrictionConeJacobian(const FrictionCone& cone, const double* z);

}  // namespace slipstick::internal
