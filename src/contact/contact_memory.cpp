#include "slipstick/contact/contact_memory.h"

#include <algorithm>

namespace slipstick {

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
  keys_ = contacts.key;
  histories_.resize(contacts.size());
  for (int i = 0; i < contacts.size(); ++i) {
    ContactHistory& history = histories_[i];
    history.known = true;
    history.normal_force = solution.Normal(i) / problem.step;
    history.tangential_force = contacts.World(i, solution.Tangential(i)) / problem.step;
    history.spring_force = solution.spring.size() > 0
                               ? Vec3(contacts.World(i, solution.spring.segment<2>(2 * i)) / problem.step)
                               : history.tangential_force;
    history.moment = contacts.FromComponents(i, solution.Moment(problem, i)) / problem.step;
  }
}

void ContactMemory::Clear() {
  keys_.clear();
  histories_.clear();
}

}  // namespace slipstick
