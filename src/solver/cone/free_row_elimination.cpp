#include "slipstick/solver/cone/free_row_elimination.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

// Relative to the largest eigenvalue of the scaled W_ff: below, a combination of constraints is redundant.
constexpr double kRankTolerance = 1e-12;
// A row of which the Schur complement leaves less than this fraction cannot be moved: the joints hold it.
constexpr double kHeldRow = 1e-12;

// A row of which an impulse moves less than this part of what it moves in the others stands for nothing: a planar
// mechanism's rows across its plane. The square of rounding.
constexpr double kNoMotion = 1e-26;

bool IsFree(const ConeBlock& block) {
  return block.kind == BlockKind::kFree ||
         (block.kind == BlockKind::kInterval && std::isinf(block.lower) && std::isinf(block.upper));
}

}  // namespace

FreeRowElimination::FreeRowElimination(const DenseConeProgram& program) {
  reduced_.non_associated = program.non_associated;
  for (const ConeBlock& block : program.blocks) {
    if (IsFree(block)) {
      free_rows_.push_back(block.offset);
      continue;
    }
    ConeBlock moved = block;
    moved.offset = static_cast<int>(kept_rows_.size());
    reduced_.blocks.push_back(moved);
    for (int row = 0; row < block.rows(); ++row) kept_rows_.push_back(block.offset + row);
  }
  reduced_.W = program.W(kept_rows_, kept_rows_);
  reduced_.q = program.q(kept_rows_);
  const int free_count = static_cast<int>(free_rows_.size());
  if (free_count == 0) return;

  const MatX W_ff = program.W(free_rows_, free_rows_);
  const MatX W_fc = program.W(free_rows_, kept_rows_);
  const VecX q_f = program.q(free_rows_);
  VecX scale(free_count);  // D with D W_ff D of unit diagonal; 0 for rows that move nothing but by rounding
  const double stiffest = W_ff.diagonal().maxCoeff();
  for (int i = 0; i < free_count; ++i) {
    scale[i] = W_ff(i, i) > kNoMotion * stiffest ? 1 / std::sqrt(W_ff(i, i)) : 0.0;
  }
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(scale.asDiagonal() * W_ff * scale.asDiagonal());
  const double largest = std::max(eigen.eigenvalues().maxCoeff(), 0.0);
  VecX inverse = VecX::Zero(free_count);
  for (int i = 0; i < free_count; ++i)
    if (eigen.eigenvalues()[i] > kRankTolerance * largest) inverse[i] = 1 / eigen.eigenvalues()[i];
  const auto pseudo_solve = [&](const auto& right) {
    return (scale.asDiagonal() * (eigen.eigenvectors() * (inverse.asDiagonal() * (eigen.eigenvectors().transpose() *
                                                                                  (scale.asDiagonal() * right)))))
        .eval();
  };
  offset_ = pseudo_solve(q_f);
  offset_ += pseudo_solve(q_f - W_ff * offset_);  // one refinement: u_f = 0 to the last digits
  inconsistency_ = (q_f - W_ff * offset_).cwiseAbs().maxCoeff();
  gain_ = pseudo_solve(W_fc);
  gain_ += pseudo_solve(W_fc - W_ff * gain_);

  const VecX diagonal_before = reduced_.W.diagonal();
  const MatX complement = reduced_.W - W_fc.transpose() * gain_;
  reduced_.W = 0.5 * (complement + complement.transpose());
  reduced_.q -= W_fc.transpose() * offset_;
  for (int i = 0; i < reduced_.size(); ++i) {
    if (reduced_.W(i, i) > kHeldRow * diagonal_before[i]) continue;
    // positive semidefinite: with the diagonal the whole row is zero, and what is left of it is rounding
    reduced_.W.row(i).setZero();
    reduced_.W.col(i).setZero();
  }
}

VecX FreeRowElimination::Restrict(ConstRef<VecX> r) const { return r(kept_rows_); }

VecX FreeRowElimination::Extend(ConstRef<VecX> reduced_r) const {
  VecX r = VecX::Zero(static_cast<Eigen::Index>(free_rows_.size() + kept_rows_.size()));
  r(kept_rows_) = reduced_r;
  if (!free_rows_.empty()) r(free_rows_) = -offset_ - gain_ * reduced_r;
  return r;
}

}  // namespace slipstick::internal
