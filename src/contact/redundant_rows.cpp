#include "slipstick/contact/redundant_rows.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "slipstick/model/constraints.h"
#include "slipstick/model/dynamics.h"

namespace slipstick {
namespace {

// Of J M⁻¹ Jᵀ with unit diagonal. Singular values of rows enter squared: rows within 3·10⁻⁵ of dependent count as such.
constexpr double kRank = 1e-9;
constexpr double kNothing = 1e-12;    // of the largest row velocity
constexpr double kTruncation = 1e-4;  // of the same: how much rows on a mechanism's manifold may contradict each other

struct ScaledRows {
  MatX W;      // of the chosen rows, its diagonal 1
  VecX scale;  // by which they were multiplied
};

ScaledRows Choose(const BlockDiagonal& mass, const BlockRows& rows, const std::vector<int>& chosen) {
  MatX all = MatX::Zero(rows.rows(), rows.rows());
  AddDelassus(mass, rows, rows, all);
  ScaledRows scaled{all(chosen, chosen), VecX::Ones(static_cast<Eigen::Index>(chosen.size()))};
  for (Eigen::Index i = 0; i < scaled.scale.size(); ++i) {
    if (scaled.W(i, i) > 0) scaled.scale[i] = 1 / std::sqrt(scaled.W(i, i));
  }
  scaled.W = (scaled.scale.asDiagonal() * scaled.W * scaled.scale.asDiagonal()).eval();
  return scaled;
}

Eigen::ColPivHouseholderQR<MatX> Decompose(const MatX& W) {
  Eigen::ColPivHouseholderQR<MatX> decomposition;
  decomposition.setThreshold(kRank);
  decomposition.compute(W);
  return decomposition;
}

}  // namespace

int CountRedundantRows(const BlockDiagonal& mass, const BlockRows& rows) {
  if (rows.rows() == 0) return 0;
  std::vector<int> chosen(rows.rows());
  for (int i = 0; i < rows.rows(); ++i) chosen[i] = i;
  return rows.rows() - static_cast<int>(Decompose(Choose(mass, rows, chosen).W).rank());
}

ConstraintCount CountConstraints(const Model& model, const State& state, const Kinematics& kinematics) {
  if (model.constraints.empty()) return {};
  ConstraintRows rows;
  EvaluateConstraints(model, kinematics, state, 1, &rows);  // rows do not depend on the step, rates alone do
  DynamicsWorkspace work;
  BlockDiagonal mass;
  ComputeMassMatrix(model, kinematics, &work, &mass);
  const int count = rows.jacobian.rows();
  return {count, mass.Factorize() ? CountRedundantRows(mass, rows.jacobian) : 0};
}

VecX ReachableTarget(const BlockDiagonal& mass, const BlockRows& rows, ConstRef<VecX> free_velocity,
                     const VecX& target) {
  if (target.size() == 0) return target;
  VecX free(target.size());
  rows.Multiply(free_velocity, free);
  const VecX wanted = target - free;
  const double largest = std::max(free.lpNorm<Eigen::Infinity>(), target.lpNorm<Eigen::Infinity>());
  if (!std::isfinite(largest)) return target;
  std::vector<int> chosen;  // rows that are to change at all
  for (Eigen::Index i = 0; i < wanted.size(); ++i) {
    if (std::abs(wanted[i]) > kNothing * largest) chosen.push_back(static_cast<int>(i));
  }
  if (chosen.empty()) return target;
  const ScaledRows scaled = Choose(mass, rows, chosen);
  const auto decomposition = Decompose(scaled.W);
  const Eigen::Index rank = decomposition.rank();
  if (rank == scaled.W.rows()) return target;
  VecX part = scaled.scale.cwiseProduct(wanted(chosen));
  part.applyOnTheLeft(decomposition.householderQ().adjoint());
  part.tail(part.size() - rank).setZero();
  part.applyOnTheLeft(decomposition.householderQ());
  VecX reachable = target;
  reachable(chosen) = free(chosen) + part.cwiseQuotient(scaled.scale);
  return (reachable - target).lpNorm<Eigen::Infinity>() <= kTruncation * largest ? reachable : target;
}

}  // namespace slipstick
