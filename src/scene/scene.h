#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/base/joint.h"
#include "slipstick/base/pose.h"
#include "slipstick/base/settings.h"
#include "slipstick/base/time_function.h"
#include "slipstick/geometry/shape.h"

// A scene as plain data: what a scene file says, with units SI and every default filled in. Names refer to other parts
// of the same scene. docs/scene-format.md describes the file. A scene that is filled in code has the same defaults, and
// Validate, below, has the same words for what is wrong with it.

namespace slipstick {

// Contact properties of one surface or of a pair of surfaces. What is not given for a pair is combined from both
// surfaces, docs/scene-format.md.
struct ScenePairProperties {
  std::optional<double> friction;              // μ; static where friction_kinetic is given too
  std::optional<double> friction_kinetic;      // μ of sliding, ≤ friction; equal to friction where not given
  std::optional<double> restitution;           // e, 0 … 1
  std::optional<double> rolling_friction;      // ρ [m]
  std::optional<double> spinning_friction;     // σ [m]
  std::optional<double> tangential_stiffness;  // kT [N/m], may be infinite
  std::optional<double> normal_stiffness;      // kN [N/m], may be infinite; not beside young_modulus
  // of the bulk, for contacts after Hertz and Mindlin; never given for a pair
  std::optional<double> young_modulus;  // E [Pa], may be infinite
  std::optional<double> poisson_ratio;  // ν

  bool operator==(const ScenePairProperties&) const = default;
};

struct SceneMaterial {
  std::string name;
  ScenePairProperties properties;

  bool operator==(const SceneMaterial&) const = default;
};

struct SceneMaterialPair {
  std::array<std::string, 2> between;  // names of materials, may be equal
  ScenePairProperties properties;

  bool operator==(const SceneMaterialPair&) const = default;
};

// A hull that is drawn by chance: points on an ellipsoid.
struct StonePlan {
  static constexpr int kFewestPoints = 8, kMostPoints = 200;
  Vec3 half_axes = Vec3::Zero();
  int points = 20;

  bool operator==(const StonePlan&) const = default;
};

struct SceneShape {
  std::string name;  // unique within its body; made up where not given
  ShapeGeometry geometry;
  Pose pose;             // in the body's frame, X_BS
  std::string material;  // "" : the default material
  bool collides = true;
  std::optional<StonePlan> stone;  // what the geometry was drawn from; a group draws it anew for each body

  bool operator==(const SceneShape&) const = default;
};

struct SceneBody {
  std::string name;
  double mass = 0;                       // [kg]
  Vec3 com = Vec3::Zero();               // in the body's frame
  Mat3 inertia = Mat3::Zero();           // about the centre of mass, along the body's axes [kg m²]
  Pose pose;                             // X_WB at t = 0; used by bodies without a joint
  Vec3 linear_velocity = Vec3::Zero();   // of the body's origin at t = 0, world axes
  Vec3 angular_velocity = Vec3::Zero();  // at t = 0, world axes
  double release = 0;                    // [s]: takes no part before; only bodies without a joint
  std::vector<SceneShape> shapes;

  bool operator==(const SceneBody&) const = default;
};

// Bodies that were made from one template: those from `first` on in Scene::bodies.
struct SceneGroup {
  std::string name;
  int first = 0, count = 0;

  bool operator==(const SceneGroup&) const = default;
};

// One elementary joint; a SceneJoint is a chain of one or more.
struct SceneJointLink {
  std::string name;
  JointType type = JointType::kRevolute;
  Vec3 axis = Vec3::UnitZ();         // unit; revolute, prismatic, cylindrical, planar (normal), universal (first axis)
  Vec3 second_axis = Vec3::UnitX();  // unit; universal only, perpendicular to `axis` in the configuration zero
  std::vector<double> position;      // coordinates at t = 0, as many as the joint has (free: quaternion w x y z, then
                                     // x y z; spherical: quaternion); empty: zero
  std::vector<double> velocity;      // as many as the joint's velocities; empty: zero
  double friction = 0;               // limit of dry friction in each velocity of the joint [N or N m]
  std::optional<double> static_friction;        // the same at rest, no less; equal to friction where not given
  double viscous_friction = 0;                  // added to it for each rad/s or m/s
  std::optional<std::array<double, 2>> limits;  // least and most of the coordinate; revolute, prismatic
  BearingFriction bearing;                      // revolute, prismatic
  std::optional<double> effort_limit;           // most that drives of this joint can do [N or N m]

  bool operator==(const SceneJointLink&) const = default;
};

// Connects `child` to `parent` through its links, one after the other: the first link's frame is parent_frame in the
// parent, each further link starts where the one before ends, and the last one ends at child_frame in the child.
struct SceneJoint {
  std::string name;
  std::string parent = "world";
  std::string child;
  Pose parent_frame;  // X_PF
  Pose child_frame;   // X_BM
  std::vector<SceneJointLink> links;

  bool operator==(const SceneJoint&) const = default;
};

enum class ConstraintType { kLoop, kDistance, kMotion, kCoupling, kRolling, kKnifeEdge };

// A bilateral constraint, docs/theory.md. Which fields count depends on the type.
struct SceneConstraint {
  std::string name;
  ConstraintType type = ConstraintType::kLoop;
  // loop, distance: two bodies ("world" allowed) with a frame each. rolling: bodies[0] rolls on bodies[1].
  // knife edge: bodies[0].
  std::array<std::string, 2> bodies;
  std::array<Pose, 2> frames;
  JointType loop_joint = JointType::kSpherical;  // loop: what stays free; axis of revolute & co is z of the frames
  // rolling: names of the shapes that touch: a disk or sphere of bodies[0] on a plane of bodies[1]
  std::array<std::string, 2> shapes;
  // knife edge: no velocity of the point along the direction, both fixed in bodies[0]
  Vec3 point = Vec3::Zero();
  Vec3 direction = Vec3::UnitY();
  // motion: joint link and coordinate number; coupling: Σ ratios · velocities = rate
  struct Coordinate {
    std::string joint;  // name of a joint link (or of a joint with one link)
    int index = 0;
    double ratio = 1;
    double slide = 0;

    bool operator==(const Coordinate&) const = default;
  };
  std::vector<Coordinate> coordinates;
  // motion: position(t) of the coordinate (drift is corrected) or its rate(t); distance: length(t); coupling: rate(t)
  std::optional<TimeFunction> position;
  std::optional<TimeFunction> rate;
  // loop, revolute or prismatic: limit of dry friction [N or N m], and what grows with the load. coupling: μ of the
  // teeth
  double friction = 0;
  BearingFriction bearing;

  bool operator==(const SceneConstraint&) const = default;
};

enum class DriveType { kSpring, kServo, kMotor };

// What drives a velocity of a joint, docs/theory.md (T4e).
struct SceneDrive {
  std::string name;
  DriveType type = DriveType::kServo;
  std::string joint;   // name of a joint link
  int coordinate = 0;  // of that joint
  double stiffness = 0, damping = 0;
  TimeFunction position;  // of spring and servo
  TimeFunction velocity;  // of a motor
  std::optional<double> effort;

  bool operator==(const SceneDrive&) const = default;
};

// A force as a function of time, on a point of a body or on a joint coordinate; or a spring between two points.
struct SceneForce {
  std::string name;
  std::string body;                    // or
  std::array<std::string, 2> between;  // bodies of a spring, or
  std::string joint;                   // name of a joint link
  int coordinate = 0;                  // of that joint
  Vec3 point = Vec3::Zero();           // in the body's frame
  bool in_body_axes = false;           // axes of force and torque: the world's or the body's
  std::array<TimeFunction, 3> force;
  std::array<TimeFunction, 3> torque;
  TimeFunction effort;  // on the joint coordinate
  // spring: where its ends are in the bodies' frames, k [N/m], d [N s/m], length without load [m]
  std::array<Vec3, 2> points = {Vec3::Zero(), Vec3::Zero()};
  double stiffness = 0, damping = 0, length = 0;

  bool is_spring() const { return !between[0].empty(); }
  bool operator==(const SceneForce&) const = default;
};

// How much a recording holds: all there is in double precision, or what a replay needs, the poses rounded.
enum class RecordingDetail { kFull, kReplay };

struct SceneOutput {
  std::optional<double> every;  // [s] of simulated time between samples; 0: every step
  std::optional<RecordingDetail> record;
  // Recorded too: of each sample at most so many, the strongest.
  std::optional<std::size_t> contacts;
  static constexpr std::size_t kAllContacts = static_cast<std::size_t>(-1);
  std::vector<std::string> bodies;  // whose motion the report plots; empty: all, up to a dozen

  bool operator==(const SceneOutput&) const = default;
};

// What is measured, at the end of a run or (distance, turns) over all of its steps. Which fields count depends on the
// type.
enum class MeasureType { kAngleOfRepose, kOutside, kDistance, kTurns };

struct SceneMeasure {
  std::string name;
  MeasureType type = MeasureType::kAngleOfRepose;
  std::string group;  // of bodies; empty: all bodies
  // angle of repose (measure/angle_of_repose.h)
  double floor = 0;             // [m]
  std::optional<Vec2> axis;     // [m]
  std::optional<double> reach;  // [m]
  // outside: which bodies have their origin outside of this box
  Vec3 center = Vec3::Zero(), size = Vec3::Zero();  // [m], full lengths
  // distance: how far points of a body come from a point of another, or from a line where there is a direction
  std::string body, from = "world";
  std::vector<Vec3> points = {Vec3::Zero()};  // in the body's frame [m]
  Vec3 through = Vec3::Zero();                // in the frame of `from` [m]
  std::optional<Vec3> along;                  // unit, in the frame of `from`
  Vec3 turn_axis = Vec3::UnitZ();             // turns: how far the body has turned about it, unit, world

  bool operator==(const SceneMeasure&) const = default;
};

// A number of the scene that may be changed while it runs.
struct SceneParameter {
  std::string name, unit;
  std::vector<std::string> keys;  // paths as in --set; all take the same value
  double least = 0, most = 0;
  double value = 0;  // that of the first key

  bool operator==(const SceneParameter&) const = default;
};

// Shapes of a body, or one of them.
struct SceneShapes {
  std::string body;   // may be world
  std::string shape;  // "": all

  bool operator==(const SceneShapes&) const = default;
};

struct Scene {
  std::string name;  // file name without its ending
  std::string file;
  std::string title;
  std::string description;
  std::string source;  // paper, table
  Vec3 gravity = Vec3(0, 0, -9.81);
  SceneMaterial default_material = {"default", {}};
  std::vector<SceneMaterial> materials;
  std::vector<SceneMaterialPair> pairs;
  std::vector<SceneShape> world_shapes;
  std::vector<SceneBody> bodies;                       // those of the groups too
  std::vector<std::array<SceneShapes, 2>> no_contact;  // pairs that never touch
  std::vector<SceneGroup> groups;
  std::vector<SceneJoint> joints;
  std::vector<SceneConstraint> constraints;
  std::vector<SceneForce> forces;
  std::vector<SceneDrive> drives;
  std::vector<SceneMeasure> measures;
  std::vector<SceneParameter> parameters;
  SceneOutput output;

  // Chosen by name, settings checked by whoever knows them (stepping/method_catalog).
  std::string law = "coulomb";
  GivenSettings law_settings;
  std::string solver = "auto";
  GivenSettings solver_settings;
  std::string stepper = "time-stepping";
  GivenSettings stepper_settings;  // step, duration, position_update, contact margin …
  GivenSettings certificate_settings;

  // With more bodies than this, output that was not asked for in full is thinned (run/sampling.h).
  static constexpr std::size_t kManyBodies = 200;
  bool has_many_bodies() const { return bodies.size() > kManyBodies; }

  // The text of the file, with the overrides of this run appended as comments.
  std::string effective_text;
  // These overrides, key and value, as they were given from outside of the file.
  std::vector<std::pair<std::string, std::string>> overrides;

  // Line in `file` where a key such as bodies.wheel or law.vth stands; 0 where it does not (set on the command line, or
  // a default). Keys inside of a body are not listed.
  std::map<std::string, int> lines;

  // Adds file and line to faults that know only their key, as those of the settings.
  std::vector<Fault> Locate(std::vector<Fault> faults) const;

  // Whether both mean the same, to the last digit; the text that they were read from does not count.
  bool operator==(const Scene& other) const;
};

// Everything that is wrong with a scene, however it was made: names, references, ranges, joints that form no tree.
// Keys are those of a scene file, as in bodies.wheel.mass; what has no name goes by its number. Empty where the scene
// can be compiled. Which laws, solvers and settings there are is not known here (simulation/prepare.cpp).
std::vector<Fault> Validate(const Scene& scene);

}  // namespace slipstick
