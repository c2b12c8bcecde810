#pragma once

#include <vector>

#include "slipstick/solver/cone/cone_run.h"
#include "slipstick/solver/cone/one_contact.h"

namespace slipstick::internal {

// For each block of a program the solution of its own little problem with all others held: what a sweep of block
// Gauss–Seidel asks for. Exact for intervals, disks and cones with sliding rows alone; for cones with rolling rows by
// Newton's method on at most six unknowns. Program and blocks must outlive the object.
class BlockSolutions {
 public:
  // Each block's own matrix.
  using Matrices = std::vector<ContactMatrix>;

  explicit BlockSolutions(const ScaledCone& program);
  BlockSolutions(const std::vector<ConeBlock>& blocks, bool non_associated, Matrices own);

  // *r := the solution of block k with u = W_kk r + q; `r` holds the one before, where a solution is sought first.
  void Solve(int k, const double* q, double* r);

  // One pass over all blocks of the scaled program that this was made for, with x updated in place. `relaxation` ω ≠ 1:
  // x_k := P((1 − ω) x_k + ω · solution).
  void Sweep(bool forwards, VecX* x, double relaxation = 1);

 private:
  struct Contact {
    Mat3 W, inverse;
    bool regular = false;
    int exact = -1;  // its place in exact_, −1 until the quick way has failed once
  };
  void SolveSliding(int k, const double* q, double* r);
  bool SolveSlip(const Contact& contact, double mu, const Vec3& q, const Vec2& guess, Vec3* r) const;
  void SolveExactly(int k, const Vec3& q, double* r);
  void SolveRolling(int k, const double* q, double* r) const;

  const ScaledCone* program_ = nullptr;
  const std::vector<ConeBlock>& blocks_;
  bool non_associated_;
  std::vector<int> contact_of_block_;
  std::vector<Contact> contacts_;
  std::vector<OneContact> exact_;
  std::vector<ContactMatrix> rolling_;
};

}  // namespace slipstick::internal
