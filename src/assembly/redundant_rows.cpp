#include "slipstick/assembly/redundant_rows.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "slipstick/model/constraints.h"
#include "slipstick/model/dynamics.h"

namespace slipstick::internal {
namespace {

// Of J M⁻¹ Jᵀ with unit diagonal. Singular values of rows enter squared: rows within 3·10⁻⁵ of dependent count as such.
constexpr double kRank = 1e-9;
constexpr double kMostRank = 1e-6;
constexpr double kOffManifold = 100;   // of the square of the distance from the manifold that steps lead to
constexpr double kNothing = 1e-20;     // of the largest of J M⁻¹ Jᵀ: rows that nothing moves
constexpr double kHardlyMoved = 1e-4;  // of the same
constexpr double kTruncation =
    1e-4;  // of the largest row velocity: how much rows on a mechanism's manifold may contradict each other

struct ScaledRows {
  std::vector<int> rows;
  MatX W;      // of these, its diagonal 1 but for rows that are hardly moved
  VecX scale;  // by which they were multiplied
};

// Rows that something moves: others are redundant by themselves.
ScaledRows MovableRows(const BlockDiagonal& mass, const BlockRows& rows) {
  MatX all = MatX::Zero(rows.rows(), rows.rows());
  AddDelassus(mass, rows, rows, all);
  ScaledRows scaled;
  const double largest = all.rows() > 0 ? all.diagonal().maxCoeff() : 0.0;
  for (int i = 0; i < rows.rows(); ++i) {
    if (all(i, i) > kNothing * largest) scaled.rows.push_back(i);
  }
  scaled.W = all(scaled.rows, scaled.rows);
  // a row that is hardly moved in this pose must not outweigh the others
  scaled.scale = scaled.W.diagonal().cwiseMax(kHardlyMoved * largest).cwiseSqrt().cwiseInverse();
  scaled.W = (scaled.scale.asDiagonal() * scaled.W * scaled.scale.asDiagonal()).eval();
  return scaled;
}

Eigen::ColPivHouseholderQR<MatX> Decompose(const MatX& W, double threshold) {
  Eigen::ColPivHouseholderQR<MatX> decomposition;
  decomposition.setThreshold(threshold);
  decomposition.compute(W);
  return decomposition;
}

// The largest Σ |J_ij| |v_j| of a row.
double LargestTerms(const BlockRows& rows, ConstRef<VecX> velocity) {
  double largest = 0;
  for (int g = 0; g < rows.groups(); ++g) {
    for (int k = 0; k < rows.rows(g); ++k) {
      double sum = 0;
      const auto add = [&](int block, const auto& piece) {
        const int first = rows.layout().offset[block];
        for (Eigen::Index c = 0; c < piece.cols(); ++c) sum += std::abs(piece(k, c) * velocity[first + c]);
      };
      if (rows.block_a(g) >= 0) add(rows.block_a(g), rows.piece_a(g));
      if (rows.block_b(g) >= 0) add(rows.block_b(g), rows.piece_b(g));
      largest = std::max(largest, sum);
    }
  }
  return largest;
}

}  // namespace

int CountRedundantRows(const BlockDiagonal& mass, const BlockRows& rows) {
  if (rows.rows() == 0) return 0;
  const ScaledRows movable = MovableRows(mass, rows);
  const Eigen::Index rank = movable.rows.empty() ? 0 : Decompose(movable.W, kRank).rank();
  return rows.rows() - static_cast<int>(rank);
}

ConstraintCount CountConstraints(const Model& model, const MotionState& state, const Kinematics& kinematics) {
  if (model.constraints.empty()) return {};
  ConstraintRows rows;
  EvaluateConstraints(model, kinematics, state, 1, &rows);  // rows do not depend on the step, rates alone do
  DynamicsWorkspace work;
  BlockDiagonal mass;
  ComputeMassMatrix(model, kinematics, &work, &mass);
  const int count = rows.jacobian.rows();
  return {count, mass.Factorize() ? CountRedundantRows(mass, rows.jacobian) : 0};
}

RowTarget ReachableTarget(const BlockDiagonal& mass, const BlockRows& rows, ConstRef<VecX> free_velocity,
                          const VecX& target, double h) {
  if (target.size() == 0) return {target};
  VecX free(target.size());
  rows.Multiply(free_velocity, free);
  const VecX wanted = target - free;
  const double largest = std::max(free.lpNorm<Eigen::Infinity>(), target.lpNorm<Eigen::Infinity>());
  if (!std::isfinite(largest)) return {target};
  const ScaledRows scaled = MovableRows(mass, rows);
  // steps lead off the manifold by (h ω)², and rows that are redundant on it are independent by as much
  const double fastest = free_velocity.lpNorm<Eigen::Infinity>(), turn = h * fastest;
  // rows that nothing moves stay as they are: what drift's rounding asks of them over h no impulse gives
  VecX reachable = free;
  if (!scaled.rows.empty()) {
    const auto decomposition = Decompose(scaled.W, std::clamp(kOffManifold * std::pow(turn, 4), kRank, kMostRank));
    const Eigen::Index rank = decomposition.rank();
    if (rank == target.size()) return {target};
    VecX part = scaled.scale.cwiseProduct(wanted(scaled.rows));
    part.applyOnTheLeft(decomposition.householderQ().adjoint());
    part.tail(part.size() - rank).setZero();
    part.applyOnTheLeft(decomposition.householderQ());
    reachable(scaled.rows) = free(scaled.rows) + part.cwiseQuotient(scaled.scale);
  }
  // rows of what moves cancel on the manifold, so that what truncation may leave is seen by their terms alone
  const double allowed = kTruncation * largest + turn * LargestTerms(rows, free_velocity);
  if ((reachable - target).lpNorm<Eigen::Infinity>() <= allowed) return {reachable};
  return {target, true};
}

}  // namespace slipstick::internal
