#pragma once

#include "slipstick/document/document_reader.h"

namespace slipstick::internal {

// Writes out the key `repeat` of a scene: the lists of each of its items follow those of the document, as often as it
// says, with $i replaced by the number of the repetition and $(…) by the value of the formula in i. The key is gone
// afterwards.
void WriteOutRepetitions(DocumentNode* document, DocumentReader* reader);

}  // namespace slipstick::internal
