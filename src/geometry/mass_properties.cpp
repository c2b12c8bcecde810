#include "slipstick/geometry/mass_properties.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

namespace slipstick {
namespace {

constexpr double kPi = std::numbers::pi;

MassProperties Centred(double mass, double i_xx, double i_yy, double i_zz) {
  MassProperties properties;
  properties.mass = mass;
  properties.inertia.diagonal() << i_xx, i_yy, i_zz;
  return properties;
}

struct UniformOf {
  double density;

  std::optional<MassProperties> operator()(const Plane&) const { return std::nullopt; }

  std::optional<MassProperties> operator()(const Sphere& sphere) const {
    const double r = sphere.radius;
    const double mass = density * 4.0 / 3.0 * kPi * r * r * r;
    const double moment = 0.4 * mass * r * r;
    return Centred(mass, moment, moment, moment);
  }

  std::optional<MassProperties> operator()(const Box& box) const {
    const double mass = density * 8.0 * box.half_extents.prod();
    const Vec3 square = box.half_extents.cwiseAbs2();
    return Centred(mass, mass / 3.0 * (square.y() + square.z()), mass / 3.0 * (square.z() + square.x()),
                   mass / 3.0 * (square.x() + square.y()));
  }

  std::optional<MassProperties> operator()(const Capsule& capsule) const {
    const double r = capsule.radius;
    const double l = capsule.half_length;
    const double tube = density * kPi * r * r * 2.0 * l;
    const double caps = density * 4.0 / 3.0 * kPi * r * r * r;
    // A half-sphere's centre of mass is 3r/8 above its flat side; moved out to z = ±(l + 3r/8), the two halves have the
    // transverse moment m (2r²/5 − (3r/8)² + (l + 3r/8)²) = m (2r²/5 + l² + 3rl/4). With l = 0 that is the sphere's.
    const double across = tube * (r * r / 4.0 + l * l / 3.0) + caps * (0.4 * r * r + l * l + 0.75 * r * l);
    const double along = 0.5 * tube * r * r + 0.4 * caps * r * r;
    return Centred(tube + caps, across, across, along);
  }

  std::optional<MassProperties> operator()(const Cylinder& cylinder) const {
    const double r = cylinder.radius;
    const double l = cylinder.half_length;
    const double mass = density * kPi * r * r * 2.0 * l;
    const double across = mass * (r * r / 4.0 + l * l / 3.0);
    return Centred(mass, across, across, 0.5 * mass * r * r);
  }

  std::optional<MassProperties> operator()(const Disk& disk) const {
    const double r = disk.radius;
    const double mass = density * kPi * r * r;
    return Centred(mass, 0.25 * mass * r * r, 0.25 * mass * r * r, 0.5 * mass * r * r);
  }

  std::optional<MassProperties> operator()(const Hull& hull) const {
    const Polyhedron& p = *hull.polyhedron;
    // ∫ (|r|² 1 − r rᵀ) dm
    return MassProperties{density * p.volume, p.center,
                          density * (p.second_moment.trace() * Mat3::Identity() - p.second_moment)};
  }
};

// ∫ (|r|² 1 − r rᵀ) dm of a point mass.
Mat3 PointInertia(double mass, const Vec3& r) {
  return mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
}

}  // namespace

std::optional<MassProperties> UniformMassProperties(const ShapeGeometry& geometry, double density) {
  return std::visit(UniformOf{density}, geometry);
}

std::optional<MassProperties> UniformMassPropertiesOfMass(const ShapeGeometry& geometry, double mass) {
  std::optional<MassProperties> properties = UniformMassProperties(geometry, 1.0);
  if (!properties || !(properties->mass > 0)) return std::nullopt;
  properties->inertia *= mass / properties->mass;
  properties->mass = mass;
  return properties;
}

MassProperties Combine(std::span<const PosedMassProperties> parts) {
  MassProperties whole;
  for (const PosedMassProperties& part : parts) {
    whole.mass += part.properties.mass;
    whole.com += part.properties.mass * (part.X_BS * part.properties.com);
  }
  if (!(whole.mass > 0)) return MassProperties{};
  whole.com /= whole.mass;
  for (const PosedMassProperties& part : parts) {
    const Mat3 R = part.X_BS.rotation.toRotationMatrix();
    whole.inertia += R * part.properties.inertia * R.transpose();
    whole.inertia += PointInertia(part.properties.mass, part.X_BS * part.properties.com - whole.com);
  }
  return whole;
}

bool IsPhysicalInertia(const Mat3& inertia, double tolerance) {
  if (!inertia.allFinite()) return false;
  const double slack = tolerance * inertia.cwiseAbs().maxCoeff();
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > slack) return false;
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(0.5 * (inertia + inertia.transpose()), Eigen::EigenvaluesOnly);
  const Vec3& moments = solver.eigenvalues();  // ascending
  return moments(0) > slack && moments(0) + moments(1) >= moments(2) - slack;
}

}  // namespace slipstick
