#include "slipstick/stepping/time_stepping_settings.h"

#include "slipstick/events/event_settings.h"

namespace slipstick::internal {

std::vector<SettingSpec> TimeSteppingSettings::Specs() {
  const TimeSteppingSettings d;
  return {StepSpec(d.step, "h, length of a step"),
          DurationSpec(d.duration),
          {.name = "position_update",
           .default_value = std::string("new-velocity"),
           .unit = "",
           .meaning = "positions move with v⁺, or with the old v (Peiret eq 7)",
           .choices = {"new-velocity", "old-velocity"}},
          {.name = "contact_margin",
           .default_value = d.contact_margin,
           .unit = "m",
           .meaning = "gap up to which contacts are found; negative: as far as bodies may come in a step"},
          {.name = "contact_skin",
           .default_value = d.assembly.contact_skin,
           .unit = "m",
           .meaning = "gap up to which a contact counts as closed; negative: what a free step closes"},
          {.name = "gap_correction",
           .default_value = d.assembly.gap_correction,
           .unit = "",
           .meaning = "share of a closed contact's gap or overlap taken away in a step; 0: velocity level",
           .least = 0,
           .most = 1},
          {.name = "correction_speed",
           .default_value = d.assembly.correction_speed,
           .unit = "m/s",
           .meaning = "fastest correction of a penetration",
           .least = 0},
          {.name = "drift_correction",
           .default_value = d.assembly.drift_correction,
           .unit = "",
           .meaning = "share of the constraints' drift taken away in a step",
           .least = 0,
           .most = 1},
          {.name = "restitution_speed",
           .default_value = d.assembly.restitution_speed,
           .unit = "m/s",
           .meaning = "approach below which nothing bounces",
           .least = 0}};
}

TimeSteppingSettings TimeSteppingSettings::From(const Settings& settings) {
  TimeSteppingSettings s;
  s.step = settings.Number("step");
  s.duration = settings.Number("duration");
  s.old_velocity = settings.Text("position_update") == "old-velocity";
  s.contact_margin = settings.Number("contact_margin");
  s.assembly.contact_skin = settings.Number("contact_skin");
  s.assembly.gap_correction = settings.Number("gap_correction");
  s.assembly.correction_speed = settings.Number("correction_speed");
  s.assembly.drift_correction = settings.Number("drift_correction");
  s.assembly.restitution_speed = settings.Number("restitution_speed");
  return s;
}

}  // namespace slipstick::internal
