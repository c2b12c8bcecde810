#include "slipstick/solver/mlcp/lemke_tableau.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

constexpr double kPivot = 1e-10;  // smallest element to pivot on, relative to the largest of its column
constexpr double kTie = 1e-12;    // ratios closer than this are taken for equal
constexpr double kDrift = 1e-10;  // error of the basic point that calls for a fresh tableau
constexpr int kPivotsPerCheck = 16;

// Columns 0 … m−1 belong to w, m … 2m−1 to x, 2m to x₀, 2m+1 is the right-hand side:  w − M x − cover x₀ = q.
class Tableau {
 public:
  Tableau(const MatX& M, const VecX& q, const VecX& cover) : m_(static_cast<int>(q.size())), original_(m_, 2 * m_ + 2) {
    original_ << MatX::Identity(m_, m_), -M, -cover, q;
    rows_ = original_;
    basis_.resize(m_);
    for (int i = 0; i < m_; ++i) basis_[i] = i;
  }

  int artificial() const { return 2 * m_; }
  int Complement(int variable) const { return variable < m_ ? variable + m_ : variable - m_; }
  int basic(int row) const { return basis_[row]; }
  double value(int row) const { return rows_(row, 2 * m_ + 1); }
  double at(int row, int variable) const { return rows_(row, variable); }

  // The row that x₀ replaces first: where q_i / cover_i is least, in the lexicographic sense.
  int FirstRow() const {
    std::vector<int> candidates(m_);
    for (int i = 0; i < m_; ++i) candidates[i] = i;
    VecX divisor = -rows_.col(artificial());
    return LexicographicLeast(std::move(candidates), divisor, true);
  }

  // The row that stops `entering`, or −1 if none does.
  int LeavingRow(int entering) const {
    const VecX column = rows_.col(entering);
    const double least_pivot = kPivot * std::max(1.0, column.lpNorm<Eigen::Infinity>());
    std::vector<int> candidates;
    for (int i = 0; i < m_; ++i)
      if (column[i] > least_pivot) candidates.push_back(i);
    if (candidates.empty()) return -1;
    return LexicographicLeast(std::move(candidates), column, false);
  }

  void Pivot(int row, int entering) {
    rows_.row(row) /= rows_(row, entering);
    const VecX column = rows_.col(entering);
    const Eigen::RowVectorXd pivot_row = rows_.row(row);
    for (int i = 0; i < m_; ++i)
      if (i != row && column[i] != 0) rows_.row(i) -= column[i] * pivot_row;
    rows_.col(entering).setZero();
    rows_(row, entering) = 1;
    basis_[row] = entering;
  }

  // Replaces the tableau by one computed from the basis where rounding has spoilt it. False if the basis is singular.
  bool Refresh() {
    MatX basis(m_, m_);
    for (int i = 0; i < m_; ++i) basis.col(i) = original_.col(basis_[i]);
    const VecX q = original_.col(2 * m_ + 1);
    const VecX point = rows_.col(2 * m_ + 1);
    const double size = q.lpNorm<Eigen::Infinity>() + (basis.cwiseAbs() * point.cwiseAbs()).lpNorm<Eigen::Infinity>();
    if ((basis * point - q).lpNorm<Eigen::Infinity>() <= kDrift * size) return true;
    const Eigen::PartialPivLU<MatX> lu(basis);
    if (!(lu.rcond() > 1e-15)) return false;
    rows_ = lu.solve(MatX(original_));
    return rows_.allFinite();
  }

  // Values of x, and which are basic.
  void Read(VecX* x, std::vector<bool>* x_is_basic) const {
    x->setZero(m_);
    x_is_basic->assign(m_, false);
    for (int i = 0; i < m_; ++i) {
      if (basis_[i] < m_ || basis_[i] == artificial()) continue;
      (*x)[basis_[i] - m_] = std::max(0.0, value(i));
      (*x_is_basic)[basis_[i] - m_] = true;
    }
  }

  // How x changes with the entering variable, one unit of it.
  VecX Direction(int entering) const {
    VecX direction = VecX::Zero(m_);
    for (int i = 0; i < m_; ++i)
      if (basis_[i] >= m_ && basis_[i] != artificial()) direction[basis_[i] - m_] = std::max(0.0, -rows_(i, entering));
    if (entering >= m_ && entering != artificial()) direction[entering - m_] = 1;
    return direction;
  }

 private:
  // The row whose (value, row of the basis inverse) / divisor is lexicographically least. The basis inverse stands in
  // the columns of w. x₀ wins a tie of values, since the path ends there.
  int LexicographicLeast(std::vector<int> candidates, const VecX& divisor, bool signed_values) const {
    std::vector<double> ratio(m_);
    for (int k = -1; k < m_ && candidates.size() > 1; ++k) {
      double least = std::numeric_limits<double>::infinity();
      for (const int i : candidates) {
        const double entry = k >= 0 ? rows_(i, k) : signed_values ? value(i) : std::max(0.0, value(i));
        ratio[i] = entry / divisor[i];
        least = std::min(least, ratio[i]);
      }
      const double tie = least + kTie * (1 + std::abs(least));
      std::erase_if(candidates, [&](int i) { return ratio[i] > tie; });
      if (k >= 0) continue;
      for (const int i : candidates)
        if (basis_[i] == artificial()) return i;
    }
    return candidates.front();
  }

  int m_;
  RowMatX original_;
  RowMatX rows_;
  std::vector<int> basis_;  // the basic variable of each row
};

}  // namespace

LemkeResult FollowLemkePath(const MatX& M, const VecX& q, const VecX& cover, int max_iterations,
                            const Deadline& deadline) {
  LemkeResult result;
  Tableau tableau(M, q, cover);
  tableau.Read(&result.x, &result.x_is_basic);
  if (q.size() == 0 || q.minCoeff() >= 0) {
    result.end = LemkeEnd::kSolution;
    return result;
  }
  int entering = tableau.artificial();
  int row = tableau.FirstRow();
  result.end = LemkeEnd::kIterationLimit;
  while (result.iterations < max_iterations && !deadline.HasPassed()) {
    const int leaving = tableau.basic(row);
    tableau.Pivot(row, entering);
    ++result.iterations;
    if (leaving == tableau.artificial()) {
      result.end = LemkeEnd::kSolution;
      break;
    }
    if (result.iterations % kPivotsPerCheck == 0 && !tableau.Refresh()) {
      result.end = LemkeEnd::kNumerical;
      break;
    }
    entering = tableau.Complement(leaving);
    row = tableau.LeavingRow(entering);
    if (row < 0) {
      result.end = LemkeEnd::kRay;
      result.ray = tableau.Direction(entering);
      break;
    }
  }
  tableau.Read(&result.x, &result.x_is_basic);
  return result;
}

}  // namespace slipstick::internal
