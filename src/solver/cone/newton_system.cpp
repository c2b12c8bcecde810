#include "slipstick/solver/cone/newton_system.h"

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

using Columns = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

constexpr int kMaxHalvings = 12;
// Below this many rows, or where more than this share of the matrix is filled, dense elimination is quicker.
constexpr int kSmall = 300;
constexpr double kDense = 0.3;

}  // namespace

NewtonSystem::NewtonSystem(const ScaledCone& program)
    : program_(program), equations_(program.blocks.size()), u_(program.size()), step_(program.size()) {}

double NewtonSystem::Evaluate(const Target& target, const VecX& x) {
  program_.W.Multiply(x, u_);
  u_ += program_.q;
  if (target.shift > 0) {
    u_ += target.shift * x;
    if (target.centre != nullptr) u_ -= target.shift * *target.centre;
  }
  double squared = 0;
  for (std::size_t k = 0; k < program_.blocks.size(); ++k) {
    const ConeBlock& block = program_.blocks[k];
    EvaluateBlock(block, program_.non_associated, target.formulation, x.data() + block.offset, u_.data() + block.offset,
                  &equations_[k]);
    squared += equations_[k].phi.squaredNorm();
  }
  return std::sqrt(squared);
}

bool NewtonSystem::FindStep(double shift) {
  const PanelMatrix& W = program_.W;
  const int count = static_cast<int>(program_.blocks.size());
  std::vector<int> place(count, -1);
  int size = 0;
  for (int k = 0; k < count; ++k) {
    const ConeBlock& block = program_.blocks[k];
    if (equations_[k].open) {
      step_.segment(block.offset, block.rows()) = -equations_[k].phi;
    } else {
      step_.segment(block.offset, block.rows()).setZero();
      place[k] = size;
      size += block.rows();
    }
  }
  // what the open blocks' steps do to the others is known
  VecX right(size);
  double filled = 0;
  ContactVector moved;
  for (int k = 0; k < count; ++k) {
    if (place[k] < 0) continue;
    const int rows = program_.blocks[k].rows();
    moved.resize(rows);
    W.MultiplyRow(k, step_.data(), moved.data());
    right.segment(place[k], rows) = -equations_[k].phi - equations_[k].by_u * moved;
    for (const int* j = W.neighbours_begin(k); j != W.neighbours_end(k); ++j) {
      if (place[*j] >= 0) filled += rows * program_.blocks[*j].rows();
    }
  }
  const auto visit = [&](auto&& take) {
    ContactMatrix piece;
    for (int k = 0; k < count; ++k) {
      if (place[k] < 0) continue;
      const BlockEquation& equation = equations_[k];
      const PanelMatrix::Panel panel = W.panel(k);
      int column = 0;
      for (const int* j = W.neighbours_begin(k); j != W.neighbours_end(k); ++j) {
        const int width = program_.blocks[*j].rows();
        if (place[*j] >= 0) {
          piece.noalias() = equation.by_u * panel.middleCols(column, width);
          if (*j == k) piece += equation.by_x + shift * equation.by_u;
          take(place[k], place[*j], piece);
        }
        column += width;
      }
    }
  };
  VecX solved;
  if (size <= kSmall || filled > kDense * size * size) {
    MatX jacobian = MatX::Zero(size, size);
    visit([&](int row, int column, const ContactMatrix& piece) {
      jacobian.block(row, column, piece.rows(), piece.cols()) = piece;
    });
    const Eigen::PartialPivLU<MatX> factors(jacobian);
    solved = factors.solve(right);
  } else {
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(static_cast<std::size_t>(filled));
    visit([&](int row, int column, const ContactMatrix& piece) {
      for (int i = 0; i < piece.rows(); ++i) {
        for (int j = 0; j < piece.cols(); ++j) {
          if (piece(i, j) != 0) entries.emplace_back(row + i, column + j, piece(i, j));
        }
      }
    });
    Columns jacobian(size, size);
    jacobian.setFromTriplets(entries.begin(), entries.end());
    Eigen::SparseLU<Columns, Eigen::COLAMDOrdering<int>> factors;
    factors.compute(jacobian);
    if (factors.info() != Eigen::Success) return false;
    solved = factors.solve(right);
  }
  if (!solved.allFinite()) return false;
  for (int k = 0; k < count; ++k) {
    if (place[k] < 0) continue;
    const ConeBlock& block = program_.blocks[k];
    step_.segment(block.offset, block.rows()) = solved.segment(place[k], block.rows());
  }
  return true;
}

NewtonSystem::Outcome NewtonSystem::Solve(const Target& target, int max_steps, double goal, const ConeRun& run,
                                          VecX* x) {
  Outcome outcome;
  double merit = Evaluate(target, *x);
  const auto largest = [&] {
    double worst = 0;
    for (const BlockEquation& equation : equations_) worst = std::max(worst, equation.phi.cwiseAbs().maxCoeff());
    return worst;
  };
  outcome.merit = largest();
  while (outcome.steps < max_steps && std::isfinite(merit) && outcome.merit > goal && !run.TimeIsUp()) {
    outcome.singular = !FindStep(target.shift);
    if (outcome.singular) break;
    ++outcome.steps;
    double length = 1;
    bool fell = false;
    double trial_merit = merit;
    for (int halving = 0; halving < kMaxHalvings && !fell; ++halving, length *= 0.5) {
      trial_ = *x + length * step_;
      trial_merit = Evaluate(target, trial_);
      fell = trial_merit < (1 - 1e-4 * length) * merit;
    }
    if (!fell) break;
    *x = trial_;
    outcome.advanced = true;
    merit = trial_merit;
    outcome.merit = largest();
  }
  outcome.reached = outcome.merit <= goal;
  return outcome;
}

}  // namespace slipstick::internal
