#include "slipstick/law/max_dissipation.h"

#include <algorithm>
#include <cmath>

#include "slipstick/law/contact_space.h"
#include "slipstick/law/delassus_form.h"
#include "slipstick/law/dissipation_stage.h"

namespace slipstick::internal {
namespace {

constexpr std::size_t kLargeIsland = 120;  // rows beyond which generalized coordinates are faster
constexpr double kTouching = 1e-3;         // of h times the step's velocity scale: a gap up to this is none

// Where an island's rows are in the problem's vectors.
struct IslandRows {
  explicit IslandRows(const ContactProblem& problem, const ContactIsland& island) {
    for (const int i : island.contacts) {
      normals.push_back(3 * i);
      for (int k = 0; k < 3; ++k) contacts.push_back(3 * i + k);
    }
    const auto append = [](const BlockRows& rows, const std::vector<int>& groups, std::vector<int>* out) {
      for (const int g : groups) {
        for (int k = 0; k < rows.rows(g); ++k) out->push_back(rows.first_row(g) + k);
      }
    };
    append(problem.bounded.jacobian, island.bounded, &bounded);
    append(problem.bilateral.jacobian, island.bilateral, &bilateral);
  }
  std::vector<int> normals, contacts, bounded, bilateral;
};

DissipationStage EmptyStage(const ContactProblem& problem) {
  const int contacts = problem.contacts.size();
  const VecX none = VecX::Zero(contacts), bounded = VecX::Zero(problem.bounded.jacobian.rows()),
             bilateral = VecX::Zero(problem.bilateral.jacobian.rows());
  return {none, bounded,   bilateral, VecX::Zero(3 * contacts),   bounded, bilateral,
          none, bilateral, none,      std::vector<char>(contacts)};
}

SolveReport Joined(const SolveReport& a, const SolveReport& b) {
  SolveReport joined = b.status == SolveStatus::kSolved && a.status != SolveStatus::kSolved ? a : b;
  joined.iterations = a.iterations + b.iterations;
  joined.residual = std::max(a.residual, b.residual);
  joined.tried.clear();
  return joined;
}

class MaxDissipation : public Law {
 public:
  explicit MaxDissipation(const MaxDissipationSettings& settings) : settings_(settings) {}

  MemorySlots ContactSlots() const override { return SlipSlots(settings_.velocity_threshold); }

  LawAnswer Solve(const ContactProblem& problem, ProgramSolver& solver) const override {
    return SolveAndRememberSlip(problem, settings_.velocity_threshold, [&](const std::vector<double>& friction) {
      return SolveWith(problem, friction, solver);
    });
  }

  double Residual(const ContactProblem& problem, const ContactSolution& solution,
                  const ContactMotion& after) const override {
    return MaxDissipationResidual(problem, settings_, solution, after);
  }

 private:
  LawAnswer SolveWith(const ContactProblem& problem, const std::vector<double>& friction, ProgramSolver& solver) const {
    auto evidence = std::make_shared<DissipationEvidence>();
    const int contacts = problem.contacts.size();
    evidence->step = evidence->collision = evidence->second = EmptyStage(problem);
    evidence->returned = VecX::Zero(contacts);
    evidence->returned_bilateral = VecX::Zero(problem.bilateral.jacobian.rows());
    LawAnswer answer;
    answer.report.solver = "gradient-projection";
    for (const ContactIsland& island : FindIslands(problem)) {
      SolveIsland(problem, island, friction, solver, &answer, evidence.get());
    }
    ContactSolution& solution = answer.solution;
    const DissipationStage &step = evidence->step, &second = evidence->second;
    solution.contact = step.contact + second.contact;
    for (int i = 0; i < contacts; ++i) solution.contact[3 * i] += evidence->returned[i];
    solution.bounded = step.bounded + second.bounded;
    solution.bilateral = step.bilateral + second.bilateral + evidence->returned_bilateral;
    ComputeVelocity(problem, &solution);
    if (evidence->bounces) solution.normal_target = DissipationTargets(problem, settings_);
    solution.evidence = std::move(evidence);
    return answer;
  }

  void SolveIsland(const ContactProblem& problem, const ContactIsland& island, const std::vector<double>& friction,
                   ProgramSolver& solver, LawAnswer* answer, DissipationEvidence* evidence) const {
    const int count = static_cast<int>(island.contacts.size());
    const IslandRows rows(problem, island);
    const ContactSpace space = SpaceOf(problem, island, rows);
    const VecX targets = DissipationTargets(problem, settings_),
               free = space.RowVelocities(problem, island, problem.free_velocity);
    const VecX before = ContactVelocities(problem, problem.velocity);
    const std::vector<double> viscous = ViscousLimits(problem, settings_);

    DissipationInput input;
    input.space = &space;
    input.b = free;
    input.lower = problem.bounded.lower(rows.bounded);
    input.upper = problem.bounded.upper(rows.bounded);
    input.b.tail(input.lower.size()) -= problem.bounded.target(rows.bounded);
    input.remembered = VecX::Zero(free.size());
    bool bounces = false;
    for (int k = 0; k < count; ++k) {
      const int i = island.contacts[k];
      input.contacts.push_back(k);
      input.friction.push_back(friction[i]);
      input.extra.push_back(viscous[i]);
      input.b[3 * k] -= targets[i];
      input.b.segment<2>(3 * k + 1) += problem.contacts.Tangential(i, problem.contacts.Curvature(i));
      const ContactHistory& history = problem.contacts.history[i];
      if (history.known) {
        input.remembered[3 * k] = problem.step * history.normal_force;
        input.remembered.segment<2>(3 * k + 1) =
            problem.step * problem.contacts.Tangential(i, history.tangential_force);
      }
      bounces |= settings_.poisson && Bounces(problem, i);
    }
    const auto finish = [&](const DissipationOutput& out, DissipationStage* stage, const VecX& first_bilateral,
                            const VecX& bilateral) {
      answer->report = Joined(answer->report, out.report);
      answer->programs += out.programs;
      for (int k = 0; k < count; ++k) {
        const int i = island.contacts[k];
        stage->first_normal[i] = out.first[3 * k];
        stage->push[i] = out.push[k];
        stage->tax[i] = out.tax;
        stage->takes_part[i] = out.takes_part[k];
      }
      stage->contact(rows.contacts) = out.x.head(3 * count);
      stage->bounded(rows.bounded) = out.x.tail(input.lower.size());
      stage->first_bounded(rows.bounded) = out.first.tail(input.lower.size());
      stage->first_bilateral(rows.bilateral) = first_bilateral;
      stage->bilateral(rows.bilateral) = bilateral;
      VecX push = VecX::Zero(free.size());
      for (int k = 0; k < count; ++k) push[3 * k] = out.push[k];
      stage->push_bilateral(rows.bilateral) = space.BilateralOf(push);
    };

    const DissipationOutput step = SolveDissipationStage(input, solver);
    finish(step, &evidence->step, space.Bilateral(problem, island, problem.free_velocity, step.first),
           space.Bilateral(problem, island, problem.free_velocity, step.x));
    if (!bounces) return;

    // Phase III. The collision alone, at the velocities before the step: what it compresses is what is given back.
    evidence->bounces = true;
    DissipationInput collision = input;
    collision.b = VecX::Zero(free.size());
    collision.b.head(3 * count) = before(rows.contacts);
    collision.lower.setZero();
    collision.upper.setZero();
    collision.contacts.clear();
    std::fill(collision.extra.begin(), collision.extra.end(), 0.0);
    for (int k = 0; k < count; ++k) {
      if (Touches(problem, island.contacts[k], before[3 * island.contacts[k]])) collision.contacts.push_back(k);
    }
    const DissipationOutput hit = SolveDissipationStage(collision, solver);
    finish(hit, &evidence->collision, space.BilateralOf(hit.first), space.BilateralOf(hit.x));
    VecX returned = VecX::Zero(free.size());
    // of all that the collision loads: a ball at rest against another hands on what it is hit with
    for (int k = 0; k < count; ++k) {
      returned[3 * k] = problem.contacts.surface(island.contacts[k]).restitution * hit.x[3 * k];
    }
    VecX velocity_before = free;  // bounded rows take no part in what is given back
    velocity_before.head(3 * count) = before(rows.contacts);
    returned *= ShareGivenBack(space, step.x, velocity_before, free, returned);
    // friction of this part, and whatever it closes
    DissipationInput second = input;
    second.b = input.b + space.Times(step.x + returned);
    second.lower -= step.x.tail(input.lower.size());
    second.upper -= step.x.tail(input.lower.size());
    for (int k = 0; k < count; ++k) {
      second.extra[k] = input.friction[k] * returned[3 * k];
      second.is_loaded.push_back(static_cast<char>(returned[3 * k] > 0));
    }
    second.remembered.setZero();
    const DissipationOutput last = SolveDissipationStage(second, solver);
    finish(last, &evidence->second, space.BilateralOf(last.first), space.BilateralOf(last.x));
    evidence->returned(island.contacts) = returned(Eigen::seqN(0, count, 3));
    evidence->returned_bilateral(rows.bilateral) = space.BilateralOf(returned);
  }

  // The largest share of `returned` with which contacts do no work on balance over the step, (L21); or no more than
  // they do without.
  static double ShareGivenBack(const ContactSpace& space, const VecX& x, const VecX& before, const VecX& free,
                               const VecX& returned) {
    const VecX after = space.Times(x) + free;
    const double work = 0.5 * x.dot(before + after), allowed = std::max(work, 0.0);
    const double slope = returned.dot(after + 0.5 * (before - free)), curvature = returned.dot(space.Times(returned));
    if (work + slope + 0.5 * curvature <= allowed) return 1;
    // the larger root of ½ curvature s² + slope s + work − allowed
    const double root = std::sqrt(std::max(slope * slope - 2 * curvature * (work - allowed), 0.0));
    const double share = slope > 0 ? 2 * (allowed - work) / (slope + root) : (root - slope) / curvature;
    return std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0;
  }

  ContactSpace SpaceOf(const ContactProblem& problem, const ContactIsland& island, const IslandRows& rows) const {
    using Representation = MaxDissipationSettings::Representation;
    const bool is_large = rows.contacts.size() + rows.bounded.size() > kLargeIsland;
    if (settings_.representation == Representation::kGeneralized ||
        (settings_.representation == Representation::kAutomatic && is_large)) {
      return BuildGeneralizedSpace(problem, island);
    }
    ContactSpace space = BuildContactSpace(problem, island);
    if (settings_.representation == Representation::kTestImpulses) {
      space.A = MatrixByTestImpulses(static_cast<int>(space.A.rows()),
                                     [&](const VecX& x) { return VelocitiesAfter(problem, island, rows, space, x); });
    }
    return space;
  }

  // What a test impulse is answered with: any description of the bodies would do that can do this.
  static VecX VelocitiesAfter(const ContactProblem& problem, const ContactIsland& island, const IslandRows& rows,
                              const ContactSpace& space, const VecX& x) {
    ContactSolution test;
    test.bilateral = VecX::Zero(problem.bilateral.jacobian.rows());
    test.bounded = VecX::Zero(problem.bounded.jacobian.rows());
    test.contact = VecX::Zero(3 * problem.contacts.size());
    test.contact(rows.contacts) = x.head(static_cast<Eigen::Index>(rows.contacts.size()));
    test.bounded(rows.bounded) = x.tail(static_cast<Eigen::Index>(rows.bounded.size()));
    VecX velocity = MomentumChange(problem, test);
    problem.mass.SolveInPlace(velocity);
    velocity += problem.free_velocity;
    return space.RowVelocities(problem, island, velocity);
  }

  MaxDissipationSettings settings_;
};

}  // namespace

VecX DissipationTargets(const ContactProblem& problem, const MaxDissipationSettings& settings) {
  VecX targets = Eigen::Map<const VecX>(problem.contacts.normal_target.data(), problem.contacts.size());
  for (int i = 0; settings.poisson && i < problem.contacts.size(); ++i) {
    if (Bounces(problem, i)) targets[i] = 0;
  }
  return targets;
}

std::vector<double> ViscousLimits(const ContactProblem& problem, const MaxDissipationSettings& settings) {
  std::vector<double> limits(problem.contacts.size());
  if (settings.viscous_friction == 0) return limits;
  const VecX free = ContactVelocities(problem, problem.free_velocity);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    limits[i] = problem.step * settings.viscous_friction * free.segment<2>(3 * i + 1).norm();
  }
  return limits;
}

bool Bounces(const ContactProblem& problem, int i) { return problem.contacts.restitution_target[i] > 0; }

bool Touches(const ContactProblem& problem, int i, double normal_velocity) {
  const double reach = problem.step * std::max(-normal_velocity, kTouching * problem.velocity_scale);
  return Bounces(problem, i) || problem.contacts.GapAhead(i) <= reach;
}

const SettingTable<MaxDissipationSettings>& MaxDissipationSettings::Table() {
  using S = MaxDissipationSettings;
  static const SettingTable<S> table = {
      {&S::velocity_threshold, "velocity_threshold", "m/s", kThresholdMeaning},
      {&S::viscous_friction, "viscous_friction", "N s/m",
       "by which the limit of a contact's friction grows with its sliding speed", AtLeast(0)},
      {&S::poisson,
       "restitution",
       "",
       "impulses given back, with energy never gained; or velocities turned round",
       {{"poisson", true}, {"newton", false}}},
      {&S::representation,
       "representation",
       "",
       "contact space with its matrix from Jacobians or by test impulses; or generalized coordinates",
       {{"auto", Representation::kAutomatic},
        {"formula", Representation::kFormula},
        {"test-impulses", Representation::kTestImpulses},
        {"generalized", Representation::kGeneralized}}},
  };
  return table;
}

std::unique_ptr<Law> MakeMaxDissipation(const MaxDissipationSettings& settings) {
  return std::make_unique<MaxDissipation>(settings);
}

}  // namespace slipstick::internal
