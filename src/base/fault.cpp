#include "slipstick/base/fault.h"

#include <fmt/format.h>

namespace slipstick {

std::string Fault::Message() const {
  std::string where = file;
  if (line > 0) where += fmt::format("{}{}", where.empty() ? "line " : ":", line);
  if (!where.empty()) where += ": ";
  if (!key.empty()) where += key + ": ";
  return fmt::format("{}expected {}, found {}", where, expected, found);
}

namespace {
std::string Join(const std::vector<Fault>& faults) {
  std::string text;
  for (const Fault& fault : faults) text += (text.empty() ? "" : "\n") + fault.Message();
  return text;
}
}  // namespace

InputError::InputError(std::vector<Fault> faults) : std::runtime_error(Join(faults)), faults_(std::move(faults)) {}

}  // namespace slipstick
