#include "slipstick/events/event_settings.h"

namespace slipstick::internal {

SettingSpec StepSpec(double step, const std::string& meaning) {
  return {.name = "step",
          .default_value = step,
          .unit = "s",
          .meaning = meaning,
          .least = 0,
          .most = 1,
          .least_excluded = true};
}

SettingSpec DurationSpec(double duration) {
  return {.name = "duration",
          .default_value = duration,
          .unit = "s",
          .meaning = "simulated time of a run",
          .least = 0,
          .most = 1e9};
}

std::vector<SettingSpec> EventDrivenSettings::Specs() {
  const EventDrivenSettings d;
  return {
      StepSpec(d.step, "time between the states that are judged and may be sampled; no step of the integrator"),
      DurationSpec(d.duration),
      {.name = "relative_tolerance",
       .default_value = d.relative_tolerance,
       .unit = "",
       .meaning = "of the integrator, for each coordinate and velocity",
       .least = 1e-14,
       .most = 1e-3},
      {.name = "absolute_tolerance",
       .default_value = d.absolute_tolerance,
       .unit = "m, m/s, 1 or 1/s",
       .meaning = "of the integrator, for each coordinate and velocity",
       .least = 1e-18,
       .most = 1e-3},
      {.name = "longest_step",
       .default_value = d.longest_step,
       .unit = "s",
       .meaning = "of the integrator; 0: `step`",
       .least = 0},
      {.name = "contact_tolerance",
       .default_value = d.contact_tolerance,
       .unit = "m",
       .meaning = "gap up to which a contact is closed",
       .least = 0,
       .most = 1e-3,
       .least_excluded = true},
      {.name = "accumulation_time",
       .default_value = d.accumulation_time,
       .unit = "s",
       .meaning = "impacts that follow each other as a geometric series are ended where less than this is left of it",
       .least = 0},
      {.name = "most_events",
       .default_value = static_cast<double>(d.most_events),
       .unit = "",
       .meaning = "events after which a run ends",
       .least = 1,
       .most = 1e8,
       .integer = true}};
}

EventDrivenSettings EventDrivenSettings::From(const Settings& settings) {
  EventDrivenSettings s;
  s.step = settings.Number("step");
  s.duration = settings.Number("duration");
  s.relative_tolerance = settings.Number("relative_tolerance");
  s.absolute_tolerance = settings.Number("absolute_tolerance");
  s.longest_step = settings.Number("longest_step");
  s.contact_tolerance = settings.Number("contact_tolerance");
  s.accumulation_time = settings.Number("accumulation_time");
  s.most_events = settings.Integer("most_events");
  return s;
}

}  // namespace slipstick::internal
