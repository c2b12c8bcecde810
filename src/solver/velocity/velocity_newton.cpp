#include "slipstick/solver/velocity/velocity_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/solver/velocity/impulse_map.h"
#include "slipstick/solver/velocity/velocity_form.h"
#include "slipstick/solver/velocity/velocity_matrix.h"
#include "slipstick/solver/velocity/velocity_run.h"

namespace slipstick::internal {
namespace {

constexpr const char* kName = "velocity-newton";
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Newton steps of a subproblem at most; and those that states of the last step are given to prove themselves.
constexpr int kStepsPerSubproblem = 30, kQuickSteps = 8;
// After so many halvings a step that brings momentum no nearer to its balance is given up: another e costs less. The
// search for a slope of zero ends by itself.
constexpr int kMaxHalvings = 5, kMaxTries = 14;
constexpr double kDecrease = 1e-4;  // that a step must bring, of the merit
constexpr double kSlopeLeft = 0.3;  // of the potential's slope along a step
// A subproblem is solved where its momentum is balanced to this part of what the next one will change, or to this part
// of the velocities.
constexpr double kInner = 0.02, kLastDigit = 1e-12;
// e, relative to the blocks' own inverse masses: where nothing is known, where the last step's impulses are, where the
// approach from zero ends, and at least. The path of exact friction turns too often to follow it as far as the convex
// one.
constexpr double kSoft = 1, kWarm = 1e-3, kHardestConvex = 1e-6, kHardestCoulomb = 1e-4, kLeast = 1e-10;
// Impulses with a relative error below the first are corrected at once, from e of the others on.
constexpr double kNear = 1e-2, kFromNearCoulomb = 1e-2, kFromNearConvex = 1e-3;
constexpr double kFirstFactor = 0.1, kBoldest = 1e-3;  // by which it falls at first, and at most
constexpr int kEasy = 3, kHard = 6;                    // steps after which it falls faster, slower
constexpr double kForth = 0.3, kForthConvex = 0.03, kSlowly = 0.5, kBack = 5;  // the same while corrections are made
constexpr int kMostIdle = 80;       // corrections in a row that gain less than
constexpr double kProgress = 0.99;  // this: impulses that grow without end are no answer;
constexpr int kFewIdle = 6;         // and below this error, a tenth of what certificates allow, as rounding may leave
constexpr double kContent = 1e-8;   // no more
constexpr int kMaxFailures = 8;     // in a row

class VelocityNewton {
 public:
  VelocityNewton(const VelocityProgram& program, const VelocityNewtonSettings& settings, const StopRule& stop)
      : form_(program),
        program_(program),
        settings_(settings),
        run_(program, form_, stop),
        matrix_(form_),
        hardest_(program.non_associated ? kHardestCoulomb : kHardestConvex),
        forth_(program.non_associated ? kForth : kForthConvex) {
    const int n = form_.layout().total, rows = program.size();
    change_.setZero(n);
    momentum_.setZero(n);
    step_.setZero(n);
    trial_.setZero(n);
    u_.setZero(rows);
    y_.setZero(rows);
    impulses_.setZero(rows);
    centre_.setZero(rows);
    slack_ = program.q;
    derivatives_.resize(program.blocks.size());
    give_.setZero(rows);
  }

  ConeAnswer Run(const VecX* states) {
    if (run_.solved()) return run_.Finish(kName, SolveStatus::kStalled, 0);
    const bool knows = states != nullptr && states->size() == program_.size() && states->allFinite();
    if (knows && !states->isZero(0)) {
      const VecX inside = ProjectOnSets(program_.blocks, *states);
      // impulses that are nearly an answer need no way to it
      run_.Judge(inside);
      if (run_.error() <= kNear) Correct(inside, program_.non_associated ? kFromNearCoulomb : kFromNearConvex);
      if (!run_.solved() && !settings_.only_near) Follow(StartFromStates(inside) ? kWarm : 0);
    } else if (!settings_.only_near) {
      Follow(0);
    }
    const SolveStatus otherwise = run_.TimeIsUp()                          ? SolveStatus::kTimeLimit
                                  : iterations_ < settings_.max_iterations ? SolveStatus::kStalled
                                                                           : SolveStatus::kIterationLimit;
    return run_.Finish(kName, otherwise, iterations_);
  }

 private:
  bool IsOver() const { return run_.solved() || iterations_ >= settings_.max_iterations || run_.TimeIsUp(); }

  // Whether impulses of the last step, and so the states of their contacts, lead to a subproblem's answer soon.
  bool StartFromStates(const VecX& states) {
    SetCentre(VecX::Zero(program_.size()));
    SetGive(kWarm);
    StartFrom(states);
    if (SolveSubproblem(kQuickSteps) >= 0) return true;
    change_.setZero();
    return false;
  }

  // To hard contacts from where it has come already, or from soft ones, which any start leads to. Returns the hardest
  // that were reached.
  double Approach(double reached) {
    double factor = kFirstFactor, shift = reached > 0 ? std::max(reached * factor, hardest_) : kSoft;
    VecX kept = change_;
    bool has_failed = false;
    for (int failures = 0; !IsOver() && failures < kMaxFailures;) {
      SetGive(shift);
      const int steps = SolveSubproblem(kStepsPerSubproblem);
      has_failed = steps < 0;
      if (has_failed) {
        ++failures;
        change_ = kept;
        factor = reached > 0 ? std::sqrt(shift / reached) : factor;
        shift = reached > 0 ? reached * factor : 10 * shift;
        continue;
      }
      failures = 0;
      reached = shift;
      kept = change_;
      if (reached <= hardest_) break;
      if (steps <= kEasy) factor = std::max(factor * factor, kBoldest);
      if (steps > kHard) factor = std::sqrt(factor);
      shift = std::max(reached * factor, hardest_);
    }
    if (reached > 0) shift = reached;
    if (has_failed) {
      // impulses of what was reached, not of the last trial
      SetGive(shift);
      Evaluate(change_);
    }
    return shift;
  }

  // The path to hard contacts, and what it leaves.
  void Follow(double reached) {
    SetCentre(VecX::Zero(program_.size()));
    const double shift = Approach(reached);
    Correct(impulses_, shift);
  }

  // Takes back what the compliance e has left of impulses, subproblem by subproblem.
  void Correct(const VecX& impulses, double shift) {
    SetCentre(impulses);
    double least = run_.best_error();
    int idle = 0;
    // exact friction goes on after pauses
    const int few = program_.non_associated ? kMostIdle : kFewIdle;
    const auto is_idle = [&] { return idle >= (least <= kContent ? few : kMostIdle); };
    for (int failures = 0; !IsOver() && failures < kMaxFailures && !is_idle();) {
      SetGive(shift);
      change_.setZero();
      const int steps = SolveSubproblem(kStepsPerSubproblem);
      ++idle;
      if (run_.best_error() < kProgress * least) {
        least = run_.best_error();
        idle = 0;
      }
      if (steps < 0) {
        ++failures;
        shift *= kBack;
        continue;
      }
      SetCentre(impulses_);
      failures = 0;
      if (steps <= kHard) shift = std::max(kLeast, (steps <= kEasy ? forth_ : kSlowly) * shift);
    }
  }

  // Impulses that the next subproblem is about, with their velocities: what it adds is small then, and so is its
  // rounding.
  void SetCentre(const VecX& impulses) {
    centre_ = impulses;
    form_.ChangeFrom(centre_, &trial_);
    form_.Multiply(trial_, &slack_);
    slack_ += program_.q + program_.compliance.cwiseProduct(centre_);
  }

  // e of each row: compliance is part of it, the rest is proximal.
  void SetGive(double shift) {
    for (std::size_t k = 0; k < program_.blocks.size(); ++k) {
      const ConeBlock& block = program_.blocks[k];
      const double own = shift * form_.scales()[static_cast<Eigen::Index>(k)];
      const auto rows = Eigen::seqN(block.offset, block.rows());
      give_(rows) = program_.compliance(rows).array() + own;
    }
  }

  // y, r and the balance of momentum at a change of velocities; returns the merit.
  double Evaluate(const VecX& change) {
    form_.Multiply(change, &u_);
    u_ += slack_;
    distance_ = 0;
    y_ = centre_ - u_.cwiseQuotient(give_);
    for (const ConeBlock& block : program_.blocks) {
      MapImpulse(block, program_.non_associated, y_.data() + block.offset, give_.data() + block.offset,
                 impulses_.data() + block.offset);
      double squares = 0;
      for (int row = block.offset; row < block.offset + block.rows(); ++row) {
        const double moved = (impulses_[row] - centre_[row]) * (give_[row] - program_.compliance[row]);
        squares += moved * moved;
      }
      distance_ = std::max(distance_, squares);
    }
    distance_ = std::sqrt(distance_);
    form_.MultiplyMass(change, &momentum_);
    pull_.setZero(momentum_.size());
    form_.AddTransposed(impulses_ - centre_, &pull_);
    imbalance_ = momentum_ - pull_;
    weighed_ = imbalance_;
    form_.SolveMass(&weighed_);
    balance_ = weighed_.size() > 0 ? weighed_.cwiseAbs().maxCoeff() : 0.0;
    return imbalance_.dot(weighed_);
  }

  // M + Jᵀ (∂r/e) J, at the y evaluated last
  bool Factorize() {
    for (std::size_t k = 0; k < program_.blocks.size(); ++k) {
      const ConeBlock& block = program_.blocks[k];
      ContactMatrix& derivative = derivatives_[k];
      MapDerivative(block, program_.non_associated, y_.data() + block.offset, give_.data() + block.offset, &derivative);
      for (int i = 0; i < block.rows(); ++i) {
        for (int j = 0; j < block.rows(); ++j) derivative(i, j) /= give_[block.offset + j];
      }
    }
    ++iterations_;
    return matrix_.Factorize(derivatives_);
  }

  // The velocities at which momentum is balanced by impulses that keep the states of the given ones, which their
  // natural map shows: (M + JᵀDJ/e) δ = Jᵀ(r − D y + D (r̄ − ū/e)), r and D those of the map at y; r̄ is zero here.
  void StartFrom(const VecX& states) {
    form_.ChangeFrom(states, &trial_);
    form_.Multiply(trial_, &u_);
    u_ += program_.q + program_.compliance.cwiseProduct(states);
    y_ = states - u_.cwiseQuotient(give_);
    VecX right(program_.size());
    ContactMatrix derivative;
    for (const ConeBlock& block : program_.blocks) {
      const auto rows = Eigen::seqN(block.offset, block.rows());
      const double *y = y_.data() + block.offset, *e = give_.data() + block.offset;
      MapImpulse(block, program_.non_associated, y, e, impulses_.data() + block.offset);
      MapDerivative(block, program_.non_associated, y, e, &derivative);
      const ContactVector without = centre_(rows) - slack_(rows).cwiseQuotient(give_(rows)) - y_(rows);
      right(rows) = impulses_(rows) + derivative * without;
    }
    step_.setZero();
    form_.AddTransposed(right, &step_);
    if (!Factorize()) return;
    matrix_.SolveInPlace(step_);
    if (step_.allFinite()) change_ = step_;
  }

  // Newton's method from change_ on. The number of steps, −1 where it did not end.
  int SolveSubproblem(int most) {
    double merit = Evaluate(change_);
    for (int steps = 0;; ++steps) {
      if (!std::isfinite(merit)) return -1;
      if (balance_ <= std::max(kInner * distance_, kLastDigit * form_.velocity_scale())) {
        run_.Judge(impulses_);
        return steps;
      }
      if (steps > 0 && run_.Judge(impulses_)) return steps;
      if (steps == most || iterations_ >= settings_.max_iterations) return -1;
      if (!Factorize()) return -1;
      step_ = -imbalance_;
      matrix_.SolveInPlace(step_);
      if (!step_.allFinite()) return -1;
      const double found = program_.non_associated ? ShortenForBalance(merit) : ShortenForDescent();
      if (!(found >= 0)) return -1;
      change_ = trial_;
      merit = found;
    }
  }

  // The longest part of the step that brings momentum nearer to its balance; its merit, −1 where there is none.
  double ShortenForBalance(double merit) {
    double length = 1;
    for (int halving = 0; halving < kMaxHalvings; ++halving, length *= 0.5) {
      trial_ = change_ + length * step_;
      const double found = Evaluate(trial_);
      if (found <= (1 - kDecrease * length) * merit) return found;
    }
    return -1;
  }

  // The convex relaxation is the least of a potential, whose slope along the step grows from below zero: the length at
  // which it has nearly vanished, by false position. Slopes do not cancel as potentials do.
  double ShortenForDescent() {
    const double first = imbalance_.dot(step_);
    double low = 0, high = 1, at_low = first, at_high = 0, length = 1;
    int side = 0;  // that moved last; Illinois' rule, so that both do
    for (int tries = 0; tries < kMaxTries; ++tries) {
      trial_ = change_ + length * step_;
      const double found = Evaluate(trial_), slope = imbalance_.dot(step_);
      if (!std::isfinite(found)) return -1;
      if (slope <= kSlopeLeft * std::abs(first) && (slope >= -kSlopeLeft * std::abs(first) || length == 1))
        return found;
      if (slope > 0) {
        if (side > 0) at_low *= 0.5;
        side = 1;
        high = length;
        at_high = slope;
      } else {
        if (side < 0) at_high *= 0.5;
        side = -1;
        low = length;
        at_low = slope;
      }
      length = std::clamp(low - at_low * (high - low) / (at_high - at_low), low + 0.05 * (high - low),
                          high - 0.05 * (high - low));
    }
    return -1;
  }

  VelocityForm form_;
  const VelocityProgram& program_;
  VelocityNewtonSettings settings_;
  VelocityRun run_;
  VelocityMatrix matrix_;
  double hardest_;  // relative e up to which impulses are approached from zero
  double forth_;    // by which it falls after an easy correction
  VecX give_;
  VecX change_, momentum_, pull_, imbalance_, weighed_, step_, trial_;  // of velocities
  VecX slack_;                                                          // q, and what impulses of the centre add
  VecX u_, y_, impulses_, centre_;                                      // of rows
  std::vector<ContactMatrix> derivatives_;                              // ∂r/∂u
  double balance_ = 0;   // largest velocity that the imbalance of momentum would give
  double distance_ = 0;  // largest velocity by which impulses away from the centre give way
  int iterations_ = 0;
};

}  // namespace

ConeAnswer SolveByVelocityNewton(const VelocityProgram& program, const VelocityNewtonSettings& settings,
                                 const StopRule& stop, const VecX* states) {
  if (std::optional<ConeAnswer> trivial = TrivialAnswer(program, kName)) return *std::move(trivial);
  return VelocityNewton(program, settings, stop).Run(states);
}

}  // namespace slipstick::internal
