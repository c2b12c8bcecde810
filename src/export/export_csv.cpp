#include <fmt/format.h>

#include "slipstick/base/draft_file.h"
#include "slipstick/export/export_recording.h"

namespace slipstick::internal {
namespace {

// A cell after RFC 4180: in quotes where it needs them.
std::string Cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// Rows of one table, handed to its file in pieces. Numbers have as many digits as it takes to read them back unchanged.
class Table {
 public:
  Table(const std::filesystem::path& file, const std::vector<std::string>& columns) : file_(file) {
    for (const std::string& column : columns) Put(Cell(column));
    EndRow();
  }
  void Put(const std::string& cell) {
    fmt::format_to(std::back_inserter(row_), "{}{}", at_start_ ? "" : ",", cell);
    at_start_ = false;
  }
  void Put(double number) {
    fmt::format_to(std::back_inserter(row_), "{}{}", at_start_ ? "" : ",", number);
    at_start_ = false;
  }
  void Put(const Vec3& vector) {
    for (const double number : vector) Put(number);
  }
  void EndRow() {
    row_.push_back('\n');
    at_start_ = true;
    if (row_.size() > (1 << 20)) Flush();
  }
  void Commit() {
    Flush();
    file_.Commit();
  }

 private:
  void Flush() {
    file_.Write({row_.data(), row_.size()});
    row_.clear();
  }

  DraftFile file_;
  fmt::memory_buffer row_;
  bool at_start_ = true;
};

std::vector<std::string> WithTime(std::vector<std::string> columns) {
  columns.insert(columns.begin(), "time");
  return columns;
}

bool WritePoses(const ExportSource& source, const std::filesystem::path& file) {
  Table table(file, {"time", "body", "x", "y", "z", "qw", "qx", "qy", "qz", "released"});
  const RecordingHeader& header = source.header();
  std::vector<std::string> names;
  for (const std::string& name : header.body_names) names.push_back(Cell(name));
  for (std::size_t i = 0; i < source.frames.size(); ++i) {
    const std::vector<Pose> poses = source.PosesAt(source.frames[i]);
    for (std::size_t body = 0; body < poses.size(); ++body) {
      const Quat& r = poses[body].rotation;
      table.Put(source.times[i]);
      table.Put(names[body]);
      table.Put(poses[body].position);
      for (const double number : {r.w(), r.x(), r.y(), r.z()}) table.Put(number);
      table.Put(std::string(source.times[i] < header.body_releases[body] ? "0" : "1"));
      table.EndRow();
    }
    if (!source.GoOn(i)) return false;
  }
  table.Commit();
  return true;
}

void WriteScalars(const ExportSource& source, const std::filesystem::path& file) {
  const RecordingHeader& header = source.header();
  std::vector<std::vector<double>> columns;
  for (const std::string& name : header.scalar_names) columns.push_back(source.recording->scalar(name));
  Table table(file, WithTime(header.scalar_names));
  for (std::size_t i = 0; i < source.frames.size(); ++i) {
    table.Put(source.times[i]);
    for (const auto& column : columns) table.Put(column[source.frames[i]]);
    table.EndRow();
  }
  table.Commit();
}

void WriteMatrix(const ExportSource& source, const std::vector<std::string>& names, const RowMatX& rows,
                 const std::filesystem::path& file) {
  if (names.empty()) return;  // a recording for replay has none, nor has a scene without joints
  Table table(file, WithTime(names));
  for (std::size_t i = 0; i < source.frames.size(); ++i) {
    table.Put(source.times[i]);
    for (Eigen::Index j = 0; j < rows.cols(); ++j) table.Put(rows(source.frames[i], j));
    table.EndRow();
  }
  table.Commit();
}

std::vector<std::string> EffortColumns(const RecordingHeader& header) {
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < header.effort_names.size(); ++i) {
    columns.push_back(fmt::format("{} [{}]", header.effort_names[i], header.effort_units[i]));
  }
  return columns;
}

std::vector<std::string> ReactionColumns(const RecordingHeader& header) {
  std::vector<std::string> columns;
  for (const std::string& name : header.reaction_names) {
    for (const char* part : {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"}) {
      columns.push_back(fmt::format("{}.{}", name, part));
    }
  }
  return columns;
}

void WriteContacts(const ExportSource& source, const std::filesystem::path& file) {
  std::vector<std::string> columns = {"time",   "body_a",    "shape_a", "body_b", "shape_b", "part_a", "feature_a",
                                      "part_b", "feature_b", "state",   "x",      "y",       "z"};
  for (const char* vector : {"normal", "force", "moment", "slip", "angular_velocity"}) {
    for (const char* axis : {"x", "y", "z"}) columns.push_back(fmt::format("{}_{}", vector, axis));
  }
  columns.insert(columns.end(), {"gap", "relaxation_gap", "friction_static", "friction_kinetic", "rolling", "spinning",
                                 "coulomb_residual"});
  Table table(file, columns);
  const auto& shapes = source.header().shapes;
  const std::string states[] = {"open", "stick", "slip"};
  for (std::size_t i = 0; i < source.frames.size(); ++i) {
    for (const RecordingContact& contact : source.recording->contacts(source.frames[i])) {
      table.Put(source.times[i]);
      for (const int shape : {contact.shape_a, contact.shape_b}) {
        table.Put(Cell(shapes.at(shape).body));
        table.Put(Cell(shapes.at(shape).name));
      }
      for (const std::uint32_t place : {contact.place_a, contact.place_b}) {
        table.Put(std::to_string(place >> 12));
        table.Put(std::to_string(place & 0xfff));
      }
      table.Put(contact.state >= 0 && contact.state < 3 ? states[contact.state] : std::to_string(contact.state));
      for (const Vec3& vector : {contact.position, contact.normal, contact.force, contact.moment, contact.slip_velocity,
                                 contact.angular_velocity}) {
        table.Put(vector);
      }
      for (const double number :
           {contact.gap, contact.relaxation_gap, contact.friction_static, contact.friction_kinetic, contact.rolling,
            contact.spinning, contact.coulomb_residual}) {
        table.Put(number);
      }
      table.EndRow();
    }
  }
  table.Commit();
}

}  // namespace

bool ExportCsv(const ExportSource& source, const std::filesystem::path& folder) {
  DraftFolder draft(folder);
  const RecordingHeader& header = source.header();
  WriteScalars(source, draft.path() / "scalars.csv");
  WriteMatrix(source, header.coordinate_names, source.recording->coordinates(), draft.path() / "coordinates.csv");
  WriteMatrix(source, header.velocity_names, source.recording->velocities(), draft.path() / "velocities.csv");
  WriteMatrix(source, EffortColumns(header), source.recording->efforts(), draft.path() / "efforts.csv");
  WriteMatrix(source, ReactionColumns(header), source.recording->reactions(), draft.path() / "reactions.csv");
  WriteContacts(source, draft.path() / "contacts.csv");
  if (!WritePoses(source, draft.path() / "poses.csv")) return false;
  draft.Commit();
  return true;
}

}  // namespace slipstick::internal
