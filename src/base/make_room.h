#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace slipstick::internal {

// Room for `count` entries and a sixteenth to spare: a list that grows a little from step to step is seldom moved, and
// does not hold twice what it needs, as one that doubles does.
template <typename List>
void MakeRoom(List* list, std::size_t count) {
  if (list->capacity() < count) list->reserve(count + count / 16 + 8);
}

template <typename List>
void Append(List* list, typename List::value_type value) {
  MakeRoom(list, list->size() + 1);
  list->push_back(std::move(value));
}

}  // namespace slipstick::internal
