#include "slipstick/model/compile_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "slipstick/base/check.h"
#include "slipstick/scene/made_up_names.h"
#include "slipstick/scene/material_properties.h"
#include "slipstick/scene/scene.h"

namespace slipstick::internal {
namespace {

class Compiler {
 public:
  explicit Compiler(const Scene& scene) : scene_(scene) {}

  Model Compile() {
    model_.gravity = scene_.gravity;
    CompileMaterials();
    CompileTrees();
    CompileShapes();
    CompileInitialState();
    CompileReleases();
    SortBodies();
    CompileNoContact();
    CompileConstraints();
    CompileForces();
    CompileDrives();
    return std::move(model_);
  }

 private:
  // --- materials -----------------------------------------------------------------------------------------------------

  void CompileMaterials() {
    std::vector<ScenePairProperties> own;
    model_.materials.push_back(scene_.default_material.name);
    own.push_back(scene_.default_material.properties);
    for (const SceneMaterial& material : scene_.materials) {
      if (material.name == scene_.default_material.name) continue;
      model_.materials.push_back(material.name);
      own.push_back(material.properties);
    }
    const std::size_t n = model_.materials.size();
    model_.pairs.resize(n * n);
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) model_.pairs[a * n + b] = Combine(own[a], own[b]);
    }
    for (const SceneMaterialPair& pair : scene_.pairs) {
      const int a = MaterialIndex(pair.between[0]), b = MaterialIndex(pair.between[1]);
      for (PairProperties* target : {&model_.pairs[a * n + b], &model_.pairs[b * n + a]}) {
        *target = Override(*target, pair.properties);
      }
    }
  }

  int MaterialIndex(const std::string& name) const {
    const auto found = std::find(model_.materials.begin(), model_.materials.end(), name);
    return found == model_.materials.end() ? 0 : static_cast<int>(found - model_.materials.begin());
  }

  // Two surfaces meet, docs/scene-format.md.
  PairProperties Combine(const ScenePairProperties& a, const ScenePairProperties& b) const {
    const ScenePairProperties& base = scene_.default_material.properties;
    PairProperties pair;
    for (const MaterialProperty& property : MaterialProperties()) {
      if (property.combined == nullptr) continue;
      pair.*property.combined = property.Combine(property.Of(a, base), property.Of(b, base));
    }
    const auto value = [&](MaterialProperty::Member member, const ScenePairProperties& from) {
      return MaterialPropertyOf(member).Of(from, base);
    };
    double softness = 0, normal_give = 0, shear_give = 0;  // 1/kN, 1/E*, 1/G*
    for (const ScenePairProperties* side : {&a, &b}) {
      // what a surface gives itself, modulus or stiffness, comes before what the default material has
      if (!side->young_modulus) softness += 1.0 / value(&ScenePairProperties::normal_stiffness, *side);
      if (side->normal_stiffness) continue;
      const double young = value(&ScenePairProperties::young_modulus, *side);
      const double poisson = value(&ScenePairProperties::poisson_ratio, *side);
      normal_give += (1.0 - poisson * poisson) / young;
      shear_give += (2.0 - poisson) * 2.0 * (1.0 + poisson) / young;  // G = E/(2(1 + ν))
    }
    pair.normal_stiffness = 1.0 / softness;
    pair.contact_modulus = 1.0 / normal_give;
    pair.shear_modulus = 1.0 / shear_give;
    return pair;
  }

  static PairProperties Override(PairProperties pair, const ScenePairProperties& given) {
    for (const MaterialProperty& property : MaterialProperties()) {
      if (property.combined == nullptr) continue;
      pair.*property.combined = property.GivenBy(given).value_or(pair.*property.combined);
    }
    if (given.normal_stiffness) {
      pair.normal_stiffness = *given.normal_stiffness;
      pair.contact_modulus = pair.shear_modulus = std::numeric_limits<double>::infinity();
    }
    return pair;
  }

  // --- trees ---------------------------------------------------------------------------------------------------------

  void CompileTrees() {
    std::map<std::string, const SceneJoint*> joint_of;
    std::map<std::string, std::vector<const SceneBody*>> children;
    for (const SceneJoint& joint : scene_.joints) joint_of[joint.child] = &joint;
    std::vector<const SceneBody*> roots;
    for (const SceneBody& body : scene_.bodies) {
      const auto found = joint_of.find(body.name);
      if (found == joint_of.end() || found->second->parent == "world") {
        roots.push_back(&body);
      } else {
        children[found->second->parent].push_back(&body);
      }
    }
    for (const SceneBody* root : roots) {
      const int tree = model_.trees.count();
      int velocities = 0;
      // depth first, so that parents come before their children and a tree stays together
      std::vector<const SceneBody*> open = {root};
      while (!open.empty()) {
        const SceneBody* body = open.back();
        open.pop_back();
        const auto found = joint_of.find(body->name);
        AppendBody(*body, found == joint_of.end() ? nullptr : found->second, tree, &velocities);
        const auto& next = children[body->name];
        open.insert(open.end(), next.rbegin(), next.rend());
      }
      model_.trees.Append(velocities);
    }
    SLIPSTICK_CHECK(body_index_.size() == scene_.bodies.size(), "a cycle of joints passed the scene's check");
  }

  // The body with its chain of joints; every link but the last ends in a massless body.
  void AppendBody(const SceneBody& scene_body, const SceneJoint* joint, int tree, int* velocities) {
    std::vector<SceneJointLink> links;
    if (joint != nullptr) {
      links = joint->links;
    } else {
      SceneJointLink free;
      free.name = scene_body.name;
      free.type = JointType::kFree;
      const Quat& r = scene_body.pose.rotation;
      const Vec3& p = scene_body.pose.position;
      const Vec3 &w = scene_body.angular_velocity, &v = scene_body.linear_velocity;
      free.position = {r.w(), r.x(), r.y(), r.z(), p.x(), p.y(), p.z()};
      free.velocity = {w.x(), w.y(), w.z(), v.x(), v.y(), v.z()};
      links.push_back(free);
    }
    int parent = joint == nullptr || joint->parent == "world" ? kWorld : body_index_.at(joint->parent);
    const int joined_to = parent;
    for (std::size_t i = 0; i < links.size(); ++i) {
      const SceneJointLink& link = links[i];
      const bool last = i + 1 == links.size();
      ModelBody body;
      body.is_link = !last;
      body.name = last ? scene_body.name : scene_body.name + "." + link.name;
      if (last) {
        body.mass = scene_body.mass;
        body.com = scene_body.com;
        body.inertia = scene_body.inertia;
      }
      body.axis = link.axis;
      body.second_axis = link.second_axis;
      body.SetFrames(i == 0 && joint != nullptr ? joint->parent_frame : Pose(),
                     last && joint != nullptr ? joint->child_frame.Inverse() : Pose());
      body.parent = parent;
      body.joined_to = joined_to;
      body.tree = tree;
      body.joint_name = link.name;
      body.joint = link.type;
      body.floats = link.type == JointType::kFree && parent == kWorld && IsIdentity(body.X_PF) && IsIdentity(body.X_MB);
      body.q_offset = model_.q_size;
      body.q_count = CoordinateCount(link.type);
      body.v_offset = model_.v_size() + *velocities;
      body.v_count = VelocityCount(link.type);
      model_.q_size += body.q_count;
      *velocities += body.v_count;
      const int index = static_cast<int>(model_.bodies.size());
      body.group = link.type == JointType::kFixed ? model_.GroupOf(parent) : index;
      parent = index;
      if (body.v_count > 0) joint_index_[link.name] = parent;
      JointResistance resistance{index, link.friction, link.static_friction.value_or(link.friction),
                                 link.viscous_friction};
      if (link.limits) resistance.lower = (*link.limits)[0], resistance.upper = (*link.limits)[1];
      resistance.bearing = link.bearing;
      if (link.effort_limit) effort_limit_[link.name] = *link.effort_limit;
      if (resistance.has_friction() || link.limits) model_.joint_resistances.push_back(resistance);
      initial_.push_back(link);
      model_.bodies.push_back(std::move(body));
    }
    body_index_[scene_body.name] = parent;
  }

  void CompileInitialState() {
    MotionState& state = model_.initial_state;
    state.q.setZero(model_.q_size);
    state.v.setZero(model_.v_size());
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      const ModelBody& body = model_.bodies[i];
      const SceneJointLink& link = initial_[i];
      if (body.joint == JointType::kFree || body.joint == JointType::kSpherical) state.q[body.q_offset] = 1.0;
      for (std::size_t c = 0; c < link.position.size(); ++c) state.q[body.q_offset + c] = link.position[c];
      for (std::size_t c = 0; c < link.velocity.size(); ++c) state.v[body.v_offset + c] = link.velocity[c];
    }
  }

  // Bodies that come later wait at rest; what they start with is kept beside.
  void CompileReleases() {
    for (const SceneBody& body : scene_.bodies) {
      if (!(body.release > 0)) continue;
      const int index = body_index_.at(body.name);
      const ModelBody& compiled = model_.bodies[index];
      SLIPSTICK_CHECK(compiled.joint == JointType::kFree, "only free bodies may be released");
      auto velocity = model_.initial_state.v.segment<6>(compiled.v_offset);
      model_.releases.push_back({body.release, index, velocity});
      velocity.setZero();
    }
    std::stable_sort(model_.releases.begin(), model_.releases.end(),
                     [](const BodyRelease& a, const BodyRelease& b) { return a.time < b.time; });
    for (std::size_t i = 0; i < model_.releases.size(); ++i) {
      model_.bodies[model_.releases[i].body].release_number = static_cast<int>(i);
    }
  }

  // Of all joints that carry the body, and of its own.
  void ListVelocities(ModelBody* body) {
    std::vector<std::pair<int, int>>& runs = model_.velocity_runs;
    body->first_run = static_cast<int>(runs.size());
    if (body->parent != kWorld) {
      const ModelBody& parent = model_.bodies[body->parent];
      for (int r = parent.first_run; r < parent.first_run + parent.run_count; ++r) runs.push_back(std::pair(runs[r]));
    }
    const int first = body->v_offset, last = first + body->v_count;
    const bool is_first = static_cast<int>(runs.size()) == body->first_run;
    if (first < last && !is_first && runs.back().second == first) {
      runs.back().second = last;
    } else if (first < last) {
      runs.emplace_back(first, last);
    }
    body->run_count = static_cast<int>(runs.size()) - body->first_run;
  }

  void SortBodies() {
    std::vector<int> bodies_of_tree(model_.trees.count(), 0);
    for (const ModelBody& body : model_.bodies) ++bodies_of_tree[body.tree];
    std::vector<char> resists(model_.bodies.size(), 0);
    for (const JointResistance& joint : model_.joint_resistances) resists[joint.body] = 1;
    for (const SceneForce& force : scene_.forces) {
      if (!force.is_spring()) continue;
      for (const std::string& name : force.between) {
        if (const auto body = body_index_.find(name); body != body_index_.end()) resists[body->second] = 1;
      }
    }
    model_.tree_is_lone.assign(model_.trees.count(), 0);
    for (int i = 0; i < static_cast<int>(model_.bodies.size()); ++i) {
      const ModelBody& body = model_.bodies[i];
      if (!body.floats || bodies_of_tree[body.tree] > 1 || resists[i]) {
        model_.linked_bodies.push_back(i);
        ListVelocities(&model_.bodies[i]);
        continue;
      }
      model_.tree_is_lone[body.tree] = 1;
      const bool is_ball = body.com.isZero(0) && body.inertia == body.inertia(0, 0) * Mat3::Identity();
      model_.lone_bodies.push_back({i, body.tree, body.q_offset, body.v_offset, is_ball, body.release_number, body.mass,
                                    body.com, body.inertia, FreeRotation(body.inertia)});
    }
    std::stable_sort(model_.lone_bodies.begin(), model_.lone_bodies.end(),
                     [](const LoneBody& a, const LoneBody& b) { return a.release_number < b.release_number; });
  }

  // --- shapes --------------------------------------------------------------------------------------------------------

  void CompileShapes() {
    for (const SceneBody& body : scene_.bodies) {
      for (const SceneShape& shape : body.shapes) AppendShape(shape, body_index_.at(body.name));
    }
    for (const SceneShape& shape : scene_.world_shapes) AppendShape(shape, kWorld);
    if (model_.shapes.size() > kMostShapes) {
      const std::string expected = fmt::format("at most {} shapes", kMostShapes);
      throw InputError(scene_.Locate({{"", 0, "bodies", expected, fmt::format("{}", model_.shapes.size())}}));
    }
  }

  void AppendShape(const SceneShape& shape, int body) {
    model_.shapes.push_back(
        {shape.name, body, shape.geometry, shape.pose, MaterialIndex(shape.material), shape.collides});
  }

  int ShapeIndex(const std::string& body, const std::string& shape) const {
    const int wanted = body == "world" ? kWorld : body_index_.at(body);
    for (std::size_t i = 0; i < model_.shapes.size(); ++i) {
      if (model_.shapes[i].body == wanted && model_.shapes[i].name == shape) return static_cast<int>(i);
    }
    return -1;
  }

  void Exclude(int shape_a, int shape_b) {
    const std::pair<int, int> pair = std::minmax(shape_a, shape_b);
    auto& excluded = model_.excluded_shape_pairs;
    const auto at = std::lower_bound(excluded.begin(), excluded.end(), pair);
    if (at == excluded.end() || *at != pair) excluded.insert(at, pair);
  }

  void CompileNoContact() {
    const auto shapes_of = [&](const SceneShapes& side) {
      std::vector<int> numbers;
      for (std::size_t i = 0; i < model_.shapes.size(); ++i) {
        const ModelShape& shape = model_.shapes[i];
        if (shape.collides && shape.body == BodyIndex(side.body) && (side.shape.empty() || shape.name == side.shape)) {
          numbers.push_back(static_cast<int>(i));
        }
      }
      return numbers;
    };
    for (const auto& [side, other] : scene_.no_contact) {
      const std::vector<int> others = shapes_of(other);
      for (const int a : shapes_of(side)) {
        for (const int b : others) {
          if (a != b) Exclude(a, b);
        }
      }
    }
  }

  // --- constraints and forces ----------------------------------------------------------------------------------------

  int BodyIndex(const std::string& name) const {
    return name == "world" || name.empty() ? kWorld : body_index_.at(name);
  }

  int VelocityIndex(const std::string& joint, int index) const {
    const ModelBody& body = model_.bodies[joint_index_.at(joint)];
    SLIPSTICK_CHECK(index >= 0 && index < body.v_count, "a velocity that its joint has");
    return body.v_offset + index;
  }

  void CompileConstraints() {
    for (const SceneConstraint& given : scene_.constraints)
      model_.constraints.push_back({given.name, CompileConstraint(given)});
  }

  ConstraintKind CompileConstraint(const SceneConstraint& given) {
    switch (given.type) {
      case ConstraintType::kLoop:
        return LoopConstraint{LoopKindOf(given.loop_joint),
                              {BodyIndex(given.bodies[0]), BodyIndex(given.bodies[1])},
                              given.frames,
                              given.friction,
                              given.bearing};
      case ConstraintType::kDistance:
        return DistanceConstraint{{BodyIndex(given.bodies[0]), BodyIndex(given.bodies[1])},
                                  {given.frames[0].position, given.frames[1].position},
                                  given.position.value_or(TimeFunction(0))};
      case ConstraintType::kMotion:
        return CompileMotion(given);
      case ConstraintType::kCoupling:
        return CompileCoupling(given);
      case ConstraintType::kRolling:
        return CompileRolling(given);
      case ConstraintType::kKnifeEdge:
        return KnifeEdgeConstraint{BodyIndex(given.bodies[0]), given.point, given.direction};
    }
    SLIPSTICK_CHECK(false, "a type of constraint that is known");
    return {};
  }

  static LoopKind LoopKindOf(JointType joint) {
    switch (joint) {
      case JointType::kFixed:
        return LoopKind::kFixed;
      case JointType::kRevolute:
        return LoopKind::kRevolute;
      case JointType::kPrismatic:
        return LoopKind::kPrismatic;
      case JointType::kSpherical:
        return LoopKind::kSpherical;
      case JointType::kUniversal:
        return LoopKind::kUniversal;
      case JointType::kCylindrical:
        return LoopKind::kCylindrical;
      case JointType::kPlanar:
        return LoopKind::kPlanar;
      case JointType::kFree:
        break;
    }
    SLIPSTICK_CHECK(false, "a loop that holds something");
    return LoopKind::kFixed;
  }

  ConstraintKind CompileMotion(const SceneConstraint& given) {
    const SceneConstraint::Coordinate& coordinate = given.coordinates.at(0);
    MotionConstraint motion;
    motion.v_index = VelocityIndex(coordinate.joint, coordinate.index);
    motion.function = given.position ? *given.position : given.rate.value_or(TimeFunction(0));
    if (given.position) motion.q_index = model_.bodies[joint_index_.at(coordinate.joint)].q_offset + coordinate.index;
    return motion;
  }

  ConstraintKind CompileCoupling(const SceneConstraint& given) {
    CouplingConstraint coupling;
    coupling.rate = given.rate.value_or(TimeFunction(0));
    coupling.friction = given.friction;
    for (const SceneConstraint::Coordinate& coordinate : given.coordinates) {
      const int v_index = VelocityIndex(coordinate.joint, coordinate.index);
      coupling.terms.push_back({v_index, coordinate.ratio});
      if (coordinate.slide != 0) coupling.sliding.push_back({v_index, coordinate.slide});
    }
    return coupling;
  }

  ConstraintKind CompileRolling(const SceneConstraint& given) {
    const RollingConstraint rolling{ShapeIndex(given.bodies[0], given.shapes[0]),
                                    ShapeIndex(given.bodies[1], given.shapes[1])};
    SLIPSTICK_CHECK(rolling.shape >= 0 && rolling.plane_shape >= 0, "shapes that their bodies have");
    // the constraint stands for the contact
    Exclude(rolling.shape, rolling.plane_shape);
    return rolling;
  }

  void CompileForces() {
    for (const SceneForce& given : scene_.forces) {
      if (given.is_spring()) {
        PointSpring spring{given.name, {BodyIndex(given.between[0]), BodyIndex(given.between[1])}, given.points};
        spring.stiffness = given.stiffness;
        spring.damping = given.damping;
        spring.length = given.length;
        model_.springs.push_back(std::move(spring));
      } else if (!given.joint.empty()) {
        model_.joint_efforts.push_back({VelocityIndex(given.joint, given.coordinate), given.effort});
      } else {
        model_.body_forces.push_back(
            {BodyIndex(given.body), given.point, given.in_body_axes, given.force, given.torque});
      }
    }
  }

  void CompileDrives() {
    for (const SceneDrive& given : scene_.drives) {
      const ModelBody& body = model_.bodies[joint_index_.at(given.joint)];
      JointDrive drive;
      drive.name = given.name;
      drive.kind = given.type == DriveType::kSpring  ? JointDrive::Kind::kSpring
                   : given.type == DriveType::kServo ? JointDrive::Kind::kServo
                                                     : JointDrive::Kind::kMotor;
      drive.q_index = body.q_offset + given.coordinate;
      drive.v_index = VelocityIndex(given.joint, given.coordinate);
      drive.stiffness = given.stiffness;
      drive.damping = given.damping;
      drive.position = given.position;
      drive.velocity = given.velocity;
      const auto limit = effort_limit_.find(given.joint);
      if (limit != effort_limit_.end()) drive.most_effort = limit->second;
      if (given.effort) drive.most_effort = *given.effort;
      model_.drives.push_back(std::move(drive));
    }
  }

  const Scene& scene_;
  Model model_;
  std::map<std::string, int> body_index_;       // scene name → index of Model::bodies
  std::map<std::string, int> joint_index_;      // name of a joint that can move → its body
  std::map<std::string, double> effort_limit_;  // of joints that have one
  std::vector<SceneJointLink> initial_;         // of each body: its joint's initial values
};

}  // namespace

Model CompileModel(const Scene& scene) {
  const std::vector<Fault> faults = Validate(scene);
  if (!faults.empty()) throw InputError(scene.Locate(faults));
  if (HasAllNames(scene)) return Compiler(scene).Compile();
  Scene named = scene;
  MakeUpNames(&named);
  return Compiler(named).Compile();
}

}  // namespace slipstick::internal
