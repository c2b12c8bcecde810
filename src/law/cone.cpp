#include "slipstick/law/cone.h"

#include <algorithm>

#include "slipstick/law/contact_cones.h"

namespace slipstick::internal {
namespace {

class Cone : public Law {
 public:
  explicit Cone(const ConeSettings& settings) : settings_(settings) {}

  MemorySlots ContactSlots() const override { return SlipSlots(settings_.velocity_threshold); }

  LawAnswer Solve(const ContactProblem& problem, ProgramSolver& solver) const override {
    LawAnswer answer =
        SolveWithStepFriction(problem, settings_.velocity_threshold, [&](const std::vector<double>& friction) {
          const ContactCones cones = ConesOf(problem, friction);
          LawAnswer solved = SolveContactCones(problem, cones, solver);
          solved.solution.normal_target = Eigen::Map<const VecX>(cones.target.data(), problem.contacts.size());
          return solved;
        });
    RememberSlip(problem, &answer.solution);
    return answer;
  }

  double Residual(const ContactProblem& problem, const ContactSolution& solution,
                  const ContactMotion& motion) const override {
    return ContactConesResidual(problem, JudgedCones(problem, solution, motion), solution, motion);
  }

  // eq 28 as a gap, of the contacts that carry load
  VecX RelaxationGaps(const ContactProblem& problem, const ContactSolution& solution,
                      const ContactMotion& after) const override {
    const ContactCones cones = JudgedCones(problem, solution, after);
    VecX gaps = VecX::Zero(problem.contacts.size());
    for (int i = 0; i < problem.contacts.size(); ++i) {
      if (!(solution.Normal(i) > 0)) continue;
      const ContactRowValues row = RowValues(problem, cones, solution, after, i);
      gaps[i] = problem.step * SlipTerm(row.cone, row.velocity.data());
    }
    return gaps;
  }

 private:
  ContactCones JudgedCones(const ContactProblem& problem, const ContactSolution& solution,
                           const ContactMotion& after) const {
    return ConesOf(problem, JudgedFriction(problem, settings_.velocity_threshold, solution, after));
  }
  ContactCones ConesOf(const ContactProblem& problem, const std::vector<double>& friction) const {
    const ContactSet& contacts = problem.contacts;
    ContactCones cones{friction, contacts.normal_target, false, true};
    if (!settings_.full_gap) return cones;
    for (int i = 0; i < contacts.size(); ++i) {
      // what gives way has its own target, (T4b)
      if (contacts.surface(i).GivesWay()) continue;
      const double target = std::min(-contacts.GapAhead(i) / problem.step, problem.CorrectionSpeed(i));
      cones.target[i] = std::max(target, contacts.restitution_target[i]);
    }
    return cones;
  }

  ConeSettings settings_;
};

}  // namespace

const SettingTable<ConeSettings>& ConeSettings::Table() {
  using S = ConeSettings;
  static const SettingTable<S> table = {
      {&S::velocity_threshold, "velocity_threshold", "m/s", kThresholdMeaning},
      {&S::full_gap,
       "gaps",
       "",
       "how gaps enter the normal row: gap/h for all, or by the stepper's skin",
       {{"full", true}, {"skin", false}}},
  };
  return table;
}

std::unique_ptr<Law> MakeCone(const ConeSettings& settings) { return std::make_unique<Cone>(settings); }

}  // namespace slipstick::internal
