#include "slipstick/scene/findings.h"

#include <fmt/format.h>

#include <cmath>

#include "slipstick/base/plain_name.h"

namespace slipstick::internal {
namespace {

constexpr double kUnitTolerance = 1e-9;  // what rounding leaves

}  // namespace

Key Key::Item(const std::string& name, std::size_t index) const { return IsPlainName(name) ? Of(name) : Of(index); }

std::string Key::Text() const {
  const std::string own = index_ < 0 ? std::string(word_) : std::to_string(index_);
  return outer_ == nullptr ? own : outer_->Text() + "." + own;
}

void Findings::Add(const Key& key, const std::string& expected, const std::string& found) {
  faults_.push_back({"", 0, key.Text(), expected, found});
}

bool Findings::Number(const Key& key, double value, const NumberRule& rule) {
  if (rule.Allows(value)) return true;
  Add(key, rule.Expected(), fmt::format("{}", value));
  return false;
}

bool Findings::Vector(const Key& key, const Vec3& value, const NumberRule& rule) {
  bool right = true;
  for (int i = 0; i < 3; ++i) right = Number(key.Of(static_cast<std::size_t>(i)), value[i], rule) && right;
  return right;
}

bool Findings::Direction(const Key& key, const Vec3& value) {
  if (!Vector(key, value)) return false;
  const double length = value.stableNorm();
  if (std::abs(length - 1) <= kUnitTolerance) return true;
  if (length > 0) {
    Add(key, "a direction of length 1", fmt::format("the length {:.6g}", length));
  } else {
    Add(key, "a direction of length above 0", "0 0 0");
  }
  return false;
}

bool Findings::Rotation(const Key& key, const Quat& value) {
  const double length = value.coeffs().stableNorm();
  if (std::abs(length - 1) <= kUnitTolerance) return true;
  Add(key, "a quaternion w, x, y, z of length 1", fmt::format("the length {:.6g}", length));
  return false;
}

bool Findings::Frame(const Key& owner, const Pose& pose) {
  const bool position = Vector(owner.Of("position"), pose.position);
  return Rotation(owner.Of("rotation"), pose.rotation) && position;
}

bool Findings::Function(const Key& key, const TimeFunction& value) {
  const double at_start = value(0);
  if (std::isfinite(at_start)) return true;
  Add(key, value.is_constant() ? "a number" : "a formula that is finite at t = 0", fmt::format("{}", at_start));
  return false;
}

bool Findings::Functions(const Key& key, const std::array<TimeFunction, 3>& values) {
  bool right = true;
  for (std::size_t i = 0; i < 3; ++i) right = Function(key.Of(i), values[i]) && right;
  return right;
}

bool Findings::Reference(const Key& key, const KnownNames& known, const std::string& name) {
  if (known.Contains(name)) return true;
  Add(key, known.Expected(name), name.empty() ? "nothing" : fmt::format("'{}'", name));
  return false;
}

void NameCheck::Required(const Key& item, const std::string& name, Findings* findings) {
  if (name.empty()) {
    findings->Add(item.Of("name"), "a text", "nothing");
  } else {
    Optional(item, name, findings);
  }
}

void NameCheck::Optional(const Key& item, const std::string& name, Findings* findings) {
  if (name.empty()) return;
  const std::string found = fmt::format("'{}'", name);
  if (!IsPlainName(name)) {
    findings->Add(item.Of("name"), fmt::format("{} with a name that has a letter and neither '.' nor '='", kind_),
                  found);
  } else if (name == "world") {
    findings->Add(item.Of("name"), fmt::format("{} with another name: world is what does not move", kind_), found);
  } else if (!names_.insert(name).second) {
    findings->Add(item.Of("name"), fmt::format("{} with a name of its own", kind_), found + " a second time");
  }
}

}  // namespace slipstick::internal
