#include "slipstick/solver/velocity/velocity_newton.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "slipstick/math/block_sparse_lu.h"
#include "slipstick/solver/velocity/impulse_map.h"
#include "slipstick/solver/velocity/velocity_form.h"

namespace slipstick::internal {
namespace {

constexpr const char* kName = "velocity-newton";
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Newton steps of a subproblem at most; and those that states of the last step are given to prove themselves.
constexpr int kStepsPerSubproblem = 30, kQuickSteps = 8;
constexpr int kMaxHalvings = 14;
constexpr double kDecrease = 1e-4;  // that a step must bring, of the merit
constexpr double kSlopeLeft = 0.3;  // of the potential's slope along a step
// A subproblem is solved where its momentum is balanced to this part of what the next one will change, or to this part
// of the velocities.
constexpr double kInner = 0.02, kLastDigit = 1e-12;
// e, relative to the blocks' own inverse masses: where nothing is known, where the last step's impulses are, where the
// approach from zero ends, and at least. The path of exact friction turns too often to follow it as far as the convex
// one.
constexpr double kSoft = 1, kWarm = 1e-3, kHardestConvex = 1e-6, kHardestCoulomb = 1e-4, kLeast = 1e-10;
constexpr double kFirstFactor = 0.1, kBoldest = 1e-3;  // by which it falls at first, and at most
constexpr int kEasy = 4, kHard = 10;                   // steps after which it falls faster, slower
constexpr double kForth = 0.1, kBack = 10;             // the same while corrections are made
constexpr int kMostIdle = 20;                          // corrections in a row that gain less than
constexpr double kProgress = 0.99;                     // this: impulses that grow without end are no answer
constexpr int kMaxFailures = 8;                        // in a row
constexpr int kMostConvex = 12;                        // convex subproblems in place of one of exact friction

class VelocityNewton {
 public:
  VelocityNewton(const VelocityProgram& program, const VelocityNewtonSettings& settings, const StopRule& stop)
      : form_(program),
        program_(program),
        settings_(settings),
        stop_(stop),
        begin_(Clock::now()),
        hardest_(program.non_associated ? kHardestCoulomb : kHardestConvex) {
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
    best_ = ProjectOnSets(program.blocks, VecX::Zero(rows));
    derivatives_.resize(program.blocks.size());
    give_.setZero(rows);
    slip_.setZero(static_cast<Eigen::Index>(program.blocks.size()));
    BlockSparseLu::Pairs pairs;
    for (const VelocityForm::Group& group : form_.groups()) {
      if (group.a >= 0 && group.b >= 0) pairs.emplace_back(group.a, group.b);
    }
    lu_.Reset(form_.layout(), pairs);
    for (const VelocityForm::Group& group : form_.groups()) {
      const auto find = [&](int i, int j) { return i >= 0 && j >= 0 ? lu_.Find(i, j) : -1; };
      places_.push_back(
          {find(group.a, group.a), find(group.a, group.b), find(group.b, group.a), find(group.b, group.b)});
    }
  }

  ConeAnswer Run(const VecX* states) {
    if (Judge(best_)) return Finish(SolveStatus::kSolved);
    const bool knows = states != nullptr && states->size() == program_.size() && states->allFinite();
    const bool starts = knows && !states->isZero(0) && StartFromStates(ProjectOnSets(program_.blocks, *states));
    Correct(Approach(starts ? kWarm : 0));
    return Finish(best_error_ <= stop_.tolerance           ? SolveStatus::kSolved
                  : TimeIsUp()                             ? SolveStatus::kTimeLimit
                  : iterations_ < settings_.max_iterations ? SolveStatus::kStalled
                                                           : SolveStatus::kIterationLimit);
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool TimeIsUp() const {
    return std::isfinite(stop_.seconds) && std::chrono::duration<double>(Clock::now() - begin_).count() > stop_.seconds;
  }

  bool IsOver() const {
    return best_error_ <= stop_.tolerance || iterations_ >= settings_.max_iterations || TimeIsUp();
  }

  // Whether impulses of the last step, and so the states of their contacts, lead to a subproblem's answer soon.
  bool StartFromStates(const VecX& states) {
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
      int steps = SolveSubproblem(kStepsPerSubproblem);
      if (steps < 0 && program_.non_associated) steps = SolveByConvex(kept);
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

  // Takes back what the compliance e has left, subproblem by subproblem.
  void Correct(double shift) {
    SetCentre(impulses_);
    double least = best_error_;
    int idle = 0;
    for (int failures = 0; !IsOver() && failures < kMaxFailures && idle < kMostIdle;) {
      SetGive(shift);
      change_.setZero();
      int steps = SolveSubproblem(kStepsPerSubproblem);
      if (steps < 0 && program_.non_associated) steps = SolveByConvex(VecX::Zero(change_.size()));
      ++idle;
      if (best_error_ < kProgress * least) {
        least = best_error_;
        idle = 0;
      }
      if (steps < 0) {
        ++failures;
        shift *= kBack;
        continue;
      }
      SetCentre(impulses_);
      failures = 0;
      if (steps <= kEasy) shift = std::max(kLeast, kForth * shift);
    }
  }

  // Impulses that the next subproblem is about, with their velocities: what it adds is small then, and so is its
  // rounding.
  void SetCentre(const VecX& impulses) {
    centre_ = impulses;
    trial_.setZero();
    form_.AddTransposed(centre_, &trial_);
    form_.SolveMass(&trial_);
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
    for (std::size_t k = 0; k < program_.blocks.size(); ++k) {
      const ConeBlock& block = program_.blocks[k];
      const auto rows = Eigen::seqN(block.offset, block.rows());
      y_(rows) = centre_(rows) - u_(rows).cwiseQuotient(give_(rows));
      if (lagged_) y_[block.offset] -= slip_[static_cast<Eigen::Index>(k)] / give_[block.offset];
      MapImpulse(block, program_.non_associated && !lagged_, y_.data() + block.offset, give_.data() + block.offset,
                 &map_);
      impulses_(rows) = map_.impulse;
      derivatives_[k] = map_.derivative;
      const auto moved = (impulses_(rows) - centre_(rows)).cwiseProduct(give_(rows) - program_.compliance(rows));
      distance_ = std::max(distance_, moved.norm());
    }
    form_.MultiplyMass(change, &momentum_);
    pull_.setZero(momentum_.size());
    form_.AddTransposed(impulses_ - centre_, &pull_);
    imbalance_ = momentum_ - pull_;
    weighed_ = imbalance_;
    form_.SolveMass(&weighed_);
    balance_ = weighed_.size() > 0 ? weighed_.cwiseAbs().maxCoeff() : 0.0;
    return imbalance_.dot(weighed_);
  }

  // M + Jᵀ (∂r/e) J
  void Assemble() {
    double* values = lu_.values();
    std::fill_n(values, lu_.value_count(), 0.0);
    for (int i = 0; i < form_.layout().count(); ++i) lu_.diagonal(i) = form_.masses()[i];
    const BlockLayout& layout = form_.layout();
    for (std::size_t g = 0; g < places_.size(); ++g) {
      const VelocityForm::Group& group = form_.groups()[g];
      const bool is_contact = group.rows == 3 && group.block_count == 1 && (group.a < 0 || layout.size[group.a] == 6) &&
                              (group.b < 0 || layout.size[group.b] == 6);
      is_contact ? AddRows<3, 6>(group, places_[g], values)
                 : AddRows<Eigen::Dynamic, Eigen::Dynamic>(group, places_[g], values);
    }
  }

  // Where the products of a group's two pieces go.
  struct Places {
    int aa, ab, ba, bb;
  };

  // Contacts of free bodies have sizes that are known.
  template <int kRows, int kColumns>
  void AddRows(const VelocityForm::Group& group, const Places& places, double* values) {
    using Rows = Eigen::Matrix<double, kRows, kColumns, Eigen::RowMajor>;
    Eigen::Matrix<double, kRows, kRows> stiffness;
    stiffness.setZero(group.rows, group.rows);
    for (int k = group.first_block; k < group.first_block + group.block_count; ++k) {
      const ConeBlock& block = program_.blocks[k];
      const int at = block.offset - group.first_row;
      stiffness.block(at, at, block.rows(), block.rows()) =
          derivatives_[k] * give_.segment(block.offset, block.rows()).cwiseInverse().asDiagonal();
    }
    if (stiffness.isZero(0)) return;
    Rows a, b;
    if (group.a >= 0) a = form_.PieceA(group);
    if (group.b >= 0) b = form_.PieceB(group);
    const auto add = [&](const Rows& left, const Rows& right, int start) {
      if (start < 0) return;
      const Eigen::Matrix<double, kColumns, kRows> product = left.transpose() * stiffness;
      Eigen::Map<Eigen::Matrix<double, kColumns, kColumns>>(values + start, left.cols(), right.cols()).noalias() +=
          product * right;
    };
    add(a, a, places.aa);
    add(a, b, places.ab);
    add(b, a, places.ba);
    add(b, b, places.bb);
  }

  // The velocities at which momentum is balanced by impulses that keep the states of the given ones, which their
  // natural map shows: (M + JᵀDJ/e) δ = Jᵀ(r − D y + D (r̄ − ū/e)), r and D those of the map at y; r̄ is zero here.
  void StartFrom(const VecX& states) {
    trial_.setZero();
    form_.AddTransposed(states, &trial_);
    form_.SolveMass(&trial_);
    form_.Multiply(trial_, &u_);
    u_ += program_.q + program_.compliance.cwiseProduct(states);
    VecX right(program_.size());
    for (std::size_t k = 0; k < program_.blocks.size(); ++k) {
      const ConeBlock& block = program_.blocks[k];
      const auto rows = Eigen::seqN(block.offset, block.rows());
      y_(rows) = states(rows) - u_(rows).cwiseQuotient(give_(rows));
      MapImpulse(block, program_.non_associated, y_.data() + block.offset, give_.data() + block.offset, &map_);
      derivatives_[k] = map_.derivative;
      const ContactVector without = centre_(rows) - slack_(rows).cwiseQuotient(give_(rows)) - y_(rows);
      right(rows) = map_.impulse + map_.derivative * without;
    }
    Assemble();
    ++iterations_;
    step_.setZero();
    form_.AddTransposed(right, &step_);
    if (!lu_.Factorize()) return;
    lu_.SolveInPlace(step_);
    if (step_.allFinite()) change_ = step_;
  }

  // The subproblem of exact Coulomb friction by a row of convex ones: each with the slip that the one before it had.
  // Where that has settled a little, Newton's method on the law itself is tried again.
  int SolveByConvex(const VecX& from) {
    change_ = from;
    Evaluate(change_);
    int steps = 0;
    for (int round = 0; round < kMostConvex && !IsOver(); ++round) {
      SetSlip();
      lagged_ = true;
      const int own = SolveSubproblem(kStepsPerSubproblem);
      lagged_ = false;
      if (own < 0) return -1;
      steps += own;
      const VecX kept = change_;
      const int last = SolveSubproblem(kQuickSteps);
      if (last >= 0) return steps + last;
      change_ = kept;
      Evaluate(change_);
    }
    return -1;
  }

  void SetSlip() {
    for (std::size_t k = 0; k < program_.blocks.size(); ++k) {
      const ConeBlock& block = program_.blocks[k];
      if (block.kind != BlockKind::kCone) continue;
      // u of the subproblem, e (r − y)
      const auto rows = Eigen::seqN(block.offset, block.rows());
      const ContactVector u = give_(rows).cwiseProduct(impulses_(rows) - y_(rows));
      slip_[static_cast<Eigen::Index>(k)] = SlipTerm(block.cone, u.data());
    }
  }

  // Newton's method from change_ on. The number of steps, −1 where it did not end.
  int SolveSubproblem(int most) {
    double merit = Evaluate(change_);
    for (int steps = 0;; ++steps) {
      if (!std::isfinite(merit)) return -1;
      if (balance_ <= std::max(kInner * distance_, kLastDigit * form_.velocity_scale())) {
        Judge(impulses_);
        return steps;
      }
      if (steps > 0 && Judge(impulses_)) return steps;
      if (steps == most || iterations_ >= settings_.max_iterations) return -1;
      Assemble();
      ++iterations_;
      if (!lu_.Factorize()) return -1;
      step_ = -imbalance_;
      lu_.SolveInPlace(step_);
      if (!step_.allFinite()) return -1;
      const double found = program_.non_associated && !lagged_ ? ShortenForBalance(merit) : ShortenForDescent();
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
    for (int tries = 0; tries < kMaxHalvings; ++tries) {
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

  // Judges impulses by the program itself and keeps the best. True where they are good enough.
  bool Judge(const VecX& impulses) {
    VecX change = VecX::Zero(form_.layout().total), u(program_.size());
    form_.AddTransposed(impulses, &change);
    form_.SolveMass(&change);
    form_.Multiply(change, &u);
    u += program_.q + program_.compliance.cwiseProduct(impulses);
    const double residual = NaturalResidual(program_.blocks, program_.non_associated, form_.scales(), impulses, u);
    const double error = residual == 0                ? 0.0
                         : form_.velocity_scale() > 0 ? residual / form_.velocity_scale()
                                                      : kInfinity;
    history_.push_back(error);
    if (error < best_error_ || best_u_.size() == 0) {
      best_error_ = error;
      best_ = impulses;
      best_u_ = u;
    }
    return best_error_ <= stop_.tolerance;
  }

  ConeAnswer Finish(SolveStatus status) {
    ConeAnswer answer{best_, best_u_, {}};
    answer.report.status = status;
    answer.report.iterations = iterations_;
    answer.report.residual = best_error_;
    answer.report.solver = kName;
    answer.report.history = std::move(history_);
    return answer;
  }

  VelocityForm form_;
  const VelocityProgram& program_;
  VelocityNewtonSettings settings_;
  StopRule stop_;
  Clock::time_point begin_;
  BlockSparseLu lu_;
  std::vector<Places> places_;  // of the form's groups
  double hardest_;              // relative e up to which impulses are approached from zero
  VecX give_;
  VecX slip_;            // Σ c_k|u_k| of each block, as it was
  bool lagged_ = false;  // impulses are those of the convex program with these
  VecX change_, momentum_, pull_, imbalance_, weighed_, step_, trial_;  // of velocities
  VecX slack_;                                                          // q, and what impulses of the centre add
  VecX u_, y_, impulses_, centre_;                                      // of rows
  std::vector<ContactMatrix> derivatives_;
  ImpulseMap map_;
  double balance_ = 0;   // largest velocity that the imbalance of momentum would give
  double distance_ = 0;  // largest velocity by which impulses away from the centre give way
  int iterations_ = 0;
  VecX best_, best_u_;
  double best_error_ = kInfinity;
  std::vector<double> history_;
};

}  // namespace

ConeAnswer SolveByVelocityNewton(const VelocityProgram& program, const VelocityNewtonSettings& settings,
                                 const StopRule& stop, const VecX* states) {
  if (program.size() == 0) return {program.q, program.q, {SolveStatus::kSolved, 0, 0, kName}};
  if (!program.q.allFinite() || !program.compliance.allFinite()) {
    const VecX none = VecX::Zero(program.size());
    return {none, none, {SolveStatus::kBadInput, 0, kInfinity, kName}};
  }
  return VelocityNewton(program, settings, stop).Run(states);
}

}  // namespace slipstick::internal
