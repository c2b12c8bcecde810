#pragma once

#include <vector>

#include "slipstick/math/block_sparse_lu.h"
#include "slipstick/math/friction_cone.h"
#include "slipstick/solver/velocity/velocity_form.h"

namespace slipstick::internal {

// M + Jᵀ D J of a program with velocities kept, D with one matrix for each of its blocks, factorized sparse. The order
// of elimination and the places of all products are found once. The form must outlive it.
class VelocityMatrix {
 public:
  explicit VelocityMatrix(const VelocityForm& form);

  // D, symmetric or not. False where a pivot vanishes or a number is not finite.
  bool Factorize(const std::vector<ContactMatrix>& stiffness);
  // x := (M + Jᵀ D J)⁻¹ x
  void SolveInPlace(Ref<VecX> x) const { lu_.SolveInPlace(x); }

 private:
  // Where the products of a group's two pieces go; negative: there are none.
  struct Places {
    int aa, ab, ba, bb;
  };
  template <int kRows, int kColumns>
  void AddRows(const VelocityForm::Group& group, const Places& places, const std::vector<ContactMatrix>& stiffness);

  const VelocityForm& form_;
  BlockSparseLu lu_;
  std::vector<Places> places_;  // of the form's groups
};

}  // namespace slipstick::internal
