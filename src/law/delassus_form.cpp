#include "slipstick/law/delassus_form.h"

#include "slipstick/base/worst.h"

#include <algorithm>
#include <cmath>

namespace slipstick {

DelassusForm BuildDelassusForm(const ContactProblem& problem) {
  DelassusForm form;
  form.bilateral = problem.bilateral.jacobian.rows();
  form.bounded = problem.bounded.jacobian.rows();
  form.contacts = problem.contacts.size();
  const BlockRows* rows[3] = {&problem.bilateral.jacobian, &problem.bounded.jacobian, &problem.contacts.jacobian};
  const int first[3] = {0, form.bilateral, form.bilateral + form.bounded};
  const int total = form.bilateral + form.bounded + 3 * form.contacts;
  form.W.setZero(total, total);
  form.q.resize(total);
  for (int a = 0; a < 3; ++a) {
    rows[a]->Multiply(problem.free_velocity, form.q.segment(first[a], rows[a]->rows()));
    for (int b = 0; b <= a; ++b) {
      auto part = form.W.block(first[a], first[b], rows[a]->rows(), rows[b]->rows());
      AddDelassus(problem.mass, *rows[a], *rows[b], part);
      if (a != b) form.W.block(first[b], first[a], rows[b]->rows(), rows[a]->rows()) = part.transpose();
    }
  }
  // exactly symmetric, so that solvers may use Cholesky
  form.W = (0.5 * (form.W + form.W.transpose())).eval();
  form.q.head(form.bilateral) -= problem.bilateral.target;
  form.q.segment(form.bilateral, form.bounded) -= problem.bounded.target;
  for (int i = 0; i < form.contacts; ++i) form.q[form.contact_row(i)] -= problem.contacts.normal_target[i];
  return form;
}

ContactSolution SolutionFromImpulses(const ContactProblem& problem, const DelassusForm& form, ConstRef<VecX> impulses) {
  ContactSolution solution;
  solution.bilateral = impulses.head(form.bilateral);
  solution.bounded = impulses.segment(form.bilateral, form.bounded);
  solution.contact = impulses.tail(3 * form.contacts);
  ComputeVelocity(problem, &solution);
  return solution;
}

void AppendBlocksOutsideContacts(const ContactProblem& problem, const DelassusForm& form,
                                 std::vector<ConeBlock>* blocks) {
  for (int i = 0; i < form.bilateral; ++i) blocks->push_back(ConeBlock::Free(i));
  for (int i = 0; i < form.bounded; ++i) {
    blocks->push_back(ConeBlock::Interval(form.bounded_row(i), problem.bounded.lower[i], problem.bounded.upper[i]));
  }
}

VecX RememberedImpulses(const ContactProblem& problem, const DelassusForm& form) {
  VecX impulses = VecX::Zero(form.q.size());
  for (int i = 0; i < form.contacts; ++i) {
    const ContactHistory& history = problem.contacts.history[i];
    if (!history.known) continue;
    impulses[form.contact_row(i)] = problem.step * history.normal_force;
    impulses.segment<2>(form.contact_row(i) + 1) =
        problem.step * problem.contacts.Tangential(i, history.tangential_force);
  }
  return impulses;
}

double IntervalResidual(double z, double w, double lower, double upper, double m) {
  return std::abs(z - std::clamp(z - m * w, lower, upper)) / m;
}

double RowMass(const ContactProblem& problem, const BlockRows& rows, int group, int row) {
  double inverse = 0;
  const auto add = [&](int block, const BlockRows::ConstPiece& piece) {
    if (block < 0) return;
    MatX solved = piece.row(row).transpose();
    problem.mass.SolveBlockInPlace(block, solved);
    inverse += piece.row(row).dot(solved.col(0));
  };
  add(rows.block_a(group), rows.piece_a(group));
  add(rows.block_b(group), rows.piece_b(group));
  return inverse > 0 ? 1.0 / inverse : 1.0;
}

double ResidualOutsideContacts(const ContactProblem& problem, const ContactSolution& solution) {
  double worst = 0;
  VecX velocities(problem.bilateral.jacobian.rows());
  problem.bilateral.jacobian.Multiply(solution.velocity, velocities);
  if (velocities.size() > 0) worst = (velocities - problem.bilateral.target).lpNorm<Eigen::Infinity>();
  const BoundedSet& bounded = problem.bounded;
  velocities.resize(bounded.jacobian.rows());
  bounded.jacobian.Multiply(solution.velocity, velocities);
  for (int g = 0; g < bounded.jacobian.groups(); ++g) {
    for (int k = 0; k < bounded.jacobian.rows(g); ++k) {
      const int row = bounded.jacobian.first_row(g) + k;
      worst = Worst(worst,
                    IntervalResidual(solution.bounded[row], velocities[row] - bounded.target[row], bounded.lower[row],
                                     bounded.upper[row], RowMass(problem, bounded.jacobian, g, k)));
    }
  }
  return worst;
}

VecX ContactVelocities(const ContactProblem& problem, ConstRef<VecX> velocity) {
  VecX velocities(problem.contacts.jacobian.rows());
  problem.contacts.jacobian.Multiply(velocity, velocities);
  return velocities;
}

std::vector<double> StepFriction(const ContactProblem& problem, double threshold) {
  const ContactSet& contacts = problem.contacts;
  std::vector<double> friction(contacts.size());
  for (int i = 0; i < contacts.size(); ++i) {
    const ContactSurface& surface = contacts.surface(i);
    friction[i] = surface.friction_static;
    // mostly they are the same, and speed no matter
    if (surface.friction_kinetic == surface.friction_static) continue;
    friction[i] =
        contacts.Friction(i, ComputePointMotion(contacts, i, problem.velocity).contact.tail<2>().norm(), threshold);
  }
  return friction;
}

}  // namespace slipstick
