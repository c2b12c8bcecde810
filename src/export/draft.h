#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace slipstick::internal {

// A file that comes into being as a whole: it is written under another name beside its place and renamed by Commit().
// Without that nothing remains of it. Throws InputError with the file's name where it cannot be written.
class DraftFile {
 public:
  explicit DraftFile(const std::filesystem::path& file);
  DraftFile(const DraftFile&) = delete;
  DraftFile& operator=(const DraftFile&) = delete;
  ~DraftFile();

  void Write(std::string_view bytes);
  // How many bytes were written.
  std::uint64_t size() const { return size_; }
  void Commit();

 private:
  std::filesystem::path file_, draft_;
  std::ofstream stream_;
  std::uint64_t size_ = 0;
};

// A folder with files, in the same way. What is there already must be an empty folder, so that nothing is mixed.
class DraftFolder {
 public:
  explicit DraftFolder(const std::filesystem::path& folder);
  DraftFolder(const DraftFolder&) = delete;
  DraftFolder& operator=(const DraftFolder&) = delete;
  ~DraftFolder();

  const std::filesystem::path& path() const { return draft_; }  // until Commit()
  void Commit();

 private:
  std::filesystem::path folder_, draft_;
};

}  // namespace slipstick::internal
