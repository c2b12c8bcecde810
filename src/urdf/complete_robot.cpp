#include "slipstick/urdf/complete_robot.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace slipstick::internal {
namespace {

// A body's largest radius of gyration is at most its size, and not tiny beside it: what is far outside of that was
// given in another unit.
constexpr double kMostGyration = 2, kLeastGyration = 0.02;

double Reach(const UrdfGeometry& geometry, const Pose& origin, const Vec3& from) {
  if (const auto* mesh = std::get_if<UrdfMesh>(&geometry)) {
    double reach = 0;
    for (const Vec3& corner : mesh->corners) reach = std::max(reach, (origin * corner - from).norm());
    return reach;
  }
  const double center = (origin.position - from).norm();
  if (const auto* box = std::get_if<UrdfBox>(&geometry)) return center + 0.5 * box->size.norm();
  if (const auto* cylinder = std::get_if<UrdfCylinder>(&geometry)) {
    return center + std::hypot(cylinder->radius, 0.5 * cylinder->length);
  }
  if (const auto* capsule = std::get_if<UrdfCapsule>(&geometry))
    return center + capsule->radius + 0.5 * capsule->length;
  return center + std::get<UrdfSphere>(geometry).radius;
}

class Completion {
 public:
  Completion(UrdfRobot* robot, std::vector<Fault>* faults) : robot_(*robot), faults_(*faults) {}

  void Run() {
    FindParents();
    if (faults_.empty()) FindRoot();
    if (!faults_.empty()) return;
    GatherBodies();
    CheckMasses();
    FollowMimics();
    if (faults_.empty()) PlaceJoints();
  }

 private:
  void Fail(int line, const std::string& key, const std::string& expected, const std::string& found) {
    faults_.push_back({robot_.file.string(), line, key, expected, found});
  }

  // --- the tree ------------------------------------------------------------------------------------------------------

  void FindParents() {
    robot_.joint_of_child.assign(robot_.links.size(), -1);
    for (int j = 0; j < static_cast<int>(robot_.joints.size()); ++j) {
      const UrdfJoint& joint = robot_.joints[j];
      int& of_child = robot_.joint_of_child[joint.child];
      if (of_child >= 0) {
        Fail(joint.line, "link " + robot_.links[joint.child].name, "one joint that it is the child of",
             fmt::format("two: {} and {}", robot_.joints[of_child].name, joint.name));
      }
      of_child = j;
    }
    // following parents from every link leads to the root, or round and round
    std::vector<int> state(robot_.links.size(), 0);  // 1: on the way, 2: leads to a root
    for (int link = 0; link < static_cast<int>(robot_.links.size()); ++link) {
      std::vector<int> way;
      int at = link;
      while (state[at] == 0) {
        state[at] = 1;
        way.push_back(at);
        if (robot_.joint_of_child[at] < 0) break;
        at = robot_.joints[robot_.joint_of_child[at]].parent;
      }
      if (state[at] == 1 && robot_.joint_of_child[at] >= 0) {
        std::string round;
        for (std::size_t k = std::find(way.begin(), way.end(), at) - way.begin(); k < way.size(); ++k) {
          round += robot_.links[way[k]].name + " – ";
        }
        Fail(robot_.links[at].line, "link " + robot_.links[at].name, "a tree of links",
             "a loop: " + round + robot_.links[at].name);
      }
      for (const int passed : way) state[passed] = 2;
    }
  }

  void FindRoot() {
    for (int link = 0; link < static_cast<int>(robot_.links.size()); ++link) {
      if (robot_.joint_of_child[link] >= 0) continue;
      if (robot_.root >= 0) {
        Fail(robot_.links[link].line, "link " + robot_.links[link].name, "one link that is no joint's child",
             fmt::format("a second one beside {}", robot_.links[robot_.root].name));
      } else {
        robot_.root = link;
      }
    }
  }

  // Depth first, children in the order of the file.
  void GatherBodies() {
    const std::size_t count = robot_.links.size();
    std::vector<std::vector<int>> children(count);  // joints
    for (int j = 0; j < static_cast<int>(robot_.joints.size()); ++j) children[robot_.joints[j].parent].push_back(j);
    robot_.body_of.assign(count, -1);
    robot_.in_body.assign(count, Pose{});
    robot_.links_of.assign(count, {});
    std::vector<int> stack = {robot_.root};
    while (!stack.empty()) {
      const int link = stack.back();
      stack.pop_back();
      robot_.order.push_back(link);
      const int j = robot_.joint_of_child[link];
      const bool is_fixed = j >= 0 && robot_.joints[j].type == UrdfJointType::kFixed;
      robot_.body_of[link] = is_fixed ? robot_.body_of[robot_.joints[j].parent] : link;
      if (is_fixed) robot_.in_body[link] = robot_.in_body[robot_.joints[j].parent] * robot_.joints[j].origin;
      robot_.links_of[robot_.body_of[link]].push_back(link);
      for (auto child = children[link].rbegin(); child != children[link].rend(); ++child) {
        stack.push_back(robot_.joints[*child].child);
      }
    }
  }

  // --- masses --------------------------------------------------------------------------------------------------------

  void CheckMasses() {
    for (const int body : robot_.order) {
      const std::vector<int>& links = robot_.links_of[body];
      if (links.empty() || robot_.links[body].name == "world") continue;
      const auto with_mass =
          std::find_if(links.begin(), links.end(), [&](int link) { return robot_.links[link].inertial.has_value(); });
      if (with_mass == links.end()) {
        if (body != robot_.root) {
          Fail(robot_.links[body].line, "link " + robot_.links[body].name,
               "an <inertial> with mass and inertia, as its joint moves it", "none");
        }
        continue;
      }
      CheckBody(body, robot_.links[*with_mass]);
    }
  }

  // `named` stands for the body in faults.
  void CheckBody(int body, const UrdfLink& named) {
    const std::string key = "link " + named.name + " inertial";
    const UrdfInertial inertial = BodyInertial(robot_, body);
    if (!(inertial.mass > 0)) {
      return Fail(named.line, key + " mass",
                  body == robot_.root ? "a number above 0, or no <inertial> where the base is fixed"
                                      : "a number above 0, as its joint moves it",
                  "0");
    }
    const Vec3 principal = Eigen::SelfAdjointEigenSolver<Mat3>(inertial.inertia).eigenvalues();
    const std::string found = fmt::format("{:.4g}, {:.4g}, {:.4g}", principal[0], principal[1], principal[2]);
    if (!(principal[0] > 0)) return Fail(named.line, key + " inertia", "principal moments above 0", found);
    if (principal[2] > (principal[0] + principal[1]) * (1 + 1e-6)) {
      return Fail(named.line, key + " inertia", "no principal moment above the sum of the other two", found);
    }
    double reach = 0;
    std::string furthest;  // mesh
    for (const int link : robot_.links_of[body]) {
      for (const auto* shapes : {&robot_.links[link].visuals, &robot_.links[link].collisions}) {
        for (const UrdfShape& shape : *shapes) {
          const double reached = Reach(shape.geometry, robot_.in_body[link] * shape.origin, inertial.com);
          if (!(reached > reach)) continue;
          reach = reached;
          const auto* mesh = std::get_if<UrdfMesh>(&shape.geometry);
          furthest = mesh != nullptr ? mesh->file.filename().string() : "";
        }
      }
    }
    if (!(reach > 0)) return;
    const double gyration = std::sqrt(principal[2] / inertial.mass);
    if (gyration <= kMostGyration * reach && gyration >= kLeastGyration * reach) return;
    const bool mesh_may_be_large = !furthest.empty() && gyration < kLeastGyration * reach;
    Fail(named.line, key,
         fmt::format("moments of inertia in kg m² that fit {} of {:.3g} kg that reaches {:.3g} m: up to {:.3g}",
                     robot_.links_of[body].size() > 1 ? "links fixed to each other" : "a link", inertial.mass, reach,
                     inertial.mass * reach * reach),
         fmt::format("{:.3g}, as if in another unit{}", principal[2],
                     mesh_may_be_large ? fmt::format(" (or '{}' is in mm and lacks its scale)", furthest) : ""));
  }

  // --- mimics --------------------------------------------------------------------------------------------------------

  void FollowMimics() {
    std::map<std::string, int> joint_of;
    for (int j = 0; j < static_cast<int>(robot_.joints.size()); ++j) joint_of.emplace(robot_.joints[j].name, j);
    std::vector<std::optional<UrdfMimic>> followed(robot_.joints.size());
    bool is_circle_told = false;
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const UrdfJoint& joint = robot_.joints[j];
      if (!joint.mimic || joint.type == UrdfJointType::kFixed) continue;
      const std::string key = fmt::format("joint {} mimic", joint.name);
      if (!joint.is_single()) {
        Fail(joint.line, key, "a mimic of a revolute, continuous or prismatic joint",
             "a joint with several coordinates");
        continue;
      }
      UrdfMimic mimic{"", static_cast<int>(j), 1, 0};
      std::size_t passed = 0;
      while (mimic.joint >= 0 && robot_.joints[mimic.joint].mimic && passed++ <= robot_.joints.size()) {
        const UrdfMimic& next = *robot_.joints[mimic.joint].mimic;
        const auto found = joint_of.find(next.name);
        if (found == joint_of.end()) {
          // told at the joint that names it
          if (mimic.joint == static_cast<int>(j) && !next.name.empty()) {
            Fail(joint.line, key, "a joint of this robot", fmt::format("'{}'", next.name));
          }
          mimic.joint = -1;
          break;
        }
        mimic.offset += mimic.multiplier * next.offset;
        mimic.multiplier *= next.multiplier;
        mimic.joint = found->second;
        mimic.name = next.name;
        if (robot_.joints[mimic.joint].type == UrdfJointType::kFixed || mimic.multiplier == 0) {
          mimic.joint = -1;  // what never moves
          mimic.multiplier = 0;
        }
      }
      if (passed > robot_.joints.size()) {
        if (!std::exchange(is_circle_told, true))
          Fail(joint.line, key, "another joint, that does not mimic this one in turn",
               joint.mimic->name == joint.name ? "itself" : fmt::format("'{}', which does", joint.mimic->name));
      } else if (mimic.joint >= 0 && !robot_.joints[mimic.joint].is_single()) {
        Fail(joint.line, key, "a revolute, continuous or prismatic joint", fmt::format("'{}'", mimic.name));
      }
      followed[j] = mimic;
    }
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) robot_.joints[j].mimic = followed[j];
  }

  // --- positions at the start ----------------------------------------------------------------------------------------

  void PlaceJoints() {
    struct Interval {
      double least = -UrdfJoint::kUnlimited, most = UrdfJoint::kUnlimited;
    };
    std::vector<Interval> allowed;
    for (const UrdfJoint& joint : robot_.joints) allowed.push_back({joint.lower, joint.upper});
    constexpr double kRounding = 1e-9;
    const std::size_t faults_before = faults_.size();
    for (const UrdfJoint& joint : robot_.joints) {
      if (!joint.mimic || joint.mimic->joint < 0) continue;
      const UrdfMimic& mimic = *joint.mimic;
      double first = (joint.lower - mimic.offset) / mimic.multiplier,
             last = (joint.upper - mimic.offset) / mimic.multiplier;
      if (first > last) std::swap(first, last);
      Interval& of_other = allowed[mimic.joint];
      if (first > of_other.most + kRounding || last < of_other.least - kRounding) {
        Fail(joint.line, fmt::format("joint {} mimic", joint.name),
             fmt::format("limits that a position of '{}' leads to: between {:.6g} and {:.6g} of that one",
                         robot_.joints[mimic.joint].name, first, last),
             fmt::format("its limits {:.6g} and {:.6g}", of_other.least, of_other.most));
        continue;
      }
      of_other = {std::max(of_other.least, first), std::min(of_other.most, last)};
    }
    if (faults_.size() > faults_before) return;
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      UrdfJoint& joint = robot_.joints[j];
      if (!joint.mimic) joint.position = std::clamp(0.0, std::min(allowed[j].least, allowed[j].most), allowed[j].most);
    }
    for (UrdfJoint& joint : robot_.joints) {
      if (!joint.mimic) continue;
      const UrdfMimic& mimic = *joint.mimic;
      const double position =
          mimic.offset + (mimic.joint >= 0 ? mimic.multiplier * robot_.joints[mimic.joint].position : 0.0);
      joint.position = std::clamp(position, joint.lower, joint.upper);
      if (std::abs(joint.position - position) > kRounding * std::max(1.0, std::abs(position))) {
        Fail(joint.line, fmt::format("joint {} mimic", joint.name),
             fmt::format("limits that hold the position that it mimics, {:.6g}", position),
             fmt::format("{:.6g} and {:.6g}", joint.lower, joint.upper));
      }
    }
  }

  UrdfRobot& robot_;
  std::vector<Fault>& faults_;
};

}  // namespace

void CompleteRobot(UrdfRobot* robot, std::vector<Fault>* faults) { Completion(robot, faults).Run(); }

UrdfInertial BodyInertial(const UrdfRobot& robot, int body) {
  UrdfInertial sum;
  Vec3 first = Vec3::Zero();
  for (const int link : robot.links_of[body]) {
    if (!robot.links[link].inertial) continue;
    const UrdfInertial& of = *robot.links[link].inertial;
    sum.mass += of.mass;
    first += of.mass * (robot.in_body[link] * of.com);
  }
  if (!(sum.mass > 0)) return sum;
  sum.com = first / sum.mass;
  for (const int link : robot.links_of[body]) {
    if (!robot.links[link].inertial) continue;
    const UrdfInertial& of = *robot.links[link].inertial;
    const Mat3 axes = robot.in_body[link].rotation.toRotationMatrix();
    const Vec3 arm = robot.in_body[link] * of.com - sum.com;
    sum.inertia +=
        axes * of.inertia * axes.transpose() + of.mass * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
  }
  sum.inertia = (0.5 * (sum.inertia + sum.inertia.transpose())).eval();
  return sum;
}

}  // namespace slipstick::internal
