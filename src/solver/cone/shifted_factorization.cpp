#include "slipstick/solver/cone/shifted_factorization.h"

namespace slipstick::internal {
namespace {

constexpr int kSmall = 200;
constexpr double kDense = 0.3;
// others' matrices are symmetric to so many digits, or plainly not
constexpr double kSymmetric = 1e-12;

}  // namespace

ShiftedFactorization::ShiftedFactorization(const PanelMatrix& matrix, bool symmetric_blocks)
    : layout_(matrix.layout()) {
  const int n = matrix.rows();
  const BlockLayout& layout = layout_;
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(static_cast<std::size_t>(matrix.entries()) + n);
  for (int k = 0; k < layout.count(); ++k) {
    const PanelMatrix::Panel panel = matrix.panel(k);
    int column = 0;
    for (const int* j = matrix.neighbours_begin(k); j != matrix.neighbours_end(k); ++j) {
      for (int c = 0; c < layout.size[*j]; ++c, ++column) {
        for (int row = 0; row < layout.size[k]; ++row) {
          if (panel(row, column) != 0) {
            entries.emplace_back(layout.offset[k] + row, layout.offset[*j] + c, panel(row, column));
          }
        }
      }
    }
  }
  for (int k = 0; k < layout.count(); ++k) {
    own_blocks_.emplace_back(matrix.DiagonalBlock(k));
    for (int i = 0; i < layout.size[k]; ++i) {
      for (int j = 0; j < layout.size[k]; ++j) entries.emplace_back(layout.offset[k] + i, layout.offset[k] + j, 0.0);
    }
  }
  sparse_.resize(n, n);
  sparse_.setFromTriplets(entries.begin(), entries.end());
  const Columns transposed = sparse_.transpose();
  symmetric_ = symmetric_blocks && Columns(sparse_ - transposed).norm() <= kSymmetric * sparse_.norm();
  dense_ = n <= kSmall || static_cast<double>(sparse_.nonZeros()) > kDense * n * static_cast<double>(n);
  if (dense_) {
    full_ = MatX(sparse_);
    return;
  }
  if (symmetric_) {
    sparse_ = 0.5 * (sparse_ + transposed);
    sparse_.makeCompressed();
    cholesky_.analyzePattern(sparse_);
  } else {
    sparse_.makeCompressed();
    lu_ = std::make_unique<Eigen::SparseLU<Columns>>();
    lu_->analyzePattern(sparse_);
  }
  for (int k = 0; k < layout.count(); ++k) {
    for (int j = 0; j < layout.size[k]; ++j) {
      for (int i = 0; i < layout.size[k]; ++i) {
        block_entries_.push_back(&sparse_.coeffRef(layout.offset[k] + i, layout.offset[k] + j));
      }
    }
  }
}

template <typename AddedTo>
bool ShiftedFactorization::FactorizeWith(AddedTo added_to) {
  std::size_t entry = 0;
  for (int k = 0; k < layout_.count(); ++k) {
    ContactMatrix block = own_blocks_[k];
    if (symmetric_) block = 0.5 * (block + block.transpose()).eval();
    added_to(k, &block);
    if (dense_) {
      full_.block(layout_.offset[k], layout_.offset[k], block.rows(), block.cols()) = block;
    } else {
      for (int i = 0; i < block.size(); ++i) *block_entries_[entry++] = block.data()[i];
    }
  }
  if (dense_) {
    if (symmetric_) {
      full_cholesky_.compute(full_);
      return full_cholesky_.info() == Eigen::Success;
    }
    full_lu_.compute(full_);
    return true;
  }
  if (symmetric_) {
    cholesky_.factorize(sparse_);
    return cholesky_.info() == Eigen::Success;
  }
  lu_->factorize(sparse_);
  return lu_->info() == Eigen::Success;
}

bool ShiftedFactorization::Factorize(double diagonal) {
  return FactorizeWith([&](int, ContactMatrix* block) { block->diagonal().array() += diagonal; });
}

bool ShiftedFactorization::Factorize(const std::vector<ContactMatrix>& blocks) {
  return FactorizeWith([&](int k, ContactMatrix* block) { *block += blocks[k]; });
}

VecX ShiftedFactorization::Solve(const VecX& right) const {
  if (dense_) return symmetric_ ? VecX(full_cholesky_.solve(right)) : VecX(full_lu_.solve(right));
  if (symmetric_) return cholesky_.solve(right);
  return lu_->solve(right);
}

}  // namespace slipstick::internal
