#pragma once

#include <array>
#include <memory>
#include <optional>

#include "slipstick/events/accumulation.h"
#include "slipstick/events/decide_modes.h"
#include "slipstick/events/event_settings.h"
#include "slipstick/events/event_watch.h"
#include "slipstick/events/motion_event.h"
#include "slipstick/events/root_integrator.h"
#include "slipstick/state/state.h"

namespace slipstick::internal {

// What an interval of motion was.
struct EventInterval {
  JudgedAnswer at_end;  // forces at its end, as impulses over a short time, by the law
  Certificate worst;    // of at_end and of all events' impulses: the worst of each figure
  StepWork work;
  int programs = 0;
  std::string ended;  // why the motion cannot go on; empty where it can
};

// Smooth motion by an integrator with error control, from event to event, docs/theory.md §11.
class EventStepper {
 public:
  EventStepper(std::shared_ptr<const Model> model, std::shared_ptr<const Law> law, ProgramSolver solver,
               const SlidingFriction& friction, const EventDrivenSettings& settings,
               const CertificateTolerances& tolerances);
  EventStepper(const EventStepper&) = delete;
  EventStepper& operator=(const EventStepper&) = delete;

  // The next interval begins from this motion, whatever was before. What was counted stays.
  void Restart(const MotionState& state);
  // The next interval begins from this state, as it would have where the state was saved: to the bit, as long as the
  // way that the integrator looks back on leads there again.
  void Resume(const State& state);
  // What the next interval depends on.
  void Save(State* state) const;
  // Moves on until `end`, or where the motion ends before.
  EventInterval Advance(double end);

  const MotionState& state() const { return state_; }
  const EventLog& log() const { return log_; }

 private:
  struct PairState {
    int sticking = 0, sliding = 0;
  };

  bool Evaluate(double t, const VecX& y);
  bool Rate(double t, const VecX& y, VecX* rate);
  void Unpack(double t, const VecX& y);
  VecX Pack() const;
  void SetMargins(double time);
  double RestingSpeed() const;
  std::vector<double> Approaches(const Instant& instant, const std::vector<ContactPoint>& points);
  void BeginMotion(double end);
  void GoOn(double end);
  bool Settle();
  bool Collide(const std::vector<ContactPoint>& closed, const std::vector<double>& approach);
  bool EndSeries(const std::vector<ContactPoint>& closed, const std::vector<double>& approach);
  void Judge(const JudgedAnswer& answer, const std::string& what);
  void TellChanges(const Modes& before);
  void ShortStep(double end);
  void Tell(EventKind kind, int shape_a, int shape_b, int contacts, double speed, const std::string& remark);
  void TellJoint(EventKind kind, int row);
  void Enter(MotionEvent event);
  std::string BodyOf(int shape) const;

  std::shared_ptr<const Model> model_;
  std::shared_ptr<const Law> law_;
  ProgramSolver solver_;
  EventDrivenSettings settings_;
  CertificateTolerances tolerances_;
  SlidingFriction friction_;
  InstantEvaluator evaluator_;
  LawQuestions questions_;
  RootIntegrator integrator_;
  EventWatch watch_;
  ImpactSeries series_;

  MotionState state_;
  Modes modes_;
  bool is_settled_ = false;               // modes_ are those of state_
  bool is_integrating_ = false;           // the integrator has begun with these modes,
  MotionState begun_;                     // here,
  int steps_since_ = 0;                   // and has gone on through the ends of so many intervals
  StepWork work_;                         // of this interval, but for what the integrator counts
  StepWork counted_;                      // what it had counted at the interval's start
  std::vector<EventWatch::Name> fallen_;  // functions that led here
  std::set<std::pair<int, int>> hit_;     // pairs of shapes that collided in this settling
  double settled_time_ = 0;
  int settled_often_ = 0;  // at that time
  EventInterval interval_;

  // of the integrator's last evaluation
  double evaluated_time_ = 0;
  VecX evaluated_;
  Instant instant_;
  SmoothForces forces_;

  EventLog log_;
  long count_ = 0;
};

}  // namespace slipstick::internal
