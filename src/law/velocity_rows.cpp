#include "slipstick/law/velocity_rows.h"

namespace slipstick::internal {
namespace {

BlockRows AllRows(const ContactProblem& problem, bool with_moments) {
  BlockRows all;
  all.Reset(problem.mass.layout());
  const auto copy = [&](const BlockRows& rows, int g, double scale, int group, int first) {
    if (rows.block_a(g) >= 0) all.piece_a(group).middleRows(first, rows.rows(g)) = scale * rows.piece_a(g);
    if (rows.block_b(g) >= 0) all.piece_b(group).middleRows(first, rows.rows(g)) = scale * rows.piece_b(g);
  };
  for (const BlockRows* rows : {&problem.bilateral.jacobian, &problem.bounded.jacobian}) {
    for (int g = 0; g < rows->groups(); ++g) {
      if (const BlockRows::Single* single = rows->single(g)) {
        all.Append(*single, rows->block_a(g));
        continue;
      }
      copy(*rows, g, 1.0, all.Append(rows->rows(g), rows->block_a(g), rows->block_b(g)), 0);
    }
  }
  const ContactSet& contacts = problem.contacts;
  for (int i = 0; i < contacts.size(); ++i) {
    const int moment = with_moments ? contacts.angular_group[i] : -1;
    const int group = all.Append(moment < 0 ? 3 : 6, contacts.jacobian.block_a(i), contacts.jacobian.block_b(i));
    copy(contacts.jacobian, i, 1.0, group, 0);
    if (moment >= 0) copy(contacts.angular, moment, contacts.angular_length[moment], group, 3);
  }
  return all;
}

}  // namespace

VelocityProgram FormulateRows(const ContactProblem& problem, bool with_moments, bool non_associated) {
  VelocityProgram program{.mass = &problem.mass,
                          .rows = AllRows(problem, with_moments),
                          .q = {},
                          .compliance = {},
                          .blocks = {},
                          .non_associated = non_associated};
  const int bilateral = problem.bilateral.jacobian.rows(), bounded = problem.bounded.jacobian.rows();
  program.q.resize(program.rows.rows());
  program.compliance.setZero(program.q.size());
  program.rows.Multiply(problem.free_velocity, program.q);
  program.q.head(bilateral) -= problem.bilateral.target;
  program.q.segment(bilateral, bounded) -= problem.bounded.target;
  for (int i = 0; i < bilateral; ++i) program.blocks.push_back(ConeBlock::Free(i));
  for (int i = 0; i < bounded; ++i) {
    program.blocks.push_back(ConeBlock::Interval(bilateral + i, problem.bounded.lower[i], problem.bounded.upper[i]));
  }
  return program;
}

}  // namespace slipstick::internal
