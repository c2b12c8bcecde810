#include "slipstick/export/zip_file.h"

#include <zlib.h>

#include <array>

#include "slipstick/base/check.h"

namespace slipstick::internal {
namespace {

constexpr std::uint16_t kVersion = 45;       // what reading sizes beyond 4 GB takes
constexpr std::uint16_t kUtf8Names = 0x800;  // a flag
constexpr std::uint16_t kDeflated = 8;
constexpr std::uint16_t kDate = 0x21;  // 1 January 1980, so that equal recordings give equal files
constexpr std::uint32_t kElsewhere = 0xFFFFFFFF;
constexpr std::uint16_t kLargeField = 1;  // the extra field with 64-bit sizes

template <typename Integer>
void Put(Integer value, std::string* bytes) {
  for (std::size_t i = 0; i < sizeof(Integer); ++i) bytes->push_back(static_cast<char>(value >> (8 * i) & 0xFF));
}

}  // namespace

struct ZipMember::Stream {
  z_stream z{};
  Stream() {
    // no header of zlib's own: the zip file has one
    SLIPSTICK_CHECK(deflateInit2(&z, 4, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK, "zlib");
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { deflateEnd(&z); }

  void Run(std::string_view bytes, int flush, std::string* out) {
    std::array<char, 1 << 16> room;
    // zlib counts in 32 bits
    while (true) {
      const std::string_view piece = bytes.substr(0, 1 << 30);
      bytes.remove_prefix(piece.size());
      const int mode = bytes.empty() ? flush : Z_NO_FLUSH;
      z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
      z.avail_in = static_cast<uInt>(piece.size());
      do {
        z.next_out = reinterpret_cast<Bytef*>(room.data());
        z.avail_out = static_cast<uInt>(room.size());
        deflate(&z, mode);
        out->append(room.data(), room.size() - z.avail_out);
      } while (z.avail_out == 0);
      if (bytes.empty()) return;
    }
  }
};

ZipMember::ZipMember(std::string name) : name_(std::move(name)), stream_(std::make_unique<Stream>()) {}
ZipMember::ZipMember(ZipMember&&) noexcept = default;
ZipMember& ZipMember::operator=(ZipMember&&) noexcept = default;
ZipMember::~ZipMember() = default;

void ZipMember::Append(std::string_view bytes) {
  if (bytes.empty()) return;  // of a null pointer zlib makes a new beginning
  check_ = static_cast<std::uint32_t>(crc32_z(check_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  size_ += bytes.size();
  stream_->Run(bytes, Z_NO_FLUSH, &deflated_);
}

void ZipMember::Finish() { stream_->Run({}, Z_FINISH, &deflated_); }

void ZipFile::Add(ZipMember member) {
  member.Finish();
  const std::uint64_t start = file_.size();
  const auto put_common = [&](std::string* bytes, std::uint16_t extra) {
    Put(kVersion, bytes);
    Put(kUtf8Names, bytes);
    Put(kDeflated, bytes);
    Put<std::uint16_t>(0, bytes);  // midnight
    Put(kDate, bytes);
    Put(member.check_, bytes);
    Put(kElsewhere, bytes);
    Put(kElsewhere, bytes);
    Put(static_cast<std::uint16_t>(member.name_.size()), bytes);
    Put(extra, bytes);
  };
  const auto put_sizes = [&](std::uint16_t length, std::string* bytes) {
    Put(kLargeField, bytes);
    Put(length, bytes);
    Put(member.size_, bytes);
    Put<std::uint64_t>(member.deflated_.size(), bytes);
  };
  std::string local = "PK\3\4";  // §4.3.7
  put_common(&local, 20);
  local += member.name_;
  put_sizes(16, &local);
  file_.Write(local);
  file_.Write(member.deflated_);

  directory_ += "PK\1\2";  // §4.3.12
  Put(kVersion, &directory_);
  put_common(&directory_, 28);
  Put<std::uint16_t>(0, &directory_);  // no comment
  Put<std::uint16_t>(0, &directory_);  // first disk
  Put<std::uint16_t>(0, &directory_);
  Put<std::uint32_t>(0, &directory_);
  Put(kElsewhere, &directory_);
  directory_ += member.name_;
  put_sizes(24, &directory_);
  Put(start, &directory_);
  ++count_;
}

void ZipFile::Commit() {
  const std::uint64_t directory_start = file_.size(), end = directory_start + directory_.size();
  std::string tail = "PK\6\6";  // §4.3.14
  Put<std::uint64_t>(44, &tail);
  Put(kVersion, &tail);
  Put(kVersion, &tail);
  Put<std::uint32_t>(0, &tail);
  Put<std::uint32_t>(0, &tail);
  Put(count_, &tail);
  Put(count_, &tail);
  Put<std::uint64_t>(directory_.size(), &tail);
  Put(directory_start, &tail);
  tail += "PK\6\7";  // §4.3.15
  Put<std::uint32_t>(0, &tail);
  Put(end, &tail);
  Put<std::uint32_t>(1, &tail);
  tail += "PK\5\6";  // §4.3.16
  Put<std::uint16_t>(0, &tail);
  Put<std::uint16_t>(0, &tail);
  Put<std::uint16_t>(0xFFFF, &tail);
  Put<std::uint16_t>(0xFFFF, &tail);
  Put(kElsewhere, &tail);
  Put(kElsewhere, &tail);
  Put<std::uint16_t>(0, &tail);
  file_.Write(directory_);
  file_.Write(tail);
  file_.Commit();
}

}  // namespace slipstick::internal
