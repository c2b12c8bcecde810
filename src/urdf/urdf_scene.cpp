#include "slipstick/urdf/urdf_scene.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "slipstick/base/fault.h"
#include "slipstick/document/make_node.h"
#include "slipstick/document/write_yaml.h"

namespace slipstick::internal {
namespace {

using Values = std::vector<std::pair<std::string, DocumentNode>>;

// Without characters that are no part of a text.
std::string Cleaned(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; }, ' ');
  return text;
}

// Names as scenes have them: with a letter, without what separates keys, not that of the world, each once.
class SceneNames {
 public:
  explicit SceneNames(std::string kind) : kind_(std::move(kind)) {}

  std::string Add(const std::string& given) {
    std::string name = Cleaned(given);
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

// position and rotation, without what is 0.
Values PoseValues(const Pose& pose, int line) {
  Values values;
  if (!pose.position.isZero(0)) values.emplace_back("position", VectorNode(pose.position, line));
  const Quat& q = pose.rotation;
  if (q.vec().norm() > 0) {
    DocumentNode quaternion = ListNode(
        {NumberNode(q.w(), line), NumberNode(q.x(), line), NumberNode(q.y(), line), NumberNode(q.z(), line)}, line);
    values.emplace_back("rotation", MapNode({{"quaternion", std::move(quaternion)}}, line));
  }
  return values;
}

Values RoundValues(const char* type, double radius, double length, int line) {
  return {{"type", TextNode(type, line)}, {"radius", NumberNode(radius, line)}, {"length", NumberNode(length, line)}};
}

Values GeometryValues(const UrdfGeometry& geometry, int line) {
  if (const auto* box = std::get_if<UrdfBox>(&geometry))
    return {{"type", TextNode("box", line)}, {"size", VectorNode(box->size, line)}};
  if (const auto* cylinder = std::get_if<UrdfCylinder>(&geometry))
    return RoundValues("cylinder", cylinder->radius, cylinder->length, line);
  if (const auto* capsule = std::get_if<UrdfCapsule>(&geometry))
    return RoundValues("capsule", capsule->radius, capsule->length, line);
  if (const auto* sphere = std::get_if<UrdfSphere>(&geometry))
    return {{"type", TextNode("sphere", line)}, {"radius", NumberNode(sphere->radius, line)}};
  std::vector<DocumentNode> points;
  for (const Vec3& corner : std::get<UrdfMesh>(geometry).corners) points.push_back(VectorNode(corner, line));
  return {{"type", TextNode("hull", line)}, {"points", ListNode(std::move(points), line)}};
}

bool IsSame(const UrdfShape& a, const UrdfShape& b) {
  const auto text = [](const UrdfShape& shape) {
    return WriteYaml(MapNode(GeometryValues(shape.geometry, 0), 0)) +
           WriteYaml(MapNode(PoseValues(shape.origin, 0), 0));
  };
  return text(a) == text(b);
}

void Append(Values more, Values* values) { std::move(more.begin(), more.end(), std::back_inserter(*values)); }

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

  DocumentNode Write() {
    const std::string name = robot_.name.empty() ? robot_.file.stem().string() : robot_.name;
    Values scene = {{"format", TextNode("slipstick-scene 1", 1)},
                    {"title", TextNode(Cleaned(name), 1)},
                    {"source", TextNode(Cleaned("URDF " + robot_.file.filename().string()), 1)}};
    if (!robot_.remarks.empty()) {
      const std::string remarks = fmt::format("Left out: {}.", fmt::join(robot_.remarks, "; "));
      scene.emplace_back("description", TextNode(Cleaned(remarks), 1));
    }
    const int line = robot_.links[robot_.root].line;
    std::vector<std::string> base_shapes;  // names of those that collide
    if (has_fixed_base_) {
      DocumentNode shapes = Shapes(robot_.root, &base_shapes);
      if (!shapes.items.empty()) scene.emplace_back("world", MapNode({{"shapes", std::move(shapes)}}, line));
    }
    std::vector<DocumentNode> bodies, joints, constraints, no_contact;
    for (const int link : robot_.order) {
      if (robot_.body_of[link] == link && !IsInWorld(link)) bodies.push_back(BodyOf(link));
      const int j = robot_.joint_of_child[link];
      if (j < 0 || robot_.joints[j].type == UrdfJointType::kFixed) continue;
      const UrdfJoint& joint = robot_.joints[j];
      joints.push_back(JointOf(j));
      if (joint.mimic) constraints.push_back(MimicOf(j));
      // as bodies that a joint connects do not touch, nor does the first link the base that is part of the world
      if (!IsInWorld(joint.parent)) continue;
      for (const std::string& shape : base_shapes) {
        no_contact.push_back(
            ListNode({TextNode("world." + shape, joint.line), TextNode(body_name_[link], joint.line)}, joint.line));
      }
    }
    const auto add = [&](const char* key, std::vector<DocumentNode>* items) {
      if (!items->empty()) scene.emplace_back(key, ListNode(std::move(*items), line));
    };
    add("bodies", &bodies);
    add("no_contact", &no_contact);
    add("joints", &joints);
    add("constraints", &constraints);
    return MapNode(std::move(scene), 1);
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

  // Shapes of all links of one body; names of those that collide.
  DocumentNode Shapes(int body, std::vector<std::string>* colliding) const {
    SceneNames names("shape");
    std::vector<DocumentNode> shapes;
    for (const int link : robot_.links_of[body]) {
      const UrdfLink& of = robot_.links[link];
      const auto add = [&](const UrdfShape& shape, const std::string& kind, bool collides) {
        const std::string name = names.Add(shape.name.empty() ? of.name + "-" + kind : shape.name);
        Values values = {{"name", TextNode(name, of.line)}};
        Append(GeometryValues(shape.geometry, of.line), &values);
        Append(PoseValues(PoseOf(link) * shape.origin, of.line), &values);
        if (!collides) values.emplace_back("collides", FlagNode(false, of.line));
        shapes.push_back(MapNode(std::move(values), of.line));
        if (collides && colliding != nullptr) colliding->push_back(name);
      };
      for (const UrdfShape& shape : of.collisions) add(shape, "collision", true);
      for (const UrdfShape& shape : of.visuals) {
        const bool is_drawn = std::any_of(of.collisions.begin(), of.collisions.end(),
                                          [&](const UrdfShape& other) { return IsSame(shape, other); });
        if (!is_drawn) add(shape, "visual", false);
      }
    }
    return ListNode(std::move(shapes), robot_.links[body].line);
  }

  DocumentNode BodyOf(int body) const {
    const UrdfInertial inertial = BodyInertial(robot_, body);
    const int line = robot_.links[body].line;
    const auto row_of = [&](int row) { return VectorNode(inertial.inertia.row(row), line); };
    std::vector<DocumentNode> rows = {row_of(0), row_of(1), row_of(2)};
    Values values = {{"name", TextNode(body_name_[body], line)},
                     {"mass", NumberNode(inertial.mass, line)},
                     {"com", VectorNode(inertial.com, line)},
                     {"inertia", ListNode(std::move(rows), line)}};
    if (body == robot_.root && !base_pose_.position.isZero(0))
      values.emplace_back("position", VectorNode(base_pose_.position, line));
    DocumentNode shapes = Shapes(body, nullptr);
    if (!shapes.items.empty()) values.emplace_back("shapes", std::move(shapes));
    return MapNode(std::move(values), line);
  }

  static std::string TypeOf(UrdfJointType type) {
    switch (type) {
      case UrdfJointType::kRevolute:
      case UrdfJointType::kContinuous:
        return "revolute";
      case UrdfJointType::kPrismatic:
        return "prismatic";
      case UrdfJointType::kPlanar:
        return "planar";
      case UrdfJointType::kFloating:
      case UrdfJointType::kFixed:
        break;
    }
    return "free";
  }

  DocumentNode JointOf(int j) const {
    const UrdfJoint& joint = robot_.joints[j];
    const int line = joint.line;
    const std::string type = TypeOf(joint.type);
    const std::string parent = IsInWorld(joint.parent) ? "world" : body_name_[robot_.body_of[joint.parent]];
    Values values = {{"name", TextNode(joint_name_[j], line)},
                     {"type", TextNode(type, line)},
                     {"parent", TextNode(parent, line)},
                     {"child", TextNode(body_name_[joint.child], line)}};
    const auto add = [&](const char* key, double number) { values.emplace_back(key, NumberNode(number, line)); };
    Values frame = PoseValues(PoseOf(joint.parent) * joint.origin, line);
    if (!frame.empty()) values.emplace_back("parent_frame", MapNode(std::move(frame), line));
    if (type != "free") values.emplace_back("axis", VectorNode(joint.axis, line));
    if (joint.position != 0) add("position", joint.position);
    if (joint.friction > 0) add("friction", joint.friction);
    if (joint.damping > 0) add("viscous_friction", joint.damping);
    if (joint.has_limits())
      values.emplace_back("limits", ListNode({NumberNode(joint.lower, line), NumberNode(joint.upper, line)}, line));
    if (joint.effort > 0 && type != "free") add("effort_limit", joint.effort);
    return MapNode(std::move(values), line);
  }

  DocumentNode MimicOf(int j) const {
    const UrdfMimic& mimic = *robot_.joints[j].mimic;
    const int line = robot_.joints[j].line;
    Values values = {{"name", TextNode(joint_name_[j] + "-mimic", line)}};
    if (mimic.joint < 0) {
      Append({{"type", TextNode("motion", line)},
              {"coordinate", TextNode(joint_name_[j], line)},
              {"position", NumberNode(robot_.joints[j].position, line)}},
             &values);
      return MapNode(std::move(values), line);
    }
    const auto term = [&](int joint, double ratio) {
      return MapNode({{"joint", TextNode(joint_name_[joint], line)}, {"ratio", NumberNode(ratio, line)}}, line);
    };
    Append({{"type", TextNode("coupling", line)},
            {"coordinates", ListNode({term(j, 1), term(mimic.joint, -mimic.multiplier)}, line)}},
           &values);
    return MapNode(std::move(values), line);
  }

  const UrdfRobot& robot_;
  bool has_fixed_base_ = false;
  Pose base_pose_;
  std::vector<std::string> body_name_;   // of each link that a body is named after
  std::vector<std::string> joint_name_;  // of each joint
};

}  // namespace

DocumentNode UrdfToDocument(const UrdfRobot& robot, const UrdfSceneSettings& settings) {
  return Writer(robot, settings).Write();
}

std::string UrdfToScene(const UrdfRobot& robot, const UrdfSceneSettings& settings) {
  return WriteYaml(UrdfToDocument(robot, settings));
}

}  // namespace slipstick::internal
