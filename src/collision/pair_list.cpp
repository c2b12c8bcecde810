#include "slipstick/collision/pair_list.h"

#include "slipstick/base/make_room.h"

namespace slipstick::internal {
namespace {

// Most rows have a handful of partners.
void SortRow(std::uint64_t* first, std::uint64_t* last) {
  if (last - first > 32) return std::sort(first, last);
  for (std::uint64_t* next = first; next < last; ++next) {
    const std::uint64_t key = *next;
    std::uint64_t* place = next;
    for (; place > first && *(place - 1) > key; --place) *place = *(place - 1);
    *place = key;
  }
}

}  // namespace

// By counting for the first number, then each row by itself.
void PairList::Sort(int shapes, std::vector<std::pair<int, int>>* pairs) {
  row_.assign(shapes + 1, 0);
  for (std::size_t k = 0; k < count_; ++k) ++row_[(found_[k] >> 32) + 1];
  for (int i = 0; i < shapes; ++i) row_[i + 1] += row_[i];
  if (sorted_.size() < count_) {
    MakeRoom(&sorted_, count_);
    sorted_.resize(count_);
  }
  for (std::size_t k = 0; k < count_; ++k) sorted_[row_[found_[k] >> 32]++] = found_[k];
  MakeRoom(pairs, count_);
  pairs->resize(count_);
  std::size_t kept = 0;
  int begin = 0;
  for (int i = 0; i < shapes; ++i) {
    SortRow(&sorted_[begin], &sorted_[0] + row_[i]);
    std::uint64_t last = ~std::uint64_t{0};
    for (int k = begin; k < row_[i]; ++k) {
      (*pairs)[kept] = {i, static_cast<int>(sorted_[k] & 0xffffffff)};
      kept += sorted_[k] != last ? 1 : 0;
      last = sorted_[k];
    }
    begin = row_[i];
  }
  pairs->resize(kept);
}

}  // namespace slipstick::internal
