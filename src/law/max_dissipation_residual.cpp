#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/worst.h"
#include "slipstick/law/contact_space.h"
#include "slipstick/law/delassus_form.h"
#include "slipstick/law/max_dissipation.h"

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What a stage is judged by: whatever it was given, computed here anew.
struct StageTerms {
  VecX base;    // velocity before its impulses
  VecX target;  // of the normal velocities
  VecX bilateral_target;
  VecX lower, upper;  // of the bounded rows
  std::vector<double> friction, extra;
  std::vector<char> touches;  // of each contact: it is there at all
  bool at_end = true;         // velocities are those of the step's end

  VecX SlipOf(const ContactProblem& problem, const VecX& velocity) const {
    VecX slip = ContactVelocities(problem, velocity);
    if (at_end) AddCurvature(problem.contacts, slip);
    return slip;
  }
};

// v + M⁻¹ Σ Jᵀ p
VecX VelocityAfter(const ContactProblem& problem, const VecX& v, const VecX& contact, const VecX& bounded,
                   const VecX& bilateral) {
  ContactSolution impulses;
  impulses.contact = contact;
  impulses.bounded = bounded;
  impulses.bilateral = bilateral;
  impulses.moment = VecX::Zero(problem.contacts.angular.rows());
  VecX change = MomentumChange(problem, impulses);
  problem.mass.SolveInPlace(change);
  return v + change;
}

VecX OnNormals(const VecX& normal) {
  VecX contact = VecX::Zero(3 * normal.size());
  for (Eigen::Index i = 0; i < normal.size(); ++i) contact[3 * i] = normal[i];
  return contact;
}

VecX RowVelocities(const BlockRows& rows, const VecX& velocity) {
  VecX out(rows.rows());
  rows.Multiply(velocity, out);
  return out;
}

// |p − nearest of {p_N ≥ 0, |p_T| ≤ μ p_N + c} to p − m w| / m. The judge has a projection of its own.
double LimitResidual(const Vec3& p, const Vec3& w, double mu, double c, double m) {
  const Vec3 moved = p - m * w;
  const double size = moved.tail<2>().norm();
  // the normal of the nearest point is the zero of n − z_N − μ(|z_T| − μ n − c)₊, which rises with n; or 0
  double normal = moved[0];
  if (size > mu * normal + c) normal = (moved[0] + mu * (size - c)) / (1 + mu * mu);
  normal = std::max(normal, 0.0);
  const double radius = std::min(size, mu * normal + c);
  Vec3 nearest(normal, 0, 0);
  if (size > 0) nearest.tail<2>() = radius / size * moved.tail<2>();
  return (p - nearest).norm() / m;
}

double BoundedResidual(const ContactProblem& problem, const StageTerms& terms, const VecX& impulse,
                       const VecX& velocity) {
  const BoundedSet& bounded = problem.bounded;
  const VecX rates = RowVelocities(bounded.jacobian, velocity);
  const VecX masses = RowMasses(problem, bounded.jacobian);
  double worst = 0;
  for (Eigen::Index row = 0; row < masses.size(); ++row) {
    worst = Worst(worst, IntervalResidual(impulse[row], rates[row] - bounded.target[row], terms.lower[row],
                                          terms.upper[row], masses[row]));
  }
  return worst;
}

double BilateralResidual(const ContactProblem& problem, const VecX& velocity, const VecX& target) {
  if (target.size() == 0) return 0;
  return (RowVelocities(problem.bilateral.jacobian, velocity) - target).lpNorm<Eigen::Infinity>();
}

// Phase I: normals and bounded rows, (L17).
double FirstPhaseResidual(const ContactProblem& problem, const StageTerms& terms, const DissipationStage& stage) {
  const VecX velocity =
      VelocityAfter(problem, terms.base, OnNormals(stage.first_normal), stage.first_bounded, stage.first_bilateral);
  double worst = BilateralResidual(problem, velocity, terms.bilateral_target);
  worst = Worst(worst, BoundedResidual(problem, terms, stage.first_bounded, velocity));
  const VecX u = terms.SlipOf(problem, velocity);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const double m = problem.contacts.effective_mass[i], normal = stage.first_normal[i];
    if (!terms.touches[i]) {
      worst = Worst(worst, std::abs(normal) / m);
    } else {
      worst = Worst(worst, IntervalResidual(normal, u[3 * i] - terms.target[i], 0, kInfinity, m));
    }
    if (!stage.takes_part[i]) worst = Worst(worst, std::abs(normal) / m);
  }
  return worst;
}

// Phase II, (L18), (L19), after the impulses of the stage.
double SecondPhaseResidual(const ContactProblem& problem, const StageTerms& terms, const DissipationStage& stage,
                           const VecX& velocity) {
  const ContactSet& contacts = problem.contacts;
  const VecX none = VecX::Zero(stage.bounded.size()), still = VecX::Zero(terms.base.size());
  const VecX pushed = VelocityAfter(problem, still, OnNormals(stage.push), none, stage.push_bilateral);
  double worst = BilateralResidual(problem, velocity, terms.bilateral_target);
  worst = Worst(worst, BilateralResidual(problem, pushed, VecX::Zero(terms.bilateral_target.size())));
  const VecX shadow = velocity - pushed;
  worst = Worst(worst, BoundedResidual(problem, terms, stage.bounded, shadow));
  const VecX u = terms.SlipOf(problem, velocity), w = terms.SlipOf(problem, shadow);
  for (int i = 0; i < contacts.size(); ++i) {
    const double m = contacts.effective_mass[i];
    if (terms.touches[i]) {
      worst = Worst(worst, IntervalResidual(stage.push[i], u[3 * i] - terms.target[i], 0, kInfinity, m));
    }
    const Vec3 p = stage.contact.segment<3>(3 * i);
    if (!stage.takes_part[i]) {
      worst = Worst(worst, p.norm() / m);
      continue;
    }
    const Vec3 seen = w.segment<3>(3 * i) + Vec3(stage.tax[i] - terms.target[i], 0, 0);
    worst = Worst(worst, LimitResidual(p, seen, terms.friction[i], terms.extra[i], m));
  }
  for (const ContactIsland& island : FindIslands(problem)) {
    if (island.contacts.empty()) continue;
    double room = 0, mass = 0;
    for (const int i : island.contacts) {
      room += stage.first_normal[i] - stage.contact[3 * i];
      mass += contacts.effective_mass[i] / static_cast<double>(island.contacts.size());
    }
    for (const int i : island.contacts)
      worst = Worst(worst, IntervalResidual(stage.tax[i], room / mass, 0, kInfinity, 1));
  }
  return worst;
}

// A stage's residual; its velocity goes to *after.
double StageResidual(const ContactProblem& problem, const StageTerms& terms, const DissipationStage& stage,
                     VecX* after) {
  *after = VelocityAfter(problem, terms.base, stage.contact, stage.bounded, stage.bilateral);
  return Worst(FirstPhaseResidual(problem, terms, stage), SecondPhaseResidual(problem, terms, stage, *after));
}

// An answer without a proof, taken as one whose multipliers are zero.
DissipationEvidence Unproved(const ContactProblem& problem, const ContactSolution& solution) {
  const int contacts = problem.contacts.size();
  DissipationEvidence evidence;
  DissipationStage& step = evidence.step;
  step.contact = solution.contact;
  step.bounded = step.first_bounded = solution.bounded;
  step.bilateral = step.first_bilateral = solution.bilateral;
  step.first_normal.resize(contacts);
  for (int i = 0; i < contacts; ++i) step.first_normal[i] = solution.Normal(i);
  step.push = step.tax = VecX::Zero(contacts);
  step.push_bilateral = VecX::Zero(solution.bilateral.size());
  step.takes_part.assign(contacts, 1);
  return evidence;
}

}  // namespace

double MaxDissipationResidual(const ContactProblem& problem, const MaxDissipationSettings& settings,
                              const ContactSolution& solution, const ContactMotion& motion) {
  const ContactSet& contacts = problem.contacts;
  DissipationEvidence unproved;
  const auto* evidence = dynamic_cast<const DissipationEvidence*>(solution.evidence.get());
  if (evidence == nullptr) {
    unproved = Unproved(problem, solution);
    evidence = &unproved;
  }
  StageTerms terms;
  terms.base = problem.free_velocity;
  terms.target = evidence->bounces ? DissipationTargets(problem, settings)
                                   : Eigen::Map<const VecX>(contacts.normal_target.data(), contacts.size());
  terms.bilateral_target = problem.bilateral.target;
  terms.lower = problem.bounded.lower;
  terms.upper = problem.bounded.upper;
  terms.friction = JudgedFriction(problem, settings.velocity_threshold, solution, motion);
  terms.extra = ViscousLimits(problem, settings);
  terms.touches.assign(contacts.size(), 1);
  VecX after;
  double worst = StageResidual(problem, terms, evidence->step, &after);
  VecX total = evidence->step.contact;
  if (evidence->bounces) {
    StageTerms collision = terms;
    collision.base = problem.velocity;
    collision.at_end = false;
    collision.target.setZero();
    collision.bilateral_target = RowVelocities(problem.bilateral.jacobian, problem.velocity);
    collision.lower.setZero();
    collision.upper.setZero();
    std::fill(collision.extra.begin(), collision.extra.end(), 0.0);
    const VecX before = ContactVelocities(problem, problem.velocity);
    // islands in which nothing bounces have no collision
    std::fill(collision.touches.begin(), collision.touches.end(), 0);
    for (const ContactIsland& island : FindIslands(problem)) {
      if (std::none_of(island.contacts.begin(), island.contacts.end(), [&](int i) { return Bounces(problem, i); })) {
        continue;
      }
      for (const int i : island.contacts) collision.touches[i] = Touches(problem, i, before[3 * i]);
    }
    VecX hit;
    worst = Worst(worst, StageResidual(problem, collision, evidence->collision, &hit));

    StageTerms second = terms;
    const VecX none = VecX::Zero(terms.lower.size());
    second.base = VelocityAfter(problem, after, OnNormals(evidence->returned), none, evidence->returned_bilateral);
    second.lower -= evidence->step.bounded;
    second.upper -= evidence->step.bounded;
    for (int i = 0; i < contacts.size(); ++i) {
      const double m = contacts.effective_mass[i], returned = evidence->returned[i];
      const double most = contacts.surface(i).restitution * evidence->collision.contact[3 * i];
      worst = Worst(worst, std::abs(returned - std::clamp(returned, 0.0, std::max(most, 0.0))) / m);
      second.extra[i] = terms.friction[i] * returned;
    }
    worst = Worst(worst, StageResidual(problem, second, evidence->second, &after));
    total += OnNormals(evidence->returned) + evidence->second.contact;
  }
  // the proof must be that of this answer
  const VecX proved = terms.SlipOf(problem, after);
  for (int i = 0; i < contacts.size(); ++i) {
    const Vec3 difference = total.segment<3>(3 * i) - solution.contact.segment<3>(3 * i);
    worst = Worst(worst, difference.norm() / contacts.effective_mass[i]);
    worst = Worst(worst, (proved - motion.contact).segment<3>(3 * i).norm());
  }
  return Worst(worst, BilateralResidual(problem, solution.velocity, problem.bilateral.target));
}

}  // namespace slipstick::internal
