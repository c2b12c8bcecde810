#include "slipstick/law/compact_form.h"

#include <algorithm>
#include <utility>

#include "slipstick/base/make_room.h"

namespace slipstick::internal {
namespace {

// Contacts up to which a program with mechanisms that sweeps do not solve is worth a factorization.
constexpr int kWorthFactorizing = 1000;

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

// The free bodies that contacts touch.
void ReadBodies(const ContactProblem& problem, CompactProgram* program) {
  const BlockRows& rows = problem.contacts.jacobian;
  const BlockLayout& trees = problem.mass.layout();
  program->bodies.assign(trees.count(), {});
  const auto read = [&](int tree) {
    if (tree < 0 || program->bodies[tree].inverse_mass > 0 || program->mechanisms.has(tree)) return;
    const RigidMass* mass = problem.mass.rigid(tree);
    const Vec6 velocity = problem.free_velocity.segment<6>(trees.offset[tree]);
    CompactBody& body = program->bodies[tree];
    body.inverse_mass = mass->inverse_mass;
    body.inverse_inertia = mass->inverse_inertia;
    body.angular_velocity = velocity.head<3>();
    body.velocity = velocity.tail<3>() + body.angular_velocity.cross(mass->com);
    body.center = mass->com;
  };
  for (int i = 0; i < rows.groups(); ++i) {
    read(rows.block_a(i));
    read(rows.block_b(i));
  }
}

// The contacts one by one, with the arms that their rows have. False where those are no contacts of points.
bool ReadContacts(const ContactProblem& problem, const CompactTerms& terms, CompactProgram* program) {
  const ContactSet& contacts = problem.contacts;
  const BlockRows& rows = contacts.jacobian;
  for (int i = 0; i < contacts.size(); ++i) {
    CompactContact& contact = program->contacts.emplace_back();
    contact.body_a = rows.block_a(i);
    contact.body_b = rows.block_b(i);
    const BlockRows::Frame frame = rows.frame(i);
    const Vec3 directions[3] = {frame.normal, frame.tangent, frame.second_tangent()};
    const bool has_arms = !program->touches_mechanism(i);
    if (has_arms && contact.body_a >= 0) {
      if (!ReadArm(rows, i, false, directions, &contact.arm_a)) return false;
      contact.arm_a -= program->bodies[contact.body_a].center;
    }
    if (has_arms && contact.body_b >= 0) {
      if (!ReadArm(rows, i, true, directions, &contact.arm_b)) return false;
      contact.arm_b -= program->bodies[contact.body_b].center;
    }
    contact.normal = frame.normal;
    contact.target = terms.target[i];
    contact.offset = contacts.Curvature(i);
    contact.friction = terms.friction[i];
    const CompactRows::Surface& surface = program->rows.surfaces[contacts.surface_of[i]];
    if (contacts.angular_group[i] >= 0) {
      contact.rolling = surface.rolling;
      contact.spinning = surface.spinning;
    }
    contact.normal_compliance = surface.normal_compliance;
  }
  program->rows = {};
  return true;
}

}  // namespace

bool ToCompactProgram(const ContactProblem& problem, const CompactTerms& terms, HeldMechanisms* mechanisms,
                      CompactProgram* program, CompactImpulses* impulses) {
  if (!mechanisms->Read(problem, &program->mechanisms)) return false;
  const ContactSet& contacts = problem.contacts;
  const BlockRows& rows = contacts.jacobian;
  program->non_associated = terms.non_associated;
  ReadBodies(problem, program);
  CompactRows& view = program->rows;
  view = {.rows = &rows,
          .target = terms.target,
          .friction = terms.friction,
          .offset = contacts.curvature,
          .surface_of = contacts.surface_of,
          .surfaces = std::move(view.surfaces)};
  view.surfaces.clear();
  for (const ContactSurface& surface : contacts.surfaces) {
    CompactRows::Surface& of = view.surfaces.emplace_back();
    if (terms.with_moments) of = {surface.rolling, surface.spinning, 0};
    if (terms.with_compliance) of.normal_compliance = surface.normal_compliance;
  }
  program->contacts.clear();
  // rows that are not held as such, and moments without rows, are contacts of their own
  const auto is_as_viewed = [&](int i) {
    const CompactRows::Surface& surface = view.surfaces[contacts.surface_of[i]];
    return (rows.rigid(i) != nullptr || program->touches_mechanism(i)) &&
           (contacts.angular_group[i] >= 0 || (surface.rolling == 0 && surface.spinning == 0));
  };
  for (int i = 0; i < contacts.size(); ++i) {
    if (!is_as_viewed(i)) {
      if (!ReadContacts(problem, terms, program)) return false;
      break;
    }
  }
  for (auto* list : {&impulses->force, &impulses->moment}) {
    MakeRoom(list, contacts.size());
    list->resize(contacts.size());
  }
  for (int i = 0; i < contacts.size(); ++i) {
    const ContactHistory& history = contacts.history[i];
    impulses->force[i].setZero();
    impulses->moment[i].setZero();
    if (!history.known) continue;
    impulses->force[i] = problem.step * (history.normal_force * contacts.normal(i) + history.tangential_force);
    if (terms.with_moments) impulses->moment[i] = problem.step * history.moment;
  }
  impulses->limited.setZero(problem.bounded.target.size());
  return true;
}

std::optional<LawAnswer> SolveCompact(const ContactProblem& problem, const CompactTerms& terms, ProgramSolver& solver) {
  if (!solver.compact) return {};
  CompactScratch& work = solver.compact;
  HeldMechanisms mechanisms;
  if (!ToCompactProgram(problem, terms, &mechanisms, &work.program, &work.impulses)) return {};
  const bool is_free = work.program.mechanisms.empty();
  if (!is_free && !work.takes_mechanisms()) return {};
  LawAnswer answer;
  answer.report = work.Run(problem.velocity_scale);
  const bool is_solved = answer.report.status == SolveStatus::kSolved;
  if (!is_free && !is_solved && work.program.size() <= kWorthFactorizing) return {};
  answer.solution = SolutionFromCompact(problem, mechanisms, work.impulses);
  answer.programs = 1;
  return answer;
}

ContactSolution SolutionFromCompact(const ContactProblem& problem, const HeldMechanisms& mechanisms,
                                    const CompactImpulses& impulses) {
  const ContactSet& contacts = problem.contacts;
  ContactSolution solution;
  solution.bilateral.setZero(problem.bilateral.target.size());
  solution.bounded = impulses.limited;
  solution.contact.resize(3 * contacts.size());
  solution.moment.setZero(contacts.angular.rows());
  for (int i = 0; i < contacts.size(); ++i) {
    solution.contact.segment<3>(3 * i) = contacts.Components(i, impulses.force[i]);
    const int group = contacts.angular_group[i];
    if (group >= 0) solution.moment.segment<3>(3 * group) = contacts.Components(i, impulses.moment[i]);
  }
  ComputeVelocity(problem, &solution);
  if (solution.bilateral.size() > 0) mechanisms.Hold(problem, &solution);
  return solution;
}

}  // namespace slipstick::internal
