#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "slipstick/collision/bounds.h"
#include "slipstick/collision/grid_stack.h"
#include "slipstick/collision/pair_list.h"

namespace slipstick::internal {

// Finds the pairs of balls, boxes and half-spaces that have a point in common.
//
// Balls of similar size share a grid whose cells are as large as the largest of them (cell_grid.h), so that each has
// its partners in its own cell and the next ones; boxes likewise. Bounds of different grids meet by looking those of
// one up in the other, in whichever direction reads fewer cells. So the cost is linear in bounds and pairs, unless
// bounds of a size lie many deep inside each other. Half-spaces, boxes without an end and bounds too far away to have a
// cell are compared with every other. The result depends on the bounds alone, not on what was found earlier.
class BroadPhase {
 public:
  using IndexPair = std::pair<int, int>;

  BroadPhase() = default;

  // `excluded` lists pairs of shapes (i, j) that never pair, in any order; duplicates do no harm.
  explicit BroadPhase(std::vector<IndexPair> excluded);

  // Sets *pairs to all pairs of shapes (i, j), i < j, whose bounds meet, which are of different groups and not
  // excluded, sorted. No two bounds have the same shape. What is empty (a box with least > most) or not a number meets
  // nothing; two half-spaces never pair. Allocates only while sizes grow.
  void FindPairs(std::span<const BallBound> balls, std::span<const BoxBound> boxes,
                 std::span<const HalfSpaceBound> half_spaces, std::vector<IndexPair>* pairs);

  // Some of the bounds of the last FindPairs have changed since, half-spaces have not. Sets *pairs to all that the last
  // `new_balls` of the changed balls and `new_boxes` of the changed boxes are in, as FindPairs would, and perhaps some
  // that changed ones were in before.
  void FindPairsOfChanged(std::span<const BallBound> balls, std::size_t new_balls, std::span<const BoxBound> boxes,
                          std::size_t new_boxes, std::span<const HalfSpaceBound> half_spaces,
                          std::vector<IndexPair>* pairs);

 private:
  struct Grids {
    GridStack<BallBound> balls;
    GridStack<BoxBound> boxes;

    void Build(std::span<const BallBound> of_balls, std::span<const BoxBound> of_boxes) {
      balls.Build(of_balls);
      boxes.Build(of_boxes);
    }
  };

  void SortFound(std::vector<IndexPair>* pairs);
  template <typename Bound>
  void MeetAll(const Bound& bound, std::span<const BallBound> balls, std::span<const BoxBound> boxes);
  bool Excluded(const IndexPair& pair) const;

  std::vector<IndexPair> excluded_;     // sorted, i < j
  std::vector<std::uint8_t> excludes_;  // whether a shape is in any excluded pair
  Grids all_, changed_;                 // of the last FindPairs, and of what has changed since
  int shapes_ = 0;                      // above all shape numbers
  PairList found_;
};

}  // namespace slipstick::internal
