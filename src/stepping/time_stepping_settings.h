#pragma once

#include "slipstick/assembly/assemble_problem.h"

namespace slipstick::internal {

struct TimeSteppingSettings {
  double step = 1e-3;          // h [s]
  double duration = 1;         // of a run [s]
  bool semi_implicit = false;  // of first order: the problem is that of the step's start, not of its middle
  bool old_velocity = false;   // position update with the old v (Peiret eq 7) instead of v⁺; semi-implicit alone
  bool poisson = false;        // restitution by impulses instead of velocities
  double contact_margin =
      -1;  // contacts are looked for up to this gap [m]; negative: as far as bodies may come in a step
  AssemblySettings assembly;

  static const SettingTable<TimeSteppingSettings>& Table();
  static std::vector<SettingSpec> Specs() { return Table().Specs(); }
  static TimeSteppingSettings From(const Settings& settings) { return Table().From(settings); }
};

}  // namespace slipstick::internal
