#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/base/draft_file.h"

namespace slipstick::internal {

// Bytes on their way into a zip file, deflated as they come, so that many members can grow side by side in little room.
class ZipMember {
 public:
  explicit ZipMember(std::string name);
  ZipMember(ZipMember&&) noexcept;
  ZipMember& operator=(ZipMember&&) noexcept;
  ~ZipMember();

  void Append(std::string_view bytes);

 private:
  friend class ZipFile;
  struct Stream;
  void Finish();

  std::string name_;
  std::string deflated_;
  std::uint64_t size_ = 0;  // before it was deflated
  std::uint32_t check_ = 0;
  std::unique_ptr<Stream> stream_;
};

// A zip file after PKWARE's APPNOTE 6.3; every entry has the fields for more than 4 GB (§4.5.3).
class ZipFile {
 public:
  explicit ZipFile(const std::filesystem::path& file) : file_(file) {}
  void Add(ZipMember member);
  void Commit();

 private:
  DraftFile file_;
  std::string directory_;
  std::uint64_t count_ = 0;
};

}  // namespace slipstick::internal
