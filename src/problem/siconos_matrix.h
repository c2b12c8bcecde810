#pragma once

#include <string>

#include "slipstick/base/sparse.h"
#include "slipstick/problem/number_text.h"

namespace slipstick::internal {

// A matrix as Siconos prints it: `storage rows columns`, then for
//   0  (dense)   `rows columns` again and the values by columns;
//   1  (blocks)  how many blocks, block rows, block columns; where each block row ends, each block column; the lengths
//                of the two lists that follow: where each block row starts among the blocks, each block's block column;
//                then each block's number and its values by columns;
//   2  (sparse)  1 or 2, and what CSparse prints: triplets "row column : value" or, column by column, "row : value".
// Values that are zero are left out of the result; triplets of the same place add up. Rows and columns must be as many
// as the caller allows: −1 for any number.
SparseMat ReadSiconosMatrix(const std::string& key, int rows, int columns, NumberText* text);

}  // namespace slipstick::internal
