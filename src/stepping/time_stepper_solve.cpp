#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/assembly/joint_loads.h"
#include "slipstick/law/delassus_form.h"
#include "slipstick/stepping/limit_iteration.h"
#include "slipstick/stepping/passage.h"
#include "slipstick/stepping/time_stepper.h"

// How a step's problem is solved: by the law, with limits of friction that depend on the answer's loads, and with
// drives that reach their limits.

namespace slipstick::internal {
namespace {

// Limits of friction that depend on loads have converged where they are off by less than would change velocities by
// this share of the step's scale.
constexpr double kLimitTolerance = 1e-10;
constexpr int kMostLimits = 60;     // problems that are solved for them
constexpr int kMostUnsolved = 3;    // of these without an answer that would pass: loads of such lead nowhere
constexpr int kMostInStep = 6;      // of all problems of a step: it fails, and need not take long to
constexpr int kDriveRounds = 8;     // in which all drives that do not fit their modes change them, before
constexpr int kSingleRounds = 200;  // rounds in which only the first one does,
constexpr int kMostReturns = 2;     // unless their modes have been the same so often before

}  // namespace

void TimeStepper::Solve(const Pass& pass) {
  StepRecord& record = pass.record;
  if (record.problem.mass_is_singular || !record.problem.free_velocity.allFinite()) {
    // nothing to solve with; the certificate fails the step
    record.solution = {};
    record.solution.velocity = VecX::Constant(pass.state.v.size(), std::nan(""));
    record.report = {SolveStatus::kSingular, 0, 0, method_.solver_name};
    law_residual_ = std::nan("");
    return;
  }
  if (workspace_.loaded_rows.empty()) {
    SolveOnce(pass);
  } else {
    SolveWithLoads(pass);
  }
  record.solution.relaxation_gap = method_.law->RelaxationGaps(record.problem, record.solution, after_);
}

void TimeStepper::SolveOnce(const Pass& pass) {
  StepRecord& record = pass.record;
  LawAnswer answer = method_.law->Solve(record.problem, method_.solver);
  record.solution = std::move(answer.solution);
  record.report = answer.report;
  record.programs += answer.programs;
  ComputeEndMotion(record.problem, record.solution.velocity, &after_);
  law_residual_ = method_.law->Residual(record.problem, record.solution, after_);
  if (!(law_residual_ <= tolerances_.law * record.problem.velocity_scale)) ++unsolved_;
}

bool TimeStepper::IsHopeless() const { return unsolved_ >= kMostInStep; }

// Friction whose limit depends on the load, (T4d): solved until the loads of the answer are those that its limits were
// made of. The problem is left with the limits of the answer's loads, on which the residual is evaluated: the
// certificate does not see those that the answer was found with.
void TimeStepper::SolveWithLoads(const Pass& pass) {
  auto& [state, at, kinematics, of_state, record] = pass;
  LimitIteration iteration(FirstLoadLimits(pass));
  ContactSolution best;
  SolveReport best_report;
  VecX best_found;
  double least = std::numeric_limits<double>::infinity();
  const int unsolved = unsolved_;
  for (int k = 0; k < kMostLimits; ++k) {
    SetLoadLimits(workspace_, iteration.limits(), &record.problem.bounded);
    SolveOnce(pass);
    if (!record.solution.velocity.allFinite()) break;
    const VecX found = ComputeLoadLimits(*model_, at, kinematics, workspace_, record.problem, record.solution);
    const double mismatch = LimitMismatch(record, iteration.limits(), found);
    if (k == 0 || mismatch < least) {
      best = record.solution;
      best_report = record.report;
      best_found = found;
      least = mismatch;
    }
    if (least <= kLimitTolerance * record.problem.velocity_scale) break;
    if (unsolved_ - unsolved >= kMostUnsolved || IsHopeless()) break;
    iteration.Continue(found);
  }
  if (best_found.size() == 0) return;
  record.solution = std::move(best);
  record.report = best_report;
  if (least > kLimitTolerance * record.problem.velocity_scale && record.report.status == SolveStatus::kSolved) {
    record.report.status = SolveStatus::kIterationLimit;
  }
  SetLoadLimits(workspace_, best_found, &record.problem.bounded);
  ComputeEndMotion(record.problem, record.solution.velocity, &after_);
  law_residual_ = method_.law->Residual(record.problem, record.solution, after_);
  state.load_limits = best_found;
}

// Those of the last step. In the first one what rests is held, if its load can, and what slides has no load.
VecX TimeStepper::FirstLoadLimits(const Pass& pass) const {
  const std::vector<int>& rows = workspace_.loaded_rows;
  const auto count = static_cast<Eigen::Index>(rows.size());
  if (pass.state.load_limits.size() == count) return pass.state.load_limits;
  const BoundedSet& bounded = pass.record.problem.bounded;
  VecX velocities(bounded.target.size()), limits(count);
  bounded.jacobian.Multiply(pass.at.v, velocities);
  for (Eigen::Index k = 0; k < count; ++k) {
    limits[k] = velocities[rows[static_cast<std::size_t>(k)]] == 0 ? std::numeric_limits<double>::infinity() : 0.0;
  }
  return limits;
}

// How far limits that were used are from those that the answer's loads give: by how much the rows' residuals grow. Of a
// row that is held within both limits nothing is asked.
double TimeStepper::LimitMismatch(const StepRecord& record, const VecX& used, const VecX& found) const {
  const BoundedSet& bounded = record.problem.bounded;
  VecX velocities(bounded.target.size());
  bounded.jacobian.Multiply(record.solution.velocity, velocities);
  const VecX masses = RowMasses(record.problem, bounded.jacobian);
  double worst = 0;
  for (std::size_t k = 0; k < workspace_.loaded_rows.size(); ++k) {
    const int row = workspace_.loaded_rows[k];
    const auto residual = [&](double load) {
      const double limit = workspace_.bounded_rows[row].own_limit + load;
      return IntervalResidual(record.solution.bounded[row], velocities[row], -limit, limit, masses[row]);
    };
    const auto i = static_cast<Eigen::Index>(k);
    worst = std::max(worst, residual(found[i]) - residual(used[i]));
  }
  return worst;
}

// Drives whose effort does not fit the answer, (T4e): where there are some, the problem is made anew with other modes.
bool TimeStepper::SwitchDrives(const Pass& pass, int* rounds) {
  auto& [state, at, kinematics, of_state, record] = pass;
  if (model_->drives.empty() || !record.solution.velocity.allFinite()) return false;
  const int round = (*rounds)++;
  if (round >= kDriveRounds + kSingleRounds || IsHopeless()) return false;
  std::vector<DriveMode> modes = state.drive_modes;
  const DriveJudgement judgement =
      JudgeDrives(*model_, at, record.problem, record.solution, round >= kDriveRounds, &modes);
  if (judgement.changes == 0) return false;
  // changed one by one, modes that come again and again will do so for ever
  if (round <= kDriveRounds) modes_tried_.clear();
  if (std::count(modes_tried_.begin(), modes_tried_.end(), modes) >= kMostReturns) return false;
  modes_tried_.push_back(modes);
  state.drive_modes = modes;
  AssembleFree(pass);
  Assemble(pass);
  return true;
}

// The certificate speaks for drives too: what they do is what their gains ask for, within their limits.
void TimeStepper::JudgeDriveEfforts(const Pass& pass) const {
  auto& [state, at, kinematics, of_state, record] = pass;
  if (model_->drives.empty() || !record.certificate.finite) return;
  std::vector<DriveMode> modes = state.drive_modes;
  const DriveJudgement judgement = JudgeDrives(*model_, at, record.problem, record.solution, false, &modes);
  const double allowed = tolerances_.law * record.problem.velocity_scale;
  if (judgement.residual <= allowed) return;
  record.certificate.passed = false;
  if (!record.certificate.reason.empty()) record.certificate.reason += "; ";
  record.certificate.reason += fmt::format("residual of drive '{}' [m/s] {:.3g} is above {:.3g}",
                                           model_->drives[judgement.worst].name, judgement.residual, allowed);
}

// Contacts are those of the step's beginning and its end, and straight in between: what turns or flies far may pass
// through another all the same, (T8b).
void TimeStepper::JudgePath(const Pass& pass) const {
  StepRecord& record = pass.record;
  if (!record.certificate.finite) return;
  static const std::vector<double> kNoHits;
  const VecX& velocity = settings_.old_velocity ? pass.state.v : record.solution.velocity;
  VecX shifted;
  if (way_.size() > 0) {
    shifted = pass.at.q;
    AdvancePositions(*model_, way_, 1, pass.at.released, &shifted);
  }
  const bool is_shifted = way_.size() > 0;
  const auto passage = FindPassage(
      *model_,
      {pass.at.q, pass.at.v, is_shifted ? shifted : pass.at.q, velocity, is_shifted ? hits_ : kNoHits, settings_.step},
      selection_.points());
  if (!passage) return;
  Certificate& certificate = record.certificate;
  certificate.penetration = std::max(certificate.penetration, passage->depth);
  certificate.relative_penetration = std::max(certificate.relative_penetration, passage->depth / passage->size);
  certificate.passed = false;
  if (!certificate.reason.empty()) certificate.reason += "; ";
  certificate.reason += fmt::format("shape '{}' passes through '{}' within the step",
                                    model_->shapes[passage->shape_a].name, model_->shapes[passage->shape_b].name);
}

}  // namespace slipstick::internal
