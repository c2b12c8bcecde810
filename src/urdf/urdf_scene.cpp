#include "slipstick/urdf/urdf_scene.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace slipstick {
namespace {

std::string Text(const Vec3& v) { return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z()); }

// Quoted, so that a text is a text whatever YAML would make of it.
std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return quoted + '"';
}

// What separates keys cannot be part of a name.
std::string Named(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.' || c == '='; }, '_');
  return Quoted(name);
}

// "position: …, rotation: …", without what is 0.
std::string PoseText(const Pose& pose) {
  std::vector<std::string> parts;
  if (!pose.position.isZero(0)) parts.push_back("position: " + Text(pose.position));
  const Quat& q = pose.rotation;
  if (q.vec().norm() > 0) {
    parts.push_back(fmt::format("rotation: {{quaternion: [{}, {}, {}, {}]}}", q.w(), q.x(), q.y(), q.z()));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string GeometryText(const UrdfGeometry& geometry) {
  if (const auto* box = std::get_if<UrdfBox>(&geometry)) return "type: box, size: " + Text(box->size);
  if (const auto* cylinder = std::get_if<UrdfCylinder>(&geometry)) {
    return fmt::format("type: cylinder, radius: {}, length: {}", cylinder->radius, cylinder->length);
  }
  if (const auto* sphere = std::get_if<UrdfSphere>(&geometry)) {
    return fmt::format("type: sphere, radius: {}", sphere->radius);
  }
  std::vector<std::string> points;
  for (const Vec3& corner : std::get<UrdfMesh>(geometry).corners) points.push_back(Text(corner));
  return fmt::format("type: hull, points: [{}]", fmt::join(points, ", "));
}

class Writer {
 public:
  Writer(const UrdfRobot& robot, const UrdfSceneSettings& settings) : robot_(robot) {
    using Base = UrdfSceneSettings::Base;
    has_fixed_base_ = settings.base == Base::kFixed || robot.links[robot.root].name == "world" ||
                      (settings.base == Base::kByMass && !HasMass(robot.root));
    body_of_.resize(robot.links.size());
    in_body_.resize(robot.links.size());
    children_.resize(robot.links.size());
    for (int j = 0; j < static_cast<int>(robot.joints.size()); ++j) children_[robot.joints[j].parent].push_back(j);
    base_pose_.position = settings.position;
    Place(robot.root, robot.root, has_fixed_base_ ? base_pose_ : Pose{});
  }

  std::string Write() {
    const std::string name = robot_.name.empty() ? robot_.file.stem().string() : robot_.name;
    text_ = fmt::format("format: slipstick-scene 1\ntitle: {}\nsource: {}\n", Quoted(name),
                        Quoted("URDF " + robot_.file.filename().string()));
    if (has_fixed_base_) {
      std::vector<std::string> shapes;
      AddShapes(robot_.root, "", &shapes);
      if (!shapes.empty()) text_ += "\nworld:\n  shapes:\n" + Lines(shapes, "    - ");
    }
    bool has_bodies = false;
    for (const int link : order_) {
      if (body_of_[link] != link || (has_fixed_base_ && link == robot_.root)) continue;
      if (!has_bodies) text_ += "\nbodies:\n";
      has_bodies = true;
      WriteBody(link);
    }
    std::vector<std::string> joints, couplings;
    for (const int link : order_) {
      const int j = robot_.joint_of_child[link];
      if (j < 0 || robot_.joints[j].type == UrdfJointType::kFixed) continue;
      joints.push_back(JointText(robot_.joints[j]));
      if (robot_.joints[j].mimic) couplings.push_back(MimicText(robot_.joints[j]));
    }
    if (!joints.empty()) text_ += "\njoints:\n" + Lines(joints, "  - ");
    if (!couplings.empty()) text_ += "\nconstraints:\n" + Lines(couplings, "  - ");
    return std::move(text_);
  }

 private:
  bool HasMass(int link) const {
    if (robot_.links[link].inertial) return true;
    return std::any_of(robot_.joints.begin(), robot_.joints.end(), [&](const UrdfJoint& joint) {
      return joint.parent == link && joint.type == UrdfJointType::kFixed && HasMass(joint.child);
    });
  }

  // From the root on: to which body a link belongs, and where it is in that.
  void Place(int link, int body, const Pose& pose) {
    order_.push_back(link);
    body_of_[link] = body;
    in_body_[link] = pose;
    for (const int j : children_[link]) {
      const UrdfJoint& joint = robot_.joints[j];
      if (joint.type == UrdfJointType::kFixed) {
        Place(joint.child, body, pose * joint.origin);
      } else {
        Place(joint.child, joint.child, Pose{});
      }
    }
  }

  static std::string Lines(const std::vector<std::string>& items, const char* before) {
    std::string text;
    for (const std::string& item : items) text += before + item + "\n";
    return text;
  }

  std::string BodyName(int link) const {
    const int body = body_of_[link];
    return has_fixed_base_ && body == robot_.root ? "world" : robot_.links[body].name;
  }

  // Shapes of all links of one body.
  void AddShapes(int body, const std::string& indent, std::vector<std::string>* lines) const {
    std::set<std::string> names;
    for (const int link : order_) {
      if (body_of_[link] != body) continue;
      const UrdfLink& of = robot_.links[link];
      const auto add = [&](const UrdfShape& shape, const std::string& kind, bool collides) {
        std::string name = shape.name.empty() ? of.name + "-" + kind : shape.name;
        for (int k = 2; !names.insert(name).second; ++k) {
          name = fmt::format("{}-{}-{}", shape.name.empty() ? of.name : shape.name, kind, k);
        }
        std::string text = fmt::format("{{name: {}, {}", Named(name), GeometryText(shape.geometry));
        if (const std::string pose = PoseText(in_body_[link] * shape.origin); !pose.empty()) text += ", " + pose;
        lines->push_back(indent + text + (collides ? "}" : ", collides: false}"));
      };
      const auto same = [](const UrdfShape& a, const UrdfShape& b) {
        return GeometryText(a.geometry) == GeometryText(b.geometry) && PoseText(a.origin) == PoseText(b.origin);
      };
      for (const UrdfShape& shape : of.collisions) add(shape, "collision", true);
      for (const UrdfShape& shape : of.visuals) {
        const bool is_drawn = std::any_of(of.collisions.begin(), of.collisions.end(),
                                          [&](const UrdfShape& other) { return same(shape, other); });
        if (!is_drawn) add(shape, "visual", false);
      }
    }
  }

  void WriteBody(int body) {
    // masses of links that are fixed to each other, about their common centre
    double mass = 0;
    Vec3 first = Vec3::Zero();
    for (const int link : order_) {
      if (body_of_[link] != body || !robot_.links[link].inertial) continue;
      const UrdfInertial& of = *robot_.links[link].inertial;
      mass += of.mass;
      first += of.mass * (in_body_[link] * of.com);
    }
    const Vec3 com = first / mass;
    Mat3 inertia = Mat3::Zero();
    for (const int link : order_) {
      if (body_of_[link] != body || !robot_.links[link].inertial) continue;
      const UrdfInertial& of = *robot_.links[link].inertial;
      const Mat3 axes = in_body_[link].rotation.toRotationMatrix();
      const Vec3 arm = in_body_[link] * of.com - com;
      inertia += axes * of.inertia * axes.transpose() +
                 of.mass * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
    }
    inertia = (0.5 * (inertia + inertia.transpose())).eval();
    text_ += fmt::format("  - name: {}\n    mass: {}\n    com: {}\n    inertia: [{}, {}, {}]\n",
                         Named(robot_.links[body].name), mass, Text(com), Text(inertia.row(0)), Text(inertia.row(1)),
                         Text(inertia.row(2)));
    if (body == robot_.root && !base_pose_.position.isZero(0)) {
      text_ += "    position: " + Text(base_pose_.position) + "\n";
    }
    std::vector<std::string> shapes;
    AddShapes(body, "", &shapes);
    if (!shapes.empty()) text_ += "    shapes:\n" + Lines(shapes, "      - ");
  }

  // Joints and free bodies share their names in a scene, links and joints of a robot do not.
  std::string JointName(const UrdfJoint& joint) const {
    const bool is_taken = !has_fixed_base_ && joint.name == robot_.links[robot_.root].name;
    return is_taken ? joint.name + "-joint" : joint.name;
  }

  std::string JointText(const UrdfJoint& joint) const {
    std::string type;
    switch (joint.type) {
      case UrdfJointType::kRevolute:
      case UrdfJointType::kContinuous:
        type = "revolute";
        break;
      case UrdfJointType::kPrismatic:
        type = "prismatic";
        break;
      case UrdfJointType::kPlanar:
        type = "planar";
        break;
      case UrdfJointType::kFloating:
      case UrdfJointType::kFixed:
        type = "free";
        break;
    }
    std::string text = fmt::format("{{name: {}, type: {}, parent: {}, child: {}", Named(JointName(joint)), type,
                                   Named(BodyName(joint.parent)), Named(robot_.links[joint.child].name));
    if (const std::string frame = PoseText(in_body_[joint.parent] * joint.origin); !frame.empty()) {
      text += ", parent_frame: {" + frame + "}";
    }
    if (type != "free") text += ", axis: " + Text(joint.axis);
    // 0 where the limits allow it
    double position = joint.mimic ? joint.mimic->offset : 0;
    if (joint.lower) position = std::clamp(position, *joint.lower, *joint.upper);
    if (position != 0) text += fmt::format(", position: {}", position);
    if (joint.friction > 0) text += fmt::format(", friction: {}", joint.friction);
    if (joint.damping > 0) text += fmt::format(", viscous_friction: {}", joint.damping);
    if (joint.lower) text += fmt::format(", limits: [{}, {}]", *joint.lower, *joint.upper);
    if (joint.effort > 0 && type != "free") text += fmt::format(", effort_limit: {}", joint.effort);
    return text + "}";
  }

  std::string MimicText(const UrdfJoint& joint) const {
    const auto other = std::find_if(robot_.joints.begin(), robot_.joints.end(),
                                    [&](const UrdfJoint& one) { return one.name == joint.mimic->joint; });
    return fmt::format("{{name: {}, type: coupling, coordinates: [{{joint: {}, ratio: 1}}, {{joint: {}, ratio: {}}}]}}",
                       Named(joint.name + "-mimic"), Named(JointName(joint)), Named(JointName(*other)),
                       -joint.mimic->multiplier);
  }

  const UrdfRobot& robot_;
  bool has_fixed_base_ = false;
  Pose base_pose_;
  std::vector<int> order_;                  // links, parents before children
  std::vector<int> body_of_;                // of each link: the link that its body is named after
  std::vector<Pose> in_body_;               // and where it is in that
  std::vector<std::vector<int>> children_;  // joints
  std::string text_;
};

}  // namespace

std::string UrdfToScene(const UrdfRobot& robot, const UrdfSceneSettings& settings) {
  return Writer(robot, settings).Write();
}

}  // namespace slipstick
