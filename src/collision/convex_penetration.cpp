#include <algorithm>
#include <array>
#include <limits>

#include "slipstick/base/rotation.h"
#include "slipstick/collision/convex_distance.h"

namespace slipstick::internal {
namespace {

constexpr int kMostPoints = 100;
constexpr int kMostFaces = 2 * kMostPoints;
constexpr double kDepthTolerance = 1e-6;     // how much deeper than the nearest face the inflated difference may reach
constexpr double kVisibleTolerance = 1e-12;  // relative to the size of the difference

struct Face {
  std::array<int, 3> corners{};  // counter-clockwise from outside
  Vec3 normal = Vec3::Zero();    // outward
  double offset = 0;             // of its plane from the origin, negative where the origin is outside
};

struct Edge {
  int from = 0;
  int to = 0;
};

// The polytope inside the inflated Minkowski difference A − B. Of fixed capacity: no allocation.
class Polytope {
 public:
  Polytope(const ConvexCore& a, const ConvexCore& b) : a_(a), b_(b) {
    // Four support points that span a tetrahedron. The inflated difference is at least twice the inflation wide in
    // every direction, so one of each pair of opposite directions leads away from the points so far.
    const Vec3 first = Extreme(Vec3::UnitX());
    const Vec3 second = Extreme(-Vec3::UnitX());
    scale_ = std::max(first.norm(), second.norm());
    Vec3 across, other;
    const Vec3 line = (second - first).normalized();
    CompleteFrame(line, &across, &other);
    const Vec3 third = Further(across, first);
    const Vec3 normal = (second - first).cross(third - first).normalized();
    const Vec3 fourth = Further(normal, first);
    points_[0] = first;
    points_[1] = second;
    points_[2] = third;
    points_[3] = fourth;
    point_count_ = 4;
    const bool above = normal.dot(fourth - first) > 0;
    const std::array<std::array<int, 3>, 4> faces{{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}};
    for (const std::array<int, 3>& f : faces) AddFace(f[0], above ? f[2] : f[1], above ? f[1] : f[2]);
  }

  // Expands until the face nearest to the origin is on the surface of the difference; its normal.
  Vec3 NearestNormal() {
    while (true) {
      const Face nearest = faces_[Nearest()];
      const Vec3 w = Extreme(nearest.normal);
      const bool on_surface = nearest.normal.dot(w) - nearest.offset <= kDepthTolerance;
      if (on_surface || point_count_ == kMostPoints || !Expand(w)) return nearest.normal;
    }
  }

 private:
  // Furthest point of the inflated difference along the unit direction d.
  Vec3 Extreme(const Vec3& d) const { return SupportDifference(a_, b_, -d) + kPenetrationInflation * d; }

  Vec3 Further(const Vec3& d, const Vec3& from) const {
    const Vec3 up = Extreme(d);
    const Vec3 down = Extreme(-d);
    return d.dot(up - from) >= d.dot(from - down) ? up : down;
  }

  int Nearest() const {
    int nearest = 0;
    for (int i = 1; i < face_count_; ++i) {
      if (faces_[i].offset < faces_[nearest].offset) nearest = i;
    }
    return nearest;
  }

  void AddFace(int i, int j, int k) {
    Face& face = faces_[face_count_++];
    face.corners = {i, j, k};
    const Vec3 area = (points_[j] - points_[i]).cross(points_[k] - points_[i]);
    const double size = area.norm();
    // A sliver has no normal: it closes the surface but is never expanded.
    face.normal = size > 0 ? Vec3(area / size) : Vec3(Vec3::Zero());
    face.offset = size > 0 ? face.normal.dot(points_[i]) : std::numeric_limits<double>::infinity();
  }

  // Replaces the faces that w sees by the cone from w to their outline. False where the outline is too long to hold.
  bool Expand(const Vec3& w) {
    std::array<Edge, 3 * kMostFaces> outline;
    int outline_count = 0;
    int kept = 0;
    for (int i = 0; i < face_count_; ++i) {
      const Face face = faces_[i];
      if (!(face.normal.dot(w) > face.offset + kVisibleTolerance * scale_)) {
        faces_[kept++] = face;
        continue;
      }
      for (int side = 0; side < 3; ++side) {
        const Edge edge{face.corners[side], face.corners[(side + 1) % 3]};
        // an edge that two visible faces share, once in each direction, is inside
        int twin = 0;
        while (twin < outline_count && !(outline[twin].from == edge.to && outline[twin].to == edge.from)) ++twin;
        if (twin < outline_count) {
          outline[twin] = outline[--outline_count];
        } else {
          outline[outline_count++] = edge;
        }
      }
    }
    if (outline_count == 0 || kept + outline_count > kMostFaces) return false;
    face_count_ = kept;
    points_[point_count_] = w;
    for (int i = 0; i < outline_count; ++i) AddFace(outline[i].from, outline[i].to, point_count_);
    ++point_count_;
    return true;
  }

  const ConvexCore& a_;
  const ConvexCore& b_;
  std::array<Vec3, kMostPoints> points_;
  std::array<Face, kMostFaces> faces_;
  int point_count_ = 0;
  int face_count_ = 0;
  double scale_ = 0;
};

}  // namespace

Vec3 PenetrationAxis(const ConvexCore& a, const ConvexCore& b) {
  // The face's outward normal leads out of A − B; the axis from B to A, along which A must move, is its opposite.
  return -Polytope(a, b).NearestNormal();
}

}  // namespace slipstick::internal
