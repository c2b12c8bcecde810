#include "slipstick/state/state.h"

#include <algorithm>

namespace slipstick {

int ContactMemory::Find(const ContactKey& key, int* hint) const {
  constexpr int kWalk = 8;  // further than so many is sought by halving
  int at = *hint;
  for (int k = 0; k < kWalk && at < size() && keys[at] < key; ++k) ++at;
  const bool passed = at >= size() || !(keys[at] < key), after = at == 0 || keys[at - 1] < key;
  if (!passed || !after) at = static_cast<int>(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin());
  *hint = at;
  return at < size() && keys[at] == key ? at : -1;
}

void ContactMemory::Clear() {
  keys.clear();
  histories.clear();
  values.clear();
}

}  // namespace slipstick
