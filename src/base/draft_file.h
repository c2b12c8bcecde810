#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace slipstick::internal {

// A place beside a file or folder, on the same file system, for what is to become it: Commit() renames. Without that
// nothing remains, and what was there before stays. Throws InputError with the target's name where that cannot be done.
class Draft {
 public:
  explicit Draft(const std::filesystem::path& target);
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft();

  const std::filesystem::path& path() const { return draft_; }  // until Commit()
  // Makes the folder that the target is in, where it does not exist.
  void MakeParent() const;
  void Commit();
  // Names the target.
  [[noreturn]] void Fail(const std::string& expected, const std::string& found) const;

 private:
  std::filesystem::path target_, draft_;
};

// A file that comes into being as a whole. Throws InputError with the file's name where it cannot be written, also
// where that shows only when the last bytes reach the disk.
class DraftFile {
 public:
  explicit DraftFile(const std::filesystem::path& file);

  void Write(std::string_view bytes);
  // How many bytes were written.
  std::uint64_t size() const { return size_; }
  void Commit();

 private:
  void RequireGood() const;

  Draft draft_;
  std::ofstream stream_;  // closed before the draft goes
  std::uint64_t size_ = 0;
};

// The same in one call.
void WriteFile(const std::filesystem::path& file, std::string_view bytes);

// A folder with files, in the same way. What is there already must be an empty folder, so that nothing is mixed.
class DraftFolder {
 public:
  explicit DraftFolder(const std::filesystem::path& folder);

  const std::filesystem::path& path() const { return draft_.path(); }  // until Commit()
  void Commit() { draft_.Commit(); }

 private:
  Draft draft_;
};

}  // namespace slipstick::internal
