#pragma once

#include "slipstick/problem/friction_problem.h"
#include "slipstick/problem/mixed_problem.h"

namespace slipstick::internal {

// How far an answer is from solving a problem. It is computed from the problem's numbers and the answer alone, by code
// that no solver uses: projections and products of its own, so that an error in those cannot hide here. +∞ where any
// number of the answer is not finite or its sizes do not fit.
//
// With u the velocities that follow from the impulses r, ũ_c = u_c + (Σ_k c_k |u_k|, 0, …) for exact Coulomb (de Saxcé
// & Feng; c_k = μ for the sliding rows, and the coefficients of spinning and rolling for theirs) and ũ_c = u_c for the
// convex relaxation, and P_c the projection on the cone {|r_k| ≤ c_k r_N for all parts k} of contact c.
struct ProblemResidual {
  // Friction: √(Σ_c |r_c − P_c(r_c − ũ_c)|²) / max(|q|, |r|, |u|), what users of FCLIB and Siconos compare. Bilateral
  // rows count in the sum by the rate that must be zero, and their numbers join q, r and u. A global problem adds
  // |M v − H r − G λ − f| / max(|f|, |M v|, |H r + G λ|), and its q is Hᵀ M⁻¹ f + w. Note that velocities and impulses
  // are added, in whatever units they came.
  // Complementarity: √(Σ (z_i − max(0, z_i − w_i))² + Σ w_e²) / |q| over pairs i and equations e; not divided where
  // q = 0.
  double relative = 0;
  // The worst contact by its own numbers, whatever the units: the largest over the contacts of
  //   |r_c − P_c(r_c − ρ_c ũ_c)| / max(|r_c|, ρ_c a_c),   ρ_c = rows / trace(W_cc),
  // where ρ_c is the mass that turns velocities of the contact into impulses and a_c = | |q_c| + Σ_j |W_cj| |r_j| |
  // (magnitudes entry by entry) the size of the numbers of which u_c is the sum: what cancels there cannot be asked
  // for. Of a global problem a_c = | |H_cᵀ| (|v| + |M⁻¹f|) + |w_c| |. A bilateral row counts its rate relative to the
  // same sum of its own. Complementarity: of each pair |z − max(0, z − ρ w)| / max(|z|, ρ a) with a = |q_i| + Σ_j
  // |M_ij z_j| and ρ = 1/M_ii where that is positive, else 1; of an equation |w| / a. Where both are zero it is 0.
  double per_contact = 0;
};

// Impulses of "bilateral" rows that have limits, as joint friction has: lower ≤ λ ≤ upper, and the rate may be positive
// where λ = lower, negative where λ = upper. Such a row counts |λ − mid(lower, λ − rate, upper)| in place of its rate,
// and in `per_contact` |λ − mid(lower, λ − ρ rate, upper)| / max(|λ|, ρ a) with ρ the mass that it moves alone.
struct MultiplierBounds {
  VecX lower, upper;  // of each row; may be infinite
};

// `lambda` belongs to the bilateral rows, empty where there are none; without `bounds` they have none.
ProblemResidual ResidualOf(const LocalProblem& problem, ConstRef<VecX> r, ConstRef<VecX> lambda,
                           bool non_associated = true, const MultiplierBounds* bounds = nullptr);

// v is taken from the equation of motion where none is given (null), and then only its rounding is in the residual.
ProblemResidual ResidualOf(const GlobalProblem& problem, ConstRef<VecX> r, ConstRef<VecX> lambda, const VecX* v,
                           bool non_associated = true, const MultiplierBounds* bounds = nullptr);

ProblemResidual ResidualOf(const MixedProblem& problem, ConstRef<VecX> z);

// The limits of a contact's rows in the order of the rows: each part with its number of rows and its coefficient.
struct ContactPart {
  int rows = 0;
  double limit = 0;
};
std::vector<ContactPart> PartsOfContact(const ContactCoefficients& contacts, int i);

// Nearest point of the cone {|r_k| ≤ c_k r_N} to z: r_N is the zero of t − z_N − Σ c_k (|z_k| − c_k t)₊, enclosed and
// found by Newton's steps with bisection as their guard.
VecX NearestInCone(const std::vector<ContactPart>& parts, ConstRef<VecX> z);

// Σ c_k |u_k| of a contact.
double SlipOf(const std::vector<ContactPart>& parts, ConstRef<VecX> u);

}  // namespace slipstick::internal
