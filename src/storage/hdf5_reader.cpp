#include "slipstick/storage/hdf5_reader.h"

#include <algorithm>
#include <functional>

#include "slipstick/base/fault.h"
#include "slipstick/storage/hdf5_texts.h"
#include "slipstick/storage/read_only_driver.h"

namespace slipstick::internal {
namespace {

// The best that HDF5's compression does is a factor of about 1000; a list that would need more is not in the file.
constexpr std::uintmax_t kBestCompression = 1100;
constexpr std::uintmax_t kSmallestLimit = 1 << 20;

// Bytes of one number: up to those of quadruple precision.
constexpr std::size_t kLargestNumber = 16;

std::string Range(std::int64_t least, std::int64_t most) {
  if (least == most) return std::to_string(least);
  return "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
}

const char* Describe(H5T_class_t type_class) {
  if (type_class == H5T_INTEGER) return "whole numbers";
  if (type_class == H5T_FLOAT) return "real numbers";
  if (type_class == H5T_STRING) return "text";
  return "something else";
}

// Text up to the first zero: strings of fixed length are padded.
std::string Trimmed(const std::vector<char>& characters) {
  return {characters.begin(), std::find(characters.begin(), characters.end(), '\0')};
}

}  // namespace

Hdf5Reader::Hdf5Reader(const std::filesystem::path& file) : name_(file.string()) {
  std::error_code error;
  bytes_ = std::filesystem::file_size(file, error);
  if (error) Fail("", "a readable file", "none");
  file_ = Hdf5Handle(H5Fopen(name_.c_str(), H5F_ACC_RDONLY, ReadOnlyAccess().get()));
  if (!file_) Fail("", "an HDF5 file", bytes_ == 0 ? "an empty one" : "another or a damaged one");
}

void Hdf5Reader::Fail(const std::string& key, const std::string& expected, const std::string& found) const {
  throw InputError({Fault{.file = name_, .line = 0, .key = key, .expected = expected, .found = found}});
}

H5O_type_t Hdf5Reader::KindOf(const std::string& path) const {
  // a path exists only if each part of it does, and asking for a part below nothing is an error of the library
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    if (H5Lexists(file_.get(), path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return H5O_TYPE_UNKNOWN;
    if (end == std::string::npos) break;
  }
  const Hdf5Handle object(H5Oopen(file_.get(), path.c_str(), H5P_DEFAULT));
  if (!object) return H5O_TYPE_UNKNOWN;
  switch (H5Iget_type(object.get())) {
    case H5I_GROUP:
      return H5O_TYPE_GROUP;
    case H5I_DATASET:
      return H5O_TYPE_DATASET;
    default:
      return H5O_TYPE_UNKNOWN;
  }
}

bool Hdf5Reader::HasGroup(const std::string& path) const { return KindOf(path) == H5O_TYPE_GROUP; }
bool Hdf5Reader::HasDataset(const std::string& path) const { return KindOf(path) == H5O_TYPE_DATASET; }

void Hdf5Reader::RequireType(hid_t type, H5T_class_t type_class, const std::string& key,
                             const std::string& expected) const {
  if (H5Tget_class(type) != type_class) Fail(key, expected, Describe(H5Tget_class(type)));
  // HDF5 makes buffers for conversion by this size, which a damaged file can put at gigabytes
  const std::size_t size = H5Tget_size(type);
  if (size > kLargestNumber) Fail(key, expected, "numbers of " + std::to_string(size) + " bytes");
}

template <typename T>
std::vector<T> Hdf5Reader::Read(const std::string& path, H5T_class_t type_class, const std::string& expected,
                                long long length) const {
  if (!HasDataset(path)) Fail(path, expected, "nothing");
  try {
    const Hdf5Handle dataset = Own(H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT));
    RequireType(Own(H5Dget_type(dataset.get())).get(), type_class, path, expected);
    const Hdf5Handle space = Own(H5Dget_space(dataset.get()));
    const int rank = H5Sget_simple_extent_ndims(space.get());
    if (rank > 1 || H5Sget_simple_extent_type(space.get()) == H5S_NULL) {
      Fail(path, expected, "a table of rank " + std::to_string(rank));
    }
    hsize_t count = 1;
    if (rank == 1) Require(H5Sget_simple_extent_dims(space.get(), &count, nullptr));
    if (length != kAnyLength && count != static_cast<hsize_t>(length)) {
      Fail(path, expected + ", " + std::to_string(length) + " of them", std::to_string(count));
    }
    if (count > std::max(kSmallestLimit, kBestCompression * bytes_) / sizeof(T)) {
      Fail(path, "no more numbers than the file can hold", std::to_string(count));
    }
    std::vector<T> values(count);
    if (count > 0) Require(H5Dread(dataset.get(), Hdf5Type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    return values;
  } catch (const Hdf5Error& error) {
    Fail(path, expected, error.what());
  }
}

std::vector<double> Hdf5Reader::Reals(const std::string& path, long long length) const {
  return Read<double>(path, H5T_FLOAT, "real numbers", length);
}

std::vector<std::int64_t> Hdf5Reader::Integers(const std::string& path, std::int64_t least, std::int64_t most,
                                               long long length) const {
  std::vector<std::int64_t> values = Read<std::int64_t>(path, H5T_INTEGER, "whole numbers", length);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < least || values[i] > most) {
      Fail(path + "[" + std::to_string(i) + "]", Range(least, most), std::to_string(values[i]));
    }
  }
  return values;
}

std::vector<std::uint64_t> Hdf5Reader::Unsigned(const std::string& path, long long length) const {
  return Read<std::uint64_t>(path, H5T_INTEGER, "whole numbers", length);
}

std::int64_t Hdf5Reader::Integer(const std::string& path, std::int64_t least, std::int64_t most) const {
  return Integers(path, least, most, 1).front();
}

std::string Hdf5Reader::Text(const std::string& path) const {
  if (!HasDataset(path)) Fail(path, "a text", "nothing");
  try {
    const Hdf5Handle dataset = Own(H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT));
    const Hdf5Handle type = Own(H5Dget_type(dataset.get()));
    const Hdf5Handle space = Own(H5Dget_space(dataset.get()));
    if (H5Tget_class(type.get()) != H5T_STRING) Fail(path, "a text", Describe(H5Tget_class(type.get())));
    if (H5Sget_simple_extent_npoints(space.get()) != 1) Fail(path, "one text", "another number of them");
    if (H5Tis_variable_str(type.get()) > 0) return Hdf5Texts(file_.get()).OfDataset(dataset.get()).at(0);
    const std::size_t size = H5Tget_size(type.get());
    if (size > std::max(kSmallestLimit, kBestCompression * bytes_)) Fail(path, "a text", "one longer than the file");
    std::vector<char> characters(size);
    Require(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, characters.data()));
    return Trimmed(characters);
  } catch (const Hdf5Error& error) {
    Fail(path, "a text", error.what());
  }
}

bool Hdf5Reader::HasAttribute(const std::string& path, const char* name) const {
  return HasGroup(path) && H5Aexists_by_name(file_.get(), path.c_str(), name, H5P_DEFAULT) > 0;
}

std::string Hdf5Reader::TextAttribute(const std::string& path, const char* name) const {
  if (!HasAttribute(path, name)) Fail(path + "@" + name, "a text", "nothing");
  try {
    return ReadStringAttribute(Own(H5Gopen2(file_.get(), path.c_str(), H5P_DEFAULT)).get(), name);
  } catch (const Hdf5Error& error) {
    Fail(path + "@" + name, "a text", error.what());
  }
}

template <typename T>
T Hdf5Reader::ReadAttribute(const std::string& path, const char* name, H5T_class_t type_class,
                            const std::string& expected) const {
  const std::string key = path + "@" + name;
  if (!HasAttribute(path, name)) Fail(key, expected, "nothing");
  try {
    const Hdf5Handle attribute = Own(H5Aopen_by_name(file_.get(), path.c_str(), name, H5P_DEFAULT, H5P_DEFAULT));
    RequireType(Own(H5Aget_type(attribute.get())).get(), type_class, key, expected);
    if (H5Sget_simple_extent_npoints(Own(H5Aget_space(attribute.get())).get()) != 1) Fail(key, expected, "a list");
    T value{};
    Require(H5Aread(attribute.get(), Hdf5Type<T>(), &value));
    return value;
  } catch (const Hdf5Error& error) {
    Fail(key, expected, error.what());
  }
}

double Hdf5Reader::RealAttribute(const std::string& path, const char* name) const {
  return ReadAttribute<double>(path, name, H5T_FLOAT, "a real number");
}

std::int64_t Hdf5Reader::IntegerAttribute(const std::string& path, const char* name, std::int64_t least,
                                          std::int64_t most) const {
  const auto value = ReadAttribute<std::int64_t>(path, name, H5T_INTEGER, Range(least, most));
  if (value < least || value > most) Fail(path + "@" + name, Range(least, most), std::to_string(value));
  return value;
}

}  // namespace slipstick::internal
