#pragma once

#include <filesystem>

#include "slipstick/output/recording.h"
#include "slipstick/run/run_simulation.h"
#include "slipstick/scene/scene.h"

namespace slipstick::internal {

// What stays the same through a recording of the run.
RecordingHeader MakeRecordingHeader(const Scene& scene, const Simulation& simulation);
// Poses of the bodies that a recording holds, and the contacts of the last step, or of more than `most` the strongest
// of those that carry load.
std::vector<Pose> RecordedPoses(const Simulation& simulation);
std::vector<RecordingContact> RecordedContacts(const Simulation& simulation, std::size_t most);

// Writes the samples of a run to recording.h5 in a folder, and what was fed in on the way to inputs.h5.
class RunRecorder {
 public:
  RunRecorder(const std::filesystem::path& folder, const Scene& scene, const Simulation& simulation);
  // To be called from RunOptions::on_sample.
  void Record(const Simulation& simulation, const Trajectory& trajectory);
  // With the simulation that was recorded, whose inputs, if it had any, are written to inputs.h5 beside the recording.
  void Close(const Simulation& simulation);

 private:
  std::filesystem::path folder_;
  bool records_state_;
  std::size_t most_contacts_;
  RecordingWriter writer_;
  std::vector<double> scalars_;
};

}  // namespace slipstick::internal
