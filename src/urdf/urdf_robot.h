#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/base/pose.h"

// A robot as a URDF file has it (wiki.ros.org/urdf/XML), in SI units, before it becomes a scene.

namespace slipstick {

struct UrdfBox {
  Vec3 size = Vec3::Zero();  // full lengths
};
struct UrdfCylinder {
  double radius = 0, length = 0;
};
struct UrdfSphere {
  double radius = 0;
};
struct UrdfMesh {
  std::filesystem::path file;
  std::vector<Vec3> corners;  // of its convex hull, scaled
};
using UrdfGeometry = std::variant<UrdfBox, UrdfCylinder, UrdfSphere, UrdfMesh>;

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

struct UrdfMimic {
  std::string joint;
  double multiplier = 1, offset = 0;
};

struct UrdfJoint {
  std::string name;
  int line = 0;
  UrdfJointType type = UrdfJointType::kFixed;
  int parent = -1, child = -1;  // links
  Pose origin;                  // of the child's frame in the parent's, where the coordinate is 0
  Vec3 axis = Vec3::UnitX();    // in the child's frame
  double effort = 0;            // most of what drives it [N or N m]; 0: not given
  std::optional<double> lower, upper;
  double damping = 0, friction = 0;
  std::optional<UrdfMimic> mimic;
};

struct UrdfRobot {
  std::string name;
  std::filesystem::path file;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  int root = -1;                    // the link that is nobody's child
  std::vector<int> joint_of_child;  // of each link: the joint that it is the child of; −1 for the root
};

// Throws an InputError with everything that is wrong with the file: not well-formed, a document type (whose entities
// may grow without bound), unknown or missing links, links with two parents, loops, several roots, masses and inertias
// that no body has or that do not fit the size of the link (units), meshes that are not there.
UrdfRobot ReadUrdf(const std::filesystem::path& file);

}  // namespace slipstick
