#include "slipstick/export/export_recording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "slipstick/base/fault.h"

namespace slipstick::internal {
namespace {

// Frames that are nearest to 0, every, 2 every, … after the first one.
std::vector<int> ChooseFrames(const std::vector<double>& times, double every) {
  std::vector<int> frames;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (every > 0 && !frames.empty()) {
      const double since = times[i] - times.front();
      const double wanted = (std::floor((times[frames.back()] - times.front()) / every + 0.5) + 1) * every;
      // the next one may be nearer
      const double ahead = i + 1 < times.size() ? std::abs(times[i + 1] - times.front() - wanted) : INFINITY;
      if (since < wanted - every / 2 || ahead < std::abs(since - wanted)) continue;
    }
    frames.push_back(static_cast<int>(i));
  }
  return frames;
}

}  // namespace

std::vector<Pose> ExportSource::PosesAt(int frame) const {
  constexpr int kAtOnce = 16;
  const auto bodies = static_cast<std::ptrdiff_t>(header().body_names.size());
  if (cached_frame < 0 || frame < cached_frame || frame >= cached_frame + kAtOnce) {
    cached_frame = frame - frame % kAtOnce;
    cached_poses = recording->poses(cached_frame, std::min(kAtOnce, recording->frame_count() - cached_frame));
  }
  const auto first = cached_poses.begin() + (frame - cached_frame) * bodies;
  return {first, first + bodies};
}

const std::vector<std::string>& ExportFormatNames() {
  static const std::vector<std::string> names = {"vtp", "csv", "npz", "gltf"};  // in the order of ExportFormat
  return names;
}

ExportFormat ExportFormatOf(const std::string& name) {
  const auto& names = ExportFormatNames();
  const auto place = std::find(names.begin(), names.end(), name);
  if (place == names.end()) {
    throw InputError({Fault{.file = "",
                            .line = 0,
                            .key = "--format",
                            .expected = fmt::format("one of {}", fmt::join(names, ", ")),
                            .found = fmt::format("'{}'", name)}});
  }
  return static_cast<ExportFormat>(place - names.begin());
}

std::filesystem::path DefaultExportPlace(const std::filesystem::path& recording, ExportFormat format) {
  const std::filesystem::path folder = std::filesystem::is_directory(recording) ? recording : recording.parent_path();
  switch (format) {
    case ExportFormat::kVtp:
      return folder / "vtp";
    case ExportFormat::kCsv:
      return folder / "csv";
    case ExportFormat::kNpz:
      return folder / "recording.npz";
    default:
      return folder / "recording.glb";
  }
}

bool ExportRecording(const RecordingReader& recording, const ExportSettings& settings) {
  ExportSource source{&recording, {}, {}, settings.on_progress};
  const std::vector<double> times = recording.times();
  if (times.empty()) {
    throw InputError({Fault{.file = "",
                            .line = 0,
                            .key = "recording",
                            .expected = "one frame at least",
                            .found = "a recording without any"}});
  }
  source.frames = ChooseFrames(times, settings.every);
  for (const int frame : source.frames) source.times.push_back(times[frame]);
  switch (settings.format) {
    case ExportFormat::kVtp:
      return ExportVtp(source, settings.output);
    case ExportFormat::kCsv:
      return ExportCsv(source, settings.output);
    case ExportFormat::kNpz:
      return ExportNpz(source, settings.output);
    default:
      return ExportGltf(source, settings.output);
  }
}

}  // namespace slipstick::internal
