#include "slipstick/math/block_diagonal.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cstring>

#include "slipstick/base/check.h"

namespace slipstick::internal {
namespace {

// Blocks of free bodies are all of this size; known when compiled, they take a fifth of the time.
constexpr int kFreeBody = 6;

using FreeBodyBlock = Eigen::Matrix<double, kFreeBody, kFreeBody>;

// Factorizes in place. False where not positive definite.
bool FactorizeFreeBody(double* values) {
  Eigen::Map<FreeBodyBlock> target(values);
  const Eigen::Matrix<double, kFreeBody, 1> diagonal = target.diagonal();
  Eigen::LLT<Ref<FreeBodyBlock>> cholesky(target);
  if (cholesky.info() != Eigen::Success || !target.allFinite()) return false;
  // a pivot at the rounding of its own entry is as good as zero; rows may have different units
  const double rounding = 1e-14 * kFreeBody;
  return (target.diagonal().array().square() > rounding * diagonal.array()).all();
}

void SolveFreeBody(const double* factor, double* x, int columns) {
  const Eigen::Map<const FreeBodyBlock> lower(factor);
  for (int c = 0; c < columns; ++c) {
    Eigen::Map<Eigen::Matrix<double, kFreeBody, 1>> column(x + static_cast<std::ptrdiff_t>(c) * kFreeBody);
    lower.triangularView<Eigen::Lower>().solveInPlace(column);
    lower.transpose().triangularView<Eigen::Upper>().solveInPlace(column);
  }
}

}  // namespace

void BlockDiagonal::Reset(const BlockLayout& layout, const std::vector<char>& is_free) {
  if (layout_.size != layout.size || is_free_ != is_free) {
    layout_ = layout;
    is_free_ = is_free;
    state_.assign(layout_.count(), State::kDense);
    start_.assign(layout_.count(), 0);
    rigid_.assign(layout_.count(), NoRigidMass());
    int total = 0;
    for (int b = 0; b < layout_.count(); ++b) {
      if (b < static_cast<int>(is_free_.size()) && is_free_[b]) {
        SLIPSTICK_CHECK(layout_.size[b] == kFreeBody, "a free body has six velocities");
        state_[b] = State::kNotGiven;
        continue;
      }
      start_[b] = total;
      total += layout_.size[b] * layout_.size[b];
    }
    factors_.resize(total);
    values_.resize(total);
    of_trees_.resize(layout_.count());
  }
  if (!values_.empty()) std::memset(values_.data(), 0, values_.size() * sizeof(double));
  std::replace(state_.begin(), state_.end(), State::kFound, State::kDense);
}

BlockDiagonal::Block BlockDiagonal::block(int b) {
  SLIPSTICK_CHECK(HasEntries(b), "the entries of a free body's block are not stored");
  return {values_.data() + start_[b], layout_.size[b], layout_.size[b]};
}

MatX BlockDiagonal::Dense(int b) const {
  if (!HasEntries(b)) return rigid_[b].Dense();
  return Eigen::Map<const MatX>(values_.data() + start_[b], layout_.size[b], layout_.size[b]);
}

void BlockDiagonal::GetDiagonal(int b, double* out) const {
  if (!HasEntries(b)) return rigid_[b].GetDiagonal(out);
  const int n = layout_.size[b];
  for (int i = 0; i < n; ++i) out[i] = values_[start_[b] + i * (n + 1)];
}

void BlockDiagonal::SetFree(int b, double mass, const Vec3& com, const Mat3& inertia) {
  SLIPSTICK_CHECK(!HasEntries(b), "the block is dense");
  const std::optional<RigidMass> rigid = MakeRigidMass(mass, com, inertia);
  state_[b] = rigid.has_value() ? State::kGiven : State::kNotGiven;
  rigid_[b] = rigid ? *rigid : NoRigidMass();
}

bool BlockDiagonal::Factorize() {
  bool positive = true;
  for (int b = 0; b < layout_.count(); ++b) {
    const int size = layout_.size[b];
    if (size == 0) continue;
    if (!HasEntries(b)) {
      if (state_[b] == State::kNotGiven) positive = false;
      continue;
    }
    state_[b] = State::kDense;
    const double* values = values_.data() + start_[b];
    if (size == kFreeBody) {
      if (const std::optional<RigidMass> rigid = ReadRigidMass(Eigen::Map<const Mat6>(values))) {
        state_[b] = State::kFound;
        rigid_[b] = *rigid;
        continue;
      }
    }
    if (size == kFreeBody) {
      double* factors = factors_.data() + start_[b];
      std::copy_n(values, size * size, factors);
      positive &= FactorizeFreeBody(factors);
    } else {
      positive &= of_trees_[b].Factorize(values, size);
    }
  }
  return positive;
}

void BlockDiagonal::MultiplyBlock(int b, const double* x, double* out) const {
  if (!HasEntries(b)) return rigid_[b].Multiply(x, out);
  const int n = layout_.size[b];
  const double* values = values_.data() + start_[b];
  if (n == kFreeBody) {
    Eigen::Map<Vec6>(out).noalias() = Eigen::Map<const Mat6>(values) * Eigen::Map<const Vec6>(x);
  } else {
    Eigen::Map<VecX>(out, n).noalias() = Eigen::Map<const MatX>(values, n, n) * Eigen::Map<const VecX>(x, n);
  }
}

void BlockDiagonal::Multiply(ConstRef<VecX> x, Ref<VecX> out) const {
  for (int b = 0; b < layout_.count(); ++b) {
    MultiplyBlock(b, x.data() + layout_.offset[b], out.data() + layout_.offset[b]);
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
  if (state_[b] != State::kDense) {  // one that is not given has no factor either
    for (int c = 0; c < columns; ++c) rigid_[b].Solve(x + static_cast<std::ptrdiff_t>(c) * kFreeBody);
    return;
  }
  if (layout_.size[b] == kFreeBody) {
    SolveFreeBody(factors_.data() + start_[b], x, columns);
  } else if (layout_.size[b] > 0) {
    of_trees_[b].Solve(x, columns);
  }
}

}  // namespace slipstick::internal
