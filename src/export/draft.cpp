#include "slipstick/export/draft.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "slipstick/base/fault.h"

namespace slipstick::internal {
namespace {

[[noreturn]] void Fail(const std::filesystem::path& path, const std::string& expected, const std::string& found) {
  throw InputError({Fault{.file = path.string(), .line = 0, .key = "", .expected = expected, .found = found}});
}

// Beside the place itself, so that renaming stays within one file system.
std::filesystem::path DraftOf(const std::filesystem::path& path) {
  std::filesystem::path draft = path.has_filename() ? path : path.parent_path();
  draft += fmt::format(".{}.tmp", ::getpid());
  return draft;
}

void MakeParent(const std::filesystem::path& path) {
  std::error_code error;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
  if (error) Fail(path, "a place that can be written", error.message());
}

}  // namespace

DraftFile::DraftFile(const std::filesystem::path& file) : file_(file), draft_(DraftOf(file)) {
  if (std::filesystem::is_directory(file)) Fail(file, "the name of a file", "a folder");
  MakeParent(file);
  errno = 0;
  stream_.open(draft_, std::ios::binary | std::ios::trunc);
  if (!stream_) Fail(file, "a file that can be written", std::strerror(errno));
}

DraftFile::~DraftFile() {
  std::error_code ignored;
  stream_.close();
  std::filesystem::remove(draft_, ignored);
}

void DraftFile::Write(std::string_view bytes) {
  errno = 0;
  stream_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream_) Fail(file_, "a file that can be written", errno != 0 ? std::strerror(errno) : "a write error");
  size_ += bytes.size();
}

void DraftFile::Commit() {
  errno = 0;
  stream_.close();
  if (!stream_) Fail(file_, "a file that can be written", errno != 0 ? std::strerror(errno) : "a write error");
  std::error_code error;
  std::filesystem::rename(draft_, file_, error);
  if (error) Fail(file_, "a file that can be written", error.message());
}

DraftFolder::DraftFolder(const std::filesystem::path& folder) : folder_(folder), draft_(DraftOf(folder)) {
  std::error_code error;
  if (std::filesystem::exists(folder) && !std::filesystem::is_directory(folder)) {
    Fail(folder, "the name of a folder", "a file");
  }
  if (std::filesystem::is_directory(folder) && !std::filesystem::is_empty(folder, error)) {
    Fail(folder, "a folder that does not exist yet, or is empty", "one with files in it; choose another by -o");
  }
  MakeParent(draft_);
  std::filesystem::create_directory(draft_, error);
  if (error) Fail(folder, "a folder that can be made", error.message());
}

DraftFolder::~DraftFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(draft_, ignored);
}

void DraftFolder::Commit() {
  std::error_code error;
  std::filesystem::rename(draft_, folder_, error);
  if (error) Fail(folder_, "a folder that can be made", error.message());
}

}  // namespace slipstick::internal
