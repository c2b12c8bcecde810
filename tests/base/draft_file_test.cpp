#include "slipstick/base/draft_file.h"

#include <gtest/gtest.h>

#include <sstream>

#include "slipstick/base/fault.h"
#include "tests/base/full_disk.h"
#include "tests/base/scratch.h"

namespace slipstick::internal {
namespace {

using testing::FullDisk;
using testing::Scratch;

std::string TextOf(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

long EntriesOf(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

// The file that the fault names; empty where there was none.
template <typename Action>
std::string FaultyFile(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.faults().at(0).file;
  }
  return "";
}

TEST(DraftFile, IsThereFromCommitOn) {
  const Scratch scratch;
  const std::filesystem::path file = scratch / "new" / "numbers.txt";
  {
    DraftFile draft(file);
    draft.Write("1 2 ");
    draft.Write("3");
    EXPECT_EQ(draft.size(), 5u);
    EXPECT_FALSE(std::filesystem::exists(file));
    draft.Commit();
    EXPECT_EQ(TextOf(file), "1 2 3");
  }
  WriteFile(file, "4");
  EXPECT_EQ(TextOf(file), "4");
  EXPECT_EQ(EntriesOf(file.parent_path()), 1);
}

TEST(DraftFile, WithoutCommitNothingRemains) {
  const Scratch scratch;
  const std::filesystem::path file = scratch / "numbers.txt";
  { DraftFile(file).Write("1"); }
  EXPECT_EQ(EntriesOf(scratch.folder()), 0);
  WriteFile(file, "2");
  { DraftFile(file).Write("3"); }
  EXPECT_EQ(TextOf(file), "2");
  EXPECT_EQ(EntriesOf(scratch.folder()), 1);
}

// A few bytes wait in the stream's buffer and fail only when it is closed; many fail at once.
TEST(DraftFile, AFullDiskLeavesWhatWasThere) {
  const Scratch scratch;
  const std::filesystem::path file = scratch / "numbers.txt";
  WriteFile(file, "before");
  for (const std::size_t size : {1, 100, 1000000}) {
    std::string told;
    {
      const FullDisk full;
      told = FaultyFile([&] { WriteFile(file, std::string(size, 'x')); });
    }
    EXPECT_EQ(told, file.string()) << size;
    EXPECT_EQ(TextOf(file), "before") << size;
    EXPECT_EQ(EntriesOf(scratch.folder()), 1) << size;
  }
}

TEST(DraftFile, NamesWhatCannotBeWritten) {
  const Scratch scratch;
  WriteFile(scratch / "plain", "a file where a folder should be");
  std::filesystem::create_directories(scratch / "taken" / "inside");
  for (const std::filesystem::path& file : {scratch / "plain" / "x", scratch / "taken"}) {
    EXPECT_EQ(FaultyFile([&] { WriteFile(file, "1"); }), file.string());
  }
  EXPECT_EQ(EntriesOf(scratch.folder()), 2);
}

TEST(DraftFolder, IsThereFromCommitOnAndMixesNothing) {
  const Scratch scratch;
  const std::filesystem::path folder = scratch / "frames";
  {
    DraftFolder abandoned(folder);
    WriteFile(abandoned.path() / "1", "one");
  }
  EXPECT_EQ(EntriesOf(scratch.folder()), 0);
  {
    DraftFolder draft(folder);
    WriteFile(draft.path() / "1", "one");
    EXPECT_FALSE(std::filesystem::exists(folder));
    draft.Commit();
  }
  EXPECT_EQ(TextOf(folder / "1"), "one");
  EXPECT_EQ(EntriesOf(scratch.folder()), 1);
  EXPECT_EQ(FaultyFile([&] { DraftFolder draft(folder); }), folder.string());
  EXPECT_EQ(FaultyFile([&] { DraftFolder draft(folder / "1"); }), (folder / "1").string());
}

}  // namespace
}  // namespace slipstick::internal
