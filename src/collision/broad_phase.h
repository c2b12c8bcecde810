#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "slipstick/geometry/aabb.h"

namespace slipstick {

// Finds the pairs of boxes that come within a margin of each other.
//
// The boxes are sorted along a Morton curve and become the leaves of a balanced binary tree of boxes; each box then
// walks the tree. The cost is n log n for any mix of sizes, with nothing to tune. Boxes without bounds, those of
// planes, stay outside the tree and are compared with every other. The result depends on the boxes alone, not on how
// they were found earlier.
class BroadPhase {
 public:
  using IndexPair = std::pair<int, int>;

  BroadPhase() = default;

  // Boxes of one group (the shapes of one body) never pair, nor do boxes of a negative group pair with any (shapes that
  // do not collide). `excluded` lists further pairs (i, j) in any order; duplicates do no harm.
  BroadPhase(std::vector<int> groups, std::vector<IndexPair> excluded);

  // Groups in place of those before, as many.
  void SetGroups(std::vector<int> groups) { groups_ = std::move(groups); }

  // Sets *pairs to all (i, j), i < j, whose boxes are within `margin` ≥ 0 along every axis and which are not excluded,
  // sorted. Where groups were given there must be one for each box. Allocates only while sizes grow.
  void FindPairs(std::span<const Aabb> boxes, double margin, std::vector<IndexPair>* pairs);

 private:
  struct Leaf {
    std::uint64_t code = 0;
    int box = 0;
  };

  void BuildTree(std::span<const Aabb> boxes);
  void Visit(std::span<const Aabb> boxes, double margin, int i, std::vector<IndexPair>* pairs) const;
  bool Excluded(int i, int j) const;

  std::vector<int> groups_;          // empty: each box is its own group
  std::vector<IndexPair> excluded_;  // sorted, i < j
  std::vector<Leaf> leaves_;         // in the order of the curve
  std::vector<Aabb> nodes_;          // heap order: children of node k are 2k + 1 and 2k + 2
  std::vector<int> highest_;         // largest box number below a node: a walk that wants j > i skips the rest
  std::vector<int> unbounded_;
  int first_leaf_ = 0;
};

}  // namespace slipstick
