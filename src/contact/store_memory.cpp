#include "slipstick/contact/store_memory.h"

#include "slipstick/base/check.h"
#include "slipstick/base/make_room.h"

namespace slipstick::internal {
namespace {

void StoreSlots(const MemorySlots& slots, const VecX& answer, std::size_t count, MemorySlots* stored,
                std::vector<double>* values) {
  SLIPSTICK_CHECK(answer.size() == static_cast<Eigen::Index>(count) * TotalSize(slots),
                  "a law answers for all memory that it declares");
  if (*stored != slots) *stored = slots;
  MakeRoom(values, static_cast<std::size_t>(answer.size()));
  values->assign(answer.begin(), answer.end());
}

}  // namespace

void StoreContacts(const ContactProblem& problem, const ContactSolution& solution, ContactMemory* memory) {
  const ContactSet& contacts = problem.contacts;
  MakeRoom(&memory->keys, contacts.key.size());
  memory->keys = contacts.key;
  MakeRoom(&memory->histories, contacts.key.size());
  memory->histories.resize(contacts.size());
  for (int i = 0; i < contacts.size(); ++i) {
    ContactHistory& history = memory->histories[i];
    history.known = true;
    history.normal_force = solution.Normal(i) / problem.step;
    history.tangential_force = contacts.World(i, solution.Tangential(i)) / problem.step;
    history.moment = contacts.FromComponents(i, solution.Moment(problem, i)) / problem.step;
    history.position = contacts.position[i];
  }
  StoreSlots(contacts.slots, solution.contact_memory, contacts.key.size(), &memory->slots, &memory->values);
}

void StoreJoints(const ContactProblem& problem, const ContactSolution& solution, JointMemory* memory) {
  const BoundedSet& bounded = problem.bounded;
  memory->forces.assign(bounded.places, 0.0);
  for (std::size_t row = 0; row < bounded.place.size(); ++row) {
    memory->forces[bounded.place[row]] = solution.bounded[static_cast<Eigen::Index>(row)] / problem.step;
  }
  if (bounded.slots.empty()) return;
  StoreSlots(bounded.slots, solution.joint_memory, bounded.memory.size() / TotalSize(bounded.slots), &memory->slots,
             &memory->values);
}

}  // namespace slipstick::internal
