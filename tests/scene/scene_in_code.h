#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "slipstick/scene_file/scene_reader.h"

// Small scenes that are filled in code, each with one thing that a test changes.

namespace slipstick::internal {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();
inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

inline std::vector<Fault> FaultsOfText(const std::string& text) {
  try {
    ReadSceneText("format: slipstick-scene 1\n" + text, "test.yaml");
  } catch (const InputError& error) {
    return error.faults();
  }
  return {};
}

inline SceneBody Block(const std::string& name) {
  SceneBody body;
  body.name = name;
  body.mass = 1;
  body.inertia.setIdentity();
  return body;
}

inline Scene With(std::vector<SceneBody> bodies) {
  Scene scene;
  scene.bodies = std::move(bodies);
  return scene;
}

inline Scene WithWorld(SceneShape shape) {
  Scene scene;
  scene.world_shapes.push_back(std::move(shape));
  return scene;
}

inline Scene WithMaterial(const std::function<void(ScenePairProperties*)>& change) {
  Scene scene;
  scene.materials.push_back({"m", {}});
  change(&scene.materials.back().properties);
  return scene;
}

inline SceneJoint Joint(const std::string& name, const std::string& parent, const std::string& child,
                        JointType type = JointType::kRevolute) {
  SceneJoint joint;
  joint.name = name;
  joint.parent = parent;
  joint.child = child;
  joint.links.emplace_back();
  joint.links.back().type = type;
  return joint;
}

// One body `b` with a joint `j` to the world.
inline Scene Hinged(JointType type, const std::function<void(SceneJointLink*)>& change) {
  Scene scene = With({Block("b")});
  scene.joints.push_back(Joint("j", "world", "b", type));
  change(&scene.joints.back().links.back());
  return scene;
}

inline Scene WithForce(const std::function<void(SceneForce*)>& change) {
  Scene scene = With({Block("b")});
  change(&scene.forces.emplace_back());
  return scene;
}

inline Scene WithConstraint(ConstraintType type, const std::function<void(SceneConstraint*)>& change,
                            std::vector<SceneBody> bodies = {Block("b")}) {
  Scene scene = With(std::move(bodies));
  scene.constraints.emplace_back().type = type;
  change(&scene.constraints.back());
  return scene;
}

inline SceneBody Changed(SceneBody body, const std::function<void(SceneBody*)>& change) {
  change(&body);
  return body;
}

inline SceneShape Shape(const ShapeGeometry& geometry) {
  SceneShape shape;
  shape.geometry = geometry;
  return shape;
}

inline SceneShape Stone(double radius, int points) {
  SceneShape shape;
  shape.stone = StonePlan{Vec3::Constant(radius), points};
  return shape;
}

inline Mat3 Diagonal(double x, double y, double z) { return Vec3(x, y, z).asDiagonal(); }

inline SceneBody Heavy(double mass, const Mat3& inertia) {
  SceneBody body = Block("b");
  body.mass = mass;
  body.inertia = inertia;
  return body;
}

}  // namespace slipstick::internal
