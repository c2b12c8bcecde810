#include <algorithm>
#include <limits>
#include <map>

#include "slipstick/base/check.h"
#include "slipstick/base/fault.h"
#include "slipstick/output/recording.h"
#include "slipstick/storage/hdf5_file.h"

namespace slipstick::internal {
namespace {

Pose PoseFrom(const double* n) {
  Pose pose;
  pose.rotation = Quat(n[0], n[1], n[2], n[3]);
  pose.position = Vec3(n[4], n[5], n[6]);
  return pose;
}

[[noreturn]] void Fail(const std::filesystem::path& path, const std::string& key, const std::string& expected,
                       const std::string& found) {
  throw InputError({Fault{.file = path.string(), .line = 0, .key = key, .expected = expected, .found = found}});
}

template <typename T>
std::vector<T> ReadAll(hid_t parent, const char* name) {
  const Hdf5Handle dataset = Own(H5Dopen2(parent, name, H5P_DEFAULT));
  return ReadRows<T>(dataset.get(), 0, ExtentOf(dataset.get()).at(0));
}

std::vector<RecordingHeader::Inertia> InertiasFrom(const std::vector<double>& numbers) {
  std::vector<RecordingHeader::Inertia> inertias;
  for (std::size_t i = 0; i + 10 <= numbers.size(); i += 10) {
    const double* n = &numbers[i];
    RecordingHeader::Inertia inertia;
    inertia.mass = n[0];
    inertia.center = Vec3(n + 1);
    inertia.about_center << n[4], n[7], n[8], n[7], n[5], n[9], n[8], n[9], n[6];
    inertias.push_back(inertia);
  }
  return inertias;
}

std::vector<RecordingHeader::Shape> ReadShapes(hid_t file) {
  const Hdf5Handle group = Own(H5Gopen2(file, "shapes", H5P_DEFAULT));
  const std::vector<std::string> bodies = ReadStrings(group.get(), "body");
  const std::vector<std::string> names = ReadStrings(group.get(), "name");
  const std::vector<std::string> types = ReadStrings(group.get(), "type");
  const std::vector<double> poses = ReadAll<double>(group.get(), "pose");
  const std::vector<double> sizes = ReadAll<double>(group.get(), "sizes");
  const std::vector<std::uint64_t> ends = ReadAll<std::uint64_t>(group.get(), "sizes_end");
  // a file of an older program has no faces
  std::vector<std::int32_t> faces;
  std::vector<std::uint64_t> face_ends(bodies.size(), 0);
  if (H5Lexists(group.get(), "faces", H5P_DEFAULT) > 0) {
    faces = ReadAll<std::int32_t>(group.get(), "faces");
    face_ends = ReadAll<std::uint64_t>(group.get(), "faces_end");
  }
  const std::size_t count = bodies.size();
  if (names.size() != count || types.size() != count || poses.size() != 7 * count || ends.size() != count ||
      face_ends.size() != count) {
    throw Hdf5Error("the lists of shapes differ in length");
  }
  std::vector<RecordingHeader::Shape> shapes;
  std::uint64_t begin = 0, first_face = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (ends[i] < begin || ends[i] > sizes.size()) throw Hdf5Error("the sizes of the shapes are out of order");
    if (face_ends[i] < first_face || face_ends[i] > faces.size()) {
      throw Hdf5Error("the faces of the shapes are out of order");
    }
    RecordingHeader::Shape shape;
    shape.body = bodies[i];
    shape.name = names[i];
    shape.type = types[i];
    shape.sizes.assign(sizes.begin() + static_cast<std::ptrdiff_t>(begin),
                       sizes.begin() + static_cast<std::ptrdiff_t>(ends[i]));
    shape.pose = PoseFrom(&poses[7 * i]);
    shape.faces.assign(faces.begin() + static_cast<std::ptrdiff_t>(first_face),
                       faces.begin() + static_cast<std::ptrdiff_t>(face_ends[i]));
    shapes.push_back(std::move(shape));
    begin = ends[i];
    first_face = face_ends[i];
  }
  return shapes;
}

RecordingHeader ReadHeader(hid_t file) {
  RecordingHeader header;
  header.scene_name = ReadStringAttribute(file, "scene_name");
  header.law = ReadStringAttribute(file, "law");
  header.solver = ReadStringAttribute(file, "solver");
  header.stepper = ReadStringAttribute(file, "stepper");
  header.version = ReadStringAttribute(file, "version");
  header.step = ReadNumberAttribute<double>(file, "step");
  const std::vector<std::string> scene = ReadStrings(file, "scene_yaml");
  header.scene_yaml = scene.empty() ? "" : scene.front();
  header.body_names = ReadStrings(file, "body_names");
  // a file of an older program has neither
  if (H5Aexists(file, "pose_rounding") > 0) header.pose_rounding = ReadNumberAttribute<double>(file, "pose_rounding");
  if (H5Lexists(file, "body_releases", H5P_DEFAULT) > 0) header.body_releases = ReadAll<double>(file, "body_releases");
  header.body_releases.resize(header.body_names.size(), 0.0);
  if (H5Lexists(file, "body_inertias", H5P_DEFAULT) > 0) {
    header.body_inertias = InertiasFrom(ReadAll<double>(file, "body_inertias"));
  }
  header.coordinate_names = ReadStrings(file, "coordinate_names");
  header.velocity_names = ReadStrings(file, "velocity_names");
  header.scalar_names = ReadStrings(file, "scalar_names");
  // a file of an older program has none of these
  const auto read_names = [&](const char* name, std::vector<std::string>* names) {
    if (H5Lexists(file, name, H5P_DEFAULT) > 0) *names = ReadStrings(file, name);
  };
  read_names("effort_names", &header.effort_names);
  read_names("effort_units", &header.effort_units);
  read_names("reaction_names", &header.reaction_names);
  read_names("reaction_bodies", &header.reaction_bodies);
  if (header.effort_units.size() != header.effort_names.size() ||
      header.reaction_bodies.size() != header.reaction_names.size()) {
    throw Hdf5Error("the lists of efforts and reactions differ in length");
  }
  header.shapes = ReadShapes(file);
  return header;
}

std::string Join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "nothing at all" : text;
}

}  // namespace

class RecordingReader::File {
 public:
  explicit File(const std::filesystem::path& path)
      : path_(std::filesystem::is_directory(path) ? path / "recording.h5" : path) {
    if (!std::filesystem::exists(path_)) Fail(path_, "", "a recording", "no such file");
    const Hdf5Silence silence;
    try {
      OpenFile();
      header_ = ReadHeader(file_.get());
      OpenFrames();
    } catch (const Hdf5Error& cause) {
      Fail(path_, "", "a slipstick recording", std::string("a file that cannot be read as one: ") + cause.what());
    }
  }

  const std::filesystem::path& path() const { return path_; }
  const RecordingHeader& header() const { return header_; }
  int frame_count() const { return static_cast<int>(frame_count_); }
  bool complete() const { return complete_; }
  bool has_moments() const { return has_moments_; }
  bool has_keys() const { return has_keys_; }
  bool has_limits() const { return has_limits_; }
  bool has_residuals() const { return has_residuals_; }

  template <typename Action>
  auto Guarded(Action action) const {
    const Hdf5Silence silence;
    try {
      return action();
    } catch (const Hdf5Error& cause) {
      Fail(path_, "", "a whole recording", std::string("a part that cannot be read: ") + cause.what());
    }
  }

  template <typename T>
  std::vector<T> Rows(const char* name, hsize_t start, hsize_t count) const {
    return Guarded([&] { return ReadRows<T>(Dataset(name), start, count); });
  }

  // One column of a frames' dataset: item of the second dimension, with all that hangs on it.
  std::vector<double> ItemOverFrames(const char* name, std::size_t item) const {
    return Guarded([&] {
      const hid_t dataset = Dataset(name);
      std::vector<hsize_t> count = ExtentOf(dataset), start(count.size(), 0);
      start.at(1) = item;
      count.at(0) = frame_count_;
      count.at(1) = 1;
      hsize_t size = 1;
      for (const hsize_t extent : count) size *= extent;
      std::vector<double> values(size);
      if (size > 0) ReadSlice(dataset, H5T_NATIVE_DOUBLE, start, count, values.data());
      return values;
    });
  }

  RowMatX Matrix(const char* name, std::size_t width) const {
    // a file of an older program has no efforts and reactions
    if (width == 0) return RowMatX(frame_count(), 0);
    const std::vector<double> values = Rows<double>(name, 0, frame_count_);
    SLIPSTICK_CHECK(values.size() == frame_count_ * width, name);
    RowMatX matrix(frame_count(), static_cast<Eigen::Index>(width));
    std::copy(values.begin(), values.end(), matrix.data());
    return matrix;
  }

  // Index of a name in one of the header's lists.
  std::size_t IndexOf(const std::string& name, const std::vector<std::string>& names) const {
    const auto place = std::find(names.begin(), names.end(), name);
    if (place == names.end()) Fail(path_, "", "one of " + Join(names), "\"" + name + "\"");
    return static_cast<std::size_t>(place - names.begin());
  }

  // The lower words of the keys. A feature of formats 1 and 2 had 12 bits for each side, and shapes had no parts.
  std::vector<std::uint64_t> Places(hsize_t begin, hsize_t count) const {
    std::vector<std::uint64_t> places;
    if (has_keys_) {
      const auto words = Rows<std::uint64_t>("contacts/key", begin, count);
      for (hsize_t i = 0; i < count; ++i) places.push_back(words[2 * i + 1]);
    } else {
      for (const std::uint64_t feature : Rows<std::uint32_t>("contacts/feature", begin, count)) {
        places.push_back(feature >> 12 << 32 | (feature & 0xfff));
      }
    }
    return places;
  }

  std::pair<hsize_t, hsize_t> ContactRange(int frame) const {
    const hsize_t f = static_cast<hsize_t>(frame);
    return {f == 0 ? 0 : contacts_end_[f - 1], contacts_end_[f]};
  }

 private:
  // A file whose writer lives, or was killed, opens only in the mode for readers beside a writer.
  void OpenFile() {
    const std::string name = path_.string();
    file_ = Hdf5Handle(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    if (!file_) {
      // Beside a writer what was read in the midst of a write is read again, after waiting twice as long each time from
      // a nanosecond on; the hundred times that HDF5 would do so do not end where a file is damaged.
      constexpr unsigned kAttempts = 24;
      const Hdf5Handle access = Own(H5Pcreate(H5P_FILE_ACCESS));
      Require(H5Pset_metadata_read_attempts(access.get(), kAttempts));
      file_ = Own(H5Fopen(name.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.get()));
    }
    if (H5Aexists(file_.get(), "format") <= 0 || ReadStringAttribute(file_.get(), "format") != "slipstick recording") {
      throw Hdf5Error("its attribute \"format\" is not \"slipstick recording\"");
    }
    const int format_version = ReadNumberAttribute<std::int32_t>(file_.get(), "format_version");
    if (format_version < 1 || format_version > 3) {
      throw Hdf5Error("its format_version is " + std::to_string(format_version) + ", this program reads 1 to 3");
    }
    has_moments_ = format_version >= 2;
    has_keys_ = format_version >= 3;
    complete_ = ReadNumberAttribute<std::int32_t>(file_.get(), "complete") == 1;
  }

  // Datasets stay open, because the library forgets the blocks it has unpacked when one is closed: reading the contacts
  // frame by frame would unpack the same block again for each.
  hid_t Dataset(const std::string& name) const {
    Hdf5Handle& dataset = datasets_[name];
    if (!dataset) dataset = Own(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT));
    return dataset.get();
  }

  void OpenFrames() {
    const auto require_shape = [&](const char* name, const std::vector<hsize_t>& row) {
      const std::vector<hsize_t> extent = ExtentOf(Dataset(name));
      if (std::vector<hsize_t>(extent.begin() + 1, extent.end()) != row) {
        throw Hdf5Error(std::string(name) + " does not have the shape that the header calls for");
      }
      return extent[0];
    };
    // Read first, because a frame counts by its time, which is written last.
    frame_count_ = require_shape("frames/time", {});
    const hsize_t rows[] = {require_shape("frames/pose", {header_.body_names.size(), 7}),
                            require_shape("frames/q", {header_.coordinate_names.size()}),
                            require_shape("frames/v", {header_.velocity_names.size()}),
                            require_shape("frames/scalars", {header_.scalar_names.size()}),
                            require_shape("frames/contacts_end", {})};
    frame_count_ = std::min(frame_count_, *std::min_element(std::begin(rows), std::end(rows)));
    if (!header_.effort_names.empty()) {
      frame_count_ = std::min(frame_count_, require_shape("frames/effort", {header_.effort_names.size()}));
    }
    if (!header_.reaction_names.empty()) {
      frame_count_ = std::min(frame_count_, require_shape("frames/reaction", {header_.reaction_names.size(), 6}));
    }
    const hsize_t names = has_keys_ ? require_shape("contacts/key", {2}) : require_shape("contacts/feature", {});
    const hsize_t contacts[] = {require_shape("contacts/shapes", {2}),        names,
                                require_shape("contacts/position", {3}),      require_shape("contacts/normal", {3}),
                                require_shape("contacts/force", {3}),         require_shape("contacts/gap", {}),
                                require_shape("contacts/slip_velocity", {3}), require_shape("contacts/state", {})};
    hsize_t contact_count = *std::min_element(std::begin(contacts), std::end(contacts));
    if (has_moments_) {
      contact_count = std::min(
          {contact_count, require_shape("contacts/moment", {3}), require_shape("contacts/relaxation_gap", {})});
    }
    has_limits_ = H5Lexists(file_.get(), "contacts/friction", H5P_DEFAULT) > 0;
    if (has_limits_) {
      contact_count = std::min(
          {contact_count, require_shape("contacts/friction", {4}), require_shape("contacts/angular_velocity", {3})});
    }
    has_residuals_ = H5Lexists(file_.get(), "contacts/coulomb_residual", H5P_DEFAULT) > 0;
    if (has_residuals_) contact_count = std::min(contact_count, require_shape("contacts/coulomb_residual", {}));
    contacts_end_ = ReadRows<std::uint64_t>(Dataset("frames/contacts_end"), 0, frame_count_);
    if (!std::is_sorted(contacts_end_.begin(), contacts_end_.end()) ||
        (!contacts_end_.empty() && contacts_end_.back() > contact_count)) {
      throw Hdf5Error("frames/contacts_end does not fit the contacts");
    }
  }

  std::filesystem::path path_;
  Hdf5Handle file_;
  mutable std::map<std::string, Hdf5Handle> datasets_;
  RecordingHeader header_;
  bool complete_ = false;
  bool has_moments_ = false;    // and relaxation gaps: format 1 has none
  bool has_keys_ = false;       // of 128 bits: formats 1 and 2 have features
  bool has_limits_ = false;     // of friction, and angular velocities: a file of an older program has none
  bool has_residuals_ = false;  // of single contacts, likewise
  hsize_t frame_count_ = 0;
  std::vector<std::uint64_t> contacts_end_;
};

RecordingReader::RecordingReader(const std::filesystem::path& path) : file_(std::make_unique<File>(path)) {}
RecordingReader::RecordingReader(RecordingReader&&) noexcept = default;
RecordingReader& RecordingReader::operator=(RecordingReader&&) noexcept = default;
RecordingReader::~RecordingReader() = default;

const RecordingHeader& RecordingReader::header() const { return file_->header(); }
int RecordingReader::frame_count() const { return file_->frame_count(); }
bool RecordingReader::complete() const { return file_->complete(); }

std::vector<double> RecordingReader::times() const {
  return file_->Rows<double>("frames/time", 0, static_cast<hsize_t>(frame_count()));
}

std::vector<double> RecordingReader::scalar(const std::string& name) const {
  return file_->ItemOverFrames("frames/scalars", file_->IndexOf(name, header().scalar_names));
}

std::vector<Pose> RecordingReader::poses(const std::string& body) const {
  const std::vector<double> numbers = file_->ItemOverFrames("frames/pose", file_->IndexOf(body, header().body_names));
  std::vector<Pose> poses;
  for (std::size_t i = 0; i + 7 <= numbers.size(); i += 7) poses.push_back(PoseFrom(&numbers[i]));
  return poses;
}

std::vector<Pose> RecordingReader::poses(int first_frame, int count) const {
  SLIPSTICK_CHECK(first_frame >= 0 && count >= 0 && first_frame + count <= frame_count(), "there are no such frames");
  const std::vector<double> numbers =
      file_->Rows<double>("frames/pose", static_cast<hsize_t>(first_frame), static_cast<hsize_t>(count));
  std::vector<Pose> poses;
  poses.reserve(numbers.size() / 7);
  for (std::size_t i = 0; i + 7 <= numbers.size(); i += 7) poses.push_back(PoseFrom(&numbers[i]));
  return poses;
}

RowMatX RecordingReader::coordinates() const { return file_->Matrix("frames/q", header().coordinate_names.size()); }
RowMatX RecordingReader::velocities() const { return file_->Matrix("frames/v", header().velocity_names.size()); }
RowMatX RecordingReader::efforts() const { return file_->Matrix("frames/effort", header().effort_names.size()); }
RowMatX RecordingReader::reactions() const {
  return file_->Matrix("frames/reaction", 6 * header().reaction_names.size());
}

int RecordingReader::contact_count(int frame) const {
  SLIPSTICK_CHECK(frame >= 0 && frame < frame_count(), "there is no such frame");
  const auto [begin, end] = file_->ContactRange(frame);
  return static_cast<int>(end - begin);
}

std::vector<RecordingContact> RecordingReader::contacts(int frame) const {
  SLIPSTICK_CHECK(frame >= 0 && frame < frame_count(), "there is no such frame");
  const auto [begin, end] = file_->ContactRange(frame);
  const hsize_t count = end - begin;
  const auto shapes = file_->Rows<std::int32_t>("contacts/shapes", begin, count);
  const std::vector<std::uint64_t> places = file_->Places(begin, count);
  const auto position = file_->Rows<double>("contacts/position", begin, count);
  const auto normal = file_->Rows<double>("contacts/normal", begin, count);
  const auto force = file_->Rows<double>("contacts/force", begin, count);
  const auto moment =
      file_->has_moments() ? file_->Rows<double>("contacts/moment", begin, count) : std::vector<double>(3 * count, 0.0);
  const auto relaxation_gap = file_->has_moments() ? file_->Rows<double>("contacts/relaxation_gap", begin, count)
                                                   : std::vector<double>(count, 0.0);
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const auto friction = file_->has_limits() ? file_->Rows<double>("contacts/friction", begin, count)
                                            : std::vector<double>(4 * count, unknown);
  const auto angular_velocity = file_->has_limits() ? file_->Rows<double>("contacts/angular_velocity", begin, count)
                                                    : std::vector<double>(3 * count, unknown);
  const auto residual = file_->has_residuals() ? file_->Rows<double>("contacts/coulomb_residual", begin, count)
                                               : std::vector<double>(count, unknown);
  const auto slip_velocity = file_->Rows<double>("contacts/slip_velocity", begin, count);
  const auto gap = file_->Rows<double>("contacts/gap", begin, count);
  const auto state = file_->Rows<std::int8_t>("contacts/state", begin, count);
  std::vector<RecordingContact> contacts(count);
  for (hsize_t i = 0; i < count; ++i) {
    RecordingContact& contact = contacts[i];
    contact.shape_a = shapes[2 * i];
    contact.shape_b = shapes[2 * i + 1];
    contact.place_a = static_cast<std::uint32_t>(places[i] >> 32);
    contact.place_b = static_cast<std::uint32_t>(places[i]);
    contact.position = Vec3(&position[3 * i]);
    contact.normal = Vec3(&normal[3 * i]);
    contact.force = Vec3(&force[3 * i]);
    contact.moment = Vec3(&moment[3 * i]);
    contact.slip_velocity = Vec3(&slip_velocity[3 * i]);
    contact.gap = gap[i];
    contact.relaxation_gap = relaxation_gap[i];
    contact.state = state[i];
    contact.angular_velocity = Vec3(&angular_velocity[3 * i]);
    contact.friction_static = friction[4 * i];
    contact.friction_kinetic = friction[4 * i + 1];
    contact.rolling = friction[4 * i + 2];
    contact.spinning = friction[4 * i + 3];
    contact.coulomb_residual = residual[i];
  }
  return contacts;
}

}  // namespace slipstick::internal
