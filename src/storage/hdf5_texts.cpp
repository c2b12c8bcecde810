#include "slipstick/storage/hdf5_texts.h"

#include <filesystem>

namespace slipstick::internal {
namespace {

// A reference: length, address of a heap, number in it. HDF5 File Format Specification 3.0, III.E and IV.B.
constexpr std::size_t kReference = 16;
// A heap's and an object's header before their contents; contents are padded to a multiple of 8.
constexpr std::uint64_t kHeapHeader = 16, kObjectHeader = 16, kAlignment = 8;

[[noreturn]] void Damaged() { throw Hdf5Error("a text leads out of the file: the file is damaged"); }

std::uint64_t Number(const unsigned char* bytes, int count) {
  std::uint64_t value = 0;
  for (int k = count; k-- > 0;) value = value << 8 | bytes[k];
  return value;
}

// References are handed over as they stand in the file.
herr_t KeepReferences(hid_t, hid_t, H5T_cdata_t* data, size_t, size_t, size_t, void*, void*, hid_t) {
  if (data->command == H5T_CONV_INIT) data->need_bkg = H5T_BKG_NO;
  return 0;
}

hid_t MakeReferenceType() {
  const hid_t type = H5Tcreate(H5T_OPAQUE, kReference);
  const Hdf5Handle text = Own(H5Tcopy(H5T_C_S1));
  Require(H5Tset_size(text.get(), H5T_VARIABLE));
  Require(H5Tset_tag(type, "slipstick text reference"));
  Require(H5Tregister(H5T_PERS_SOFT, "text reference", text.get(), type, KeepReferences));
  return type;
}

}  // namespace

Hdf5Texts::Hdf5Texts(hid_t object) {
  const Hdf5Handle file = Own(H5Iget_file_id(object)), properties = Own(H5Fget_create_plist(file.get()));
  std::size_t address_size = 0, length_size = 0;
  Require(H5Pget_sizes(properties.get(), &address_size, &length_size));
  Require(H5Pget_userblock(properties.get(), &base_));
  if (address_size != 8 || length_size != 8) throw Hdf5Error("addresses of an unusual size");
  const ssize_t length = H5Fget_name(file.get(), nullptr, 0);
  if (length < 0) throw Hdf5Error("a file without a name");
  std::string name(static_cast<std::size_t>(length) + 1, '\0');
  H5Fget_name(file.get(), name.data(), name.size());
  name.pop_back();
  stream_.open(name, std::ios::binary);
  std::error_code error;
  size_ = std::filesystem::file_size(name, error);
  if (!stream_ || error) throw Hdf5Error("the file cannot be read");
}

std::vector<std::string> Hdf5Texts::OfDataset(hid_t dataset) {
  return Read(dataset, Own(H5Dget_type(dataset)), Own(H5Dget_space(dataset)), [](hid_t from, hid_t type, void* out) {
    return H5Dread(from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
  });
}

std::vector<std::string> Hdf5Texts::OfAttribute(hid_t attribute) {
  return Read(attribute, Own(H5Aget_type(attribute)), Own(H5Aget_space(attribute)), H5Aread);
}

std::vector<std::string> Hdf5Texts::Read(hid_t from, const Hdf5Handle& type, const Hdf5Handle& space,
                                         ReadReferences read) {
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) <= 0) {
    throw Hdf5Error("text was expected where something else stands");
  }
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (count <= 0) return {};
  if (static_cast<std::uint64_t>(count) > size_) throw Hdf5Error("more texts than the file has bytes");
  static const hid_t reference_type = MakeReferenceType();  // for the life of the program
  std::vector<unsigned char> references(static_cast<std::size_t>(count) * kReference);
  Require(read(from, reference_type, references.data()));
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) texts.push_back(Text(&references[k * kReference]));
  return texts;
}

std::string Hdf5Texts::Text(const unsigned char* reference) {
  const std::uint64_t length = Number(reference, 4), address = Number(reference + 4, 8),
                      number = Number(reference + 12, 4);
  if (length == 0) return "";
  LoadHeap(address);
  const auto* heap = reinterpret_cast<const unsigned char*>(heap_.data());
  const std::uint64_t end = heap_.size();
  for (std::uint64_t at = kHeapHeader; at + kObjectHeader <= end;) {
    const std::uint64_t index = Number(heap + at, 2), held = Number(heap + at + 8, 8);
    at += kObjectHeader;
    if (index == 0 || held > end - at) Damaged();  // 0: the rest is free
    if (index == number) {
      if (length > held) Damaged();
      const std::string text = heap_.substr(at, length);
      return text.substr(0, text.find('\0'));
    }
    at += (held + kAlignment - 1) / kAlignment * kAlignment;
  }
  Damaged();
}

void Hdf5Texts::LoadHeap(std::uint64_t address) {
  if (!heap_.empty() && heap_address_ == address) return;
  if (base_ > size_ || address > size_ - base_ || size_ - base_ - address < kHeapHeader) Damaged();
  const auto read = [&](std::uint64_t count) {
    heap_.resize(count);
    stream_.seekg(static_cast<std::streamoff>(base_ + address));
    stream_.read(heap_.data(), static_cast<std::streamsize>(count));
    if (!stream_) throw Hdf5Error("the file cannot be read");
  };
  heap_address_ = address;
  read(kHeapHeader);
  const std::uint64_t size = Number(reinterpret_cast<const unsigned char*>(heap_.data()) + 8, 8);
  if (heap_.compare(0, 4, "GCOL") != 0 || size < kHeapHeader || size > size_ - base_ - address) {
    heap_.clear();
    Damaged();
  }
  read(size);
}

}  // namespace slipstick::internal
