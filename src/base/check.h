#pragma once

#include <stdexcept>
#include <string>

namespace slipstick::internal {

// Thrown when an invariant of the program itself is broken: a bug here, never a fault of the user's input.
class BrokenInvariant : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void FailCheck(const char* condition, const char* file, int line, const std::string& message) {
  throw BrokenInvariant(std::string(file) + ":" + std::to_string(line) + ": broken invariant: " + condition +
                        (message.empty() ? "" : " (" + message + ")"));
}

}  // namespace slipstick::internal

#define SLIPSTICK_CHECK(condition, message)                                                      \
  do {                                                                                           \
    if (!(condition)) ::slipstick::internal::FailCheck(#condition, __FILE__, __LINE__, message); \
  } while (false)
