#include "slipstick/events/event_settings.h"

namespace slipstick::internal {

const SettingTable<EventDrivenSettings>& EventDrivenSettings::Table() {
  using S = EventDrivenSettings;
  static const SettingTable<S> table = {
      {&S::step, "step", "s", "time between the states that are judged and may be sampled; no step of the integrator",
       kStepRange},
      {&S::duration, "duration", "s", kDurationMeaning, kDurationRange},
      {&S::relative_tolerance, "relative_tolerance", "", "of the integrator, for each coordinate and velocity",
       Between(1e-14, 1e-3)},
      {&S::absolute_tolerance, "absolute_tolerance", "m, m/s, 1 or 1/s",
       "of the integrator, for each coordinate and velocity", Between(1e-18, 1e-3)},
      {&S::longest_step, "longest_step", "s", "of the integrator; 0: `step`", AtLeast(0)},
      {&S::contact_tolerance, "contact_tolerance", "m", "gap up to which a contact is closed", AboveUpTo(0, 1e-3)},
      {&S::accumulation_time, "accumulation_time", "s",
       "impacts that follow each other as a geometric series are ended where less than this is left of it", AtLeast(0)},
      {&S::most_events, "most_events", "", "events after which a run ends", Between(1, 1e8)},
  };
  return table;
}

}  // namespace slipstick::internal
