#include "slipstick/collision/broad_phase.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "slipstick/base/check.h"

namespace slipstick {
namespace {

constexpr int kBitsPerAxis = 21;  // three of them fill 63 bits

bool IsBounded(const Aabb& box) { return box.least.allFinite() && box.most.allFinite(); }

// Moves bit i of the low 21 bits to bit 3i.
std::uint64_t SpreadBits(std::uint64_t x) {
  x &= 0x1fffff;
  x = (x | x << 32) & 0x001f00000000ffff;
  x = (x | x << 16) & 0x001f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  x = (x | x << 2) & 0x1249249249249249;
  return x;
}

// Place of p along the Morton curve through the box from `least` on.
std::uint64_t MortonCode(const Vec3& p, const Vec3& least, double scale) {
  std::uint64_t code = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double cell = std::clamp(scale * (p(axis) - least(axis)), 0.0, std::ldexp(1.0, kBitsPerAxis) - 1.0);
    code |= SpreadBits(static_cast<std::uint64_t>(cell)) << axis;
  }
  return code;
}

Aabb EmptyBox() {
  const double infinity = std::numeric_limits<double>::infinity();
  return {Vec3::Constant(infinity), Vec3::Constant(-infinity)};
}

Aabb Union(const Aabb& a, const Aabb& b) { return {a.least.cwiseMin(b.least), a.most.cwiseMax(b.most)}; }

}  // namespace

BroadPhase::BroadPhase(std::vector<int> groups, std::vector<IndexPair> excluded)
    : groups_(std::move(groups)), excluded_(std::move(excluded)) {
  for (IndexPair& pair : excluded_) {
    if (pair.first > pair.second) std::swap(pair.first, pair.second);
  }
  std::sort(excluded_.begin(), excluded_.end());
}

bool BroadPhase::Excluded(int i, int j) const {
  if (!groups_.empty() && (groups_[i] < 0 || groups_[j] < 0 || groups_[i] == groups_[j])) return true;
  return !excluded_.empty() && std::binary_search(excluded_.begin(), excluded_.end(), IndexPair(i, j));
}

void BroadPhase::BuildTree(std::span<const Aabb> boxes) {
  leaves_.clear();
  unbounded_.clear();
  Aabb all = EmptyBox();
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    if (!groups_.empty() && groups_[i] < 0) continue;
    if (!IsBounded(boxes[i])) {
      unbounded_.push_back(i);
      continue;
    }
    leaves_.push_back({0, i});
    const Vec3 center = 0.5 * (boxes[i].least + boxes[i].most);
    all = Union(all, {center, center});
  }
  const double extent = leaves_.empty() ? 0 : (all.most - all.least).maxCoeff();
  const double scale = extent > 0 ? std::ldexp(1.0, kBitsPerAxis) / extent : 0;
  for (Leaf& leaf : leaves_) {
    leaf.code = MortonCode(0.5 * (boxes[leaf.box].least + boxes[leaf.box].most), all.least, scale);
  }
  std::sort(leaves_.begin(), leaves_.end(),
            [](const Leaf& p, const Leaf& q) { return p.code != q.code ? p.code < q.code : p.box < q.box; });

  const int places = static_cast<int>(std::bit_ceil(std::max<std::size_t>(leaves_.size(), 1)));
  first_leaf_ = places - 1;
  nodes_.assign(first_leaf_ + places, EmptyBox());
  highest_.assign(first_leaf_ + places, -1);
  for (int i = 0; i < static_cast<int>(leaves_.size()); ++i) {
    nodes_[first_leaf_ + i] = boxes[leaves_[i].box];
    highest_[first_leaf_ + i] = leaves_[i].box;
  }
  for (int node = first_leaf_ - 1; node >= 0; --node) {
    nodes_[node] = Union(nodes_[2 * node + 1], nodes_[2 * node + 2]);
    highest_[node] = std::max(highest_[2 * node + 1], highest_[2 * node + 2]);
  }
}

// Appends the pairs (i, j) with j > i, in the order of the tree.
void BroadPhase::Visit(std::span<const Aabb> boxes, double margin, int i, std::vector<IndexPair>* pairs) const {
  const Aabb& box = boxes[i];
  const auto meets = [&](int j) { return Overlap(box, boxes[j], margin) && !Excluded(i, j); };
  if (!IsBounded(box)) {
    for (int j = i + 1; j < static_cast<int>(boxes.size()); ++j) {
      if (meets(j)) pairs->push_back({i, j});
    }
    return;
  }
  for (auto j = std::upper_bound(unbounded_.begin(), unbounded_.end(), i); j != unbounded_.end(); ++j) {
    if (meets(*j)) pairs->push_back({i, *j});
  }
  std::array<int, 64> stack;  // the tree is balanced: never deeper than the bits of an int
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const int node = stack[--depth];
    if (highest_[node] <= i || !Overlap(box, nodes_[node], margin)) continue;
    if (node >= first_leaf_) {
      const int j = leaves_[node - first_leaf_].box;
      if (!Excluded(i, j)) pairs->push_back({i, j});
    } else {
      stack[depth++] = 2 * node + 2;
      stack[depth++] = 2 * node + 1;
    }
  }
}

void BroadPhase::FindPairs(std::span<const Aabb> boxes, double margin, std::vector<IndexPair>* pairs) {
  SLIPSTICK_CHECK(margin >= 0, "the margin widens boxes");
  SLIPSTICK_CHECK(groups_.empty() || groups_.size() == boxes.size(), "one group for each box");
  pairs->clear();
  BuildTree(boxes);
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    if (!groups_.empty() && groups_[i] < 0) continue;
    const std::size_t first = pairs->size();
    Visit(boxes, margin, i, pairs);
    std::sort(pairs->begin() + static_cast<std::ptrdiff_t>(first), pairs->end());
  }
}

}  // namespace slipstick
