#include "slipstick/math/block_diagonal.h"

#include <Eigen/Cholesky>
#include <algorithm>

#include "slipstick/base/check.h"

namespace slipstick {
namespace {

// Blocks of free bodies are all of this size; known when compiled, they take a fifth of the time.
constexpr int kFreeBody = 6;

// Factorizes in place. False where not positive definite.
template <int kSize>
bool FactorizeBlock(double* values, int size) {
  using Block = Eigen::Matrix<double, kSize, kSize>;
  Eigen::Map<Block> target(values, size, size);
  const Eigen::Matrix<double, kSize, 1> diagonal = target.diagonal();
  Eigen::LLT<Ref<Block>> cholesky(target);
  if (cholesky.info() != Eigen::Success || !target.allFinite()) return false;
  // a pivot at the rounding of its own entry is as good as zero; rows may have different units
  const double rounding = 1e-14 * size;
  return (target.diagonal().array().square() > rounding * diagonal.array()).all();
}

template <int kSize>
void SolveBlock(const double* factor, int size, double* x, int columns) {
  const Eigen::Map<const Eigen::Matrix<double, kSize, kSize>> lower(factor, size, size);
  for (int c = 0; c < columns; ++c) {
    Eigen::Map<Eigen::Matrix<double, kSize, 1>> column(x + static_cast<std::ptrdiff_t>(c) * size, size);
    lower.template triangularView<Eigen::Lower>().solveInPlace(column);
    lower.transpose().template triangularView<Eigen::Upper>().solveInPlace(column);
  }
}

}  // namespace

void BlockDiagonal::Reset(const BlockLayout& layout) {
  layout_ = layout;
  start_.clear();
  int total = 0;
  for (int size : layout_.size) {
    start_.push_back(total);
    total += size * size;
  }
  values_.assign(total, 0.0);
  factors_.resize(total);
  is_rigid_.assign(layout_.count(), 0);
  rigid_.resize(layout_.count());
}

bool BlockDiagonal::Factorize() {
  bool positive = true;
  for (int b = 0; b < layout_.count(); ++b) {
    const int size = layout_.size[b];
    if (size == 0) continue;
    is_rigid_[b] = 0;
    const double* values = values_.data() + start_[b];
    if (size == kFreeBody) {
      if (const std::optional<RigidMass> rigid = ReadRigidMass(Eigen::Map<const Mat6>(values))) {
        is_rigid_[b] = 1;
        rigid_[b] = *rigid;
        continue;
      }
    }
    double* factors = factors_.data() + start_[b];
    std::copy_n(values, size * size, factors);
    if (!(size == kFreeBody ? FactorizeBlock<kFreeBody>(factors, size)
                            : FactorizeBlock<Eigen::Dynamic>(factors, size))) {
      positive = false;
    }
  }
  return positive;
}

void BlockDiagonal::Multiply(ConstRef<VecX> x, Ref<VecX> out) const {
  for (int b = 0; b < layout_.count(); ++b) {
    const int n = layout_.size[b], first = layout_.offset[b];
    if (n == kFreeBody) {
      const Eigen::Map<const Mat6> fixed(values_.data() + start_[b]);
      out.segment<kFreeBody>(first).noalias() = fixed * x.segment<kFreeBody>(first);
    } else {
      out.segment(first, n).noalias() = block(b) * x.segment(first, n);
    }
  }
}

void BlockDiagonal::SolveInPlace(Ref<VecX> x) const {
  for (int b = 0; b < layout_.count(); ++b) SolveColumns(b, x.data() + layout_.offset[b], 1);
}

void BlockDiagonal::SolveBlockInPlace(int b, Ref<MatX> x) const {
  SLIPSTICK_CHECK(x.outerStride() == x.rows() || x.cols() <= 1, "columns of a block follow each other");
  SolveColumns(b, x.data(), static_cast<int>(x.cols()));
}

void BlockDiagonal::SolveColumns(int b, double* x, int columns) const {
  if (is_rigid_[b]) {
    for (int c = 0; c < columns; ++c) rigid_[b].Solve(x + static_cast<std::ptrdiff_t>(c) * kFreeBody);
    return;
  }
  const double* factor = factors_.data() + start_[b];
  if (layout_.size[b] == kFreeBody) {
    SolveBlock<kFreeBody>(factor, kFreeBody, x, columns);
  } else {
    SolveBlock<Eigen::Dynamic>(factor, layout_.size[b], x, columns);
  }
}

}  // namespace slipstick
