#include "slipstick/solver/compact/contact_sweep.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "slipstick/base/check.h"
#include "slipstick/base/make_room.h"

namespace slipstick::internal {
namespace {

constexpr int kCheckInterval = 8;  // sweeps between two looks at the residual, which costs about as much as a sweep
constexpr int kOwnIsland = 256;    // contacts that make an island worth its own colours and its own end
constexpr int kMostColours = 63;
constexpr int kWorthDividing = 16;  // packs of a colour
constexpr double kRounding = 1e-9;  // up to which an arm is along the normal and an inertia that of a sphere

bool IsAlong(const Vec3& arm, const Vec3& normal) {
  return arm.cross(normal).squaredNorm() <= kRounding * kRounding * arm.squaredNorm();
}

bool IsSphere(const Mat3& inertia) {
  const double mean = inertia.trace() / 3;
  return (inertia - mean * Mat3::Identity()).cwiseAbs().maxCoeff() <= kRounding * mean;
}

int RootOf(std::vector<int>* root, int body) {
  while ((*root)[body] != body) {
    (*root)[body] = (*root)[(*root)[body]];
    body = (*root)[body];
  }
  return body;
}

void Put(const Vec3& v, int lane, Lane* out) {
  for (int axis = 0; axis < 3; ++axis) out[axis][lane] = v[axis];
}
Vec3 Take(const Lane* v, int lane) { return {v[0][lane], v[1][lane], v[2][lane]}; }

double Reciprocal(double value) { return value > 0 ? 1 / value : 0; }

// A contact seen from B.
void Flip(CompactContact* contact) {
  std::swap(contact->body_a, contact->body_b);
  std::swap(contact->arm_a, contact->arm_b);
  contact->normal = -contact->normal;
  contact->offset = -contact->offset;
}

}  // namespace

const SettingTable<ContactSweepSettings>& ContactSweepSettings::Table() {
  using S = ContactSweepSettings;
  static const SettingTable<S> table = {
      {&S::max_iterations, "max_iterations", "", "sweeps at most", Between(1, 1e9)},
      {&S::relaxation, "relaxation", "", "ω: share of each contact's own step that is taken", AboveUpTo(0, 2)},
  };
  return table;
}

ContactSweep::ContactSweep(const ContactSweepSettings& settings, std::shared_ptr<ThreadTeam> team)
    : settings_(settings), team_(std::move(team)), measured_(team_->size()) {}

SolveReport ContactSweep::Solve(const CompactProgram& program, double tolerance, CompactImpulses* impulses) {
  SolveReport report{.status = SolveStatus::kSolved, .solver = "contact-sweep"};
  impulses->force.resize(program.size(), Vec3::Zero());
  impulses->moment.resize(program.size(), Vec3::Zero());
  kernels_ = &KernelsFor(program.non_associated);
  FindIslands(program);
  ColourContacts(program);
  MakePacks(program, impulses);
  ComputeVelocities(program, *impulses, &velocities_);
  LoadBodies(program, velocities_);
  const int islands = static_cast<int>(islands_.size());
  mechanisms_.Load(program, island_of_body_, islands, settings_.relaxation, *impulses, &motion_);
  for (int k = 0; k < islands; ++k) SolveIsland(k, tolerance, &report);
  for (int i = 0; i < program.size(); ++i) {
    const Place& place = places_[i];
    if (place.kind < 0) continue;
    const PackCore& core = CoreAt(place);
    const int lane = place.lane;
    const Vec3 normal = Take(core.normal, lane);
    const double sign = place.flipped ? -1 : 1;
    impulses->force[i] = sign * (core.normal_impulse[lane] * normal + Take(core.tangential_impulse, lane));
    if (!place.has_moment()) continue;
    const PackMoment& moment = MomentAt(place);
    impulses->moment[i] = sign * (moment.spinning_impulse[lane] * normal + Take(moment.rolling_impulse, lane));
  }
  mechanisms_.Store(program, impulses);
  return report;
}

void ContactSweep::FindIslands(const CompactProgram& program) {
  const int bodies = static_cast<int>(program.bodies.size());
  root_.resize(bodies);
  for (int b = 0; b < bodies; ++b) root_[b] = b;
  const auto join = [&](int one, int other) {
    if (one < 0 || other < 0) return;
    const int a = RootOf(&root_, one), b = RootOf(&root_, other);
    root_[std::max(a, b)] = std::min(a, b);
  };
  for (int i = 0; i < program.size(); ++i) join(program.body_a(i), program.body_b(i));
  const CompactMechanisms& mechanisms = program.mechanisms;
  std::vector<int> body_of_mechanism(mechanisms.list.size(), -1);
  for (int b = 0; b < static_cast<int>(mechanisms.of_body.size()); ++b) {
    if (!mechanisms.has(b)) continue;
    int& first = body_of_mechanism[mechanisms.of_body[b]];
    join(first, b);
    first = b;
  }
  for (const CompactMechanisms::Limited& row : mechanisms.limited) join(row.body_a, row.body_b);
  contacts_of_root_.assign(bodies, 0);
  for (int i = 0; i < program.size(); ++i) {
    const int body = std::max(program.body_a(i), program.body_b(i));
    if (body >= 0) ++contacts_of_root_[RootOf(&root_, body)];
  }
  // island 0 holds all small ones
  island_of_root_.assign(bodies, 0);
  int count = 1;
  for (int b = 0; b < bodies; ++b) {
    if (contacts_of_root_[b] >= kOwnIsland) island_of_root_[b] = count++;
  }
  islands_.assign(count, {});
  island_of_contact_.resize(program.size());
  for (int i = 0; i < program.size(); ++i) {
    const int body = std::max(program.body_a(i), program.body_b(i));
    island_of_contact_[i] = body < 0 ? 0 : island_of_root_[RootOf(&root_, body)];
  }
  island_of_body_.resize(mechanisms.of_body.size());
  for (int b = 0; b < static_cast<int>(island_of_body_.size()); ++b) {
    island_of_body_[b] = island_of_root_[RootOf(&root_, b)];
  }
}

// Greedy: the first colour that neither body has yet. Where a body has more contacts than there are colours, those left
// over get a colour each.
void ContactSweep::ColourContacts(const CompactProgram& program) {
  colours_of_body_.assign(program.bodies.size(), 0);
  colours_of_island_.assign(islands_.size(), 0);
  overflow_of_island_.assign(islands_.size(), 0);
  colour_of_contact_.resize(program.size());
  for (int i = 0; i < program.size(); ++i) {
    colour_of_contact_[i] = 0;
    if (program.touches_mechanism(i)) continue;
    const int a = program.body_a(i), b = program.body_b(i);
    const int island = island_of_contact_[i];
    std::uint64_t used = 0;
    for (int body : {a, b}) used |= body >= 0 ? colours_of_body_[body] : 0;
    int colour = std::countr_one(used);
    if (colour < kMostColours) {
      for (int body : {a, b}) {
        if (body >= 0) colours_of_body_[body] |= std::uint64_t{1} << colour;
      }
    } else {
      colour = kMostColours + overflow_of_island_[island]++;
    }
    colour_of_contact_[i] = colour;
    colours_of_island_[island] = std::max(colours_of_island_[island], colour + 1);
  }
  int count = 0;
  for (std::size_t k = 0; k < islands_.size(); ++k) {
    islands_[k] = {count, count + colours_of_island_[k]};
    count += colours_of_island_[k];
  }
  colours_.assign(count, {});
  for (int i = 0; i < program.size(); ++i) colour_of_contact_[i] += islands_[island_of_contact_[i]].first_colour;
}

void* ContactSweep::PacksOf(int kind) {
  switch (kind / 2) {
    case 0:
      return spheres_.data();
    case 1:
      return rolling_spheres_.data();
    case 2:
      return arms_.data();
    default:
      return rolling_arms_.data();
  }
}

PackCore& ContactSweep::CoreAt(const Place& place) {
  switch (place.kind / 2) {
    case 0:
      return spheres_[place.pack];
    case 1:
      return rolling_spheres_[place.pack];
    case 2:
      return arms_[place.pack];
    default:
      return rolling_arms_[place.pack];
  }
}

PackMoment& ContactSweep::MomentAt(const Place& place) {
  if (place.kind / 2 == 1) return rolling_spheres_[place.pack];
  return rolling_arms_[place.pack];
}

void ContactSweep::MakePacks(const CompactProgram& program, CompactImpulses* impulses) {
  const int bodies = static_cast<int>(program.bodies.size());
  is_sphere_.resize(bodies);
  for (int b = 0; b < bodies; ++b) is_sphere_[b] = IsSphere(program.bodies[b].inverse_inertia);
  // how many of each kind each colour has, and where they go
  MakeRoom(&places_, program.size());
  places_.resize(program.size());
  for (int i = 0; i < program.size(); ++i) {
    CompactContact contact = program.contact(i);
    Place& place = places_[i];
    place = {};
    if (program.touches_mechanism(i)) continue;
    Vec3 &force = impulses->force[i], &moment = impulses->moment[i];
    const double normal = contact.normal.dot(force);
    if (!force.allFinite() || normal <= 0 || (contact.body_a < 0 && contact.body_b < 0)) force.setZero();
    if (!moment.allFinite() || normal <= 0 || !contact.has_moment()) moment.setZero();
    if (contact.body_a < 0 && contact.body_b < 0) continue;
    place.flipped = contact.body_a < 0;
    if (place.flipped) Flip(&contact);
    PackKind kind;
    kind.two_bodies = contact.body_b >= 0;
    kind.moment = contact.has_moment();
    kind.arms = !is_sphere_[contact.body_a] || !IsAlong(contact.arm_a, contact.normal) ||
                (contact.body_b >= 0 && (!is_sphere_[contact.body_b] || !IsAlong(contact.arm_b, contact.normal)));
    place.kind = static_cast<std::int8_t>(kind.index());
    const int number = colours_[colour_of_contact_[i]].last[place.kind]++;
    place.pack = number / kLanes;
    place.lane = static_cast<std::int8_t>(number % kLanes);
  }
  std::array<int, kPackKinds / 2> packs{};
  for (Colour& colour : colours_) {
    int of_colour = 0;
    for (int kind = 0; kind < kPackKinds; ++kind) {
      const int count = (colour.last[kind] + kLanes - 1) / kLanes;
      colour.first[kind] = packs[kind / 2];
      colour.last[kind] = packs[kind / 2] += count;
      of_colour += count;
    }
    colour.divided = of_colour >= kWorthDividing;
  }
  // Empty lanes, which the last pack of a colour and kind may have, work on bodies of their own, of which nothing
  // comes.
  const auto reset = [&](auto* list, int family) {
    MakeRoom(list, packs[family]);
    list->resize(packs[family]);
    typename std::remove_reference_t<decltype(*list)>::value_type empty{};
    for (int lane = 0; lane < kLanes; ++lane) {
      empty.a[lane] = bodies + (2 * family) * kLanes + lane;
      empty.b[lane] = bodies + (2 * family + 1) * kLanes + lane;
    }
    for (const Colour& colour : colours_) {
      for (const int kind : {2 * family, 2 * family + 1}) {
        if (colour.last[kind] > colour.first[kind]) (*list)[colour.last[kind] - 1] = empty;
      }
    }
  };
  reset(&spheres_, 0);
  reset(&rolling_spheres_, 1);
  reset(&arms_, 2);
  reset(&rolling_arms_, 3);

  const double omega = settings_.relaxation;
  for (int i = 0; i < program.size(); ++i) {
    Place& place = places_[i];
    if (place.kind < 0) continue;
    place.pack += colours_[colour_of_contact_[i]].first[place.kind];
    CompactContact contact = program.contact(i);
    if (place.flipped) Flip(&contact);
    const int lane = place.lane;
    const double sign = place.flipped ? -1 : 1;
    const Vec3 force = sign * impulses->force[i];
    PackCore& core = CoreAt(place);
    core.a[lane] = contact.body_a;
    if (contact.body_b >= 0) core.b[lane] = contact.body_b;
    Put(contact.normal, lane, core.normal);
    core.target[lane] = contact.target;
    Put(contact.offset, lane, core.offset);
    core.friction[lane] = contact.friction;
    core.normal_compliance[lane] = contact.normal_compliance;
    core.tangential_compliance[lane] = contact.tangential_compliance;
    const double normal_impulse = contact.normal.dot(force);
    core.normal_impulse[lane] = normal_impulse;
    Put(force - normal_impulse * contact.normal, lane, core.tangential_impulse);
    ContactDiagonal own;
    if (place.kind < 4) {
      Lane &arm_a = contact.has_moment() ? rolling_spheres_[place.pack].arm_a : spheres_[place.pack].arm_a,
           &arm_b = contact.has_moment() ? rolling_spheres_[place.pack].arm_b : spheres_[place.pack].arm_b;
      const double a = -contact.arm_a.dot(contact.normal), b = contact.arm_b.dot(contact.normal);
      arm_a[lane] = a;
      arm_b[lane] = b;
      const CompactBody& body_a = program.bodies[contact.body_a];
      const double turning_a = body_a.inverse_inertia.trace() / 3;
      own.normal = body_a.inverse_mass;
      own.angular = turning_a;
      own.tangential = a * a * turning_a;
      if (contact.body_b >= 0) {
        const CompactBody& body_b = program.bodies[contact.body_b];
        const double turning_b = body_b.inverse_inertia.trace() / 3;
        own.normal += body_b.inverse_mass;
        own.angular += turning_b;
        own.tangential += b * b * turning_b;
      }
      own.tangential += own.normal + contact.tangential_compliance;
      own.normal += contact.normal_compliance;
    } else {
      PackOfArms& arms = contact.has_moment() ? static_cast<PackOfArms&>(rolling_arms_[place.pack])
                                              : static_cast<PackOfArms&>(arms_[place.pack]);
      Put(contact.arm_a, lane, arms.arm_a);
      Put(contact.arm_b, lane, arms.arm_b);
      own = OwnDiagonal(program, contact);
      const auto moved = [&](int body, const Vec3& arm) -> Vec3 {
        if (body < 0) return Vec3::Zero();
        const CompactBody& of = program.bodies[body];
        return of.inverse_mass * contact.normal + Vec3(of.inverse_inertia * arm.cross(contact.normal)).cross(arm);
      };
      Put(moved(contact.body_a, contact.arm_a) + moved(contact.body_b, contact.arm_b), lane, arms.coupling);
    }
    // in the convex relaxation friction answers a normal impulse by slowing the slip, which lowers Σ c_k |u_k| too
    double normal = own.normal;
    if (!program.non_associated) {
      normal += contact.friction * contact.friction * own.tangential +
                (contact.rolling * contact.rolling + contact.spinning * contact.spinning) * own.angular;
    }
    core.normal_step[lane] = omega * Reciprocal(normal);
    core.tangential_step[lane] = omega * Reciprocal(own.tangential);
    if (!contact.has_moment()) continue;
    PackMoment& moment = MomentAt(place);
    const Vec3 twist = sign * impulses->moment[i];
    const double spinning = contact.normal.dot(twist);
    moment.rolling[lane] = contact.rolling;
    moment.spinning[lane] = contact.spinning;
    moment.angular_step[lane] = omega * Reciprocal(own.angular);
    moment.spinning_impulse[lane] = spinning;
    Put(twist - spinning * contact.normal, lane, moment.rolling_impulse);
  }
}

void ContactSweep::LoadBodies(const CompactProgram& program, const CompactVelocities& velocities) {
  const int bodies = static_cast<int>(program.bodies.size());
  motion_.assign(bodies + kPackKinds * kLanes, BodyMotion{});
  const bool has_arms = !arms_.empty() || !rolling_arms_.empty();
  inertia_.assign(has_arms ? bodies + kPackKinds * kLanes : 0, BodyInertia{});
  for (int b = 0; b < bodies; ++b) {
    const CompactBody& body = program.bodies[b];
    const Vec3 &v = velocities.linear[b], &w = velocities.angular[b];
    const Mat3& inertia = body.inverse_inertia;
    motion_[b].linear = Lane{v[0], v[1], v[2], body.inverse_mass};
    motion_[b].angular = Lane{w[0], w[1], w[2], inertia.trace() / 3};
    if (!has_arms) continue;
    inertia_[b].first = Lane{inertia(0, 0), inertia(0, 1), inertia(0, 2), inertia(1, 1)};
    inertia_[b].second = Lane{inertia(1, 2), inertia(2, 2), 0, 0};
  }
}

void ContactSweep::Sweep(int number, int thread) {
  const Island& island = islands_[number];
  const int threads = team_->size();
  bool divided = true;  // all threads are level here
  for (int c = island.first_colour; c < island.last_colour; ++c) {
    const Colour& colour = colours_[c];
    if (c > island.first_colour && (colour.divided || divided)) team_->Meet();
    divided = colour.divided;
    if (!divided && thread > 0) continue;
    for (int kind = 0; kind < kPackKinds; ++kind) {
      const int first = colour.first[kind], count = colour.last[kind] - first;
      if (count == 0) continue;
      const Share share = divided ? ShareOf(count, thread, threads) : Share{0, count};
      kernels_->sweep[kind](PacksOf(kind), first + share.first, first + share.last, motion_.data(), inertia_.data());
    }
  }
  if (mechanisms_.has_blocks(number)) {
    if (divided) team_->Meet();
    if (thread == 0) mechanisms_.Sweep(number);
  }
  team_->Meet();
}

double ContactSweep::Measure(int number, int thread) {
  const Island& island = islands_[number];
  double worst = thread == 0 && mechanisms_.has_blocks(number) ? mechanisms_.Measure(number) : 0.0;
  for (int c = island.first_colour; c < island.last_colour; ++c) {
    const Colour& colour = colours_[c];
    for (int kind = 0; kind < kPackKinds; ++kind) {
      const int first = colour.first[kind];
      const Share share = ShareOf(colour.last[kind] - first, thread, team_->size());
      if (share.first == share.last) continue;
      worst = std::max(worst, kernels_->measure[kind](PacksOf(kind), first + share.first, first + share.last,
                                                      motion_.data(), settings_.relaxation));
    }
  }
  return worst;
}

void ContactSweep::SolveIsland(int number, double tolerance, SolveReport* report) {
  const bool has_packs = islands_[number].first_colour < islands_[number].last_colour;
  if (!has_packs && !mechanisms_.has_blocks(number)) return;
  int iterations = 0;
  double residual = 0;
  const auto job = [&](int thread) {
    int done = 0;
    while (true) {
      measured_[thread] = Measure(number, thread);
      team_->Meet();
      double worst = 0;
      for (double measured : measured_) worst = std::max(worst, measured);
      if (worst <= tolerance || done >= settings_.max_iterations) {
        if (thread == 0) iterations = done, residual = worst;
        return;
      }
      for (int k = 0; k < kCheckInterval && done < settings_.max_iterations; ++k, ++done) Sweep(number, thread);
    }
  };
  team_->Run(std::ref(job));  // by reference: a copy would be allocated
  report->iterations = std::max(report->iterations, iterations);
  report->residual = std::max(report->residual, residual);
  if (residual > tolerance) report->status = SolveStatus::kIterationLimit;
}

}  // namespace slipstick::internal
