#include "slipstick/problem/friction_problem.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "slipstick/base/fault.h"
#include "slipstick/problem/problem_faults.h"

namespace slipstick::internal {
namespace {

using Columns = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

// A pivot below this part of the matrix' own numbers is rounding: there is no inverse.
constexpr double kSmallestPivot = 1e-14;

// Up to here a matrix that ought to be symmetric is: others' programs round each triangle in its own way.
constexpr double kLargestAsymmetry = 1e-12;

[[noreturn]] void ThrowSingular(const std::string& found) {
  throw InputError({Fault{.key = "M", .expected = "an invertible matrix", .found = found}});
}

// M⁻¹ on sparse right-hand sides. Both factorizations work on the columns one by one and never reach a block of M in
// which the right-hand side is zero, so that zeros stay exact and the results as sparse as M's blocks allow.
class Inverse {
 public:
  explicit Inverse(const SparseMat& matrix) : matrix_(matrix) {
    const Columns transposed = matrix_.transpose();
    if (matrix_.nonZeros() > 0) asymmetry_ = Columns(matrix_ - transposed).norm() / matrix_.norm();
    if (asymmetry_ == 0 && FactorizeSymmetric()) return;
    FactorizeGeneral();
  }

  // ‖M − Mᵀ‖ / ‖M‖
  double asymmetry() const { return asymmetry_; }

  template <typename RightHandSide>
  RightHandSide Solve(const RightHandSide& right) const {
    if (cholesky_ok_) return cholesky_.solve(right);
    const RightHandSide scaled = row_scale_.asDiagonal() * right;
    const RightHandSide solved = lu_.solve(scaled);
    return column_scale_.asDiagonal() * solved;
  }

 private:
  bool FactorizeSymmetric() {
    cholesky_.compute(matrix_);
    if (cholesky_.info() != Eigen::Success) return false;
    // pivots of the Cholesky factorization compare with the diagonal, whatever the units of the rows
    const VecX pivots = cholesky_.vectorD();
    const VecX diagonal = cholesky_.permutationP() * VecX(matrix_.diagonal());
    for (int i = 0; i < pivots.size(); ++i) {
      if (!(pivots[i] > kSmallestPivot * std::abs(diagonal[i])) || !std::isfinite(pivots[i])) return false;
    }
    cholesky_ok_ = true;
    return true;
  }

  // Rows and columns are scaled to a largest entry of 1: the size of the solution then tells how near to singular M is.
  void FactorizeGeneral() {
    const Eigen::Index size = matrix_.rows();
    row_scale_.setZero(size);
    column_scale_.setZero(size);
    for (int column = 0; column < size; ++column) {
      for (Columns::InnerIterator entry(matrix_, column); entry; ++entry) {
        row_scale_[entry.row()] = std::max(row_scale_[entry.row()], std::abs(entry.value()));
      }
    }
    if ((row_scale_.array() == 0).any()) ThrowSingular("a row of zeros");
    row_scale_ = row_scale_.cwiseInverse();
    for (int column = 0; column < size; ++column) {
      for (Columns::InnerIterator entry(matrix_, column); entry; ++entry) {
        column_scale_[column] = std::max(column_scale_[column], row_scale_[entry.row()] * std::abs(entry.value()));
      }
    }
    if ((column_scale_.array() == 0).any()) ThrowSingular("a column of zeros");
    column_scale_ = column_scale_.cwiseInverse();
    const Columns scaled = row_scale_.asDiagonal() * matrix_ * column_scale_.asDiagonal();
    lu_.compute(scaled);
    if (lu_.info() != Eigen::Success) ThrowSingular("a singular one");
    // a fixed vector without structure has, with certainty enough, a part along the smallest singular vector
    VecX probe(size);
    for (int i = 0; i < size; ++i) probe[i] = std::sin(1.0 + i * 1.7);
    const VecX answer = lu_.solve(probe);
    if (!(answer.norm() * kSmallestPivot < probe.norm())) ThrowSingular("a singular one, to rounding");
  }

  Columns matrix_;
  double asymmetry_ = 0;
  bool cholesky_ok_ = false;
  Eigen::SimplicialLDLT<Columns> cholesky_;
  Eigen::SparseLU<Columns> lu_;
  VecX row_scale_, column_scale_;
};

SparseMat WithoutZeros(SparseMat matrix) {
  matrix.prune([](Eigen::Index, Eigen::Index, double value) { return value != 0; });
  matrix.makeCompressed();
  return matrix;
}

// Nothing can move, and factorizations of empty matrices are not to be had.
LocalProblem WithoutFreedoms(const GlobalProblem& problem) {
  LocalProblem local;
  local.contacts = problem.contacts;
  local.W.resize(problem.w.size(), problem.w.size());
  local.q = problem.w;
  if (problem.b.size() > 0) {
    local.V.resize(problem.w.size(), problem.b.size());
    local.R.resize(problem.b.size(), problem.b.size());
    local.s = problem.b;
  }
  return local;
}

}  // namespace

LocalProblem Condense(const GlobalProblem& problem) {
  RequireFaultless(problem, "");
  if (problem.f.size() == 0) return WithoutFreedoms(problem);
  const Inverse inverse(problem.M);
  const Columns h = problem.H;
  const Columns solved_h = inverse.Solve(h);
  const VecX free_velocity = inverse.Solve(problem.f);
  LocalProblem local;
  local.contacts = problem.contacts;
  local.W = WithoutZeros(h.transpose() * solved_h);
  local.q = h.transpose() * free_velocity + problem.w;
  if (problem.b.size() > 0) {
    if (inverse.asymmetry() > kLargestAsymmetry) {
      throw InputError(
          {Fault{.key = "M", .expected = "a symmetric matrix where there are bilateral rows", .found = "another one"}});
    }
    const Columns g = problem.G;
    const Columns solved_g = inverse.Solve(g);
    local.V = WithoutZeros(h.transpose() * solved_g);
    local.R = WithoutZeros(g.transpose() * solved_g);
    local.s = g.transpose() * free_velocity + problem.b;
  }
  return local;
}

}  // namespace slipstick::internal
