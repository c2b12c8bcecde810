#include "slipstick/base/draft_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "slipstick/base/fault.h"

namespace slipstick::internal {
namespace {

constexpr const char* kWritable = "a file that can be written";

std::filesystem::path DraftOf(const std::filesystem::path& target) {
  std::filesystem::path draft = target.has_filename() ? target : target.parent_path();
  draft += fmt::format(".{}.tmp", ::getpid());
  return draft;
}

}  // namespace

Draft::Draft(const std::filesystem::path& target) : target_(target), draft_(DraftOf(target)) {}

Draft::~Draft() {
  std::error_code ignored;
  std::filesystem::remove_all(draft_, ignored);
}

void Draft::MakeParent() const {
  std::error_code error;
  if (draft_.has_parent_path()) std::filesystem::create_directories(draft_.parent_path(), error);
  if (error) Fail("a place that can be written", error.message());
}

void Draft::Commit() {
  std::error_code error;
  std::filesystem::rename(draft_, target_, error);
  if (error) Fail("a place that can be written", error.message());
}

void Draft::Fail(const std::string& expected, const std::string& found) const {
  throw InputError({Fault{.file = target_.string(), .line = 0, .key = "", .expected = expected, .found = found}});
}

DraftFile::DraftFile(const std::filesystem::path& file) : draft_(file) {
  if (std::filesystem::is_directory(file)) draft_.Fail("the name of a file", "a folder");
  draft_.MakeParent();
  errno = 0;
  stream_.open(draft_.path(), std::ios::binary | std::ios::trunc);
  RequireGood();
}

void DraftFile::RequireGood() const {
  if (!stream_) draft_.Fail(kWritable, errno != 0 ? std::strerror(errno) : "a write error");
}

void DraftFile::Write(std::string_view bytes) {
  errno = 0;
  stream_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  RequireGood();
  size_ += bytes.size();
}

void DraftFile::Commit() {
  errno = 0;
  stream_.close();  // writes what is left in the buffer: where a disk is full, this is what fails
  RequireGood();
  draft_.Commit();
}

void WriteFile(const std::filesystem::path& file, std::string_view bytes) {
  DraftFile draft(file);
  draft.Write(bytes);
  draft.Commit();
}

DraftFolder::DraftFolder(const std::filesystem::path& folder) : draft_(folder) {
  std::error_code error;
  if (std::filesystem::exists(folder) && !std::filesystem::is_directory(folder)) {
    draft_.Fail("the name of a folder", "a file");
  }
  if (std::filesystem::is_directory(folder) && !std::filesystem::is_empty(folder, error)) {
    draft_.Fail("a folder that does not exist yet, or is empty", "one with files in it; choose another by -o");
  }
  draft_.MakeParent();
  std::filesystem::create_directory(draft_.path(), error);
  if (error) draft_.Fail("a folder that can be made", error.message());
}

}  // namespace slipstick::internal
