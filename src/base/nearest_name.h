#pragma once

#include <string>
#include <vector>

namespace slipstick::internal {

// The one of `names` that `name` most likely is a misspelling of; empty where none is near.
std::string NearestName(const std::string& name, const std::vector<std::string>& names);

// For a fault: "one of a, b, c", shortened where there are many, with the likely spelling.
std::string OneOf(const std::vector<std::string>& names, const std::string& found);

}  // namespace slipstick::internal
