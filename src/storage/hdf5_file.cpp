#include "slipstick/storage/hdf5_file.h"

#include <algorithm>

#include "slipstick/storage/hdf5_texts.h"

namespace slipstick::internal {
namespace {

herr_t KeepDescription(unsigned, const H5E_error2_t* error, void* text) {
  if (error->desc != nullptr && *error->desc != '\0') *static_cast<std::string*>(text) = error->desc;
  return 0;
}

[[noreturn]] void ThrowLastError() {
  // walked from the outermost call inwards, so that the last line kept is the cause itself
  std::string text = "unknown error of the HDF5 library";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, KeepDescription, &text);
  throw Hdf5Error(text);
}

Hdf5Handle StringType() {
  Hdf5Handle type = Own(H5Tcopy(H5T_C_S1));
  Require(H5Tset_size(type.get(), H5T_VARIABLE));
  Require(H5Tset_cset(type.get(), H5T_CSET_UTF8));
  return type;
}

}  // namespace

Hdf5Silence::Hdf5Silence() {
  H5Eget_auto2(H5E_DEFAULT, &printer_, &printer_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Silence::~Hdf5Silence() { H5Eset_auto2(H5E_DEFAULT, printer_, printer_data_); }

Hdf5Handle Own(hid_t id) {
  if (id < 0) ThrowLastError();
  return Hdf5Handle(id);
}

void Require(herr_t status) {
  if (status < 0) ThrowLastError();
}

void WriteStringAttribute(hid_t object, const char* name, const std::string& value) {
  const Hdf5Handle type = StringType();
  const Hdf5Handle space = Own(H5Screate(H5S_SCALAR));
  const Hdf5Handle attribute = Own(H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
  const char* text = value.c_str();
  Require(H5Awrite(attribute.get(), type.get(), &text));
}

std::string ReadStringAttribute(hid_t object, const char* name) {
  const Hdf5Handle attribute = Own(H5Aopen(object, name, H5P_DEFAULT));
  const std::vector<std::string> texts = Hdf5Texts(object).OfAttribute(attribute.get());
  if (texts.size() != 1) throw Hdf5Error(std::string(name) + " must be one text");
  return texts.front();
}

void WriteStrings(hid_t parent, const char* name, const std::vector<std::string>& values) {
  const Hdf5Handle type = StringType();
  const hsize_t count = values.size();
  const Hdf5Handle space = Own(H5Screate_simple(1, &count, nullptr));
  const Hdf5Handle dataset =
      Own(H5Dcreate2(parent, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  std::vector<const char*> texts;
  texts.reserve(values.size());
  for (const std::string& value : values) texts.push_back(value.c_str());
  if (!texts.empty()) Require(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()));
}

std::vector<std::string> ReadStrings(hid_t parent, const char* name) {
  return Hdf5Texts(parent).OfDataset(Own(H5Dopen2(parent, name, H5P_DEFAULT)).get());
}

std::vector<hsize_t> ExtentOf(hid_t dataset) {
  const Hdf5Handle space = Own(H5Dget_space(dataset));
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 1) throw Hdf5Error("a list was expected where a single value stands");
  std::vector<hsize_t> extent(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr);
  return extent;
}

Hdf5Handle CreateGrowing(hid_t parent, const char* name, hid_t type, const std::vector<hsize_t>& row,
                         hsize_t rows_per_block, hsize_t most_items) {
  std::vector<hsize_t> extent = {0}, most = {H5S_UNLIMITED}, block = {rows_per_block};
  for (const hsize_t width : row) {
    extent.push_back(width);
    // a block may not be empty, nor larger than the dataset can become: a row of width 0 gets room for 1
    most.push_back(std::max<hsize_t>(1, width));
    const bool is_cut = most_items > 0 && block.size() == 1;
    block.push_back(std::max<hsize_t>(1, is_cut ? std::min(width, most_items) : width));
  }
  const Hdf5Handle space = Own(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), most.data()));
  const Hdf5Handle properties = Own(H5Pcreate(H5P_DATASET_CREATE));
  Require(H5Pset_chunk(properties.get(), static_cast<int>(block.size()), block.data()));
  Require(H5Pset_shuffle(properties.get()));
  Require(H5Pset_deflate(properties.get(), 4));
  return Own(H5Dcreate2(parent, name, type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT));
}

void AppendRows(hid_t dataset, hid_t type, const void* values, hsize_t count) {
  std::vector<hsize_t> extent = ExtentOf(dataset), start(extent.size(), 0), added = extent;
  start[0] = extent[0];
  added[0] = count;
  extent[0] += count;
  Require(H5Dset_extent(dataset, extent.data()));
  const bool is_empty = std::find(added.begin(), added.end(), 0) != added.end();
  if (is_empty) return;
  const Hdf5Handle space = Own(H5Dget_space(dataset));
  Require(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, added.data(), nullptr));
  const Hdf5Handle memory = Own(H5Screate_simple(static_cast<int>(added.size()), added.data(), nullptr));
  Require(H5Dwrite(dataset, type, memory.get(), space.get(), H5P_DEFAULT, values));
}

void ReadSlice(hid_t dataset, hid_t type, const std::vector<hsize_t>& start, const std::vector<hsize_t>& count,
               void* out) {
  const Hdf5Handle space = Own(H5Dget_space(dataset));
  Require(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
  // a selection beyond the extent is only noticed here
  if (H5Sselect_valid(space.get()) <= 0) throw Hdf5Error("a list is shorter than others say");
  const Hdf5Handle memory = Own(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr));
  Require(H5Dread(dataset, type, memory.get(), space.get(), H5P_DEFAULT, out));
}

}  // namespace slipstick::internal
