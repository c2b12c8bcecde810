#pragma once

#include <span>

#include "slipstick/base/sparse.h"

namespace slipstick::internal {

// The symmetric positive semidefinite matrix G Gᵀ, held by its sparse factor G alone. Where G has fewer columns than
// rows, as contacts of few bodies have, or few entries in a row, products with it are cheaper than with the matrix.
class GramMatrix {
 public:
  GramMatrix() = default;
  explicit GramMatrix(SparseMat&& factor);

  int rows() const { return static_cast<int>(factor_.rows()); }
  int cols() const { return rows(); }
  const SparseMat& factor() const { return factor_; }

  VecX operator*(ConstRef<VecX> x) const { return factor_ * (factor_.transpose() * x); }
  VecX diagonal() const;
  // |G| |G|ᵀ |x|: a bound on the size of the terms that cancel in the product.
  VecX AbsoluteProduct(ConstRef<VecX> x) const;
  // Rows and columns of these numbers; and D G Gᵀ D for a diagonal D.
  GramMatrix Selected(std::span<const int> numbers) const;
  GramMatrix Scaled(ConstRef<VecX> diagonal) const;

 private:
  SparseMat factor_;
};

}  // namespace slipstick::internal
