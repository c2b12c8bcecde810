#pragma once

#include "slipstick/base/eigen.h"
#include "slipstick/base/random_source.h"

namespace slipstick::internal {

// Entries between −1 and 1.
inline MatX RandomMatrix(RandomSource* random, int rows, int columns) {
  MatX matrix(rows, columns);
  for (double& value : matrix.reshaped()) value = random->Uniform(-1, 1);
  return matrix;
}

}  // namespace slipstick::internal
