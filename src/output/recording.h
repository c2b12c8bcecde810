#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/base/pose.h"

namespace slipstick::internal {

// What stays the same through a run. docs/file-formats.md gives the layout of the file.
struct RecordingHeader {
  struct Shape {
    std::string body;  // the body that carries it, or "world"
    std::string name;
    std::string type;  // ShapeName()
    // m, in the order in which the type's struct in geometry/shape.h lists them; of a hull x, y, z of its corners
    std::vector<double> sizes;
    Pose pose;  // in the body's frame
    // of a hull: for each face how many corners it has and then which, counter-clockwise seen from outside
    std::vector<std::int32_t> faces{};
  };

  std::string scene_name;
  std::string scene_yaml;  // the scene that was run, with every option applied
  std::string law, solver, stepper;
  std::string version;  // of slipstick
  double step = 0;      // s; 0 where the stepper has no fixed one
  std::vector<std::string> body_names;
  std::vector<double> body_releases;  // s: a body is to be seen from then on; empty: all from the start
  struct Inertia {
    double mass = 0;                   // kg
    Vec3 center = Vec3::Zero();        // of mass, in the body's frame; m
    Mat3 about_center = Mat3::Zero();  // in the body's axes; kg m²
  };
  std::vector<Inertia> body_inertias;  // empty: not known
  // m, above 0: poses are stored for a replay, in single precision, positions rounded to whole multiples of the largest
  // power of two up to this, quaternions to 2⁻¹³ (10⁻⁴ rad), so that what is at rest takes no room; 0: doubles as they
  // are.
  double pose_rounding = 0;
  std::vector<Shape> shapes;
  std::vector<std::string> scalar_names;  // further quantities, one value a frame
  std::vector<std::string> coordinate_names, velocity_names;
  // What drives give, with units "N" or "N m", and what joints and constraints do to a body each.
  std::vector<std::string> effort_names, effort_units, reaction_names, reaction_bodies;
};

struct RecordingContact {
  int shape_a = 0, shape_b = 0;  // indices of RecordingHeader::shapes
  // Where it touches each: the part of the shape (a triangle, a piece; 0 of a shape that is one) << 12 | which corner,
  // edge or rim point of it. Stays the same while it touches.
  std::uint32_t place_a = 0, place_b = 0;
  Vec3 position = Vec3::Zero();  // all in world axes; m, N, m/s
  Vec3 normal = Vec3::UnitZ();   // unit, from B towards A
  Vec3 force = Vec3::Zero();     // on A
  Vec3 moment = Vec3::Zero();    // of spinning and rolling friction on A; N m
  Vec3 slip_velocity = Vec3::Zero();
  double gap = 0;             // m, negative where they penetrate
  double relaxation_gap = 0;  // m, that a convex law adds
  int state = 0;              // 0 open, 1 stick, 2 slip
  // Angular velocity of A relative to B [rad/s] and what limits friction: μ where the contact sticks and where it
  // slides, ρ and σ [m] of rolling and spinning. NaN where a file of an older program has none of these.
  Vec3 angular_velocity = Vec3::Zero();
  double friction_static = 0, friction_kinetic = 0, rolling = 0, spinning = 0;
  double coulomb_residual = 0;  // m/s, Certificate's of this contact alone; NaN where an older file has none
};

// A contact's key in files, 128 bits, the more significant word first: shape_a << 32 | shape_b, place_a << 32 |
// place_b.
std::array<std::uint64_t, 2> KeyWords(const RecordingContact& contact);

// World axes; N, N m. simulation/joint_readings.h says of what and about which point.
struct RecordingWrench {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};

// One instant; the spans are as long as the header's lists of names.
struct RecordingFrame {
  double t = 0;                   // s
  std::span<const Pose> poses{};  // of the bodies, in the world
  std::span<const double> q{}, v{}, scalars{};
  std::span<const double> efforts{};  // NaN at the initial state, as of reactions
  std::span<const RecordingWrench> reactions{};
  std::span<const RecordingContact> contacts{};
};

// The file could not be written to its end (the disk is full, the share is gone). The message names the file.
class RecordingError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Writes recording.h5 into a folder while a run goes on. Frames are gathered and written in blocks; a block is written
// at the latest at the first Append that comes two seconds after the last write. Whatever was written is safe: if the
// process is killed at any moment, the reader finds all frames up to the last block. HDF5 is not thread safe, so
// all writers and readers belong to one thread.
class RecordingWriter {
 public:
  // Makes the folder where it is missing and replaces an older recording. Throws InputError where that cannot be done.
  RecordingWriter(const std::filesystem::path& folder, const RecordingHeader& header);
  RecordingWriter(RecordingWriter&&) noexcept;
  RecordingWriter& operator=(RecordingWriter&&) noexcept;
  // Closes, but cannot report a failure; call Close() to hear of it.
  ~RecordingWriter();

  void Append(const RecordingFrame& frame);
  // Writes what is gathered now.
  void Flush();
  // Writes the rest and marks the file as complete. Further calls do nothing; appending afterwards is an error.
  void Close();

 private:
  class File;
  std::unique_ptr<File> file_;
};

// Reads a recording, complete or cut short, also while it is still being written: it shows the frames that were there
// when it was opened. Throws InputError where the file is missing or no recording, and for names that it does not hold.
class RecordingReader {
 public:
  // The folder that holds recording.h5, or the file itself.
  explicit RecordingReader(const std::filesystem::path& path);
  RecordingReader(RecordingReader&&) noexcept;
  RecordingReader& operator=(RecordingReader&&) noexcept;
  ~RecordingReader();

  const RecordingHeader& header() const;
  int frame_count() const;
  bool complete() const;  // the run closed its recording

  std::vector<double> times() const;
  std::vector<double> scalar(const std::string& name) const;
  std::vector<Pose> poses(const std::string& body) const;
  // Of all bodies in `count` frames in a row: those of the first frame, then those of the next …
  std::vector<Pose> poses(int first_frame, int count) const;
  RowMatX coordinates() const;  // a row each frame
  RowMatX velocities() const;
  RowMatX efforts() const;
  RowMatX reactions() const;  // six columns each: force x, y, z, torque x, y, z
  int contact_count(int frame) const;
  std::vector<RecordingContact> contacts(int frame) const;

 private:
  class File;
  std::unique_ptr<File> file_;
};

}  // namespace slipstick::internal
