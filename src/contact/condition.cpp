#include "slipstick/contact/condition.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace slipstick::internal {
namespace {

using Columns = Eigen::SparseMatrix<double>;

// Eigenvalues below this share of the largest are zero: rounding leaves 1e-15 of it, and what is smaller than 1e-12
// differs from a dependent row by nothing that poses and masses are known to.
constexpr double kZero = 1e-12;
constexpr int kLanczosSteps = 40;
// Of the smallest eigenvalue where not all are computed.
constexpr double kPrecision = 0.02;

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

  // Some rows of a group, scaled together to a mean diagonal of 1; `compliance` is added to the first one's diagonal.
  void Add(const BlockRows& jacobian, int group, int first, int rows, double compliance = 0) {
    pencil_.rows += rows;
    const RowMatX a = jacobian.piece_a(group).middleRows(first, rows);
    const RowMatX b = jacobian.piece_b(group).middleRows(first, rows);
    const int block_a = jacobian.block_a(group), block_b = jacobian.block_b(group);
    const double trace = Trace(block_a, a) + Trace(block_b, b) + compliance;
    if (!(trace > 0)) return;  // moves nothing: a row of zeros
    const double weight = rows / trace;
    AddProducts(block_a, a, block_b, b, weight);
    if (compliance == 0) return;
    // as a velocity of its own, of mass 1, that this row alone touches
    const int own = pencil_.size++;
    pencil_.mass.emplace_back(own, own, 1.0);
    pencil_.stiffness.emplace_back(own, own, weight * compliance);
    AddBeside(block_a, own, weight * std::sqrt(compliance) * a.row(0).transpose());
    AddBeside(block_b, own, weight * std::sqrt(compliance) * b.row(0).transpose());
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
      AddEntries(pencil_.size, pencil_.size, mass_.Dense(block), &pencil_.mass);
      pencil_.size += mass_.layout().size[block];
    }
    return offset_[block];
  }

  void AddProducts(int block_a, const RowMatX& a, int block_b, const RowMatX& b, double weight) {
    AddProduct(block_a, block_a, weight * a.transpose() * a);
    if (block_b < 0) return;
    AddProduct(block_b, block_b, weight * b.transpose() * b);
    if (block_a < 0) return;
    AddProduct(block_a, block_b, weight * a.transpose() * b);
    AddProduct(block_b, block_a, weight * b.transpose() * a);
  }

  void AddBeside(int block, int column, const VecX& values) {
    if (block < 0) return;
    const int row = OffsetOf(block);
    AddEntries(row, column, values, &pencil_.stiffness);
    AddEntries(column, row, values.transpose(), &pencil_.stiffness);
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
    const bool has_friction = std::max(contacts.surface(i).friction_static, contacts.surface(i).friction_kinetic) > 0;
    builder.Add(contacts.jacobian, i, 0, has_friction ? 3 : 1, contacts.surface(i).normal_compliance);
    const int angular = contacts.angular_group[i];
    if (angular < 0) continue;
    if (contacts.surface(i).spinning > 0) builder.Add(contacts.angular, angular, 0, 1);
    if (contacts.surface(i).rolling > 0) builder.Add(contacts.angular, angular, 1, 2);
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

// The largest λ of A x = λ M x by Lanczos' method in the product xᵀ M y, with full orthogonalization: from below, to
// some digits. Any start that is no eigenvector will do; it is the same one always.
double LargestEigenvalue(const Columns& a, const Columns& m) {
  const Eigen::SimplicialLDLT<Columns> inverse_mass(m);
  const int n = static_cast<int>(a.rows()), most = std::min(kLanczosSteps, n);
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same bits for the same step
  VecX next(n);
  for (double& value : next) value = static_cast<double>(random()) / static_cast<double>(std::mt19937::max()) - 0.5;
  MatX basis(n, most), mass_basis(n, most);
  VecX diagonal(most), beside(most);
  int steps = 0;
  for (double first_norm = 0; steps < most; ++steps) {
    const VecX mass_next = m * next;
    const double norm = std::sqrt(std::max(0.0, next.dot(mass_next)));
    if (steps == 0) first_norm = norm;
    if (!(norm > 1e-10 * first_norm)) break;  // the basis is invariant: nothing more to find
    if (steps > 0) beside[steps - 1] = norm;
    basis.col(steps) = next / norm;
    mass_basis.col(steps) = mass_next / norm;
    next = inverse_mass.solve(a * basis.col(steps));
    diagonal[steps] = mass_basis.col(steps).dot(next);
    for (int pass = 0; pass < 2; ++pass) {
      const VecX shares = mass_basis.leftCols(steps + 1).transpose() * next;
      next -= basis.leftCols(steps + 1) * shares;
    }
  }
  Eigen::SelfAdjointEigenSolver<MatX> eigen;
  eigen.computeFromTridiagonal(diagonal.head(steps), beside.head(std::max(steps - 1, 0)), Eigen::EigenvaluesOnly);
  return eigen.eigenvalues()[steps - 1];
}

// How many λ of A x = λ M x are above a shift: Sylvester's law of inertia, A − shift·M = L D Lᵀ.
class EigenvalueCount {
 public:
  EigenvalueCount(const Columns& a, const Columns& m) : a_(a), m_(m) { factors_.analyzePattern(Columns(a_ + m_)); }

  int Above(double shift) {
    factors_.factorize(Columns(a_ - shift * m_));
    // a pivot that is exactly zero is none with another shift
    for (int i = 0; i < 3 && factors_.info() != Eigen::Success; ++i) {
      shift *= 1.0001;
      factors_.factorize(Columns(a_ - shift * m_));
    }
    return static_cast<int>((factors_.vectorD().array() > 0).count());
  }

 private:
  Columns a_, m_;
  Eigen::SimplicialLDLT<Columns> factors_;
};

void SetFromEnds(const Pencil& pencil, ProblemCondition* condition) {
  Columns a(pencil.size, pencil.size), m(pencil.size, pencil.size);
  a.setFromTriplets(pencil.stiffness.begin(), pencil.stiffness.end());
  m.setFromTriplets(pencil.mass.begin(), pencil.mass.end());
  const double largest = LargestEigenvalue(a, m);
  EigenvalueCount count(a, m);
  condition->rank = count.Above(kZero * largest);
  // the smallest is between the two, by bisection of the exponents
  double below = kZero * largest, above = largest;
  while (above > (1 + kPrecision) * below) {
    const double middle = std::sqrt(below * above);
    (count.Above(middle) == condition->rank ? below : above) = middle;
  }
  condition->number = largest / std::sqrt(below * above);
}

// Numbers that are equal but for rounding are equal.
double Rounded(double number) { return std::round(1e6 * std::log(number)); }

}  // namespace

bool IsWorse(const ProblemCondition& a, const ProblemCondition& b) {
  const double number_a = Rounded(a.number), number_b = Rounded(b.number);
  return number_a != number_b ? number_a > number_b : a.deficit() > b.deficit();
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

}  // namespace slipstick::internal
