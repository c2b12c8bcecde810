#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/output/replay.h"

namespace slipstick::internal {

// The nearest whole multiple, as a number of units that a double holds exactly.
inline std::int64_t RoundedToWhole(double value, double unit) {
  constexpr double kMost = 0x1p52;
  return std::isfinite(value) ? static_cast<std::int64_t>(std::clamp(std::round(value / unit), -kMost, kMost)) : 0;
}

// A block before it is deflated.
class ReplayBytes {
 public:
  // Seven bits a byte, the lowest first; the eighth says that another byte follows.
  void Whole(std::uint64_t value) {
    while (value >= 128) {
      bytes_ += static_cast<char>(value % 128 + 128);
      value /= 128;
    }
    bytes_ += static_cast<char>(value);
  }
  // 0, −1, 1, −2, 2 … as 0, 1, 2, 3, 4 …
  void Signed(std::int64_t value) {
    Whole(value < 0 ? 2 * static_cast<std::uint64_t>(-(value + 1)) + 1 : 2 * static_cast<std::uint64_t>(value));
  }
  void Double(double value);
  // The upper three bytes of single precision, rounded: first the highest of all values, then the next, then the last.
  void Floats(std::span<const double> values);
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Half the thickness of a shape where it is thinnest, about [m]; 0 where it has none.
double ShapeThickness(const RecordingHeader::Shape& shape);

// Of a frame the loaded contacts, at most format.most_contacts, the strongest by |force|, in the order they had.
std::vector<RecordingContact> StrongestContacts(std::span<const RecordingContact> contacts, std::size_t most);

// How a contact moves: as recorded, and 3, it rolls, where it sticks and its bodies turn against each other about an
// axis in the plane of contact: |ω_T| s above the 1 mm/s from which on a contact counts as slipping, with s half the
// thickness of the thinner shape.
int ReplayState(const RecordingHeader& header, const RecordingContact& contact);

// The part of a block that holds the contacts.
void WriteReplayContacts(const RecordingHeader& header, const ReplayFormat& format, std::span<const ReplayFrame> frames,
                         ReplayBytes* bytes);

}  // namespace slipstick::internal
