#include "slipstick/law/compact_form.h"

#include <algorithm>

namespace slipstick {
namespace {

// The arm r from the body's origin of rows (± r × d, ± d) along the directions d. False where they are not such.
bool ReadArm(const BlockRows& rows, int group, bool second, const Vec3* directions, Vec3* arm) {
  if (const BlockRows::Rigid* rigid = rows.rigid(group)) {
    *arm = second ? rigid->arm_b : rigid->arm_a;
    return true;
  }
  const BlockRows::ConstPiece piece = second ? rows.piece_b(group) : rows.piece_a(group);
  const double sign = second ? -1 : 1;
  if (piece.rows() != 3 || piece.cols() != 6) return false;
  arm->setZero();
  double error = 0;
  for (int k = 0; k < 3; ++k) {
    error = std::max(error, (sign * piece.row(k).tail<3>().transpose() - directions[k]).cwiseAbs().maxCoeff());
    // Σ d × (r × d) = 2 r
    *arm += 0.5 * sign * directions[k].cross(Vec3(piece.row(k).head<3>()));
  }
  for (int k = 0; k < 3; ++k) {
    const Vec3 moment = sign * piece.row(k).head<3>().transpose();
    error = std::max(error, (moment - arm->cross(directions[k])).norm() / std::max(arm->norm(), 1e-300));
  }
  return error <= 1e-9;
}

}  // namespace

bool ToCompactProgram(const ContactProblem& problem, const CompactTerms& terms, CompactProgram* program,
                      CompactImpulses* impulses) {
  if (problem.bilateral.target.size() > 0 || problem.bounded.target.size() > 0) return false;
  const ContactSet& contacts = problem.contacts;
  const BlockLayout& trees = problem.mass.layout();
  program->non_associated = terms.non_associated;
  program->bodies.assign(trees.count(), {});
  program->contacts.resize(contacts.size());
  impulses->force.resize(contacts.size());
  impulses->moment.resize(contacts.size());
  std::vector<Vec3> com(trees.count(), Vec3::Zero());
  std::vector<char> known(trees.count(), 0);
  const auto read_body = [&](int tree) {
    if (tree < 0 || known[tree]) return true;
    known[tree] = 1;
    const RigidMass* mass = problem.mass.rigid(tree);
    if (mass == nullptr) return false;
    const Vec6 velocity = problem.free_velocity.segment<6>(trees.offset[tree]);
    CompactBody& body = program->bodies[tree];
    body.inverse_mass = mass->inverse_mass;
    body.inverse_inertia = mass->inverse_inertia;
    body.angular_velocity = velocity.head<3>();
    body.velocity = velocity.tail<3>() + body.angular_velocity.cross(mass->com);
    com[tree] = mass->com;
    return true;
  };
  for (int i = 0; i < contacts.size(); ++i) {
    CompactContact& contact = program->contacts[i];
    contact = {};
    contact.body_a = contacts.jacobian.block_a(i);
    contact.body_b = contacts.jacobian.block_b(i);
    if (!read_body(contact.body_a) || !read_body(contact.body_b)) return false;
    const Vec3 directions[3] = {contacts.normal[i], contacts.tangent_1[i], contacts.tangent_2[i]};
    if (contact.body_a >= 0) {
      if (!ReadArm(contacts.jacobian, i, false, directions, &contact.arm_a)) return false;
      contact.arm_a -= com[contact.body_a];
    }
    if (contact.body_b >= 0) {
      if (!ReadArm(contacts.jacobian, i, true, directions, &contact.arm_b)) return false;
      contact.arm_b -= com[contact.body_b];
    }
    contact.normal = contacts.normal[i];
    contact.target = terms.target[i];
    contact.friction = terms.friction[i];
    if (terms.with_moments && contacts.angular_group[i] >= 0) {
      contact.rolling = contacts.rolling[i];
      contact.spinning = contacts.spinning[i];
    }
    if (terms.with_compliance) contact.normal_compliance = contacts.normal_compliance[i];
    const ContactHistory& history = contacts.history[i];
    impulses->force[i].setZero();
    impulses->moment[i].setZero();
    if (!history.known) continue;
    impulses->force[i] = problem.step * (history.normal_force * contact.normal + history.tangential_force);
    if (contact.has_moment()) impulses->moment[i] = problem.step * history.moment;
  }
  return true;
}

std::optional<LawAnswer> SolveCompact(const ContactProblem& problem, const CompactTerms& terms,
                                      const ProgramSolver& solver) {
  if (!solver.compact || problem.contacts.size() < solver.least_compact) return {};
  CompactWorkspace& work = *solver.workspace;
  if (!ToCompactProgram(problem, terms, &work.program, &work.impulses)) return {};
  LawAnswer answer;
  answer.report = solver.compact(&work, problem.velocity_scale);
  answer.solution = SolutionFromCompact(problem, work.impulses);
  answer.programs = 1;
  return answer;
}

ContactSolution SolutionFromCompact(const ContactProblem& problem, const CompactImpulses& impulses) {
  const ContactSet& contacts = problem.contacts;
  ContactSolution solution;
  solution.bilateral.resize(0);
  solution.bounded.resize(0);
  solution.contact.resize(3 * contacts.size());
  solution.moment.setZero(contacts.angular.rows());
  for (int i = 0; i < contacts.size(); ++i) {
    solution.contact.segment<3>(3 * i) = contacts.Components(i, impulses.force[i]);
    const int group = contacts.angular_group[i];
    if (group >= 0) solution.moment.segment<3>(3 * group) = contacts.Components(i, impulses.moment[i]);
  }
  ComputeVelocity(problem, &solution);
  return solution;
}

}  // namespace slipstick
