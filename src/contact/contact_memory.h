#pragma once

#include "slipstick/contact/contact_problem.h"

namespace slipstick {

// What contacts remember from one step to the next, found again by key. Part of the simulation's state: two runs that
// start from equal State and ContactMemory have equal futures.
class ContactMemory {
 public:
  ContactHistory Find(std::uint64_t key) const;
  void Store(const ContactProblem& problem, const ContactSolution& solution);
  void Clear();
  int size() const { return static_cast<int>(keys_.size()); }
  const std::vector<std::uint64_t>& keys() const { return keys_; }

 private:
  std::vector<std::uint64_t> keys_;  // ascending
  std::vector<ContactHistory> histories_;
};

}  // namespace slipstick
