#include "slipstick/law/delassus_form.h"

#include "slipstick/base/worst.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {

DelassusForm BuildRowsAlone(const ContactProblem& problem) {
  DelassusForm form;
  form.bilateral = problem.bilateral.jacobian.rows();
  form.bounded = problem.bounded.jacobian.rows();
  form.contacts = problem.contacts.size();
  form.q.resize(form.contact_row(form.contacts));
  problem.bilateral.jacobian.Multiply(problem.free_velocity, form.q.head(form.bilateral));
  problem.bounded.jacobian.Multiply(problem.free_velocity, form.q.segment(form.bilateral, form.bounded));
  problem.contacts.jacobian.Multiply(problem.free_velocity, form.q.tail(3 * form.contacts));
  form.q.head(form.bilateral) -= problem.bilateral.target;
  form.q.segment(form.bilateral, form.bounded) -= problem.bounded.target;
  for (int i = 0; i < form.contacts; ++i) form.q[form.contact_row(i)] -= problem.contacts.normal_target[i];
  AddCurvature(problem.contacts, form.q.tail(3 * form.contacts));
  return form;
}

DelassusForm BuildDelassusForm(const ContactProblem& problem) {
  DelassusForm form = BuildRowsAlone(problem);
  const BlockRows* rows[3] = {&problem.bilateral.jacobian, &problem.bounded.jacobian, &problem.contacts.jacobian};
  const int first[3] = {0, form.bilateral, form.bilateral + form.bounded};
  form.W.setZero(form.q.size(), form.q.size());
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b <= a; ++b) {
      auto part = form.W.block(first[a], first[b], rows[a]->rows(), rows[b]->rows());
      AddDelassus(problem.mass, *rows[a], *rows[b], part);
      if (a != b) form.W.block(first[b], first[a], rows[b]->rows(), rows[a]->rows()) = part.transpose();
    }
  }
  // exactly symmetric, so that solvers may use Cholesky
  form.W = (0.5 * (form.W + form.W.transpose())).eval();
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
  impulses.segment(form.bilateral, form.bounded) = problem.bounded.Start();
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

VecX RowMasses(const ContactProblem& problem, const BlockRows& rows) {
  VecX inverse = VecX::Zero(rows.rows());
  // all rows of a block at once: a factor is read once then, not once a row
  std::vector<std::vector<std::pair<int, BlockRows::ConstPiece>>> pieces(problem.mass.layout().count());
  for (int g = 0; g < rows.groups(); ++g) {
    if (rows.block_a(g) >= 0) pieces[rows.block_a(g)].emplace_back(rows.first_row(g), rows.piece_a(g));
    if (rows.block_b(g) >= 0) pieces[rows.block_b(g)].emplace_back(rows.first_row(g), rows.piece_b(g));
  }
  for (std::size_t block = 0; block < pieces.size(); ++block) {
    Eigen::Index count = 0;
    for (const auto& [first, piece] : pieces[block]) count += piece.rows();
    if (count == 0) continue;
    MatX columns(problem.mass.layout().size[block], count);
    count = 0;
    for (const auto& [first, piece] : pieces[block]) {
      columns.middleCols(count, piece.rows()) = piece.transpose();
      count += piece.rows();
    }
    problem.mass.SolveBlockInPlace(static_cast<int>(block), columns);
    count = 0;
    for (const auto& [first, piece] : pieces[block]) {
      for (Eigen::Index r = 0; r < piece.rows(); ++r) inverse[first + r] += piece.row(r).dot(columns.col(count + r));
      count += piece.rows();
    }
  }
  return inverse.unaryExpr([](double entry) { return entry > 0 ? 1.0 / entry : 1.0; });
}

// The same of a group of one row.
double RowMass(const ContactProblem& problem, const BlockRows& rows, int group) {
  double inverse = 0;
  const auto add = [&](int block, const BlockRows::ConstPiece& piece) {
    if (block < 0) return;
    MatX column = piece.transpose();
    problem.mass.SolveBlockInPlace(block, column);
    inverse += piece.row(0).dot(column.col(0));
  };
  add(rows.block_a(group), rows.piece_a(group));
  add(rows.block_b(group), rows.piece_b(group));
  return inverse > 0 ? 1.0 / inverse : 1.0;
}

namespace {

// What the mass of such a row does not exceed, where that is known without solving: (M⁻¹)_kk ≥ 1/M_kk.
double MostMass(const ContactProblem& problem, const BlockRows& rows, int group) {
  const BlockRows::Single* single = rows.single(group);
  const int block = rows.block_a(group);
  if (single == nullptr || !problem.mass.HasEntries(block)) return std::numeric_limits<double>::infinity();
  return problem.mass.entries(block)(single->index, single->index) / (single->factor * single->factor);
}

}  // namespace

double ResidualOutsideContacts(const ContactProblem& problem, const ContactSolution& solution) {
  double worst = 0;
  static thread_local VecX velocities;  // keeps its storage
  velocities.resize(problem.bilateral.jacobian.rows());
  problem.bilateral.jacobian.Multiply(solution.velocity, velocities);
  if (velocities.size() > 0) worst = (velocities - problem.bilateral.target).lpNorm<Eigen::Infinity>();
  const BoundedSet& bounded = problem.bounded;
  velocities.resize(bounded.jacobian.rows());
  bounded.jacobian.Multiply(solution.velocity, velocities);
  for (int g = 0; g < bounded.jacobian.groups(); ++g) {
    const int row = bounded.jacobian.first_row(g);
    const double z = solution.bounded[row], w = velocities[row] - bounded.target[row], lower = bounded.lower[row],
                 upper = bounded.upper[row];
    if (z >= lower && z <= upper) {
      // |w|, or what the way to the bound is worth where that is less
      const double way = w > 0 ? z - lower : upper - z;
      if (way == 0 || std::abs(w) <= worst) continue;
      if (std::abs(w) * MostMass(problem, bounded.jacobian, g) <= way) {
        worst = Worst(worst, std::abs(w));
        continue;
      }
    }
    worst = Worst(worst, IntervalResidual(z, w, lower, upper, RowMass(problem, bounded.jacobian, g)));
  }
  return worst;
}

double NormalResidual(const ContactProblem& problem, const ContactSolution& solution, const ContactMotion& after, int i,
                      double target) {
  return IntervalResidual(solution.Normal(i), after.contact[3 * i] - target, 0, std::numeric_limits<double>::infinity(),
                          problem.contacts.effective_mass[i]);
}

VecX ContactVelocities(const ContactProblem& problem, ConstRef<VecX> velocity) {
  VecX velocities(problem.contacts.jacobian.rows());
  problem.contacts.jacobian.Multiply(velocity, velocities);
  return velocities;
}

}  // namespace slipstick::internal
