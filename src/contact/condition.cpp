#include "slipstick/contact/condition.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace slipstick {
namespace {

using Columns = Eigen::SparseMatrix<double>;

// Eigenvalues below this share of the largest are zero: rounding leaves 1e-15 of it, and what is smaller than 1e-12
// differs from a dependent row by nothing that poses and masses are known to.
constexpr double kZero = 1e-12;
constexpr int kLanczosSteps = 40;

// The pencil (A, M) with A = Jᵀ F² J, on the velocities of the bodies that some row touches.
struct Pencil {
  std::vector<Eigen::Triplet<double>> stiffness, mass;  // of A and M, both triangles
  int size = 0;
  int rows = 0;
};

class PencilBuilder {
 public:
  explicit PencilBuilder(const ContactProblem& problem) : mass_(problem.mass) {
    offset_.assign(mass_.layout().count(), -1);
  }

  // Some rows of a group, scaled together to a mean diagonal of 1.
  void Add(const BlockRows& jacobian, int group, int first, int rows) {
    pencil_.rows += rows;
    const RowMatX a = jacobian.piece_a(group).middleRows(first, rows);
    const RowMatX b = jacobian.piece_b(group).middleRows(first, rows);
    const int block_a = jacobian.block_a(group), block_b = jacobian.block_b(group);
    const double trace = Trace(block_a, a) + Trace(block_b, b);
    if (!(trace > 0)) return;  // moves nothing: a row of zeros
    const double weight = rows / trace;
    AddProduct(block_a, block_a, weight * a.transpose() * a);
    if (block_b < 0) return;
    AddProduct(block_b, block_b, weight * b.transpose() * b);
    if (block_a < 0) return;
    AddProduct(block_a, block_b, weight * a.transpose() * b);
    AddProduct(block_b, block_a, weight * b.transpose() * a);
  }

  Pencil Take() && { return std::move(pencil_); }

 private:
  double Trace(int block, const RowMatX& piece) const {
    if (block < 0) return 0;
    MatX solved = piece.transpose();
    mass_.SolveBlockInPlace(block, solved);
    return (piece.transpose().array() * solved.array()).sum();
  }

  int OffsetOf(int block) {
    if (offset_[block] < 0) {
      offset_[block] = pencil_.size;
      AddEntries(pencil_.size, pencil_.size, mass_.block(block), &pencil_.mass);
      pencil_.size += mass_.layout().size[block];
    }
    return offset_[block];
  }

  void AddProduct(int block_row, int block_column, const MatX& product) {
    if (block_row < 0) return;
    const int row = OffsetOf(block_row), column = OffsetOf(block_column);
    AddEntries(row, column, product, &pencil_.stiffness);
  }

  static void AddEntries(int row, int column, ConstRef<MatX> values, std::vector<Eigen::Triplet<double>>* entries) {
    for (int j = 0; j < values.cols(); ++j) {
      for (int i = 0; i < values.rows(); ++i) entries->emplace_back(row + i, column + j, values(i, j));
    }
  }

  const BlockDiagonal& mass_;
  std::vector<int> offset_;  // of each block among those that are touched; −1: not touched yet
  Pencil pencil_;
};

Pencil MakePencil(const ContactProblem& problem) {
  PencilBuilder builder(problem);
  for (const BlockRows* jacobian : {&problem.bilateral.jacobian, &problem.bounded.jacobian}) {
    for (int group = 0; group < jacobian->groups(); ++group) {
      // each by itself: one may be a length, the next an angle
      for (int row = 0; row < jacobian->rows(group); ++row) builder.Add(*jacobian, group, row, 1);
    }
  }
  const ContactSet& contacts = problem.contacts;
  for (int i = 0; i < contacts.size(); ++i) {
    const bool has_friction = std::max(contacts.friction_static[i], contacts.friction_kinetic[i]) > 0;
    builder.Add(contacts.jacobian, i, 0, has_friction ? 3 : 1);
  }
  return std::move(builder).Take();
}

void SetFromAll(const Pencil& pencil, ProblemCondition* condition) {
  MatX a = MatX::Zero(pencil.size, pencil.size), m = a;
  for (const auto& entry : pencil.stiffness) a(entry.row(), entry.col()) += entry.value();
  for (const auto& entry : pencil.mass) m(entry.row(), entry.col()) += entry.value();
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatX> eigen(a, m, Eigen::EigenvaluesOnly);
  const VecX& values = eigen.eigenvalues();  // rising
  const double largest = values[values.size() - 1];
  const double *begin = values.data(), *end = begin + values.size();
  const double* first = std::find_if(begin, end, [&](double value) { return value > kZero * largest; });
  condition->rank = static_cast<int>(end - first);
  condition->number = condition->rank > 0 ? largest / *first : std::numeric_limits<double>::infinity();
}

// Lanczos' method with full orthogonalization for an operator that is self-adjoint in the product xᵀ M y. The Ritz
// vectors are the columns of what comes back, that of the largest value last.
MatX RitzVectors(const Columns& mass, VecX start, const std::function<VecX(const VecX&)>& apply) {
  const int most = std::min<int>(kLanczosSteps, static_cast<int>(start.size()));
  MatX basis(start.size(), most), mass_basis(start.size(), most);
  VecX diagonal(most), beside(most);
  int steps = 0;
  double scale = 0;
  while (steps < most) {
    const VecX mass_start = mass * start;
    const double norm = std::sqrt(std::max(0.0, start.dot(mass_start)));
    if (steps > 0) beside[steps - 1] = norm;
    scale = std::max(scale, norm);
    if (!(norm > 1e-14 * scale)) break;  // the basis is invariant: nothing more to find
    basis.col(steps) = start / norm;
    mass_basis.col(steps) = mass_start / norm;
    start = apply(basis.col(steps));
    diagonal[steps] = mass_basis.col(steps).dot(start);
    ++steps;
    for (int pass = 0; pass < 2; ++pass) {
      const VecX shares = mass_basis.leftCols(steps).transpose() * start;
      start -= basis.leftCols(steps) * shares;
    }
  }
  if (steps == 0) return MatX(start.size(), 0);
  Eigen::SelfAdjointEigenSolver<MatX> eigen;
  eigen.computeFromTridiagonal(diagonal.head(steps), beside.head(steps - 1));
  return basis.leftCols(steps) * eigen.eigenvectors();
}

void SetFromEnds(const Pencil& pencil, ProblemCondition* condition) {
  Columns a(pencil.size, pencil.size), m(pencil.size, pencil.size);
  a.setFromTriplets(pencil.stiffness.begin(), pencil.stiffness.end());
  m.setFromTriplets(pencil.mass.begin(), pencil.mass.end());
  const auto value_of = [&](const VecX& x) { return x.dot(a * x) / x.dot(m * x); };
  Eigen::SimplicialLDLT<Columns> inverse_mass(m), shifted;

  // any start that is not an eigenvector will do; the same one always
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same bits for the same step
  VecX start(pencil.size);
  for (double& value : start) value = static_cast<double>(random()) / static_cast<double>(std::mt19937::max()) - 0.5;
  const MatX upper = RitzVectors(m, start, [&](const VecX& x) { return VecX(inverse_mass.solve(a * x)); });
  const double largest = value_of(upper.rightCols<1>()), zero = kZero * largest;

  // λ/(λ + δ)², δ = zero: falls from δ on, and vanishes on motions that no row hinders, however rounding mixes them in
  shifted.analyzePattern(Columns(a + m));
  shifted.factorize(Columns(a + zero * m));
  start = inverse_mass.solve(a * start);
  const MatX lower =
      RitzVectors(m, start, [&](const VecX& x) { return VecX(shifted.solve(a * VecX(shifted.solve(m * x)))); });
  double smallest = largest;
  for (int i = 0; i < lower.cols(); ++i) {
    const double value = value_of(lower.col(i));
    if (value > zero) smallest = std::min(smallest, value);
  }
  // as many eigenvalues are below `zero` as pivots of A − zero·M are negative
  shifted.factorize(Columns(a - zero * m));
  condition->rank = static_cast<int>((shifted.vectorD().array() > 0).count());
  condition->number = largest / smallest;
}

}  // namespace

bool IsWorse(const ProblemCondition& a, const ProblemCondition& b) {
  return a.number != b.number ? a.number > b.number : a.deficit() > b.deficit();
}

ProblemCondition ConditionOf(const ContactProblem& problem, const ConditionSettings& settings) {
  ProblemCondition condition;
  if (problem.mass_is_singular) {
    condition.number = std::numeric_limits<double>::infinity();
    return condition;
  }
  const Pencil pencil = MakePencil(problem);
  condition.rows = pencil.rows;
  if (pencil.size == 0) return condition;
  if (pencil.size <= settings.largest_dense) {
    SetFromAll(pencil, &condition);
  } else {
    SetFromEnds(pencil, &condition);
  }
  return condition;
}

}  // namespace slipstick
