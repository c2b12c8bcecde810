#include <fmt/format.h>
#include <zlib.h>

#include <bit>
#include <span>

#include "slipstick/base/check.h"
#include "slipstick/base/draft_file.h"
#include "slipstick/export/export_recording.h"
#include "slipstick/export/recorded_shapes.h"

namespace slipstick::internal {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they are in memory");

constexpr std::size_t kBlock = 1 << 20;  // bytes that are compressed at once

template <typename T>
constexpr const char* kTypeName = nullptr;
template <>
constexpr const char* kTypeName<float> = "Float32";
template <>
constexpr const char* kTypeName<double> = "Float64";
template <>
constexpr const char* kTypeName<std::int32_t> = "Int32";
template <>
constexpr const char* kTypeName<std::int8_t> = "Int8";

// The numbers behind the XML of a VTK file. Each array is the number of blocks, the size of a block, the size of the
// last one where it is smaller, all compressed sizes, each as 64 bits, and the blocks as zlib writes them.
class Appended {
 public:
  // The element that tells of an array, and puts its numbers away.
  template <typename T>
  std::string Add(const char* name, int components, std::span<const T> values) {
    const std::string element = fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
        kTypeName<T>, name, components, data_.size());
    Compress({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
    return element;
  }
  template <typename T>
  std::string Add(const char* name, int components, const std::vector<T>& values) {
    return Add(name, components, std::span<const T>(values));
  }
  const std::string& data() const { return data_; }

 private:
  void Compress(std::string_view bytes) {
    const std::size_t count = (bytes.size() + kBlock - 1) / kBlock, rest = bytes.size() % kBlock;
    std::vector<std::uint64_t> head = {count, count == 0 ? 0 : kBlock, count == 0 ? 0 : rest};
    std::string blocks;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view block = bytes.substr(i * kBlock, kBlock);
      uLongf size = compressBound(block.size());
      std::string packed(size, '\0');
      const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                                   reinterpret_cast<const Bytef*>(block.data()), block.size(), 4);
      SLIPSTICK_CHECK(status == Z_OK, "zlib");
      head.push_back(size);
      blocks.append(packed, 0, size);
    }
    data_.append(reinterpret_cast<const char*>(head.data()), head.size() * sizeof(std::uint64_t));
    data_ += blocks;
  }

  std::string data_;
};

// A file of points and of one kind of cells, "Verts" or "Polys".
struct PolyData {
  double time = 0;
  std::size_t points = 0, cells = 0;
  const char* kind = "Polys";
  std::string point_data, cell_data, point_array, cell_arrays;  // elements
};

void WritePolyData(const PolyData& data, Appended* appended, const std::filesystem::path& file) {
  const std::string time = appended->Add("TimeValue", 1, std::vector{data.time});
  const bool verts = std::string_view(data.kind) == "Verts";
  const std::string head = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<PolyData>\n"
      "<FieldData>\n{}</FieldData>\n"
      "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n<PointData>\n{}</PointData>\n<CellData>\n{}</CellData>\n<Points>\n{}</Points>\n"
      "<{}>\n{}</{}>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_",
      time, data.points, verts ? data.cells : 0, verts ? 0 : data.cells, data.point_data, data.cell_data,
      data.point_array, data.kind, data.cell_arrays, data.kind);
  DraftFile draft(file);
  draft.Write(head);
  draft.Write(appended->data());
  draft.Write("\n</AppendedData>\n</VTKFile>\n");
  draft.Commit();
}

void PushVector(const Vec3& vector, std::vector<double>* numbers) {
  numbers->insert(numbers->end(), {vector.x(), vector.y(), vector.z()});
}

void WriteBodies(const RecordedShapes& shapes, const std::vector<double>& releases, const std::vector<Pose>& poses,
                 double time, const std::filesystem::path& file) {
  std::vector<float> points;
  std::vector<std::int32_t> connectivity, offsets, body, shape;
  for (std::size_t i = 0; i < shapes.shapes.size(); ++i) {
    const RecordedShape& drawn = shapes.shapes[i];
    if (drawn.body >= 0 && time < releases[drawn.body]) continue;  // it is not there yet
    const Pose at = drawn.body >= 0 ? Normalized(poses[drawn.body]) * drawn.pose : drawn.pose;
    const SurfaceMesh& mesh = shapes.meshes[drawn.mesh];
    const auto first = static_cast<std::int32_t>(points.size() / 3);
    for (const Vec3& point : mesh.points) {
      for (const double number : at* point) points.push_back(static_cast<float>(number));
    }
    for (const auto& triangle : mesh.triangles) {
      for (const int corner : triangle) connectivity.push_back(first + corner);
      offsets.push_back(static_cast<std::int32_t>(connectivity.size()));
      body.push_back(drawn.body);
      shape.push_back(static_cast<std::int32_t>(i));
    }
  }
  Appended appended;
  PolyData data{.time = time, .points = points.size() / 3, .cells = offsets.size(), .kind = "Polys"};
  data.cell_data = appended.Add("body", 1, body) + appended.Add("shape", 1, shape);
  data.point_array = appended.Add("Points", 3, points);
  data.cell_arrays = appended.Add("connectivity", 1, connectivity) + appended.Add("offsets", 1, offsets);
  WritePolyData(data, &appended, file);
}

void WriteContacts(const std::vector<RecordingContact>& contacts, const RecordedShapes& shapes, double time,
                   const std::filesystem::path& file) {
  std::vector<double> points, normal, force, moment, slip, gap, friction, residual;
  std::vector<std::int8_t> state;
  std::vector<std::int32_t> body_a, body_b, shape_a, shape_b, connectivity, offsets;
  for (const RecordingContact& contact : contacts) {
    PushVector(contact.position, &points);
    PushVector(contact.normal, &normal);
    PushVector(contact.force, &force);
    PushVector(contact.moment, &moment);
    PushVector(contact.slip_velocity, &slip);
    gap.push_back(contact.gap);
    friction.push_back(contact.state == 2 ? contact.friction_kinetic : contact.friction_static);
    residual.push_back(contact.coulomb_residual);
    state.push_back(static_cast<std::int8_t>(contact.state));
    shape_a.push_back(contact.shape_a);
    shape_b.push_back(contact.shape_b);
    body_a.push_back(shapes.shapes.at(contact.shape_a).body);
    body_b.push_back(shapes.shapes.at(contact.shape_b).body);
    connectivity.push_back(static_cast<std::int32_t>(connectivity.size()));
    offsets.push_back(static_cast<std::int32_t>(connectivity.size()));
  }
  Appended appended;
  PolyData data{.time = time, .points = contacts.size(), .cells = contacts.size(), .kind = "Verts"};
  data.point_data = appended.Add("force", 3, force) + appended.Add("normal", 3, normal) +
                    appended.Add("moment", 3, moment) + appended.Add("slip_velocity", 3, slip) +
                    appended.Add("gap", 1, gap) + appended.Add("friction", 1, friction) +
                    appended.Add("coulomb_residual", 1, residual) + appended.Add("state", 1, state) +
                    appended.Add("body_a", 1, body_a) + appended.Add("body_b", 1, body_b) +
                    appended.Add("shape_a", 1, shape_a) + appended.Add("shape_b", 1, shape_b);
  data.point_array = appended.Add("Points", 3, points);
  data.cell_arrays = appended.Add("connectivity", 1, connectivity) + appended.Add("offsets", 1, offsets);
  WritePolyData(data, &appended, file);
}

std::string FrameFile(const char* series, std::size_t number) { return fmt::format("{}_{:06}.vtp", series, number); }

// The list that gives each file of a series its time.
void WriteSeries(const char* series, const std::vector<double>& times, const std::filesystem::path& folder) {
  std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
  for (std::size_t i = 0; i < times.size(); ++i) {
    text += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", times[i], FrameFile(series, i));
  }
  DraftFile file(folder / fmt::format("{}.pvd", series));
  file.Write(text + "</Collection>\n</VTKFile>\n");
  file.Commit();
}

}  // namespace

bool ExportVtp(const ExportSource& source, const std::filesystem::path& folder) {
  DraftFolder draft(folder);
  const RecordedShapes shapes = ShapesOf(source);
  for (std::size_t i = 0; i < source.frames.size(); ++i) {
    const int frame = source.frames[i];
    WriteBodies(shapes, source.header().body_releases, source.PosesAt(frame), source.times[i],
                draft.path() / FrameFile("bodies", i));
    WriteContacts(source.recording->contacts(frame), shapes, source.times[i], draft.path() / FrameFile("contacts", i));
    if (!source.GoOn(i)) return false;
  }
  WriteSeries("bodies", source.times, draft.path());
  WriteSeries("contacts", source.times, draft.path());
  draft.Commit();
  return true;
}

}  // namespace slipstick::internal
