#pragma once

#include <utility>

#include "slipstick/collision/detect_contacts.h"
#include "tests/collision/shape_samples.h"

namespace slipstick::internal::samples {

struct Heap {
  Model model;
  Kinematics kinematics;
};

// Bodies of one to three shapes at random places of a cube, some joined to the one before, some still to be released,
// with planes of the world around them and one on the last body.
inline Heap RandomHeap(int bodies, double size, Random* random) {
  Heap heap;
  const auto add_shape = [&](int body, const ShapeGeometry& geometry, const Pose& pose) {
    ModelShape shape;
    shape.body = body;
    shape.geometry = geometry;
    shape.X_BS = pose;
    shape.collides = (*random)() % 10 != 0;
    heap.model.shapes.push_back(shape);
  };
  for (int i = 0; i < bodies; ++i) {
    ModelBody body;
    body.group = i;
    if (i > 0 && (*random)() % 6 == 0) body.joined_to = body.parent = i - 1;
    if (i > 0 && (*random)() % 20 == 0) body.group = heap.model.bodies[i - 1].group;  // rigidly one with the one before
    if ((*random)() % 5 == 0) body.release_number = i % 4;
    heap.model.bodies.push_back(body);
    const bool centred = (*random)() % 2 == 0;
    const int shapes = centred ? 1 : 1 + static_cast<int>((*random)() % 3);
    for (int k = 0; k < shapes; ++k) {
      const ShapeGeometry geometry = RandomShape((*random)() % 2 == 0 ? 1 : 1 + (*random)() % (kKinds - 1), random);
      add_shape(i, geometry, centred ? Pose() : Pose{RandomRotation(random), 0.5 * RandomVector(random)});
    }
    heap.kinematics.X_WB.push_back({RandomRotation(random), size * RandomVector(random)});
    heap.kinematics.R_WB.push_back(heap.kinematics.X_WB.back().rotation.toRotationMatrix());
    heap.kinematics.linear_velocity.push_back(RandomVector(random));
  }
  if (bodies > 0) add_shape(bodies - 1, Plane{}, {RandomRotation(random), RandomVector(random)});
  for (int axis = 0; axis < 3; ++axis) {
    add_shape(kWorld, Plane{},
              {Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::Unit(axis) + 0.1 * RandomVector(random)),
               -0.8 * size * Vec3::Unit(axis)});
  }
  add_shape(kWorld, Box{Vec3(2 * size, 2 * size, 0.3)}, {Quat::Identity(), Vec3(0, 0, -0.7 * size)});
  return heap;
}

}  // namespace slipstick::internal::samples
