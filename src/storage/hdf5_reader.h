#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "slipstick/storage/hdf5_file.h"

namespace slipstick::internal {

// A file whose content is not trusted: everything is named by its path inside the file, asked for with its type and
// length, and whatever is not so is an InputError with the path as its key. Nothing is allocated that the file is too
// small to hold.
class Hdf5Reader {
 public:
  static constexpr long long kAnyLength = -1;

  explicit Hdf5Reader(const std::filesystem::path& file);

  bool HasGroup(const std::string& path) const;
  bool HasDataset(const std::string& path) const;
  // Numbers of a dataset of rank 1, or of rank 0 as one.
  std::vector<double> Reals(const std::string& path, long long length = kAnyLength) const;
  std::vector<std::int64_t> Integers(const std::string& path, std::int64_t least, std::int64_t most,
                                     long long length = kAnyLength) const;
  std::vector<std::uint64_t> Unsigned(const std::string& path, long long length = kAnyLength) const;
  std::int64_t Integer(const std::string& path, std::int64_t least, std::int64_t most) const;
  // One string, fixed in length or not.
  std::string Text(const std::string& path) const;

  bool HasAttribute(const std::string& path, const char* name) const;
  std::string TextAttribute(const std::string& path, const char* name) const;
  double RealAttribute(const std::string& path, const char* name) const;
  std::int64_t IntegerAttribute(const std::string& path, const char* name, std::int64_t least, std::int64_t most) const;

  const std::string& name() const { return name_; }
  [[noreturn]] void Fail(const std::string& key, const std::string& expected, const std::string& found) const;

 private:
  template <typename T>
  std::vector<T> Read(const std::string& path, H5T_class_t type_class, const std::string& expected,
                      long long length) const;
  template <typename T>
  T ReadAttribute(const std::string& path, const char* name, H5T_class_t type_class, const std::string& expected) const;
  void RequireType(hid_t type, H5T_class_t type_class, const std::string& key, const std::string& expected) const;
  H5O_type_t KindOf(const std::string& path) const;

  Hdf5Silence silence_;
  std::string name_;
  std::uintmax_t bytes_ = 0;
  Hdf5Handle file_;
};

}  // namespace slipstick::internal
