#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/output/recording.h"

namespace slipstick::internal {

// A recording as the replay of the report page reads it: a header in JSON, and blocks of frames, quantised, each
// deflated by itself so that any of them can be shown without the others. docs/file-formats.md gives the layout. The
// parts are encoded apart, so that they can be embedded into a page as well as sent while a run goes on.

// To what grid numbers are rounded, and how much is kept.
struct ReplayFormat {
  double position_unit = 0;  // m
  double rotation_unit = 0;  // of each of a quaternion's components
  int frames_per_block = 1;
  int most_contacts = 0;  // of a frame: the strongest are kept
};

// One instant. Poses are those of all bodies of the header.
struct ReplayFrame {
  double t = 0;  // s
  std::vector<Pose> poses;
  std::vector<RecordingContact> contacts;
  std::size_t loaded = 0;  // contacts that carried load, where that is more than there are here
};

// What a replay may hold at most; beyond that frames and contacts are thinned out.
struct ReplayLimits {
  std::size_t poses = 5'000'000;  // frames × bodies
  std::size_t frames = 6'000;
  std::size_t contacts = 400'000;  // in all frames together
};

// A fine grid where there are few poses, one that cannot be seen by eye where there are many. `frame_count` is 0 where
// it is not known yet.
ReplayFormat ChooseReplayFormat(const RecordingHeader& header, std::size_t frame_count);

// JSON.
std::string EncodeReplayHeader(const RecordingHeader& header, const ReplayFormat& format);
// Frames in a row, deflated (zlib's format). Numbers that are not finite are taken as 0, in poses as the last one's.
std::string EncodeReplayBlock(const RecordingHeader& header, const ReplayFormat& format,
                              std::span<const ReplayFrame> frames);

// The bytes in zlib's format (RFC 1950).
std::string Deflate(std::string_view bytes);

struct EncodedReplay {
  std::string header;               // as EncodeReplayHeader makes it
  std::vector<double> times;        // s, of all frames
  std::vector<int> frames;          // how many of each block
  std::vector<std::string> blocks;  // as EncodeReplayBlock makes them
  int stride = 1;                   // every so-manieth frame of the recording is there
  bool has_contacts = false;        // in some frame
  // bodies touched, and the recording does not say where; by its scalar "loaded_contacts", which runs record
  bool lacks_contacts = false;
};

// The whole recording, thinned out to the limits: every so-manieth frame, and of each frame the strongest contacts.
EncodedReplay EncodeReplay(const RecordingReader& recording, const ReplayLimits& limits = {});

}  // namespace slipstick::internal
