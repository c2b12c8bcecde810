#include <cmath>

#include "slipstick/scene_file/scene_parts.h"

namespace slipstick::internal {

std::string ReadName(const Place& item) {
  const auto place = item.Child("name");
  return place && place->node->is_text() ? place->node->text : "";
}

std::string KeyOf(const std::string& list, const std::string& name, std::size_t index, const Place& item,
                  DocumentReader* reader) {
  const std::string key = JoinPath(list, IsPlainName(name) ? name : std::to_string(index));
  reader->Alias(key, item.path);
  return key;
}

int ReadIndex(const Place& map, const std::string& key) {
  const auto place = map.Child(key);
  if (!place) return 0;
  const double number = place->node->is_number() ? place->node->number : -1;
  const bool fits = number == std::floor(number) && number >= 0 && number <= 1e9;
  return fits ? static_cast<int>(number) : -1;
}

}  // namespace slipstick::internal
