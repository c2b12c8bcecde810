#include "slipstick/problem/siconos_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "slipstick/base/fault.h"
#include "slipstick/problem/number_text.h"
#include "slipstick/problem/problem_faults.h"
#include "slipstick/problem/siconos_matrix.h"
#include "slipstick/problem/upper_triangle.h"

namespace slipstick::internal {
namespace {

constexpr int kMost = std::numeric_limits<int>::max();

bool IsFlag(long long value) { return value == 0 || value == 1; }
bool IsStorage(long long value) { return value >= 0 && value <= 2; }
bool IsDimension(long long value) { return value == 2 || value == 3 || value == 5 || value == 6; }

enum class Kind { kMixed, kLcp, kFriction, kUnknown };

Kind KindOf(const NumberText& text) {
  long long word[5] = {-1, -1, -1, -1, -1};
  for (std::size_t i = 0; i < 5; ++i) {
    if (!text.PeekInteger(i, &word[i])) word[i] = -1;
  }
  const bool starts_like_mixed = IsFlag(word[0]) && IsFlag(word[1]) && word[0] + word[1] > 0;
  if (starts_like_mixed && (word[0] == 0 || word[4] == 0)) return Kind::kMixed;
  const bool starts_like_lcp = IsStorage(word[1]) && word[2] == word[0] && word[3] == word[0];
  const bool starts_like_friction = IsDimension(word[0]) && word[1] >= 0 && IsStorage(word[2]);
  if (starts_like_lcp && !(starts_like_friction && text.Peek(6) == "CSparse")) return Kind::kLcp;
  return starts_like_friction ? Kind::kFriction : Kind::kUnknown;
}

// Remarks may follow in words; numbers are more than the problem has.
void RequireEnd(const NumberText& text) {
  if (text.PeekNumber()) text.Fail("after the last number", "the end of the file or a remark in words");
}

void ReadCoefficients(int contacts, NumberText* text, ContactCoefficients* coefficients) {
  coefficients->sliding = text->Numbers("mu", contacts);
  if (coefficients->dimension >= 5) coefficients->rolling = text->Numbers("mu_r", contacts);
  if (coefficients->dimension == 6) coefficients->spinning = text->Numbers("mu_s", contacts);
  // a flag of Siconos: whether a global problem is to be condensed
  long long flag = 0;
  if (text->PeekInteger(0, &flag) && IsFlag(flag)) text->Integer("flag", 0, 1);
  RequireEnd(*text);
}

SiconosProblem ReadFriction(NumberText* text, const std::string& name) {
  ContactCoefficients coefficients;
  coefficients.dimension = text->Integer("dimension", 2, 6);
  const int contacts = text->Integer("contacts", 0, kMost / 6);
  text->RequireRemaining("contacts", contacts);
  const int rows = coefficients.dimension * contacts;
  SparseMat matrix = ReadSiconosMatrix("W or M", -1, -1, text);
  const int vectors = coefficients.dimension == 6 ? 3 : coefficients.dimension == 5 ? 2 : 1;
  const long long most_of_local = rows + static_cast<long long>(vectors) * contacts + 1;
  // remarks in words may follow a local problem, so that what counts are the numbers up to the first other word
  const bool has_rows = matrix.rows() == rows && matrix.cols() == rows;
  if (has_rows && static_cast<long long>(text->CountNumbers()) <= most_of_local &&
      text->CountUntil("CSparse") == text->remaining()) {
    LocalProblem problem;
    problem.contacts = std::move(coefficients);
    problem.W = matrix;
    problem.q = text->Numbers("q", rows);
    ReadCoefficients(contacts, text, &problem.contacts);
    RequireFaultless(problem, name);
    return problem;
  }
  if (matrix.rows() != matrix.cols()) {
    text->Fail("W or M", "a square one", fmt::format("{} by {}", matrix.rows(), matrix.cols()));
  }
  GlobalProblem problem;
  problem.contacts = std::move(coefficients);
  problem.M = MirrorUpperTriangle(matrix);
  problem.H = ReadSiconosMatrix("H", static_cast<int>(matrix.rows()), rows, text);
  problem.f = text->Numbers("f", matrix.rows());
  problem.w = text->Numbers("w", rows);
  ReadCoefficients(contacts, text, &problem.contacts);
  RequireFaultless(problem, name);
  return problem;
}

MixedProblem ReadLcp(NumberText* text) {
  const int size = text->Integer("size", 0, kMost);
  MixedProblem problem;
  problem.M = ReadSiconosMatrix("M", size, size, text);
  problem.q = text->Numbers("q", size);
  problem.is_equation.assign(static_cast<std::size_t>(size), false);
  problem.is_free = problem.is_equation;
  RequireEnd(*text);
  return problem;
}

// The same problem in four parts: 0 = A u + C v + a,  0 ≤ D u + B v + b ⊥ v ≥ 0, all by rows.
struct MixedParts {
  MatX A, B, C, D;
  VecX a, b;
};

MatX ReadByRows(const std::string& key, int rows, int columns, NumberText* text) {
  const VecX values = text->Numbers(key, static_cast<Eigen::Index>(rows) * columns);
  return Eigen::Map<const RowMatX>(values.data(), rows, columns);
}

MixedParts ReadParts(int free, int complementary, NumberText* text) {
  MixedParts parts;
  parts.A = ReadByRows("A", free, free, text);
  parts.B = ReadByRows("B", complementary, complementary, text);
  parts.C = ReadByRows("C", free, complementary, text);
  parts.D = ReadByRows("D", complementary, free, text);
  parts.a = text->Numbers("a", free);
  parts.b = text->Numbers("b", complementary);
  return parts;
}

MixedProblem Join(const MixedParts& parts) {
  const Eigen::Index free = parts.a.size(), complementary = parts.b.size();
  MixedProblem problem;
  problem.M.resize(free + complementary, free + complementary);
  problem.M << parts.A, parts.C, parts.D, parts.B;
  problem.q.resize(free + complementary);
  problem.q << parts.a, parts.b;
  problem.is_equation.assign(static_cast<std::size_t>(free), true);
  problem.is_equation.resize(static_cast<std::size_t>(free + complementary), false);
  problem.is_free = problem.is_equation;
  return problem;
}

// Blocks of rows that are all equations or all complementary: where they end, up to n + m, then a flag for each.
std::vector<bool> ReadKinds(int free, int complementary, NumberText* text) {
  std::vector<int> borders = {text->Integer("block border", 0, 0)};
  while (borders.back() < free + complementary) {
    borders.push_back(text->Integer("block border", borders.back() + 1, free + complementary));
  }
  std::vector<bool> is_free;
  for (std::size_t i = 1; i < borders.size(); ++i) {
    const bool is_complementary = text->Integer("whether the block is complementary", 0, 1) == 1;
    is_free.resize(static_cast<std::size_t>(borders[i]), !is_complementary);
  }
  const auto found = std::count(is_free.begin(), is_free.end(), true);
  if (found != free) text->Fail("blocks", fmt::format("{} equations", free), fmt::format("{}", found));
  return is_free;
}

MixedProblem ReadMixed(NumberText* text) {
  const bool has_matrix = text->Integer("whether M is there", 0, 1) == 1;
  const bool has_parts = text->Integer("whether A, B, C, D are there", 0, 1) == 1;
  const int free = text->Integer("free variables", 0, kMost / 2);
  const int complementary = text->Integer("complementary variables", 0, kMost / 2);
  MixedProblem problem;
  if (has_matrix) {
    problem.is_free = ReadKinds(free, complementary, text);
    problem.is_equation = problem.is_free;
    problem.M = ReadSiconosMatrix("M", -1, free + complementary, text);
    // Siconos prints as many entries of q as M has columns, also where M has more rows
    problem.q = text->Numbers("q", problem.M.cols());
  }
  if (has_parts) {
    const MixedParts parts = ReadParts(free, complementary, text);
    if (!has_matrix) problem = Join(parts);
    const Eigen::Index missing = problem.M.rows() - problem.q.size();
    const bool equations_first =
        std::is_sorted(problem.is_free.begin(), problem.is_free.end(), [](bool x, bool y) { return x && !y; });
    if (missing > 0 && missing <= complementary && equations_first) {
      // further equations stand before the complementary rows, whose constants are the parts' b: nothing is lost
      problem.is_equation.insert(problem.is_equation.begin(), static_cast<std::size_t>(missing), true);
      problem.q.conservativeResize(problem.M.rows());
      problem.q.tail(complementary) = parts.b;
    }
  }
  if (problem.q.size() != problem.M.rows()) {
    text->Fail("q", fmt::format("{} numbers, one for each row of M", problem.M.rows()),
               fmt::format("{}", problem.q.size()));
  }
  // what follows, if anything, is a solution that the file's author knew
  return problem;
}

}  // namespace

SiconosProblem ParseSiconosText(std::string_view content, const std::string& name) {
  NumberText text(content, name);
  const Kind kind = KindOf(text);
  if (kind == Kind::kFriction) return ReadFriction(&text, name);
  if (kind == Kind::kUnknown) {
    text.Fail("first numbers",
              "a friction problem (dimension contacts storage rows columns), an LCP (n storage n n) or "
              "a mixed LCP (two flags, n, m, 0)");
  }
  MixedProblem problem = kind == Kind::kMixed ? ReadMixed(&text) : ReadLcp(&text);
  RequireFaultless(problem, name);
  return problem;
}

SiconosProblem ReadSiconosText(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string content;
  if (std::error_code ignored; stream && std::filesystem::is_regular_file(file, ignored)) {
    content.assign(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  } else {
    stream.setstate(std::ios::failbit);
  }
  if (!stream) {
    std::error_code ignored;
    const std::string found = std::filesystem::is_directory(file, ignored)      ? "a folder"
                              : std::filesystem::is_regular_file(file, ignored) ? "one that cannot be read"
                              : std::filesystem::exists(file, ignored)          ? "something else"
                                                                                : "none";
    throw InputError({Fault{.file = file.string(), .expected = "a readable file", .found = found}});
  }
  return ParseSiconosText(content, file.string());
}

}  // namespace slipstick::internal
