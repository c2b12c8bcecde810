#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace slipstick {

// One thing that is wrong with what the user gave.
struct Fault {
  std::string file;      // where it stands; empty where the input is no file (a command line option)
  int line = 0;          // 1-based; 0 where unknown
  std::string key;       // path inside the file, as in bodies.wheel.mass, or the option's name
  std::string expected;  // what would have been right, with its range and unit
  std::string found;     // what stood there

  // file:line: key: expected …, found …
  std::string Message() const;
};

// The one exception for bad user input. It carries every fault that was found, not only the first.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Fault> faults);
  const std::vector<Fault>& faults() const { return faults_; }

 private:
  std::vector<Fault> faults_;
};

}  // namespace slipstick
