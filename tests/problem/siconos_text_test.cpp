#include "slipstick/problem/siconos_text.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "slipstick/base/fault.h"
#include "tests/problem/problem_samples.h"

namespace slipstick::internal {
namespace {

using ::testing::HasSubstr;

LocalProblem Local(const std::string& text) { return std::get<LocalProblem>(ParseSiconosText(text, "text")); }
MixedProblem Mixed(const std::string& text) { return std::get<MixedProblem>(ParseSiconosText(text, "text")); }

// One contact, W = [1 4 7; 2 5 8; 3 6 10] in all storages.
const char* const kDense = "3 1  0 3 3  3 3  1 2 3  4 5 6  7 8 10  -1 0.5 2  0.3\n";
const char* const kBlocks = "3 1  1 3 3  2 2 2  1 3  1 3  3 2  0 1 2  0 1\n 0 1\n 1 5 6 8 10\n -1 0.5 2  0.3  1\n";
const char* const kSparse =
    "3\n1\n2\n3\n3\n1\nCSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016\n"
    "triplet: 3-by-3, nzmax: 12 nnz: 4\n 0 0 : 1\n 2 1 : 5\n 2 1 : 1\n 1 2 : -8.5\n -1 0.5 2\n 0.3\n";
const char* const kColumns =
    "3\n1\n2\n3\n3\n2\nCSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016\n"
    "3-by-3, nzmax: 12 nnz: 3, 1-norm: 9\n    col 0 : locations 0 to 0\n      0 : 1\n    col 1 : locations 1 to 1\n"
    "      2 : 6\n    col 2 : locations 2 to 2\n      1 : -8.5\n -1 0.5 2\n 0.3\n";

TEST(SiconosText, ReadsAllStorages) {
  const LocalProblem dense = Local(kDense);
  EXPECT_EQ(MatX(dense.W), (Mat3() << 1, 4, 7, 2, 5, 8, 3, 6, 10).finished());
  EXPECT_EQ(dense.q, Vec3(-1, 0.5, 2));
  EXPECT_EQ(dense.contacts.sliding[0], 0.3);
  EXPECT_EQ(MatX(Local(kBlocks).W), (Mat3() << 1, 0, 0, 0, 5, 8, 0, 6, 10).finished());
  const Mat3 sparse = (Mat3() << 1, 0, 0, 0, 0, -8.5, 0, 6, 0).finished();
  EXPECT_EQ(MatX(Local(kSparse).W), sparse);
  EXPECT_EQ(MatX(Local(kColumns).W), sparse);
}

TEST(SiconosText, TellsKindsApart) {
  const auto kind = [](const std::string& text) { return ParseSiconosText(text, "text").index(); };
  EXPECT_EQ(kind(kDense), 0U);
  EXPECT_EQ(kind(std::string(kDense) + "1\n"), 0U);
  EXPECT_EQ(kind(std::string(kDense) + "a remark with 3 numbers 1 2 3\n"), 0U);
  // M as large as W would be
  EXPECT_EQ(kind("3 1  0 3 3 3 3 1 0 0 0 1 0 0 0 1  0 3 3 3 3 1 0 0 0 1 0 0 0 1  0 0 -1  0 0 0  0.5"), 1U);
  EXPECT_EQ(kind("3 1  0 2 2 2 2 1 0 0 1  0 2 3 2 3 1 0 0 1 0 0  0 -1  0 0 0  0.5"), 1U);
  // LCPs of the sizes that could be dimensions, and of size 1, which could be a flag
  EXPECT_EQ(kind("1 0 1 1 1 1 2 -1"), 2U);
  EXPECT_EQ(kind("1 1 1 1 1 1 1 1 1 2 1 0 1 0 0 2 -1"), 2U);
  EXPECT_EQ(kind("2 0 2 2 2 2 1 0 0 1 -1 -1 Remark of 2009"), 2U);
  EXPECT_EQ(kind("2 1 2 2 1 1 1 2 2 2 1 0 1 0 0 2 1 1 2 -5 -6"), 2U);
  EXPECT_EQ(kind("2 2 2 2 1 CSparse triplet: 2-by-2, nzmax: 2 nnz: 2 0 0 : 1 1 1 : 1 -5 -6"), 2U);
  EXPECT_EQ(kind("3 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 -1 -1"), 2U);
  // as a friction problem in two dimensions with one contact and sparse W
  EXPECT_EQ(kind("2 1 2 2 2 1 CSparse triplet: 2-by-2, nzmax: 1 nnz: 1 0 0 : 1  -1 0  0.5"), 0U);
  EXPECT_EQ(kind("0 1 1 1  2  3  4  5  6  7"), 2U);
}

TEST(SiconosText, JoinsThePartsOfMixedProblems) {
  // A = 2, B = 3, C = 4, D = 5, a = 6, b = 7
  const MixedProblem parts = Mixed("0 1 1 1  2  3  4  5  6  7");
  EXPECT_EQ(parts.M, (Mat2() << 2, 4, 5, 3).finished());
  EXPECT_EQ(parts.q, Vec2(6, 7));
  EXPECT_EQ(parts.is_equation, (std::vector<bool>{true, false}));
  const MixedProblem both = Mixed("1 1 1 1  0 1 2  0 1  0 2 2 2 2  2 5 4 3  6 7   2 3 4 5 6 7   0.1 0.2 0.3");
  EXPECT_EQ(both.M, parts.M);
  EXPECT_EQ(both.q, parts.q);
  EXPECT_EQ(both.is_free, parts.is_free);
}

struct DamagedText {
  const char* text;
  const char* expected;
};

TEST(SiconosText, TellsWhatIsWrongAndWhere) {
  const DamagedText cases[] = {
      {"", "end of the file"},
      {"hello world", "first numbers"},
      {"4 1 0 4 4", "first numbers"},
      {"3", "first numbers"},
      {"3 -1 0 3 3", "first numbers"},
      {"3 1 0 3 3 3 3 1 2 3 4", "9 more numbers"},
      {"3 1 0 3 3 3 3\n1 2 3\n4 5 6\n7 8 ten\n-1 0 0\n0.3", "text:4"},
      {"3 1 0 3 3 3 3 1 2 3 4 5 6 7 8 9 -1 0 0", "mu"},
      {"3 1 0 3 3 3 3 1 2 3 4 5 6 7 8 9 -1 nan 0 0.3", "finite"},
      {"3 1 0 3 3 3 3 1 2 3 4 5 6 7 8 9 -1 1e999 0 0.3", "finite"},
      {"3 1 0 3 3 3 3 1 2 3 4 5 6 7 8 9 -1 0 0 -0.3", "from 0 to"},
      {"3 1 0 3 3 3 3 1 2 3 4 5 6 7 8 9 -1 0 0 0.3 1 2", "H"},
      {"3 1 0 3 3 3 2 1 2 3 4 5 6", "columns"},
      {"3 1 0 3 2 3 2 1 2 3 4 5 6 0 0 0 0.3", "square"},
      {"3 2000000000 0 3 3", "contacts"},
      {"3 100000 0 3 3 3 3 1 2 3", "more numbers"},
      {"3 1 0 2000000000 2000000000 2000000000 2000000000 1", "more numbers"},
      {"3 1 1 3 3 2000000000 1 1", "more numbers"},
      {"3 1 1 3 3 1 1 1  2  3  2 1  0 1  0  0  1 2 3 4 5 6 7 8 9  0 0 0 0.3", "block row ends"},
      {"3 1 1 3 3 1 1 1  3  3  2 1  0 1  1  0  1 2 3 4 5 6 7 8 9  0 0 0 0.3", "block column"},
      {"3 1 1 3 3 1 1 1  3  3  2 1  0 0  0  0  1 2 3 4 5 6 7 8 9  0 0 0 0.3", "starts"},
      {"3 1 1 3 3 1 1 1  3  3  2 1  0 1  0  7  1 2 3 4 5 6 7 8 9  0 0 0 0.3", "block 0"},
      {"3 1 2 3 3 1 CSparse triplet: 3-by-3, nzmax: 1 nnz: 1  3 0 : 1  0 0 0 0.3", "row"},
      {"3 1 2 3 3 1 CSparse triplet: 3-by-3, nzmax: 1 nnz: 99999999  0 0 : 1  0 0 0 0.3", "more numbers"},
      {"3 1 2 3 3 1 CSparse triplet: 3-by-4, nzmax: 1 nnz: 1  0 0 : 1  0 0 0 0.3", "3-by-3"},
      {"3 1 2 3 3 3 CSparse 3-by-3, nzmax: 1 nnz: 1, 1-norm: 1", "kind of sparse storage"},
      {"2 0 2 2 2 2 1 0 0 1 -1", "q"},
      {"2 0 2 2 2 2 1 0 0 1 -1 -1 -1", "end of the file or a remark"},
      {"1 1 1 1 0 2 0 0 2 2 2 2 1 2 3 4 5 6", "equations"},
      {"1 0 1 1 0 1 2 0 1 0 3 2 3 2 1 2 3 4 5 6 0 1", "one for each row"},
      {"1 1 -1 1 0 1", "free variables"},
  };
  for (const DamagedText& damaged : cases) {
    try {
      ParseSiconosText(damaged.text, "text");
      ADD_FAILURE() << "accepted: " << damaged.text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(damaged.expected)) << damaged.text;
      EXPECT_THAT(error.what(), HasSubstr("text")) << damaged.text;
    }
  }
}

TEST(SiconosText, EveryCutOrChangedWordIsReadOrRefused) {
  std::mt19937 engine(7);
  for (const std::string text : {kDense, kBlocks, kSparse, kColumns}) {
    for (std::size_t length = 0; length < text.size(); ++length) {
      try {
        ParseSiconosText(text.substr(0, length), "text");
      } catch (const InputError&) {
      }
    }
    for (int trial = 0; trial < 300; ++trial) {
      std::string changed = text;
      changed[engine() % changed.size()] = "0123456789-:e .x"[engine() % 16];
      try {
        ParseSiconosText(changed, "text");
      } catch (const InputError&) {
      }
    }
  }
}

TEST(SiconosText, ReadsAProblemWithoutContacts) {
  const LocalProblem problem = Local("3 0 0 0 0 0 0");
  EXPECT_EQ(problem.contacts.contacts(), 0);
  EXPECT_EQ(problem.W.rows(), 0);
}

TEST(SiconosText, RefusesWhatIsNoFile) {
  EXPECT_THROW(ReadSiconosText("/nowhere/at/all.dat"), InputError);
  EXPECT_THROW(ReadSiconosText(std::filesystem::temp_directory_path()), InputError);
}

}  // namespace
}  // namespace slipstick::internal
