#include "slipstick/stepping/time_stepping_settings.h"

#include "slipstick/events/event_settings.h"

namespace slipstick::internal {

const SettingTable<TimeSteppingSettings>& TimeSteppingSettings::Table() {
  using S = TimeSteppingSettings;
  static const SettingTable<S> table = {
      {&S::step, "step", "s", "h, length of a step", kStepRange},
      {&S::duration, "duration", "s", kDurationMeaning, kDurationRange},
      {&S::semi_implicit,
       "scheme",
       "",
       "midpoint: forces and contacts of the step's middle, second order; semi-implicit: of its start, first order",
       {{"midpoint", false}, {"semi-implicit", true}}},
      {&S::old_velocity,
       "position_update",
       "",
       "positions move with v⁺, or with the old v (Peiret eq 7)",
       {{"new-velocity", false}, {"old-velocity", true}}},
      {&S::poisson,
       "restitution",
       "",
       "of impacts: of velocities, Newton's, or of impulses, Poisson's; law max-dissipation has its own setting",
       {{"newton", false}, {"poisson", true}}},
      {&S::contact_margin, "contact_margin", "m",
       "gap up to which contacts are found; negative: as far as bodies may come in a step"},
      {&S::assembly, AssemblySettings::Table()},
  };
  return table;
}

}  // namespace slipstick::internal
