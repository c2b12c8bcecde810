#pragma once

#include "slipstick/storage/hdf5_file.h"

namespace slipstick::internal {

// How HDF5 is to open a file that may be damaged: access properties with a driver that holds the whole file in memory,
// cannot write, and refuses every read beyond the end. HDF5's own drivers gather small reads ("metadata accumulator"),
// and that code of version 1.10 reads outside of its buffer where a damaged file names an address near the end of the
// range; a driver that does not ask for it never runs it.
Hdf5Handle ReadOnlyAccess();

}  // namespace slipstick::internal
