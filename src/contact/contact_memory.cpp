#include "slipstick/contact/contact_memory.h"

#include <algorithm>

#include "slipstick/base/make_room.h"

namespace slipstick::internal {

const ContactHistory* ContactMemory::Find(std::uint64_t key, int* hint) const {
  constexpr int kWalk = 8;  // further than so many is sought by halving
  int at = *hint;
  for (int k = 0; k < kWalk && at < size() && keys_[at] < key; ++k) ++at;
  const bool passed = at >= size() || keys_[at] >= key, after = at == 0 || keys_[at - 1] < key;
  if (!passed || !after) {
    at = static_cast<int>(std::lower_bound(keys_.begin(), keys_.end(), key) - keys_.begin());
  }
  *hint = at;
  return at < size() && keys_[at] == key ? &histories_[at] : nullptr;
}

void ContactMemory::Store(const ContactProblem& problem, const ContactSolution& solution) {
  const ContactSet& contacts = problem.contacts;
  MakeRoom(&keys_, contacts.key.size());
  keys_ = contacts.key;
  MakeRoom(&histories_, contacts.key.size());
  histories_.resize(contacts.size());
  spring_forces_.resize(solution.spring.size() > 0 ? contacts.size() : 0);
  for (int i = 0; i < contacts.size(); ++i) {
    ContactHistory& history = histories_[i];
    history.known = true;
    history.normal_force = solution.Normal(i) / problem.step;
    history.tangential_force = contacts.World(i, solution.Tangential(i)) / problem.step;
    if (has_springs()) spring_forces_[i] = contacts.World(i, solution.spring.segment<2>(2 * i)) / problem.step;
    history.moment = contacts.FromComponents(i, solution.Moment(problem, i)) / problem.step;
  }
}

void ContactMemory::Clear() {
  keys_.clear();
  histories_.clear();
  spring_forces_.clear();
}

}  // namespace slipstick::internal
