#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "slipstick/base/surface_properties.h"
#include "slipstick/math/block_diagonal.h"
#include "slipstick/math/block_rows.h"
#include "slipstick/state/state.h"

namespace slipstick::internal {

// How two surfaces meet.
struct ContactSurface : SurfaceProperties {
  // How contacts give way, theory (T4b). 1/(h²k) of springs [1/kg], 0 where rigid;
  double normal_compliance = 0, tangential_compliance = 0;
  // and in series with them Hertz's law λN = κ δ^(3/2), κ [N/m^(3/2)], 0 where there is none, with Mindlin's kT as a
  // multiple of its secant λN/δ.
  double hertz_stiffness = 0, mindlin_ratio = 0;

  bool GivesWay() const { return normal_compliance > 0 || hertz_stiffness > 0; }
  bool operator==(const ContactSurface&) const = default;
};

// Times the velocity scale: how far below what would close them the targets of contacts are that wait.
constexpr double kWaitingRoom = 10;

// The contacts of one step, struct of arrays: entry i of each belongs to contact i, row group i of `jacobian`, whose
// rows are the normal velocity and two tangential ones (velocity of A relative to B along normal, tangent_1,
// tangent_2). The frame, world axes, is kept with the rows; the normal points from B to A.
struct ContactSet {
  BlockRows jacobian;
  std::vector<ContactKey> key;  // ascending
  std::vector<Vec3> position;   // world
  std::vector<double> gap;      // [m]
  // What turning takes off the gap by the end of the step beside the rows' velocities [m], (T1c); empty: nothing.
  std::vector<double> lost;
  // Many contacts share a surface: of each its number.
  std::vector<ContactSurface> surfaces;
  std::vector<int> surface_of;
  // N v⁺ ≥ normal_target: a share of the gap within the skin, all of it beyond, or restitution (T4)
  std::vector<double> normal_target;
  // The part of normal_target that an impact asks for: 0, or more with restitution; −∞ where nothing hits.
  std::vector<double> restitution_target;
  // Time from the problem's configuration to the impact [s], (T4f), negative where it was on the way there; 0 where
  // there is none.
  std::vector<double> impact_time;
  // Open, with restitution: takes no part until something drives its bodies together, and then rebounds.
  std::vector<char> waits;
  std::vector<double> shape_size;      // smallest half-extent of the two shapes [m]: what overlaps compare with
  std::vector<double> effective_mass;  // 3 / trace(J_i M⁻¹ J_iᵀ) [kg]: turns impulses into velocities
  // What J v⁺ lacks of the velocity at which the bodies pass each other at the end of the step, world axes, along the
  // tangents (T3c); empty: nothing, the rows are those of the end.
  std::vector<Vec3> curvature;
  std::vector<ContactHistory> history;
  // What the law keeps of contacts itself, Law::ContactSlots(): of each its values, vectors turned as those of history.
  MemorySlots slots;
  std::vector<double> memory;

  // Rows of spinning and rolling, of the contacts with ρ or σ > 0 alone: angular velocity of A relative to B along
  // normal, tangent_1, tangent_2 [1/s], the blocks as in `jacobian`. Impulses are moments [N m s].
  BlockRows angular;
  std::vector<int> angular_group;  // of each contact: its group in `angular`, −1 where it has none
  // Of each group [m]: √(mean of J M⁻¹ Jᵀ's diagonal over that of the angular rows). Angular velocities times it, and
  // moments over it, weigh like the contact's velocities and impulses.
  std::vector<double> angular_length;

  int size() const { return static_cast<int>(key.size()); }
  // Forgets all contacts and keeps the storage. All arrays with an entry a contact have so many, not yet written; rows
  // are appended apart.
  void Reset(const BlockLayout& trees, int count = 0);
  double Lost(int i) const { return lost.empty() ? 0.0 : lost[i]; }
  double GapAhead(int i) const { return gap[i] - Lost(i); }
  const ContactSurface& surface(int i) const { return surfaces[surface_of[i]]; }
  // A surface of contact i alone, to be changed.
  ContactSurface& OwnSurface(int i);
  Vec3 normal(int i) const { return jacobian.frame(i).normal; }
  // Values of contact i from an offset in the law's slots on.
  const double* Memory(int i, int offset = 0) const { return memory.data() + i * TotalSize(slots) + offset; }
  // Coefficient of friction of contact i that slides at `speed`: the kinetic one above the threshold.
  double Friction(int i, double speed, double threshold) const {
    return speed > threshold ? surface(i).friction_kinetic : surface(i).friction_static;
  }
  // Overlap over h at which contact i carries the normal impulse p [m/s], and that over p [1/kg]: the secant.
  double NormalGive(int i, double p, double h) const;
  double NormalCompliance(int i, double p, double h) const { return p > 0 ? NormalGive(i, p, h) / p : 0.0; }
  // 1/(h²kT) under the normal impulse p or the one remembered, whichever is larger [1/kg].
  double TangentialCompliance(int i, double p, double h) const;
  Vec3 Curvature(int i) const { return curvature.empty() ? Vec3(0, 0, 0) : curvature[i]; }
  // World vector ↔ components (tangent_1, tangent_2) of contact i.
  Vec2 Tangential(int i, const Vec3& world) const {
    const BlockRows::Frame frame = jacobian.frame(i);
    return {frame.tangent.dot(world), frame.second_tangent().dot(world)};
  }
  Vec3 World(int i, const Vec2& tangential) const {
    const BlockRows::Frame frame = jacobian.frame(i);
    return tangential[0] * frame.tangent + tangential[1] * frame.second_tangent();
  }
  // World vector ↔ components (normal, tangent_1, tangent_2) of contact i.
  Vec3 Components(int i, const Vec3& world) const { return jacobian.frame(i).Components(world); }
  Vec3 FromComponents(int i, const Vec3& components) const { return jacobian.frame(i).World(components); }
};

// Rows  jacobian · v⁺ = target  of the bilateral constraints; target already holds the drift correction (T3).
struct BilateralSet {
  BlockRows jacobian;
  VecX target;
  VecX rate;                // u alone: its power is the work that a prescribed motion does
  VecX drift;               // φ at the start of the step
  bool contradict = false;  // rows ask for what no velocity meets, by more than truncation
};

// Rows whose impulse is bounded: lower ≤ impulse ≤ upper, and jacobian · v⁺ = target unless a bound is reached. Joint
// friction: target 0, bounds ±h τ_max.
struct BoundedSet {
  BlockRows jacobian;
  VecX target, lower, upper;
  // Of rows that are friction of a joint their number among all such of the model, else −1; and what the law keeps of
  // those, Law::JointSlots(), by that number.
  std::vector<int> joint_row;
  MemorySlots slots;
  std::vector<double> memory;
  // Of each row its place among JointMemory::forces, of so many, and the impulse that it carried in the last step; ±∞
  // of friction in a joint that slides. Empty where nothing is known, as in a problem of a file.
  std::vector<int> place;
  int places = 0;
  VecX remembered;

  // Impulses within the bounds to begin with: those of the last step, and where a joint slides the bound against it.
  VecX Start() const;
};

// How a drive looks ahead in the step, ImplicitLead, and the position and rate that it wants there.
struct DriveAim {
  double share = 1;
  double position = 0, rate = 0;
};

// The one physical problem of a step, constant while it is solved (docs/theory.md (T1)–(T4)):
//   M (v⁺ − v_free) = A_bᵀ p_b + A_uᵀ p_u + Σ J_iᵀ p_i + Σ Ω_iᵀ m_i
// with p the impulses of bilateral, bounded and contact rows, m those of the angular rows Ω. Laws say how contact
// impulses depend on v⁺.
struct ContactProblem {
  double time = 0;     // at the start of the step [s]
  double step = 0;     // h [s]
  BlockDiagonal mass;  // M with its factorization
  bool mass_is_singular = false;
  VecX velocity;       // v
  VecX free_velocity;  // v + h M⁻¹ (f − c): without any of the rows' impulses
  VecX expected_mean;  // of v and v⁺, as expected before the problem is solved (T2c)
  // Of each drive what it aims at in the step, and of each spring between points how it looks ahead, ImplicitLead
  // (T4e).
  std::vector<DriveAim> drive_aims;
  std::vector<double> spring_shares;
  double gravity = 0;            // |g| [m/s²]
  double correction_speed = -1;  // at which overlaps may part at most [m/s]; negative: by their sizes, CorrectionSpeed
  double velocity_scale = 0;  // largest of |rows · v_free − target|, |v_T| and |g| h [m/s]: what residuals compare with
  BilateralSet bilateral;
  BoundedSet bounded;
  ContactSet contacts;

  // Fastest that the bodies of a contact may be parted because they overlap [m/s], (T4).
  double CorrectionSpeed(int contact) const;
};

// What a law that is an optimum leaves beside its impulses so that its residual can be evaluated: multipliers, and
// answers of earlier phases. It is checked with the rest, never believed.
struct LawEvidence {
  virtual ~LawEvidence() = default;
};

// A law's answer, in impulses [N s], with the velocity that follows from them.
struct ContactSolution {
  VecX velocity;   // v⁺
  VecX bilateral;  // p_b
  VecX bounded;    // p_u
  VecX contact;    // (normal, tangent_1, tangent_2) of each contact
  VecX moment;     // (spin, roll_1, roll_2) of each group of `angular` [N m s]; zero where the law has none
  // What the law keeps for the next step in slots of its own, contact after contact and row of joint friction after
  // row; vectors in world axes. Empty where it has none.
  VecX contact_memory, joint_memory;
  // Normal targets where the law has its own; else empty, and the problem's hold.
  VecX normal_target;
  // Of each contact the gap that a convex law adds where it slides, rolls or spins [m] (L15); empty: an exact law.
  VecX relaxation_gap;
  std::shared_ptr<const LawEvidence> evidence;  // null for most laws

  double NormalTarget(const ContactProblem& problem, int i) const {
    return normal_target.size() > 0 ? normal_target[i] : problem.contacts.normal_target[i];
  }
  double Normal(int i) const { return contact[3 * i]; }
  Vec2 Tangential(int i) const { return contact.segment<2>(3 * i + 1); }
  // (spin, roll_1, roll_2) of contact i, zero where it has none.
  Vec3 Moment(const ContactProblem& problem, int i) const {
    const int group = problem.contacts.angular_group[i];
    return group < 0 ? Vec3(0, 0, 0) : Vec3(moment.segment<3>(3 * group));
  }
};

// How bodies move against each other at the contacts, with some velocity v.
struct ContactMotion {
  VecX contact;  // J v: (normal, tangent_1, tangent_2) of each contact
  VecX angular;  // Ω v: (spin, roll_1, roll_2) of each group of `angular`
};
// The same of one contact; angular is zero where it has no such rows.
struct PointMotion {
  Vec3 contact, angular;
};
PointMotion ComputePointMotion(const ContactSet& contacts, int i, const VecX& velocity);
// The same in world axes, of a group of rigid rows: velocity of A's point less that of B's, and angular velocities.
struct RelativeMotion {
  Vec3 point, angular;
};
RelativeMotion ComputeRelativeMotion(const BlockRows& jacobian, int group, const VecX& velocity);
void ComputeContactMotion(const ContactProblem& problem, const VecX& velocity, ContactMotion* motion);
// The same at the end of the step, which the laws are about: with the contacts' curvature.
void ComputeEndMotion(const ContactProblem& problem, const VecX& velocity, ContactMotion* motion);
// Adds the contacts' curvature to velocities of their rows, three each.
void AddCurvature(const ContactSet& contacts, Ref<VecX> velocities);

// Σ Jᵀ p over all rows: what the impulses in the solution add to M v.
void ComputeMomentumChange(const ContactProblem& problem, const ContactSolution& solution, VecX* change);
VecX MomentumChange(const ContactProblem& problem, const ContactSolution& solution);

// v⁺ = v_free + M⁻¹ Σ Jᵀ p for the impulses in the solution. Moments that a law left out are set to zero.
void ComputeVelocity(const ContactProblem& problem, ContactSolution* solution);

}  // namespace slipstick::internal
