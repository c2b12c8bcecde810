#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "slipstick/base/eigen.h"

namespace slipstick {

// A convex polyhedron: corners, flat faces and the edges between them. Made by MakeConvexHull; constant from then on.
struct Polyhedron {
  struct Face {
    Vec3 normal = Vec3::UnitZ();  // outward, unit
    double offset = 0;            // the polyhedron is where normal·p ≤ offset
    int first = 0, count = 0;     // its corners in `loops`, counter-clockwise seen from outside
  };
  // Between two faces. The outward normals of the planes that touch the polyhedron along it alone form an arc from one
  // face's normal to the other's.
  struct Edge {
    int from = 0, to = 0;               // corners; in this order in the loop of the face on the left
    int left = 0, right = 0;            // faces
    Vec3 direction = Vec3::UnitX();     // unit, from → to
    Vec3 middle = Vec3::UnitZ();        // of the arc
    double cos_half = 1, sin_half = 0;  // of half the arc's angle
  };

  std::vector<Vec3> corners;
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<int> loops;       // corners of all faces, one face after the other
  std::vector<int> loop_edges;  // the edge from that corner to the next one of the face

  double volume = 0;
  Vec3 center = Vec3::Zero();         // of mass, at uniform density
  Mat3 second_moment = Mat3::Zero();  // ∫ r rᵀ dV about the centre
  double inner_radius = 0;            // of the largest ball about the centre that is inside
  double outer_radius = 0;            // of the smallest ball about the centre that holds it
  double reach = 0;                   // distance of the furthest corner from the origin
  Eigen::Matrix3Xd centred;           // corners from the centre, one after the other
};

// The face whose plane p is furthest outside of; where p is inside, the nearest one.
const Polyhedron::Face& HighestFace(const Polyhedron& polyhedron, const Vec3& p);

// Whether p is within the prism over the face, seen along its normal.
bool IsAboveFace(const Polyhedron& polyhedron, const Polyhedron::Face& face, const Vec3& p);

struct ConvexHull {
  std::shared_ptr<const Polyhedron> polyhedron;  // null where there is none
  std::string fault;                             // why there is none
};

// The most points that MakeConvexHull takes and the most corners of a hull: features of contacts have 12 bits.
constexpr int kMostHullPoints = 1000;

// The smallest convex polyhedron that holds the points, of which there may be any number inside, on faces and edges, or
// in the same place. Faces are flat, and points in the same place, to 10⁻⁶ of the size, or where rounding asks for it a
// power of ten more. No polyhedron where points are not finite, too few, too many, or all within 10⁻⁴ of the size of
// one plane.
ConvexHull MakeConvexHull(std::span<const Vec3> points);

// The same in another size.
std::shared_ptr<const Polyhedron> Scaled(const Polyhedron& polyhedron, double factor);

}  // namespace slipstick
