#include <array>
#include <bit>
#include <cstring>
#include <numeric>

#include "slipstick/output/replay_parts.h"

namespace slipstick::internal {
namespace {

constexpr double kSlipping = 1e-3;  // m/s, as Trajectory::kSlipping

using Column = std::vector<double>;

void PushVector(const Vec3& vector, std::array<Column, 3>* columns) {
  for (int axis = 0; axis < 3; ++axis) (*columns)[static_cast<std::size_t>(axis)].push_back(vector[axis]);
}

}  // namespace

void ReplayBytes::Double(double value) {
  char raw[sizeof(double)];
  std::memcpy(raw, &value, sizeof(double));
  bytes_.append(raw, sizeof(double));
}

void ReplayBytes::Floats(std::span<const double> values) {
  std::vector<std::uint32_t> bits;
  bits.reserve(values.size());
  for (const double value : values) {
    constexpr double kMost = 1e38;
    const float single = static_cast<float>(std::isfinite(value) ? std::clamp(value, -kMost, kMost) : 0.0);
    bits.push_back(std::bit_cast<std::uint32_t>(single) + 0x80u);
  }
  for (const int shift : {24, 16, 8}) {
    for (const std::uint32_t value : bits) bytes_ += static_cast<char>(value >> shift & 0xffu);
  }
}

std::vector<RecordingContact> StrongestContacts(std::span<const RecordingContact> contacts, std::size_t most) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (contacts[i].state != 0) chosen.push_back(i);
  }
  if (chosen.size() > most) {
    std::vector<double> strength;
    strength.reserve(contacts.size());
    for (const RecordingContact& contact : contacts) strength.push_back(contact.force.squaredNorm());
    const auto stronger = [&](std::size_t a, std::size_t b) {
      return strength[a] > strength[b] || (strength[a] == strength[b] && a < b);
    };
    std::nth_element(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(most), chosen.end(), stronger);
    chosen.resize(most);
    std::sort(chosen.begin(), chosen.end());
  }
  std::vector<RecordingContact> strongest;
  strongest.reserve(chosen.size());
  for (const std::size_t i : chosen) strongest.push_back(contacts[i]);
  return strongest;
}

int ReplayState(const RecordingHeader& header, const RecordingContact& contact) {
  if (contact.state != 1) return contact.state;
  double size = std::numeric_limits<double>::infinity();
  for (const int shape : {contact.shape_a, contact.shape_b}) {
    const double thickness = ShapeThickness(header.shapes[static_cast<std::size_t>(shape)]);
    if (thickness > 0) size = std::min(size, thickness);
  }
  const Vec3& turning = contact.angular_velocity;
  const double speed = (turning - turning.dot(contact.normal) * contact.normal).norm() * size;
  return std::isfinite(speed) && speed > kSlipping ? 3 : 1;
}

void WriteReplayContacts(const RecordingHeader& header, const ReplayFormat& format, std::span<const ReplayFrame> frames,
                         ReplayBytes* bytes) {
  std::vector<RecordingContact> kept;
  for (const ReplayFrame& frame : frames) {
    const std::vector<RecordingContact> strongest =
        StrongestContacts(frame.contacts, static_cast<std::size_t>(format.most_contacts));
    const auto loaded = std::count_if(frame.contacts.begin(), frame.contacts.end(),
                                      [](const RecordingContact& contact) { return contact.state != 0; });
    bytes->Whole(std::max(static_cast<std::uint64_t>(loaded), static_cast<std::uint64_t>(frame.loaded)));
    bytes->Whole(strongest.size());
    kept.insert(kept.end(), strongest.begin(), strongest.end());
  }
  for (const RecordingContact& contact : kept) bytes->Whole(static_cast<std::uint64_t>(contact.shape_a));
  for (const RecordingContact& contact : kept) bytes->Whole(static_cast<std::uint64_t>(contact.shape_b));
  for (const RecordingContact& contact : kept) bytes->Whole(contact.place_a);
  for (const RecordingContact& contact : kept) bytes->Whole(contact.place_b);
  for (const RecordingContact& contact : kept) bytes->Whole(static_cast<std::uint64_t>(ReplayState(header, contact)));
  for (int axis = 0; axis < 3; ++axis) {
    for (const RecordingContact& contact : kept) {
      bytes->Signed(RoundedToWhole(contact.position[axis], format.position_unit));
    }
  }
  std::array<Column, 3> normal, force, moment, slip;
  std::array<Column, 4> limits;
  Column gap, residual;
  for (const RecordingContact& contact : kept) {
    PushVector(contact.normal, &normal);
    PushVector(contact.force, &force);
    PushVector(contact.moment, &moment);
    PushVector(contact.slip_velocity, &slip);
    gap.push_back(contact.gap);
    residual.push_back(std::isnan(contact.coulomb_residual) ? -1.0 : contact.coulomb_residual);
    const double values[] = {contact.friction_static, contact.friction_kinetic, contact.rolling, contact.spinning};
    // −1: not known
    for (std::size_t i = 0; i < 4; ++i) limits[i].push_back(std::isnan(values[i]) ? -1.0 : values[i]);
  }
  for (const auto* columns : {&normal, &force, &moment, &slip}) {
    for (const Column& column : *columns) bytes->Floats(column);
  }
  bytes->Floats(gap);
  for (const Column& column : limits) bytes->Floats(column);
  bytes->Floats(residual);
}

}  // namespace slipstick::internal
