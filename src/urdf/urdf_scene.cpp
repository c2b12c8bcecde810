#include "slipstick/urdf/urdf_scene.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "slipstick/base/fault.h"

namespace slipstick::internal {
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

// Names as scenes have them: with a letter, without what separates keys, not that of the world, each once.
class SceneNames {
 public:
  explicit SceneNames(std::string kind) : kind_(std::move(kind)) {}

  std::string Add(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '.' || c == '='; }, '_');
    const bool is_number = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (is_number || name == "world") name = kind_ + "-" + name;
    std::string unique = name;
    for (int k = 2; !used_.insert(unique).second; ++k) unique = fmt::format("{}-{}", name, k);
    return unique;
  }

 private:
  std::string kind_;
  std::set<std::string> used_;
};

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
  if (const auto* capsule = std::get_if<UrdfCapsule>(&geometry)) {
    return fmt::format("type: capsule, radius: {}, length: {}", capsule->radius, capsule->length);
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
    const bool has_mass = BodyInertial(robot, robot.root).mass > 0;
    has_fixed_base_ = settings.base == Base::kFixed || robot.links[robot.root].name == "world" ||
                      (settings.base == Base::kByMass && !has_mass);
    if (!has_fixed_base_ && !has_mass) {
      const UrdfLink& root = robot.links[robot.root];
      throw InputError({{robot.file.string(), root.line, "link " + root.name,
                         "an <inertial> with mass and inertia, as the base is to float", "none"}});
    }
    base_pose_.position = settings.position;
    NameAll();
  }

  std::string Write() {
    const std::string name = robot_.name.empty() ? robot_.file.stem().string() : robot_.name;
    text_ = fmt::format("format: slipstick-scene 1\ntitle: {}\nsource: {}\n", Quoted(name),
                        Quoted("URDF " + robot_.file.filename().string()));
    if (!robot_.remarks.empty()) {
      text_ += fmt::format("description: {}\n", Quoted(fmt::format("Left out: {}.", fmt::join(robot_.remarks, "; "))));
    }
    std::vector<std::string> base_shapes;  // names of those that collide
    if (has_fixed_base_) {
      std::vector<std::string> shapes;
      AddShapes(robot_.root, &shapes, &base_shapes);
      if (!shapes.empty()) text_ += "\nworld:\n  shapes:\n" + Lines(shapes, "    - ");
    }
    bool has_bodies = false;
    for (const int link : robot_.order) {
      if (robot_.body_of[link] != link || IsInWorld(link)) continue;
      if (!has_bodies) text_ += "\nbodies:\n";
      has_bodies = true;
      WriteBody(link);
    }
    std::vector<std::string> joints, constraints, no_contact;
    for (const int link : robot_.order) {
      const int j = robot_.joint_of_child[link];
      if (j < 0 || robot_.joints[j].type == UrdfJointType::kFixed) continue;
      const UrdfJoint& joint = robot_.joints[j];
      joints.push_back(JointText(j));
      if (joint.mimic) constraints.push_back(MimicText(j));
      // as bodies that a joint connects do not touch, nor does the first link the base that is part of the world
      if (!IsInWorld(joint.parent)) continue;
      for (const std::string& shape : base_shapes) {
        no_contact.push_back(fmt::format("[{}, {}]", Quoted("world." + shape), Quoted(body_name_[link])));
      }
    }
    if (!no_contact.empty()) text_ += "\nno_contact:\n" + Lines(no_contact, "  - ");
    if (!joints.empty()) text_ += "\njoints:\n" + Lines(joints, "  - ");
    if (!constraints.empty()) text_ += "\nconstraints:\n" + Lines(constraints, "  - ");
    return std::move(text_);
  }

 private:
  // Joints and free bodies share their names in a scene, links and joints of a robot do not.
  void NameAll() {
    SceneNames bodies("link"), joints("joint");
    body_name_.resize(robot_.links.size());
    for (const int link : robot_.order) {
      if (robot_.body_of[link] != link || IsInWorld(link)) continue;
      body_name_[link] = bodies.Add(robot_.links[link].name);
    }
    if (!has_fixed_base_) joints.Add(body_name_[robot_.root]);
    joint_name_.resize(robot_.joints.size());
    for (const int link : robot_.order) {
      if (const int j = robot_.joint_of_child[link]; j >= 0) joint_name_[j] = joints.Add(robot_.joints[j].name);
    }
  }

  bool IsInWorld(int link) const { return has_fixed_base_ && robot_.body_of[link] == robot_.root; }
  // Of a link in its body's frame, or in the world's.
  Pose PoseOf(int link) const { return IsInWorld(link) ? base_pose_ * robot_.in_body[link] : robot_.in_body[link]; }

  static std::string Lines(const std::vector<std::string>& items, const char* before) {
    std::string text;
    for (const std::string& item : items) text += before + item + "\n";
    return text;
  }

  // Shapes of all links of one body; names of those that collide.
  void AddShapes(int body, std::vector<std::string>* lines, std::vector<std::string>* colliding) const {
    SceneNames names("shape");
    for (const int link : robot_.links_of[body]) {
      const UrdfLink& of = robot_.links[link];
      const auto add = [&](const UrdfShape& shape, const std::string& kind, bool collides) {
        const std::string name = names.Add(shape.name.empty() ? of.name + "-" + kind : shape.name);
        std::string text = fmt::format("{{name: {}, {}", Quoted(name), GeometryText(shape.geometry));
        if (const std::string pose = PoseText(PoseOf(link) * shape.origin); !pose.empty()) text += ", " + pose;
        lines->push_back(text + (collides ? "}" : ", collides: false}"));
        if (collides && colliding != nullptr) colliding->push_back(name);
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
    const UrdfInertial inertial = BodyInertial(robot_, body);
    text_ += fmt::format("  - name: {}\n    mass: {}\n    com: {}\n    inertia: [{}, {}, {}]\n",
                         Quoted(body_name_[body]), inertial.mass, Text(inertial.com), Text(inertial.inertia.row(0)),
                         Text(inertial.inertia.row(1)), Text(inertial.inertia.row(2)));
    if (body == robot_.root && !base_pose_.position.isZero(0)) {
      text_ += "    position: " + Text(base_pose_.position) + "\n";
    }
    std::vector<std::string> shapes;
    AddShapes(body, &shapes, nullptr);
    if (!shapes.empty()) text_ += "    shapes:\n" + Lines(shapes, "      - ");
  }

  std::string JointText(int j) const {
    const UrdfJoint& joint = robot_.joints[j];
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
    const std::string parent = IsInWorld(joint.parent) ? "world" : body_name_[robot_.body_of[joint.parent]];
    std::string text = fmt::format("{{name: {}, type: {}, parent: {}, child: {}", Quoted(joint_name_[j]), type,
                                   Quoted(parent), Quoted(body_name_[joint.child]));
    if (const std::string frame = PoseText(PoseOf(joint.parent) * joint.origin); !frame.empty()) {
      text += ", parent_frame: {" + frame + "}";
    }
    if (type != "free") text += ", axis: " + Text(joint.axis);
    if (joint.position != 0) text += fmt::format(", position: {}", joint.position);
    if (joint.friction > 0) text += fmt::format(", friction: {}", joint.friction);
    if (joint.damping > 0) text += fmt::format(", viscous_friction: {}", joint.damping);
    if (joint.has_limits()) text += fmt::format(", limits: [{}, {}]", End(joint.lower), End(joint.upper));
    if (joint.effort > 0 && type != "free") text += fmt::format(", effort_limit: {}", joint.effort);
    return text + "}";
  }

  static std::string End(double limit) {
    return std::isinf(limit) ? (limit > 0 ? ".inf" : "-.inf") : fmt::format("{}", limit);
  }

  std::string MimicText(int j) const {
    const UrdfMimic& mimic = *robot_.joints[j].mimic;
    const std::string name = Quoted(joint_name_[j] + "-mimic"), joint = Quoted(joint_name_[j]);
    if (mimic.joint < 0) {
      return fmt::format("{{name: {}, type: motion, coordinate: {}, position: {}}}", name, joint,
                         robot_.joints[j].position);
    }
    return fmt::format("{{name: {}, type: coupling, coordinates: [{{joint: {}, ratio: 1}}, {{joint: {}, ratio: {}}}]}}",
                       name, joint, Quoted(joint_name_[mimic.joint]), -mimic.multiplier);
  }

  const UrdfRobot& robot_;
  bool has_fixed_base_ = false;
  Pose base_pose_;
  std::vector<std::string> body_name_;   // of each link that a body is named after
  std::vector<std::string> joint_name_;  // of each joint
  std::string text_;
};

}  // namespace

std::string UrdfToScene(const UrdfRobot& robot, const UrdfSceneSettings& settings) {
  return Writer(robot, settings).Write();
}

}  // namespace slipstick::internal
