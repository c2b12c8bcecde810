#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "slipstick/base/make_room.h"

namespace slipstick::internal {

// Pairs of shape numbers as they are found, in any order and some more than once, and then in order and once each.
// Adding is free of branches: of neighbours in a grid about as many meet as do not, and a processor that guesses loses
// more time on its wrong guesses than on a number written in vain.
class PairList {
 public:
  void Clear() { count_ = 0; }

  // Adds the pair (i, j) for each j of a range of numbers for which meets(j) is true and shape(j) names the partner.
  template <typename Meets, typename Shape>
  void AddWhere(int i, int begin, int end, const Meets& meets, const Shape& shape) {
    if (begin >= end) return;
    const std::size_t room = count_ + static_cast<std::size_t>(end - begin);
    if (room > found_.size()) {
      MakeRoom(&found_, room);
      found_.resize(found_.capacity());
    }
    std::uint64_t* next = found_.data() + count_;
    for (int k = begin; k < end; ++k) {
      const int j = shape(k);
      *next = static_cast<std::uint64_t>(std::min(i, j)) << 32 | static_cast<std::uint64_t>(std::max(i, j));
      next += meets(k) ? 1 : 0;
    }
    count_ = next - found_.data();
  }

  // Sorts into *pairs, for shape numbers below `shapes`.
  void Sort(int shapes, std::vector<std::pair<int, int>>* pairs);

 private:
  std::vector<std::uint64_t> found_, sorted_;
  std::size_t count_ = 0;
  std::vector<int> row_;
};

}  // namespace slipstick::internal
