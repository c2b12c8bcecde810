#include "slipstick/base/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "slipstick/base/check.h"

namespace slipstick {
namespace {

std::string Describe(const SettingSpec::Value& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const double* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return fmt::format("'{}'", std::get<std::string>(value));
}

std::string Expected(const SettingSpec& spec) {
  if (std::holds_alternative<bool>(spec.default_value)) return "true or false";
  if (std::holds_alternative<std::string>(spec.default_value))
    return spec.choices.empty() ? "text" : fmt::format("one of {}", fmt::join(spec.choices, ", "));
  std::string text = spec.integer ? "a whole number" : "a number";
  if (std::isfinite(spec.least))
    text += fmt::format(" {} {}", spec.least_excluded ? "above" : "of at least", spec.least);
  if (std::isfinite(spec.most))
    text += fmt::format("{} at most {}", std::isfinite(spec.least) ? " and" : "", spec.most);
  return spec.unit.empty() ? text : text + " in " + spec.unit;
}

bool Fits(const SettingSpec& spec, const SettingSpec::Value& value) {
  if (value.index() != spec.default_value.index()) return false;
  if (const double* number = std::get_if<double>(&value)) {
    if (std::isnan(*number) || *number < spec.least || *number > spec.most) return false;
    if (spec.least_excluded && *number == spec.least) return false;
    return !spec.integer || (*number == std::floor(*number) && std::abs(*number) < 1e9);
  }
  if (const std::string* text = std::get_if<std::string>(&value)) {
    if (spec.choices.empty()) return true;
    for (const std::string& choice : spec.choices)
      if (choice == *text) return true;
    return false;
  }
  return true;
}

}  // namespace

Settings Settings::Read(const std::vector<SettingSpec>& specs, const GivenSettings& given, const std::string& prefix,
                        std::vector<Fault>* faults) {
  Settings settings;
  std::vector<std::string> names;
  for (const SettingSpec& spec : specs) {
    names.push_back(spec.name);
    const auto found = given.find(spec.name);
    settings.values_[spec.name] = spec.default_value;
    if (found == given.end()) continue;
    if (Fits(spec, found->second))
      settings.values_[spec.name] = found->second;
    else
      faults->push_back({"", 0, prefix + "." + spec.name, Expected(spec), Describe(found->second)});
  }
  for (const auto& [name, value] : given) {
    if (settings.values_.count(name) > 0) continue;
    const std::string known = names.empty() ? "no settings here" : fmt::format("one of {}", fmt::join(names, ", "));
    faults->push_back({"", 0, prefix + "." + name, known, fmt::format("'{}'", name)});
  }
  return settings;
}

namespace {
const SettingSpec::Value& Get(const GivenSettings& values, const std::string& name) {
  const auto found = values.find(name);
  SLIPSTICK_CHECK(found != values.end(), "setting " + name);
  return found->second;
}
}  // namespace

double Settings::Number(const std::string& name) const { return std::get<double>(Get(values_, name)); }
int Settings::Integer(const std::string& name) const { return static_cast<int>(Number(name)); }
bool Settings::Flag(const std::string& name) const { return std::get<bool>(Get(values_, name)); }
const std::string& Settings::Text(const std::string& name) const { return std::get<std::string>(Get(values_, name)); }

}  // namespace slipstick
