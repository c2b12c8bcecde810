#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "slipstick/base/eigen.h"

namespace slipstick {

// What touches what, by numbers that stay the same from step to step: of each side the shape, the part of it (a
// triangle of a mesh, a piece of a compound; 0 of a shape that is one) and the feature of that part (a corner, an edge,
// a point of a rim; 0 where there is one candidate only). 128 bits. Ascending keys follow the order of the pairs of
// shapes.
struct ContactKey {
  static constexpr int kPartBits = 20, kFeatureBits = 12;
  static constexpr std::uint32_t kMostParts = 1u << kPartBits, kMostFeatures = 1u << kFeatureBits;

  std::uint32_t shape_a = 0, shape_b = 0;  // numbers among the shapes of all bodies, then of the world; a < b
  std::uint32_t place_a = 0, place_b = 0;  // part and feature of each

  static constexpr std::uint32_t Place(std::uint32_t part, std::uint32_t feature) {
    return part << kFeatureBits | feature;
  }
  std::uint32_t part_a() const { return place_a >> kFeatureBits; }
  std::uint32_t part_b() const { return place_b >> kFeatureBits; }
  std::uint32_t feature_a() const { return place_a & (kMostFeatures - 1); }
  std::uint32_t feature_b() const { return place_b & (kMostFeatures - 1); }

  // As two numbers, the more significant one first: the form that files hold.
  std::uint64_t high() const { return static_cast<std::uint64_t>(shape_a) << 32 | shape_b; }
  std::uint64_t low() const { return static_cast<std::uint64_t>(place_a) << 32 | place_b; }
  static ContactKey From(std::uint64_t high, std::uint64_t low) {
    return {static_cast<std::uint32_t>(high >> 32), static_cast<std::uint32_t>(high),
            static_cast<std::uint32_t>(low >> 32), static_cast<std::uint32_t>(low)};
  }

  bool operator==(const ContactKey&) const = default;
  std::strong_ordering operator<=>(const ContactKey& other) const {
    if (const auto order = high() <=> other.high(); order != 0) return order;
    return low() <=> other.low();
  }
};

// One point of contact between two shapes A and B, in the world's frame.
struct ContactPoint {
  ContactKey key;               // which shapes, which of their parts and features
  Vec3 normal = Vec3::UnitZ();  // unit, from B towards A: a positive normal impulse pushes A along +normal
  Vec3 point_a = Vec3::Zero();  // on the surface of A
  Vec3 point_b = Vec3::Zero();  // on the surface of B
  double gap = 0;               // signed distance (point_a − point_b)·normal; negative where they penetrate

  int shape_a() const { return static_cast<int>(key.shape_a); }
  int shape_b() const { return static_cast<int>(key.shape_b); }
  Vec3 position() const { return 0.5 * (point_a + point_b); }
  bool operator==(const ContactPoint&) const = default;
};

// What every contact carried at the end of the last step: where the next solve begins, and what laws with springs and
// bounds of the last step go by.
struct ContactHistory {
  bool known = false;                    // was a contact in the last step
  double normal_force = 0;               // λN [N]
  Vec3 tangential_force = Vec3::Zero();  // λT on A [N], world axes, turned with the bodies since
  Vec3 moment = Vec3::Zero();            // of spinning and rolling friction on A [N m], as tangential_force

  bool operator==(const ContactHistory&) const = default;
};

// A quantity of its own that a law keeps of each contact, or of each row of joint friction, from a step to the next.
// Laws declare theirs (law/law.h); storing, turning, restoring and files follow from that.
struct MemorySlot {
  enum class Kind {
    kScalar,  // a number
    kVector,  // world axes; turns with the two bodies about the normal, theory (T6). Not of joints.
  };
  std::string name, unit, meaning;
  Kind kind = Kind::kScalar;

  int size() const { return kind == Kind::kScalar ? 1 : 3; }
  bool operator==(const MemorySlot&) const = default;
};
using MemorySlots = std::vector<MemorySlot>;
inline int TotalSize(const MemorySlots& slots) {
  int size = 0;
  for (const MemorySlot& slot : slots) size += slot.size();
  return size;
}

// What contacts remember from one step to the next, found again by key.
struct ContactMemory {
  std::vector<ContactKey> keys;  // ascending
  std::vector<ContactHistory> histories;
  MemorySlots slots;           // of the law that wrote this
  std::vector<double> values;  // of its slots, contact after contact

  int size() const { return static_cast<int>(keys.size()); }
  // Where the key stands; −1 where the contact was not one. Keys asked for in ascending order are found in one walk:
  // `hint` is where the last one was, 0 at first, and any other value is only slower.
  int Find(const ContactKey& key, int* hint) const;
  void Clear();
  bool operator==(const ContactMemory&) const = default;
};

// What a law remembers of each row of joint friction, in the order of the model.
struct JointMemory {
  MemorySlots slots;
  std::vector<double> values;  // row after row; empty before the first step

  bool operator==(const JointMemory&) const = default;
};

}  // namespace slipstick
