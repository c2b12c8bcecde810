#pragma once

#include <string>
#include <vector>

#include "slipstick/base/setting_table.h"

namespace slipstick::internal {

// What every stepper has: the length of its steps, whatever that means to it, and the time of a run.
inline constexpr SettingRange kStepRange{.least = 0, .most = 1, .least_excluded = true};
inline constexpr SettingRange kDurationRange{.least = 0, .most = 1e9};
inline constexpr const char* kDurationMeaning = "simulated time of a run";

// Stepper `event-driven`, docs/theory.md §11.
struct EventDrivenSettings {
  double step = 1e-3;                 // between the states that are seen from outside [s]
  double duration = 1;                // of a run [s]
  double relative_tolerance = 1e-13;  // of the integrator, for each coordinate and velocity
  double absolute_tolerance = 1e-15;  // the same [m, m/s, 1, 1/s]
  double longest_step = 0;            // of the integrator [s]; 0: `step`
  double contact_tolerance = 1e-9;    // gap up to which a contact is closed [m]
  double accumulation_time = 1e-5;    // impacts that would end within so much are ended [s]
  int most_events = 100000;           // of a run

  static const SettingTable<EventDrivenSettings>& Table();
  static std::vector<SettingSpec> Specs() { return Table().Specs(); }
  static EventDrivenSettings From(const Settings& settings) { return Table().From(settings); }
};

}  // namespace slipstick::internal
