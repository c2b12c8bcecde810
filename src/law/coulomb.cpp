#include "slipstick/law/coulomb.h"

#include <algorithm>

#include "slipstick/base/worst.h"
#include "slipstick/law/compact_form.h"
#include "slipstick/law/delassus_form.h"
#include "slipstick/math/cone_projection.h"

namespace slipstick {
namespace {

class Coulomb : public Law {
 public:
  explicit Coulomb(const CoulombSettings& settings) : settings_(settings) {}

  LawAnswer Solve(const ContactProblem& problem, const ProgramSolver& solver) const override {
    const VecX before = ContactVelocities(problem, problem.velocity);
    if (std::optional<LawAnswer> answer = SolveCompact(problem, Terms(problem, before), solver)) return *answer;
    const DelassusForm form = BuildDelassusForm(problem);
    ConeProgram program;
    program.W = form.W.sparseView();
    program.q = form.q;
    program.non_associated = true;
    AppendBlocksOutsideContacts(problem, form, &program.blocks);
    for (int i = 0; i < form.contacts; ++i) {
      program.blocks.push_back(ConeBlock::Cone(form.contact_row(i), Friction(problem, before, i)));
    }
    const VecX warm = RememberedImpulses(problem, form);
    const ConeAnswer answer = solver.cone(program, &warm);
    return {SolutionFromImpulses(problem, form, answer.r), answer.report, 1};
  }

  double Residual(const ContactProblem& problem, const ContactSolution& solution) const override {
    double worst = ResidualOutsideContacts(problem, solution);
    const VecX before = ContactVelocities(problem, problem.velocity);
    const VecX after = ContactVelocities(problem, solution.velocity);
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const double mu = Friction(problem, before, i), m = problem.contacts.effective_mass[i];
      Vec3 u = after.segment<3>(3 * i);
      u[0] += mu * u.tail<2>().norm() - problem.contacts.normal_target[i];
      const Vec3 p = solution.contact.segment<3>(3 * i);
      worst = Worst(worst, (p - ProjectOnCone(p - m * u, mu)).norm() / m);
    }
    return worst;
  }

 private:
  CompactTerms Terms(const ContactProblem& problem, const VecX& before) const {
    CompactTerms terms{.target = problem.contacts.normal_target, .non_associated = true};
    for (int i = 0; i < problem.contacts.size(); ++i) terms.friction.push_back(Friction(problem, before, i));
    return terms;
  }
  double Friction(const ContactProblem& problem, const VecX& before, int i) const {
    return problem.contacts.Friction(i, before.segment<2>(3 * i + 1).norm(), settings_.velocity_threshold);
  }

  CoulombSettings settings_;
};

}  // namespace

std::vector<SettingSpec> CoulombSettings::Specs() {
  const CoulombSettings d;
  return {{.name = "velocity_threshold",
           .default_value = d.velocity_threshold,
           .unit = "m/s",
           .meaning = "sliding faster than this takes the kinetic coefficient",
           .least = 0}};
}

CoulombSettings CoulombSettings::From(const Settings& settings) { return {settings.Number("velocity_threshold")}; }

std::unique_ptr<Law> MakeCoulomb(const CoulombSettings& settings) { return std::make_unique<Coulomb>(settings); }

}  // namespace slipstick
