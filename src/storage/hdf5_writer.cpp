#include "slipstick/storage/hdf5_writer.h"

#include <algorithm>

namespace slipstick::internal {
namespace {

// Short lists gain nothing from compression.
constexpr std::size_t kCompressFrom = 1024;
constexpr hsize_t kBlock = 1 << 16;

// Without times, which would make files of equal content unequal.
Hdf5Handle DatasetProperties() {
  Hdf5Handle properties = Own(H5Pcreate(H5P_DATASET_CREATE));
  Require(H5Pset_obj_track_times(properties.get(), false));
  return properties;
}

}  // namespace

Hdf5Writer::Hdf5Writer(const std::filesystem::path& file) : draft_(file) {
  file_ = Hdf5Handle(H5Fcreate(draft_.path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  if (!file_) Fail("none");
}

void Hdf5Writer::Fail(const std::string& found) const { draft_.Fail("a place where a file can be written", found); }

void Hdf5Writer::Group(const std::string& path) {
  Guard([&] { Own(H5Gcreate2(file_.get(), path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)); });
}

void Hdf5Writer::Write(const std::string& path, hid_t type, const void* values, std::size_t count) {
  Guard([&] {
    const hsize_t extent = count;
    const Hdf5Handle space = Own(H5Screate_simple(1, &extent, nullptr));
    const Hdf5Handle properties = DatasetProperties();
    if (count >= kCompressFrom) {
      const hsize_t block = std::min<hsize_t>(extent, kBlock);
      Require(H5Pset_chunk(properties.get(), 1, &block));
      Require(H5Pset_shuffle(properties.get()));
      Require(H5Pset_deflate(properties.get(), 4));
    }
    const Hdf5Handle dataset =
        Own(H5Dcreate2(file_.get(), path.c_str(), type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT));
    if (count > 0) Require(H5Dwrite(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  });
}

void Hdf5Writer::Text(const std::string& path, const std::string& text) {
  Guard([&] {
    const Hdf5Handle type = Own(H5Tcopy(H5T_C_S1));
    Require(H5Tset_size(type.get(), text.size() + 1));
    const Hdf5Handle space = Own(H5Screate(H5S_SCALAR));
    const Hdf5Handle dataset = Own(H5Dcreate2(file_.get(), path.c_str(), type.get(), space.get(), H5P_DEFAULT,
                                              DatasetProperties().get(), H5P_DEFAULT));
    Require(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()));
  });
}

void Hdf5Writer::TextAttribute(const std::string& path, const char* name, const std::string& value) {
  Guard([&] { WriteStringAttribute(Own(H5Gopen2(file_.get(), path.c_str(), H5P_DEFAULT)).get(), name, value); });
}

void Hdf5Writer::Commit() {
  Guard([&] { Require(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL)); });
  file_.Reset();
  draft_.Commit();
}

}  // namespace slipstick::internal
