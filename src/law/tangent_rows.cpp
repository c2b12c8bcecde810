#include "slipstick/law/tangent_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/worst.h"
#include "slipstick/law/delassus_form.h"
#include "slipstick/law/tangent_program.h"
#include "slipstick/law/velocity_rows.h"

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Programs with limits of their own, of which each gives the next its normals; and the residual that ends them, of the
// step's velocity scale.
constexpr int kMostOwnPrograms = 30, kUndamped = 8;
constexpr double kOwnResidual = 1e-10;
constexpr double kRepeats = 1e-14;  // relative change of normals that no further program would change

// Programs in which limits across the last force are fitted to the answer, and how well, as a share of the limit.
constexpr int kMostFits = 12;
constexpr double kShareTolerance = 1e-10;

class BoundedTangentLaw : public Law {
 public:
  BoundedTangentLaw(std::unique_ptr<TangentRule> rule, const TangentSettings& settings)
      : rule_(std::move(rule)), settings_(settings) {}

  MemorySlots ContactSlots() const override { return SlipSlots(settings_.velocity_threshold); }

  LawAnswer Solve(const ContactProblem& problem, ProgramSolver& solver) const override {
    const auto solve = [&](const DelassusForm& form) {
      return SolveWithStepFriction(problem, settings_.velocity_threshold, [&](const std::vector<double>& friction) {
        return SolveWith(problem, form, friction, solver);
      });
    };
    const DelassusForm rows = BuildRowsAlone(problem);
    LawAnswer answer;
    const bool is_large = solver.velocity && rows.q.size() > kFewRows;
    if (is_large) answer = solve(rows);
    if (!is_large ||
        IsWorthDenseMatrices(rows.q.size(), Law::Residual(problem, answer.solution), problem.velocity_scale)) {
      answer = solve(BuildDelassusForm(problem));
    }
    Remember(problem, &answer.solution);
    return answer;
  }

  double Residual(const ContactProblem& problem, const ContactSolution& solution,
                  const ContactMotion& motion) const override {
    double worst = ResidualOutsideContacts(problem, solution);
    for (int i = 0; i < problem.contacts.size(); ++i) {
      worst = Worst(worst, NormalResidual(problem, solution, motion, i, problem.contacts.normal_target[i]));
      worst = Worst(worst, Judge(problem, solution, i, motion.contact.segment<2>(3 * i + 1)).residual);
    }
    return worst;
  }

 private:
  // The rows that fit an answer best, of those that it may have, and how far it is from them.
  struct Judgement {
    TangentRows rows;
    double residual = kInfinity;
  };

  static Vec2 Slack(const TangentRows& rows, const Vec2& velocity, const Vec2& impulse) {
    return velocity + rows.compliance.cwiseProduct(impulse - rows.reference);
  }

  Judgement Judge(const ContactProblem& problem, const ContactSolution& solution, int i, const Vec2& after) const {
    const SlipStart start = SlipStartOf(problem, i, settings_.velocity_threshold);
    const double m = problem.contacts.effective_mass[i];
    Judgement best;
    for (const double mu : JudgedFriction(problem, i, settings_.velocity_threshold, after)) {
      for (const double normal : JudgedBounds(problem, settings_.bounds, solution, i)) {
        TangentRows rows = rule_->RowsOf(problem, i, start, mu * normal);
        const Vec2 impulse = rows.directions * solution.Tangential(i);
        const Vec2 slack = Slack(rows, rows.directions * after, impulse);
        for (const double share : {rows.across, rows.is_round ? rows.ShareLeft(impulse[0]) : rows.across}) {
          rows.across = share;
          double worst = 0;
          for (int j = 0; j < 2; ++j) {
            const double row_mass = 1.0 / (1.0 / m + rows.compliance[j]);
            worst = Worst(worst, IntervalResidual(impulse[j], slack[j], -rows.limits()[j], rows.limits()[j], row_mass));
          }
          if (worst < best.residual) best = {rows, worst};
        }
      }
    }
    return best;
  }

  // What the rows of all contacts are made from beside their normals.
  struct RowTerms {
    std::vector<double> friction;
    std::vector<SlipStart> starts;
    std::vector<double> shares;  // of row 2 where they are not the rule's; negative: they are
  };
  struct Solved {
    LawAnswer answer;
    std::vector<char> own;  // contacts whose limits are this step's own
  };

  TangentRows RowsOf(const ContactProblem& problem, const RowTerms& terms, int i, double normal) const {
    TangentRows rows = rule_->RowsOf(problem, i, terms.starts[i], terms.friction[i] * normal);
    if (terms.shares[i] >= 0) rows.across = terms.shares[i];
    return rows;
  }

  LawAnswer SolveWith(const ContactProblem& problem, const DelassusForm& form, const std::vector<double>& friction,
                      ProgramSolver& solver) const {
    RowTerms terms{friction, {}, std::vector<double>(form.contacts, -1)};
    for (int i = 0; i < form.contacts; ++i) {
      terms.starts.push_back(SlipStartOf(problem, i, settings_.velocity_threshold));
    }
    if (form.keeps_velocities()) return SolveLarge(problem, form, &terms, solver);
    Solved solved = SolveWithShares(problem, form, terms, solver);
    if (!FitShares(problem, solved.answer.solution, solved.own, &terms)) return std::move(solved.answer);
    Solved first = solved;
    for (int tries = 0; tries < kMostFits; ++tries) {
      const int programs = solved.answer.programs;
      solved = SolveWithShares(problem, form, terms, solver);
      solved.answer.programs += programs;
      if (!FitShares(problem, solved.answer.solution, solved.own, &terms)) return std::move(solved.answer);
    }
    first.answer.programs = solved.answer.programs;
    return std::move(first.answer);
  }

  // Where what the last step's force leaves across itself does not hold, though what this step's leaves might: that
  // share (L5b), or a part of the way to it. True where one has changed.
  bool FitShares(const ContactProblem& problem, const ContactSolution& solution, const std::vector<char>& own,
                 RowTerms* terms, double way = 1) const {
    bool changes = false;
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const double normal = own[i] ? solution.Normal(i) : problem.step * problem.contacts.history[i].normal_force;
      const double limit = terms->friction[i] * normal;
      const TangentRows rule = rule_->RowsOf(problem, i, terms->starts[i], limit);
      if (!rule.is_round) continue;
      double& share = terms->shares[i];
      const double used = share >= 0 ? share : rule.across;
      const Vec2 impulse = rule.directions * solution.Tangential(i);
      const double left = rule.ShareLeft(impulse[0]), across = std::abs(impulse[1]) / limit;
      const bool is_at_limit = across >= used - kShareTolerance;
      const bool fits = share >= 0 ? (is_at_limit ? std::abs(left - used) : across - left) <= kShareTolerance
                                   : !is_at_limit || left <= used + kShareTolerance;
      if (fits) continue;
      share = used + way * (left - used);
      changes = true;
    }
    return changes;
  }

  Solved SolveWithShares(const ContactProblem& problem, const DelassusForm& form, const RowTerms& terms,
                         ProgramSolver& solver) const {
    VecX warm = RememberedImpulses(problem, form);
    FrictionBoundIteration iteration(problem, settings_.bounds);
    while (!iteration.is_over()) {
      const GivenNormals& normals = iteration.normals();
      std::vector<TangentRows> rows(form.contacts);
      for (int i = 0; i < form.contacts; ++i) {
        rows[i] = RowsOf(problem, terms, i, normals.bounding[i]);
      }
      const MlcpAnswer answer = SolveWithLimits(problem, form, rows, normals, warm, solver);
      warm = answer.z;
      iteration.Take(SolutionFromImpulses(problem, form, answer.z), answer.report);
    }
    const bool has_settled = iteration.has_settled();
    Solved solved{.answer = {}, .own = iteration.has_own_limits()};
    solved.answer = iteration.Answer();
    RowTerms own_terms = terms;
    if (!has_settled) SolveInOne(problem, form, solver, &own_terms, &solved);
    return solved;
  }

  // Many contacts: limits and normals in one program from the start, and shares fitted along the way.
  LawAnswer SolveLarge(const ContactProblem& problem, const DelassusForm& form, RowTerms* terms,
                       ProgramSolver& solver) const {
    Solved solved{.answer = {}, .own = FrictionBoundIteration(problem, settings_.bounds).has_own_limits()};
    solved.answer.solution = SolutionFromImpulses(problem, form, RememberedImpulses(problem, form));
    SolveInOne(problem, form, solver, terms, &solved);
    return std::move(solved.answer);
  }

  // Where the iteration of the limits has no end: limits and normals in one program (L7b). What else depends on the
  // normals (the viscous row of what slides, the share of row 2) goes from one such program to the next.
  void SolveInOne(const ContactProblem& problem, const DelassusForm& form, ProgramSolver& solver, RowTerms* terms,
                  Solved* solved) const {
    LawAnswer* best = &solved->answer;
    std::vector<char>& own = solved->own;
    const double goal = (form.keeps_velocities() ? kLargeResidual : kOwnResidual) * problem.velocity_scale;
    double least = Law::Residual(problem, best->solution);
    std::vector<double> normals(form.contacts);
    for (int i = 0; i < form.contacts; ++i) normals[i] = best->solution.Normal(i);
    VecX warm = RememberedImpulses(problem, form);
    for (int programs = 0; programs < kMostOwnPrograms && least > goal; ++programs) {
      std::vector<TangentRows> rows(form.contacts);
      std::vector<Vec2> ratios(form.contacts, Vec2::Zero());
      for (int i = 0; i < form.contacts; ++i) {
        if (!own[i]) {
          rows[i] = RowsOf(problem, *terms, i, problem.step * problem.contacts.history[i].normal_force);
          continue;
        }
        // a contact without load yet must be able to take one
        const double normal = normals[i] > 0 ? normals[i] : problem.contacts.effective_mass[i] * problem.velocity_scale;
        rows[i] = RowsOf(problem, *terms, i, normal);
        ratios[i] = rows[i].limits() / normal;
      }
      const MlcpAnswer answer = form.keeps_velocities() ? SolveInVelocities(problem, form, rows, ratios, warm, solver)
                                                        : SolveWithOwnLimits(problem, form, rows, ratios, solver);
      warm = answer.z;
      ++best->programs;
      if (!answer.z.allFinite()) return;
      ContactSolution solution = SolutionFromImpulses(problem, form, answer.z);
      bool repeats = true;
      for (int i = 0; i < form.contacts; ++i) {
        repeats &= std::abs(normals[i] - solution.Normal(i)) <= kRepeats * solution.Normal(i);
        normals[i] = programs < kMostOwnPrograms / 2 ? solution.Normal(i) : 0.5 * (normals[i] + solution.Normal(i));
        if (!own[i] && !HasSteadyLoad(problem, i, solution.Normal(i))) own[i] = true;
      }
      if (form.keeps_velocities() && FitShares(problem, solution, own, terms, programs < kUndamped ? 1.0 : 0.5))
        repeats = false;
      const double residual = Law::Residual(problem, solution);
      if (residual < least) {
        least = residual;
        best->solution = std::move(solution);
        best->report = answer.report;
      }
      if (repeats) return;
    }
  }

  // What slips at the end of the step; bristles that give way do not.
  void Remember(const ContactProblem& problem, ContactSolution* solution) const {
    if (problem.contacts.slots.empty()) return;
    const VecX after = ContactVelocities(problem, solution->velocity);
    solution->contact_memory.setZero(problem.contacts.size());
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const TangentRows rows = Judge(problem, *solution, i, after.segment<2>(3 * i + 1)).rows;
      const Vec2 velocity = rows.directions * after.segment<2>(3 * i + 1);
      Vec2 slip = velocity;
      if (rows.limit > 0) {
        slip = Slack(rows, velocity, rows.directions * solution->Tangential(i));
        // where row 1 holds, what is viscous across would only creep on: the contact has come to rest
        if (rows.is_viscous_across) slip[1] = 0;
      }
      solution->contact_memory[i] = slip.norm();
    }
  }

  std::unique_ptr<TangentRule> rule_;
  TangentSettings settings_;
};

}  // namespace

double TangentRows::ShareLeft(double along) const {
  const double used = std::min(std::abs(along) / limit, 1.0);
  return std::sqrt(1 - used * used);
}

std::unique_ptr<Law> MakeBoundedTangentLaw(std::unique_ptr<TangentRule> rule, const TangentSettings& settings) {
  return std::make_unique<BoundedTangentLaw>(std::move(rule), settings);
}

}  // namespace slipstick::internal
