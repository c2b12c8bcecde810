#pragma once

#include <memory>

#include "slipstick/base/setting_table.h"
#include "slipstick/law/step_friction.h"

namespace slipstick::internal {

struct MaxDissipationSettings {
  double velocity_threshold = kAutomaticThreshold;  // sliding faster takes the kinetic coefficient [m/s]
  double viscous_friction = 0;                      // μ_v of every contact [N s/m]
  bool poisson = true;  // restitution after Poisson; else Newton's, by the normal targets of (T4)
  enum class Representation {
    kAutomatic,     // the contact space of small islands, generalized coordinates of others
    kFormula,       // A/b, by the formula
    kTestImpulses,  // A/b, by test impulses
    kGeneralized,   // generalized coordinates
  };
  Representation representation = Representation::kAutomatic;

  static const SettingTable<MaxDissipationSettings>& Table();
};

// Contact without complementarity after Drumwright & Shell 2010 (docs/theory.md §5.8): of all impulses that the limits
// of friction allow, that prevent penetration, and whose normals are in sum no more than without friction, those that
// dissipate most. Phase I: normals without friction, a box program. Phase II: all impulses, a convex program with true
// cones. Phase III: restitution. Where phase II fails, phase I's answer stands and the report says so.
std::unique_ptr<Law> MakeMaxDissipation(const MaxDissipationSettings& settings);

// What one collision or step was: impulses of both phases and multipliers, of all contacts and rows of the problem.
struct DissipationStage {
  VecX first_normal, first_bounded, first_bilateral;  // phase I
  VecX contact, bounded, bilateral;                   // phase II: three a contact
  VecX push, push_bilateral;                          // y, with the bilateral impulses that hold under it
  VecX tax;                                           // τ, of each contact's island
  std::vector<char> takes_part;
};

// The proof of an answer. Where nothing bounces `step` is all; else there is a collision before it, whose normals times
// the coefficients of restitution are given back, and a second pass after that.
struct DissipationEvidence : LawEvidence {
  DissipationStage step;
  bool bounces = false;
  DissipationStage collision, second;
  VecX returned, returned_bilateral;  // normal impulses given back, and what holds bilateral rows under them
};

// Largest violation of the law [m/s]: natural maps (T8) of each stage's conditions of optimality, evaluated with M and
// the Jacobians, whoever solved it in whatever form.
double MaxDissipationResidual(const ContactProblem& problem, const MaxDissipationSettings& settings,
                              const ContactSolution& solution, const ContactMotion& after);

// What the contacts' normal velocities are compared with in the step: what bounces does so by phase III.
VecX DissipationTargets(const ContactProblem& problem, const MaxDissipationSettings& settings);
// c = h μ_v |v_T| of each contact, with the velocity that it would have without impulses [N s].
std::vector<double> ViscousLimits(const ContactProblem& problem, const MaxDissipationSettings& settings);
// Whether contact i comes fast enough to bounce, which makes a collision of the step; and whether it touches in a
// collision at the velocities before the step.
bool Bounces(const ContactProblem& problem, int i);
bool Touches(const ContactProblem& problem, int i, double normal_velocity);

}  // namespace slipstick::internal
