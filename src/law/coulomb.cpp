#include "slipstick/law/coulomb.h"

#include "slipstick/law/contact_cones.h"
#include "slipstick/law/delassus_form.h"

namespace slipstick::internal {
namespace {

class Coulomb : public Law {
 public:
  explicit Coulomb(const CoulombSettings& settings) : settings_(settings) {}

  LawAnswer Solve(const ContactProblem& problem, ProgramSolver& solver) const override {
    return SolveContactCones(problem, ConesOf(problem), solver);
  }

  double Residual(const ContactProblem& problem, const ContactSolution& solution,
                  const ContactMotion& motion) const override {
    return ContactConesResidual(problem, ConesOf(problem), solution, motion);
  }

 private:
  ContactCones ConesOf(const ContactProblem& problem) const {
    return {StepFriction(problem, settings_.velocity_threshold), problem.contacts.normal_target, true, false};
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

}  // namespace slipstick::internal
