#include "slipstick/solver/velocity/velocity_matrix.h"

#include <algorithm>

namespace slipstick::internal {

VelocityMatrix::VelocityMatrix(const VelocityForm& form) : form_(form) {
  BlockSparseLu::Pairs pairs;
  for (const VelocityForm::Group& group : form.groups()) {
    if (group.a >= 0 && group.b >= 0) pairs.emplace_back(group.a, group.b);
  }
  lu_.Reset(form.layout(), pairs);
  const auto find = [&](int i, int j) { return i >= 0 && j >= 0 ? lu_.Find(i, j) : -1; };
  places_.reserve(form.groups().size());
  for (const VelocityForm::Group& group : form.groups()) {
    places_.push_back({find(group.a, group.a), find(group.a, group.b), find(group.b, group.a), find(group.b, group.b)});
  }
}

bool VelocityMatrix::Factorize(const std::vector<ContactMatrix>& stiffness) {
  std::fill_n(lu_.values(), lu_.value_count(), 0.0);
  for (int i = 0; i < form_.layout().count(); ++i) lu_.diagonal(i) = form_.masses()[i];
  for (std::size_t g = 0; g < places_.size(); ++g) {
    const VelocityForm::Group& group = form_.groups()[g];
    group.of_free_bodies ? AddRows<3, 6>(group, places_[g], stiffness)
                         : AddRows<Eigen::Dynamic, Eigen::Dynamic>(group, places_[g], stiffness);
  }
  return lu_.Factorize();
}

// Contacts of free bodies have sizes that are known.
template <int kRows, int kColumns>
void VelocityMatrix::AddRows(const VelocityForm::Group& group, const Places& places,
                             const std::vector<ContactMatrix>& stiffness) {
  using Rows = Eigen::Matrix<double, kRows, kColumns, Eigen::RowMajor>;
  Eigen::Matrix<double, kRows, kRows> own;
  own.setZero(group.rows, group.rows);
  if (kRows != Eigen::Dynamic && group.block_count == 1) {
    for (int i = 0; i < kRows; ++i) {
      for (int j = 0; j < kRows; ++j) own(i, j) = stiffness[group.first_block](i, j);
    }
  } else {
    for (int k = group.first_block; k < group.first_block + group.block_count; ++k) {
      const int at = form_.blocks()[k].offset - group.first_row;
      own.block(at, at, stiffness[k].rows(), stiffness[k].cols()) = stiffness[k];
    }
  }
  if (own.isZero(0)) return;
  Rows a, b;
  if (group.a >= 0) a = form_.PieceA(group);
  if (group.b >= 0) b = form_.PieceB(group);
  const auto add = [&](const Rows& left, const Rows& right, int start) {
    if (start < 0) return;
    const Eigen::Matrix<double, kColumns, kRows> product = left.transpose() * own;
    Eigen::Map<Eigen::Matrix<double, kColumns, kColumns>>(lu_.values() + start, left.cols(), right.cols()).noalias() +=
        product * right;
  };
  add(a, a, places.aa);
  add(a, b, places.ab);
  add(b, a, places.ba);
  add(b, b, places.bb);
}

}  // namespace slipstick::internal
