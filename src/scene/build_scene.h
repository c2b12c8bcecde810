#pragma once

#include <string>
#include <vector>

#include "slipstick/scene/body_group.h"
#include "slipstick/scene/scene.h"

// Scenes in code with few words: what a scene file says in one line is one call here, with the same defaults and the
// same numbers to the last digit. All of it is plain data that can be changed afterwards.
//
//   Scene scene;
//   scene.world_shapes = {PlaneShape()};
//   scene.bodies = {BodyOfMass("box", 1, {BoxShape(Vec3(0.1, 0.1, 0.1))})};
//   scene.bodies[0].pose.position.z() = 0.05;

namespace slipstick {

// Full sizes, in m. Poses are in the body's frame.
SceneShape PlaneShape(const Pose& pose = {});
SceneShape SphereShape(double radius, const Pose& pose = {});
SceneShape BoxShape(const Vec3& size, const Pose& pose = {});
SceneShape CapsuleShape(double radius, double length, const Pose& pose = {});
SceneShape CylinderShape(double radius, double length, const Pose& pose = {});
SceneShape DiskShape(double radius, const Pose& pose = {});
// Throws an InputError where the points are those of no polyhedron.
SceneShape HullShape(const std::vector<Vec3>& points, const Pose& pose = {});
// Throws an InputError where the plan is none of a stone.
SceneShape StoneShape(const StonePlan& plan, std::uint64_t seed = 0);

// At a position, turned about an axis of any length above 0.
Pose PoseAt(const Vec3& position);
Pose PoseAt(const Vec3& position, const Vec3& axis, double angle);

// A body with its mass [kg], or a density [kg/m³], spread evenly over its shapes: that gives centre of mass and inertia
// too. Where the shapes have no volume the inertia stays 0, which Validate tells.
SceneBody BodyOfMass(const std::string& name, double mass, std::vector<SceneShape> shapes);
SceneBody BodyOfDensity(const std::string& name, double density, std::vector<SceneShape> shapes);

// A joint of one link from `parent` ("world" too) to `child`; the axis of any length above 0.
SceneJoint JointOf(const std::string& name, JointType type, const std::string& parent, const std::string& child,
                   const Vec3& axis = Vec3::UnitZ());

// A formula of t. Throws an InputError where it is none.
TimeFunction Formula(const std::string& text);

// Adds the bodies of a group to the scene, whose gravity they fall by. Throws an InputError with all faults of the
// plan.
void AddGroup(const BodyGroupPlan& plan, Scene* scene);

}  // namespace slipstick
