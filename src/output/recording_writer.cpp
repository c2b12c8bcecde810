#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "slipstick/base/check.h"
#include "slipstick/base/fault.h"
#include "slipstick/output/recording.h"
#include "slipstick/storage/hdf5_file.h"

namespace slipstick::internal {
namespace {

// Blocks of about a megabyte compress well and are read back fast.
constexpr std::size_t kBlockBytes = 1 << 20;
constexpr std::size_t kMostFramesPerBlock = 1024;
constexpr hsize_t kContactsPerBlock = 4096;
// A slow run shows its progress, and loses little when killed. A block that is written before it is full leaves its
// first version behind in the file, which for the large blocks of a replay is to be rare.
constexpr std::chrono::seconds kLongestWait{2}, kLongestWaitOfReplay{30};
// Blocks of a replay hold some frames of not too many bodies: what is at rest then repeats itself within the reach of
// the compression, 32 KB.
constexpr std::size_t kLeastFramesOfReplay = 8;
constexpr hsize_t kBodiesPerReplayBlock = 2048;
constexpr double kQuaternionRounding = 0x1p-13;

std::size_t FramesPerBlock(const RecordingHeader& header) {
  const bool is_replay = header.pose_rounding > 0;
  const std::size_t bytes =
      7 * header.body_names.size() * (is_replay ? sizeof(float) : sizeof(double)) +
      (1 + header.coordinate_names.size() + header.velocity_names.size() + header.scalar_names.size() +
       header.effort_names.size() + 6 * header.reaction_names.size()) *
          sizeof(double);
  return std::clamp<std::size_t>(kBlockBytes / bytes, is_replay ? kLeastFramesOfReplay : 1, kMostFramesPerBlock);
}

double PositionUnit(const RecordingHeader& header) {
  return header.pose_rounding > 0 ? std::exp2(std::floor(std::log2(header.pose_rounding))) : 0.0;
}

double Rounded(double value, double unit) { return std::round(value / unit) * unit; }

void PushPose(const Pose& pose, std::vector<double>* numbers) {
  const Quat& r = pose.rotation;
  const Vec3& p = pose.position;
  numbers->insert(numbers->end(), {r.w(), r.x(), r.y(), r.z(), p.x(), p.y(), p.z()});
}

void PushVector(const Vec3& vector, std::vector<double>* numbers) {
  numbers->insert(numbers->end(), {vector.x(), vector.y(), vector.z()});
}

// Bits that are all zero take no room in a packed file.
RecordingContact InSinglePrecision(RecordingContact contact) {
  for (Vec3* vector : {&contact.position, &contact.normal, &contact.force, &contact.moment, &contact.slip_velocity,
                       &contact.angular_velocity}) {
    *vector = vector->cast<float>().cast<double>();
  }
  for (double* number : {&contact.gap, &contact.relaxation_gap, &contact.friction_static, &contact.friction_kinetic,
                         &contact.rolling, &contact.spinning, &contact.coulomb_residual}) {
    *number = static_cast<float>(*number);
  }
  return contact;
}

Hdf5Handle CreateGroup(hid_t parent, const char* name) {
  return Own(H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

// A dataset that grows, with the values that wait to be written.
template <typename T>
class Column {
 public:
  std::vector<T> waiting;

  void Create(hid_t parent, const char* name, const std::vector<hsize_t>& row, hsize_t rows_per_block) {
    CreateAs(parent, name, Hdf5Type<T>(), row, rows_per_block, 0);
  }
  // With another type in the file, and blocks of only so many items of a row.
  void CreateAs(hid_t parent, const char* name, hid_t type, const std::vector<hsize_t>& row, hsize_t rows_per_block,
                hsize_t most_items) {
    name_ = name;
    width_ = 1;
    for (const hsize_t extent : row) width_ *= extent;
    CreateGrowing(parent, name, type, row, rows_per_block, most_items);
  }
  void Open(hid_t parent) { dataset_ = Own(H5Dopen2(parent, name_.c_str(), H5P_DEFAULT)); }
  // Rows are counted by the caller where they have no width of their own.
  void Write(hsize_t rows) {
    SLIPSTICK_CHECK(waiting.size() == rows * width_, name_);
    if (rows > 0) AppendRows(dataset_.get(), Hdf5Type<T>(), waiting.data(), rows);
    Require(H5Dflush(dataset_.get()));
    waiting.clear();
  }
  void Close() { dataset_.Reset(); }

 private:
  std::string name_;
  std::size_t width_ = 1;
  Hdf5Handle dataset_;
};

void WriteHeader(hid_t file, const RecordingHeader& header) {
  WriteStringAttribute(file, "format", "slipstick recording");
  WriteNumberAttribute<std::int32_t>(file, "format_version", 3);
  WriteNumberAttribute<std::int32_t>(file, "complete", 0);
  WriteStringAttribute(file, "scene_name", header.scene_name);
  WriteStringAttribute(file, "law", header.law);
  WriteStringAttribute(file, "solver", header.solver);
  WriteStringAttribute(file, "stepper", header.stepper);
  WriteStringAttribute(file, "version", header.version);
  WriteNumberAttribute<double>(file, "step", header.step);
  // attributes are limited to 64 KB, scenes are not
  WriteStrings(file, "scene_yaml", {header.scene_yaml});
  WriteNumberAttribute<double>(file, "pose_rounding", PositionUnit(header));
  WriteStrings(file, "body_names", header.body_names);
  const std::vector<double> releases =
      header.body_releases.empty() ? std::vector<double>(header.body_names.size(), 0.0) : header.body_releases;
  const Hdf5Handle release = CreateGrowing(file, "body_releases", H5T_NATIVE_DOUBLE, {}, 1024);
  AppendRows(release.get(), H5T_NATIVE_DOUBLE, releases.data(), releases.size());
  std::vector<double> inertias;
  for (const RecordingHeader::Inertia& one : header.body_inertias) {
    const Mat3& about = one.about_center;
    inertias.push_back(one.mass);
    PushVector(one.center, &inertias);
    inertias.insert(inertias.end(), {about(0, 0), about(1, 1), about(2, 2), about(0, 1), about(0, 2), about(1, 2)});
  }
  const Hdf5Handle inertia = CreateGrowing(file, "body_inertias", H5T_NATIVE_DOUBLE, {10}, 256);
  AppendRows(inertia.get(), H5T_NATIVE_DOUBLE, inertias.data(), header.body_inertias.size());
  WriteStrings(file, "coordinate_names", header.coordinate_names);
  WriteStrings(file, "velocity_names", header.velocity_names);
  WriteStrings(file, "scalar_names", header.scalar_names);
  WriteStrings(file, "effort_names", header.effort_names);
  WriteStrings(file, "effort_units", header.effort_units);
  WriteStrings(file, "reaction_names", header.reaction_names);
  WriteStrings(file, "reaction_bodies", header.reaction_bodies);

  const Hdf5Handle shapes = CreateGroup(file, "shapes");
  std::vector<std::string> bodies, names, types;
  std::vector<double> poses, sizes;
  std::vector<std::int32_t> faces;
  std::vector<std::uint64_t> size_ends, face_ends;
  for (const RecordingHeader::Shape& shape : header.shapes) {
    bodies.push_back(shape.body);
    names.push_back(shape.name);
    types.push_back(shape.type);
    PushPose(shape.pose, &poses);
    sizes.insert(sizes.end(), shape.sizes.begin(), shape.sizes.end());
    size_ends.push_back(sizes.size());
    faces.insert(faces.end(), shape.faces.begin(), shape.faces.end());
    face_ends.push_back(faces.size());
  }
  WriteStrings(shapes.get(), "body", bodies);
  WriteStrings(shapes.get(), "name", names);
  WriteStrings(shapes.get(), "type", types);
  const Hdf5Handle pose = CreateGrowing(shapes.get(), "pose", H5T_NATIVE_DOUBLE, {7}, 256);
  AppendRows(pose.get(), H5T_NATIVE_DOUBLE, poses.data(), header.shapes.size());
  const Hdf5Handle size = CreateGrowing(shapes.get(), "sizes", H5T_NATIVE_DOUBLE, {}, 256);
  AppendRows(size.get(), H5T_NATIVE_DOUBLE, sizes.data(), sizes.size());
  const Hdf5Handle size_end = CreateGrowing(shapes.get(), "sizes_end", H5T_NATIVE_UINT64, {}, 256);
  AppendRows(size_end.get(), H5T_NATIVE_UINT64, size_ends.data(), size_ends.size());
  const Hdf5Handle face = CreateGrowing(shapes.get(), "faces", H5T_NATIVE_INT32, {}, 256);
  AppendRows(face.get(), H5T_NATIVE_INT32, faces.data(), faces.size());
  const Hdf5Handle face_end = CreateGrowing(shapes.get(), "faces_end", H5T_NATIVE_UINT64, {}, 256);
  AppendRows(face_end.get(), H5T_NATIVE_UINT64, face_ends.data(), face_ends.size());
}

}  // namespace

std::array<std::uint64_t, 2> KeyWords(const RecordingContact& contact) {
  const auto join = [](std::uint64_t high, std::uint64_t low) { return high << 32 | low; };
  return {join(static_cast<std::uint32_t>(contact.shape_a), static_cast<std::uint32_t>(contact.shape_b)),
          join(contact.place_a, contact.place_b)};
}

class RecordingWriter::File {
 public:
  File(const std::filesystem::path& folder, const RecordingHeader& header)
      : path_(folder / "recording.h5"),
        bodies_(header.body_names.size()),
        coordinates_(header.coordinate_names.size()),
        velocities_(header.velocity_names.size()),
        scalars_(header.scalar_names.size()),
        efforts_(header.effort_names.size()),
        reactions_(header.reaction_names.size()),
        shapes_(static_cast<int>(header.shapes.size())),
        position_unit_(PositionUnit(header)),
        frames_per_block_(FramesPerBlock(header)) {
    SLIPSTICK_CHECK(header.body_releases.empty() || header.body_releases.size() == bodies_, "a release for each body");
    SLIPSTICK_CHECK(header.body_inertias.empty() || header.body_inertias.size() == bodies_, "an inertia for each body");
    SLIPSTICK_CHECK(header.effort_units.size() == efforts_ && header.reaction_bodies.size() == reactions_,
                    "a unit for each effort, a body for each reaction");
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) FailToBegin(error.message());
    const Hdf5Silence silence;
    try {
      Begin(header);
    } catch (const Hdf5Error& cause) {
      FailToBegin(cause.what());
    }
  }

  void Append(const RecordingFrame& frame) {
    SLIPSTICK_CHECK(file_, "the recording was closed");
    SLIPSTICK_CHECK(frame.poses.size() == bodies_ && frame.q.size() == coordinates_ && frame.v.size() == velocities_ &&
                        frame.scalars.size() == scalars_ && frame.efforts.size() == efforts_ &&
                        frame.reactions.size() == reactions_,
                    "a frame must hold as many numbers as the recording's header has names");
    // all of it is checked first, so that a refused frame leaves no trace
    for (const RecordingContact& contact : frame.contacts) CheckContact(contact);
    time_.waiting.push_back(frame.t);
    for (const Pose& pose : frame.poses) PushPose(position_unit_ > 0 ? RoundedPose(pose) : pose, &pose_.waiting);
    q_.waiting.insert(q_.waiting.end(), frame.q.begin(), frame.q.end());
    v_.waiting.insert(v_.waiting.end(), frame.v.begin(), frame.v.end());
    scalar_.waiting.insert(scalar_.waiting.end(), frame.scalars.begin(), frame.scalars.end());
    effort_.waiting.insert(effort_.waiting.end(), frame.efforts.begin(), frame.efforts.end());
    for (const RecordingWrench& reaction : frame.reactions) {
      PushVector(reaction.force, &reaction_.waiting);
      PushVector(reaction.torque, &reaction_.waiting);
    }
    for (const RecordingContact& contact : frame.contacts) PushContact(contact);
    contact_count_ += frame.contacts.size();
    contacts_end_.waiting.push_back(contact_count_);
    const bool is_late = std::chrono::steady_clock::now() - last_write_ >= longest_wait();
    if (time_.waiting.size() >= frames_per_block_ || is_late) Write();
  }

  // The times are written last: a frame counts once its time is there, and everything else of it is there by then.
  void Write() {
    if (!file_) return;
    const hsize_t frames = time_.waiting.size(), contacts = gap_.waiting.size();
    Guard([&] {
      contact_shapes_.Write(contacts);
      key_.Write(contacts);
      position_.Write(contacts);
      normal_.Write(contacts);
      force_.Write(contacts);
      moment_.Write(contacts);
      slip_velocity_.Write(contacts);
      gap_.Write(contacts);
      relaxation_gap_.Write(contacts);
      state_.Write(contacts);
      friction_.Write(contacts);
      angular_velocity_.Write(contacts);
      coulomb_residual_.Write(contacts);
      contacts_end_.Write(frames);
      pose_.Write(frames);
      q_.Write(frames);
      v_.Write(frames);
      scalar_.Write(frames);
      effort_.Write(frames);
      reaction_.Write(frames);
      time_.Write(frames);
    });
    last_write_ = std::chrono::steady_clock::now();
  }

  void Close() {
    if (!file_) return;
    Write();
    Guard([&] {
      ForEachColumn([](auto& column) { column.Close(); });
      frames_group_.Reset();
      contacts_group_.Reset();
      // Leaving the mode for readers beside a writer needs closing; only then may the mark be set.
      Require(H5Fclose(file_.get()));
      file_ = Hdf5Handle();
      const Hdf5Handle whole = Own(H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
      const Hdf5Handle mark = Own(H5Aopen(whole.get(), "complete", H5P_DEFAULT));
      const std::int32_t is_complete = 1;
      Require(H5Awrite(mark.get(), H5T_NATIVE_INT32, &is_complete));
      Require(H5Fflush(whole.get(), H5F_SCOPE_GLOBAL));
    });
  }

 private:
  [[noreturn]] void FailToBegin(const std::string& reason) const {
    throw InputError({Fault{
        .file = path_.string(), .line = 0, .key = "", .expected = "a file that can be written", .found = reason}});
  }

  // A failure in the midst of a run. Nothing more is written then: what comes after a hole could not be read.
  void Guard(const std::function<void()>& action) {
    const Hdf5Silence silence;
    try {
      action();
    } catch (const Hdf5Error& cause) {
      ForEachColumn([](auto& column) { column.Close(); });
      file_ = Hdf5Handle();
      throw RecordingError(path_.string() + ": the recording cannot be written further: " + cause.what());
    }
  }

  template <typename Action>
  void ForEachColumn(Action action) {
    action(time_), action(pose_), action(q_), action(v_), action(scalar_), action(contacts_end_);
    action(effort_), action(reaction_);
    action(contact_shapes_), action(key_), action(position_), action(normal_), action(force_);
    action(moment_), action(relaxation_gap_);
    action(slip_velocity_), action(gap_), action(state_), action(friction_), action(angular_velocity_);
    action(coulomb_residual_);
  }

  void Begin(const RecordingHeader& header) {
    // The single-writer-multiple-reader mode keeps the file readable at every moment, which plain flushing does not: a
    // kill in the midst of a flush can destroy a plain file.
    const Hdf5Handle access = Own(H5Pcreate(H5P_FILE_ACCESS));
    Require(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110));
    file_ = Own(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()));
    WriteHeader(file_.get(), header);
    frames_group_ = CreateGroup(file_.get(), "frames");
    contacts_group_ = CreateGroup(file_.get(), "contacts");
    CreateColumns();
    frames_group_.Reset();
    contacts_group_.Reset();
    Require(H5Fstart_swmr_write(file_.get()));
    frames_group_ = Own(H5Gopen2(file_.get(), "frames", H5P_DEFAULT));
    contacts_group_ = Own(H5Gopen2(file_.get(), "contacts", H5P_DEFAULT));
    OpenColumns();
  }

  void CreateColumns() {
    const hid_t frames = frames_group_.get(), contacts = contacts_group_.get();
    const hsize_t block = frames_per_block_;
    time_.Create(frames, "time", {}, block);
    if (position_unit_ > 0) {
      pose_.CreateAs(frames, "pose", H5T_NATIVE_FLOAT, {bodies_, 7}, block, kBodiesPerReplayBlock);
    } else {
      pose_.Create(frames, "pose", {bodies_, 7}, block);
    }
    q_.Create(frames, "q", {coordinates_}, block);
    v_.Create(frames, "v", {velocities_}, block);
    scalar_.Create(frames, "scalars", {scalars_}, block);
    effort_.Create(frames, "effort", {efforts_}, block);
    reaction_.Create(frames, "reaction", {reactions_, 6}, block);
    contacts_end_.Create(frames, "contacts_end", {}, block);
    contact_shapes_.Create(contacts, "shapes", {2}, kContactsPerBlock);
    key_.Create(contacts, "key", {2}, kContactsPerBlock);
    position_.Create(contacts, "position", {3}, kContactsPerBlock);
    normal_.Create(contacts, "normal", {3}, kContactsPerBlock);
    force_.Create(contacts, "force", {3}, kContactsPerBlock);
    moment_.Create(contacts, "moment", {3}, kContactsPerBlock);
    slip_velocity_.Create(contacts, "slip_velocity", {3}, kContactsPerBlock);
    gap_.Create(contacts, "gap", {}, kContactsPerBlock);
    relaxation_gap_.Create(contacts, "relaxation_gap", {}, kContactsPerBlock);
    state_.Create(contacts, "state", {}, kContactsPerBlock);
    friction_.Create(contacts, "friction", {4}, kContactsPerBlock);
    angular_velocity_.Create(contacts, "angular_velocity", {3}, kContactsPerBlock);
    coulomb_residual_.Create(contacts, "coulomb_residual", {}, kContactsPerBlock);
  }

  void OpenColumns() {
    for (auto* column : {&time_, &pose_, &q_, &v_, &scalar_, &effort_, &reaction_}) column->Open(frames_group_.get());
    contacts_end_.Open(frames_group_.get());
    for (auto* column : {&position_, &normal_, &force_, &moment_, &slip_velocity_, &gap_, &relaxation_gap_, &friction_,
                         &angular_velocity_, &coulomb_residual_})
      column->Open(contacts_group_.get());
    contact_shapes_.Open(contacts_group_.get());
    key_.Open(contacts_group_.get());
    state_.Open(contacts_group_.get());
  }

  std::chrono::seconds longest_wait() const { return position_unit_ > 0 ? kLongestWaitOfReplay : kLongestWait; }

  Pose RoundedPose(Pose pose) const {
    for (double& number : pose.position) number = Rounded(number, position_unit_);
    for (double& number : pose.rotation.coeffs()) number = Rounded(number, kQuaternionRounding);
    return pose;
  }

  void CheckContact(const RecordingContact& contact) const {
    SLIPSTICK_CHECK(
        contact.shape_a >= 0 && contact.shape_a < shapes_ && contact.shape_b >= 0 && contact.shape_b < shapes_,
        "a contact must name two shapes of the header");
    SLIPSTICK_CHECK(contact.state >= 0 && contact.state <= 2, "a contact is open, sticking or slipping");
  }

  void PushContact(const RecordingContact& given) {
    const RecordingContact contact = position_unit_ > 0 ? InSinglePrecision(given) : given;
    contact_shapes_.waiting.insert(contact_shapes_.waiting.end(), {contact.shape_a, contact.shape_b});
    const std::array<std::uint64_t, 2> key = KeyWords(contact);
    key_.waiting.insert(key_.waiting.end(), key.begin(), key.end());
    PushVector(contact.position, &position_.waiting);
    PushVector(contact.normal, &normal_.waiting);
    PushVector(contact.force, &force_.waiting);
    PushVector(contact.moment, &moment_.waiting);
    PushVector(contact.slip_velocity, &slip_velocity_.waiting);
    gap_.waiting.push_back(contact.gap);
    relaxation_gap_.waiting.push_back(contact.relaxation_gap);
    state_.waiting.push_back(static_cast<std::int8_t>(contact.state));
    friction_.waiting.insert(friction_.waiting.end(),
                             {contact.friction_static, contact.friction_kinetic, contact.rolling, contact.spinning});
    PushVector(contact.angular_velocity, &angular_velocity_.waiting);
    coulomb_residual_.waiting.push_back(contact.coulomb_residual);
  }

  std::filesystem::path path_;
  std::size_t bodies_, coordinates_, velocities_, scalars_, efforts_, reactions_;
  int shapes_;
  double position_unit_;  // 0: poses as they are
  std::size_t frames_per_block_;
  std::uint64_t contact_count_ = 0;
  std::chrono::steady_clock::time_point last_write_ = std::chrono::steady_clock::now();
  Hdf5Handle file_, frames_group_, contacts_group_;
  Column<double> time_, pose_, q_, v_, scalar_, effort_, reaction_;
  Column<std::uint64_t> contacts_end_, key_;
  Column<std::int32_t> contact_shapes_;
  Column<double> position_, normal_, force_, moment_, slip_velocity_, gap_, relaxation_gap_, friction_,
      angular_velocity_, coulomb_residual_;
  Column<std::int8_t> state_;
};

RecordingWriter::RecordingWriter(const std::filesystem::path& folder, const RecordingHeader& header)
    : file_(std::make_unique<File>(folder, header)) {}
RecordingWriter::RecordingWriter(RecordingWriter&&) noexcept = default;
RecordingWriter& RecordingWriter::operator=(RecordingWriter&& other) noexcept {
  // the recording that is given up is closed as by the destructor
  RecordingWriter old(std::move(*this));
  file_ = std::move(other.file_);
  return *this;
}

RecordingWriter::~RecordingWriter() {
  try {
    if (file_) file_->Close();
  } catch (const std::exception&) {
    // Close() is there for those who want to know
  }
}

void RecordingWriter::Append(const RecordingFrame& frame) { file_->Append(frame); }
void RecordingWriter::Flush() { file_->Write(); }
void RecordingWriter::Close() { file_->Close(); }

}  // namespace slipstick::internal
