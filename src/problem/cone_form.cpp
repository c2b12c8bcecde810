#include "slipstick/problem/cone_form.h"

#include "slipstick/base/check.h"

namespace slipstick::internal {

FrictionCone ConeOfContact(const ContactCoefficients& contacts, int i) {
  switch (contacts.dimension) {
    case 2:
      return FrictionCone::InPlane(contacts.sliding[i]);
    case 3:
      return FrictionCone::Sliding(contacts.sliding[i]);
    case 5:
      return FrictionCone::Rolling(contacts.sliding[i], contacts.rolling[i]);
    case 6:
      return FrictionCone::SpinningAndRolling(contacts.sliding[i], contacts.spinning[i], contacts.rolling[i]);
    default:
      SLIPSTICK_CHECK(false, "a contact of 2, 3, 5 or 6 rows");
  }
}

std::vector<ConeBlock> BlocksOf(const LocalProblem& problem) {
  const int rows = problem.contacts.rows(), free = static_cast<int>(problem.s.size());
  std::vector<ConeBlock> blocks;
  blocks.reserve(problem.contacts.contacts() + free);
  for (int i = 0; i < problem.contacts.contacts(); ++i) {
    blocks.push_back(ConeBlock::Cone(problem.contacts.dimension * i, ConeOfContact(problem.contacts, i)));
  }
  for (int i = 0; i < free; ++i) blocks.push_back(ConeBlock::Free(rows + i));
  return blocks;
}

ConeProgram ToConeProgram(const LocalProblem& problem, bool non_associated) {
  const int rows = problem.contacts.rows(), free = static_cast<int>(problem.s.size());
  ConeProgram program;
  program.non_associated = non_associated;
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(problem.W.nonZeros() + 2 * problem.V.nonZeros() + problem.R.nonZeros());
  const auto add = [&](const SparseMat& part, int first_row, int first_column) {
    for (int row = 0; row < part.outerSize(); ++row) {
      for (SparseMat::InnerIterator entry(part, row); entry; ++entry) {
        entries.emplace_back(first_row + row, first_column + static_cast<int>(entry.col()), entry.value());
      }
    }
  };
  add(problem.W, 0, 0);
  if (free > 0) {
    add(problem.V, 0, rows);
    add(SparseMat(problem.V.transpose()), rows, 0);
    add(problem.R, rows, rows);
  }
  program.W.resize(rows + free, rows + free);
  program.W.setFromTriplets(entries.begin(), entries.end());
  program.q.resize(rows + free);
  program.q << problem.q, problem.s;
  program.blocks = BlocksOf(problem);
  return program;
}

}  // namespace slipstick::internal
