#pragma once

#include <string>
#include <vector>

#include "slipstick/base/sparse.h"

namespace slipstick::internal {

// Frictional contact as solvers of it exchange it (FCLIB, Siconos): numbers alone, without bodies. Rows of a contact
// come together, normal first; what they are follows from their number:
//   2: normal, tangent               3: normal, 2 tangents
//   5: normal, 2 tangents, 2 rolling 6: normal, 2 tangents, spinning, 2 rolling
struct ContactCoefficients {
  int dimension = 3;  // rows a contact
  VecX sliding;       // μ of each contact
  VecX rolling;       // of each contact where dimension ≥ 5, else empty
  VecX spinning;      // of each contact where dimension = 6, else empty

  int contacts() const { return static_cast<int>(sliding.size()); }
  int rows() const { return dimension * contacts(); }
};

// u = W r + V λ + q,  0 = Vᵀ r + R λ + s  with λ the impulses of `s.size()` bilateral rows (none: V, R, s are empty).
struct LocalProblem {
  ContactCoefficients contacts;
  SparseMat W, V, R;
  VecX q, s;
};

// M v = H r + G λ + f,  u = Hᵀ v + w,  0 = Gᵀ v + b  (none: G, b are empty).
struct GlobalProblem {
  ContactCoefficients contacts;
  SparseMat M, H, G;
  VecX f, w, b;
};

// Names as FCLIB keeps them beside the numbers.
struct ProblemInfo {
  std::string title, description, math_info;
};

// What is wrong with the numbers, all of it, in words, one entry a fault: sizes that do not fit, entries that are not
// finite, coefficients that are negative or beyond 1e6, a negative diagonal of W or R. Empty where nothing is.
std::vector<std::string> Check(const LocalProblem& problem);
std::vector<std::string> Check(const GlobalProblem& problem);

// v eliminated: W = Hᵀ M⁻¹ H and so on, by a sparse factorization of M. Throws InputError where M is singular, and
// where it is not symmetric though there are bilateral rows: V could not then stand for both of its places.
LocalProblem Condense(const GlobalProblem& problem);

}  // namespace slipstick::internal
