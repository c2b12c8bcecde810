#pragma once

#include <functional>
#include <vector>

#include "slipstick/contact/contact_problem.h"
#include "slipstick/math/gram_matrix.h"

namespace slipstick::internal {

// Contacts and rows of the trees that they join: what happens in one island is no matter to another. The world joins
// nothing. Numbers are those of the problem, in ascending order.
struct ContactIsland {
  std::vector<int> contacts;
  std::vector<int> bounded, bilateral;  // groups of rows
};
std::vector<ContactIsland> FindIslands(const ContactProblem& problem);

// The A/b representation (Drumwright & Shell 2010, eqs 1, 4, 5; docs/theory.md (L16)) of an island: impulses x on the
// rows (normal, tangent_1, tangent_2) of its contacts and then on its bounded rows change these rows' velocities by A
// x, with the bilateral rows holding. In generalized coordinates A = G Gᵀ stays a product.
struct ContactSpace {
  MatX A;           // empty where there is
  GramMatrix gram;  // G Gᵀ

  int rows() const { return gram.rows() > 0 ? gram.rows() : static_cast<int>(A.rows()); }
  VecX Times(ConstRef<VecX> x) const { return gram.rows() > 0 ? gram * x : VecX(A * x); }

  // Velocities of the rows when a motion v is made to meet the bilateral rows, b⁻ of eq 4: J v + J M⁻¹ Bᵀ p_b.
  VecX RowVelocities(const ContactProblem& problem, const ContactIsland& island, ConstRef<VecX> velocity) const;
  // Impulses p_b of the island's bilateral rows (in the order of its groups) that hold them after impulses x on v.
  VecX Bilateral(const ContactProblem& problem, const ContactIsland& island, ConstRef<VecX> velocity,
                 ConstRef<VecX> x) const;
  // The same where they held before, at whatever velocity: what x alone asks of them.
  VecX BilateralOf(ConstRef<VecX> x) const { return -holding * (across.transpose() * x); }

  MatX across;   // J M⁻¹ Bᵀ
  MatX holding;  // (B M⁻¹ Bᵀ)⁺, redundant rows allowed
};

// By the formula: A = J C Jᵀ, C = M⁻¹ − M⁻¹Bᵀ(B M⁻¹ Bᵀ)⁺B M⁻¹.
ContactSpace BuildContactSpace(const ContactProblem& problem, const ContactIsland& island);

// In generalized coordinates, (L16b): G = J L⁻ᵀ Z with M = L Lᵀ by trees and Z an orthonormal basis of the velocities
// Lᵀv that the bilateral rows allow, so that G Gᵀ = A. Without bilateral rows Z is the identity and G is as sparse as
// J.
ContactSpace BuildGeneralizedSpace(const ContactProblem& problem, const ContactIsland& island);

// A alone by test impulses (after Mirtich 1996): column k is the change of the rows' velocities under a unit impulse on
// row k. `velocities_after` answers for any body, however it is described: impulses on all rows → velocities of all
// rows.
MatX MatrixByTestImpulses(int rows, const std::function<VecX(const VecX&)>& velocities_after);

}  // namespace slipstick::internal
