#include "slipstick/state_file/state_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "slipstick/simulation/simulation_parts.h"
#include "slipstick/state_file/state_archive.h"
#include "slipstick/storage/hdf5_reader.h"
#include "slipstick/storage/hdf5_writer.h"

namespace slipstick {
namespace {

using internal::Hdf5Reader;
using internal::Hdf5Writer;

const std::string kRoot = "/slipstick_state", kInputs = "/slipstick_inputs";
constexpr std::int64_t kFormatVersion = 3;  // a state holds all or nothing: others cannot be restored
constexpr std::int64_t kInputsVersion = 1;
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::string InLines(const std::vector<std::string>& texts) { return fmt::format("{}", fmt::join(texts, "\n")); }

std::vector<std::string> FromLines(const std::string& lines) {
  std::vector<std::string> texts;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) texts.push_back(line);
  return texts;
}

class FileSource : public internal::StateSource {
 public:
  FileSource(const Hdf5Reader& reader, std::string group, std::size_t bytes)
      : reader_(reader), group_(std::move(group)), bytes_(bytes) {}

  std::vector<double> Numbers(const std::string& name) const override { return reader_.Reals(Path(name)); }
  std::vector<std::int64_t> Integers(const std::string& name) const override {
    return reader_.Integers(Path(name), kLeast, kMost);
  }
  std::vector<std::string> Texts(const std::string& name) const override {
    std::vector<std::string> texts = FromLines(reader_.Text(Path(name)));
    // texts that are empty at the end leave no line
    texts.resize(texts.size() + 1);
    return texts;
  }
  [[noreturn]] void Fail(const std::string& name) const override {
    reader_.Fail(Path(name), "as many items as the state counts", "too few, or an impossible count");
  }
  // compressed by no more than HDF5 could
  std::size_t MostItems() const override { return 1024 * bytes_; }

 private:
  std::string Path(const std::string& name) const { return group_ + "/" + name; }

  const Hdf5Reader& reader_;
  std::string group_;
  std::size_t bytes_;
};

void WriteLists(const internal::StateLists& lists, const std::string& group, Hdf5Writer* writer) {
  for (const auto& [name, values] : lists.numbers) writer->Numbers(group + "/" + name, values);
  for (const auto& [name, values] : lists.integers) writer->Numbers(group + "/" + name, values);
  for (const auto& [name, values] : lists.texts) writer->Text(group + "/" + name, InLines(values));
}

void RequireFormat(const Hdf5Reader& reader, const std::string& group, const char* what, std::int64_t version) {
  if (!reader.HasGroup(group)) reader.Fail(group, what, "no such group");
  reader.IntegerAttribute(group, "format_version", version, version);
}

}  // namespace

void SaveState(const std::filesystem::path& file, const Simulation& simulation) {
  Hdf5Writer writer(file);
  writer.Group(kRoot);
  writer.NumberAttribute<std::int32_t>(kRoot, "format_version", kFormatVersion);
  writer.TextAttribute(kRoot, "law", simulation.method().law_name);
  writer.TextAttribute(kRoot, "solver", simulation.method().solver_name);
  writer.TextAttribute(kRoot, "stepper", simulation.stepper_name());
  writer.NumberAttribute<double>(kRoot, "step", simulation.step());
  writer.Text(kRoot + "/coordinates", InLines(simulation.CoordinateNames()));
  WriteLists(internal::ListsOf(simulation.state()), kRoot, &writer);
  writer.Commit();
}

void RestoreState(const std::filesystem::path& file, Simulation* simulation) {
  const Hdf5Reader reader(file);
  RequireFormat(reader, kRoot, "a state that slipstick saved", kFormatVersion);
  std::vector<Fault> faults;
  const auto require = [&](const std::string& what, const std::string& expected, const std::string& found) {
    if (expected != found) faults.push_back({file.string(), 0, what, "that of this simulation, " + expected, found});
  };
  require("law", simulation->method().law_name, reader.TextAttribute(kRoot, "law"));
  require("solver", simulation->method().solver_name, reader.TextAttribute(kRoot, "solver"));
  require("stepper", simulation->stepper_name(), reader.TextAttribute(kRoot, "stepper"));
  require("step", fmt::format("{} s", simulation->step()), fmt::format("{} s", reader.RealAttribute(kRoot, "step")));
  const std::vector<std::string> own = simulation->CoordinateNames(),
                                 others = FromLines(reader.Text(kRoot + "/coordinates"));
  if (own != others) {
    faults.push_back({file.string(), 0, "coordinates", fmt::format("the {} of this simulation", own.size()),
                      fmt::format("{}, or others", others.size())});
  }
  if (!faults.empty()) throw InputError(faults);
  simulation->SetState(internal::StateOf(FileSource(reader, kRoot, std::filesystem::file_size(file))));
}

void SaveInputs(const std::filesystem::path& file, const InputLog& log) {
  Hdf5Writer writer(file);
  writer.Group(kInputs);
  writer.NumberAttribute<std::int32_t>(kInputs, "format_version", kInputsVersion);
  WriteLists(internal::ListsOf(log), kInputs, &writer);
  writer.Commit();
}

InputLog ReadInputs(const std::filesystem::path& file) {
  const Hdf5Reader reader(file);
  RequireFormat(reader, kInputs, "inputs that slipstick saved", kInputsVersion);
  return internal::InputsOf(FileSource(reader, kInputs, std::filesystem::file_size(file)));
}

}  // namespace slipstick
