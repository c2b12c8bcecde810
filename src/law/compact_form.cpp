#include "slipstick/law/compact_form.h"

#include <cmath>

namespace slipstick {
namespace {

// Of velocities (ω, v): what one rounding leaves of an exact zero.
constexpr double kRounding = 1e-12;

// A free body by its mass matrix [[I, s×], [−s×, m]] about its origin, s = m c. False where the block is not of that
// form.
bool ReadBody(const BlockDiagonal::ConstBlock& mass, ConstRef<VecX> velocity, CompactBody* body, Vec3* com) {
  if (mass.rows() != 6) return false;
  const double m = mass(3, 3);
  const Vec3 s(mass(2, 4), mass(0, 5), mass(1, 3));
  Mat3 skew;
  skew << 0, -s.z(), s.y(), s.z(), 0, -s.x(), -s.y(), s.x(), 0;
  const double length = std::sqrt(mass.topLeftCorner<3, 3>().trace() / m);  // turns m into the size of s
  if (!((mass.bottomRightCorner<3, 3>() - m * Mat3::Identity()).cwiseAbs().maxCoeff() <= kRounding * m) ||
      !((mass.topRightCorner<3, 3>() - skew).cwiseAbs().maxCoeff() <= kRounding * m * length)) {
    return false;
  }
  *com = s / m;
  const Mat3 inertia =
      mass.topLeftCorner<3, 3>() - m * (com->squaredNorm() * Mat3::Identity() - *com * com->transpose());
  body->inverse_mass = 1 / m;
  body->inverse_inertia = inertia.inverse();
  body->inverse_inertia = 0.5 * (body->inverse_inertia + body->inverse_inertia.transpose()).eval();
  body->angular_velocity = velocity.head<3>();
  body->velocity = velocity.tail<3>() + body->angular_velocity.cross(*com);
  return body->inverse_inertia.allFinite();
}

// The arm r from the body's origin of rows (± r × d, ± d) along the directions d. False where they are not such.
bool ReadArm(const BlockRows::ConstPiece& piece, const Vec3* directions, double sign, Vec3* arm) {
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
    return ReadBody(problem.mass.block(tree), problem.free_velocity.segment(trees.offset[tree], trees.size[tree]),
                    &program->bodies[tree], &com[tree]);
  };
  for (int i = 0; i < contacts.size(); ++i) {
    CompactContact& contact = program->contacts[i];
    contact = {};
    contact.body_a = contacts.jacobian.block_a(i);
    contact.body_b = contacts.jacobian.block_b(i);
    if (!read_body(contact.body_a) || !read_body(contact.body_b)) return false;
    const Vec3 directions[3] = {contacts.normal[i], contacts.tangent_1[i], contacts.tangent_2[i]};
    if (contact.body_a >= 0) {
      if (!ReadArm(contacts.jacobian.piece_a(i), directions, 1, &contact.arm_a)) return false;
      contact.arm_a -= com[contact.body_a];
    }
    if (contact.body_b >= 0) {
      if (!ReadArm(contacts.jacobian.piece_b(i), directions, -1, &contact.arm_b)) return false;
      contact.arm_b -= com[contact.body_b];
    }
    contact.normal = contacts.normal[i];
    contact.target = terms.target[i];
    contact.friction = terms.friction[i];
    if (terms.with_moments && contacts.angular_group[i] >= 0) {
      contact.rolling = contacts.rolling[i];
      contact.spinning = contacts.spinning[i];
    }
    if (terms.with_compliance) {
      contact.normal_compliance = contacts.normal_compliance[i];
      contact.tangential_compliance = contacts.tangential_compliance[i];
    }
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
