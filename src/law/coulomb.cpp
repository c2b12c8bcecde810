#include "slipstick/law/coulomb.h"

#include "slipstick/law/contact_cones.h"

namespace slipstick::internal {
namespace {

class Coulomb : public Law {
 public:
  explicit Coulomb(const CoulombSettings& settings) : settings_(settings) {}

  MemorySlots ContactSlots() const override { return SlipSlots(settings_.velocity_threshold); }

  LawAnswer Solve(const ContactProblem& problem, ProgramSolver& solver) const override {
    LawAnswer answer =
        SolveWithStepFriction(problem, settings_.velocity_threshold, [&](const std::vector<double>& friction) {
          return SolveContactCones(problem, ConesOf(problem, friction), solver);
        });
    RememberSlip(problem, &answer.solution);
    return answer;
  }

  double Residual(const ContactProblem& problem, const ContactSolution& solution,
                  const ContactMotion& motion) const override {
    const std::vector<double> friction = JudgedFriction(problem, settings_.velocity_threshold, solution, motion);
    return ContactConesResidual(problem, ConesOf(problem, friction), solution, motion);
  }

 private:
  static ContactCones ConesOf(const ContactProblem& problem, const std::vector<double>& friction) {
    return {friction, problem.contacts.normal_target, true, false};
  }

  CoulombSettings settings_;
};

}  // namespace

const SettingTable<CoulombSettings>& CoulombSettings::Table() {
  using S = CoulombSettings;
  static const SettingTable<S> table = {
      {&S::velocity_threshold, "velocity_threshold", "m/s", kThresholdMeaning},
  };
  return table;
}

std::unique_ptr<Law> MakeCoulomb(const CoulombSettings& settings) { return std::make_unique<Coulomb>(settings); }

}  // namespace slipstick::internal
