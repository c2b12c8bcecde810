#include "slipstick/output/replay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include <zlib.h>
#include <nlohmann/json.hpp>

#include "slipstick/base/check.h"
#include "slipstick/output/replay_parts.h"

namespace slipstick::internal {
namespace {

using nlohmann::json;

// Up to so many poses a fine grid costs little.
constexpr std::size_t kFewPoses = 500'000;
// What a live run may show: its number of frames is not known when it starts.
constexpr std::size_t kFewBodies = 200;
// A block takes about as long to unpack as the eye notices, and few of them fit into the memory of a phone.
constexpr std::size_t kPosesPerBlock = 300'000;
constexpr int kLeastFramesPerBlock = 8, kMostFramesPerBlock = 500;
constexpr int kMostContactsOfFrame = 2'000;

double PowerOfTwoBelow(double value) { return std::exp2(std::floor(std::log2(value))); }

double SmallestThickness(const RecordingHeader& header) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const RecordingHeader::Shape& shape : header.shapes) {
    if (const double thickness = ShapeThickness(shape); thickness > 0) smallest = std::min(smallest, thickness);
  }
  return std::isfinite(smallest) ? smallest : 1.0;
}

json PoseJson(const Pose& pose) {
  const Quat& r = pose.rotation;
  const Vec3& p = pose.position;
  return json::array({r.w(), r.x(), r.y(), r.z(), p.x(), p.y(), p.z()});
}

// Shapes that are equal but for where they sit share one geometry: a heap of stones has one.
class GeometryTable {
 public:
  std::size_t Add(const RecordingHeader::Shape& shape) {
    const auto [entry, is_new] = number_of_.try_emplace({shape.type, shape.sizes, shape.faces}, geometries_.size());
    if (is_new) geometries_.push_back({{"type", shape.type}, {"sizes", shape.sizes}, {"faces", shape.faces}});
    return entry->second;
  }
  json Take() { return std::move(geometries_); }

 private:
  std::map<std::tuple<std::string, std::vector<double>, std::vector<std::int32_t>>, std::size_t> number_of_;
  json geometries_ = json::array();
};

json InertiaJson(const RecordingHeader::Inertia& inertia) {
  const Mat3& about = inertia.about_center;
  return json::array({inertia.mass, inertia.center.x(), inertia.center.y(), inertia.center.z(), about(0, 0),
                      about(1, 1), about(2, 2), about(0, 1), about(0, 2), about(1, 2)});
}

// Quaternions q and −q are the same rotation: the sign that is closer to the frame before makes the smaller steps.
Quat Nearer(const Quat& rotation, const Quat& before) {
  return rotation.dot(before) < 0 ? Quat(-rotation.coeffs()) : rotation;
}

std::array<double, 7> Numbers(const Pose& pose) {
  const Quat& r = pose.rotation;
  const Vec3& p = pose.position;
  return {r.w(), r.x(), r.y(), r.z(), p.x(), p.y(), p.z()};
}

void WritePoses(const ReplayFormat& format, std::span<const ReplayFrame> frames, ReplayBytes* bytes) {
  const std::size_t bodies = frames.front().poses.size();
  // [component][frame][body]
  std::array<std::vector<std::int64_t>, 7> steps;
  std::vector<Quat> rotations(bodies, Quat::Identity());
  std::vector<std::array<std::int64_t, 7>> last(bodies, std::array<std::int64_t, 7>{});
  for (const ReplayFrame& frame : frames) {
    SLIPSTICK_CHECK(frame.poses.size() == bodies, "a pose for each body");
    for (std::size_t body = 0; body < bodies; ++body) {
      Pose pose = frame.poses[body];
      pose.rotation = Nearer(pose.rotation, rotations[body]);
      const bool is_finite = pose.rotation.coeffs().allFinite() && pose.position.allFinite();
      if (is_finite) rotations[body] = pose.rotation;
      const std::array<double, 7> numbers = Numbers(pose);
      for (std::size_t i = 0; i < 7; ++i) {
        const double unit = i < 4 ? format.rotation_unit : format.position_unit;
        const std::int64_t whole = is_finite ? RoundedToWhole(numbers[i], unit) : last[body][i];
        steps[i].push_back(whole - last[body][i]);
        last[body][i] = whole;
      }
    }
  }
  for (const std::vector<std::int64_t>& component : steps) {
    for (const std::int64_t step : component) bytes->Signed(step);
  }
}

}  // namespace

double ShapeThickness(const RecordingHeader::Shape& shape) {
  if (shape.sizes.empty()) return 0;
  if (shape.type != "hull") return *std::min_element(shape.sizes.begin(), shape.sizes.end());
  double thickness = std::numeric_limits<double>::infinity();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (std::size_t i = axis; i < shape.sizes.size(); i += 3) {
      least = std::min(least, shape.sizes[i]);
      most = std::max(most, shape.sizes[i]);
    }
    thickness = std::min(thickness, (most - least) / 2);
  }
  return thickness;
}

ReplayFormat ChooseReplayFormat(const RecordingHeader& header, std::size_t frame_count) {
  const std::size_t bodies = std::max<std::size_t>(1, header.body_names.size());
  const bool is_fine = frame_count > 0 ? frame_count * bodies <= kFewPoses : bodies <= kFewBodies;
  ReplayFormat format;
  format.position_unit = PowerOfTwoBelow(SmallestThickness(header) * (is_fine ? 0x1p-18 : 0x1p-9));
  format.rotation_unit = is_fine ? 0x1p-18 : 0x1p-12;
  format.frames_per_block =
      static_cast<int>(std::clamp<std::size_t>(kPosesPerBlock / bodies, kLeastFramesPerBlock, kMostFramesPerBlock));
  format.most_contacts = kMostContactsOfFrame;
  return format;
}

std::string EncodeReplayHeader(const RecordingHeader& header, const ReplayFormat& format) {
  std::map<std::string, int> number_of_body;
  for (std::size_t i = 0; i < header.body_names.size(); ++i) {
    number_of_body.emplace(header.body_names[i], static_cast<int>(i));
  }
  GeometryTable geometries;
  json shapes = json::array();
  for (const RecordingHeader::Shape& shape : header.shapes) {
    const auto body = number_of_body.find(shape.body);
    shapes.push_back({{"body", body == number_of_body.end() ? -1 : body->second},
                      {"name", shape.name},
                      {"geometry", geometries.Add(shape)},
                      {"pose", PoseJson(shape.pose)}});
  }
  json inertias = json::array();
  for (const RecordingHeader::Inertia& inertia : header.body_inertias) inertias.push_back(InertiaJson(inertia));
  const std::vector<double>& releases = header.body_releases;
  const bool some_come_later = std::any_of(releases.begin(), releases.end(), [](double t) { return t > 0; });
  const json encoded = {{"format", "slipstick-replay 2"},
                        {"scene", header.scene_name},
                        {"law", header.law},
                        {"solver", header.solver},
                        {"step", header.step},
                        {"position_unit", format.position_unit},
                        {"rotation_unit", format.rotation_unit},
                        {"most_contacts", format.most_contacts},
                        {"body_names", header.body_names},
                        {"body_releases", some_come_later ? json(releases) : json::array()},
                        {"body_inertias", std::move(inertias)},
                        {"geometries", geometries.Take()},
                        {"shapes", std::move(shapes)}};
  return encoded.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string EncodeReplayBlock(const RecordingHeader& header, const ReplayFormat& format,
                              std::span<const ReplayFrame> frames) {
  SLIPSTICK_CHECK(!frames.empty(), "a block holds at least one frame");
  SLIPSTICK_CHECK(frames.front().poses.size() == header.body_names.size(), "a pose for each body");
  ReplayBytes bytes;
  bytes.Whole(frames.size());
  for (const ReplayFrame& frame : frames) bytes.Double(frame.t);
  WritePoses(format, frames, &bytes);
  WriteReplayContacts(header, format, frames, &bytes);
  return Deflate(bytes.Take());
}

std::string Deflate(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string packed(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()), 6);
  SLIPSTICK_CHECK(status == Z_OK, "zlib has room for what it makes");
  packed.resize(size);
  return packed;
}

}  // namespace slipstick::internal
