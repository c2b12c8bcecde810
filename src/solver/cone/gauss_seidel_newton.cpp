#include "slipstick/solver/cone/gauss_seidel_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "slipstick/base/deadline.h"
#include "slipstick/solver/cone/block_sweep.h"
#include "slipstick/solver/cone/cone_continuation.h"
#include "slipstick/solver/cone/cone_newton.h"
#include "slipstick/solver/cone/cone_run.h"
#include "slipstick/solver/cone/free_row_elimination.h"

namespace slipstick::internal {
namespace {

// A single dense factorization takes seconds from here on.
constexpr int kMostRows = 1000;

// The program in variables x = r/f, with f_i = 1/√(trace(W_ii)/rows) on each block: then ρ = 1 everywhere.
struct ScaledProgram {
  DenseConeProgram program;
  VecX factor;

  explicit ScaledProgram(const DenseConeProgram& original) : program(original), factor(VecX::Ones(original.size())) {
    for (ConeBlock& block : program.blocks) {
      const double trace = original.W.diagonal().segment(block.offset, block.rows()).sum();
      if (!(trace > 0)) continue;
      const double f = std::sqrt(block.rows() / trace);
      factor.segment(block.offset, block.rows()).setConstant(f);
      block.lower /= f;
      block.upper /= f;
      if (block.kind == BlockKind::kDisk) block.radius /= f;
    }
    program.W = factor.asDiagonal() * original.W * factor.asDiagonal();
    program.q = factor.asDiagonal() * original.q;
  }
};

// The size of the velocities that cancel in u = W r + q. An r that ran away must not excuse its own residual, so its
// part is bounded by what q and the least impulses within the bounds bring in.
double VelocityScale(const DenseConeProgram& program, const VecX& r) {
  if (program.size() == 0) return 0;
  const MatX magnitudes = program.W.cwiseAbs();
  const VecX least = ProjectOnSets(program.blocks, VecX::Zero(program.size())).cwiseAbs();
  const double given = std::max(program.q.cwiseAbs().maxCoeff(), (magnitudes * least).maxCoeff());
  return std::max(given, std::min(1e3 * given, (magnitudes * r.cwiseAbs()).maxCoeff()));
}

// Stages 2 to 4 (see the header) on a scaled program without free rows.
class Iteration {
 public:
  Iteration(const DenseConeProgram& program, const GaussSeidelNewtonSettings& settings, const VecX& start)
      : program_(program),
        settings_(settings),
        newton_(program.size()),
        continuation_(program.size()),
        best_(ProjectOnSets(program.blocks, start)),
        best_residual_(NaturalResidual(program, best_)),
        deadline_(settings.seconds) {}

  // Works until the residual is at most `goal`, or nothing helps any more.
  void Run(double goal) {
    if (best_residual_ <= goal) return;
    BlockSweep sweep(program_);
    const Descent direct = Descend(program_, &sweep, best_, goal, settings_.max_sweeps);
    Keep(direct.r);
    limit_reached_ = direct.limit_reached;
    for (int path = 0; path < settings_.max_continuations && Unfinished(goal); ++path) {
      Keep(Continue(program_, path == 0 ? VecX(VecX::Zero(program_.size())) : best_, goal).r);
    }
    if (Unfinished(goal) && program_.non_associated) RunFixedPoint(goal);
    if (Unfinished(goal)) RunRestarts(goal);
    if (Unfinished(goal)) RunProximal(goal);
  }

  const VecX& best() const { return best_; }
  double best_residual() const { return best_residual_; }
  int iterations() const { return iterations_; }
  bool limit_reached() const { return limit_reached_; }
  bool time_is_up() const { return deadline_.HasPassed(); }

 private:
  struct Descent {
    VecX r;
    double residual = 0;
    bool limit_reached = false;
  };

  bool Unfinished(double goal) const { return best_residual_ > goal && !deadline_.HasPassed(); }

  bool Keep(const VecX& r) {
    const double residual = NaturalResidual(program_, r);
    if (!(residual < best_residual_)) return false;
    best_ = r;
    best_residual_ = residual;
    return true;
  }

  // Stages 2 and 3. `program` is program_ or a proximal one.
  Descent Descend(const DenseConeProgram& program, BlockSweep* sweep, const VecX& start, double goal, int max_sweeps) {
    constexpr int kStallWindow = 30;
    Descent best{start, NaturalResidual(program, start), false};
    VecX r = start, u(r.size()), trial(r.size()), trial_u(r.size());
    const auto offer = [&](const VecX& point, const VecX& velocity) {
      const double residual = NaturalResidual(program, point, velocity);
      if (residual < best.residual) {
        best.r = point;
        best.residual = residual;
      }
      return residual;
    };
    double residual_at_window = best.residual;
    for (int count = 1; count <= max_sweeps && best.residual > goal && !deadline_.HasPassed(); ++count) {
      u.noalias() = program.W * r;
      u += program.q;
      sweep->Sweep(count % 2 == 1, &r, &u);
      ++iterations_;
      double residual = offer(r, u);
      if (count == 2 || count % settings_.sweeps_between_newton == 0) {
        for (const std::vector<ContactState>* states :
             {static_cast<const std::vector<ContactState>*>(nullptr), &sweep->states()}) {
          if (best.residual <= goal) break;
          trial = r;
          const ConeNewton::Outcome outcome =
              newton_.Improve(program, settings_.max_newton_steps, 1e-3 * goal, states, &trial);
          iterations_ += outcome.steps;
          if (!outcome.improved) continue;
          trial_u.noalias() = program.W * trial;
          trial_u += program.q;
          const double trial_residual = offer(trial, trial_u);
          if (trial_residual < residual) {
            r = trial;
            residual = trial_residual;
          }
        }
      }
      if (count % kStallWindow == 0) {
        if (best.residual > 0.3 * residual_at_window) return best;
        residual_at_window = best.residual;
      }
      best.limit_reached = count == max_sweeps;
    }
    return best;
  }

  // Follows the smoothed problem; Newton without smoothing is tried along the way, as at the path's end it may be too
  // singular. Returns the best point for `program`, which is program_ or a convex one beside it.
  Descent Continue(const DenseConeProgram& program, const VecX& start, double goal) {
    const double velocity = program.q.cwiseAbs().maxCoeff();
    ConeContinuation::Point point{start, velocity};
    Descent best{start, NaturalResidual(program, start), false};
    for (double smallest : {1e-3, 1e-5, 1e-7, 1e-9, 1e-11}) {
      if (deadline_.HasPassed()) break;
      iterations_ += continuation_.Follow(program, smallest * velocity, 2 * settings_.max_newton_steps, &point);
      VecX polished = point.r;
      iterations_ += newton_.Improve(program, settings_.max_newton_steps, 1e-3 * goal, nullptr, &polished).steps;
      for (const VecX* r : {&polished, &point.r}) {
        const double residual = NaturalResidual(program, *r);
        if (residual < best.residual) {
          best.r = *r;
          best.residual = residual;
        }
      }
      // Newton failed on the way: what follows would be the same again
      if (best.residual <= goal || point.tau > smallest * velocity) break;
    }
    return best;
  }

  // Exact Coulomb as a sequence of convex problems (Cadoux 2009): the associated problem with q + s, s = μ|u_T| from
  // the one before.
  void RunFixedPoint(double goal) {
    DenseConeProgram convex = program_;
    convex.non_associated = false;
    VecX r = VecX::Zero(program_.size());
    for (int step = 0; step < settings_.max_convex_steps && Unfinished(goal); ++step) {
      const VecX u = program_.W * r + program_.q;
      for (const ConeBlock& block : program_.blocks) {
        if (block.kind != BlockKind::kCone) continue;
        const double s = step == 0 ? 0.0 : block.mu() * u.segment<2>(block.offset + 1).norm();
        convex.q[block.offset] = program_.q[block.offset] + s;
      }
      r = Continue(convex, VecX::Zero(program_.size()), goal).r;
      Keep(r);
      VecX polished = r;
      iterations_ += newton_.Improve(program_, settings_.max_newton_steps, 1e-3 * goal, nullptr, &polished).steps;
      Keep(polished);
    }
  }

  // Exact Coulomb can have several solutions, and where bodies are wedged the one that all of the above are drawn
  // towards may not exist. So: from impulses that would stop everything, and from perturbed points, ever farther away
  // (fixed numbers, so that the answer is the same each time).
  void RunRestarts(double goal) {
    BlockSweep sweep(program_);
    const Eigen::CompleteOrthogonalDecomposition<MatX> decomposition(program_.W);
    const VecX stopping = -decomposition.solve(program_.q);
    const VecX centre = best_;
    std::minstd_rand engine(1);
    VecX start = stopping;
    for (int restart = 0; restart < settings_.max_restarts && Unfinished(goal); ++restart) {
      if (restart > 0) {
        const double amplitude = 0.3 * restart * stopping.cwiseAbs().mean();
        start = restart % 2 == 1 ? centre : stopping;
        for (double& value : start) value += amplitude * (2.0 * (engine() - 1.0) / 2147483645.0 - 1);
      }
      VecX polished = ProjectOnSets(program_.blocks, start);
      iterations_ += newton_.Improve(program_, settings_.max_newton_steps, 1e-3 * goal, nullptr, &polished).steps;
      Keep(polished);
      if (best_residual_ <= goal) return;
      Keep(Descend(program_, &sweep, ProjectOnSets(program_.blocks, start), goal, 10).r);
    }
  }

  // The last resort: W + εI has a unique nearby solution even where contacts are redundant, and its solution moves
  // towards one of W.
  void RunProximal(double goal) {
    DenseConeProgram proximal = program_;
    double epsilon = 0.1;
    VecX centre = best_;
    double centre_residual = best_residual_;
    for (int step = 0; step < settings_.max_proximal_steps && Unfinished(goal); ++step) {
      proximal.W = program_.W;
      proximal.W.diagonal().array() += epsilon;
      proximal.q = program_.q - epsilon * centre;
      BlockSweep sweep(proximal);
      const Descent inner = Descend(proximal, &sweep, centre, 0.1 * goal, std::min(100, settings_.max_sweeps));
      Keep(inner.r);
      VecX polished = inner.r;
      iterations_ += newton_.Improve(program_, settings_.max_newton_steps, 1e-3 * goal, nullptr, &polished).steps;
      Keep(polished);
      const double residual = NaturalResidual(program_, inner.r);
      epsilon = residual < centre_residual ? std::max(0.3 * epsilon, 1e-8) : std::min(2 * epsilon, 1.0);
      centre = inner.r;
      centre_residual = residual;
    }
  }

  const DenseConeProgram& program_;
  const GaussSeidelNewtonSettings& settings_;
  ConeNewton newton_;
  ConeContinuation continuation_;
  VecX best_;
  double best_residual_;
  int iterations_ = 0;
  bool limit_reached_ = false;
  Deadline deadline_;
};

// A block that no impulse can move and whose velocity is forbidden: no r solves.
bool HasImmovableContradiction(const DenseConeProgram& program, double velocity_tolerance) {
  for (const ConeBlock& block : program.blocks) {
    if (program.W.diagonal().segment(block.offset, block.rows()).sum() > 0) continue;
    const double u = program.q[block.offset];
    if (block.kind == BlockKind::kCone && u < -velocity_tolerance) return true;
    if (block.kind == BlockKind::kInterval && std::isinf(u > 0 ? block.lower : block.upper) &&
        std::abs(u) > velocity_tolerance)
      return true;
  }
  return false;
}

int RowsOf(const std::vector<ConeBlock>& blocks) {
  int rows = 0;
  for (const ConeBlock& block : blocks) rows += block.rows();
  return rows;
}

}  // namespace

const SettingTable<GaussSeidelNewtonSettings>& GaussSeidelNewtonSettings::Table() {
  using S = GaussSeidelNewtonSettings;
  static const SettingTable<S> table = {
      {&S::tolerance, "tolerance", "", "largest natural residual, relative to the velocities involved",
       AboveUpTo(0, 1)},
      {&S::max_sweeps, "max_sweeps", "", "sweeps of block Gauss-Seidel at most", Between(1, 1e6)},
      {&S::sweeps_between_newton, "sweeps_between_newton", "", "sweeps between two tries of Newton", Between(1, 1e6)},
      {&S::max_newton_steps, "max_newton_steps", "", "Newton steps in one try at most; 0: none", Between(0, 1e6)},
      {&S::max_convex_steps, "max_convex_steps", "", "convex problems towards exact Coulomb at most; 0: none",
       Between(0, 1e6)},
      {&S::max_continuations, "max_continuations", "",
       "paths of smoothed programs at most: the first from zero, others from the best so far; 0: none",
       Between(0, 1e6)},
      {&S::max_restarts, "max_restarts", "", "restarts from other points at most; 0: none", Between(0, 1e6)},
      {&S::max_proximal_steps, "max_proximal_steps", "", "proximal subproblems at most; 0: none", Between(0, 1e6)},
  };
  return table;
}

std::string GaussSeidelNewtonRefusal(const std::vector<ConeBlock>& blocks) {
  for (const ConeBlock& block : blocks) {
    if (block.kind != BlockKind::kCone || block.cone.is_sliding_only()) continue;
    return block.cone.part_count > 1 ? "not for rolling contacts" : "not for contacts in the plane";
  }
  return RowsOf(blocks) > kMostRows ? "not for more than " + std::to_string(kMostRows) + " rows" : "";
}

ConeAnswer SolveByGaussSeidelNewton(const ConeProgram& given, const GaussSeidelNewtonSettings& settings,
                                    const VecX* warm_start) {
  ConeAnswer answer;
  answer.report.solver = "gauss-seidel-newton";
  if (!Check(given).empty()) return RefusedProgram(given, answer.report.solver);
  if (!GaussSeidelNewtonRefusal(given.blocks).empty()) {
    answer.r = VecX::Zero(given.size());
    answer.u = given.q;
    answer.report.status = given.size() > kMostRows ? SolveStatus::kTooLarge : SolveStatus::kUnsupported;
    answer.report.residual = std::numeric_limits<double>::infinity();
    return answer;
  }
  const DenseConeProgram program{MatX(given.W), given.q, given.blocks, given.non_associated};
  // a warm start that does not fit is no start
  const bool warm = warm_start != nullptr && warm_start->size() == program.size() && warm_start->allFinite();
  const FreeRowElimination elimination(program);
  const ScaledProgram scaled(elimination.reduced());
  VecX start = VecX::Zero(elimination.reduced().size());
  if (warm) start = elimination.Restrict(*warm_start).cwiseQuotient(scaled.factor);

  Iteration iteration(scaled.program, settings, start);
  double velocity_scale = 0;
  double goal = settings.tolerance * VelocityScale(scaled.program, start);
  // The goal inside is on the scaled and reduced program, the verdict on the one given; where their units differ much,
  // the inner goal is made stricter.
  for (int attempt = 0; attempt < 3; ++attempt) {
    iteration.Run(goal);
    answer.r = elimination.Extend(scaled.factor.cwiseProduct(iteration.best()));
    const VecX projected = ProjectOnSets(program.blocks, answer.r);
    answer.report.residual = NaturalResidual(program, answer.r);
    const double projected_residual = NaturalResidual(program, projected);
    velocity_scale = VelocityScale(program, answer.r);
    if (projected_residual <= std::max(answer.report.residual, settings.tolerance * velocity_scale)) {
      answer.r = projected;
      answer.report.residual = projected_residual;
    }
    if (answer.report.residual <= settings.tolerance * velocity_scale || iteration.best_residual() > goal) break;
    goal *= 1e-2;
  }
  answer.u = program.W * answer.r + program.q;
  answer.report.iterations = iteration.iterations();
  const double tolerated = settings.tolerance * velocity_scale;
  if (answer.report.residual <= tolerated) {
    answer.report.status = SolveStatus::kSolved;
  } else if (elimination.inconsistency() > tolerated || HasImmovableContradiction(elimination.reduced(), tolerated)) {
    answer.report.status = SolveStatus::kNoSolution;
  } else {
    answer.report.status = iteration.time_is_up()      ? SolveStatus::kTimeLimit
                           : iteration.limit_reached() ? SolveStatus::kIterationLimit
                                                       : SolveStatus::kStalled;
  }
  return answer;
}

}  // namespace slipstick::internal
