#include "slipstick/contact/certificate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "slipstick/base/worst.h"

namespace slipstick::internal {
namespace {

// The judge has a projection of its own, so that an error in the solvers' one cannot hide. The normal of the nearest
// point of {r : |r_k| ≤ c_k r_N} is the zero of x − z_N − Σ c_k (|z_k| − c_k x)₊, which is concave and increasing:
// Newton from the left goes up to it, past one kink at least in each step.
ContactWrench NearestInCone(const ContactWrench& z, const FrictionLimits& limits) {
  const double sizes[3] = {z.sliding.norm(), std::abs(z.spinning), z.rolling.norm()};
  const double coefficients[3] = {limits.sliding, limits.spinning, limits.rolling};
  const auto within = [&](int k) { return sizes[k] <= coefficients[k] * z.normal; };
  if (z.normal >= 0 && within(0) && within(1) && within(2)) return z;
  double normal = 0;
  for (int step = 0; step < 4; ++step) {
    double value = normal - z.normal, slope = 1;
    for (int k = 0; k < 3; ++k) {
      const double excess = sizes[k] - coefficients[k] * normal;
      if (excess <= 0) continue;
      value -= coefficients[k] * excess;
      slope += coefficients[k] * coefficients[k];
    }
    if (value >= 0) break;
    normal -= value / slope;
  }
  const auto shrink = [&](int k) {
    return sizes[k] > coefficients[k] * normal ? coefficients[k] * normal / sizes[k] : 1.0;
  };
  return {normal, shrink(0) * z.sliding, shrink(1) * z.spinning, shrink(2) * z.rolling};
}

double Square(double x) { return x * x; }

// Squares and products of what is larger would not be finite: such a step would be the last, and leave a state that
// nothing can be computed from.
constexpr double kLargest = 1e100;

bool AllFinite(ConstRef<VecX> x) { return (x.array().abs() <= kLargest).all(); }

bool AllFinite(const ContactSolution& s) {
  return AllFinite(s.velocity) && AllFinite(s.bilateral) && AllFinite(s.bounded) && AllFinite(s.contact) &&
         AllFinite(s.moment);
}

double MomentumResidual(const ContactProblem& problem, const ContactSolution& solution) {
  const Eigen::Index n = problem.free_velocity.size();
  static thread_local VecX change, free, impulse;  // keep their storage
  change.resize(n);
  free.resize(n);
  problem.mass.Multiply(solution.velocity, change);
  problem.mass.Multiply(problem.free_velocity, free);
  ComputeMomentumChange(problem, solution, &impulse);
  double scale = std::max({change.norm(), impulse.norm(), free.norm()});
  // a motor that presses against a stop: both are large, and cancel
  const BlockRows& rows = problem.bounded.jacobian;
  for (int g = 0; g < rows.groups(); ++g) {
    if (rows.block_a(g) < 0) continue;
    const BlockRows::Single* single = rows.single(g);
    const double size = single != nullptr ? std::abs(single->factor) : rows.piece_a(g).norm();
    for (int k = 0; k < rows.rows(g); ++k) {
      scale = std::max(scale, size * std::abs(solution.bounded[rows.first_row(g) + k]));
    }
  }
  return scale > 0 ? (change - free - impulse).norm() / scale : 0.0;
}

// The velocity that rounding of the impulses on its two trees makes at a contact, at the worst one: where tonnes rest
// on a gram, the last digits of what carries them move it. No answer in such numbers has a law residual far below it.
double RoundingSpeed(const ContactProblem& problem, const ContactSolution& solution) {
  const ContactSet& contacts = problem.contacts;
  std::vector<double> sums(problem.mass.layout().count());
  const auto for_trees = [&](int i, const auto& work) {
    for (const int tree : {contacts.jacobian.block_a(i), contacts.jacobian.block_b(i)}) {
      if (tree >= 0) work(sums[tree]);
    }
  };
  for (int i = 0; i < contacts.size(); ++i) {
    const double impulse = solution.contact.segment<3>(3 * i).norm();
    for_trees(i, [&](double& sum) { sum += impulse; });
  }
  double worst = 0;
  for (int i = 0; i < contacts.size(); ++i) {
    double terms = 0;
    for_trees(i, [&](double sum) { terms += sum; });
    worst = std::max(worst, std::numeric_limits<double>::epsilon() * terms / contacts.effective_mass[i]);
  }
  return worst;
}

void Require(double found, double allowed, const char* what, std::vector<std::string>* reasons) {
  if (!(found <= allowed)) reasons->push_back(fmt::format("{} {:.3g} is above {:.3g}", what, found, allowed));
}

// A contact as the exact law sees it.
struct JudgedContact {
  ContactWrench p, u;  // impulses; velocities with the normal target taken off
  FrictionLimits limits;
  double mass = 0;

  double Residual() const { return CoulombResidual(p, u, limits, mass); }
};

JudgedContact Judge(const ContactProblem& problem, const ContactSolution& solution, const ContactMotion& after, int i) {
  const ContactSet& contacts = problem.contacts;
  const double normal = solution.Normal(i);
  JudgedContact judged{
      {normal, solution.Tangential(i), 0, Vec2::Zero()}, {}, {contacts.surface(i).friction_static, 0, 0}, 0};
  judged.u.normal =
      after.contact[3 * i] - solution.NormalTarget(problem, i) + contacts.NormalGive(i, normal, problem.step);
  judged.u.sliding = after.contact.segment<2>(3 * i + 1);
  if (const int group = contacts.angular_group[i]; group >= 0) {
    // lengths that make moments weigh like impulses
    const double length = contacts.angular_length[group];
    const Vec3 moment = solution.moment.segment<3>(3 * group) / length,
               turn = length * after.angular.segment<3>(3 * group);
    judged.limits.spinning = contacts.surface(i).spinning / length;
    judged.limits.rolling = contacts.surface(i).rolling / length;
    judged.p.spinning = moment[0];
    judged.p.rolling = moment.tail<2>();
    judged.u.spinning = turn[0];
    judged.u.rolling = turn.tail<2>();
  }
  judged.mass = 1.0 / (1.0 / contacts.effective_mass[i] + contacts.NormalCompliance(i, normal, problem.step) / 3.0);
  return judged;
}

}  // namespace

PositionErrors JudgePositions(const ContactProblem& problem, const CertificateTolerances& tolerances) {
  const ContactSet& contacts = problem.contacts;
  PositionErrors errors;
  for (int i = 0; i < contacts.size(); ++i) {
    if (!contacts.impact_time.empty() && contacts.impact_time[i] < 0) continue;  // the step takes it back
    errors.penetration = std::max(errors.penetration, -contacts.gap[i]);
    errors.relative_penetration = std::max(errors.relative_penetration, -contacts.gap[i] / contacts.shape_size[i]);
  }
  if (problem.bilateral.drift.size() > 0) errors.drift = problem.bilateral.drift.lpNorm<Eigen::Infinity>();
  std::vector<std::string> reasons;
  Require(errors.relative_penetration, tolerances.penetration, "penetration, in half-extents of the thinner shape,",
          &reasons);
  Require(errors.drift, tolerances.drift, "constraint drift", &reasons);
  errors.reason = fmt::format("{}", fmt::join(reasons, "; "));
  return errors;
}

double CoulombResidual(const ContactWrench& p, const ContactWrench& u, const FrictionLimits& limits, double mass) {
  const double shift =
      limits.sliding * u.sliding.norm() + limits.spinning * std::abs(u.spinning) + limits.rolling * u.rolling.norm();
  const ContactWrench nearest = NearestInCone({p.normal - mass * (u.normal + shift), p.sliding - mass * u.sliding,
                                               p.spinning - mass * u.spinning, p.rolling - mass * u.rolling},
                                              limits);
  const double squared = Square(p.normal - nearest.normal) + (p.sliding - nearest.sliding).squaredNorm() +
                         Square(p.spinning - nearest.spinning) + (p.rolling - nearest.rolling).squaredNorm();
  return std::sqrt(squared) / mass;
}

double CoulombResidual(const ContactProblem& problem, const ContactSolution& solution, const ContactMotion& after,
                       int contact) {
  return Judge(problem, solution, after, contact).Residual();
}

Certificate Certify(const ContactProblem& problem, const ContactSolution& solution, const ContactMotion& after,
                    double law_residual, const CertificateTolerances& tolerances) {
  const ContactSet& contacts = problem.contacts;
  Certificate c;
  c.velocity_scale = problem.velocity_scale;
  c.solvable = !problem.mass_is_singular;
  const PositionErrors positions = JudgePositions(problem, tolerances);
  c.penetration = positions.penetration;
  c.relative_penetration = positions.relative_penetration;
  c.drift = positions.drift;
  c.finite = AllFinite(solution) && std::isfinite(law_residual);
  if (!c.finite) {
    c.reason = !c.solvable                             ? "the mass matrix is singular in this pose"
               : !problem.free_velocity.allFinite()    ? "the given forces are not finite"
               : !problem.bilateral.target.allFinite() ? "a prescribed motion is not finite"
                                                       : "the answer is not finite";
    return c;
  }
  c.momentum_residual = MomentumResidual(problem, solution);
  c.law_residual = law_residual;
  double pull = 0;  // largest normal impulse of the wrong sign, which no law allows
  const double largest = contacts.size() > 0 ? solution.contact.lpNorm<Eigen::Infinity>() : 0.0;
  for (int i = 0; i < contacts.size(); ++i) {
    // one that is open and pushes nothing meets all conditions
    if (solution.Normal(i) == 0 && after.contact[3 * i] - solution.NormalTarget(problem, i) >= 0 &&
        solution.Tangential(i).isZero(0) && solution.Moment(problem, i).isZero(0)) {
      continue;
    }
    const JudgedContact judged = Judge(problem, solution, after, i);
    const auto& [p, u, limits, mass] = judged;
    const double normal = p.normal;
    c.coulomb_residual = Worst(c.coulomb_residual, judged.Residual());
    c.complementarity = Worst(c.complementarity, std::abs(normal * u.normal));
    if (largest > 0) {
      pull = std::max(pull, -normal / largest);
      c.cone_violation =
          std::max({c.cone_violation, -normal / largest, (p.sliding.norm() - limits.sliding * normal) / largest,
                    (std::abs(p.spinning) - limits.spinning * normal) / largest,
                    (p.rolling.norm() - limits.rolling * normal) / largest});
    }
  }
  if (solution.relaxation_gap.size() > 0) c.relaxation_gap = solution.relaxation_gap.maxCoeff();

  std::vector<std::string> reasons;
  const auto require = [&](double found, double allowed, const char* what) { Require(found, allowed, what, &reasons); };
  if (!c.solvable) reasons.push_back("the mass matrix is singular in this pose");
  require(c.momentum_residual, tolerances.momentum, "momentum residual");
  require(pull, tolerances.law, "pull of a contact, relative to the largest impulse,");
  require(c.law_residual, tolerances.law * problem.velocity_scale, "law residual [m/s]");
  const double rounding =
      c.law_residual > tolerances.law * problem.velocity_scale ? RoundingSpeed(problem, solution) : 0;
  if (rounding > tolerances.law * problem.velocity_scale) {
    reasons.back() += fmt::format(", where rounding of such impulses makes {:.3g}", rounding);
  }
  if (!positions.reason.empty()) reasons.push_back(positions.reason);
  c.reason = fmt::format("{}", fmt::join(reasons, "; "));
  c.passed = reasons.empty();
  return c;
}

void JudgeMotion(double energy_gain, double momentum_drift, const CertificateTolerances& tolerances,
                 Certificate* certificate) {
  certificate->energy_gain = energy_gain;
  certificate->momentum_drift = momentum_drift;
  std::vector<std::string> reasons;
  if (!certificate->reason.empty()) reasons.push_back(certificate->reason);
  Require(energy_gain, tolerances.energy, "energy gained in the step, relative to what the run has moved,", &reasons);
  Require(momentum_drift, tolerances.angular_momentum, "relative change of an angular momentum that nothing changes",
          &reasons);
  certificate->reason = fmt::format("{}", fmt::join(reasons, "; "));
  certificate->passed = reasons.empty();
}

const SettingTable<CertificateTolerances>& CertificateTolerances::Table() {
  using S = CertificateTolerances;
  static const SettingTable<S> table = {
      {&S::momentum, "momentum", "", "relative residual of the momentum balance", AtLeast(0)},
      {&S::law, "law", "", "residual of the law in use, relative to the step's velocity scale", AtLeast(0)},
      {&S::penetration, "penetration", "", "deepest overlap, relative to the smallest half-extent of the two shapes",
       AtLeast(0)},
      {&S::drift, "drift", "m or 1", "largest violation of a bilateral constraint's position level", AtLeast(0)},
      {&S::energy, "energy", "", "energy gained in a step, and in a run, relative to what the run has moved",
       AtLeast(0)},
      {&S::angular_momentum, "angular_momentum", "",
       "change of the angular momentum in a step where nothing outside acts, relative to that of the bodies",
       AtLeast(0)},
  };
  return table;
}

}  // namespace slipstick::internal
