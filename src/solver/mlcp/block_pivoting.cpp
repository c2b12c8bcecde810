#include "slipstick/solver/mlcp/block_pivoting.h"

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "slipstick/base/check.h"
#include "slipstick/solver/mlcp/mlcp_exchanges.h"
#include "slipstick/solver/mlcp/mlcp_interior_path.h"
#include "slipstick/solver/mlcp/mlcp_low_rank.h"
#include "slipstick/solver/mlcp/mlcp_scaling.h"

namespace slipstick::internal {
namespace {

const char kSolverName[] = "block-pivoting";
// Block exchanges that may fail when a proximal point is polished.
constexpr int kPolishSteps = 2;
// ε of the proximal phase, relative to the unit diagonal. The least one keeps half of the digits. The first one should
// be such that block exchanges get through: about as large as the skew part where that led them astray.
constexpr double kLeastEpsilon = 1e-7, kLargestEpsilon = 1e3;
constexpr double kFirstForSingular = 0.1, kFirstForStalled = 1;
constexpr double kShrink = 0.2, kGrow = 10;
// ε that picks the answer nearest to zero where there are many: small, as what it adds is polished away.
constexpr double kCentringEpsilon = 1e-6;
// A matrix of unit diagonal with a Cholesky factor's diagonal entry below this counts as singular: rounding leaves
// about 1e-8 there, the square root of the last digit.
constexpr double kSingularPivot = 3e-6;
// Proximal steps around an interior point: the second only takes away what ε has left of the first.
constexpr int kInteriorPolishSteps = 2;
// A dense matrix with fewer nonzeros than this, in parts of all, and at least so many rows is treated as a sparse one.
constexpr double kThin = 0.1;
constexpr int kThinRows = 200;

// Whether a symmetric matrix of unit diagonal is singular within rounding.
bool IsSingular(const MatX& A) {
  const Eigen::LLT<MatX> cholesky(A);
  return cholesky.info() != Eigen::Success || cholesky.matrixLLT().diagonal().minCoeff() < kSingularPivot;
}
bool IsSingular(const SparseMat& A) {
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors{Eigen::SparseMatrix<double>(A)};
  return factors.info() != Eigen::Success || factors.vectorD().minCoeff() < kSingularPivot * kSingularPivot;
}

void ShiftDiagonal(const MatX& from, double shift, MatX* A) { A->diagonal() = from.diagonal().array() + shift; }
void ShiftDiagonal(const SparseMat& from, double shift, SparseMat* A) {
  SparseMat identity(from.rows(), from.cols());
  identity.setIdentity();
  *A = from + shift * identity;
}

// The phases of the solver, see the header.
template <typename Problem>
class PhasedPivoting {
 public:
  PhasedPivoting(const Problem& original, const BlockPivotingSettings& settings, const Deadline& deadline)
      : settings_(settings),
        scaled_(original),
        problem_(scaled_.problem()),
        use_(settings.update_factors ? FactorUse::kUpdate : FactorUse::kFresh),
        block_(MakeFreeBlock(problem_.A, use_)),
        symmetric_(IsSymmetric(problem_.A)),
        deadline_(deadline),
        best_(original, scaled_, settings.tolerance) {}

  MlcpAnswer Solve(const VecX* warm_start, const Problem& original) {
    // With redundant contacts impulses are not unique. Pivoting alone would end at any of them, another one from step
    // to step; the proximal points from zero end at the one nearest to zero, which follows the motion smoothly.
    if (settings_.proximal_steps > 0 && problem_.size() > 0 && symmetric_ && IsSingular(problem_.A)) {
      ProximalPoints({NearestToZero(), PartitionAtBounds(problem_)}, kCentringEpsilon, settings_.max_iterations / 4,
                     settings_.proximal_steps);
      if (best_.IsSolution()) return best_.Answer(SolveStatus::kSolved, iterations_, kSolverName);
    }
    const bool interior_first = warm_start == nullptr && HasBoundsWithoutDiagonal();
    if (interior_first) InteriorPoints();
    Partition partition = warm_start != nullptr ? PartitionOf(original, *warm_start) : PartitionAtBounds(problem_);
    PivotEnd end = PivotEnd::kComplementary;
    VecX z;
    const auto offer = [this](const VecX& y) { return best_.Offer(y); };
    if (!best_.IsSolution()) {
      const PivotLimits first{settings_.max_iterations, settings_.block_steps, 0, deadline_};
      end = Pivot(problem_, first, offer, block_.get(), &partition, &z, &iterations_);
    }
    if (!best_.IsSolution() && !interior_first) InteriorPoints();
    if (!best_.IsSolution() && settings_.proximal_steps > 0) {
      // half of what is left: the rest is for the last phase
      const int limit = iterations_ + (settings_.max_iterations - iterations_) / 2;
      const double epsilon = end == PivotEnd::kInconsistent ? kFirstForSingular : kFirstForStalled;
      ProximalPoints({NearestToZero(), PartitionAtBounds(problem_)}, epsilon, limit, settings_.proximal_steps);
    }
    if (!best_.IsSolution() && end == PivotEnd::kStalled) {
      const PivotLimits last{settings_.max_iterations, settings_.block_steps, settings_.max_iterations, deadline_};
      end = Pivot(problem_, last, offer, block_.get(), &partition, &z, &iterations_);
    }

    SolveStatus unsolved = SolveStatus::kStalled;
    if (deadline_.HasPassed())
      unsolved = SolveStatus::kTimeLimit;
    else if (iterations_ >= settings_.max_iterations)
      unsolved = SolveStatus::kIterationLimit;
    else if (end == PivotEnd::kInconsistent)
      unsolved = SolveStatus::kSingular;
    return best_.Answer(unsolved, iterations_, kSolverName);
  }

 private:
  struct Start {
    VecX center;
    Partition partition;
  };

  VecX NearestToZero() const { return VecX::Zero(problem_.size()).cwiseMax(problem_.lower).cwiseMin(problem_.upper); }

  // A bounded row with nothing on the diagonal, as the slip speeds of polygonal friction: then A is no P-matrix, and
  // nothing speaks for block exchanges from the bounds.
  bool HasBoundsWithoutDiagonal() const {
    const VecX diagonal = problem_.A.diagonal();
    for (int i = 0; i < problem_.size(); ++i) {
      const bool is_free = std::isinf(problem_.lower[i]) && std::isinf(problem_.upper[i]);
      if (!is_free && problem_.lower[i] < problem_.upper[i] && diagonal[i] <= 0) return true;
    }
    return false;
  }

  // ε falls after each step that succeeds and grows after one that fails.
  void ProximalPoints(Start start, double epsilon, int iteration_limit, int steps) {
    const auto ignore = [](const VecX&) { return false; };
    const auto offer = [this](const VecX& y) { return best_.Offer(y); };
    const PivotLimits limits{iteration_limit, settings_.block_steps, 0, deadline_};
    const PivotLimits polish_limits{iteration_limit, kPolishSteps, 0, deadline_};
    Problem regularized = problem_;
    const std::unique_ptr<FreeBlock> regularized_block = MakeFreeBlock(regularized.A, use_);
    bool failed = false;
    for (int step = 0; step < steps && iterations_ < iteration_limit && !deadline_.HasPassed(); ++step) {
      ShiftDiagonal(problem_.A, epsilon, &regularized.A);
      regularized_block->MatrixChanged();
      regularized.b = problem_.b - epsilon * start.center;
      Partition partition = start.partition;
      VecX z;
      if (Pivot(regularized, limits, ignore, regularized_block.get(), &partition, &z, &iterations_) !=
          PivotEnd::kComplementary) {
        epsilon *= kGrow;
        if (epsilon > kLargestEpsilon) return;
        failed = true;
        continue;
      }
      // after a failure ε stays for one step, since shrinking at once would only fail again
      if (!failed) epsilon = std::max(kShrink * epsilon, kLeastEpsilon);
      failed = false;
      start = {z, partition};
      if (best_.Offer(z)) return;
      // near the solution the partition is right, or a few exchanges from right, long before z has converged
      Pivot(problem_, polish_limits, offer, block_.get(), &partition, &z, &iterations_);
      if (best_.IsSolution()) return;
    }
  }

  // Interior points suggest partitions; one that does not change from one to the next is tried.
  void InteriorPoints() {
    // symmetric problems are monotone, or nothing is known of them: proximal points do better there
    if (symmetric_ || settings_.interior_steps == 0) return;
    Partition last, tried;
    const auto offer = [&](const VecX& z, const Partition& partition) {
      const bool unchanged = partition == last;
      last = partition;
      // also once the point itself will do: that it is on its bounds and in its equations exactly is worth a try
      const bool will_do = best_.Offer(z);
      if ((unchanged || will_do) && partition != tried) {
        tried = partition;
        PolishInteriorPoint({z, partition});
      }
      return best_.IsSolution();
    };
    FollowInteriorPath(problem_, settings_.interior_steps, settings_.max_iterations, offer, &iterations_, deadline_);
  }

  // By proximal points around it, so that of a singular basis' many solutions the one near it is taken, which is within
  // the bounds.
  void PolishInteriorPoint(Start start) {
    Problem regularized = problem_;
    ShiftDiagonal(problem_.A, kLeastEpsilon, &regularized.A);
    const std::unique_ptr<FreeBlock> regularized_block = MakeFreeBlock(regularized.A, use_);
    const PivotLimits limits{settings_.max_iterations, kPolishSteps, 0, deadline_};
    for (int step = 0; step < kInteriorPolishSteps; ++step) {
      regularized.b = problem_.b - kLeastEpsilon * start.center;
      const auto end = Pivot(
          regularized, limits, [](const VecX&) { return false; }, regularized_block.get(), &start.partition,
          &start.center, &iterations_);
      if (end != PivotEnd::kComplementary) return;
      best_.Offer(start.center);
    }
  }

  BlockPivotingSettings settings_;
  ScaledMlcp<Problem> scaled_;
  const Problem& problem_;
  FactorUse use_;
  std::unique_ptr<FreeBlock> block_;
  bool symmetric_;
  Deadline deadline_;
  BestPoint<Problem> best_;
  int iterations_ = 0;
};

template <typename Problem>
MlcpAnswer SolveInPhases(const Problem& problem, const BlockPivotingSettings& settings, const Deadline& deadline,
                         const VecX* warm_start) {
  return PhasedPivoting<Problem>(problem, settings, deadline).Solve(warm_start, problem);
}

// The problem as a sparse one, if it is worth while: thin, or thin but for a block of low rank.
std::optional<SparseBoundedMlcp> AsSparse(const BoundedMlcp& problem) {
  const MatX& A = problem.A;
  if (A.rows() < kThinRows) return std::nullopt;
  const auto nonzeros = static_cast<double>((A.array() != 0).count());
  if (nonzeros < kThin * static_cast<double>(A.size()))
    return SparseBoundedMlcp{A.sparseView(), problem.b, problem.lower, problem.upper};
  return SplitLowRank(problem);
}

}  // namespace

const SettingTable<BlockPivotingSettings>& BlockPivotingSettings::Table() {
  using S = BlockPivotingSettings;
  static const SettingTable<S> table = {
      {&S::max_iterations, "max_iterations", "", "factorizations before the best point is returned", AtLeast(1)},
      {&S::tolerance, "tolerance", "", "natural residual of a solution, relative to the numbers that cancel in it",
       AboveUpTo(0, 1)},
      {&S::block_steps, "block_steps", "",
       "block exchanges in a row that may fail before rows are exchanged one by one", AtLeast(0)},
      {&S::proximal_steps, "proximal_steps", "", "proximal steps, tried where pivoting fails; 0 for none", AtLeast(0)},
  };
  return table;
}

MlcpAnswer SolveByBlockPivoting(const BoundedMlcp& problem, const BlockPivotingSettings& settings,
                                const VecX* warm_start) {
  const Deadline deadline(settings.seconds);
  if (!Check(problem).empty()) return BadInputAnswer(problem.size(), kSolverName);
  SLIPSTICK_CHECK(warm_start == nullptr || warm_start->size() == problem.size(), "warm start of another size");
  const std::optional<SparseBoundedMlcp> sparse = settings.find_sparsity ? AsSparse(problem) : std::nullopt;
  if (sparse) {
    VecX start = VecX::Zero(sparse->size());
    if (warm_start != nullptr) start.tail(problem.size()) = *warm_start;
    MlcpAnswer answer = SolveInPhases(*sparse, settings, deadline, warm_start != nullptr ? &start : nullptr);
    answer.z = answer.z.tail(problem.size()).eval();
    answer.w = problem.A * answer.z + problem.b;
    answer.report.residual = NaturalResidual(problem, answer.z);
    if (answer.report.residual <= settings.tolerance * ResidualScale(problem, answer.z)) return answer;
    if (deadline.HasPassed()) {
      answer.report.status = SolveStatus::kTimeLimit;
      return answer;
    }
  }
  return SolveInPhases(problem, settings, deadline, warm_start);
}

MlcpAnswer SolveByBlockPivoting(const SparseBoundedMlcp& problem, const BlockPivotingSettings& settings,
                                const VecX* warm_start) {
  const Deadline deadline(settings.seconds);
  if (!Check(problem).empty()) return BadInputAnswer(problem.size(), kSolverName);
  SLIPSTICK_CHECK(warm_start == nullptr || warm_start->size() == problem.size(), "warm start of another size");
  return SolveInPhases(problem, settings, deadline, warm_start);
}

}  // namespace slipstick::internal
