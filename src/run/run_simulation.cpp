#include "slipstick/run/run_simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "slipstick/base/check.h"
#include "slipstick/run/sampling.h"

namespace slipstick::internal {

void Spread::Add(double value) {
  // a NaN enters and stays, so that it is seen
  if (!std::isnan(worst) && !(value <= worst)) worst = value;
  square_sum += value * value;
  ++count;
}

double Spread::Rms() const { return count > 0 ? std::sqrt(square_sum / static_cast<double>(count)) : 0.0; }

namespace {

void Account(const StepRecord& record, long number, RunSummary* summary) {
  const Certificate& c = record.certificate;
  ++summary->steps;
  if (c.finite) {
    summary->momentum_residual.Add(c.momentum_residual);
    summary->law_residual.Add(c.law_residual);
    summary->coulomb_residual.Add(c.coulomb_residual);
    summary->cone_violation.Add(c.cone_violation);
    summary->relaxation_gap.Add(c.relaxation_gap);
    summary->complementarity.Add(c.complementarity);
    summary->penetration.Add(c.penetration);
    summary->relative_penetration.Add(c.relative_penetration);
    summary->drift.Add(c.drift);
    summary->energy_gain.Add(c.energy_gain);
    summary->momentum_drift.Add(c.momentum_drift);
  }
  summary->programs.Add(record.programs);
  summary->solver_iterations.Add(record.report.iterations);
  if (record.report.status != SolveStatus::kSolved) ++summary->unsolved_programs;
  summary->largest_contacts = std::max(summary->largest_contacts, static_cast<double>(record.problem.contacts.size()));
  if (!c.passed) {
    ++summary->failed_steps;
    if (summary->failures.size() < 10) summary->failures.push_back({number, record.time, c.reason});
  }
}

// A certificate judges the positions that its step starts from; those after the last step are judged here, and the
// energy that many steps have gained together.
void JudgeEnd(Simulation* simulation, RunSummary* summary) {
  const PositionErrors errors = simulation->JudgePresentPositions();
  summary->penetration.Add(errors.penetration);
  summary->relative_penetration.Add(errors.relative_penetration);
  summary->drift.Add(errors.drift);
  const auto fail = [&](const std::string& reason) {
    // the last step's failure, if it has none of its own
    summary->failed_steps = std::min(summary->failed_steps + 1, std::max(summary->steps, 1L));
    if (summary->failures.size() < 10) {
      summary->failures.push_back({summary->steps, simulation->state().time, "after the last step: " + reason});
    }
  };
  if (!errors.reason.empty()) fail(errors.reason);
  const EnergyAccount& energy = simulation->energy();
  const double allowed = simulation->tolerances().energy;
  if (energy.gained > allowed * energy.scale) {
    fail(fmt::format("energy gained in the run, relative to what it has moved, {:.3g} is above {:.3g}",
                     energy.gained / energy.scale, allowed));
  }
}

}  // namespace

RunResult RunSimulation(Simulation* simulation, const RunOptions& options) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const double h = simulation->step();
  RunResult result;
  RunSummary& summary = result.summary;
  summary.steps_planned = std::lround(options.duration / h);
  summary.duration = simulation->time() + options.duration;
  summary.end_time_planned = simulation->time() + static_cast<double>(summary.steps_planned) * h;
  summary.constraints = CountConstraints(simulation->model(), simulation->state(), simulation->kinematics());
  summary.overlaps = FindOverlaps(*simulation);
  const std::optional<long> stride = SampleStride(options.sample_every, h);
  SLIPSTICK_CHECK(stride.has_value(), "samples stand at whole numbers of steps");
  result.trajectory = StartTrajectory(*simulation, options.tracked_bodies, options.reads_joints);
  if (options.on_sample) options.on_sample(*simulation, result.trajectory);
  std::optional<MotionWatch> watch;
  if (options.scene != nullptr) watch.emplace(*options.scene, *simulation);

  simulation->RecordInputs();
  auto last_progress = start;
  for (long k = 1; k <= summary.steps_planned; ++k) {
    if (options.before_step && !options.before_step(simulation)) {
      summary.stopped = true;
      break;
    }
    const StepRecord& record = simulation->Step();
    Account(record, k, &summary);
    if (options.on_step) options.on_step(record, k);
    if (!record.certificate.finite) {
      summary.stopped = summary.not_finite = true;
      break;
    }
    if (watch) watch->See(*simulation);
    if (!record.ended.empty()) {
      summary.stopped = true;
      break;
    }
    if (k % *stride == 0 || k == summary.steps_planned) {
      AppendSample(*simulation, &result.trajectory);
      if (options.on_sample) options.on_sample(*simulation, result.trajectory);
    }
    // the clock is read now and then only: a step may take a microsecond
    if (options.on_progress && (k % 64 == 0 || record.problem.contacts.size() > 50)) {
      const auto now = Clock::now();
      if (now - last_progress > std::chrono::milliseconds(100)) {
        last_progress = now;
        if (!options.on_progress({simulation->state().time, options.duration, k, summary.steps_planned,
                                  record.problem.contacts.size(), record.certificate.law_residual})) {
          summary.stopped = true;
          break;
        }
      }
    }
  }
  if (!summary.not_finite) JudgeEnd(simulation, &summary);
  if (watch) summary.watched = watch->Results();
  summary.energy = simulation->energy();
  summary.end_time = simulation->state().time;
  summary.state_hash = simulation->StateHash();
  if (simulation->events() != nullptr) summary.events = simulation->events()->listed;
  summary.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace slipstick::internal
