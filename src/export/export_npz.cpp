#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>

#include "slipstick/export/export_recording.h"
#include "slipstick/export/zip_file.h"

namespace slipstick::internal {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they are in memory");

// One array of numpy's, NPY format 1.0: a line of text that tells type and shape, then the numbers in a row.
class Array {
 public:
  Array(const std::string& name, const std::string& type, const std::vector<std::size_t>& shape)
      : member_(name + ".npy") {
    std::string extents;
    for (const std::size_t extent : shape) extents += fmt::format("{},", extent);
    std::string line = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, extents);
    // so that the numbers start at a multiple of 64
    line.append(64 - (10 + line.size() + 1) % 64, ' ');
    line += '\n';
    std::string start = "\x93NUMPY";
    start += {'\1', '\0', static_cast<char>(line.size() & 0xFF), static_cast<char>(line.size() >> 8)};
    member_.Append(start + line);
  }
  template <typename T>
  void Append(std::span<const T> values) {
    member_.Append({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  template <typename T>
  void Append(const std::vector<T>& values) {
    Append(std::span<const T>(values));
  }
  void Append(const Vec3& vector) { Append(std::span<const double>(vector.data(), 3)); }
  void Append(const Pose& pose) {
    const Quat& r = pose.rotation;
    const Vec3& p = pose.position;
    Append(std::vector<double>{r.w(), r.x(), r.y(), r.z(), p.x(), p.y(), p.z()});
  }
  ZipMember Take() { return std::move(member_); }

 private:
  ZipMember member_;
};

constexpr const char* kDoubles = "<f8";
constexpr const char* kOffsets = "<i8";

std::u32string CodePoints(const std::string& text) {
  std::u32string points;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    char32_t point = length == 1 ? first : first & (0xFF >> (length + 1));
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k) {
      point = point << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3F);
    }
    points.push_back(point);
    i += length;
  }
  return points;
}

// Texts of one length, filled up with zeros, as numpy has them; `shape` is one number or none.
Array Texts(const std::string& name, const std::vector<std::string>& texts, const std::vector<std::size_t>& shape) {
  std::vector<std::u32string> all;
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    all.push_back(CodePoints(text));
    longest = std::max(longest, all.back().size());
  }
  Array array(name, fmt::format("<U{}", longest), shape);
  for (std::u32string& text : all) {
    text.resize(longest, U'\0');
    array.Append(std::span<const char32_t>(text.data(), text.size()));
  }
  return array;
}

class NpzFile {
 public:
  explicit NpzFile(const std::filesystem::path& file) : zip_(file) {}
  void Add(Array array) { zip_.Add(array.Take()); }
  void AddText(const std::string& name, const std::string& text) { Add(Texts(name, {text}, {})); }
  void AddTexts(const std::string& name, const std::vector<std::string>& texts) {
    Add(Texts(name, texts, {texts.size()}));
  }
  template <typename T>
  void AddNumbers(const std::string& name, const char* type, const std::vector<T>& numbers) {
    Array array(name, type, {numbers.size()});
    array.Append(numbers);
    Add(std::move(array));
  }
  void Commit() { zip_.Commit(); }

 private:
  ZipFile zip_;
};

void AddHeader(const ExportSource& source, NpzFile* npz) {
  const RecordingHeader& header = source.header();
  npz->AddText("scene_name", header.scene_name);
  npz->AddText("scene_yaml", header.scene_yaml);
  npz->AddText("law", header.law);
  npz->AddText("solver", header.solver);
  npz->AddText("stepper", header.stepper);
  npz->AddText("version", header.version);
  npz->AddTexts("body_names", header.body_names);
  npz->AddNumbers("body_releases", kDoubles, header.body_releases);
  std::vector<std::string> bodies, names, types;
  std::vector<std::int64_t> size_offsets = {0}, face_offsets = {0};
  std::vector<double> sizes;
  std::vector<std::int32_t> faces;
  Array poses("shape_pose", kDoubles, {header.shapes.size(), 7});
  for (const RecordingHeader::Shape& shape : header.shapes) {
    bodies.push_back(shape.body);
    names.push_back(shape.name);
    types.push_back(shape.type);
    sizes.insert(sizes.end(), shape.sizes.begin(), shape.sizes.end());
    faces.insert(faces.end(), shape.faces.begin(), shape.faces.end());
    size_offsets.push_back(static_cast<std::int64_t>(sizes.size()));
    face_offsets.push_back(static_cast<std::int64_t>(faces.size()));
    poses.Append(shape.pose);
  }
  npz->AddTexts("shape_body", bodies);
  npz->AddTexts("shape_name", names);
  npz->AddTexts("shape_type", types);
  npz->Add(std::move(poses));
  npz->AddNumbers("shape_sizes", kDoubles, sizes);
  npz->AddNumbers("shape_size_offsets", kOffsets, size_offsets);
  npz->AddNumbers("shape_faces", "<i4", faces);
  npz->AddNumbers("shape_face_offsets", kOffsets, face_offsets);
}

void AddMatrix(const ExportSource& source, const std::string& name, const RowMatX& rows, NpzFile* npz) {
  Array array(name, kDoubles, {source.frames.size(), static_cast<std::size_t>(rows.cols())});
  for (const int frame : source.frames) {
    array.Append(std::span<const double>(rows.data() + frame * rows.cols(), static_cast<std::size_t>(rows.cols())));
  }
  npz->Add(std::move(array));
}

void AddScalars(const ExportSource& source, NpzFile* npz) {
  const RecordingHeader& header = source.header();
  RowMatX rows(source.recording->frame_count(), static_cast<Eigen::Index>(header.scalar_names.size()));
  for (std::size_t i = 0; i < header.scalar_names.size(); ++i) {
    const std::vector<double> column = source.recording->scalar(header.scalar_names[i]);
    rows.col(static_cast<Eigen::Index>(i)) =
        Eigen::Map<const VecX>(column.data(), static_cast<Eigen::Index>(column.size()));
  }
  npz->AddTexts("scalar_names", header.scalar_names);
  AddMatrix(source, "scalars", rows, npz);
}

// All arrays of contacts grow side by side, so that a recording is read once.
void AddContacts(const ExportSource& source, NpzFile* npz) {
  std::vector<std::int64_t> offsets = {0};
  for (const int frame : source.frames) offsets.push_back(offsets.back() + source.recording->contact_count(frame));
  const auto count = static_cast<std::size_t>(offsets.back());
  Array shapes("contact_shapes", "<i4", {count, 2}), key("contact_key", "<u8", {count, 2});
  Array position("contact_position", kDoubles, {count, 3}), normal("contact_normal", kDoubles, {count, 3});
  Array force("contact_force", kDoubles, {count, 3}), moment("contact_moment", kDoubles, {count, 3});
  Array slip("contact_slip_velocity", kDoubles, {count, 3}), gap("contact_gap", kDoubles, {count});
  Array relaxation_gap("contact_relaxation_gap", kDoubles, {count}), state("contact_state", "|i1", {count});
  Array friction("contact_friction", kDoubles, {count, 4});
  Array angular_velocity("contact_angular_velocity", kDoubles, {count, 3});
  Array residual("contact_coulomb_residual", kDoubles, {count});
  const auto one = [](const auto& value) { return std::span(&value, 1); };
  for (const int frame : source.frames) {
    for (const RecordingContact& contact : source.recording->contacts(frame)) {
      shapes.Append(std::vector<std::int32_t>{contact.shape_a, contact.shape_b});
      const std::array<std::uint64_t, 2> words = KeyWords(contact);
      key.Append(std::span<const std::uint64_t>(words));
      position.Append(contact.position);
      normal.Append(contact.normal);
      force.Append(contact.force);
      moment.Append(contact.moment);
      slip.Append(contact.slip_velocity);
      gap.Append(one(contact.gap));
      relaxation_gap.Append(one(contact.relaxation_gap));
      state.Append(one(static_cast<std::int8_t>(contact.state)));
      friction.Append(
          std::vector<double>{contact.friction_static, contact.friction_kinetic, contact.rolling, contact.spinning});
      angular_velocity.Append(contact.angular_velocity);
      residual.Append(one(contact.coulomb_residual));
    }
  }
  npz->AddNumbers("contact_offsets", kOffsets, offsets);
  for (Array* array : {&shapes, &key, &position, &normal, &force, &moment, &slip, &gap, &relaxation_gap, &state,
                       &friction, &angular_velocity, &residual}) {
    npz->Add(std::move(*array));
  }
}

}  // namespace

bool ExportNpz(const ExportSource& source, const std::filesystem::path& file) {
  const RecordingHeader& header = source.header();
  NpzFile npz(file);
  AddHeader(source, &npz);
  npz.AddNumbers("time", kDoubles, source.times);
  Array poses("pose", kDoubles, {source.frames.size(), header.body_names.size(), 7});
  for (std::size_t i = 0; i < source.frames.size(); ++i) {
    for (const Pose& pose : source.PosesAt(source.frames[i])) poses.Append(pose);
    if (!source.GoOn(i)) return false;
  }
  npz.Add(std::move(poses));
  npz.AddTexts("coordinate_names", header.coordinate_names);
  npz.AddTexts("velocity_names", header.velocity_names);
  AddMatrix(source, "q", source.recording->coordinates(), &npz);
  AddMatrix(source, "v", source.recording->velocities(), &npz);
  npz.AddTexts("effort_names", header.effort_names);
  npz.AddTexts("effort_units", header.effort_units);
  AddMatrix(source, "effort", source.recording->efforts(), &npz);
  npz.AddTexts("reaction_names", header.reaction_names);
  npz.AddTexts("reaction_bodies", header.reaction_bodies);
  AddMatrix(source, "reaction", source.recording->reactions(), &npz);
  AddScalars(source, &npz);
  AddContacts(source, &npz);
  npz.Commit();
  return true;
}

}  // namespace slipstick::internal
