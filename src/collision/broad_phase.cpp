#include "slipstick/collision/broad_phase.h"

#include <algorithm>

namespace slipstick::internal {
namespace {

// Rows of cells that a bound reads in a grid of larger cells: two or three in each of two directions.
constexpr double kRowsInCoarse = 6;

template <typename Fine, typename Coarse>
void MeetAcross(const CellGrid<Fine>& fine, const CellGrid<Coarse>& coarse, PairList* found) {
  if (fine.size() == 0 || coarse.size() == 0) return;
  double rows_in_fine = 0;
  for (const Coarse& bound : coarse.bounds()) {
    rows_in_fine += std::min(fine.RowsOf(BoxOf(bound)), 0.25 * fine.size());
  }
  if (rows_in_fine < kRowsInCoarse * fine.size()) {
    for (const Coarse& bound : coarse.bounds()) fine.FindPairsWith(bound, found);
  } else {
    for (const Fine& bound : fine.bounds()) coarse.FindPairsWith(bound, found);
  }
}

template <typename Bound>
void MeetWithin(std::span<const CellGrid<Bound>> grids, PairList* found) {
  for (std::size_t g = 0; g < grids.size(); ++g) {
    grids[g].FindOwnPairs(found);
    for (std::size_t coarse = g + 1; coarse < grids.size(); ++coarse) MeetAcross(grids[g], grids[coarse], found);
  }
}

}  // namespace

BroadPhase::BroadPhase(std::vector<IndexPair> excluded) : excluded_(std::move(excluded)) {
  for (IndexPair& pair : excluded_) {
    if (pair.first > pair.second) std::swap(pair.first, pair.second);
    excludes_.resize(std::max<std::size_t>(excludes_.size(), pair.second + 1));
    excludes_[pair.first] = excludes_[pair.second] = 1;
  }
  std::sort(excluded_.begin(), excluded_.end());
}

bool BroadPhase::Excluded(const IndexPair& pair) const {
  if (pair.second >= static_cast<int>(excludes_.size()) || !excludes_[pair.first] || !excludes_[pair.second]) {
    return false;
  }
  return std::binary_search(excluded_.begin(), excluded_.end(), pair);
}

template <typename Bound>
void BroadPhase::MeetAll(const Bound& bound, std::span<const BallBound> balls, std::span<const BoxBound> boxes) {
  const auto meet = [&](const auto& others) {
    found_.AddWhere(
        bound.shape, 0, static_cast<int>(others.size()),
        [&](int k) {
          return Meet(bound, others[k]) & (others[k].group != bound.group) && others[k].shape != bound.shape &&
                 IsSomewhere(others[k]);
        },
        [&](int k) { return others[k].shape; });
  };
  meet(balls);
  meet(boxes);
}

void BroadPhase::SortFound(std::vector<IndexPair>* pairs) {
  found_.Sort(shapes_, pairs);
  if (!excluded_.empty()) std::erase_if(*pairs, [&](const IndexPair& pair) { return Excluded(pair); });
}

void BroadPhase::FindPairs(std::span<const BallBound> balls, std::span<const BoxBound> boxes,
                           std::span<const HalfSpaceBound> half_spaces, std::vector<IndexPair>* pairs) {
  shapes_ = 0;
  const auto count = [&](const auto& bounds) {
    for (const auto& bound : bounds) shapes_ = std::max(shapes_, bound.shape + 1);
  };
  count(balls), count(boxes), count(half_spaces);
  found_.Clear();
  all_.Build(balls, boxes);
  MeetWithin<BallBound>(all_.balls.grids(), &found_);
  MeetWithin<BoxBound>(all_.boxes.grids(), &found_);
  for (const CellGrid<BallBound>& of_balls : all_.balls.grids()) {
    for (const CellGrid<BoxBound>& of_boxes : all_.boxes.grids()) {
      if (of_balls.cell() < of_boxes.cell()) {
        MeetAcross(of_balls, of_boxes, &found_);
      } else {
        MeetAcross(of_boxes, of_balls, &found_);
      }
    }
  }
  for (const BallBound& ball : all_.balls.everywhere()) MeetAll(ball, balls, boxes);
  for (const BoxBound& box : all_.boxes.everywhere()) MeetAll(box, balls, boxes);
  for (const HalfSpaceBound& half_space : half_spaces) MeetAll(half_space, balls, boxes);
  SortFound(pairs);
}

void BroadPhase::FindPairsOfChanged(std::span<const BallBound> balls, std::size_t new_balls,
                                    std::span<const BoxBound> boxes, std::size_t new_boxes,
                                    std::span<const HalfSpaceBound> half_spaces, std::vector<IndexPair>* pairs) {
  found_.Clear();
  changed_.Build(balls, boxes);
  const std::span<const BallBound> last_balls = balls.last(new_balls);
  const std::span<const BoxBound> last_boxes = boxes.last(new_boxes);
  // where changed ones were, they still are among all; what is found there is of no harm
  for (Grids* grids : {&all_, &changed_}) {
    const auto meet_grids = [&](const auto& bounds) {
      for (const auto& bound : bounds) {
        if (!IsSomewhere(bound)) continue;
        for (const CellGrid<BallBound>& grid : grids->balls.grids()) grid.FindPairsWith(bound, &found_);
        for (const CellGrid<BoxBound>& grid : grids->boxes.grids()) grid.FindPairsWith(bound, &found_);
      }
    };
    meet_grids(last_balls), meet_grids(last_boxes);
    for (const BallBound& ball : grids->balls.everywhere()) MeetAll(ball, last_balls, last_boxes);
    for (const BoxBound& box : grids->boxes.everywhere()) MeetAll(box, last_balls, last_boxes);
  }
  for (const HalfSpaceBound& half_space : half_spaces) MeetAll(half_space, last_balls, last_boxes);
  SortFound(pairs);
}

}  // namespace slipstick::internal
