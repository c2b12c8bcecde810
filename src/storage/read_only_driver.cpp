#include "slipstick/storage/read_only_driver.h"

#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

namespace slipstick::internal {
namespace {

// HDF5 fills in `common` and hands the object back by its address.
struct OpenFile {
  H5FD_t common{};
  std::string bytes;
  haddr_t end_of_allocation = 0;
};

OpenFile* From(H5FD_t* file) { return reinterpret_cast<OpenFile*>(file); }
const OpenFile* From(const H5FD_t* file) { return reinterpret_cast<const OpenFile*>(file); }

// Exceptions must not pass through C.
H5FD_t* Open(const char* name, unsigned flags, hid_t, haddr_t) noexcept try {
  if ((flags & H5F_ACC_RDWR) != 0) return nullptr;
  std::ifstream stream(name, std::ios::binary);
  auto file = std::make_unique<OpenFile>();
  file->bytes.resize(std::filesystem::file_size(name));
  stream.read(file->bytes.data(), static_cast<std::streamsize>(file->bytes.size()));
  if (!stream) return nullptr;
  return &file.release()->common;
} catch (...) {
  return nullptr;
}

herr_t Close(H5FD_t* file) {
  delete From(file);
  return 0;
}

herr_t Query(const H5FD_t*, unsigned long* features) {
  if (features != nullptr) *features = H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t EndOfAllocation(const H5FD_t* file, H5FD_mem_t) { return From(file)->end_of_allocation; }

herr_t SetEndOfAllocation(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  From(file)->end_of_allocation = address;
  return 0;
}

haddr_t EndOfFile(const H5FD_t* file, H5FD_mem_t) { return From(file)->bytes.size(); }

herr_t Read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* out) {
  const std::string& bytes = From(file)->bytes;
  if (address > bytes.size() || size > bytes.size() - address) return -1;
  std::memcpy(out, bytes.data() + address, size);
  return 0;
}

herr_t Write(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, size_t, const void*) { return -1; }

hid_t RegisterDriver() {
  // static: HDF5 keeps no copy of the name
  static H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(H5_VFD_RESERVED + 1);
#endif
  driver.name = "slipstick_read_only";
  driver.maxaddr = HADDR_MAX / 2;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.open = Open;
  driver.close = Close;
  driver.query = Query;
  driver.get_eoa = EndOfAllocation;
  driver.set_eoa = SetEndOfAllocation;
  driver.get_eof = EndOfFile;
  driver.read = Read;
  driver.write = Write;
  const H5FD_mem_t kinds_of_space[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(kinds_of_space), std::end(kinds_of_space), std::begin(driver.fl_map));
  return H5FDregister(&driver);
}

}  // namespace

Hdf5Handle ReadOnlyAccess() {
  // registered once and for the life of the program: open files refer to it
  static const hid_t driver = RegisterDriver();
  if (driver < 0) throw Hdf5Error("the driver for reading could not be registered");
  Hdf5Handle access = Own(H5Pcreate(H5P_FILE_ACCESS));
  Require(H5Pset_driver(access.get(), driver, nullptr));
  return access;
}

}  // namespace slipstick::internal
