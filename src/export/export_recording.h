#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "slipstick/output/recording.h"

namespace slipstick::internal {

// Recordings for other people's programs; docs/file-formats.md says what each holds.
enum class ExportFormat { kVtp, kCsv, kNpz, kGltf };

// The formats by the names that the command line has for them.
const std::vector<std::string>& ExportFormatNames();
// Throws InputError where there is no such format.
ExportFormat ExportFormatOf(const std::string& name);

// Where the export of a recording goes if nobody says otherwise: beside it. A folder for vtp and csv, else a file.
std::filesystem::path DefaultExportPlace(const std::filesystem::path& recording, ExportFormat format);

struct ExportSettings {
  ExportFormat format = ExportFormat::kVtp;
  std::filesystem::path output;  // a folder for vtp and csv, else a file
  double every = 0;              // s; of the frames only those nearest to multiples of it; 0: all
  // Called with the share that is done; false ends it, and nothing remains.
  std::function<bool(double)> on_progress = [](double) { return true; };
};

// Whether it went to its end. Throws InputError for what cannot be read or written.
bool ExportRecording(const RecordingReader& recording, const ExportSettings& settings);

// A recording and the frames of it that are wanted.
struct ExportSource {
  const RecordingReader* recording = nullptr;
  std::vector<int> frames;
  std::vector<double> times;  // of these frames
  std::function<bool(double)> on_progress;

  const RecordingHeader& header() const { return recording->header(); }
  // Of all bodies in a frame of the recording; frames are asked for in rising order.
  std::vector<Pose> PosesAt(int frame) const;
  // Says how far it is after the frame of that number in `frames`; false ends it.
  bool GoOn(std::size_t number) const {
    return on_progress(static_cast<double>(number + 1) / static_cast<double>(frames.size()));
  }

  // what PosesAt has read: some frames at once, because the file holds them in blocks
  mutable int cached_frame = -1;
  mutable std::vector<Pose> cached_poses{};
};

// The formats, one file each. They leave nothing where they return false or throw.
bool ExportVtp(const ExportSource& source, const std::filesystem::path& folder);
bool ExportCsv(const ExportSource& source, const std::filesystem::path& folder);
bool ExportNpz(const ExportSource& source, const std::filesystem::path& file);
bool ExportGltf(const ExportSource& source, const std::filesystem::path& file);

}  // namespace slipstick::internal
