#pragma once

#include <hdf5.h>

#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace slipstick::internal {

// The few things that recordings and saved problems need of HDF5's C interface, with owned handles and exceptions.

// Any failed call of the library; the message is the innermost line of its error stack.
class Hdf5Error : public std::exception {
 public:
  explicit Hdf5Error(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

// An owned identifier of whatever kind; H5Idec_ref releases them all alike.
class Hdf5Handle {
 public:
  Hdf5Handle() = default;
  explicit Hdf5Handle(hid_t id) : id_(id) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    if (this != &other) {
      Reset();
      id_ = std::exchange(other.id_, H5I_INVALID_HID);
    }
    return *this;
  }
  ~Hdf5Handle() { Reset(); }

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  void Reset() {
    if (id_ >= 0) H5Idec_ref(id_);
    id_ = H5I_INVALID_HID;
  }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

// Keeps the library from printing its error stack to the terminal while it lives.
class Hdf5Silence {
 public:
  Hdf5Silence();
  ~Hdf5Silence();
  Hdf5Silence(const Hdf5Silence&) = delete;
  Hdf5Silence& operator=(const Hdf5Silence&) = delete;

 private:
  H5E_auto2_t printer_ = nullptr;
  void* printer_data_ = nullptr;
};

// Take ownership of a result, or throw Hdf5Error.
Hdf5Handle Own(hid_t id);
void Require(herr_t status);

// Element types.
template <typename T>
hid_t Hdf5Type();
template <>
inline hid_t Hdf5Type<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
inline hid_t Hdf5Type<std::int8_t>() {
  return H5T_NATIVE_INT8;
}
template <>
inline hid_t Hdf5Type<std::int32_t>() {
  return H5T_NATIVE_INT32;
}
template <>
inline hid_t Hdf5Type<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
inline hid_t Hdf5Type<std::uint32_t>() {
  return H5T_NATIVE_UINT32;
}
template <>
inline hid_t Hdf5Type<std::uint64_t>() {
  return H5T_NATIVE_UINT64;
}

// Variable-length UTF-8 strings.
void WriteStringAttribute(hid_t object, const char* name, const std::string& value);
std::string ReadStringAttribute(hid_t object, const char* name);
void WriteStrings(hid_t parent, const char* name, const std::vector<std::string>& values);
std::vector<std::string> ReadStrings(hid_t parent, const char* name);

// Numbers as attributes and as whole datasets.
template <typename T>
void WriteNumberAttribute(hid_t object, const char* name, T value) {
  const Hdf5Handle space = Own(H5Screate(H5S_SCALAR));
  const Hdf5Handle attribute = Own(H5Acreate2(object, name, Hdf5Type<T>(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
  Require(H5Awrite(attribute.get(), Hdf5Type<T>(), &value));
}

template <typename T>
T ReadNumberAttribute(hid_t object, const char* name) {
  const Hdf5Handle attribute = Own(H5Aopen(object, name, H5P_DEFAULT));
  T value{};
  Require(H5Aread(attribute.get(), Hdf5Type<T>(), &value));
  return value;
}

std::vector<hsize_t> ExtentOf(hid_t dataset);

// A dataset that grows by rows of a fixed shape, in compressed blocks. A block holds so many whole rows, or where
// `most_items` is above 0, of each at most that many items of its first dimension.
Hdf5Handle CreateGrowing(hid_t parent, const char* name, hid_t type, const std::vector<hsize_t>& row,
                         hsize_t rows_per_block, hsize_t most_items = 0);
void AppendRows(hid_t dataset, hid_t type, const void* values, hsize_t count);

// A slice of a dataset, flattened.
void ReadSlice(hid_t dataset, hid_t type, const std::vector<hsize_t>& start, const std::vector<hsize_t>& count,
               void* out);

// Reads count rows from start on; the dataset's further dimensions are read whole.
template <typename T>
std::vector<T> ReadRows(hid_t dataset, hsize_t start, hsize_t count) {
  std::vector<hsize_t> shape = ExtentOf(dataset);
  std::vector<hsize_t> origin(shape.size(), 0);
  origin.at(0) = start;
  shape.at(0) = count;
  hsize_t size = 1;
  for (const hsize_t extent : shape) size *= extent;
  std::vector<T> values(size);
  if (size > 0) ReadSlice(dataset, Hdf5Type<T>(), origin, shape, values.data());
  return values;
}

}  // namespace slipstick::internal
