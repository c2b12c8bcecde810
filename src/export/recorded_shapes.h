#pragma once

#include <vector>

#include "slipstick/export/export_recording.h"
#include "slipstick/geometry/surface_mesh.h"

namespace slipstick::internal {

// The shape that a recording describes. Throws InputError where there is none of that type, or its sizes do not fit.
ShapeGeometry ShapeOf(const RecordingHeader::Shape& shape);

// One shape to be drawn.
struct RecordedShape {
  int body = -1;  // in the header's list; −1: the world
  int mesh = 0;   // in RecordedShapes::meshes
  Pose pose;      // in the body's frame, the rotation of length 1
};

// What is to be drawn of a recording: shapes that are equal share their mesh.
struct RecordedShapes {
  std::vector<SurfaceMesh> meshes;
  std::vector<RecordedShape> shapes;  // in the order of the header
};

// Round shapes get fewer sides where there are many. Of a plane the part is taken that everything in the chosen frames
// is above, and a little more.
RecordedShapes ShapesOf(const ExportSource& source);

// Recordings for replay round the length of quaternions.
Pose Normalized(const Pose& pose);

}  // namespace slipstick::internal
