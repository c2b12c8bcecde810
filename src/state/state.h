#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "slipstick/base/eigen.h"

// All that the future of a simulation depends on, as one plain value: State, at the end, and its parts.

namespace slipstick {

// Where everything is and how fast it moves: q, v at time t.
struct MotionState {
  double time = 0;
  int released = 0;  // how many of the bodies that the scene releases later take part
  VecX q;
  VecX v;

  bool operator==(const MotionState& other) const;
};

// Whether two vectors have the same size and values.
bool AreEqual(const VecX& a, const VecX& b);

// What touches what, by numbers that stay the same from step to step: of each side the shape, the part of it (a
// triangle of a mesh, a piece of a compound; 0 of a shape that is one) and the feature of that part (a corner, an edge,
// a point of a rim; 0 where there is one candidate only). 128 bits. Ascending keys follow the order of the pairs of
// shapes.
struct ContactKey {
  static constexpr int kPartBits = 20, kFeatureBits = 12;
  static constexpr std::uint32_t kMostParts = 1u << kPartBits, kMostFeatures = 1u << kFeatureBits;

  std::uint32_t shape_a = 0, shape_b = 0;  // numbers among the shapes of all bodies, then of the world; a < b
  std::uint32_t place_a = 0, place_b = 0;  // part and feature of each

  static constexpr std::uint32_t Place(std::uint32_t part, std::uint32_t feature) {
    return part << kFeatureBits | feature;
  }
  std::uint32_t part_a() const { return place_a >> kFeatureBits; }
  std::uint32_t part_b() const { return place_b >> kFeatureBits; }
  std::uint32_t feature_a() const { return place_a & (kMostFeatures - 1); }
  std::uint32_t feature_b() const { return place_b & (kMostFeatures - 1); }

  // As two numbers, the more significant one first: the form that files hold.
  std::uint64_t high() const { return static_cast<std::uint64_t>(shape_a) << 32 | shape_b; }
  std::uint64_t low() const { return static_cast<std::uint64_t>(place_a) << 32 | place_b; }
  static ContactKey From(std::uint64_t high, std::uint64_t low) {
    return {static_cast<std::uint32_t>(high >> 32), static_cast<std::uint32_t>(high),
            static_cast<std::uint32_t>(low >> 32), static_cast<std::uint32_t>(low)};
  }

  bool operator==(const ContactKey&) const = default;
  bool operator<(const ContactKey& other) const {
    return high() != other.high() ? high() < other.high() : low() < other.low();
  }
};

// One point of contact between two shapes A and B, in the world's frame.
struct ContactPoint {
  ContactKey key;               // which shapes, which of their parts and features
  Vec3 normal = Vec3::UnitZ();  // unit, from B towards A: a positive normal impulse pushes A along +normal
  Vec3 point_a = Vec3::Zero();  // on the surface of A
  Vec3 point_b = Vec3::Zero();  // on the surface of B
  double gap = 0;               // signed distance (point_a − point_b)·normal; negative where they penetrate

  int shape_a() const { return static_cast<int>(key.shape_a); }
  int shape_b() const { return static_cast<int>(key.shape_b); }
  Vec3 position() const { return 0.5 * (point_a + point_b); }
  bool operator==(const ContactPoint&) const = default;
};

// What every contact carried at the end of the last step: where the next solve begins, and what laws with springs and
// bounds of the last step go by.
struct ContactHistory {
  bool known = false;                    // was a contact in the last step
  double normal_force = 0;               // λN [N]
  Vec3 tangential_force = Vec3::Zero();  // λT on A [N], world axes, turned with the bodies since
  Vec3 moment = Vec3::Zero();            // of spinning and rolling friction on A [N m], as tangential_force
  Vec3 position = Vec3::Zero();          // of the point of contact, world

  bool operator==(const ContactHistory&) const = default;
};

// A quantity of its own that a law keeps of each contact, or of each row of joint friction, from a step to the next.
// Laws declare theirs (law/law.h); storing, turning, restoring and files follow from that.
struct MemorySlot {
  enum class Kind {
    kScalar,  // a number
    kVector,  // world axes; turns with the two bodies about the normal, theory (T6). Not of joints.
  };
  std::string name, unit, meaning;
  Kind kind = Kind::kScalar;

  int size() const { return kind == Kind::kScalar ? 1 : 3; }
  bool operator==(const MemorySlot&) const = default;
};
using MemorySlots = std::vector<MemorySlot>;
inline int TotalSize(const MemorySlots& slots) {
  int size = 0;
  for (const MemorySlot& slot : slots) size += slot.size();
  return size;
}

// What contacts remember from one step to the next, found again by key.
struct ContactMemory {
  std::vector<ContactKey> keys;  // ascending
  std::vector<ContactHistory> histories;
  MemorySlots slots;           // of the law that wrote this
  std::vector<double> values;  // of its slots, contact after contact

  int size() const { return static_cast<int>(keys.size()); }
  // Where the key stands; −1 where the contact was not one. Keys asked for in ascending order are found in one walk:
  // `hint` is where the last one was, 0 at first, and any other value is only slower.
  int Find(const ContactKey& key, int* hint) const;
  void Clear();
  bool operator==(const ContactMemory&) const = default;
};

// What joints remember from one step to the next.
struct JointMemory {
  // Forces of the rows with bounds in the last step [N or N m], in places of the model: two stops of each joint that
  // may have some, then friction, then motors. Zero where there was no row; empty before the first step.
  std::vector<double> forces;
  // What a law remembers of each row of joint friction, in the order of the model.
  MemorySlots slots;
  std::vector<double> values;  // row after row; empty before the first step

  bool operator==(const JointMemory&) const = default;
};

enum class ClosedMode { kSticking, kSliding };

// A contact that stays closed and carries force until an event.
struct ClosedContact {
  ContactKey key;
  ContactPoint point;  // where it was seen last: to find it again should its feature change
  ClosedMode mode = ClosedMode::kSticking;
  Vec3 direction = Vec3::Zero();  // kSliding: that of the slip when the mode began, unit, world
  bool begins = false;            // kSliding: from rest
  // Force (normal, tangent_1, tangent_2) that the law had when the mode began. Where contacts are redundant, forces are
  // the nearest to this that the motion allows.
  Vec3 reference = Vec3::Zero();

  bool operator==(const ClosedContact&) const = default;
};

// What stays the same between two events.
struct Modes {
  std::vector<ClosedContact> contacts;  // ascending keys
  std::vector<int> joints;              // of each row of joint friction: 0 it holds, ±1 it slides that way
  VecX joint_reference, bilateral_reference;

  bool operator==(const Modes& other) const;
};

// A function whose fall to zero is an event, docs/theory.md (E8): its kind, and the contact or (as shape_a) the row of
// joint friction that it belongs to.
struct WatchedFunction {
  enum class Kind { kNone, kGap, kNewPoint, kNormalForce, kCone, kSlip, kGive, kJointForce, kJointSlip };
  Kind kind = Kind::kNone;
  ContactKey key;

  bool operator==(const WatchedFunction&) const = default;
  bool operator<(const WatchedFunction& other) const {
    return kind != other.kind ? kind < other.kind : key < other.key;
  }
};

// Times of the last impacts of one contact.
struct ImpactTimes {
  ContactKey key;
  std::vector<double> times;

  bool operator==(const ImpactTimes&) const = default;
};

// What stepper event-driven carries from one state that is seen from outside to the next.
struct EventMemory {
  Modes modes;
  bool is_settled = false;              // the modes are those of the state
  std::vector<WatchedFunction> fallen;  // functions that led to where motion is not settled
  std::vector<WatchedFunction> muted;   // those that fell without any change
  std::vector<ImpactTimes> series;      // ascending keys
  double settled_time = 0;
  int settled_often = 0;  // at that time
  long events = 0;        // so far
  // The integrator looks back. It began at this motion and has gone on through the ends of so many steps since, so that
  // going the same way again leads to the same bits; −1: it begins anew.
  MotionState begun;
  int steps_since = -1;

  bool operator==(const EventMemory&) const = default;
};

// Work of each kind of force in one step [J], taken with the mean velocity (v + v⁺)/2, with which the impulses' work is
// exactly the change of ½vᵀMv at fixed M (docs/theory.md (T9)). Gravity's is the change of the potential energy.
struct StepWork {
  double applied = 0;    // the given forces
  double bilateral = 0;  // constraints: prescribed motions, drift correction
  double bounded = 0;    // joint friction and stops
  double drives = 0;     // springs, servos, motors
  double normal = 0;     // contacts along their normals: impacts dissipate here
  double friction = 0;   // contacts along their tangents
  double rolling = 0;    // contacts' moments of rolling and spinning friction

  double Sum() const { return applied + bilateral + bounded + drives + normal + friction + rolling; }
  bool operator==(const StepWork&) const = default;
};

// The account of a run: energy = initial + released + Σ work + numerical remainder, the remainder being what the
// integrator gained or lost. A body counts from its release on: it brings its kinetic and potential energy with it.
struct EnergyAccount {
  double initial = 0;
  double released = 0;                // what released bodies brought, and what was set from outside, summed
  double kinetic = 0, potential = 0;  // now
  StepWork work;                      // summed
  double remainder = 0;               // (kinetic + potential) − initial − released − Σ work
  // Energy that no force accounts for: the remainder, and what contacts brought in on balance; and what that compares
  // with: the largest kinetic energy, all work done, and a fall of the bodies by their size (T9b).
  double gained = 0, scale = 0;
  double largest_kinetic = 0;

  double Total() const { return kinetic + potential; }
  void Start(double kinetic_energy, double potential_energy, double fall);
  // Bodies were released, or the motion was set from outside; the energies are those with them.
  void Release(double kinetic_energy, double potential_energy);
  // Returns what the step has gained. Contacts that give way store energy and return it.
  double Add(const StepWork& step, double kinetic_energy, double potential_energy, bool contacts_store = false);
  bool operator==(const EnergyAccount&) const = default;
};

// What a program feeds into a simulation between steps. Each value holds until another one is given.
struct Inputs {
  // Force and torque on a body, world axes; the force acts at a point of the body.
  struct Wrench {
    int body = 0;
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    Vec3 point = Vec3::Zero();  // in the body's frame

    bool operator==(const Wrench&) const = default;
  };
  // What takes the place of the scene's for a drive; what is not a number leaves the scene's.
  struct Drive {
    static constexpr double kAsInScene = std::numeric_limits<double>::quiet_NaN();
    double position = kAsInScene, velocity = kAsInScene;  // targets
    double stiffness = kAsInScene, damping = kAsInScene;
    double effort = kAsInScene;  // limit

    bool operator==(const Drive& other) const;
  };
  // A parameter of the scene, by its number there.
  struct Parameter {
    int number = 0;
    double value = 0;

    bool operator==(const Parameter&) const = default;
  };

  VecX efforts;                       // on each velocity of the model [N or N m]; empty: none
  std::vector<Wrench> wrenches;       // added up
  std::vector<Drive> drives;          // of each drive of the scene; empty: all as in the scene
  std::vector<Parameter> parameters;  // those that were given

  bool empty() const;
  bool operator==(const Inputs& other) const;
};

// What was fed in before one step: new inputs, or a motion that was set.
struct InputChange {
  long step_count = 0;  // State::step_count then
  VecX q, v;            // empty: not set
  bool has_inputs = false;
  Inputs inputs;  // all of them

  bool operator==(const InputChange& other) const;
};
using InputLog = std::vector<InputChange>;  // in the order of the steps

// Whether a drive does what its gains ask for or as much as it can.
enum class DriveMode : signed char { kLeast = -1, kWithin = 0, kMost = 1 };

// All that the future of a simulation depends on, as one plain value: a copy saves it, an assignment restores it, and
// two simulations of one scene with equal states have equal futures to the bit. What a step keeps elsewhere is scratch.
// No random numbers are drawn while a simulation runs, so there are no streams of them here.
struct State : MotionState {
  double start_time = 0;  // times are start_time + step_count · h, not sums
  long step_count = 0;
  ContactMemory contacts;
  JointMemory joints;
  std::vector<DriveMode> drive_modes;  // of the scene's drives, in the last step
  VecX load_limits;         // that loads added to the limits of joint friction in the last step; empty before the first
  int redundant_rows = -1;  // of the constraints, counted once in the first step; −1 before
  // How much of v the last step changed, all in all and by its impulses alone: what the next one expects of itself,
  // theory (T2c). Empty where nothing is to be expected.
  VecX velocity_change, impulse_change;
  EventMemory events;  // of stepper event-driven
  Inputs inputs;       // as given last
  EnergyAccount energy;

  bool operator==(const State& other) const;
  // Of time, q and v to the bit; where bodies were released, of their number too. The same for the same motion on every
  // machine.
  std::uint64_t MotionHash() const;
};

}  // namespace slipstick
