#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "slipstick/base/rotation.h"
#include "slipstick/collision/narrow_phase.h"
#include "slipstick/geometry/random_stone.h"

// Random shapes and poses, and an oracle for the signed distance that shares no code with the library.
namespace slipstick::internal::samples {

using Random = std::mt19937;

inline double Uniform(Random* random, double least, double most) {
  return std::uniform_real_distribution<double>(least, most)(*random);
}

inline Vec3 RandomVector(Random* random) {
  return {Uniform(random, -1, 1), Uniform(random, -1, 1), Uniform(random, -1, 1)};
}

inline Quat RandomRotation(Random* random) {
  std::normal_distribution<double> normal;
  return Quat(normal(*random), normal(*random), normal(*random), normal(*random)).normalized();
}

// One of the 24 rotations of a cube: faces and edges of aligned shapes are exactly parallel, up to rounding.
inline Quat CubeRotation(Random* random) {
  const double quarter = 0.5 * M_PI;
  const auto turns = [&] { return quarter * static_cast<double>((*random)() % 4); };
  return ExpRotation(Vec3(turns(), 0, 0)) * ExpRotation(Vec3(0, turns(), 0)) * ExpRotation(Vec3(0, 0, turns()));
}

constexpr int kKinds = 7;  // plane, sphere, box, capsule, cylinder, disk, hull

// Off its frame's origin, so that nothing may take that for its centre.
inline Hull RandomHull(Random* random) {
  RandomSource source((*random)());
  const Vec3 half_axes(Uniform(random, 0.3, 1.0), Uniform(random, 0.3, 1.0), Uniform(random, 0.3, 1.0));
  const int points = 8 + static_cast<int>((*random)() % 20);
  std::vector<Vec3> corners = RandomStone(half_axes, points, &source)->corners;
  const Vec3 offset = 0.3 * RandomVector(random);
  for (Vec3& corner : corners) corner += offset;
  return {MakeConvexHull(corners).polyhedron};
}

inline ShapeGeometry RandomShape(int kind, Random* random) {
  const auto size = [&] { return Uniform(random, 0.2, 1.0); };
  switch (kind) {
    case 0:
      return Plane{};
    case 1:
      return Sphere{size()};
    case 2:
      return Box{Vec3(size(), size(), size())};
    case 3:
      return Capsule{size(), size()};
    case 4:
      return Cylinder{size(), size()};
    case 5:
      return Disk{size()};
    default:
      return RandomHull(random);
  }
}

// How far the shape, not a plane, reaches from its origin along the unit vector n in its own frame.
inline double Reach(const ShapeGeometry& shape, const Vec3& n) {
  struct Visitor {
    const Vec3& n;
    double sine() const { return std::sqrt(n.x() * n.x() + n.y() * n.y()); }
    double operator()(const Plane&) const { return NAN; }
    double operator()(const Sphere& x) const { return x.radius; }
    double operator()(const Box& x) const {
      double most = -INFINITY;
      for (double i : {-1.0, 1.0}) {
        for (double j : {-1.0, 1.0}) {
          for (double k : {-1.0, 1.0}) {
            most = std::max(most, n.dot(Vec3(i * x.half_extents.x(), j * x.half_extents.y(), k * x.half_extents.z())));
          }
        }
      }
      return most;
    }
    double operator()(const Capsule& x) const { return x.radius + std::abs(n.z()) * x.half_length; }
    double operator()(const Cylinder& x) const { return x.radius * sine() + std::abs(n.z()) * x.half_length; }
    double operator()(const Disk& x) const { return x.radius * sine(); }
    double operator()(const Hull& x) const {
      double most = -INFINITY;
      for (const Vec3& corner : x.polyhedron->corners) most = std::max(most, n.dot(corner));
      return most;
    }
  };
  return std::visit(Visitor{n}, shape);
}

// min over A of n·a − max over B of n·b.
inline double SeparationAlong(const ShapeGeometry& a, const Pose& X_WA, const ShapeGeometry& b, const Pose& X_WB,
                              const Vec3& n) {
  return n.dot(X_WA.position - X_WB.position) - Reach(a, X_WA.rotation.conjugate() * -n) -
         Reach(b, X_WB.rotation.conjugate() * n);
}

// The largest separation over directions spread evenly on the sphere, each of the best then improved by shrinking
// random steps: a lower bound of the signed distance that comes close to it.
inline double SampledSignedDistance(const ShapeGeometry& a, const Pose& X_WA, const ShapeGeometry& b, const Pose& X_WB,
                                    Random* random) {
  constexpr int kDirections = 1500;
  std::vector<std::pair<double, Vec3>> found;
  for (int i = 0; i < kDirections; ++i) {
    const double z = 1 - (2 * i + 1.0) / kDirections;
    const double angle = i * M_PI * (3 - std::sqrt(5.0));
    const double r = std::sqrt(1 - z * z);
    const Vec3 n(r * std::cos(angle), r * std::sin(angle), z);
    found.push_back({SeparationAlong(a, X_WA, b, X_WB, n), n});
  }
  std::partial_sort(found.begin(), found.begin() + 5, found.end(),
                    [](const auto& p, const auto& q) { return p.first > q.first; });
  double best = -INFINITY;
  for (int start = 0; start < 5; ++start) {
    auto [value, n] = found[start];
    for (double step = 0.1; step > 1e-6; step *= 0.7) {
      for (int i = 0; i < 12; ++i) {
        const Vec3 other = (n + step * RandomVector(random)).normalized();
        const double s = SeparationAlong(a, X_WA, b, X_WB, other);
        if (s > value) {
          value = s;
          n = other;
        }
      }
    }
    best = std::max(best, value);
  }
  return best;
}

inline double SmallerRadius(const ShapeGeometry& a, const ShapeGeometry& b) {
  return std::min(BoundingRadius(a), BoundingRadius(b));
}

inline std::vector<LocalContact> Contacts(const ShapeGeometry& a, const Pose& X_WA, const ShapeGeometry& b,
                                          const Pose& X_WB, double margin) {
  std::vector<LocalContact> contacts;
  Collide(a, X_WA, b, X_WB, margin, &contacts);
  return contacts;
}

inline double LeastGap(const std::vector<LocalContact>& contacts) {
  double least = INFINITY;
  for (const LocalContact& contact : contacts) least = std::min(least, contact.gap);
  return least;
}

}  // namespace slipstick::internal::samples
