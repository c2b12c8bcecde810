#include "slipstick/problem/siconos_matrix.h"

#include <fmt/format.h>

#include <limits>
#include <utility>
#include <vector>

namespace slipstick::internal {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

constexpr int kMost = std::numeric_limits<int>::max();

void Add(int row, int column, double value, Triplets* entries) {
  if (value != 0) entries->emplace_back(row, column, value);
}

void ReadDense(const std::string& key, int rows, int columns, NumberText* text, Triplets* entries) {
  text->Integer(key + " rows", rows, rows);
  text->Integer(key + " columns", columns, columns);
  text->RequireRemaining(key, static_cast<long long>(rows) * columns);
  for (int column = 0; column < columns; ++column) {
    for (int row = 0; row < rows; ++row) Add(row, column, text->Number(key), entries);
  }
}

// Where the block rows (or columns) end; the last one at the matrix' own size.
std::vector<int> ReadBlockEnds(const std::string& key, int count, int size, NumberText* text) {
  std::vector<int> ends = {0};
  for (int i = 0; i < count; ++i) ends.push_back(text->Integer(key, ends.back(), size));
  if (ends.back() != size)
    text->Fail(key, fmt::format("block sizes that add up to {}", size), fmt::format("{}", ends.back()));
  return ends;
}

void ReadBlocks(const std::string& key, int rows, int columns, NumberText* text, Triplets* entries) {
  const int blocks = text->Integer(key + " blocks", 0, kMost);
  const int block_rows = text->Integer(key + " block rows", 0, kMost);
  const int block_columns = text->Integer(key + " block columns", 0, kMost);
  text->RequireRemaining(key, 2LL * blocks + block_rows + block_columns);
  const std::vector<int> row_ends = ReadBlockEnds(key + " block row ends", block_rows, rows, text);
  const std::vector<int> column_ends = ReadBlockEnds(key + " block column ends", block_columns, columns, text);
  // the list of starts may be shorter than the block rows: those at its end are empty
  const int starts = text->Integer(key + " length of the starts", 0, block_rows + 1);
  text->Integer(key + " length of the block columns", blocks, blocks);
  std::vector<int> row_of(static_cast<std::size_t>(blocks), -1);
  int previous = 0;
  for (int i = 0; i < starts; ++i) {
    const int start = text->Integer(key + " block row start", i == 0 ? 0 : previous, i == 0 ? 0 : blocks);
    for (int block = previous; block < start; ++block) row_of[static_cast<std::size_t>(block)] = i - 1;
    previous = start;
  }
  if (previous != blocks) text->Fail(key, fmt::format("starts that end with {}", blocks), fmt::format("{}", previous));
  std::vector<int> column_of(static_cast<std::size_t>(blocks));
  for (int& column : column_of) column = text->Integer(key + " block column", 0, block_columns - 1);
  for (int i = 0; i < blocks; ++i) {
    text->Integer(fmt::format("{} block {}", key, i), i, i);
    const auto block_row = static_cast<std::size_t>(row_of[static_cast<std::size_t>(i)]);
    const auto block_column = static_cast<std::size_t>(column_of[static_cast<std::size_t>(i)]);
    for (int column = column_ends[block_column]; column < column_ends[block_column + 1]; ++column) {
      for (int row = row_ends[block_row]; row < row_ends[block_row + 1]; ++row) {
        Add(row, column, text->Number(key), entries);
      }
    }
  }
}

// "nzmax: 100 nnz: 100": returns how many entries follow.
int ReadCounts(const std::string& key, NumberText* text) {
  text->Require(key, "nzmax:");
  text->Integer(key + " nzmax", 0, kMost);
  text->Require(key, "nnz:");
  // CSparse puts a comma behind the number where a norm follows
  std::string word(text->Word(key + " nnz", "a number of entries"));
  if (!word.empty() && word.back() == ',') word.pop_back();
  NumberText alone(word, "");
  long long count = 0;
  if (alone.remaining() != 1 || !alone.PeekInteger(0, &count) || count < 0 || count > kMost) {
    text->Fail(key + " nnz", "a number of entries", "\"" + word + "\"");
  }
  return static_cast<int>(count);
}

void ReadSparse(const std::string& key, int rows, int columns, NumberText* text, Triplets* entries) {
  const bool is_triplets = text->Integer(key + " kind of sparse storage (1 triplets, 2 columns)", 1, 2) == 1;
  // CSparse's name, version, date and copyright
  text->Require(key, "CSparse");
  for (int words = 0; text->Peek(0) != "triplet:" && text->Peek(1) != "nzmax:"; ++words) {
    if (words > 30) text->Fail(key, "CSparse's first line, then a size as in 10-by-10");
    text->Word(key, "a size as in 10-by-10");
  }
  if (is_triplets) text->Require(key, "triplet:");
  text->Require(key, fmt::format("{}-by-{},", rows, columns));
  const int count = ReadCounts(key, text);
  text->RequireRemaining(key, 3LL * count);
  entries->reserve(static_cast<std::size_t>(count));
  if (is_triplets) {
    for (int i = 0; i < count; ++i) {
      const int row = text->Integer(key + " row", 0, rows - 1);
      const int column = text->Integer(key + " column", 0, columns - 1);
      text->Require(key, ":");
      Add(row, column, text->Number(key), entries);
    }
    return;
  }
  text->Require(key, "1-norm:");
  text->Number(key + " 1-norm");
  int next = 0;
  for (int column = 0; column < columns; ++column) {
    text->Require(key, "col");
    text->Integer(key + " column", column, column);
    for (const char* word : {":", "locations"}) text->Require(key, word);
    text->Integer(key + " first location", next, next);
    text->Require(key, "to");
    const int last = text->Integer(key + " last location", next - 1, count - 1);
    for (; next <= last; ++next) {
      const int row = text->Integer(key + " row", 0, rows - 1);
      text->Require(key, ":");
      Add(row, column, text->Number(key), entries);
    }
  }
  if (next != count) text->Fail(key, fmt::format("{} entries", count), fmt::format("{}", next));
}

}  // namespace

SparseMat ReadSiconosMatrix(const std::string& key, int rows, int columns, NumberText* text) {
  const int storage = text->Integer(key + " storage (0 dense, 1 blocks, 2 sparse)", 0, 2);
  rows = text->Integer(key + " rows", rows < 0 ? 0 : rows, rows < 0 ? kMost : rows);
  columns = text->Integer(key + " columns", columns < 0 ? 0 : columns, columns < 0 ? kMost : columns);
  // a vector of each length follows every matrix, so that more rows than words cannot be right
  text->RequireRemaining(key, rows);
  text->RequireRemaining(key, columns);
  Triplets entries;
  if (storage == 0) ReadDense(key, rows, columns, text, &entries);
  if (storage == 1) ReadBlocks(key, rows, columns, text, &entries);
  if (storage == 2) ReadSparse(key, rows, columns, text, &entries);
  SparseMat matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace slipstick::internal
