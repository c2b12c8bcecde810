#pragma once

#include <optional>
#include <span>

#include "slipstick/base/eigen.h"
#include "slipstick/base/pose.h"
#include "slipstick/geometry/shape.h"

namespace slipstick {

// Mass, centre of mass and rotational inertia. `com` is measured from the origin of the frame that the properties
// belong to; `inertia` is about the centre of mass, in that frame's axes: ∫ (|r|² 1 − r rᵀ) dm with r from the centre
// of mass.
struct MassProperties {
  double mass = 0;              // kg
  Vec3 com = Vec3::Zero();      // m
  Mat3 inertia = Mat3::Zero();  // kg m²
};

// Mass properties that hold in a frame S, and where that frame is in the frame B they are wanted in.
struct PosedMassProperties {
  MassProperties properties;
  Pose X_BS;
};

// Of the shape filled with a uniform density: kg/m³ for solids, kg/m² for the disk. Nothing for the plane.
std::optional<MassProperties> UniformMassProperties(const ShapeGeometry& geometry, double density);

// The same shape with a given mass instead of a given density. Nothing for the plane and for shapes of no volume.
std::optional<MassProperties> UniformMassPropertiesOfMass(const ShapeGeometry& geometry, double mass);

// The parts together as one body (parallel axes theorem). All zero where the parts have no mass.
MassProperties Combine(std::span<const PosedMassProperties> parts);

// Whether some rigid body with volume has this inertia: finite, symmetric, positive definite, and no principal moment
// larger than the sum of the other two. `tolerance` is relative to the largest entry.
bool IsPhysicalInertia(const Mat3& inertia, double tolerance = 1e-9);

}  // namespace slipstick
