#include "slipstick/law/contact_cones.h"

#include <algorithm>
#include <cmath>

#include "slipstick/base/worst.h"
#include "slipstick/law/choosing_compliance.h"
#include "slipstick/law/compact_form.h"
#include "slipstick/law/delassus_form.h"
#include "slipstick/law/joint_rows.h"
#include "slipstick/law/rest.h"
#include "slipstick/law/velocity_rows.h"

namespace slipstick::internal {
namespace {

// Hertz's law counts as met where another program would change velocities by less than this part of the step's scale.
constexpr double kHertzTolerance = 1e-9;
constexpr int kMostPrograms = 40;
// A contact without a memory begins as stiff as so many times the masses that it moves.
constexpr double kFirstStiffness = 100;
// Relative error up to which impulses of the last step are those of this one.
constexpr double kStillSolves = 1e-12;

// Where the rows of a program belong. Bilateral rows come first, then bounded ones, then contacts.
struct Layout {
  int bilateral = 0, bounded = 0;
  std::vector<int> first;  // row of each contact, and one past the last

  int contacts() const { return static_cast<int>(first.size()) - 1; }
  int total() const { return first.back(); }
  bool has_moment(int i) const { return first[i + 1] - first[i] == 6; }
};

Layout LayoutOf(const ContactProblem& problem) {
  Layout layout;
  layout.bilateral = problem.bilateral.jacobian.rows();
  layout.bounded = problem.bounded.jacobian.rows();
  layout.first.push_back(layout.bilateral + layout.bounded);
  for (const int group : problem.contacts.angular_group) {
    layout.first.push_back(layout.first.back() + (group < 0 ? 3 : 6));
  }
  return layout;
}

FrictionCone ConeOf(const ContactSet& contacts, double mu, int i) {
  const int group = contacts.angular_group[i];
  if (group < 0) return FrictionCone::Sliding(mu);
  const double length = contacts.angular_length[group];
  return FrictionCone::SpinningAndRolling(mu, contacts.surface(i).spinning / length,
                                          contacts.surface(i).rolling / length);
}

Vec2 SpringReference(const ContactProblem& problem, int i) {
  return problem.step * problem.contacts.Tangential(i, problem.contacts.history[i].tangential_force);
}

// How a contact's rows give way in one program: by offset + normal · p_N, and by tangential · p_T.
struct Compliance {
  double normal = 0, offset = 0;  // [1/kg], [m/s]
  double tangential = 0;          // [1/kg]
};

// The impulse at which Hertz's law gives way by so much [m/s].
double HertzImpulse(const ContactSet& contacts, int i, double give, double h) {
  return h * contacts.surface(i).hertz_stiffness * std::pow(h * give, 1.5);
}

// Where Hertz's law is made linear first: at the impulse remembered, or where there is none, at the one at which its
// secant is a given share of the contact's inverse mass. Rigid instead, many contacts of one body would leave the
// program without a unique answer.
double FirstLoad(const ContactSet& contacts, int i, double h) {
  if (contacts.history[i].normal_force > 0) return h * contacts.history[i].normal_force;
  if (contacts.surface(i).hertz_stiffness == 0) return 0.0;
  // give/p = κ^(−2/3) h^(−5/3) p^(−1/3) is to be 1/(kFirstStiffness m)
  const double ratio = kFirstStiffness * contacts.effective_mass[i] /
                       std::cbrt(std::pow(contacts.surface(i).hertz_stiffness, 2) * std::pow(h, 5));
  return std::pow(ratio, 3);
}

// Hertz's law by its tangent at a given normal impulse, springs as they are.
Compliance ComplianceAt(const ContactSet& contacts, const ContactCones& cones, int i, double normal, double h) {
  Compliance compliance{contacts.surface(i).normal_compliance, 0,
                        cones.tangential_springs ? contacts.TangentialCompliance(i, normal, h) : 0.0};
  if (normal > 0 && contacts.surface(i).hertz_stiffness > 0) {
    // δ ∝ p^(2/3): the tangent has two thirds of the secant's slope, and a third of δ is left at p = 0
    const double give = contacts.NormalGive(i, normal, h) - contacts.surface(i).normal_compliance * normal;
    compliance.normal += 2.0 / 3.0 * give / normal;
    compliance.offset = give / 3.0;
  }
  return compliance;
}

VelocityProgram Formulate(const ContactProblem& problem, const ContactCones& cones, const Layout& layout,
                          const std::vector<Compliance>& given) {
  const ContactSet& contacts = problem.contacts;
  VelocityProgram program = FormulateRows(problem, true, cones.non_associated);
  for (int i = 0; i < contacts.size(); ++i) {
    const int row = layout.first[i];
    program.q[row] += given[i].offset - cones.target[i];
    if (!contacts.curvature.empty()) program.q.segment<2>(row + 1) += contacts.Tangential(i, contacts.curvature[i]);
    program.compliance[row] = given[i].normal;
    if (given[i].tangential > 0) {
      program.compliance.segment<2>(row + 1).setConstant(given[i].tangential);
      program.q.segment<2>(row + 1) -= given[i].tangential * SpringReference(problem, i);
    }
    program.blocks.push_back(ConeBlock::Cone(row, ConeOf(contacts, cones.friction[i], i)));
  }
  return program;
}

VecX Remembered(const ContactProblem& problem, const Layout& layout) {
  const ContactSet& contacts = problem.contacts;
  VecX impulses = VecX::Zero(layout.total());
  impulses.segment(layout.bilateral, layout.bounded) = problem.bounded.Start();
  for (int i = 0; i < contacts.size(); ++i) {
    const ContactHistory& history = contacts.history[i];
    if (!history.known) continue;
    const int row = layout.first[i];
    impulses[row] = problem.step * history.normal_force;
    impulses.segment<2>(row + 1) = problem.step * contacts.Tangential(i, history.tangential_force);
    if (!layout.has_moment(i)) continue;
    impulses.segment<3>(row + 3) =
        problem.step / contacts.angular_length[contacts.angular_group[i]] * contacts.Components(i, history.moment);
  }
  return impulses;
}

ContactSolution SolutionFrom(const ContactProblem& problem, const Layout& layout, const VecX& impulses) {
  const ContactSet& contacts = problem.contacts;
  ContactSolution solution;
  solution.bilateral = impulses.head(layout.bilateral);
  solution.bounded = impulses.segment(layout.bilateral, layout.bounded);
  solution.contact.resize(3 * contacts.size());
  solution.moment.resize(contacts.angular.rows());
  for (int i = 0; i < contacts.size(); ++i) {
    const int row = layout.first[i], group = contacts.angular_group[i];
    solution.contact.segment<3>(3 * i) = impulses.segment<3>(row);
    if (group >= 0) {
      solution.moment.segment<3>(3 * group) = contacts.angular_length[group] * impulses.segment<3>(row + 3);
    }
  }
  ComputeVelocity(problem, &solution);
  return solution;
}

// Where bodies are pinched, resting and slipping may both be answers of the exact law, and what rests shall stay: if
// impulses that hold everything exist, those of the convex relaxation are such, as without slip it is the exact law.
std::optional<ConeAnswer> HoldingAnswer(ConeProgram program, const Layout& layout, double scale, ProgramSolver& solver,
                                        const VecX& warm) {
  program.non_associated = false;
  ConeAnswer answer = solver.cone(program, &warm);
  if (!answer.r.allFinite() || !Hold(answer, program.blocks, kRest * scale)) return std::nullopt;
  return answer;
}

// The program with velocities kept, where it is large enough for that to pay. What is left of it where it could not be
// solved is judged by the certificate: solvers of the eliminated form find no more in minutes, unless it is no answer
// at all.
std::optional<ConeAnswer> SolveInVelocities(VelocityProgram program, const Layout& layout, bool at_rest, double scale,
                                            ProgramSolver& solver, const VecX& warm) {
  if (!solver.velocity || program.size() <= kFewRows) return std::nullopt;
  std::optional<ConeAnswer> holding;
  if (program.non_associated && at_rest) {
    // what can hold, holds
    program.non_associated = false;
    holding = solver.velocity(program, &warm);
    program.non_associated = true;
    const bool is_solved = holding->report.status == SolveStatus::kSolved;
    // without slip it is the exact law
    if (is_solved && Hold(*holding, program.blocks, kHolds * scale)) return holding;
    if (!is_solved || !Hold(*holding, program.blocks, kRest * scale)) holding.reset();
  }
  ConeAnswer answer = solver.velocity(program, holding ? &holding->r : &warm);
  if (!answer.r.allFinite() || answer.report.residual > kNoAnswer) return std::nullopt;
  return answer;
}

// Of the impulses that solve a program with redundant contacts those (to the order of the compliance) that springs of
// equal stiffness below all contacts would have: (L3b).
std::optional<VecX> LeastImpulses(const ConeProgram& program, const Layout& layout, ProgramSolver& solver,
                                  VecX impulses) {
  // large programs are not solved to the digits that this choice takes
  if (program.size() > kFewRows) return std::nullopt;
  const int count = layout.contacts();
  MatX normals(count, count);
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) normals(i, j) = program.W.coeff(layout.first[i], layout.first[j]);
  }
  const double compliance = ChoosingCompliance(normals);
  if (compliance == 0) return std::nullopt;
  ConeProgram springs = program;
  for (int row = layout.first[0]; row < layout.total(); ++row) springs.W.coeffRef(row, row) += compliance;
  impulses = solver.cone(springs, &impulses).r;
  if (!impulses.allFinite()) return std::nullopt;
  return impulses;
}

// The program with velocities eliminated.
ConeAnswer SolveEliminated(const VelocityProgram& velocities, const Layout& layout, bool is_first, bool at_rest,
                           double scale, ProgramSolver& solver, VecX warm) {
  const ConeProgram program = EliminateVelocities(velocities);
  std::optional<ConeAnswer> holding;
  if (is_first && program.non_associated) {
    if (at_rest) holding = HoldingAnswer(program, layout, scale, solver, warm);
    if (holding) {
      warm = holding->r;
    } else if (NaturalResidual(program, warm) > kStillSolves * program.q.lpNorm<Eigen::Infinity>()) {
      // what was chosen in the last step is no answer of this one
      if (const auto least = LeastImpulses(program, layout, solver, warm)) warm = *least;
    }
  }
  ConeAnswer answer = solver.cone(program, &warm);
  // a start that rounding has made a little worse than asked for must not lead away to an answer that slips
  if (holding && Hold(*holding, program.blocks, kHolds * scale) && !Hold(answer, program.blocks, kHolds * scale)) {
    answer = *std::move(holding);
  }
  return answer;
}

// Or with a law of their own, Hertz's.
bool HasSpringsWithMemory(const ContactSet& contacts, const ContactCones& cones) {
  // of contacts, as surfaces may be on the list that none has
  return std::any_of(contacts.surface_of.begin(), contacts.surface_of.end(), [&](int surface) {
    const ContactSurface& of = contacts.surfaces[surface];
    return of.hertz_stiffness > 0 || (cones.tangential_springs && of.tangential_compliance > 0);
  });
}

}  // namespace

LawAnswer SolveContactCones(const ContactProblem& problem, const ContactCones& cones, ProgramSolver& solver) {
  const ContactSet& contacts = problem.contacts;
  if (contacts.size() == 0 && solver.mlcp) return SolveJointRows(problem, solver);
  if (!HasSpringsWithMemory(contacts, cones)) {
    const CompactTerms terms{cones.friction, cones.target, cones.non_associated, true, true};
    if (std::optional<LawAnswer> answer = SolveCompact(problem, terms, solver)) return *std::move(answer);
  }
  const double h = problem.step;
  const Layout layout = LayoutOf(problem);
  std::vector<double> loads(contacts.size());  // at which Hertz's law is made linear
  std::vector<Compliance> compliance(contacts.size());
  for (int i = 0; i < contacts.size(); ++i) {
    loads[i] = FirstLoad(contacts, i, h);
    compliance[i] = ComplianceAt(contacts, cones, i, loads[i], h);
  }
  VecX warm = Remembered(problem, layout);
  for (int programs = 1;; ++programs) {
    const VelocityProgram velocities = Formulate(problem, cones, layout, compliance);
    const bool at_rest = programs == 1 && cones.non_associated && BeginsAtRest(problem);
    std::optional<ConeAnswer> found =
        SolveInVelocities(velocities, layout, at_rest, problem.velocity_scale, solver, warm);
    if (!found)
      found = SolveEliminated(velocities, layout, programs == 1, at_rest, problem.velocity_scale, solver, warm);
    const ConeAnswer& answer = *found;
    const VecX& slack = answer.u;
    // Newton's method on Hertz's law: its tangent at the impulses found
    double change = 0;  // as a velocity
    for (int i = 0; i < contacts.size(); ++i) {
      if (contacts.surface(i).hertz_stiffness == 0) continue;
      const int row = layout.first[i];
      const double normal = answer.r[row];
      // how far the bodies would overlap, over h, if the contact did not press
      double overlap = compliance[i].offset - slack[row];
      if (!cones.non_associated) overlap += SlipTerm(ConeOf(contacts, cones.friction[i], i), slack.data() + row);
      if (normal > 0) {
        const double told = compliance[i].offset + compliance[i].normal * normal;
        change = std::max(change, std::abs(contacts.NormalGive(i, normal, h) - told));
        loads[i] = normal;
      } else if (overlap > 0) {
        // let go by the tangent's offset alone: with all else as it is, the overlap leaves no more load than this
        change = std::max(change, overlap);
        loads[i] = HertzImpulse(contacts, i, overlap, h);
      }
      const Compliance was = compliance[i];
      compliance[i] = ComplianceAt(contacts, cones, i, loads[i], h);
      const Vec2 stretch = answer.r.segment<2>(row + 1) - SpringReference(problem, i);
      change = std::max(change, std::abs(compliance[i].tangential - was.tangential) * stretch.norm());
    }
    if (change <= kHertzTolerance * problem.velocity_scale || programs == kMostPrograms || !answer.r.allFinite()) {
      return {SolutionFrom(problem, layout, answer.r), answer.report, programs};
    }
    warm = answer.r;
  }
}

ContactRowValues RowValues(const ContactProblem& problem, const ContactCones& cones, const ContactSolution& solution,
                           const ContactMotion& motion, int i) {
  const ContactSet& contacts = problem.contacts;
  const int group = contacts.angular_group[i];
  ContactRowValues values;
  values.cone = ConeOf(contacts, cones.friction[i], i);
  values.velocity.resize(group < 0 ? 3 : 6);
  values.impulse.resize(group < 0 ? 3 : 6);
  values.velocity.head<3>() = motion.contact.segment<3>(3 * i);
  values.impulse.head<3>() = solution.contact.segment<3>(3 * i);
  const double normal = solution.Normal(i), h = problem.step;
  values.velocity[0] += contacts.NormalGive(i, normal, h) - cones.target[i];
  values.compliance = contacts.NormalCompliance(i, normal, h) / 3.0;
  if (cones.tangential_springs) {
    const double tangential = contacts.TangentialCompliance(i, normal, h);
    values.velocity.segment<2>(1) += tangential * (solution.Tangential(i) - SpringReference(problem, i));
    values.compliance += tangential * 2.0 / 3.0;
  }
  if (group >= 0) {
    const double length = contacts.angular_length[group];
    values.velocity.tail<3>() = length * motion.angular.segment<3>(3 * group);
    values.impulse.tail<3>() = solution.moment.segment<3>(3 * group) / length;
  }
  return values;
}

double ContactConesResidual(const ContactProblem& problem, const ContactCones& cones, const ContactSolution& solution,
                            const ContactMotion& after) {
  double worst = ResidualOutsideContacts(problem, solution);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    // of the exact law, one that is open and pushes nothing meets all conditions
    if (cones.non_associated && after.contact[3 * i] >= cones.target[i] &&
        solution.contact.segment<3>(3 * i).isZero(0) && solution.Moment(problem, i).isZero(0)) {
      continue;
    }
    const ContactRowValues row = RowValues(problem, cones, solution, after, i);
    const double mass = 1.0 / (1.0 / problem.contacts.effective_mass[i] + row.compliance);
    ContactVector moved = row.impulse - mass * row.velocity;
    if (cones.non_associated) moved[0] -= mass * SlipTerm(row.cone, row.velocity.data());
    ProjectOnFrictionCone(row.cone, moved.data(), moved.data());
    worst = Worst(worst, (row.impulse - moved).norm() / mass);
  }
  return worst;
}

}  // namespace slipstick::internal
