#include "slipstick/math/gram_matrix.h"

#include <cmath>
#include <utility>

namespace slipstick::internal {

// Eigen 3.4 has no constructor that moves; swapping does.
GramMatrix::GramMatrix(SparseMat&& factor) {
  factor_.swap(factor);
  factor_.makeCompressed();
}

VecX GramMatrix::diagonal() const {
  VecX out = VecX::Zero(rows());
  for (int i = 0; i < rows(); ++i) {
    for (SparseMat::InnerIterator entry(factor_, i); entry; ++entry) out[i] += entry.value() * entry.value();
  }
  return out;
}

VecX GramMatrix::AbsoluteProduct(ConstRef<VecX> x) const {
  VecX sums = VecX::Zero(factor_.cols()), out = VecX::Zero(rows());
  for (int i = 0; i < rows(); ++i) {
    for (SparseMat::InnerIterator entry(factor_, i); entry; ++entry) {
      sums[entry.col()] += std::abs(entry.value() * x[i]);
    }
  }
  for (int i = 0; i < rows(); ++i) {
    for (SparseMat::InnerIterator entry(factor_, i); entry; ++entry) {
      out[i] += std::abs(entry.value()) * sums[entry.col()];
    }
  }
  return out;
}

GramMatrix GramMatrix::Selected(std::span<const int> numbers) const {
  SparseMat chosen(static_cast<Eigen::Index>(numbers.size()), factor_.cols());
  Eigen::VectorXi sizes(chosen.rows());
  for (Eigen::Index i = 0; i < chosen.rows(); ++i) {
    sizes[i] = static_cast<int>(factor_.innerVector(numbers[static_cast<std::size_t>(i)]).nonZeros());
  }
  chosen.reserve(sizes);
  for (Eigen::Index i = 0; i < chosen.rows(); ++i) {
    for (SparseMat::InnerIterator entry(factor_, numbers[static_cast<std::size_t>(i)]); entry; ++entry) {
      chosen.insert(i, entry.col()) = entry.value();
    }
  }
  return GramMatrix(std::move(chosen));
}

GramMatrix GramMatrix::Scaled(ConstRef<VecX> diagonal) const {
  SparseMat scaled = factor_;
  for (int i = 0; i < rows(); ++i) {
    for (SparseMat::InnerIterator entry(scaled, i); entry; ++entry) entry.valueRef() *= diagonal[i];
  }
  return GramMatrix(std::move(scaled));
}

}  // namespace slipstick::internal
