#pragma once

#include "slipstick/contact/contact_problem.h"

namespace slipstick::internal {

// What contacts remember from one step to the next, found again by key. Part of the simulation's state: two runs that
// start from equal State and ContactMemory have equal futures.
class ContactMemory {
 public:
  // Null where the contact was not one. Keys asked for in ascending order are found in one walk: `hint` is where the
  // last one was, 0 at first, and any other value is only slower.
  const ContactHistory* Find(std::uint64_t key, int* hint) const;
  // Of what Find gave: the part of the tangential force that springs give.
  bool has_springs() const { return !spring_forces_.empty(); }
  const Vec3& SpringForce(const ContactHistory& found) const {
    return has_springs() ? spring_forces_[&found - histories_.data()] : found.tangential_force;
  }
  void Store(const ContactProblem& problem, const ContactSolution& solution);
  void Clear();
  int size() const { return static_cast<int>(keys_.size()); }

 private:
  std::vector<std::uint64_t> keys_;  // ascending
  std::vector<ContactHistory> histories_;
  std::vector<Vec3> spring_forces_;  // empty where the law has no part of its own
};

}  // namespace slipstick::internal
