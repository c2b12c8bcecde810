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

const SettingTable<CoulombSettings>& CoulombSettings::Table() {
  using S = CoulombSettings;
  static const SettingTable<S> table = {
      {&S::velocity_threshold, "velocity_threshold", "m/s", "sliding faster than this takes the kinetic coefficient",
       AtLeast(0)},
  };
  return table;
}

std::unique_ptr<Law> MakeCoulomb(const CoulombSettings& settings) { return std::make_unique<Coulomb>(settings); }

}  // namespace slipstick::internal
