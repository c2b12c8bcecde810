#pragma once

#include <limits>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "slipstick/base/fault.h"

namespace slipstick {

// One setting of a law, a solver, a stepper or the certificate: what docs, `slipstick list` and the reader need to
// know.
struct SettingSpec {
  using Value = std::variant<bool, double, std::string>;

  std::string name;
  Value default_value;
  std::string unit;  // "" for none
  std::string meaning;
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool least_excluded = false;
  bool integer = false;
  std::vector<std::string> choices = {};  // of a text setting; empty: any text
};

// Settings as given by the user: names and values, not yet checked.
using GivenSettings = std::map<std::string, SettingSpec::Value>;

// Settings after the check: every name of the specification has a value.
class Settings {
 public:
  // Checks what was given against the specifications, adds defaults, and appends one fault for each thing wrong.
  // `prefix` names the place in the input, as in "law"; the faults' keys read law.vth.
  static Settings Read(const std::vector<SettingSpec>& specs, const GivenSettings& given, const std::string& prefix,
                       std::vector<Fault>* faults);

  double Number(const std::string& name) const;
  int Integer(const std::string& name) const;
  bool Flag(const std::string& name) const;
  const std::string& Text(const std::string& name) const;
  const GivenSettings& values() const { return values_; }

 private:
  GivenSettings values_;
};

}  // namespace slipstick
