#include <fmt/format.h>

#include <cmath>

#include "commands.h"
#include "progress_bar.h"
#include "slipstick/base/fault.h"
#include "slipstick/export/export_recording.h"

namespace slipstick::internal {

int Export(const ExportArguments& arguments) {
  ExportSettings settings;
  settings.format = ExportFormatOf(arguments.format);
  settings.every = arguments.every;
  if (!(arguments.every >= 0) || !std::isfinite(arguments.every)) {
    throw InputError({Fault{.file = "",
                            .line = 0,
                            .key = "--every",
                            .expected = "seconds, 0 or more",
                            .found = fmt::format("{}", arguments.every)}});
  }
  const RecordingReader recording(arguments.recording);
  settings.output = arguments.output.empty() ? DefaultExportPlace(arguments.recording, settings.format)
                                             : std::filesystem::path(arguments.output);
  ProgressBar bar(arguments.quiet);
  settings.on_progress = [&](double done) {
    bar.Show(done, "export", settings.output.filename().string());
    return !Interrupted();
  };
  const bool finished = ExportRecording(recording, settings);
  bar.Clear();
  if (!finished) {
    fmt::print("interrupted, nothing was written\n");
    return kExitInterrupted;
  }
  if (!recording.complete())
    fmt::print("the run was cut short, or goes on: {} frames are there\n", recording.frame_count());
  fmt::print("{}\n", settings.output.string());
  return kExitPassed;
}

}  // namespace slipstick::internal
