#include "bench/granular_packing.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace slipstick::internal {
namespace {

void AddPlane(const Vec3& normal, const Vec3& point, Model* model) {
  ModelShape plane;
  plane.geometry = Plane{};
  plane.X_BS = {Quat::FromTwoVectors(Vec3::UnitZ(), normal), point};
  model->shapes.push_back(plane);
}

void AddBody(const ShapeGeometry& geometry, const Pose& pose, GranularPacking* packing) {
  ModelBody body;
  body.group = static_cast<int>(packing->model.bodies.size());
  body.tree = body.group;
  ModelShape shape;
  shape.body = body.group;
  shape.geometry = geometry;
  packing->model.bodies.push_back(body);
  packing->model.shapes.push_back(shape);
  packing->kinematics.X_WB.push_back(pose);
}

void FillMatrices(Kinematics* kinematics) {
  kinematics->R_WB.clear();
  for (const Pose& pose : kinematics->X_WB) kinematics->R_WB.push_back(pose.rotation.toRotationMatrix());
  kinematics->angular_velocity.assign(kinematics->X_WB.size(), Vec3::Zero());
  kinematics->linear_velocity.assign(kinematics->X_WB.size(), Vec3::Zero());
}

}  // namespace

GranularPacking MakePacking(int count, double radius, double ratio, int boxes) {
  constexpr int kRounds = 60;
  constexpr double kFraction = 0.58;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<double> radii(count);
  double volume = 0;
  for (double& r : radii) {
    r = radius / (1 - unit(random) * (1 - 1 / ratio));  // many small ones and few large ones: their density is 1/r²
    volume += 4.0 / 3.0 * M_PI * r * r * r;
  }
  const double width = std::cbrt(volume / kFraction);
  GranularPacking packing;
  for (int i = 0; i < count; ++i) {
    const double r = radii[i];
    const Vec3 place = Vec3::Constant(r) + (width - 2 * r) * Vec3(unit(random), unit(random), unit(random));
    if (i < boxes) {
      const Quat rotation(unit(random) - 0.5, unit(random) - 0.5, unit(random) - 0.5, unit(random));
      AddBody(Box{r * Vec3(0.9, 0.8, 0.7)}, {rotation.normalized(), place}, &packing);
    } else {
      AddBody(Sphere{r}, {Quat::Identity(), place}, &packing);
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    AddPlane(Vec3::Unit(axis), Vec3::Zero(), &packing.model);
    AddPlane(-Vec3::Unit(axis), width * Vec3::Unit(axis), &packing.model);
  }
  ContactDetector detector(packing.model);
  std::vector<Vec3> move(count);
  std::vector<int> pushes(count);
  for (int round = 0; round < kRounds; ++round) {
    FillMatrices(&packing.kinematics);
    std::fill(move.begin(), move.end(), Vec3::Zero());
    std::fill(pushes.begin(), pushes.end(), 0);
    for (const ContactPoint& contact : detector.Detect(packing.model, packing.kinematics, 0.0)) {
      const int a = packing.model.shapes[contact.shape_a()].body, b = packing.model.shapes[contact.shape_b()].body;
      const double share = a == kWorld || b == kWorld ? 1.0 : 0.5;
      const Vec3 push = -share * contact.gap * contact.normal;
      if (a != kWorld) move[a] += push, ++pushes[a];
      if (b != kWorld) move[b] -= push, ++pushes[b];
    }
    for (int i = 0; i < count; ++i) {
      if (pushes[i] > 0) packing.kinematics.X_WB[i].position += move[i] / std::max(1.0, 0.4 * pushes[i]);
    }
  }
  FillMatrices(&packing.kinematics);
  return packing;
}

}  // namespace slipstick::internal
