#include "slipstick/problem/contact_problem_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <sstream>
#include <utility>
#include <vector>

#include "slipstick/base/fault.h"
#include "slipstick/storage/hdf5_reader.h"
#include "slipstick/storage/hdf5_writer.h"

namespace slipstick::internal {
namespace {

// Older ones are still read: 1 has no rolling, spinning and compliance; up to 2 keys of contacts have 64 bits, and what
// laws keep is the bristles' spring force alone.
constexpr std::int64_t kFormatVersion = 4;
constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
// Far beyond every mechanism; it keeps the square of a damaged size within what the file can hold.
constexpr std::int64_t kLargestBlock = 1 << 20;
const std::string kRoot = kContactProblemGroup;

// Fields by their path below the group, numbers checked to be finite.
class Saver {
 public:
  explicit Saver(const std::filesystem::path& file) : name_(file.string()), writer_(file) {}

  void Group(const std::string& path) { writer_.Group(kRoot + path); }
  void Numbers(const std::string& path, const std::vector<double>& values, bool may_be_infinite = false) {
    for (const double value : values) {
      if (std::isfinite(value) || (may_be_infinite && std::isinf(value))) continue;
      throw InputError(
          {Fault{.file = name_, .key = kRoot + path, .expected = "finite numbers", .found = std::to_string(value)}});
    }
    writer_.Numbers(kRoot + path, values);
  }
  void Numbers(const std::string& path, const VecX& values, bool may_be_infinite = false) {
    Numbers(path, std::vector<double>(values.begin(), values.end()), may_be_infinite);
  }
  void Numbers(const std::string& path, const std::vector<Vec3>& values) {
    std::vector<double> flat;
    for (const Vec3& value : values) flat.insert(flat.end(), value.begin(), value.end());
    Numbers(path, flat);
  }
  template <typename T>
  void Integers(const std::string& path, const std::vector<T>& values) {
    writer_.Numbers(kRoot + path, values);
  }
  Hdf5Writer& writer() { return writer_; }

 private:
  std::string name_;
  Hdf5Writer writer_;
};

class Loader {
 public:
  explicit Loader(const std::filesystem::path& file) : reader_(file) {}

  std::vector<double> Reals(const std::string& path, long long length, bool may_be_infinite = false) const {
    std::vector<double> values = reader_.Reals(kRoot + path, length);
    for (const double value : values) {
      if (std::isfinite(value) || (may_be_infinite && std::isinf(value))) continue;
      reader_.Fail(kRoot + path, "finite numbers", std::to_string(value));
    }
    return values;
  }
  void Numbers(const std::string& path, long long length, std::vector<double>* values,
               bool may_be_infinite = false) const {
    *values = Reals(path, length, may_be_infinite);
  }
  void Numbers(const std::string& path, long long length, VecX* values, bool may_be_infinite = false) const {
    const std::vector<double> flat = Reals(path, length, may_be_infinite);
    *values = Eigen::Map<const VecX>(flat.data(), static_cast<Eigen::Index>(flat.size()));
  }
  void Numbers(const std::string& path, long long length, std::vector<Vec3>* values) const {
    const std::vector<double> flat = Reals(path, 3 * length);
    for (std::size_t i = 0; i < flat.size(); i += 3) values->emplace_back(flat[i], flat[i + 1], flat[i + 2]);
  }
  template <typename T>
  void Integers(const std::string& path, long long length, std::int64_t least, std::int64_t most,
                std::vector<T>* values) const {
    for (const std::int64_t value : reader_.Integers(kRoot + path, least, most, length)) {
      values->push_back(static_cast<T>(value));
    }
  }
  const Hdf5Reader& reader() const { return reader_; }

 private:
  Hdf5Reader reader_;
};

constexpr int kFreeValues = 10;  // mass, centre, lower half of the inertia

// --- mass -----------------------------------------------------------------------------------------------------------

void SaveMass(const BlockDiagonal& mass, Saver* saver) {
  saver->Group("/mass");
  saver->Integers("/mass/sizes", mass.layout().size);
  std::vector<double> values;
  for (int b = 0; b < mass.layout().count(); ++b) {
    const MatX block = mass.Dense(b);
    values.insert(values.end(), block.data(), block.data() + block.size());
  }
  saver->Numbers("/mass/values", values);
  // free bodies also as mass, centre and inertia, from which alone the same bits follow
  std::vector<int> free_blocks;
  std::vector<double> free_values;
  for (int b = 0; b < mass.layout().count(); ++b) {
    if (!mass.IsSet(b)) continue;
    const RigidMass& body = *mass.rigid(b);
    const Mat3& i = body.inertia;
    free_blocks.push_back(b);
    free_values.insert(free_values.end(), {body.mass, body.com.x(), body.com.y(), body.com.z(), i(0, 0), i(1, 0),
                                           i(2, 0), i(1, 1), i(2, 1), i(2, 2)});
  }
  saver->Integers("/mass/free_blocks", free_blocks);
  saver->Numbers("/mass/free_values", free_values);
}

void LoadMass(const Loader& loader, BlockDiagonal* mass) {
  std::vector<int> sizes;
  loader.Integers("/mass/sizes", Hdf5Reader::kAnyLength, 0, kLargestBlock, &sizes);
  std::int64_t total = 0, entries = 0;
  for (const int size : sizes) {
    total += size;
    entries += static_cast<std::int64_t>(size) * size;
  }
  if (total > kMost || entries > kMost) {
    loader.reader().Fail(kRoot + "/mass/sizes", "a smaller matrix", std::to_string(entries) + " entries");
  }
  const std::vector<double> values = loader.Reals("/mass/values", entries);
  BlockLayout layout;
  for (const int size : sizes) layout.Append(size);
  std::vector<int> free_blocks;
  std::vector<double> free_values;
  if (loader.reader().HasDataset(kRoot + "/mass/free_blocks")) {
    loader.Integers("/mass/free_blocks", Hdf5Reader::kAnyLength, 0, layout.count() - 1, &free_blocks);
    free_values = loader.Reals("/mass/free_values", kFreeValues * static_cast<long long>(free_blocks.size()));
  }
  std::vector<char> is_free(layout.count(), 0);
  for (std::size_t k = 0; k < free_blocks.size(); ++k) {
    if (layout.size[free_blocks[k]] != 6) {
      loader.reader().Fail(kRoot + "/mass/free_blocks[" + std::to_string(k) + "]", "a block of 6 velocities",
                           std::to_string(layout.size[free_blocks[k]]));
    }
    is_free[free_blocks[k]] = 1;
  }
  mass->Reset(layout, is_free);
  auto source = values.begin();
  for (int b = 0; b < layout.count(); ++b) {
    const int entries_of_block = layout.size[b] * layout.size[b];
    if (!is_free[b]) std::copy_n(source, entries_of_block, mass->block(b).data());
    source += entries_of_block;
  }
  for (std::size_t k = 0; k < free_blocks.size(); ++k) {
    const double* of = free_values.data() + kFreeValues * k;
    Mat3 inertia;
    inertia << of[4], of[5], of[6], of[5], of[7], of[8], of[6], of[8], of[9];
    mass->SetFree(free_blocks[k], of[0], Vec3(of[1], of[2], of[3]), inertia);
  }
  mass->Factorize();
}

// --- Jacobians ------------------------------------------------------------------------------------------------------

void SaveJacobian(const std::string& path, const BlockRows& jacobian, Saver* saver) {
  std::vector<int> rows, block_a, block_b;
  std::vector<double> values;
  for (int g = 0; g < jacobian.groups(); ++g) {
    rows.push_back(jacobian.rows(g));
    block_a.push_back(jacobian.block_a(g));
    block_b.push_back(jacobian.block_b(g));
    for (const auto& piece : {jacobian.piece_a(g), jacobian.piece_b(g)}) {
      values.insert(values.end(), piece.data(), piece.data() + piece.size());
    }
  }
  saver->Group(path);
  saver->Integers(path + "/rows", rows);
  saver->Integers(path + "/block_a", block_a);
  saver->Integers(path + "/block_b", block_b);
  saver->Numbers(path + "/values", values);
}

// With `frames`, those of its groups.
void LoadJacobian(const std::string& path, const BlockLayout& layout, const Loader& loader,
                  const std::vector<BlockRows::Frame>* frames, BlockRows* jacobian) {
  std::vector<int> rows, block_a, block_b;
  loader.Integers(path + "/rows", Hdf5Reader::kAnyLength, 0, kLargestBlock, &rows);
  const auto groups = static_cast<long long>(rows.size());
  loader.Integers(path + "/block_a", groups, -1, layout.count() - 1, &block_a);
  loader.Integers(path + "/block_b", groups, -1, layout.count() - 1, &block_b);
  const auto columns = [&](int block) -> std::int64_t { return block < 0 ? 0 : layout.size[block]; };
  std::int64_t entries = 0, total_rows = 0;
  for (std::size_t g = 0; g < rows.size(); ++g) {
    if (block_a[g] >= 0 && block_a[g] == block_b[g]) {
      loader.reader().Fail(kRoot + path + "/block_b[" + std::to_string(g) + "]", "another block than block_a's",
                           std::to_string(block_b[g]));
    }
    entries += rows[g] * (columns(block_a[g]) + columns(block_b[g]));
    total_rows += rows[g];
    if (entries > kMost || total_rows > kMost) {
      loader.reader().Fail(kRoot + path, "a smaller matrix", std::to_string(entries) + " entries");
    }
  }
  const std::vector<double> values = loader.Reals(path + "/values", entries);
  jacobian->Reset(layout);
  auto source = values.begin();
  for (std::size_t g = 0; g < rows.size(); ++g) {
    const bool has_frame = frames != nullptr && g < frames->size() && rows[g] == 3;
    const int group = has_frame ? jacobian->Append((*frames)[g], block_a[g], block_b[g])
                                : jacobian->Append(rows[g], block_a[g], block_b[g]);
    for (auto piece : {jacobian->piece_a(group), jacobian->piece_b(group)}) {
      std::copy(source, source + piece.size(), piece.data());
      source += piece.size();
    }
  }
}

// --- contacts -------------------------------------------------------------------------------------------------------

void SaveHistory(const ContactSet& contacts, Saver* saver) {
  std::vector<std::int8_t> known;
  std::vector<double> normal;
  std::vector<Vec3> tangential, moment;
  for (int i = 0; i < contacts.size(); ++i) {
    const ContactHistory& entry = contacts.history[i];
    known.push_back(entry.known ? 1 : 0);
    normal.push_back(entry.normal_force);
    tangential.push_back(entry.tangential_force);
    moment.push_back(entry.moment);
  }
  saver->Group("/contacts/history");
  saver->Integers("/contacts/history/known", known);
  saver->Numbers("/contacts/history/normal_force", normal);
  saver->Numbers("/contacts/history/tangential_force", tangential);
  saver->Numbers("/contacts/history/moment", moment);
}

// Slots by lines with name, unit, kind and meaning between tabs.
void SaveMemory(const ContactSet& contacts, Saver* saver) {
  if (contacts.slots.empty()) return;
  std::string lines;
  for (const MemorySlot& slot : contacts.slots) {
    const char* kind = slot.kind == MemorySlot::Kind::kVector ? "vector" : "scalar";
    lines += slot.name + '\t' + slot.unit + '\t' + kind + '\t' + slot.meaning + '\n';
  }
  saver->Group("/contacts/memory");
  saver->writer().Text(kRoot + "/contacts/memory/slots", lines);
  saver->Numbers("/contacts/memory/values", contacts.memory);
}

void LoadMemory(const Loader& loader, std::int64_t version, ContactSet* contacts) {
  if (version < 3) {
    contacts->slots = {{"spring_force", "N", "the part of the friction on A that the bristles' deflection gives",
                        MemorySlot::Kind::kVector}};
    loader.Numbers("/contacts/history/spring_force", 3LL * contacts->size(), &contacts->memory);
    return;
  }
  if (!loader.reader().HasGroup(kRoot + "/contacts/memory")) return;
  const std::string path = "/contacts/memory/slots";
  std::istringstream lines(loader.reader().Text(kRoot + path));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    MemorySlot slot;
    std::string kind;
    std::getline(words, slot.name, '\t');
    std::getline(words, slot.unit, '\t');
    std::getline(words, kind, '\t');
    std::getline(words, slot.meaning);
    if (slot.name.empty() || (kind != "vector" && kind != "scalar")) {
      loader.reader().Fail(kRoot + path, "lines of name, unit, scalar or vector, meaning, with tabs between", line);
    }
    slot.kind = kind == "vector" ? MemorySlot::Kind::kVector : MemorySlot::Kind::kScalar;
    contacts->slots.push_back(slot);
  }
  loader.Numbers("/contacts/memory/values", static_cast<long long>(contacts->size()) * TotalSize(contacts->slots),
                 &contacts->memory);
}

// The parts of a key, one list each; shared by saving and loading.
constexpr const char* kKeyParts[] = {"shape_a", "shape_b", "part_a", "part_b", "feature_a", "feature_b"};

void SaveKeys(const ContactSet& contacts, Saver* saver) {
  std::array<std::vector<std::uint32_t>, std::size(kKeyParts)> lists;
  for (const ContactKey& key : contacts.key) {
    const std::uint32_t parts[] = {key.shape_a,  key.shape_b,     key.part_a(),
                                   key.part_b(), key.feature_a(), key.feature_b()};
    for (std::size_t k = 0; k < lists.size(); ++k) lists[k].push_back(parts[k]);
  }
  for (std::size_t k = 0; k < lists.size(); ++k) {
    saver->Integers(std::string("/contacts/") + kKeyParts[k], lists[k]);
  }
}

void LoadKeys(const Loader& loader, std::int64_t version, ContactSet* contacts) {
  if (version < 3) {
    for (const std::uint64_t key : loader.reader().Unsigned(kRoot + "/contacts/key")) {
      const auto bits = [&](int from, int count) {
        return static_cast<std::uint32_t>(key >> from & ((std::uint64_t{1} << count) - 1));
      };
      contacts->key.push_back({bits(44, 20), bits(24, 20), bits(12, 12), bits(0, 12)});
    }
    return;
  }
  std::array<std::vector<std::uint32_t>, std::size(kKeyParts)> lists;
  for (std::size_t k = 0; k < lists.size(); ++k) {
    const std::int64_t most = k < 2 ? kMost : k < 4 ? ContactKey::kMostParts - 1 : ContactKey::kMostFeatures - 1;
    loader.Integers(std::string("/contacts/") + kKeyParts[k],
                    k == 0 ? Hdf5Reader::kAnyLength : static_cast<long long>(lists[0].size()), 0, most, &lists[k]);
  }
  for (std::size_t i = 0; i < lists[0].size(); ++i) {
    contacts->key.push_back({lists[0][i], lists[1][i], ContactKey::Place(lists[2][i], lists[4][i]),
                             ContactKey::Place(lists[3][i], lists[5][i])});
  }
}

void LoadHistory(const Loader& loader, bool has_moments, ContactSet* contacts) {
  const long long count = contacts->size();
  std::vector<std::int8_t> known;
  std::vector<double> normal;
  std::vector<Vec3> tangential, moment(static_cast<std::size_t>(has_moments ? 0 : count), Vec3::Zero());
  loader.Integers("/contacts/history/known", count, 0, 1, &known);
  loader.Numbers("/contacts/history/normal_force", count, &normal);
  loader.Numbers("/contacts/history/tangential_force", count, &tangential);
  if (has_moments) loader.Numbers("/contacts/history/moment", count, &moment);
  for (std::size_t i = 0; i < known.size(); ++i) {
    contacts->history.push_back({known[i] != 0, normal[i], tangential[i], moment[i]});
  }
}

// The lists with one number or vector a contact, by their names; shared by saving and loading.
template <typename Contacts, typename Action>
void ForEachList(Contacts& contacts, const Action& action) {
  action("position", contacts.position);
  action("gap", contacts.gap);
  action("normal_target", contacts.normal_target);
  action("shape_size", contacts.shape_size);
  action("effective_mass", contacts.effective_mass);
}

// A number of the surfaces: one a contact in files.
struct SurfaceList {
  const char* name;
  double ContactSurface::*number;
  int since;  // format
};
constexpr SurfaceList kSurfaceLists[] = {
    {"friction_static", &ContactSurface::friction_static, 1},
    {"friction_kinetic", &ContactSurface::friction_kinetic, 1},
    {"restitution", &ContactSurface::restitution, 1},
    {"tangential_stiffness", &ContactSurface::tangential_stiffness, 1},  // ∞ where friction does not give way
    {"rolling", &ContactSurface::rolling, 2},
    {"spinning", &ContactSurface::spinning, 2},
    {"normal_compliance", &ContactSurface::normal_compliance, 2},
    {"tangential_compliance", &ContactSurface::tangential_compliance, 2},
    {"hertz_stiffness", &ContactSurface::hertz_stiffness, 2},
    {"mindlin_ratio", &ContactSurface::mindlin_ratio, 2},
};
static_assert(std::size(kSurfaceLists) * sizeof(double) == sizeof(ContactSurface),
              "files hold all numbers of surfaces");
bool MayBeInfinite(const SurfaceList& list) { return list.number == &ContactSurface::tangential_stiffness; }

void SaveSurfaces(const ContactSet& contacts, Saver* saver) {
  std::vector<double> values(contacts.size());
  for (const SurfaceList& list : kSurfaceLists) {
    for (int i = 0; i < contacts.size(); ++i) values[i] = contacts.surface(i).*list.number;
    saver->Numbers(std::string("/contacts/") + list.name, values, MayBeInfinite(list));
  }
}

void LoadSurfaces(const Loader& loader, std::int64_t version, ContactSet* contacts) {
  std::vector<ContactSurface> surfaces(contacts->size());
  for (const SurfaceList& list : kSurfaceLists) {
    if (list.since > version) continue;
    const std::vector<double> values =
        loader.Reals(std::string("/contacts/") + list.name, contacts->size(), MayBeInfinite(list));
    for (std::size_t i = 0; i < values.size(); ++i) surfaces[i].*list.number = values[i];
  }
  // those that follow each other are often the same
  for (const ContactSurface& surface : surfaces) {
    if (contacts->surfaces.empty() || contacts->surfaces.back() != surface) contacts->surfaces.push_back(surface);
    contacts->surface_of.push_back(static_cast<int>(contacts->surfaces.size()) - 1);
  }
}

void SaveFrames(const ContactSet& contacts, Saver* saver) {
  std::vector<Vec3> normal, tangent_1, tangent_2;
  for (int i = 0; i < contacts.size(); ++i) {
    const BlockRows::Frame frame = contacts.jacobian.frame(i);
    normal.push_back(frame.normal);
    tangent_1.push_back(frame.tangent);
    tangent_2.push_back(frame.second_tangent());
  }
  saver->Numbers("/contacts/normal", normal);
  saver->Numbers("/contacts/tangent_1", tangent_1);
  saver->Numbers("/contacts/tangent_2", tangent_2);
}

// Unit vectors across each other, tangent_2 the third of them; as numbers allow that were rounded on their way.
std::vector<BlockRows::Frame> LoadFrames(const Loader& loader, long long count) {
  constexpr double kRounding = 1e-9;
  std::vector<Vec3> normal, tangent_1, tangent_2;
  loader.Numbers("/contacts/normal", count, &normal);
  loader.Numbers("/contacts/tangent_1", count, &tangent_1);
  loader.Numbers("/contacts/tangent_2", count, &tangent_2);
  std::vector<BlockRows::Frame> frames;
  for (std::size_t i = 0; i < normal.size(); ++i) {
    frames.push_back({normal[i], tangent_1[i]});
    const double error =
        std::max({std::abs(normal[i].norm() - 1), std::abs(tangent_1[i].norm() - 1),
                  std::abs(normal[i].dot(tangent_1[i])), (frames.back().second_tangent() - tangent_2[i]).norm()});
    if (error <= kRounding) continue;
    loader.reader().Fail(kRoot + "/contacts/normal[" + std::to_string(i) + "]",
                         "with tangent_1 and tangent_2 a right-handed frame of unit vectors",
                         "one that is off by " + std::to_string(error));
  }
  return frames;
}

void SaveContacts(const ContactSet& contacts, Saver* saver) {
  saver->Group("/contacts");
  SaveJacobian("/contacts/jacobian", contacts.jacobian, saver);
  SaveKeys(contacts, saver);
  SaveFrames(contacts, saver);
  SaveSurfaces(contacts, saver);
  ForEachList(contacts, [&](const std::string& name, const auto& list) { saver->Numbers("/contacts/" + name, list); });
  // −∞ where nothing bounces
  saver->Numbers("/contacts/restitution_target", contacts.restitution_target, true);
  std::vector<Vec3> curvature(contacts.key.size());
  for (int i = 0; i < contacts.size(); ++i) curvature[i] = contacts.Curvature(i);
  saver->Numbers("/contacts/curvature", curvature);
  SaveHistory(contacts, saver);
  SaveMemory(contacts, saver);
  SaveJacobian("/contacts/angular", contacts.angular, saver);
  saver->Integers("/contacts/angular_group", contacts.angular_group);
  saver->Numbers("/contacts/angular_length", contacts.angular_length);
}

// Three rows for each of the groups that the contacts name, each of them once.
void CheckAngularGroups(const Loader& loader, const ContactSet& contacts) {
  const int groups = contacts.angular.groups();
  std::vector<int> times(groups, 0);
  for (const int group : contacts.angular_group) {
    if (group >= 0) ++times[group];
  }
  for (int g = 0; g < groups; ++g) {
    if (contacts.angular.rows(g) != 3) {
      loader.reader().Fail(kRoot + "/contacts/angular/rows[" + std::to_string(g) + "]", "3",
                           std::to_string(contacts.angular.rows(g)));
    }
    if (times[g] != 1) {
      loader.reader().Fail(kRoot + "/contacts/angular_group", "each group of contacts/angular once",
                           "group " + std::to_string(g) + " " + std::to_string(times[g]) + " times");
    }
    if (!(contacts.angular_length[g] > 0)) {
      loader.reader().Fail(kRoot + "/contacts/angular_length[" + std::to_string(g) + "]", "a number above 0",
                           std::to_string(contacts.angular_length[g]));
    }
  }
}

void LoadAngular(const Loader& loader, const BlockLayout& layout, ContactSet* contacts) {
  const long long count = contacts->size();
  LoadJacobian("/contacts/angular", layout, loader, nullptr, &contacts->angular);
  const int groups = contacts->angular.groups();
  loader.Integers("/contacts/angular_group", count, -1, groups - 1, &contacts->angular_group);
  loader.Numbers("/contacts/angular_length", groups, &contacts->angular_length);
  CheckAngularGroups(loader, *contacts);
}

void LoadContacts(const Loader& loader, const BlockLayout& layout, std::int64_t version, ContactSet* contacts) {
  LoadKeys(loader, version, contacts);
  const long long count = contacts->size();
  const std::vector<BlockRows::Frame> frames = LoadFrames(loader, count);
  LoadJacobian("/contacts/jacobian", layout, loader, &frames, &contacts->jacobian);
  const BlockRows& jacobian = contacts->jacobian;
  bool has_three_rows_each = jacobian.groups() == count;
  for (int g = 0; g < jacobian.groups(); ++g) has_three_rows_each = has_three_rows_each && jacobian.rows(g) == 3;
  if (!has_three_rows_each) {
    loader.reader().Fail(kRoot + "/contacts/jacobian/rows", "3 for each of " + std::to_string(count) + " contacts",
                         std::to_string(jacobian.rows()) + " rows in " + std::to_string(jacobian.groups()) + " groups");
  }
  ForEachList(*contacts,
              [&](const std::string& name, auto& list) { loader.Numbers("/contacts/" + name, count, &list); });
  loader.Numbers("/contacts/restitution_target", count, &contacts->restitution_target, true);
  contacts->impact_time.assign(contacts->key.size(), 0.0);
  contacts->waits.assign(contacts->key.size(), 0);
  if (version >= 4) loader.Numbers("/contacts/curvature", count, &contacts->curvature);
  LoadSurfaces(loader, version, contacts);
  LoadHistory(loader, version >= 2, contacts);
  LoadMemory(loader, version, contacts);
  if (version >= 2) {
    LoadAngular(loader, layout, contacts);
    return;
  }
  contacts->angular.Reset(layout);
  contacts->angular_group.assign(contacts->size(), -1);
}

}  // namespace

void SaveContactProblem(const std::filesystem::path& file, const SavedContactProblem& saved) {
  const ContactProblem& problem = saved.problem;
  Saver saver(file);
  saver.Group("");
  Hdf5Writer& writer = saver.writer();
  writer.NumberAttribute<std::int32_t>(kRoot, "format_version", kFormatVersion);
  writer.TextAttribute(kRoot, "scene", saved.origin.scene);
  writer.TextAttribute(kRoot, "law", saved.origin.law);
  writer.TextAttribute(kRoot, "solver", saved.origin.solver);
  writer.NumberAttribute<std::int64_t>(kRoot, "step_number", saved.origin.step_number);
  writer.NumberAttribute<double>(kRoot, "law_residual", saved.origin.law_residual);
  if (const auto& condition = saved.origin.condition) {
    writer.NumberAttribute<double>(kRoot, "condition", condition->number);
    writer.NumberAttribute<std::int32_t>(kRoot, "rows", condition->rows);
    writer.NumberAttribute<std::int32_t>(kRoot, "rank", condition->rank);
  }
  writer.NumberAttribute<double>(kRoot, "time", problem.time);
  writer.NumberAttribute<double>(kRoot, "step", problem.step);
  writer.NumberAttribute<double>(kRoot, "velocity_scale", problem.velocity_scale);
  writer.NumberAttribute<double>(kRoot, "correction_speed", problem.correction_speed);
  writer.NumberAttribute<double>(kRoot, "gravity", problem.gravity);
  writer.NumberAttribute<std::int32_t>(kRoot, "mass_is_singular", problem.mass_is_singular ? 1 : 0);
  SaveMass(problem.mass, &saver);
  saver.Numbers("/velocity", problem.velocity);
  saver.Numbers("/free_velocity", problem.free_velocity);
  saver.Group("/bilateral");
  SaveJacobian("/bilateral/jacobian", problem.bilateral.jacobian, &saver);
  saver.Numbers("/bilateral/target", problem.bilateral.target);
  saver.Numbers("/bilateral/rate", problem.bilateral.rate);
  saver.Numbers("/bilateral/drift", problem.bilateral.drift);
  saver.Group("/bounded");
  SaveJacobian("/bounded/jacobian", problem.bounded.jacobian, &saver);
  saver.Numbers("/bounded/target", problem.bounded.target);
  saver.Numbers("/bounded/lower", problem.bounded.lower, true);
  saver.Numbers("/bounded/upper", problem.bounded.upper, true);
  SaveContacts(problem.contacts, &saver);
  writer.Commit();
}

SavedContactProblem LoadContactProblem(const std::filesystem::path& file) {
  const Loader loader(file);
  const Hdf5Reader& reader = loader.reader();
  if (!reader.HasGroup(kRoot)) reader.Fail(kRoot, "a saved contact problem", "nothing");
  const std::int64_t version = reader.IntegerAttribute(kRoot, "format_version", 1, kFormatVersion);
  SavedContactProblem saved;
  saved.origin.scene = reader.TextAttribute(kRoot, "scene");
  saved.origin.law = reader.TextAttribute(kRoot, "law");
  saved.origin.solver = reader.TextAttribute(kRoot, "solver");
  saved.origin.step_number = reader.IntegerAttribute(kRoot, "step_number", 0, std::numeric_limits<std::int64_t>::max());
  saved.origin.law_residual = reader.RealAttribute(kRoot, "law_residual");
  if (reader.HasAttribute(kRoot, "condition")) {
    ProblemCondition& condition = saved.origin.condition.emplace();
    condition.number = reader.RealAttribute(kRoot, "condition");
    if (!(condition.number >= 1)) {
      reader.Fail(kRoot + std::string("@condition"), "a number from 1 on", std::to_string(condition.number));
    }
    condition.rows = static_cast<int>(reader.IntegerAttribute(kRoot, "rows", 0, kMost));
    condition.rank = static_cast<int>(reader.IntegerAttribute(kRoot, "rank", 0, condition.rows));
  }
  ContactProblem& problem = saved.problem;
  for (const auto& [name, value] : {std::pair{"time", &problem.time}, std::pair{"step", &problem.step},
                                    std::pair{"velocity_scale", &problem.velocity_scale}}) {
    *value = reader.RealAttribute(kRoot, name);
    if (!std::isfinite(*value)) reader.Fail(kRoot + "@" + name, "a finite number", std::to_string(*value));
  }
  if (version >= 2) {
    problem.correction_speed = reader.RealAttribute(kRoot, "correction_speed");
    if (std::isnan(problem.correction_speed)) reader.Fail(kRoot + "@correction_speed", "a number", "none");
  }
  if (version >= 4) {
    problem.gravity = reader.RealAttribute(kRoot, "gravity");
    if (!(problem.gravity >= 0)) reader.Fail(kRoot + "@gravity", "a number from 0 on", "another");
  }
  problem.mass_is_singular = reader.IntegerAttribute(kRoot, "mass_is_singular", 0, 1) == 1;
  LoadMass(loader, &problem.mass);
  const BlockLayout& layout = problem.mass.layout();
  loader.Numbers("/velocity", layout.total, &problem.velocity);
  loader.Numbers("/free_velocity", layout.total, &problem.free_velocity);
  LoadJacobian("/bilateral/jacobian", layout, loader, nullptr, &problem.bilateral.jacobian);
  const int bilateral = problem.bilateral.jacobian.rows();
  loader.Numbers("/bilateral/target", bilateral, &problem.bilateral.target);
  loader.Numbers("/bilateral/rate", bilateral, &problem.bilateral.rate);
  loader.Numbers("/bilateral/drift", bilateral, &problem.bilateral.drift);
  LoadJacobian("/bounded/jacobian", layout, loader, nullptr, &problem.bounded.jacobian);
  const int bounded = problem.bounded.jacobian.rows();
  loader.Numbers("/bounded/target", bounded, &problem.bounded.target);
  loader.Numbers("/bounded/lower", bounded, &problem.bounded.lower, true);
  loader.Numbers("/bounded/upper", bounded, &problem.bounded.upper, true);
  LoadContacts(loader, layout, version, &problem.contacts);
  return saved;
}

}  // namespace slipstick::internal
