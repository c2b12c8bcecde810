#include <algorithm>

#include "slipstick/output/replay_parts.h"

namespace slipstick::internal {
namespace {

std::size_t CountLoaded(const std::vector<RecordingContact>& contacts) {
  return static_cast<std::size_t>(std::count_if(contacts.begin(), contacts.end(),
                                                [](const RecordingContact& contact) { return contact.state != 0; }));
}

// The largest number of contacts a frame may keep so that all frames together keep at most `budget`.
int MostContacts(std::vector<std::size_t> counts, std::size_t budget, int most) {
  std::sort(counts.begin(), counts.end());
  std::size_t left = budget;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::size_t share = left / (counts.size() - i);
    if (counts[i] > share) return static_cast<int>(std::min<std::size_t>(share, static_cast<std::size_t>(most)));
    left -= counts[i];
  }
  return most;
}

// How many contacts carried load in each frame, recorded or not; empty where that is not known.
std::vector<double> LoadedContacts(const RecordingReader& recording) {
  const std::vector<std::string>& names = recording.header().scalar_names;
  const std::string name = "loaded_contacts";
  if (std::find(names.begin(), names.end(), name) == names.end()) return {};
  return recording.scalar(name);
}

bool BodiesTouched(const std::vector<double>& loaded) {
  return std::any_of(loaded.begin(), loaded.end(), [](double count) { return count > 0; });
}

// Frames in a row are read at once: a recording is packed in blocks, which would be unpacked again for each frame.
void ReadPoses(const RecordingReader& recording, std::span<const int> chosen, std::vector<ReplayFrame>* frames) {
  const std::size_t bodies = recording.header().body_names.size();
  std::size_t begin = 0;
  while (begin < chosen.size()) {
    std::size_t end = begin + 1;
    while (end < chosen.size() && chosen[end] == chosen[end - 1] + 1) ++end;
    const std::vector<Pose> poses = recording.poses(chosen[begin], static_cast<int>(end - begin));
    for (std::size_t i = begin; i < end; ++i) {
      const auto first = poses.begin() + static_cast<std::ptrdiff_t>((i - begin) * bodies);
      (*frames)[i].poses.assign(first, first + static_cast<std::ptrdiff_t>(bodies));
    }
    begin = end;
  }
}

}  // namespace

EncodedReplay EncodeReplay(const RecordingReader& recording, const ReplayLimits& limits) {
  const RecordingHeader& header = recording.header();
  const std::vector<double> times = recording.times();
  const std::size_t bodies = std::max<std::size_t>(1, header.body_names.size());
  const std::size_t most_frames = std::max<std::size_t>(1, std::min(limits.frames, limits.poses / bodies));
  const std::size_t stride = std::max<std::size_t>(1, (times.size() + most_frames - 1) / most_frames);
  std::vector<int> chosen;
  for (std::size_t i = 0; i < times.size(); i += stride) chosen.push_back(static_cast<int>(i));
  // how a run ends is what one looks for
  if (!chosen.empty() && chosen.back() != recording.frame_count() - 1) chosen.push_back(recording.frame_count() - 1);

  ReplayFormat format = ChooseReplayFormat(header, chosen.size());
  std::vector<std::size_t> counts;
  counts.reserve(chosen.size());
  for (const int frame : chosen) counts.push_back(CountLoaded(recording.contacts(frame)));
  const std::vector<double> loaded = LoadedContacts(recording);
  EncodedReplay replay;
  replay.has_contacts = std::any_of(counts.begin(), counts.end(), [](std::size_t count) { return count > 0; });
  replay.lacks_contacts = !replay.has_contacts && BodiesTouched(loaded);
  format.most_contacts = MostContacts(std::move(counts), limits.contacts, format.most_contacts);

  replay.header = EncodeReplayHeader(header, format);
  replay.stride = static_cast<int>(stride);
  const std::size_t per_block = static_cast<std::size_t>(format.frames_per_block);
  for (std::size_t begin = 0; begin < chosen.size(); begin += per_block) {
    const std::size_t end = std::min(begin + per_block, chosen.size());
    std::vector<ReplayFrame> frames;
    for (std::size_t i = begin; i < end; ++i) {
      const auto frame = static_cast<std::size_t>(chosen[i]);
      frames.push_back({.t = times[frame],
                        .poses = {},
                        .contacts = recording.contacts(chosen[i]),
                        .loaded = frame < loaded.size() ? static_cast<std::size_t>(loaded[frame]) : 0});
      replay.times.push_back(frames.back().t);
    }
    ReadPoses(recording, std::span(chosen).subspan(begin, end - begin), &frames);
    replay.frames.push_back(static_cast<int>(frames.size()));
    replay.blocks.push_back(EncodeReplayBlock(header, format, frames));
  }
  return replay;
}

}  // namespace slipstick::internal
