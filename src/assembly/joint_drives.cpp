#include "slipstick/assembly/joint_drives.h"

#include <algorithm>
#include <cmath>

#include "slipstick/model/implicit_lead.h"

namespace slipstick::internal {
namespace {

// An effort beyond its limit by this share of it is rounding.
constexpr double kRounding = 1e-12;

}  // namespace

int TreeOfVelocity(const BlockLayout& trees, int v_index) {
  const auto after = std::upper_bound(trees.offset.begin(), trees.offset.end(), v_index);
  // a tree that cannot move shares the offset of the next one, and comes before it
  return static_cast<int>(after - trees.offset.begin()) - 1;
}

DriveAim AimOf(const JointDrive& drive, double time, double h, double share) {
  const ImplicitLead lead = ImplicitLead::Of(share);
  DriveAim aim{share, drive.PositionAt(time + lead.time * h), 0};
  if (drive.kind == JointDrive::Kind::kServo) {
    const double last = time + lead.velocity_after * h, first = time - lead.velocity_before * h;
    aim.rate = std::isnan(drive.given_velocity) ? (drive.PositionAt(last) - drive.PositionAt(first)) / h
                                                : drive.given_velocity;
  }
  return aim;
}

double WantedEffort(const JointDrive& drive, const DriveStep& step, double v) {
  const ImplicitLead lead = ImplicitLead::Of(step.aim.share);
  const double before = step.state.v[drive.v_index];
  const double way = step.h * (lead.position_after * v - lead.position_before * before);
  return drive.stiffness * (step.aim.position - step.state.q[drive.q_index] - way) +
         drive.damping * (step.aim.rate - (lead.velocity_after * v + lead.velocity_before * before));
}

double DriveEffort(const JointDrive& drive, DriveMode mode, const DriveStep& step, double v) {
  if (mode == DriveMode::kWithin) return WantedEffort(drive, step, v);
  return mode == DriveMode::kMost ? drive.most_effort : -drive.most_effort;
}

void AddDrives(const Model& model, const MotionState& state, const std::vector<DriveMode>& modes, double h, bool at_end,
               std::vector<DriveAim>* aims, BlockDiagonal* mass, VecX* force) {
  aims->resize(model.drives.size());
  for (std::size_t i = 0; i < model.drives.size(); ++i) {
    const JointDrive& drive = model.drives[i];
    if (drive.kind == JointDrive::Kind::kMotor) continue;
    const int tree = TreeOfVelocity(model.trees, drive.v_index), local = drive.v_index - model.trees.offset[tree];
    auto block = mass->block(tree);
    const double share = at_end ? 1.0 : StiffShare(drive.stiffness, drive.damping, block(local, local), h);
    (*aims)[i] = AimOf(drive, state.time, h, share);
    (*force)[drive.v_index] += DriveEffort(drive, modes[i], {state, h, (*aims)[i]}, state.v[drive.v_index]);
    if (modes[i] != DriveMode::kWithin) continue;
    block(local, local) += ImplicitLead::Of(share).Gain(drive.stiffness, drive.damping, h);
  }
}

DriveJudgement JudgeDrives(const Model& model, const MotionState& state, const ContactProblem& problem,
                           const ContactSolution& solution, bool one_by_one, std::vector<DriveMode>* modes) {
  DriveJudgement judgement;
  const double h = problem.step;
  for (std::size_t i = 0; i < model.drives.size(); ++i) {
    const JointDrive& drive = model.drives[i];
    if (drive.kind == JointDrive::Kind::kMotor || std::isinf(drive.most_effort)) continue;
    const DriveStep step{state, h, problem.drive_aims[i]};
    const double v = solution.velocity[drive.v_index], wanted = WantedEffort(drive, step, v);
    const double allowed = std::clamp(wanted, -drive.most_effort, drive.most_effort);
    const double excess = std::abs(DriveEffort(drive, (*modes)[i], step, v) - allowed);
    if (excess <= kRounding * drive.most_effort) continue;
    const int tree = TreeOfVelocity(model.trees, drive.v_index);
    VecX unit = VecX::Zero(model.trees.size[tree]);
    unit[drive.v_index - model.trees.offset[tree]] = 1;
    MatX answer = unit;
    problem.mass.SolveBlockInPlace(tree, answer);
    const double residual = h * excess * unit.dot(answer.col(0));
    if (judgement.worst < 0 || residual > judgement.residual) {
      judgement.residual = residual;
      judgement.worst = static_cast<int>(i);
    }
    if (one_by_one && judgement.changes > 0) continue;
    ++judgement.changes;
    const DriveMode fitting = wanted > drive.most_effort    ? DriveMode::kMost
                              : wanted < -drive.most_effort ? DriveMode::kLeast
                                                            : DriveMode::kWithin;
    // from one limit to the other by what is between: a stiff drive at one limit would always ask for the other
    const bool crosses = (*modes)[i] != DriveMode::kWithin && fitting != DriveMode::kWithin;
    (*modes)[i] = crosses ? DriveMode::kWithin : fitting;
  }
  return judgement;
}

DriveWork ComputeDriveWork(const Model& model, const MotionState& before, const ContactProblem& problem,
                           const ContactSolution& solution, const std::vector<DriveMode>& modes,
                           const std::vector<BoundedRow>& rows) {
  DriveWork work;
  const auto mean = [&](int v) { return 0.5 * (problem.velocity[v] + solution.velocity[v]); };
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].kind != BoundedRow::Kind::kMotor) continue;
    work.motors += solution.bounded[static_cast<Eigen::Index>(row)] * mean(model.drives[rows[row].index].v_index);
  }
  work.all = work.motors;
  for (std::size_t i = 0; i < model.drives.size(); ++i) {
    const JointDrive& drive = model.drives[i];
    if (drive.kind == JointDrive::Kind::kMotor) continue;
    const DriveStep step{before, problem.step, problem.drive_aims[i]};
    work.all +=
        problem.step * DriveEffort(drive, modes[i], step, solution.velocity[drive.v_index]) * mean(drive.v_index);
  }
  return work;
}

}  // namespace slipstick::internal
