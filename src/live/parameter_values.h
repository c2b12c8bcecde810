#pragma once

#include <map>
#include <string>
#include <vector>

#include "slipstick/output/recording.h"
#include "slipstick/run/run_simulation.h"
#include "slipstick/scene/scene.h"
#include "slipstick/scene_file/scene_reader.h"

namespace slipstick::internal {

// The parameters of a scene and the values they have now. A value may change all that the header of a recording does
// not hold: friction, forces, gravity, settings of laws and solvers; not shapes, masses, the number of bodies or steps.
class ParameterValues {
 public:
  // `overrides` are those that the scene was read with. Throws InputError with all faults where the scene could not be
  // run with the least or the most of a parameter, or would be another recording.
  ParameterValues(const Scene& scene, std::vector<Override> overrides, const Simulation& simulation);

  // Makes the simulation go on from its state with new values; those of names that are not known are left out. Throws
  // InputError, and leaves the simulation as it was, where it cannot be run with them.
  std::vector<ParameterChange> Apply(const std::map<std::string, double>& values, Simulation* simulation);

  const std::vector<SceneParameter>& parameters() const { return parameters_; }

 private:
  Simulation Prepare(const std::vector<SceneParameter>& parameters) const;

  std::string text_, file_;
  std::vector<Override> overrides_;
  std::vector<SceneParameter> parameters_;  // with their present values
  RecordingHeader header_;
};

}  // namespace slipstick::internal
