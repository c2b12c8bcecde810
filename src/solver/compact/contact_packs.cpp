#include "slipstick/solver/compact/contact_packs.h"

#include <cmath>
#include <limits>

// One source, compiled for what every machine has and for wider registers; the operations and their order are the same,
// none is fused, so the bits are the same too.
#define SLIPSTICK_INLINE inline __attribute__((always_inline))

namespace slipstick::internal {
namespace {

struct Lane3 {
  Lane x, y, z;
};

SLIPSTICK_INLINE Lane All(double value) { return Lane{value, value, value, value}; }
SLIPSTICK_INLINE Lane Positive(Lane value) { return value > 0.0 ? value : All(0); }
SLIPSTICK_INLINE Lane Larger(Lane a, Lane b) { return a > b ? a : b; }
SLIPSTICK_INLINE Lane Magnitude(Lane value) { return value < 0.0 ? -value : value; }
SLIPSTICK_INLINE Lane Root(Lane value) {
  return Lane{std::sqrt(value[0]), std::sqrt(value[1]), std::sqrt(value[2]), std::sqrt(value[3])};
}
SLIPSTICK_INLINE Lane3 Load(const Lane* v) { return {v[0], v[1], v[2]}; }
SLIPSTICK_INLINE void Store(const Lane3& v, Lane* out) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}
SLIPSTICK_INLINE Lane3 operator+(const Lane3& a, const Lane3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
SLIPSTICK_INLINE Lane3 operator-(const Lane3& a, const Lane3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
SLIPSTICK_INLINE Lane3 operator*(Lane s, const Lane3& a) { return {s * a.x, s * a.y, s * a.z}; }
SLIPSTICK_INLINE Lane Dot(const Lane3& a, const Lane3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SLIPSTICK_INLINE Lane3 Cross(const Lane3& a, const Lane3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

SLIPSTICK_INLINE void Transpose(Lane* r0, Lane* r1, Lane* r2, Lane* r3) {
  const Lane t0 = __builtin_shufflevector(*r0, *r1, 0, 4, 2, 6);
  const Lane t1 = __builtin_shufflevector(*r0, *r1, 1, 5, 3, 7);
  const Lane t2 = __builtin_shufflevector(*r2, *r3, 0, 4, 2, 6);
  const Lane t3 = __builtin_shufflevector(*r2, *r3, 1, 5, 3, 7);
  *r0 = __builtin_shufflevector(t0, t2, 0, 1, 4, 5);
  *r1 = __builtin_shufflevector(t1, t3, 0, 1, 4, 5);
  *r2 = __builtin_shufflevector(t0, t2, 2, 3, 6, 7);
  *r3 = __builtin_shufflevector(t1, t3, 2, 3, 6, 7);
}

// Velocities of four bodies, by component.
struct Bodies {
  Lane3 linear, angular;
  Lane inverse_mass, inverse_inertia;
};

SLIPSTICK_INLINE Bodies LoadBodies(const BodyMotion* motion, const int* body) {
  Bodies out;
  Lane a = motion[body[0]].linear, b = motion[body[1]].linear, c = motion[body[2]].linear, d = motion[body[3]].linear;
  Transpose(&a, &b, &c, &d);
  out.linear = {a, b, c};
  out.inverse_mass = d;
  a = motion[body[0]].angular, b = motion[body[1]].angular, c = motion[body[2]].angular, d = motion[body[3]].angular;
  Transpose(&a, &b, &c, &d);
  out.angular = {a, b, c};
  out.inverse_inertia = d;
  return out;
}

SLIPSTICK_INLINE void StoreBodies(const Bodies& bodies, const int* body, BodyMotion* motion) {
  Lane a = bodies.linear.x, b = bodies.linear.y, c = bodies.linear.z, d = bodies.inverse_mass;
  Transpose(&a, &b, &c, &d);
  motion[body[0]].linear = a, motion[body[1]].linear = b, motion[body[2]].linear = c, motion[body[3]].linear = d;
  a = bodies.angular.x, b = bodies.angular.y, c = bodies.angular.z, d = bodies.inverse_inertia;
  Transpose(&a, &b, &c, &d);
  motion[body[0]].angular = a, motion[body[1]].angular = b, motion[body[2]].angular = c, motion[body[3]].angular = d;
}

// I⁻¹ t of four bodies.
SLIPSTICK_INLINE Lane3 Turned(const BodyInertia* inertia, const int* body, const Lane3& t) {
  Lane xx = inertia[body[0]].first, xy = inertia[body[1]].first, xz = inertia[body[2]].first,
       yy = inertia[body[3]].first;
  Transpose(&xx, &xy, &xz, &yy);
  Lane yz = inertia[body[0]].second, zz = inertia[body[1]].second, u = inertia[body[2]].second,
       v = inertia[body[3]].second;
  Transpose(&yz, &zz, &u, &v);
  return {xx * t.x + xy * t.y + xz * t.z, xy * t.x + yy * t.y + yz * t.z, xz * t.x + yz * t.y + zz * t.z};
}

SLIPSTICK_INLINE Lane3 OnDisk(const Lane3& v, Lane radius) {
  const Lane square = Dot(v, v);
  const Lane shrink = square > radius * radius ? radius / Root(square) : All(1);
  return shrink * v;
}

// Relative velocity of the surfaces, world axes.
template <bool kArms, bool kMoment, bool kTwo>
SLIPSTICK_INLINE Lane3 SurfaceVelocity(const Pack<kArms, kMoment>& pack, const Lane3& n, const Bodies& a,
                                       const Bodies& b) {
  if constexpr (kArms) {
    Lane3 u = a.linear + Cross(a.angular, Load(pack.arm_a));
    if constexpr (kTwo) u = u - b.linear - Cross(b.angular, Load(pack.arm_b));
    return u;
  } else {
    // ω × (−arm n) = arm n × ω
    if constexpr (kTwo) return a.linear - b.linear + Cross(n, pack.arm_a * a.angular + pack.arm_b * b.angular);
    return a.linear + Cross(n, pack.arm_a * a.angular);
  }
}

template <bool kArms, bool kMoment, bool kTwo>
SLIPSTICK_INLINE void Push(const Pack<kArms, kMoment>& pack, const BodyInertia* inertia, const Lane3& n,
                           const Lane3& force, Bodies* a, Bodies* b) {
  a->linear = a->linear + a->inverse_mass * force;
  if constexpr (kTwo) b->linear = b->linear - b->inverse_mass * force;
  if constexpr (kArms) {
    a->angular = a->angular + Turned(inertia, pack.a, Cross(Load(pack.arm_a), force));
    if constexpr (kTwo) b->angular = b->angular - Turned(inertia, pack.b, Cross(Load(pack.arm_b), force));
  } else {
    const Lane3 turn = Cross(n, force);
    a->angular = a->angular - (pack.arm_a * a->inverse_inertia) * turn;
    if constexpr (kTwo) b->angular = b->angular - (pack.arm_b * b->inverse_inertia) * turn;
  }
}

template <bool kArms, bool kMoment, bool kTwo>
SLIPSTICK_INLINE void Twist(const Pack<kArms, kMoment>& pack, const BodyInertia* inertia, const Lane3& moment,
                            Bodies* a, Bodies* b) {
  if constexpr (kArms) {
    a->angular = a->angular + Turned(inertia, pack.a, moment);
    if constexpr (kTwo) b->angular = b->angular - Turned(inertia, pack.b, moment);
  } else {
    a->angular = a->angular + a->inverse_inertia * moment;
    if constexpr (kTwo) b->angular = b->angular - b->inverse_inertia * moment;
  }
}

// The velocities that one contact's conditions are about.
struct Slip {
  Lane normal;  // less the target and, in the convex relaxation, Σ c_k |u_k|; compliance included
  Lane3 sliding, rolling;
  Lane spinning;
};

template <bool kArms, bool kMoment, bool kTwo, bool kExact>
SLIPSTICK_INLINE Slip SlipOf(const Pack<kArms, kMoment>& pack, const Lane3& n, const Bodies& a, const Bodies& b) {
  Slip slip;
  const Lane3 u = SurfaceVelocity<kArms, kMoment, kTwo>(pack, n, a, b);
  const Lane along = Dot(n, u);
  slip.normal = along - pack.target + pack.normal_compliance * pack.normal_impulse;
  slip.sliding = u - along * n + Load(pack.offset) + pack.tangential_compliance * Load(pack.tangential_impulse);
  if constexpr (kMoment) {
    Lane3 spin = a.angular;
    if constexpr (kTwo) spin = spin - b.angular;
    slip.spinning = Dot(n, spin);
    slip.rolling = spin - slip.spinning * n;
  }
  if constexpr (!kExact) {
    slip.normal = slip.normal - pack.friction * Root(Dot(slip.sliding, slip.sliding));
    if constexpr (kMoment) {
      slip.normal =
          slip.normal - pack.rolling * Root(Dot(slip.rolling, slip.rolling)) - pack.spinning * Magnitude(slip.spinning);
    }
  }
  return slip;
}

SLIPSTICK_INLINE Lane Clamp(Lane value, Lane limit) {
  const Lane below = value < -limit ? -limit : value;
  return below > limit ? limit : below;
}

// Normal impulse, then friction within the limit that it sets, then rolling and spinning with the velocities that
// friction has left: each by its own diagonal. Where all of them stay, the contact's conditions hold.
template <bool kArms, bool kMoment, bool kTwo, bool kExact>
SLIPSTICK_INLINE void SweepPacks(void* packs, int first, int last, BodyMotion* motion, const BodyInertia* inertia) {
  auto* pack = static_cast<Pack<kArms, kMoment>*>(packs);
  for (int k = first; k < last; ++k) {
    Pack<kArms, kMoment>& p = pack[k];
    const Lane3 n = Load(p.normal);
    Bodies a = LoadBodies(motion, p.a), b = a;
    if constexpr (kTwo) b = LoadBodies(motion, p.b);
    const Slip slip = SlipOf<kArms, kMoment, kTwo, kExact>(p, n, a, b);

    const Lane normal = Positive(p.normal_impulse - p.normal_step * slip.normal);
    const Lane change = normal - p.normal_impulse;
    p.normal_impulse = normal;
    Lane3 sliding = slip.sliding;
    if constexpr (kArms) {
      const Lane3 coupled = change * Load(p.coupling);
      sliding = sliding + coupled - Dot(n, coupled) * n;
    }
    const Lane3 before = Load(p.tangential_impulse);
    const Lane3 friction = OnDisk(before - p.tangential_step * sliding, p.friction * normal);
    Store(friction, p.tangential_impulse);
    Push<kArms, kMoment, kTwo>(p, inertia, n, change * n + friction - before, &a, &b);

    if constexpr (kMoment) {
      Lane3 spin = a.angular;
      if constexpr (kTwo) spin = spin - b.angular;
      const Lane along = Dot(n, spin);
      const Lane spinning = Clamp(p.spinning_impulse - p.angular_step * along, p.spinning * normal);
      const Lane3 rolled = Load(p.rolling_impulse);
      const Lane3 rolling = OnDisk(rolled - p.angular_step * (spin - along * n), p.rolling * normal);
      const Lane3 moment = (spinning - p.spinning_impulse) * n + rolling - rolled;
      p.spinning_impulse = spinning;
      Store(rolling, p.rolling_impulse);
      Twist<kArms, kMoment, kTwo>(p, inertia, moment, &a, &b);
    }
    StoreBodies(a, p.a, motion);
    if constexpr (kTwo) StoreBodies(b, p.b, motion);
  }
}

// steps are relaxation / diagonal; those of empty lanes are 0, and so are their changes
SLIPSTICK_INLINE Lane Diagonal(Lane step, double relaxation) { return step > 0.0 ? relaxation / step : All(0); }
SLIPSTICK_INLINE Lane Length(const Lane3& v) { return Root(Dot(v, v)); }

template <bool kArms, bool kMoment, bool kTwo, bool kExact>
SLIPSTICK_INLINE double MeasurePacks(const void* packs, int first, int last, const BodyMotion* motion,
                                     double relaxation) {
  const auto* pack = static_cast<const Pack<kArms, kMoment>*>(packs);
  Lane worst = All(0), broken = All(0);
  for (int k = first; k < last; ++k) {
    const Pack<kArms, kMoment>& p = pack[k];
    const Lane3 n = Load(p.normal);
    Bodies a = LoadBodies(motion, p.a), b = a;
    if constexpr (kTwo) b = LoadBodies(motion, p.b);
    const Slip slip = SlipOf<kArms, kMoment, kTwo, kExact>(p, n, a, b);
    const Lane unit = All(1 / relaxation);

    const Lane normal_step = unit * p.normal_step, tangential_step = unit * p.tangential_step;
    const Lane normal = Positive(p.normal_impulse - normal_step * slip.normal) - p.normal_impulse;
    worst = Larger(worst, Diagonal(p.normal_step, relaxation) * Magnitude(normal));
    const Lane load = Positive(p.normal_impulse);
    const Lane3 before = Load(p.tangential_impulse);
    const Lane3 friction = OnDisk(before - tangential_step * slip.sliding, p.friction * load) - before;
    worst = Larger(worst, Diagonal(p.tangential_step, relaxation) * Length(friction));
    // what is not a number loses every comparison, but not this
    broken = broken + 0.0 * (slip.normal + Dot(slip.sliding, slip.sliding));
    if constexpr (kMoment) {
      const Lane angular_step = unit * p.angular_step;
      const Lane3 rolled = Load(p.rolling_impulse);
      const Lane3 rolling = OnDisk(rolled - angular_step * slip.rolling, p.rolling * load) - rolled;
      const Lane spinning =
          Clamp(p.spinning_impulse - angular_step * slip.spinning, p.spinning * load) - p.spinning_impulse;
      // times the length that makes it a velocity of the surface: √(W_N W_R)
      const Lane scale = Root(Diagonal(p.normal_step, relaxation) * Diagonal(p.angular_step, relaxation));
      worst = Larger(worst, scale * Larger(Length(rolling), Magnitude(spinning)));
      broken = broken + 0.0 * Dot(slip.rolling, slip.rolling);
    }
  }
  double largest = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (broken[lane] != 0.0) return std::numeric_limits<double>::infinity();
    largest = worst[lane] > largest ? worst[lane] : largest;
  }
  return largest;
}

// NOLINTBEGIN(bugprone-macro-parentheses): an attribute stands by itself
#define SLIPSTICK_KERNELS(name, attribute)                                                                       \
  template <bool kArms, bool kMoment, bool kTwo, bool kExact>                                                    \
  attribute void Sweep##name(void* packs, int first, int last, BodyMotion* motion, const BodyInertia* inertia) { \
    SweepPacks<kArms, kMoment, kTwo, kExact>(packs, first, last, motion, inertia);                               \
  }                                                                                                              \
  template <bool kArms, bool kMoment, bool kTwo, bool kExact>                                                    \
  attribute double Measure##name(const void* packs, int first, int last, const BodyMotion* motion,               \
                                 double relaxation) {                                                            \
    return MeasurePacks<kArms, kMoment, kTwo, kExact>(packs, first, last, motion, relaxation);                   \
  }                                                                                                              \
  template <bool kExact>                                                                                         \
  PackKernels Kernels##name() {                                                                                  \
    return {{Sweep##name<false, false, false, kExact>, Sweep##name<false, false, true, kExact>,                  \
             Sweep##name<false, true, false, kExact>, Sweep##name<false, true, true, kExact>,                    \
             Sweep##name<true, false, false, kExact>, Sweep##name<true, false, true, kExact>,                    \
             Sweep##name<true, true, false, kExact>, Sweep##name<true, true, true, kExact>},                     \
            {Measure##name<false, false, false, kExact>, Measure##name<false, false, true, kExact>,              \
             Measure##name<false, true, false, kExact>, Measure##name<false, true, true, kExact>,                \
             Measure##name<true, false, false, kExact>, Measure##name<true, false, true, kExact>,                \
             Measure##name<true, true, false, kExact>, Measure##name<true, true, true, kExact>}};                \
  }
// NOLINTEND(bugprone-macro-parentheses)

SLIPSTICK_KERNELS(Plain, )
#if defined(__x86_64__) && defined(__GNUC__)
#define SLIPSTICK_WIDE_KERNELS
SLIPSTICK_KERNELS(Wide, __attribute__((target("avx2"))))
#endif

template <bool kExact>
PackKernels Choose() {
#ifdef SLIPSTICK_WIDE_KERNELS
  if (__builtin_cpu_supports("avx2")) return KernelsWide<kExact>();
#endif
  return KernelsPlain<kExact>();
}

}  // namespace

const PackKernels& KernelsFor(bool non_associated) {
  static const PackKernels exact = Choose<true>(), convex = Choose<false>();
  return non_associated ? exact : convex;
}

const PackKernels& PlainKernelsFor(bool non_associated) {
  static const PackKernels exact = KernelsPlain<true>(), convex = KernelsPlain<false>();
  return non_associated ? exact : convex;
}

}  // namespace slipstick::internal
