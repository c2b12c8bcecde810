#include "slipstick/document/document_reader.h"

#include <fmt/format.h>

#include <cmath>

#include "slipstick/base/check.h"
#include "slipstick/base/direction.h"
#include "slipstick/document/locate_faults.h"

namespace slipstick::internal {

std::optional<Place> Place::Child(const std::string& key) const {
  const DocumentNode* child = node->Find(key);
  if (child == nullptr) return std::nullopt;
  return Place{child, JoinPath(path, key)};
}

std::vector<Place> Place::Items() const {
  std::vector<Place> places;
  if (!node->is_list()) return places;
  for (size_t i = 0; i < node->items.size(); ++i)
    places.push_back({&node->items[i], JoinPath(path, ItemWord(*node, i))});
  return places;
}

std::string DescribeValue(const DocumentNode& node, const std::string& value) {
  return node.is_text() ? fmt::format("{} = {}", node.Describe(), value) : node.Describe();
}

std::optional<Quat> NearUnit(const Quat& quaternion) {
  // a rounded quaternion is meant as a rotation; anything farther from length 1 is a mistake
  if (!(std::abs(quaternion.norm() - 1) <= 1e-3)) return std::nullopt;
  return quaternion.normalized();
}

void DocumentReader::Fail(const Place& place, const std::string& expected, const std::string& found) {
  if (place.node->overridden)
    faults_->push_back({"", 0, "--set " + place.path, expected, found});
  else
    faults_->push_back({file_, place.node->line, place.path, expected, found});
}

void DocumentReader::FailMissing(const Place& place, const std::string& key, const std::string& expected) {
  Fail({place.node, JoinPath(place.path, key)}, expected, "nothing");
}

void DocumentReader::Append(const std::vector<Fault>& faults) {
  SLIPSTICK_CHECK(locator_ != nullptr, "faults that cannot be located");
  locator_->Append(faults, faults_);
}

void DocumentReader::Alias(const std::string& key, const std::string& path) {
  if (locator_ != nullptr && key != path) locator_->Alias(key, path);
}

double DocumentReader::Value(const Place& place) {
  if (place.node->is_number()) return place.node->number;
  if (!place.node->is_text()) {
    Fail(place, "a number or a formula");
    return 0;
  }
  std::string problem;
  const std::optional<TimeFunction> formula = TimeFunction::Parse(place.node->text, &problem);
  if (formula && formula->is_constant()) return (*formula)(0);
  Fail(place, formula ? "a number or a formula without t" : fmt::format("a number or a formula ({})", problem));
  return 0;
}

double DocumentReader::Number(const Place& place, const NumberRule& rule) {
  const size_t faults_before = fault_count();
  const double value = Value(place);
  if (fault_count() > faults_before) return 0;
  if (rule.Allows(value)) return value;
  Fail(place, rule.Expected(), DescribeValue(*place.node, fmt::format("{}", value)));
  return 0;
}

std::vector<double> DocumentReader::Values(const Place& place) {
  if (!place.node->is_list()) return {Value(place)};
  std::vector<double> values;
  for (const Place& item : place.Items()) values.push_back(Value(item));
  return values;
}

std::vector<double> DocumentReader::Numbers(const Place& place) {
  if (!place.node->is_list()) return {Number(place)};
  std::vector<double> values;
  for (const Place& item : place.Items()) values.push_back(Number(item));
  return values;
}

Vec3 DocumentReader::Vector(const Place& place) {
  const std::vector<Place> items = place.Items();
  if (items.size() == 3) return {Value(items[0]), Value(items[1]), Value(items[2])};
  Fail(place, "a list of 3 numbers");
  return Vec3::Zero();
}

Vec3 DocumentReader::FiniteVector(const Place& place) {
  const std::vector<Place> items = place.Items();
  if (items.size() == 3) return {Number(items[0]), Number(items[1]), Number(items[2])};
  Fail(place, "a list of 3 numbers");
  return Vec3::Zero();
}

Vec3 DocumentReader::Direction(const Place& place) { return UnitAlong(Vector(place)); }

Vec3 DocumentReader::UnitVector(const Place& place) {
  const size_t faults_before = fault_count();
  FiniteVector(place);
  if (fault_count() > faults_before) return Vec3::UnitZ();
  const Vec3 direction = Direction(place);
  if (!direction.isZero(0)) return direction;
  Fail(place, "a direction of length above 0", "0 0 0");
  return Vec3::UnitZ();
}

Quat DocumentReader::Rotation(const Place& place) {
  const char* const kForms = "a map with axis and angle, with quaternion, or with euler and angles";
  if (!place.node->is_map()) {
    Fail(place, kForms);
    return Quat::Identity();
  }
  const auto axis = place.Child("axis"), angle = place.Child("angle"), quaternion = place.Child("quaternion");
  const auto euler = place.Child("euler"), angles = place.Child("angles");
  const int given = (axis || angle ? 1 : 0) + (quaternion ? 1 : 0) + (euler || angles ? 1 : 0);
  if (given != 1 || axis.has_value() != angle.has_value() || euler.has_value() != angles.has_value()) {
    std::string found;
    for (const std::string& key : place.node->keys) found += (found.empty() ? "" : ", ") + key;
    Fail(place, kForms, found.empty() ? "an empty map" : found);
    return Quat::Identity();
  }
  if (axis) return Quat(Eigen::AngleAxisd(Number(*angle), UnitVector(*axis)));
  if (quaternion) {
    const size_t faults_before = fault_count();
    const std::vector<double> wxyz = Numbers(*quaternion);
    if (wxyz.size() != 4) Fail(*quaternion, "a list of 4 numbers w, x, y, z");
    if (fault_count() > faults_before) return Quat::Identity();
    const Quat about(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
    if (const auto unit = NearUnit(about)) return *unit;
    Fail(*quaternion, "a quaternion w, x, y, z of length 1 (within 0.001)",
         fmt::format("the length {:.6g}", about.norm()));
    return Quat::Identity();
  }
  const std::string order = Text(*euler);
  if (order.empty() || order.size() > 9 || order.find_first_not_of("xyz") != std::string::npos) {
    Fail(*euler, "an order of axes such as zxy");
    return Quat::Identity();
  }
  const std::vector<double> turns = Numbers(*angles);
  if (turns.size() != order.size()) {
    Fail(*angles, fmt::format("a list of {} angles, one a letter of euler", order.size()));
    return Quat::Identity();
  }
  // intrinsic: R = R₁(a₁) R₂(a₂) R₃(a₃)
  Quat rotation = Quat::Identity();
  for (size_t i = 0; i < order.size(); ++i)
    rotation = rotation * Eigen::AngleAxisd(turns[i], Vec3::Unit(order[i] - 'x'));
  return rotation.normalized();
}

Pose DocumentReader::Frame(const Place& place) {
  Pose pose;
  if (const auto position = place.Child("position")) pose.position = Vector(*position);
  if (const auto rotation = place.Child("rotation")) pose.rotation = Rotation(*rotation);
  return pose;
}

TimeFunction DocumentReader::Function(const Place& place) {
  if (!place.node->is_text()) return TimeFunction(Value(place));
  std::string problem;
  const std::optional<TimeFunction> function = TimeFunction::Parse(place.node->text, &problem);
  if (!function) {
    Fail(place, fmt::format("a number or a formula of t ({})", problem));
    return TimeFunction();
  }
  return *function;
}

std::array<TimeFunction, 3> DocumentReader::FunctionVector(const Place& place) {
  const std::vector<Place> items = place.Items();
  if (items.size() != 3) {
    Fail(place, "a list of 3 numbers or formulas of t");
    return {TimeFunction(), TimeFunction(), TimeFunction()};
  }
  return {Function(items[0]), Function(items[1]), Function(items[2])};
}

std::string DocumentReader::Text(const Place& place) {
  if (!place.node->is_text()) {
    Fail(place, "a text");
    return "";
  }
  return place.node->text;
}

bool DocumentReader::Flag(const Place& place) {
  if (!place.node->is_flag()) Fail(place, "true or false");
  return place.node->flag;
}

double DocumentReader::Value(const Place& map, const std::string& key, double otherwise) {
  const auto place = map.Child(key);
  return place ? Value(*place) : otherwise;
}

Vec3 DocumentReader::Vector(const Place& map, const std::string& key) {
  const auto place = map.Child(key);
  return place ? Vector(*place) : Vec3::Zero();
}

std::string DocumentReader::Text(const Place& map, const std::string& key, const std::string& otherwise) {
  const auto place = map.Child(key);
  return place ? Text(*place) : otherwise;
}

}  // namespace slipstick::internal
