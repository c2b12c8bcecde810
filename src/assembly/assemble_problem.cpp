#include "slipstick/assembly/assemble_problem.h"

#include "slipstick/assembly/redundant_rows.h"
#include "slipstick/model/drift.h"
#include "slipstick/model/springs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/assembly/contact_compliance.h"
#include "slipstick/assembly/contact_curvature.h"
#include "slipstick/base/check.h"
#include "slipstick/base/make_room.h"
#include "slipstick/base/rotation.h"

namespace slipstick::internal {
namespace {

constexpr double kRounding = 1e-6;  // with the certificate's 1e-7 of it, a thousand times the last digit
// Coriolis forces have settled where they change velocities by less than this share of what the step changes them by.
constexpr double kCoriolisTolerance = 1e-8;
constexpr int kMostCoriolis = 12;

// (T4): what the normal velocity may not fall below for the gap's sake. Within the skin, and where bodies overlap, a
// share of the gap is taken back. As the skin is what a free step closes, a resting contact stays loaded through that.
// Beyond the skin bodies are free to come nearer, not to pass through.
double GapTarget(double gap, double h, double skin, double gap_correction, double correction_speed) {
  const double target = -gap_correction * std::min(gap, skin) / h - std::max(gap - skin, 0.0) / h;
  return std::min(target, correction_speed);
}

// What was remembered of contact i, turned about its normal by the mean turn of the two bodies since (T6): so that a
// force of bodies that turn together turns with them. `values` are those of the law's slots, null where there are none.
void Recall(const ContactMemory& memory, const double* values, const Kinematics& kin, int body_a, int body_b,
            const Vec3& normal, double h, int i, int* hint, ContactSet* set) {
  const int found = memory.Find(set->key[i], hint), size = TotalSize(set->slots);
  double* own = set->memory.data() + static_cast<std::ptrdiff_t>(i) * size;
  if (found < 0) {
    set->history[i] = {};
    std::fill_n(own, size, 0.0);
    return;
  }
  set->history[i] = memory.histories[found];
  if (values != nullptr) std::copy_n(values + static_cast<std::ptrdiff_t>(found) * size, size, own);
  double spin = 0;
  for (int body : {body_a, body_b}) {
    if (body != kWorld) spin += 0.5 * normal.dot(kin.angular_velocity[body]);
  }
  if (spin == 0) return;
  const double angle = h * spin, cosine = std::cos(angle), sine = std::sin(angle);
  const auto turn = [&](auto&& v) {
    if (!v.isZero(0)) v = (cosine * v + sine * normal.cross(v) + ((1 - cosine) * normal.dot(v)) * normal).eval();
  };
  turn(set->history[i].tangential_force);
  turn(set->history[i].moment);
  for (const MemorySlot& slot : set->slots) {
    if (slot.kind == MemorySlot::Kind::kVector) turn(Eigen::Map<Vec3>(own));
    own += slot.size();
  }
}

// Everything of contact i that follows from its point alone.
void FillContact(const Model& model, const std::vector<AssemblyWorkspace::Shape>& shapes, const Kinematics& kin,
                 const ContactPoint& point, int i, ContactSet* set) {
  const AssemblyWorkspace::Shape &a = shapes[point.shape_a()], &b = shapes[point.shape_b()];
  const int body_a = a.body, body_b = b.body, tree_a = a.tree;
  int tree_b = b.tree;
  const bool one_tree = tree_a == tree_b;
  if (one_tree) tree_b = -1;
  // where one side cannot move, the other one's surface point; else in between, so that action equals reaction
  const Vec3 position = tree_b < 0 && !one_tree ? point.point_a : tree_a < 0 ? point.point_b : point.position();
  Vec3 t1, t2;
  CompleteFrame(point.normal, &t1, &t2);
  const BlockRows::Frame frame{point.normal, t1};
  const bool rigid = !one_tree && a.is_free && b.is_free;
  const auto arm = [&](int body, int tree) {
    return tree < 0 ? Vec3(0, 0, 0) : Vec3(position - kin.X_WB[body].position);
  };
  // three rows of A's motion less B's along the directions; `add` appends one body's part of a row
  const auto append_rows = [&](BlockRows* rows, const auto& add) {
    const Vec3 directions[3] = {point.normal, t1, t2};
    const int group = rows->Append(frame, tree_a, tree_b);
    for (int row = 0; row < 3; ++row) {
      if (tree_a >= 0) add(body_a, directions[row], 1.0, rows->piece_a(group).row(row));
      if (one_tree) {
        add(body_b, directions[row], -1.0, rows->piece_a(group).row(row));
      } else if (tree_b >= 0) {
        add(body_b, directions[row], -1.0, rows->piece_b(group).row(row));
      }
    }
    return group;
  };
  if (rigid) {
    set->jacobian.Append(BlockRows::Rigid{frame, arm(body_a, tree_a), arm(body_b, tree_b)}, tree_a, tree_b);
  } else {
    append_rows(&set->jacobian, [&](int body, const Vec3& direction, double sign, auto row) {
      AddPointRow(model, kin, body, position, direction, sign, row);
    });
  }
  const auto pair_number = static_cast<int>(a.material * model.materials.size() + b.material);
  const PairProperties& pair = model.pairs[pair_number];
  int angular_group = -1;
  if (pair.has_moments() && rigid) {
    angular_group = set->angular.Append(BlockRows::Turning{frame}, tree_a, tree_b);
  } else if (pair.has_moments()) {
    angular_group = append_rows(&set->angular, [&](int body, const Vec3& direction, double sign, auto row) {
      AddAngularRow(model, kin, body, direction, sign, row);
    });
  }
  set->angular_group[i] = angular_group;
  set->key[i] = point.key;
  set->position[i] = position;
  set->gap[i] = point.gap;
  set->shape_size[i] = std::min(a.half_extent, b.half_extent);
  set->surface_of[i] = pair_number;
  if (std::isfinite(pair.contact_modulus)) {
    // Hertz's law goes by the shapes' curvatures: each contact has its own
    SetHertz(pair, model.shapes[point.shape_a()].geometry, model.shapes[point.shape_b()].geometry, &set->OwnSurface(i));
  }
}

// trace(J M⁻¹ Jᵀ) of a group's rows
double InverseMass(const BlockDiagonal& mass, const BlockRows& jacobian, int group) {
  const auto trace = [&](int block, const BlockRows::ConstPiece& piece) {
    if (block < 0) return 0.0;
    MatX solved = piece.transpose();
    mass.SolveBlockInPlace(block, solved);
    return (piece.transpose().array() * solved.array()).sum();
  };
  return trace(jacobian.block_a(group), jacobian.piece_a(group)) +
         trace(jacobian.block_b(group), jacobian.piece_b(group));
}

// The same of a contact's rows, and of its angular ones.
struct InverseMasses {
  double point = 0, turning = 0;
};
InverseMasses ComputeInverseMasses(const BlockDiagonal& mass, const ContactSet& contacts, int i) {
  const BlockRows& jacobian = contacts.jacobian;
  const int group = contacts.angular_group[i], block_a = jacobian.block_a(i), block_b = jacobian.block_b(i);
  const RigidMass* a = block_a < 0 ? nullptr : mass.rigid(block_a);
  const RigidMass* b = block_b < 0 ? nullptr : mass.rigid(block_b);
  const BlockRows::Rigid* rows = jacobian.rigid(i);
  InverseMasses inverse;
  if (rows == nullptr || (block_a >= 0 && a == nullptr) || (block_b >= 0 && b == nullptr)) {
    inverse.point = InverseMass(mass, jacobian, i);
    if (group >= 0) inverse.turning = InverseMass(mass, contacts.angular, group);
    return inverse;
  }
  const auto add = [&](const RigidMass* body, const Vec3& arm) {
    if (body == nullptr) return;
    inverse.point += body->PointTrace(arm);
    inverse.turning += body->inverse_inertia.trace();
  };
  add(a, rows->arm_a);
  add(b, rows->arm_b);
  return inverse;
}

// Of a contact's motion if nothing held the bodies, and of that before the step, what targets and scales ask for.
struct FreeMotion {
  double normal_before = 0;
  double normal = 0, sliding = 0, turning = 0;  // the last two as lengths
};
FreeMotion ComputeFreeMotion(const ContactSet& contacts, int i, const VecX& before, const VecX& free) {
  if (const BlockRows::Rigid* rows = contacts.jacobian.rigid(i); rows != nullptr) {
    const Vec3& n = rows->frame.normal;
    const RelativeMotion motion = ComputeRelativeMotion(contacts.jacobian, i, free);
    const double normal = n.dot(motion.point);
    return {n.dot(ComputeRelativeMotion(contacts.jacobian, i, before).point), normal,
            (motion.point - normal * n).norm(), motion.angular.norm()};
  }
  const PointMotion motion = ComputePointMotion(contacts, i, free);
  return {ComputePointMotion(contacts, i, before).contact[0], motion.contact[0], motion.contact.tail<2>().norm(),
          motion.angular.norm()};
}

// How a contact hits within the step, (T4f).
struct Impact {
  double target = -std::numeric_limits<double>::infinity();  // of the normal velocity after it
  double time = 0;                                           // from the configuration on
};
Impact FindImpact(const AssemblySettings& settings, double gap, double lost, const FreeMotion& free, double restitution,
                  double h, double skin, bool is_midpoint) {
  Impact impact;
  const double slow = settings.restitution_speed >= 0 ? settings.restitution_speed : 2 * skin / h;
  const bool bounces = restitution > 0 && free.normal_before < -slow;
  // what is open now and closes as bodies move hits in between, as one impact whatever the gap; what only the forces of
  // this step would close is no impact yet
  const bool hits = gap > skin && gap + h * free.normal_before < 0 && free.normal < 0;
  // no step has looked ahead for what starts or is released close to another: it may have hit on the way to the middle
  const bool has_hit =
      is_midpoint && lost == 0 && gap < -skin && free.normal_before < 0 && gap - 0.5 * h * free.normal_before >= 0;
  if (hits || has_hit) impact = {0, -gap / free.normal_before};
  if (!bounces || !(hits || has_hit || gap + h * free.normal_before <= skin)) return impact;
  impact.target = -restitution * free.normal_before;
  // forces act up to the impact and from it on: a ball that keeps its energy leaves faster than it came by what it
  // falls in between. Where they change the approach altogether they say nothing of it.
  const double change = free.normal - free.normal_before;
  if (is_midpoint && std::abs(change) <= std::abs(free.normal_before)) {
    const double before = 0.5 + impact.time / h;  // share of the step
    impact.target = std::max(-restitution * (free.normal_before + before * change) + (1 - before) * change, 0.0);
  }
  return impact;
}

// What of contact i follows from the motion: targets, (T4), and what residuals compare with. Returns the largest of the
// velocities that are to be turned back.
double FillMotion(const AssemblySettings& settings, const VecX& velocity, bool is_midpoint, int i,
                  ContactProblem* problem) {
  ContactSet& contacts = problem->contacts;
  const double h = problem->step, gap = contacts.GapAhead(i);
  const FreeMotion free = ComputeFreeMotion(contacts, i, velocity, problem->free_velocity);
  // what a free step closes: by gravity, or by whatever else presses
  const double skin = settings.contact_skin >= 0
                          ? settings.contact_skin
                          : h * std::max(problem->gravity * h, std::abs(free.normal - free.normal_before));
  const bool gives_way = contacts.surface(i).GivesWay();
  Impact impact =
      FindImpact(settings, gap, contacts.Lost(i), free, contacts.surface(i).restitution, h, skin, is_midpoint);
  if (gives_way && contacts.surface(i).restitution == 0) impact = {};
  contacts.restitution_target[i] = impact.target;
  contacts.impact_time[i] = impact.time;
  // what gives way takes its overlap back by its own force, (T4b)
  // what turning takes off the gap is no overlap, and has to be made up for at whatever speed
  const double target =
      gives_way ? -gap / h
                : GapTarget(contacts.gap[i], h, skin, settings.gap_correction, problem->CorrectionSpeed(i)) +
                      contacts.Lost(i) / h;
  // an overlap that an impact on the way has left is taken back by its shift
  contacts.normal_target[i] = impact.time < 0 ? impact.target : std::max(target, impact.target);
  contacts.waits[i] =
      static_cast<char>(!gives_way && contacts.surface(i).restitution > 0 && gap > skin && impact.time == 0);
  const InverseMasses inverse = ComputeInverseMasses(problem->mass, contacts, i);
  // a contact that moves nothing (two parts of one rigid whole) weighs like 1 kg, so that its residual is still a
  // number
  contacts.effective_mass[i] = inverse.point > 0 ? 3.0 / inverse.point : 1.0;
  double largest = std::max(std::abs(free.normal - std::max(contacts.normal_target[i], 0.0)), free.sliding);
  if (const int group = contacts.angular_group[i]; group >= 0) {
    const bool turns = inverse.point > 0 && inverse.turning > 0;
    Append(&contacts.angular_length, turns ? std::sqrt(inverse.point / inverse.turning) : contacts.shape_size[i]);
    largest = std::max(largest, contacts.angular_length.back() * free.turning);
  }
  return largest;
}

// Rows of constraints at the velocities that the step is expected to end with: what they have there less what they have
// now, (T3c).
VecX ConstraintCurvature(const Model& model, const MotionState& state, double h, const VecX& expected,
                         AssemblyWorkspace* work) {
  work->between = state;
  work->between.v = expected;
  Drift(model, 0.5 * h, &work->between);
  if (work->ahead.X_WB.size() == model.bodies.size()) {
    UpdateKinematics(model, work->between, &work->ahead);
  } else {
    ComputeKinematics(model, work->between, &work->ahead);
  }
  VecX there(work->constraints.jacobian.rows()), here(there.size());
  EvaluateRowVelocities(model, work->ahead, work->between, &there);
  work->constraints.jacobian.Multiply(expected, here);
  return there - here;
}

// Rows that hold a given rate have it at the end of the step.
void SetEndRates(const Model& model, double end, ConstraintRows* rows) {
  for (int g = 0; g < rows->jacobian.groups(); ++g) {
    const ConstraintKind& kind = model.constraints[rows->constraint[g]].kind;
    double& rate = rows->rate[rows->jacobian.first_row(g)];
    if (const auto* coupling = std::get_if<CouplingConstraint>(&kind)) rate = coupling->rate(end);
    const auto* motion = std::get_if<MotionConstraint>(&kind);
    if (motion != nullptr && motion->q_index < 0) rate = motion->function(end);
  }
}

}  // namespace

const SettingTable<AssemblySettings>& AssemblySettings::Table() {
  using S = AssemblySettings;
  static const SettingTable<S> table = {
      {&S::contact_skin, "contact_skin", "m",
       "gap up to which a contact counts as closed; negative: what a free step closes"},
      {&S::gap_correction, "gap_correction", "",
       "share of a closed contact's gap or overlap taken away in a step; 0: velocity level", Between(0, 1)},
      {&S::correction_speed, "correction_speed", "m/s",
       "fastest correction of a penetration; negative: that of a fall by the shapes' size"},
      {&S::drift_correction, "drift_correction", "", "share of the constraints' drift taken away in a step",
       Between(0, 1)},
      {&S::restitution_speed, "restitution_speed", "m/s",
       "approach below which nothing bounces; negative: twice what the forces of a step give"},
  };
  return table;
}

namespace {

bool IsKnown(const VecX* change, const MotionState& state) {
  return change != nullptr && change->size() == state.v.size();
}

}  // namespace

AssemblyWorkspace::AssemblyWorkspace(const Model& model) {
  for (const ModelShape& shape : model.shapes) {
    const int tree = model.TreeOf(shape.body);
    const bool is_free = tree < 0 || (model.bodies[shape.body].floats && model.trees.size[tree] == 6);
    shapes.push_back({shape.body, tree, is_free, shape.material, SmallestHalfExtent(shape.geometry)});
  }
}

void AssembleFreeMotion(const Model& model, const MotionState& state, double h, const Expectation& expectation,
                        const std::vector<DriveMode>& drive_modes, AssemblyWorkspace* work, Kinematics* kin,
                        ContactProblem* problem) {
  problem->time = state.time;
  problem->step = h;
  problem->velocity = state.v;
  problem->expected_mean = state.v;
  if (IsKnown(expectation.velocity_change, state)) problem->expected_mean += 0.5 * *expectation.velocity_change;
  ComputeMassMatrix(model, *kin, &work->dynamics, &problem->mass);
  ComputeGravityForces(model, *kin, &work->dynamics, &work->gravity);
  ComputeAppliedForces(model, *kin, state.time, &work->applied);
  work->force = work->applied + work->gravity;
  // springs pull with the velocities ahead in the step, (T2b)
  AddStepSprings(model, *kin, state.v, problem->expected_mean, h, expectation.at_end, &problem->spring_shares,
                 &problem->mass, &work->force);
  // drives of joints likewise, (T4e)
  AddDrives(model, state, drive_modes, h, expectation.at_end, &problem->drive_aims, &problem->mass, &work->force);
  problem->mass_is_singular = !problem->mass.Factorize();
  // what is not yet released stays where it is, whatever acts on it
  const auto hold_waiting = [&](VecX* values) {
    for (std::size_t i = state.released; i < model.releases.size(); ++i) {
      values->segment<6>(model.bodies[model.releases[i].body].v_offset).setZero();
    }
  };
  hold_waiting(&work->applied);
  // Coriolis forces of linked bodies are those of the step's mean velocity, which depends on them: a contraction by the
  // angle that bodies turn by in the step
  const bool is_implicit = !expectation.at_end && !model.linked_bodies.empty();
  for (int round = 1;; ++round) {
    double turning = 0;
    if (is_implicit) {
      work->between.v = problem->expected_mean;
      SetLinkedVelocities(model, work->between.v, kin);
      for (const int i : model.linked_bodies) turning = std::max(turning, kin->angular_velocity[i].norm());
    }
    (expectation.lone_bodies ? ComputeBiasForces : ComputeLinkedBiasForces)(model, *kin, &work->dynamics, &work->bias);
    VecX& free = problem->free_velocity;
    free = h * (work->force - work->bias);
    problem->mass.SolveInPlace(free);
    free += state.v;
    hold_waiting(&free);
    if (!is_implicit || problem->mass_is_singular || !free.allFinite()) return;
    // where impulses act, what they leave of the free motion is expected to be as in the last step
    for (int tree = 0; tree < model.trees.count(); ++tree) {
      const int first = model.trees.offset[tree], count = model.trees.size[tree];
      const bool is_acted_on =
          IsKnown(expectation.impulse_change, state) && !expectation.impulse_change->segment(first, count).isZero(0);
      if (!is_acted_on) work->between.v.segment(first, count) = 0.5 * (state.v + free).segment(first, count);
    }
    const double change = (work->between.v - problem->expected_mean).lpNorm<Eigen::Infinity>();
    const double size = std::max((free - state.v).lpNorm<Eigen::Infinity>(), model.gravity.norm() * h);
    if (h * turning * change <= kCoriolisTolerance * size || round == kMostCoriolis) return;
    problem->expected_mean = work->between.v;
  }
}

void AssembleRows(const Model& model, const MotionState& state, const Kinematics& kin, const RowSources& sources,
                  double h, const AssemblySettings& settings, AssemblyWorkspace* work, ContactProblem* problem) {
  // bilateral rows with their drift taken back, (T3)
  EvaluateConstraints(model, kin, state, h, &work->constraints);
  const Expectation& expectation = sources.expectation;
  if (!expectation.at_end) SetEndRates(model, state.time + 0.5 * h, &work->constraints);
  problem->bilateral.jacobian = work->constraints.jacobian;
  problem->bilateral.rate = work->constraints.rate;
  problem->bilateral.drift = work->constraints.drift;
  problem->bilateral.target = work->constraints.rate - (settings.drift_correction / h) * work->constraints.drift;
  if (!expectation.at_end && problem->bilateral.jacobian.rows() > 0) {
    VecX expected = state.v;
    if (IsKnown(expectation.velocity_change, state)) expected += *expectation.velocity_change;
    problem->bilateral.target -= ConstraintCurvature(model, state, h, expected, work);
  }
  if (*sources.redundant_rows < 0) {
    *sources.redundant_rows = CountRedundantRows(problem->mass, problem->bilateral.jacobian);
  }
  problem->bilateral.contradict = false;
  if (*sources.redundant_rows > 0) {
    RowTarget reachable = ReachableTarget(problem->mass, problem->bilateral.jacobian, problem->free_velocity,
                                          problem->bilateral.target, h);
    problem->bilateral.target = std::move(reachable.target);
    problem->bilateral.contradict = reachable.contradicts;
  }

  AssembleBounded(model, state, kin, sources, h, settings, work, problem);
  problem->correction_speed = settings.correction_speed;
  problem->gravity = model.gravity.norm();

  // contacts
  ContactSet& contacts = problem->contacts;
  contacts.Reset(model.trees, static_cast<int>(sources.chosen.size()));
  for (const PairProperties& pair : model.pairs) contacts.surfaces.push_back(SurfaceOf(pair, h));
  const ContactMemory& memory = sources.contacts;
  if (contacts.slots != sources.contact_slots) contacts.slots = sources.contact_slots;
  contacts.memory.assign(sources.chosen.size() * TotalSize(contacts.slots), 0.0);
  const double* values = memory.slots == contacts.slots && !memory.values.empty() ? memory.values.data() : nullptr;
  double scale = problem->gravity * h;
  contacts.curvature.clear();
  if (!expectation.at_end) contacts.curvature.assign(contacts.size(), Vec3::Zero());
  if (!sources.lost.empty()) {
    for (const int number : sources.chosen) contacts.lost.push_back(sources.lost[number]);
  }
  int hint = 0;
  for (int i = 0; i < contacts.size(); ++i) {
    const ContactPoint& point = sources.points[sources.chosen[i]];
    FillContact(model, work->shapes, kin, point, i, &contacts);
    const int body_a = work->shapes[point.shape_a()].body, body_b = work->shapes[point.shape_b()].body;
    Recall(memory, values, kin, body_a, body_b, point.normal, h, i, &hint, &contacts);
    scale = std::max(scale, FillMotion(settings, state.v, !expectation.at_end, i, problem));
    // of contacts that are or will be closed without an impact; one that is new moves with the bodies
    const ContactHistory& history = contacts.history[i];
    const bool is_loaded = history.normal_force > 0;
    if (expectation.at_end || std::isfinite(contacts.restitution_target[i])) continue;
    if (!is_loaded && contacts.gap[i] > problem->gravity * h * h) continue;
    const Vec3& at = contacts.position[i];
    const Vec3 moved = is_loaded ? Vec3(at - history.position)
                                 : Vec3(0.5 * h * (kin.VelocityOfPoint(body_a, at) + kin.VelocityOfPoint(body_b, at)));
    contacts.curvature[i] = ContactCurvature(model, kin, *problem, i, body_a, body_b, moved);
  }
  problem->velocity_scale = std::max(scale, ScaleOutsideContacts(*problem));
  for (int i = 0; i < contacts.size(); ++i) {
    if (contacts.waits[i]) contacts.normal_target[i] -= kWaitingRoom * problem->velocity_scale;
  }
}

double ScaleOutsideContacts(const ContactProblem& problem) {
  double scale = 0;
  const auto include = [&](const BlockRows& rows, const VecX& target) {
    if (target.size() == 0) return;
    VecX velocities(target.size());
    rows.Multiply(problem.free_velocity, velocities);
    scale = std::max(scale, (velocities - target).lpNorm<Eigen::Infinity>());
  };
  include(problem.bilateral.jacobian, problem.bilateral.target);
  include(problem.bounded.jacobian, problem.bounded.target);
  // what is below the rounding of the velocities themselves is no error
  if (problem.free_velocity.size() == 0) return scale;
  return std::max(scale, kRounding * problem.free_velocity.lpNorm<Eigen::Infinity>());
}

}  // namespace slipstick::internal
