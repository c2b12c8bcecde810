#include "slipstick/law/tangent_rows.h"

#include <algorithm>
#include <limits>

#include "slipstick/base/worst.h"
#include "slipstick/law/delassus_form.h"

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class BoundedTangentLaw : public Law {
 public:
  BoundedTangentLaw(std::unique_ptr<TangentRule> rule, const FrictionBoundSettings& bounds)
      : rule_(std::move(rule)), bounds_(bounds) {}

  LawAnswer Solve(const ContactProblem& problem, ProgramSolver& solver) const override {
    const DelassusForm form = BuildDelassusForm(problem);
    const VecX before = ContactVelocities(problem, problem.velocity);
    VecX warm = RememberedImpulses(problem, form);
    FrictionBoundIteration iteration(problem, bounds_);
    while (!iteration.is_over()) {
      const GivenNormals& normals = iteration.normals();
      std::vector<TangentRows> rows(form.contacts);
      for (int i = 0; i < form.contacts; ++i) {
        rows[i] = rule_->RowsOf(problem, i, before.segment<2>(3 * i + 1), normals.bounding[i]);
      }
      VecX turned = warm;
      Turn(form, rows, &turned);
      const MlcpAnswer answer = solver.mlcp(Formulate(problem, form, rows, normals), &turned);
      VecX impulses = answer.z;
      TurnBack(form, rows, &impulses);
      warm = impulses;
      iteration.Take(SolutionFromImpulses(problem, form, impulses), answer.report);
    }
    return iteration.Answer();
  }

  double Residual(const ContactProblem& problem, const ContactSolution& solution,
                  const ContactMotion& motion) const override {
    double worst = ResidualOutsideContacts(problem, solution);
    const VecX before = ContactVelocities(problem, problem.velocity);
    const VecX& after = motion.contact;
    const std::vector<double> normals = BoundingNormals(problem, bounds_, solution);
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const double m = problem.contacts.effective_mass[i];
      worst = Worst(worst, IntervalResidual(solution.Normal(i), after[3 * i] - problem.contacts.normal_target[i], 0,
                                            kInfinity, m));
      const TangentRows rows = rule_->RowsOf(problem, i, before.segment<2>(3 * i + 1), normals[i]);
      const Vec2 velocity = rows.directions * after.segment<2>(3 * i + 1);
      const Vec2 impulse = rows.directions * solution.Tangential(i);
      for (int j = 0; j < 2; ++j) {
        const double slack = velocity[j] + rows.compliance[j] * (impulse[j] - rows.reference[j]);
        const double row_mass = 1.0 / (1.0 / m + rows.compliance[j]);
        worst = Worst(worst, IntervalResidual(impulse[j], slack, -rows.limits()[j], rows.limits()[j], row_mass));
      }
    }
    return worst;
  }

 private:
  // Peiret eq 30 with v⁺ eliminated and each contact's tangents turned to its directions (eqs 14, 17).
  static BoundedMlcp Formulate(const ContactProblem& problem, const DelassusForm& form,
                               const std::vector<TangentRows>& rows, const GivenNormals& normals) {
    BoundedMlcp mlcp;
    mlcp.A = form.W;
    mlcp.b = form.q;
    mlcp.lower.setConstant(form.q.size(), -kInfinity);
    mlcp.upper.setConstant(form.q.size(), kInfinity);
    mlcp.lower.segment(form.bilateral, form.bounded) = problem.bounded.lower;
    mlcp.upper.segment(form.bilateral, form.bounded) = problem.bounded.upper;
    for (int i = 0; i < form.contacts; ++i) {
      const int t = form.contact_row(i) + 1;
      const Mat2& turn = rows[i].directions;
      mlcp.A.middleRows<2>(t) = (turn * mlcp.A.middleRows<2>(t)).eval();
      mlcp.A.middleCols<2>(t) = (mlcp.A.middleCols<2>(t) * turn.transpose()).eval();
      mlcp.b.segment<2>(t) = (turn * mlcp.b.segment<2>(t)).eval();
      mlcp.A.diagonal().segment<2>(t) += rows[i].compliance;
      mlcp.b.segment<2>(t) -= rows[i].compliance.cwiseProduct(rows[i].reference);
      mlcp.lower[t - 1] = 0;
      AddCentring(normals, i, t - 1, &mlcp.A, &mlcp.b);
      mlcp.lower.segment<2>(t) = -rows[i].limits();
      mlcp.upper.segment<2>(t) = rows[i].limits();
    }
    mlcp.A = (0.5 * (mlcp.A + mlcp.A.transpose())).eval();
    return mlcp;
  }

  static void Turn(const DelassusForm& form, const std::vector<TangentRows>& rows, VecX* impulses) {
    for (int i = 0; i < form.contacts; ++i) {
      auto part = impulses->segment<2>(form.contact_row(i) + 1);
      part = (rows[i].directions * part).eval();
    }
  }
  static void TurnBack(const DelassusForm& form, const std::vector<TangentRows>& rows, VecX* impulses) {
    for (int i = 0; i < form.contacts; ++i) {
      auto part = impulses->segment<2>(form.contact_row(i) + 1);
      part = (rows[i].directions.transpose() * part).eval();
    }
  }

  std::unique_ptr<TangentRule> rule_;
  FrictionBoundSettings bounds_;
};

}  // namespace

std::unique_ptr<Law> MakeBoundedTangentLaw(std::unique_ptr<TangentRule> rule, const FrictionBoundSettings& bounds) {
  return std::make_unique<BoundedTangentLaw>(std::move(rule), bounds);
}

}  // namespace slipstick::internal
