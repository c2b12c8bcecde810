#pragma once

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/base/pose.h"

// A robot as a URDF file has it (wiki.ros.org/urdf/XML), in SI units, before it becomes a scene.

namespace slipstick::internal {

struct UrdfBox {
  Vec3 size = Vec3::Zero();  // full lengths
};
struct UrdfCylinder {
  double radius = 0, length = 0;
};
struct UrdfCapsule {
  double radius = 0, length = 0;  // between the centres of its ends
};
struct UrdfSphere {
  double radius = 0;
};
struct UrdfMesh {
  std::filesystem::path file;
  std::vector<Vec3> corners;  // of its convex hull, scaled
};
using UrdfGeometry = std::variant<UrdfBox, UrdfCylinder, UrdfCapsule, UrdfSphere, UrdfMesh>;

struct UrdfShape {
  std::string name;  // may be empty
  Pose origin;       // in the link's frame
  UrdfGeometry geometry;
};

struct UrdfInertial {
  double mass = 0;
  Vec3 com = Vec3::Zero();      // in the link's frame
  Mat3 inertia = Mat3::Zero();  // about the centre of mass, along the link's axes
};

struct UrdfLink {
  std::string name;
  int line = 0;
  std::optional<UrdfInertial> inertial;
  std::vector<UrdfShape> visuals, collisions;
};

enum class UrdfJointType { kRevolute, kContinuous, kPrismatic, kFixed, kFloating, kPlanar };

// q = multiplier · q of another joint + offset. After reading, the other joint mimics nothing itself: what mimics a
// mimic has been followed to its end, and what is fixed is a joint of −1 with a multiplier of 0.
struct UrdfMimic {
  std::string name;
  int joint = -1;
  double multiplier = 1, offset = 0;
};

struct UrdfJoint {
  static constexpr double kUnlimited = std::numeric_limits<double>::infinity();

  bool has_limits() const { return lower > -kUnlimited || upper < kUnlimited; }
  // one coordinate, along or about its axis
  bool is_single() const {
    return type == UrdfJointType::kRevolute || type == UrdfJointType::kContinuous || type == UrdfJointType::kPrismatic;
  }

  std::string name;
  int line = 0;
  UrdfJointType type = UrdfJointType::kFixed;
  int parent = -1, child = -1;  // links
  Pose origin;                  // of the child's frame in the parent's, where the coordinate is 0
  Vec3 axis = Vec3::UnitX();    // in the child's frame
  double effort = 0;            // most of what drives it [N or N m]; 0: not given
  double lower = -kUnlimited, upper = kUnlimited;
  double position = 0;  // at the start: 0, or the nearest to it that its limits and those that mimic it allow
  double damping = 0, friction = 0;
  std::optional<UrdfMimic> mimic;
};

struct UrdfRobot {
  std::string name;
  std::filesystem::path file;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  int root = -1;                           // the link that is nobody's child
  std::vector<int> joint_of_child;         // of each link: the joint that it is the child of; −1 for the root
  std::vector<int> order;                  // links, parents before children
  std::vector<int> body_of;                // of each link: the topmost of those that are fixed to each other
  std::vector<Pose> in_body;               // and where it is in that one's frame
  std::vector<std::vector<int>> links_of;  // of each topmost link: those fixed to it, itself first; of others none
  std::vector<std::string> remarks;        // what was left out
};

// Mass, centre and inertia of links that are fixed to each other, in the frame of the topmost; 0 where none has a mass.
UrdfInertial BodyInertial(const UrdfRobot& robot, int body);

// Throws an InputError with everything that is wrong with the file: not well-formed, a document type (whose entities
// may grow without bound), unknown or missing links, links with two parents, loops, several roots, bodies that move
// with masses and inertias that none has or that do not fit their size (units), meshes that are not there, joints that
// mimic each other or cannot be where those do that they mimic.
UrdfRobot ReadUrdf(const std::filesystem::path& file);

}  // namespace slipstick::internal
