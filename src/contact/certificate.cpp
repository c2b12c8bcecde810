#include "slipstick/contact/certificate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "slipstick/base/worst.h"

namespace slipstick {
namespace {

// The judge has a projection of its own, so that an error in the solvers' one cannot hide.
Vec3 NearestInCone(const Vec3& z, double mu) {
  const double t = std::sqrt(z[1] * z[1] + z[2] * z[2]);
  if (z[0] <= 0 && mu * t <= -z[0]) return Vec3::Zero();
  if (z[0] > 0 && t <= mu * z[0]) return z;
  const double normal = (z[0] + mu * t) / (1.0 + mu * mu);
  const double scale = t > 0 ? mu * normal / t : 0.0;
  return {normal, scale * z[1], scale * z[2]};
}

bool AllFinite(const ContactSolution& s) {
  return s.velocity.allFinite() && s.bilateral.allFinite() && s.bounded.allFinite() && s.contact.allFinite() &&
         s.moment.allFinite();
}

double MomentumResidual(const ContactProblem& problem, const ContactSolution& solution) {
  const Eigen::Index n = problem.free_velocity.size();
  VecX change(n), impulse = VecX::Zero(n), free(n);
  problem.mass.Multiply(solution.velocity, change);
  problem.mass.Multiply(problem.free_velocity, free);
  problem.bilateral.jacobian.AddTransposed(solution.bilateral, impulse);
  problem.bounded.jacobian.AddTransposed(solution.bounded, impulse);
  problem.contacts.jacobian.AddTransposed(solution.contact, impulse);
  problem.contacts.angular.AddTransposed(solution.moment, impulse);
  const double scale = std::max({change.norm(), impulse.norm(), free.norm()});
  return scale > 0 ? (change - free - impulse).norm() / scale : 0.0;
}

void Require(double found, double allowed, const char* what, std::vector<std::string>* reasons) {
  if (!(found <= allowed)) reasons->push_back(fmt::format("{} {:.3g} is above {:.3g}", what, found, allowed));
}

}  // namespace

PositionErrors JudgePositions(const ContactProblem& problem, const CertificateTolerances& tolerances) {
  const ContactSet& contacts = problem.contacts;
  PositionErrors errors;
  for (int i = 0; i < contacts.size(); ++i) {
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

double CoulombResidual(const Vec3& p, const Vec3& u, double mu, double mass) {
  const Vec3 corrected(u[0] + mu * std::sqrt(u[1] * u[1] + u[2] * u[2]), u[1], u[2]);
  return (p - NearestInCone(p - mass * corrected, mu)).norm() / mass;
}

Certificate Certify(const ContactProblem& problem, const ContactSolution& solution, double law_residual,
                    const CertificateTolerances& tolerances) {
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
  VecX velocities(3 * contacts.size());
  contacts.jacobian.Multiply(solution.velocity, velocities);
  double pull = 0;  // largest normal impulse of the wrong sign, which no law allows
  const double largest = contacts.size() > 0 ? solution.contact.lpNorm<Eigen::Infinity>() : 0.0;
  for (int i = 0; i < contacts.size(); ++i) {
    Vec3 u = velocities.segment<3>(3 * i);
    u[0] -= solution.NormalTarget(problem, i);
    const double mu = contacts.friction_static[i], normal = solution.Normal(i);
    c.coulomb_residual = Worst(c.coulomb_residual,
                               CoulombResidual(solution.contact.segment<3>(3 * i), u, mu, contacts.effective_mass[i]));
    c.complementarity = Worst(c.complementarity, std::abs(normal * u[0]));
    if (largest > 0) {
      pull = std::max(pull, -normal / largest);
      c.cone_violation =
          std::max(c.cone_violation, std::max(solution.Tangential(i).norm() - mu * normal, -normal) / largest);
    }
  }

  std::vector<std::string> reasons;
  const auto require = [&](double found, double allowed, const char* what) { Require(found, allowed, what, &reasons); };
  if (!c.solvable) reasons.push_back("the mass matrix is singular in this pose");
  require(c.momentum_residual, tolerances.momentum, "momentum residual");
  require(pull, tolerances.law, "pull of a contact, relative to the largest impulse,");
  require(c.law_residual, tolerances.law * problem.velocity_scale, "law residual [m/s]");
  if (!positions.reason.empty()) reasons.push_back(positions.reason);
  c.reason = fmt::format("{}", fmt::join(reasons, "; "));
  c.passed = reasons.empty();
  return c;
}

std::vector<SettingSpec> CertificateTolerances::Specs() {
  const CertificateTolerances d;
  return {{.name = "momentum",
           .default_value = d.momentum,
           .unit = "",
           .meaning = "relative residual of the momentum balance",
           .least = 0},
          {.name = "law",
           .default_value = d.law,
           .unit = "",
           .meaning = "residual of the law in use, relative to the step's velocity scale",
           .least = 0},
          {.name = "penetration",
           .default_value = d.penetration,
           .unit = "",
           .meaning = "deepest overlap, relative to the smallest half-extent of the two shapes",
           .least = 0},
          {.name = "drift",
           .default_value = d.drift,
           .unit = "m or 1",
           .meaning = "largest violation of a bilateral constraint's position level",
           .least = 0}};
}

CertificateTolerances CertificateTolerances::From(const Settings& settings) {
  CertificateTolerances t;
  t.momentum = settings.Number("momentum");
  t.law = settings.Number("law");
  t.penetration = settings.Number("penetration");
  t.drift = settings.Number("drift");
  return t;
}

}  // namespace slipstick
