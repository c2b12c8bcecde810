#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/base/fault.h"
#include "slipstick/base/number_rule.h"
#include "slipstick/base/pose.h"
#include "slipstick/base/time_function.h"
#include "slipstick/scene/known_names.h"

// What the check of a scene writes its faults with.

namespace slipstick::internal {

// A path such as bodies.wheel.mass, put together only where a fault needs it: most values are right. Each part points
// to the one before, which must live as long.
class Key {
 public:
  explicit Key(std::string_view word) : word_(word) {}
  Key Of(std::string_view word) const { return Key(this, word, -1); }
  Key Of(std::size_t index) const { return Key(this, {}, static_cast<long>(index)); }
  // Item of a list: by its name, or where that cannot stand in a path by its number.
  Key Item(const std::string& name, std::size_t index) const;

  std::string Text() const;

 private:
  Key(const Key* outer, std::string_view word, long index) : outer_(outer), word_(word), index_(index) {}

  const Key* outer_ = nullptr;
  std::string_view word_;
  long index_ = -1;
};

// Collects faults; each check tells whether what it looked at is right.
class Findings {
 public:
  void Add(const Key& key, const std::string& expected, const std::string& found);
  std::size_t count() const { return faults_.size(); }
  std::vector<Fault> Take() { return std::move(faults_); }

  bool Number(const Key& key, double value, const NumberRule& rule = {});
  bool Vector(const Key& key, const Vec3& value, const NumberRule& rule = {});
  bool Direction(const Key& key, const Vec3& value);  // of length 1
  bool Rotation(const Key& key, const Quat& value);   // of length 1
  bool Frame(const Key& owner, const Pose& pose);     // the keys position and rotation
  bool Function(const Key& key, const TimeFunction& value);
  bool Functions(const Key& key, const std::array<TimeFunction, 3>& values);
  // One of the known names.
  bool Reference(const Key& key, const KnownNames& known, const std::string& name);

 private:
  std::vector<Fault> faults_;
};

// Names of one kind of thing, each to be used once.
class NameCheck {
 public:
  // `kind` for faults, as in "a body".
  explicit NameCheck(std::string kind) : kind_(std::move(kind)) {}

  // The key of the thing, without ".name". Names that may be left out are made up later.
  void Required(const Key& item, const std::string& name, Findings* findings);
  void Optional(const Key& item, const std::string& name, Findings* findings);

 private:
  std::string kind_;
  std::unordered_set<std::string> names_;
};

}  // namespace slipstick::internal
