#pragma once

#include <string>
#include <vector>

#include "slipstick/base/setting_table.h"
#include "slipstick/contact/contact_problem.h"
#include "slipstick/state/certificate.h"

namespace slipstick::internal {

// What a step must meet. Residuals that are velocities are compared with problem.velocity_scale.
struct CertificateTolerances {
  double momentum = 1e-9;          // ‖M(v⁺ − v_free) − Jᵀp‖ against the largest term
  double law = 1e-7;               // residual of the law in use, against velocity_scale
  double penetration = 2e-2;       // deepest overlap, against the smallest half-extent of the two shapes
  double drift = 1e-3;             // largest |φ| of the bilateral constraints [m or 1]
  double energy = 5e-2;            // gained in a step, and in a run, against what the run has moved
  double angular_momentum = 1e-2;  // changed in a step where nothing outside acts, against that of the bodies

  static const SettingTable<CertificateTolerances>& Table();
  static std::vector<SettingSpec> Specs() { return Table().Specs(); }
  static CertificateTolerances From(const Settings& settings) { return Table().From(settings); }
};

// `after` is the contacts' motion with the solution's velocity, `law_residual` as Law::Residual gives it.
Certificate Certify(const ContactProblem& problem, const ContactSolution& solution, const ContactMotion& after,
                    double law_residual, const CertificateTolerances& tolerances);

// What the motion of a step has kept: judged with the rest, and added to its reason.
void JudgeMotion(double energy_gain, double momentum_drift, const CertificateTolerances& tolerances,
                 Certificate* certificate);

// Overlap and drift of a configuration: what a certificate holds of the start of a step, for the state after the last
// one.
struct PositionErrors {
  double penetration = 0, relative_penetration = 0, drift = 0;  // as in Certificate
  std::string reason;                                           // empty where within the tolerances
};
PositionErrors JudgePositions(const ContactProblem& problem, const CertificateTolerances& tolerances);

// Impulses of a contact, or the velocities that go with them; moments over a length, angular velocities times it.
struct ContactWrench {
  double normal = 0;
  Vec2 sliding = Vec2::Zero();
  double spinning = 0;
  Vec2 rolling = Vec2::Zero();
};
struct FrictionLimits {
  double sliding = 0, spinning = 0, rolling = 0;
};

// Natural-map residual of exact friction of one contact [m/s]: |p − P_K(p − m ũ)| / m with ũ_N = u_N + Σ c_k |u_k|, the
// sum over sliding, spinning and rolling. `u` is the relative velocity with the normal target taken off.
double CoulombResidual(const ContactWrench& p, const ContactWrench& u, const FrictionLimits& limits, double mass);
// The same of a contact of a step, with the static coefficient; the largest is Certificate::coulomb_residual.
double CoulombResidual(const ContactProblem& problem, const ContactSolution& solution, const ContactMotion& after,
                       int contact);

}  // namespace slipstick::internal
