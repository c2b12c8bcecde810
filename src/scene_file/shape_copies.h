#pragma once

#include "slipstick/document/document_reader.h"
#include "slipstick/scene/scene.h"

namespace slipstick::internal {

// The shape and its copies as the key `copies` of its map asks for: for each item of that list, all shapes so far are
// repeated `count` times, each time turned about an axis of the body and shifted once more. The first is the shape
// itself.
std::vector<SceneShape> CopiesOf(const SceneShape& shape, const Place& item, DocumentReader* reader);

}  // namespace slipstick::internal
