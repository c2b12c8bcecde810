#pragma once

#include <functional>
#include <initializer_list>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "slipstick/base/check.h"
#include "slipstick/base/settings.h"

namespace slipstick::internal {

// Numbers that a setting may have.
struct SettingRange {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool least_excluded = false;
};
constexpr SettingRange AtLeast(double least) { return {.least = least}; }
constexpr SettingRange Between(double least, double most) { return {.least = least, .most = most}; }
constexpr SettingRange Above(double least) { return {.least = least, .least_excluded = true}; }
constexpr SettingRange AboveUpTo(double least, double most) {
  return {.least = least, .most = most, .least_excluded = true};
}

// Words that stand for values.
template <typename T>
using SettingWords = std::vector<std::pair<const char*, T>>;

template <typename T>
std::string WordFor(const T& value, const SettingWords<T>& words) {
  for (const auto& [word, meant] : words) {
    if (meant == value) return word;
  }
  SLIPSTICK_CHECK(false, "a word for every value");
}
template <typename T>
T ValueOf(const std::string& word, const SettingWords<T>& words) {
  for (const auto& [known, value] : words) {
    if (known == word) return value;
  }
  SLIPSTICK_CHECK(false, "a value for every word");
}

// How a member holds the value of a setting.
inline SettingSpec::Value SettingValue(int number) { return static_cast<double>(number); }
inline SettingSpec::Value SettingValue(double number) { return number; }
inline SettingSpec::Value SettingValue(bool flag) { return flag; }
inline SettingSpec::Value SettingValue(const std::string& text) { return text; }
inline void TakeSetting(const Settings& from, const std::string& name, int* number) { *number = from.Integer(name); }
inline void TakeSetting(const Settings& from, const std::string& name, double* number) { *number = from.Number(name); }
inline void TakeSetting(const Settings& from, const std::string& name, bool* flag) { *flag = from.Flag(name); }
inline void TakeSetting(const Settings& from, const std::string& name, std::string* text) { *text = from.Text(name); }

// The one declaration of each setting that a struct holds: its member, name, unit, meaning, and which values it may
// have. What is told of the settings and how they are read both come from here; defaults are those of the struct.
template <typename Owner>
class SettingTable {
 public:
  struct Entry {
    SettingSpec spec;  // without the default
    std::function<SettingSpec::Value(const Owner&)> value_in;
    std::function<void(const Settings&, Owner*)> take;
  };

  class Row {
   public:
    // A number, true or false, or a text, as the member is.
    template <typename T>
    Row(T Owner::*member, const char* name, const char* unit, const char* meaning, SettingRange range = {})
        : entries_{{.spec = {.name = name,
                             .unit = unit,
                             .meaning = meaning,
                             .least = range.least,
                             .most = range.most,
                             .least_excluded = range.least_excluded,
                             .integer = std::is_same_v<T, int>},
                    .value_in = [=](const Owner& owner) { return SettingValue(owner.*member); },
                    .take = [=](const Settings& from, Owner* to) { TakeSetting(from, name, &(to->*member)); }}} {}

    // One of some words, each of which stands for a value of the member.
    template <typename T>
    Row(T Owner::*member, const char* name, const char* unit, const char* meaning,
        const SettingWords<std::type_identity_t<T>>& words)
        : entries_{{.spec = {.name = name, .unit = unit, .meaning = meaning},
                    .value_in = [=](const Owner& owner) { return WordFor(owner.*member, words); },
                    .take = [=](const Settings& from, Owner* to) { to->*member = ValueOf(from.Text(name), words); }}} {
      for (const auto& [word, value] : words) entries_[0].spec.choices.push_back(word);
    }

    // The settings of a part that has a table of its own.
    template <typename Part>
    Row(Part Owner::*part, const SettingTable<Part>& table) {
      for (const auto& own : table.entries()) {
        entries_.push_back({.spec = own.spec,
                            .value_in = [=](const Owner& owner) { return own.value_in(owner.*part); },
                            .take = [=](const Settings& from, Owner* to) { own.take(from, &(to->*part)); }});
      }
    }

    const std::vector<Entry>& entries() const { return entries_; }

   private:
    std::vector<Entry> entries_;
  };

  SettingTable(std::initializer_list<Row> rows) {
    for (const Row& row : rows) entries_.insert(entries_.end(), row.entries().begin(), row.entries().end());
  }

  std::vector<SettingSpec> Specs() const {
    const Owner standard;
    std::vector<SettingSpec> specs;
    for (const Entry& entry : entries_) {
      specs.push_back(entry.spec);
      specs.back().default_value = entry.value_in(standard);
    }
    return specs;
  }

  // Members without an entry keep their defaults.
  Owner From(const Settings& settings) const {
    Owner owner;
    for (const Entry& entry : entries_) entry.take(settings, &owner);
    return owner;
  }

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace slipstick::internal
