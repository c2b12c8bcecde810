#pragma once

#include "slipstick/math/gram_matrix.h"
#include "slipstick/program/bounded_mlcp.h"

namespace slipstick::internal {

// The box program of BoundedMlcp with A = G Gᵀ: phase I of law max-dissipation in generalized coordinates.
struct FactoredBox {
  GramMatrix A;
  VecX b;
  VecX lower;
  VecX upper;

  int size() const { return static_cast<int>(b.size()); }
};

// As those of BoundedMlcp.
std::string Check(const FactoredBox& problem);
double NaturalResidual(const FactoredBox& problem, ConstRef<VecX> z);
double ResidualScale(const FactoredBox& problem, ConstRef<VecX> z);

}  // namespace slipstick::internal
