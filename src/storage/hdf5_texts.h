#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "slipstick/storage/hdf5_file.h"

namespace slipstick::internal {

// Texts of variable length from a file that may be damaged. HDF5 1.10 itself follows their references into the file's
// heap without a look at where they lead, and copies as much as the heap says into room for as much as the reference
// says: one changed byte is enough for it to read or write anywhere. Here the library hands over the references as they
// stand in the file, and the heap is read with every length checked.
class Hdf5Texts {
 public:
  // Of the file that an object is in.
  explicit Hdf5Texts(hid_t object);

  std::vector<std::string> OfDataset(hid_t dataset);
  std::vector<std::string> OfAttribute(hid_t attribute);

 private:
  using ReadReferences = herr_t (*)(hid_t from, hid_t type, void* out);
  std::vector<std::string> Read(hid_t from, const Hdf5Handle& type, const Hdf5Handle& space, ReadReferences read);
  std::string Text(const unsigned char* reference);
  void LoadHeap(std::uint64_t address);

  std::ifstream stream_;
  std::uint64_t size_ = 0;  // of the file
  hsize_t base_ = 0;        // that addresses count from
  std::string heap_;        // the one read last
  std::uint64_t heap_address_ = 0;
};

}  // namespace slipstick::internal
