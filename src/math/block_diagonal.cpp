#include "slipstick/math/block_diagonal.h"

#include <Eigen/Cholesky>
#include <algorithm>

namespace slipstick {

void BlockDiagonal::Reset(const BlockLayout& layout) {
  layout_ = layout;
  start_.clear();
  int total = 0;
  for (int size : layout_.size) {
    start_.push_back(total);
    total += size * size;
  }
  values_.assign(total, 0.0);
  factors_.assign(total, 0.0);
}

bool BlockDiagonal::Factorize() {
  std::copy(values_.begin(), values_.end(), factors_.begin());
  bool positive = true;
  for (int b = 0; b < layout_.count(); ++b) {
    if (layout_.size[b] == 0) continue;
    Eigen::Map<MatX> target(factors_.data() + start_[b], layout_.size[b], layout_.size[b]);
    const VecX diagonal = target.diagonal();
    Eigen::LLT<Ref<MatX>> cholesky(target);
    if (cholesky.info() != Eigen::Success || !target.allFinite()) {
      positive = false;
      continue;
    }
    // a pivot at the rounding of its own entry is as good as zero; rows may have different units
    const double rounding = 1e-14 * layout_.size[b];
    if (!(target.diagonal().array().square() > rounding * diagonal.array()).all()) positive = false;
  }
  return positive;
}

void BlockDiagonal::Multiply(ConstRef<VecX> x, Ref<VecX> out) const {
  for (int b = 0; b < layout_.count(); ++b) {
    const int n = layout_.size[b];
    out.segment(layout_.offset[b], n).noalias() = block(b) * x.segment(layout_.offset[b], n);
  }
}

void BlockDiagonal::SolveInPlace(Ref<VecX> x) const {
  for (int b = 0; b < layout_.count(); ++b) {
    auto part = x.segment(layout_.offset[b], layout_.size[b]);
    factor(b).triangularView<Eigen::Lower>().solveInPlace(part);
    factor(b).transpose().triangularView<Eigen::Upper>().solveInPlace(part);
  }
}

void BlockDiagonal::SolveBlockInPlace(int b, Ref<MatX> x) const {
  factor(b).triangularView<Eigen::Lower>().solveInPlace(x);
  factor(b).transpose().triangularView<Eigen::Upper>().solveInPlace(x);
}

}  // namespace slipstick
