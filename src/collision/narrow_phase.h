#pragma once

#include <vector>

#include "slipstick/base/pose.h"
#include "slipstick/collision/local_contact.h"
#include "slipstick/geometry/shape.h"

namespace slipstick::internal {

// Appends the contact points of the posed shapes whose gap is at most `margin` ≥ 0, as many as a resting body needs.
//
// One point at least is found wherever the signed distance is at most the margin. That distance is the largest
// separation over all directions, max over |n| = 1 of (min over A of n·a − max over B of n·b): the Euclidean distance
// of shapes apart, minus the shortest translation that frees shapes which overlap. The normal is its maximizer.
// Pairs with a plane or a sphere, and two capsules, have closed forms; all others share one method, see
// collide_convex.h.
//
// Swapping the shapes negates the normals and swaps the points. Nothing depends on the unit of length.
// Poses that are not finite have no contacts. Nor have two planes: both are fixed to the world and never touch.
void Collide(const ShapeGeometry& a, const Pose& X_WA, const ShapeGeometry& b, const Pose& X_WB, double margin,
             std::vector<LocalContact>* out);

}  // namespace slipstick::internal
