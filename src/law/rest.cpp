#include "slipstick/law/rest.h"

namespace slipstick::internal {

bool BeginsAtRest(const ContactProblem& problem) {
  ContactMotion before;
  ComputeContactMotion(problem, problem.velocity, &before);
  const double slow = kRest * problem.velocity_scale;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    if (before.contact.segment<2>(3 * i + 1).norm() > slow) return false;
  }
  return true;
}

bool Hold(const ConeAnswer& answer, const std::vector<ConeBlock>& contacts, double slow) {
  for (const ConeBlock& block : contacts) {
    if (block.kind != BlockKind::kCone) continue;
    if (answer.r[block.offset] > 0 && answer.u.segment(block.offset + 1, block.rows() - 1).norm() > slow) return false;
  }
  return true;
}

}  // namespace slipstick::internal
