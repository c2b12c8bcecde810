#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/base/joint.h"
#include "slipstick/base/pose.h"
#include "slipstick/base/surface_properties.h"
#include "slipstick/base/time_function.h"
#include "slipstick/geometry/shape.h"
#include "slipstick/math/block_diagonal.h"
#include "slipstick/math/free_rotation.h"
#include "slipstick/state/state.h"

namespace slipstick::internal {

constexpr std::size_t kMostShapes = 1 << 20;  // contacts are known by the numbers of their shapes, 20 bits each
constexpr int kWorld = -1;                    // stands for the world where a body is asked for

// A rigid body with its inboard joint, which connects it to its parent. Bodies are ordered so that a parent comes
// before its children and the bodies of a tree are consecutive. Links without mass inside a chain of joints are bodies
// too.
struct ModelBody {
  // What every step asks of every body comes first, so that it shares few lines of the cache.
  double mass = 0;
  Vec3 com = Vec3::Zero();      // p_BC
  Mat3 inertia = Mat3::Zero();  // about the centre of mass, body axes
  int parent = kWorld;
  int tree = 0;
  int v_offset = 0, v_count = 0;
  int q_offset = 0, q_count = 0;
  JointType joint = JointType::kFree;
  // Held by nothing, its frame the joint's, so that its velocities are (ω, v) of its origin in world axes: what the
  // bodies of a heap are, and worth a short way.
  bool floats = false;
  int release_number = -1;  // among Model::releases; −1 where the body takes part from the start

  int joined_to = kWorld;  // nearest ancestor that is a body of the user's, past the links of a chain
  int group = 0;  // topmost body that this one is rigidly one with, through fixed joints; kWorld where that is it
  bool is_link = false;  // a massless link that a chain of joints made, not a body of the user's
  std::string name;
  std::string joint_name;
  Pose X_PF;  // the joint's frame in the parent
  Pose X_MB;  // the body in the joint's moving frame
  Vec3 axis = Vec3::UnitZ();
  Vec3 second_axis = Vec3::UnitX();
  // What follows from these and spares revolute and prismatic joints half of their way: the axis in the parent's frame,
  // the way from the moving frame's origin to the body's along the body's axes, and which of the two frames are turned.
  Vec3 axis_P = Vec3::UnitZ(), arm_B = Vec3::Zero();
  bool turned_in_parent = false, turned_on_body = false;
  // Velocities of all joints that carry the body and of its own, ascending, in runs of numbers that follow each other:
  // so many of Model::velocity_runs from one on.
  int first_run = 0, run_count = 0;

  void SetFrames(const Pose& in_parent, const Pose& body_in_moving);
};

// What resists the motion of a body's joint, docs/theory.md (T4c), (T4d).
struct JointResistance {
  int body = 0;
  double kinetic = 0, fixed = 0, viscous = 0;  // limits of friction in each velocity: moving, at rest, for each 1/s
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  BearingFriction bearing;  // of a revolute or prismatic joint

  bool has_friction() const { return fixed > 0 || viscous > 0 || bearing.exists(); }
  bool has_stops() const { return std::isfinite(lower) || std::isfinite(upper); }
  // Nothing but one limit of friction.
  bool is_dry_friction() const { return viscous == 0 && fixed == kinetic && !has_stops() && !bearing.exists(); }
};

// What drives a velocity of a joint, docs/theory.md (T4e): an effort k (position(t) − q) + d (rate − v) within a limit,
// or whatever effort within the limit gives it a velocity.
struct JointDrive {
  enum class Kind {
    kSpring,  // rate is 0: a spring with a damper
    kServo,   // rate is that of the position
    kMotor    // holds velocity(t)
  };
  std::string name;
  Kind kind = Kind::kSpring;
  int q_index = 0, v_index = 0;
  double stiffness = 0, damping = 0;  // k, d
  TimeFunction position, velocity;
  double most_effort = std::numeric_limits<double>::infinity();
  // Targets that a program has fed in, in place of the functions; not a number: none.
  double given_position = std::numeric_limits<double>::quiet_NaN();
  double given_velocity = std::numeric_limits<double>::quiet_NaN();

  double PositionAt(double time) const { return std::isnan(given_position) ? position(time) : given_position; }
  double VelocityAt(double time) const { return std::isnan(given_velocity) ? velocity(time) : given_velocity; }
};

// A free body that takes part from a time on, and the velocity it then has. Before, it is not moved and touches
// nothing.
struct BodyRelease {
  double time = 0;
  int body = 0;
  Eigen::Matrix<double, 6, 1> velocity;  // angular, then linear, as the free joint's
};

struct ModelShape {
  std::string name;
  int body = kWorld;
  ShapeGeometry geometry;
  Pose X_BS;
  int material = 0;
  bool collides = true;
};

// What a pair of touching materials does.
struct PairProperties : SurfaceProperties {
  // How the contact gives way along its normal: a spring and Hertz's law in series, either of them rigid where
  // infinite.
  double normal_stiffness = std::numeric_limits<double>::infinity();  // [N/m]
  double contact_modulus = std::numeric_limits<double>::infinity();   // E* [Pa], 1/E* = Σ (1 − ν²)/E
  double shear_modulus = std::numeric_limits<double>::infinity();     // G* [Pa], 1/G* = Σ (2 − ν)/G, Mindlin's

  bool has_moments() const { return rolling > 0 || spinning > 0; }
  bool is_compliant() const { return std::isfinite(normal_stiffness) || std::isfinite(contact_modulus); }
};

// Bilateral constraints, docs/theory.md §3. Rows hold at the velocity level, A v = u(q, t).
enum class LoopKind { kFixed, kRevolute, kPrismatic, kSpherical, kUniversal, kCylindrical, kPlanar };

struct LoopConstraint {
  LoopKind kind = LoopKind::kSpherical;
  std::array<int, 2> body = {kWorld, kWorld};
  std::array<Pose, 2> frame;
  // of what stays free in a revolute or prismatic loop
  double friction = 0;  // limit of dry friction [N or N m]
  BearingFriction bearing;

  bool has_friction() const { return friction > 0 || bearing.exists(); }
};
struct DistanceConstraint {
  std::array<int, 2> body = {kWorld, kWorld};
  std::array<Vec3, 2> point;
  TimeFunction length;
};
// One coordinate follows a function of time, given as its position or as its rate.
struct MotionConstraint {
  int q_index = -1;  // −1 where only the rate is prescribed
  int v_index = 0;
  TimeFunction function;
};
struct CouplingConstraint {                   // Σ ratio_i v_i = rate(t)
  std::vector<std::pair<int, double>> terms;  // v index, ratio
  TimeFunction rate;
  // Teeth rub: Σ slide_i v_i is resisted by up to μ times the multiplier of the row above.
  double friction = 0;
  std::vector<std::pair<int, double>> sliding;  // v index, slide
};
// A disk or sphere rolls on a plane without slipping: the touching point of the body moves with the plane.
struct RollingConstraint {
  int shape = 0;
  int plane_shape = 0;
};
// The point of a body has no velocity along a direction fixed in the body.
struct KnifeEdgeConstraint {
  int body = 0;
  Vec3 point = Vec3::Zero();
  Vec3 direction = Vec3::UnitY();
};
using ConstraintKind = std::variant<LoopConstraint, DistanceConstraint, MotionConstraint, CouplingConstraint,
                                    RollingConstraint, KnifeEdgeConstraint>;
struct ModelConstraint {
  std::string name;
  ConstraintKind kind;
};

struct BodyForce {
  int body = 0;
  Vec3 point = Vec3::Zero();
  bool in_body_axes = false;
  std::array<TimeFunction, 3> force, torque;
};
struct JointEffort {
  int v_index = 0;
  TimeFunction effort;
};

// Pulls two points together with k (l − l₀) + d l̇, docs/theory.md (T2b).
struct PointSpring {
  std::string name;
  std::array<int, 2> body = {kWorld, kWorld};
  std::array<Vec3, 2> point;
  double stiffness = 0, damping = 0, length = 0;
};

// A body that floats without friction of its joint and carries no other: what the bodies of a heap are. What every step
// asks of it, together.
struct LoneBody {
  int body = 0, tree = 0;
  int q_offset = 0, v_offset = 0;
  bool is_ball = false;  // as to its mass: the same inertia in all axes, the origin at its centre
  int release_number = -1;
  double mass = 0;
  Vec3 com = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
  FreeRotation rotation;
};

// The compiled system of trees. Made by CompileModel (compile_model.h) and constant from then on, but for numbers that
// a program feeds in between steps (simulation/apply_inputs.h).
struct Model {
  std::vector<ModelBody> bodies;
  std::vector<LoneBody> lone_bodies;               // by release_number, so that those that wait come last
  std::vector<int> linked_bodies;                  // all others, ascending
  std::vector<std::pair<int, int>> velocity_runs;  // first velocity, and one past the last; of linked bodies
  std::vector<char> tree_is_lone;                  // of each tree: that it is a lone body
  std::vector<ModelShape> shapes;                  // those of the bodies first, then the world's
  std::vector<std::string> materials;
  std::vector<PairProperties> pairs;                      // materials × materials, symmetric
  std::vector<std::pair<int, int>> excluded_shape_pairs;  // sorted, first < second: never in contact
  std::vector<ModelConstraint> constraints;
  std::vector<BodyForce> body_forces;
  std::vector<JointEffort> joint_efforts;
  std::vector<PointSpring> springs;
  std::vector<JointDrive> drives;
  Vec3 gravity = Vec3::Zero();
  BlockLayout trees;  // the velocities of each tree
  int q_size = 0;
  std::vector<JointResistance> joint_resistances;
  std::vector<BodyRelease> releases;  // in the order of time, then of the bodies
  MotionState initial_state;
  VecX given_efforts;                          // fed in, on each velocity; empty: none
  std::vector<Inputs::Wrench> given_wrenches;  // fed in

  int v_size() const { return trees.total; }
  // The lone bodies that take part where so many of the releases have happened.
  std::span<const LoneBody> LoneBodies(int released) const;
  const PairProperties& Pair(int shape_a, int shape_b) const {
    return pairs[shapes[shape_a].material * materials.size() + shapes[shape_b].material];
  }
  // Bodies of one group never move against each other.
  int GroupOf(int body) const { return body == kWorld ? kWorld : bodies[body].group; }
  // Tree whose velocities move the body; −1 for the world and for what is fixed to it.
  int TreeOf(int body) const { return GroupOf(body) == kWorld ? -1 : bodies[body].tree; }
  // Whether the body is still to be released where so many of the releases have happened.
  bool IsWaiting(int body, int released) const { return body != kWorld && bodies[body].release_number >= released; }
  // Whether contact between two shapes is looked for: not within a rigid group, not between groups that a joint
  // connects (their shapes usually overlap there).
  bool MayTouch(int shape_a, int shape_b) const;
  // One name for each coordinate and each velocity, such as "wheel.x" or "hinge".
  std::vector<std::string> CoordinateNames() const;
  std::vector<std::string> VelocityNames() const;
};

}  // namespace slipstick::internal
