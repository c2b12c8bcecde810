#pragma once

#include <Eigen/SparseCore>

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// Compressed rows: solvers sweep over the rows of a contact.
using SparseMat = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

}  // namespace slipstick::internal
