#include "slipstick/solver/velocity/velocity_pivoting.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "slipstick/math/tree_cholesky.h"

namespace slipstick::internal {
namespace {

const char kSolverName[] = "joint-pivoting";
// A velocity breaks its condition only by more than this part of the numbers that cancelled in it.
constexpr double kPivotTolerance = 1e-12;
constexpr int kBlockSteps = 10;  // that may go by without fewer broken conditions
constexpr int kMostSteps = 100;  // of all

// The velocity at which a row's impulse goes from one bound to the other.
double Target(const SingleRowsProgram::Row& row) { return row.target / row.factor; }

// A velocity with its rows. Their impulses together fall as it grows: at the first row's target from the greatest of
// all to that without this row's range, and so on. With the rows in the order of targets its states are 0: below all
// of them, 1: held by the first, 2: between the first and the second, and so on.
struct Resisted {
  int index = 0;                // in its block
  int first_row = 0, rows = 0;  // in the order
  int state = 0;

  bool is_held() const { return state % 2 == 1; }
};

// One block of velocities after the other; what it keeps is storage.
class BlockPivoting {
 public:
  // With the rows `order` of one block, by velocity and target.
  void Begin(const SingleRowsProgram& program, const VecX& start, std::span<const int> order) {
    program_ = &program;
    order_ = order;
    block_ = Of(order[0]).block;
    const BlockLayout& layout = program.mass->layout();
    free_ = program.free_velocity->data() + layout.offset[block_];
    size_ = layout.size[block_];
    resisted_.clear();
    for (std::size_t at = 0; at < order_.size(); ++at) {
      const Row& row = Of(order_[at]);
      if (at == 0 || Of(order_[at - 1]).index != row.index) {
        resisted_.push_back({row.index, static_cast<int>(at), 0, 0});
      }
      ++resisted_.back().rows;
    }
    for (Resisted& velocity : resisted_) velocity.state = StateOf(velocity, start);
  }

  // Whether no velocity breaks its condition at the end.
  bool Solve(int* steps) {
    std::size_t fewest = resisted_.size() + 1;
    int left = kBlockSteps;
    for (int step = 0; step < kMostSteps; ++step) {
      ++*steps;
      if (!SolvePartition()) return false;
      FindMoves();
      if (moves_.empty()) return true;
      if (moves_.size() < fewest) {
        fewest = moves_.size();
        left = kBlockSteps;
      } else {
        --left;
      }
      // one after the other where all at once lead in circles
      const std::size_t count = left >= 0 ? moves_.size() : 1;
      for (std::size_t k = 0; k < count; ++k) resisted_[moves_[k].first].state += moves_[k].second;
    }
    return false;
  }

  // Impulses of the rows: those not at the velocity's target are at bounds, and the one there takes what is left. And
  // the block's velocities.
  void Write(VecX* z, double* v) const {
    for (int k = 0; k < size_; ++k) v[k] = free_[k] + change_[k];
    for (const Resisted& velocity : resisted_) {
      double rest = impulse_[velocity.index];
      for (int k = 0; k < velocity.rows; ++k) {
        const int number = order_[velocity.first_row + k];
        if (2 * k + 1 == velocity.state) continue;
        (*z)[number] = BoundOf(Of(number), 2 * k + 1 > velocity.state);
        rest -= Of(number).factor * (*z)[number];
      }
      if (!velocity.is_held()) continue;
      const int number = order_[velocity.first_row + velocity.state / 2];
      v[velocity.index] = Target(Of(number));
      (*z)[number] = std::clamp(rest / Of(number).factor, Of(number).lower, Of(number).upper);
    }
  }

 private:
  using Row = SingleRowsProgram::Row;

  const Row& Of(int number) const { return program_->rows[number]; }
  // The impulse of a row where the velocity is below its target, or above it.
  static double BoundOf(const Row& row, bool below) { return (row.factor > 0) == below ? row.upper : row.lower; }

  int StateOf(const Resisted& velocity, const VecX& start) const {
    int state = 0;
    for (int k = 0; k < velocity.rows; ++k) {
      const Row& row = Of(order_[velocity.first_row + k]);
      const double z = start[order_[velocity.first_row + k]];
      if (z == BoundOf(row, false)) {
        state = 2 * k + 2;
      } else if (z != BoundOf(row, true)) {
        return 2 * k + 1;
      } else {
        break;
      }
    }
    // what would take an infinite force holds
    return std::isfinite(ImpulseOf(velocity, state)) ? state : state == 0 ? 1 : state - 1;
  }

  // All rows' together on a velocity of an even state.
  double ImpulseOf(const Resisted& velocity, int state) const {
    double impulse = 0;
    for (int k = 0; k < velocity.rows; ++k) {
      const Row& row = Of(order_[velocity.first_row + k]);
      impulse += row.factor * BoundOf(row, 2 * k + 1 > state);
    }
    return impulse;
  }

  // Velocities and impulses of the present states.
  bool SolvePartition() {
    const Eigen::Index n = size_;
    const auto mass = program_->mass->entries(block_);
    impulse_.setZero(n);
    change_.setZero(n);
    is_held_.assign(n, 0);
    held_.clear();
    for (const Resisted& velocity : resisted_) {
      if (velocity.is_held()) {
        is_held_[velocity.index] = 1;
        held_.push_back(velocity.index);
        const Row& row = Of(order_[velocity.first_row + velocity.state / 2]);
        change_[velocity.index] = Target(row) - free_[velocity.index];
      } else {
        impulse_[velocity.index] = ImpulseOf(velocity, velocity.state);
      }
    }
    moving_.clear();
    for (Eigen::Index k = 0; k < n; ++k) {
      if (!is_held_[k]) moving_.push_back(static_cast<int>(k));
    }
    if (held_.empty()) {
      change_ = impulse_;
      Eigen::Map<MatX> column(change_.data(), n, 1);
      program_->mass->SolveBlockInPlace(block_, column);
    } else if (!moving_.empty()) {
      const auto m = static_cast<Eigen::Index>(moving_.size());
      part_.resize(static_cast<std::size_t>(m * m));
      solved_.resize(m);
      for (Eigen::Index j = 0; j < m; ++j) {
        const auto column = mass.col(moving_[j]);
        for (Eigen::Index i = 0; i <= j; ++i) part_[j * m + i] = column[moving_[i]];
        solved_[j] = impulse_[moving_[j]];
        for (const int held : held_) solved_[j] -= column[held] * change_[held];
      }
      if (!factors_.Factorize(part_.data(), static_cast<int>(m))) return false;
      factors_.Solve(solved_.data(), 1);
      for (Eigen::Index j = 0; j < m; ++j) change_[moving_[j]] = solved_[j];
    }
    for (const int held : held_) impulse_[held] = mass.col(held).dot(change_);
    return change_.allFinite() && impulse_.allFinite();
  }

  // Velocities whose state does not fit, by number, and where they go.
  void FindMoves() {
    const auto mass = program_->mass->entries(block_);
    moves_.clear();
    for (std::size_t k = 0; k < resisted_.size(); ++k) {
      const Resisted& velocity = resisted_[k];
      const int i = velocity.index, state = velocity.state;
      const auto target = [&](int row) { return Target(Of(order_[velocity.first_row + row])); };
      if (velocity.is_held()) {
        const double sizes = mass.col(i).cwiseAbs().dot(change_.cwiseAbs());
        const double most = ImpulseOf(velocity, state - 1), least = ImpulseOf(velocity, state + 1);
        const int row = state / 2;
        // on to the next row where nothing moves in between: the same target, or a stop that has to be kept as well
        if (impulse_[i] > most + kPivotTolerance * sizes) {
          const bool skips = row > 0 && (target(row - 1) == target(row) || std::isinf(most));
          moves_.emplace_back(k, skips ? -2 : -1);
        } else if (impulse_[i] < least - kPivotTolerance * sizes) {
          const bool skips = row + 1 < velocity.rows && (target(row + 1) == target(row) || std::isinf(least));
          moves_.emplace_back(k, skips ? 2 : 1);
        }
        continue;
      }
      const double v = free_[i] + change_[i], size = std::abs(free_[i]) + std::abs(change_[i]);
      if (state > 0 && v < target(state / 2 - 1) - kPivotTolerance * size) {
        moves_.emplace_back(k, -1);
      } else if (state < 2 * velocity.rows && v > target(state / 2) + kPivotTolerance * size) {
        moves_.emplace_back(k, 1);
      }
    }
  }

  const SingleRowsProgram* program_ = nullptr;
  int block_ = 0, size_ = 0;
  std::span<const int> order_;
  const double* free_ = nullptr;
  std::vector<Resisted> resisted_;
  std::vector<double> part_;
  TreeCholesky factors_;
  VecX change_, impulse_, solved_;
  std::vector<int> held_, moving_;
  std::vector<char> is_held_;
  std::vector<std::pair<std::size_t, int>> moves_;
};

}  // namespace

SingleRowsAnswer SolveByVelocityPivoting(const SingleRowsProgram& program, const VecX& start) {
  SingleRowsAnswer answer;
  answer.z = start;
  answer.velocity = *program.free_velocity;
  answer.report.solver = kSolverName;
  answer.report.status = SolveStatus::kSolved;
  static thread_local BlockPivoting pivoting;  // keeps its storage, as the next one does
  static thread_local std::vector<int> order;
  order.resize(program.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const SingleRowsProgram::Row &of_a = program.rows[a], &of_b = program.rows[b];
    if (of_a.block != of_b.block) return of_a.block < of_b.block;
    if (of_a.index != of_b.index) return of_a.index < of_b.index;
    return Target(of_a) != Target(of_b) ? Target(of_a) < Target(of_b) : a < b;
  });
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    const int block = program.rows[order[first]].block;
    while (last < order.size() && program.rows[order[last]].block == block) ++last;
    pivoting.Begin(program, start, std::span(order).subspan(first, last - first));
    if (!pivoting.Solve(&answer.report.iterations)) answer.report.status = SolveStatus::kStalled;
    pivoting.Write(&answer.z, answer.velocity.data() + program.mass->layout().offset[block]);
  }
  return answer;
}

}  // namespace slipstick::internal
