#include "slipstick/law/liang.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/worst.h"
#include "slipstick/law/delassus_form.h"
#include "slipstick/math/cone_projection.h"

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// σ = v_T⁺ + compliance (p − reference) is opposite to p where |p| = limit and zero inside the disk.
struct DiskRows {
  double compliance = 0;
  Vec2 reference = Vec2::Zero();
  double limit = 0;
};

class Liang : public Law {
 public:
  explicit Liang(const LiangSettings& settings) : settings_(settings) {}

  MemorySlots ContactSlots() const override {
    if (!HasDampers()) return {};  // all of the friction is the springs'
    return {{.name = "spring_force",
             .unit = "N",
             .meaning = "the part of the friction on A that the bristles' deflection gives",
             .kind = MemorySlot::Kind::kVector}};
  }

  LawAnswer Solve(const ContactProblem& problem, ProgramSolver& solver) const override {
    const DelassusForm form = BuildDelassusForm(problem);
    const VecX before = ContactVelocities(problem, problem.velocity);
    VecX warm = RememberedImpulses(problem, form);
    FrictionBoundIteration iteration(problem, settings_.bounds);
    while (!iteration.is_over()) {
      const ConeAnswer solved = solver.cone(Formulate(problem, form, before, iteration.normals()), &warm);
      warm = solved.r;
      iteration.Take(SolutionFromImpulses(problem, form, solved.r), solved.report);
    }
    LawAnswer answer = iteration.Answer();
    if (HasDampers()) answer.solution.contact_memory = SpringForces(problem, before, answer.solution);
    return answer;
  }

  double Residual(const ContactProblem& problem, const ContactSolution& solution,
                  const ContactMotion& motion) const override {
    double worst = ResidualOutsideContacts(problem, solution);
    const VecX before = ContactVelocities(problem, problem.velocity);
    const VecX& after = motion.contact;
    const std::vector<double> normals = BoundingNormals(problem, settings_.bounds, solution);
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const double m = problem.contacts.effective_mass[i];
      worst = Worst(worst, IntervalResidual(solution.Normal(i), after[3 * i] - problem.contacts.normal_target[i], 0,
                                            kInfinity, m));
      const DiskRows rows = RowsOf(problem, i, before.segment<2>(3 * i + 1), normals[i]);
      const Vec2 p = solution.Tangential(i);
      const Vec2 slack = after.segment<2>(3 * i + 1) + rows.compliance * (p - rows.reference);
      const double row_mass = 1.0 / (1.0 / m + rows.compliance);
      worst = Worst(worst, (p - ProjectOnDisk(p - row_mass * slack, rows.limit)).norm() / row_mass);
    }
    return worst;
  }

 private:
  bool HasDampers() const { return settings_.bristle_damping > 0; }

  ConeProgram Formulate(const ContactProblem& problem, const DelassusForm& form, const VecX& before,
                        const GivenNormals& normals) const {
    ConeProgram program;
    MatX W = form.W;
    program.q = form.q;
    program.non_associated = false;
    AppendBlocksOutsideContacts(problem, form, &program.blocks);
    for (int i = 0; i < form.contacts; ++i) {
      const int t = form.contact_row(i) + 1;
      const DiskRows rows = RowsOf(problem, i, before.segment<2>(3 * i + 1), normals.bounding[i]);
      AddCentring(normals, i, t - 1, &W, &program.q);
      program.blocks.push_back(ConeBlock::Interval(t - 1, 0, kInfinity));
      program.blocks.push_back(ConeBlock::Disk(t, rows.limit));
      W.diagonal().segment<2>(t).array() += rows.compliance;
      program.q.segment<2>(t) -= rows.compliance * rows.reference;
    }
    program.W = W.sparseView();
    return program;
  }

  DiskRows RowsOf(const ContactProblem& problem, int i, const Vec2& slip, double normal_impulse) const {
    const ContactSet& contacts = problem.contacts;
    const double h = problem.step;
    const double limit = Friction(contacts, i, slip.norm()) * normal_impulse;
    if (!(limit > 0)) return {};
    // −kT s of the last step, within the limit, as the bristles slip there
    const double c = settings_.bristle_damping;
    const Vec3 force = contacts.slots.empty() ? contacts.history[i].tangential_force : Vec3(contacts.Memory(i));
    const Vec2 spring = h * contacts.Tangential(i, force);
    DiskRows rows;
    rows.limit = limit;
    // p = spring − (h² kT + h c) v_T⁺
    rows.compliance = 1.0 / (h * h * contacts.surface(i).tangential_stiffness + h * c);
    rows.reference = ProjectOnDisk(spring, limit);
    return rows;
  }

  // What of the friction the deflection gives at the end of the step: λ = −kT s⁺ − c ṡ with s⁺ = s + h ṡ, sticking or
  // slipping, so that −kT s⁺ = (h kT λ − c kT s) / (h kT + c).
  VecX SpringForces(const ContactProblem& problem, const VecX& before, const ContactSolution& solution) const {
    const std::vector<double> normals = BoundingNormals(problem, settings_.bounds, solution);
    VecX spring(3 * problem.contacts.size());
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const DiskRows rows = RowsOf(problem, i, before.segment<2>(3 * i + 1), normals[i]);
      const double damper =
          settings_.bristle_damping / (problem.step * problem.contacts.surface(i).tangential_stiffness);
      const Vec2 impulse = (solution.Tangential(i) + damper * rows.reference) / (1 + damper);
      spring.segment<3>(3 * i) = problem.contacts.World(i, impulse) / problem.step;
    }
    return spring;
  }

  double Friction(const ContactSet& contacts, int i, double speed) const {
    const double fixed = contacts.surface(i).friction_static, sliding = contacts.surface(i).friction_kinetic;
    if (settings_.stribeck_velocity > 0) {
      const double ratio = speed / settings_.stribeck_velocity;
      return sliding + (fixed - sliding) * std::exp(-ratio * ratio);
    }
    return contacts.Friction(i, speed, settings_.velocity_threshold);
  }

  LiangSettings settings_;
};

}  // namespace

const SettingTable<LiangSettings>& LiangSettings::Table() {
  using S = LiangSettings;
  static const SettingTable<S> table = {
      {&S::velocity_threshold, "velocity_threshold", "m/s",
       "sliding faster than this takes the kinetic coefficient, unless stribeck_velocity is given", AtLeast(0)},
      {&S::stribeck_velocity, "stribeck_velocity", "m/s",
       "speed over which friction falls from static to kinetic; 0: at once, at velocity_threshold", AtLeast(0)},
      {&S::bristle_damping, "bristle_damping", "N s/m", "viscous force of the bristles", AtLeast(0)},
      {&S::bounds, FrictionBoundSettings::Table()},
  };
  return table;
}

std::unique_ptr<Law> MakeLiang(const LiangSettings& settings) { return std::make_unique<Liang>(settings); }

}  // namespace slipstick::internal
