#pragma once

#include <filesystem>

#include "slipstick/output/recording.h"
#include "slipstick/run/run_simulation.h"
#include "slipstick/scene/scene.h"

namespace slipstick {

// Writes the samples of a run to recording.h5 in a folder.
class RunRecorder {
 public:
  RunRecorder(const std::filesystem::path& folder, const Scene& scene, const Simulation& simulation);
  // To be called from RunOptions::on_sample.
  void Record(const Simulation& simulation, const Trajectory& trajectory);
  void Close() { writer_.Close(); }

 private:
  static RecordingHeader MakeHeader(const Scene& scene, const Simulation& simulation);

  bool records_state_, records_contacts_;
  std::vector<int> bodies_;  // those that are not massless links
  RecordingWriter writer_;
  std::vector<Pose> poses_;
  std::vector<double> scalars_;
  std::vector<RecordingContact> contacts_;
};

}  // namespace slipstick
