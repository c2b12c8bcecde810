#include "slipstick/contact/contact_memory.h"

#include <algorithm>

namespace slipstick {

ContactHistory ContactMemory::Find(std::uint64_t key) const {
  const auto at = std::lower_bound(keys_.begin(), keys_.end(), key);
  if (at == keys_.end() || *at != key) return {};
  return histories_[at - keys_.begin()];
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
