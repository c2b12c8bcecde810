#pragma once

#include "slipstick/collision/convex_core.h"
#include "slipstick/collision/separating_axis.h"

namespace slipstick::internal {

// The faces, edges and corners of a box or hull; a box's are those of the cube with corners ±1.
const Polyhedron& SurfaceOf(const ConvexCore& core);

// A corner of that surface in the core's place and size.
Vec3 CornerOf(const ConvexCore& core, const Polyhedron& surface, int corner);

// Candidates for the axis of largest separation where at least one of two cores is a hull. Each improves *best, and
// only where it separates more; what cannot do so is passed over.
//
// How: along a unit vector n from B to A the shapes are separated by at most n·(c_A − c_B) − r_A − r_B, with the radii
// of balls about the centres that are inside. So a candidate that beats the best so far by then is within a cone about
// the line of centres, and faces and edges whose normals are outside it need no look. For round stones that is all but
// a tenth of them.

// Face normals of the owner, which is A or B and a hull.
void ImproveByHullFaces(const ConvexCore& owner, bool owner_is_a, const ConvexCore& a, const ConvexCore& b,
                        SeparatingAxis* best);

// Perpendiculars to one edge of each of two shapes that are hulls or boxes. Of all pairs of edges only those count
// whose arcs of normals cross on the sphere: their sums are the faces of the Minkowski difference, all others are
// inside it (Gregorius 2013, GDC: the separating axis test between convex polyhedra).
void ImproveByEdgePairs(const ConvexCore& a, const ConvexCore& b, SeparatingAxis* best);

// Perpendiculars to an edge of the hull and to one line of the other shape, in both directions.
void ImproveByEdgesAgainst(const ConvexCore& hull, bool hull_is_a, const Vec3& line, const ConvexCore& a,
                           const ConvexCore& b, SeparatingAxis* best);

// The face of a hull whose normal, or its opposite where the owner is A, is nearest to n.
SeparatingAxis HullFaceAlong(const ConvexCore& owner, bool owner_is_a, const ConvexCore& a, const ConvexCore& b,
                             const Vec3& n);

// Whether no direction can separate the shapes more than this face's normal, the owner being a hull: true where the
// other shape's support point stands above the face itself, or below it and nearer to it than to any other face.
bool IsHullFaceSurelyBest(const SeparatingAxis& face, const ConvexCore& a, const ConvexCore& b);

}  // namespace slipstick::internal
