#pragma once

#include <array>
#include <type_traits>
#include <vector>

namespace slipstick::internal {

// Four numbers that one instruction works on, one for each of four contacts without a common body.
constexpr int kLanes = 4;
using Lane = double __attribute__((vector_size(kLanes * sizeof(double))));

// Velocity of a body, two times four numbers in one line of the cache: the fourth ones are its inverse mass and, where
// its inertia is that of a sphere, its inverse inertia.
struct alignas(64) BodyMotion {
  Lane linear, angular;
};
// Inverse inertia in world axes: xx, xy, xz, yy | yz, zz, 0, 0.
struct alignas(64) BodyInertia {
  Lane first, second;
};

struct alignas(64) PackCore {
  int a[kLanes], b[kLanes];  // bodies
  Lane normal[3];
  Lane normal_step, tangential_step;  // relaxation / own diagonal
  Lane target, friction;
  Lane offset[3];  // of the tangential velocity
  Lane normal_compliance, tangential_compliance;
  Lane normal_impulse, tangential_impulse[3];
};
// Contacts of spheres about their centres: the arms are −arm_a n and +arm_b n, and normal and tangential velocities do
// not mix.
struct PackOfSpheres {
  Lane arm_a, arm_b;
};
struct PackOfArms {
  Lane arm_a[3], arm_b[3];
  Lane coupling[3];  // change of the contact's velocity by a normal impulse of 1
};
struct PackMoment {
  Lane rolling, spinning;
  Lane angular_step;
  Lane spinning_impulse, rolling_impulse[3];
};
struct NoMoment {};

template <bool kArms, bool kMoment>
struct Pack : PackCore,
              std::conditional_t<kArms, PackOfArms, PackOfSpheres>,
              std::conditional_t<kMoment, PackMoment, NoMoment> {};

// How a contact is treated: its shape of pack, and whether B moves.
struct PackKind {
  bool arms = false, moment = false, two_bodies = false;

  int index() const { return (arms ? 4 : 0) + (moment ? 2 : 0) + (two_bodies ? 1 : 0); }
};
constexpr int kPackKinds = 8;

// One loop over packs [first, last) of one kind.
//   sweep   takes each contact's impulses one relaxed step on, and the bodies' velocities with them
//   measure returns the largest residual, CompactResidual's, and changes nothing
struct PackKernels {
  using Sweep = void (*)(void* packs, int first, int last, BodyMotion* motion, const BodyInertia* inertia);
  using Measure = double (*)(const void* packs, int first, int last, const BodyMotion* motion, double relaxation);
  std::array<Sweep, kPackKinds> sweep;
  std::array<Measure, kPackKinds> measure;
};

// The quickest of this machine, and those that run everywhere: the same bits.
const PackKernels& KernelsFor(bool non_associated);
const PackKernels& PlainKernelsFor(bool non_associated);

}  // namespace slipstick::internal
