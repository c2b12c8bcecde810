#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/assembly/joint_loads.h"
#include "slipstick/law/delassus_form.h"
#include "slipstick/stepping/limit_iteration.h"
#include "slipstick/stepping/simulation.h"

// How a step's problem is solved: by the law, with limits of friction that depend on the answer's loads, and with
// drives that reach their limits.

namespace slipstick::internal {
namespace {

// Limits of friction that depend on loads have converged where they are off by less than would change velocities by
// this share of the step's scale.
constexpr double kLimitTolerance = 1e-10;
constexpr int kMostLimits = 60;     // problems that are solved for them
constexpr int kDriveRounds = 8;     // in which all drives that do not fit their modes change them, before
constexpr int kSingleRounds = 200;  // rounds in which only the first one does

}  // namespace

void Simulation::Solve() {
  if (record_.problem.mass_is_singular || !record_.problem.free_velocity.allFinite()) {
    // nothing to solve with; the certificate fails the step
    record_.solution = {};
    record_.solution.velocity = VecX::Constant(state_.v.size(), std::nan(""));
    record_.report = {SolveStatus::kSingular, 0, 0, method_.solver_name};
    record_.certificate.law_residual = std::nan("");
    return;
  }
  if (workspace_.loaded_rows.empty()) {
    SolveOnce();
  } else {
    SolveWithLoads();
  }
  record_.solution.relaxation_gap = method_.law->RelaxationGaps(record_.problem, record_.solution, after_);
}

void Simulation::SolveOnce() {
  LawAnswer answer = method_.law->Solve(record_.problem, method_.solver);
  record_.solution = std::move(answer.solution);
  record_.report = answer.report;
  record_.programs += answer.programs;
  ComputeContactMotion(record_.problem, record_.solution.velocity, &after_);
  record_.certificate.law_residual = method_.law->Residual(record_.problem, record_.solution, after_);
}

// Friction whose limit depends on the load, (T4d): solved until the loads of the answer are those that its limits were
// made of. The problem is left with the limits of the answer's loads, on which the residual is evaluated: the
// certificate does not see those that the answer was found with.
void Simulation::SolveWithLoads() {
  LimitIteration iteration(FirstLoadLimits());
  ContactSolution best;
  SolveReport best_report;
  VecX best_found;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMostLimits; ++k) {
    SetLoadLimits(workspace_, iteration.limits(), &record_.problem.bounded);
    SolveOnce();
    if (!record_.solution.velocity.allFinite()) break;
    const VecX found = ComputeLoadLimits(*model_, state_, kinematics_, workspace_, record_.problem, record_.solution);
    const double mismatch = LimitMismatch(iteration.limits(), found);
    if (k == 0 || mismatch < least) {
      best = record_.solution;
      best_report = record_.report;
      best_found = found;
      least = mismatch;
    }
    if (least <= kLimitTolerance * record_.problem.velocity_scale) break;
    iteration.Continue(found);
  }
  if (best_found.size() == 0) return;
  record_.solution = std::move(best);
  record_.report = best_report;
  if (least > kLimitTolerance * record_.problem.velocity_scale && record_.report.status == SolveStatus::kSolved) {
    record_.report.status = SolveStatus::kIterationLimit;
  }
  SetLoadLimits(workspace_, best_found, &record_.problem.bounded);
  ComputeContactMotion(record_.problem, record_.solution.velocity, &after_);
  record_.certificate.law_residual = method_.law->Residual(record_.problem, record_.solution, after_);
  load_limits_ = best_found;
}

// Those of the last step. In the first one what rests is held, if its load can, and what slides has no load.
VecX Simulation::FirstLoadLimits() const {
  const std::vector<int>& rows = workspace_.loaded_rows;
  const auto count = static_cast<Eigen::Index>(rows.size());
  if (load_limits_.size() == count) return load_limits_;
  VecX velocities(record_.problem.bounded.target.size()), limits(count);
  record_.problem.bounded.jacobian.Multiply(state_.v, velocities);
  for (Eigen::Index k = 0; k < count; ++k) {
    limits[k] = velocities[rows[static_cast<std::size_t>(k)]] == 0 ? std::numeric_limits<double>::infinity() : 0.0;
  }
  return limits;
}

// How far limits that were used are from those that the answer's loads give: by how much the rows' residuals grow. Of a
// row that is held within both limits nothing is asked.
double Simulation::LimitMismatch(const VecX& used, const VecX& found) const {
  const BoundedSet& bounded = record_.problem.bounded;
  VecX velocities(bounded.target.size());
  bounded.jacobian.Multiply(record_.solution.velocity, velocities);
  const VecX masses = RowMasses(record_.problem, bounded.jacobian);
  double worst = 0;
  for (std::size_t k = 0; k < workspace_.loaded_rows.size(); ++k) {
    const int row = workspace_.loaded_rows[k];
    const auto residual = [&](double load) {
      const double limit = workspace_.bounded_rows[row].own_limit + load;
      return IntervalResidual(record_.solution.bounded[row], velocities[row], -limit, limit, masses[row]);
    };
    const auto i = static_cast<Eigen::Index>(k);
    worst = std::max(worst, residual(found[i]) - residual(used[i]));
  }
  return worst;
}

// Drives whose effort does not fit the answer, (T4e): where there are some, the problem is made anew with other modes.
bool Simulation::SwitchDrives(const std::vector<ContactPoint>& points, int* rounds) {
  if (model_->drives.empty() || !record_.solution.velocity.allFinite()) return false;
  const int round = (*rounds)++;
  if (round >= kDriveRounds + kSingleRounds) return false;
  std::vector<DriveMode> modes = workspace_.drive_modes;
  const DriveJudgement judgement =
      JudgeDrives(*model_, state_, record_.problem, record_.solution, round >= kDriveRounds, &modes);
  if (judgement.changes == 0) return false;
  workspace_.drive_modes = modes;
  AssembleFreeMotion(*model_, state_, kinematics_, settings_.step, &workspace_, &record_.problem);
  AssembleRows(*model_, state_, kinematics_, points, chosen_, memory_, settings_.step, settings_.assembly, &workspace_,
               &record_.problem);
  return true;
}

// The certificate speaks for drives too: what they do is what their gains ask for, within their limits.
void Simulation::JudgeDriveEfforts() {
  if (model_->drives.empty() || !record_.certificate.finite) return;
  std::vector<DriveMode> modes = workspace_.drive_modes;
  const DriveJudgement judgement = JudgeDrives(*model_, state_, record_.problem, record_.solution, false, &modes);
  const double allowed = tolerances_.law * record_.problem.velocity_scale;
  if (judgement.residual <= allowed) return;
  record_.certificate.passed = false;
  if (!record_.certificate.reason.empty()) record_.certificate.reason += "; ";
  record_.certificate.reason += fmt::format("residual of drive '{}' [m/s] {:.3g} is above {:.3g}",
                                            model_->drives[judgement.worst].name, judgement.residual, allowed);
}

}  // namespace slipstick::internal
