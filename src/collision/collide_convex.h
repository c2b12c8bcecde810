#pragma once

#include <vector>

#include "slipstick/base/pose.h"
#include "slipstick/collision/local_contact.h"
#include "slipstick/geometry/shape.h"

namespace slipstick::internal {

// Any two of box, capsule, cylinder, disk and hull.
//
// 1. The axis of largest separation (separating_axis.h), in lengths of the smaller shape's bounding radius.
// 2. Where the axis is the normal of a face, or so close to one that the faces are nearly parallel: the corners of what
//    the other shape shows to that face (contact_patch.h), up to the margin.
// 3. Else, where two lines run nearly parallel, the ends of their common stretch; otherwise the one point where the
//    supports along the axis meet and, where one is a hull, what else stands above the nearest face up to the margin.
// 4. Of two hulls: each further corner that stands above a face of the other up to the margin.
void CollideConvex(const ShapeGeometry& a, const Pose& X_WA, const ShapeGeometry& b, const Pose& X_WB, double margin,
                   std::vector<LocalContact>* out);

}  // namespace slipstick::internal
