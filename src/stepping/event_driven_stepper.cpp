#include "slipstick/stepping/event_driven_stepper.h"

#include "slipstick/base/check.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/stepping/release_bodies.h"

namespace slipstick::internal {
namespace {

const SlidingFriction& SlidingOf(const Method& method) {
  SLIPSTICK_CHECK(method.sliding.has_value(), "a law that has forces");
  return *method.sliding;
}

}  // namespace

EventDrivenStepper::EventDrivenStepper(std::shared_ptr<const Model> model, const Method& method,
                                       const EventDrivenSettings& settings, const CertificateTolerances& tolerances)
    : model_(std::move(model)),
      settings_(settings),
      events_(model_, method.law, method.solver, SlidingOf(method), settings, tolerances) {}

void EventDrivenStepper::Step(Motion* motion, StepRecord* record) {
  auto& [state, kinematics] = *motion;
  const int before = state.released;
  ReleaseBodies(*model_, settings_.step, motion);
  if (state.released != before) events_.Restart(state);
  record->before = state;
  const double end = state.start_time + static_cast<double>(state.step_count + 1) * settings_.step;
  EventInterval interval = events_.Advance(end);
  record->problem = std::move(interval.at_end.problem);
  record->solution = std::move(interval.at_end.solution);
  record->report = interval.at_end.report;
  record->programs = interval.programs;
  record->certificate = interval.worst;
  record->work = interval.work;
  record->ended = interval.ended;
  record->time = events_.state().time;
  if (!record->certificate.finite) return events_.Resume(state);
  if (!record->ended.empty()) {
    record->certificate.passed = false;
    record->certificate.reason = record->ended;
  }
  ++state.step_count;
  events_.Save(&state);
  UpdateKinematics(*model_, state, &kinematics);
  state.energy.Add(record->work, KineticEnergy(*model_, kinematics), PotentialEnergy(*model_, kinematics));
}

}  // namespace slipstick::internal
