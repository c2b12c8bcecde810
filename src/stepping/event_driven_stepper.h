#pragma once

#include "slipstick/events/event_stepper.h"
#include "slipstick/stepping/method_catalog.h"
#include "slipstick/stepping/stepper.h"

namespace slipstick::internal {

// Smooth motion and events, docs/theory.md §11: a step is the motion from one state that is seen from outside to the
// next.
class EventDrivenStepper final : public Stepper {
 public:
  EventDrivenStepper(std::shared_ptr<const Model> model, const Method& method, const EventDrivenSettings& settings,
                     const CertificateTolerances& tolerances);

  double step() const override { return settings_.step; }
  double duration() const override { return settings_.duration; }
  void Begin(const Motion& motion) override { events_.Resume(motion.state); }
  void InputsChanged(const Motion& motion) override { events_.Restart(motion.state); }
  void Step(Motion* motion, StepRecord* record) override;
  const EventLog* events() const override { return &events_.log(); }

 private:
  std::shared_ptr<const Model> model_;
  EventDrivenSettings settings_;
  EventStepper events_;
};

}  // namespace slipstick::internal
