#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/state/state.h"

// A state as named lists of numbers and texts, and back: the form that files hold. Each member of State is named once,
// in Describe, which both ways share, so that what is written is what is read.

namespace slipstick::internal {

struct StateLists {
  std::map<std::string, std::vector<double>> numbers;
  std::map<std::string, std::vector<std::int64_t>> integers;
  std::map<std::string, std::vector<std::string>> texts;
};

class StateSaver {
 public:
  static constexpr bool kLoads = false;
  explicit StateSaver(StateLists* lists) : lists_(*lists) {}

  void Value(const std::string& name, double value) { lists_.numbers[name].push_back(value); }
  void Value(const std::string& name, const std::string& value) { lists_.texts[name].push_back(value); }
  void Whole(const std::string& name, std::int64_t value) { lists_.integers[name].push_back(value); }
  std::size_t Count(const std::string& name, std::size_t count) {
    Whole(name + ".count", static_cast<std::int64_t>(count));
    return count;
  }

 private:
  StateLists& lists_;
};

// Where lists come from. Asked for a list by its name, and only where there should be something in it; what is not
// there or of another kind is an exception.
class StateSource {
 public:
  virtual ~StateSource() = default;
  virtual std::vector<double> Numbers(const std::string& name) const = 0;
  virtual std::vector<std::int64_t> Integers(const std::string& name) const = 0;
  virtual std::vector<std::string> Texts(const std::string& name) const = 0;
  // A list ends too soon, or has an impossible length.
  [[noreturn]] virtual void Fail(const std::string& name) const = 0;
  virtual std::size_t MostItems() const = 0;  // that any list could have, so that nothing larger is made
};

// Reads the lists from their beginnings on.
class StateLoader {
 public:
  static constexpr bool kLoads = true;
  explicit StateLoader(const StateSource& source) : source_(source) {}

  void Value(const std::string& name, double& value) { value = numbers_.Next(name, source_, &StateSource::Numbers); }
  void Value(const std::string& name, std::string& value) { value = texts_.Next(name, source_, &StateSource::Texts); }
  std::int64_t Whole(const std::string& name) { return integers_.Next(name, source_, &StateSource::Integers); }
  std::size_t Count(const std::string& name) {
    const std::int64_t count = Whole(name + ".count");
    if (count < 0 || static_cast<std::uint64_t>(count) > source_.MostItems()) source_.Fail(name);
    return static_cast<std::size_t>(count);
  }

 private:
  template <typename T>
  class Lists {
   public:
    T Next(const std::string& name, const StateSource& source,
           std::vector<T> (StateSource::*get)(const std::string&) const) {
      const auto [found, is_new] = lists_.try_emplace(name);
      auto& [values, at] = found->second;
      if (is_new) values = (source.*get)(name);
      if (at >= values.size()) source.Fail(name);
      return values[at++];
    }

   private:
    std::map<std::string, std::pair<std::vector<T>, std::size_t>> lists_;
  };

  const StateSource& source_;
  Lists<double> numbers_;
  Lists<std::int64_t> integers_;
  Lists<std::string> texts_;
};

StateLists ListsOf(const State& state);
StateLists ListsOf(const InputLog& log);
State StateOf(const StateSource& source);
InputLog InputsOf(const StateSource& source);

}  // namespace slipstick::internal
