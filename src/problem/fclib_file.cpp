#include "slipstick/problem/fclib_file.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/base/check.h"
#include "slipstick/base/fault.h"
#include "slipstick/problem/problem_faults.h"
#include "slipstick/problem/upper_triangle.h"
#include "slipstick/storage/hdf5_reader.h"
#include "slipstick/storage/hdf5_writer.h"

namespace slipstick::internal {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
// `nz` of a matrix: how its entries are stored, or, from 0 on, how many triplets there are.
constexpr std::int64_t kByColumns = -1, kByRows = -2;

VecX Vector(const Hdf5Reader& reader, const std::string& path, long long length = Hdf5Reader::kAnyLength) {
  const std::vector<double> values = reader.Reals(path, length);
  return Eigen::Map<const VecX>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// The sizes are known from the vectors, and compared before anything is allocated.
SparseMat Matrix(const Hdf5Reader& reader, const std::string& path, std::int64_t rows, std::int64_t columns) {
  if (!reader.HasGroup(path)) reader.Fail(path, "a matrix", "nothing");
  reader.Integer(path + "/m", rows, rows);
  reader.Integer(path + "/n", columns, columns);
  const std::int64_t nz = reader.Integer(path + "/nz", kByRows, kMost);
  const bool is_triplets = nz >= 0;
  const std::int64_t outer = nz == kByColumns ? columns : rows, inner = nz == kByColumns ? rows : columns;
  // p: where columns (rows) start among the entries, or each triplet's column
  const std::vector<std::int64_t> p =
      is_triplets ? reader.Integers(path + "/p", 0, columns - 1) : reader.Integers(path + "/p", 0, kMost, outer + 1);
  const std::int64_t entries = is_triplets ? nz : p.back();
  const std::int64_t room = reader.Integer(path + "/nzmax", 0, kMost);
  const std::vector<std::int64_t> i = reader.Integers(path + "/i", 0, (is_triplets ? rows : inner) - 1);
  const std::vector<double> x = reader.Reals(path + "/x");
  const auto require_length = [&](const char* name, std::int64_t length) {
    if (length >= entries) return;
    reader.Fail(path + "/" + name, "as many as the matrix has entries, " + std::to_string(entries),
                std::to_string(length));
  };
  require_length("nzmax", room);
  require_length("i", static_cast<std::int64_t>(i.size()));
  require_length("x", static_cast<std::int64_t>(x.size()));
  if (is_triplets) require_length("p", static_cast<std::int64_t>(p.size()));
  if (!is_triplets && p.front() != 0) reader.Fail(path + "/p[0]", "0", std::to_string(p.front()));

  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(static_cast<std::size_t>(entries));
  const auto add = [&](std::int64_t row, std::int64_t column, double value) {
    triplets.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
  };
  if (is_triplets) {
    for (std::size_t e = 0; e < static_cast<std::size_t>(entries); ++e) add(i[e], p[e], x[e]);
  } else {
    for (std::size_t o = 0; o + 1 < p.size(); ++o) {
      if (p[o + 1] < p[o] || p[o + 1] > entries) {
        reader.Fail(path + "/p[" + std::to_string(o + 1) + "]",
                    "from " + std::to_string(p[o]) + " to " + std::to_string(entries), std::to_string(p[o + 1]));
      }
      for (auto e = static_cast<std::size_t>(p[o]); e < static_cast<std::size_t>(p[o + 1]); ++e) {
        const auto place = static_cast<std::int64_t>(o);
        nz == kByRows ? add(place, i[e], x[e]) : add(i[e], place, x[e]);
      }
    }
  }
  SparseMat matrix(rows, columns);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

ContactCoefficients Coefficients(const Hdf5Reader& reader, const std::string& root, bool is_rolling) {
  ContactCoefficients contacts;
  contacts.dimension = static_cast<int>(reader.Integer(root + "/spacedim", is_rolling ? 5 : 2, is_rolling ? 6 : 3));
  contacts.sliding = Vector(reader, root + "/vectors/mu");
  if (contacts.sliding.size() > kMost / 6) {
    reader.Fail(root + "/vectors/mu", "fewer contacts", std::to_string(contacts.sliding.size()));
  }
  const Eigen::Index count = contacts.sliding.size();
  if (is_rolling) contacts.rolling = Vector(reader, root + "/vectors/mu_r", count);
  if (contacts.dimension == 6) contacts.spinning = Vector(reader, root + "/vectors/mu_s", count);
  return contacts;
}

LocalProblem ReadLocal(const Hdf5Reader& reader, const std::string& root, bool is_rolling) {
  LocalProblem problem;
  problem.contacts = Coefficients(reader, root, is_rolling);
  const int rows = problem.contacts.rows();
  problem.q = Vector(reader, root + "/vectors/q", rows);
  problem.W = Matrix(reader, root + "/W", rows, rows);
  const bool is_bilateral =
      reader.HasGroup(root + "/V") || reader.HasGroup(root + "/R") || reader.HasDataset(root + "/vectors/s");
  if (is_bilateral) {
    problem.s = Vector(reader, root + "/vectors/s");
    problem.V = Matrix(reader, root + "/V", rows, problem.s.size());
    problem.R = Matrix(reader, root + "/R", problem.s.size(), problem.s.size());
  }
  return problem;
}

GlobalProblem ReadGlobal(const Hdf5Reader& reader, const std::string& root, bool is_rolling) {
  GlobalProblem problem;
  problem.contacts = Coefficients(reader, root, is_rolling);
  const int rows = problem.contacts.rows();
  problem.f = Vector(reader, root + "/vectors/f");
  problem.w = Vector(reader, root + "/vectors/w", rows);
  problem.M = MirrorUpperTriangle(Matrix(reader, root + "/M", problem.f.size(), problem.f.size()));
  problem.H = Matrix(reader, root + "/H", problem.f.size(), rows);
  if (reader.HasGroup(root + "/G") || reader.HasDataset(root + "/vectors/b")) {
    problem.b = Vector(reader, root + "/vectors/b");
    problem.G = Matrix(reader, root + "/G", problem.f.size(), problem.b.size());
  }
  return problem;
}

FclibSolution ReadSolution(const Hdf5Reader& reader, Eigen::Index rows, Eigen::Index freedoms, Eigen::Index bilateral) {
  FclibSolution solution;
  solution.u = Vector(reader, "/solution/u", rows);
  solution.r = Vector(reader, "/solution/r", rows);
  if (reader.HasDataset("/solution/v")) solution.v = Vector(reader, "/solution/v", freedoms);
  if (reader.HasDataset("/solution/l")) solution.l = Vector(reader, "/solution/l", bilateral);
  const std::pair<const char*, const VecX*> parts[] = {
      {"u", &solution.u}, {"r", &solution.r}, {"v", &solution.v}, {"l", &solution.l}};
  for (const auto& [name, part] : parts) {
    if (!part->allFinite()) reader.Fail(std::string("/solution/") + name, "finite numbers", "others");
  }
  return solution;
}

void WriteMatrix(const std::string& path, SparseMat matrix, Hdf5Writer* writer) {
  matrix.makeCompressed();
  const auto number = [&](const char* name, std::int64_t value) {
    writer->Numbers(path + "/" + name, std::vector<std::int32_t>{static_cast<std::int32_t>(value)});
  };
  const auto entries = static_cast<std::size_t>(matrix.nonZeros());
  writer->Group(path);
  number("nzmax", matrix.nonZeros());
  number("m", matrix.rows());
  number("n", matrix.cols());
  number("nz", kByRows);
  writer->Numbers<std::int32_t>(path + "/p", matrix.outerIndexPtr(), static_cast<std::size_t>(matrix.rows()) + 1);
  writer->Numbers<std::int32_t>(path + "/i", matrix.innerIndexPtr(), entries);
  writer->Numbers<double>(path + "/x", matrix.valuePtr(), entries);
}

void WriteVector(const std::string& path, const VecX& values, Hdf5Writer* writer) {
  writer->Numbers(path, values.data(), static_cast<std::size_t>(values.size()));
}

// Group of the problem, its coefficients and names; returns the group's path.
std::string WriteFrame(const std::string& kind, const ContactCoefficients& contacts, const ProblemInfo& info,
                       Hdf5Writer* writer) {
  std::string root = "/fclib_" + kind + (contacts.dimension >= 5 ? "_rolling" : "");
  for (const char* group : {"", "/vectors", "/info"}) writer->Group(root + group);
  writer->Numbers(root + "/spacedim", std::vector<std::int32_t>{contacts.dimension});
  WriteVector(root + "/vectors/mu", contacts.sliding, writer);
  if (contacts.dimension >= 5) WriteVector(root + "/vectors/mu_r", contacts.rolling, writer);
  if (contacts.dimension == 6) WriteVector(root + "/vectors/mu_s", contacts.spinning, writer);
  writer->Text(root + "/info/title", info.title);
  writer->Text(root + "/info/description", info.description);
  writer->Text(root + "/info/math_info", info.math_info);
  return root;
}

void WriteProblem(const LocalProblem& problem, const ProblemInfo& info, Hdf5Writer* writer) {
  const std::string root = WriteFrame("local", problem.contacts, info, writer);
  WriteMatrix(root + "/W", problem.W, writer);
  WriteVector(root + "/vectors/q", problem.q, writer);
  if (problem.s.size() == 0) return;
  WriteMatrix(root + "/V", problem.V, writer);
  WriteMatrix(root + "/R", problem.R, writer);
  WriteVector(root + "/vectors/s", problem.s, writer);
}

void WriteProblem(const GlobalProblem& problem, const ProblemInfo& info, Hdf5Writer* writer) {
  const std::string root = WriteFrame("global", problem.contacts, info, writer);
  WriteMatrix(root + "/M", problem.M, writer);
  WriteMatrix(root + "/H", problem.H, writer);
  WriteVector(root + "/vectors/f", problem.f, writer);
  WriteVector(root + "/vectors/w", problem.w, writer);
  if (problem.b.size() == 0) return;
  WriteMatrix(root + "/G", problem.G, writer);
  WriteVector(root + "/vectors/b", problem.b, writer);
}

}  // namespace

FclibContent ReadFclib(const std::filesystem::path& file) {
  const Hdf5Reader reader(file);
  std::vector<std::string> roots;
  for (const char* name : {"/fclib_local", "/fclib_global", "/fclib_local_rolling", "/fclib_global_rolling"}) {
    if (reader.HasGroup(name)) roots.emplace_back(name);
  }
  if (roots.size() != 1) {
    reader.Fail("/", "one of fclib_local, fclib_global, fclib_local_rolling, fclib_global_rolling",
                roots.empty() ? "none" : roots[0] + " and " + roots[1]);
  }
  const std::string& root = roots.front();
  const bool is_rolling = root.ends_with("_rolling");
  FclibContent content;
  if (reader.HasGroup(root + "/info")) {
    for (const auto& [name, text] :
         {std::pair{"title", &content.info.title}, std::pair{"description", &content.info.description},
          std::pair{"math_info", &content.info.math_info}}) {
      const std::string path = root + "/info/" + name;
      if (reader.HasDataset(path)) *text = reader.Text(path);
    }
  }
  const bool has_solution = reader.HasGroup("/solution");
  if (root.starts_with("/fclib_local")) {
    LocalProblem problem = ReadLocal(reader, root, is_rolling);
    RequireFaultless(problem, reader.name());
    if (has_solution) content.solution = ReadSolution(reader, problem.contacts.rows(), 0, problem.s.size());
    content.problem = std::move(problem);
  } else {
    GlobalProblem problem = ReadGlobal(reader, root, is_rolling);
    RequireFaultless(problem, reader.name());
    if (has_solution) {
      content.solution = ReadSolution(reader, problem.contacts.rows(), problem.f.size(), problem.b.size());
    }
    content.problem = std::move(problem);
  }
  return content;
}

void WriteFclib(const std::filesystem::path& file, const FclibContent& content) {
  std::visit([&](const auto& problem) { RequireFaultless(problem, file.string()); }, content.problem);
  Hdf5Writer writer(file);
  std::visit([&](const auto& problem) { WriteProblem(problem, content.info, &writer); }, content.problem);
  if (content.solution) {
    const FclibSolution& solution = *content.solution;
    writer.Group("/solution");
    WriteVector("/solution/u", solution.u, &writer);
    WriteVector("/solution/r", solution.r, &writer);
    if (solution.v.size() > 0) WriteVector("/solution/v", solution.v, &writer);
    if (solution.l.size() > 0) WriteVector("/solution/l", solution.l, &writer);
  }
  writer.Commit();
}

}  // namespace slipstick::internal
