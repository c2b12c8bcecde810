#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "slipstick/base/draft_file.h"
#include "slipstick/storage/hdf5_file.h"

namespace slipstick::internal {

// A file that is there as a whole or not at all (base/draft_file.h). What fails is an InputError; without Commit
// nothing remains.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(const std::filesystem::path& file);
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  void Group(const std::string& path);
  // A list of numbers in the type it has in the file; big ones are compressed.
  template <typename T>
  void Numbers(const std::string& path, const T* values, std::size_t count) {
    Write(path, Hdf5Type<T>(), values, count);
  }
  template <typename T>
  void Numbers(const std::string& path, const std::vector<T>& values) {
    Write(path, Hdf5Type<T>(), values.data(), values.size());
  }
  // A string of fixed length with its zero, the way C programs write them.
  void Text(const std::string& path, const std::string& text);
  void TextAttribute(const std::string& path, const char* name, const std::string& value);
  template <typename T>
  void NumberAttribute(const std::string& path, const char* name, T value) {
    Guard([&] { WriteNumberAttribute<T>(Own(H5Gopen2(file_.get(), path.c_str(), H5P_DEFAULT)).get(), name, value); });
  }

  void Commit();

 private:
  void Write(const std::string& path, hid_t type, const void* values, std::size_t count);
  [[noreturn]] void Fail(const std::string& found) const;
  template <typename Action>
  void Guard(const Action& action) {
    try {
      action();
    } catch (const Hdf5Error& error) {
      Fail(error.what());
    }
  }

  Hdf5Silence silence_;
  Draft draft_;
  Hdf5Handle file_;  // closed before the draft goes
};

}  // namespace slipstick::internal
