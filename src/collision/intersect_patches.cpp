#include <algorithm>
#include <cmath>
#include <tuple>

#include "slipstick/collision/contact_patch.h"
#include "slipstick/collision/rim.h"

namespace slipstick::internal {
namespace {

using Kind = ContactPatch::Kind;

// Lengths in units of the smaller shape's bounding radius. Faces that are flush but for rounding and drift below
// kInside keep their corners as contacts; what is within kSamePlace of a straight outline does not bend it.
constexpr double kInside = 1e-6;
constexpr double kSamePlace = 1e-4;

// The reference face as a plane: every point has its place on it and a height above it.
struct ReferencePlane {
  Vec3 origin;
  Vec3 normal;

  double Height(const Vec3& p) const { return normal.dot(p - origin); }
  Vec3 Foot(const Vec3& p) const { return p - Height(p) * normal; }
};

// The plane that holds a flat incident patch, seen from the reference plane.
struct IncidentPlane {
  Vec3 origin;
  Vec3 normal;
  Vec3 up;  // normal of the reference

  double HeightAbove(const Vec3& foot) const { return normal.dot(origin - foot) / normal.dot(up); }
};

// Distance of p from the side of a polygon that starts at point i, positive outside, seen along the polygon's normal.
double Outside(const ContactPatch& polygon, int i, const Vec3& p) {
  const Vec3 side = polygon.points[(i + 1) % polygon.count] - polygon.points[i];
  const double length = side.norm();
  return length > 0 ? side.cross(polygon.normal).dot(p - polygon.points[i]) / length : 0;
}

bool InPolygon(const ContactPatch& polygon, const Vec3& p) {
  for (int i = 0; i < polygon.count; ++i) {
    if (Outside(polygon, i, p) > kInside) return false;
  }
  return true;
}

// Seen along `up`, which for tilted circles widens them by less than the square of kFlatSine.
bool InCircle(const ContactPatch& circle, const Vec3& up, const Vec3& p) {
  const Vec3 from = p - circle.center;
  return (from - up * up.dot(from)).norm() <= circle.radius + kInside;
}

// The share of the way from p to q at which the line enters and leaves the circle, seen along `up`. False where it
// misses.
bool CrossCircle(const ContactPatch& circle, const Vec3& up, const Vec3& p, const Vec3& q, double* enter,
                 double* leave) {
  const Vec3 from = p - circle.center;
  const Vec3 flat_from = from - up * up.dot(from);
  const Vec3 along = (q - p) - up * up.dot(q - p);
  const double a = along.squaredNorm();
  const double b = flat_from.dot(along);
  const double c = flat_from.squaredNorm() - circle.radius * circle.radius;
  const double root = b * b - a * c;
  if (!(root >= 0) || !(a > 1e-24 * circle.radius * circle.radius)) return false;
  *enter = (-b - std::sqrt(root)) / a;
  *leave = (-b + std::sqrt(root)) / a;
  return true;
}

// --- a line above a face: its ends, cut off where they overhang
// -------------------------------------------------------

void IntersectSegment(const ContactPatch& reference, const ContactPatch& segment, PatchContacts* out) {
  const ReferencePlane plane{reference.center, reference.normal};
  const Vec3 p = segment.points[0];
  const Vec3 q = segment.points[1];
  double from = 0;
  double to = 1;
  int cut_from = 0;
  int cut_to = 0;
  if (reference.kind == Kind::kCircle) {
    double enter = 0;
    double leave = 1;
    if (!CrossCircle(reference, reference.normal, p, q, &enter, &leave)) {
      if (!InCircle(reference, reference.normal, p)) return;
    } else {
      if (enter > from) from = enter, cut_from = kFirstCrossing;
      if (leave < to) to = leave, cut_to = kFirstCrossing + 1;
    }
  } else {
    for (int i = 0; i < reference.count; ++i) {
      const double at_p = Outside(reference, i, p) - kInside;
      const double at_q = Outside(reference, i, q) - kInside;
      if (at_p > 0 && at_q > 0) return;
      const double at = at_p / (at_p - at_q);
      if (at_p > 0 && at > from) from = at, cut_from = reference.edges[i];
      if (at_q > 0 && at < to) to = at, cut_to = reference.edges[i];
    }
  }
  if (from > to) return;
  for (const auto& [at, cut, end] : {std::tuple(from, cut_from, 0), std::tuple(to, cut_to, 1)}) {
    const Vec3 point = p + at * (q - p);
    out->Add(point, plane.Height(point), cut, segment.features[end]);
  }
}

// --- polygon above polygon: Sutherland & Hodgman, with names
// ----------------------------------------------------------

struct ClipVertex {
  Vec3 point;
  int of_reference = 0;
  int of_incident = 0;
  // which line leads to the next vertex: a side of the incident polygon or, else, side number `side` of the reference
  bool along_incident = true;
  int line = 0;  // the incident side's feature
  int side = 0;
};

// Each side of the reference cuts off a corner and leaves two, at most.
using ClipVertices = std::array<ClipVertex, 2 * kMostPatchCorners>;

// The reference corner that two of its sides share; 0 where they are opposite.
int SharedCorner(const ContactPatch& reference, int side, int other) {
  if ((side + 1) % reference.count == other) return reference.features[other];
  if ((other + 1) % reference.count == side) return reference.features[side];
  return 0;
}

// Leaves out crossings, and then corners of the reference, that are on the straight line between their neighbours or in
// the place of one: on a plane their gap is between the neighbours', so they hold nothing that these do not.
int DropStraight(ClipVertices* vertices, int count) {
  const auto rank = [](const ClipVertex& v) { return v.of_reference == 0 ? 0 : v.of_incident == 0 ? 1 : 2; };
  for (const int dropped : {2, 1}) {
    for (int i = 0; i < count && count > 2;) {
      const Vec3& before = (*vertices)[(i + count - 1) % count].point;
      const Vec3& after = (*vertices)[(i + 1) % count].point;
      const Vec3 from = (*vertices)[i].point - before;
      const Vec3 line = after - before;
      const double square = line.squaredNorm();
      const double share = square > 0 ? std::clamp(from.dot(line) / square, 0.0, 1.0) : 0.0;
      if (rank((*vertices)[i]) == dropped && (from - share * line).norm() < kSamePlace) {
        std::copy(vertices->begin() + i + 1, vertices->begin() + count, vertices->begin() + i);
        --count;
      } else {
        ++i;
      }
    }
  }
  return count;
}

void IntersectPolygons(const ContactPatch& reference, const ContactPatch& incident, PatchContacts* out) {
  const ReferencePlane plane{reference.center, reference.normal};
  ClipVertices vertices;
  ClipVertices clipped;
  int count = incident.count;
  for (int i = 0; i < count; ++i) {
    vertices[i] = {incident.points[i], 0, incident.features[i], true, incident.edges[i], 0};
  }
  for (int side = 0; side < reference.count; ++side) {
    int kept = 0;
    for (int i = 0; i < count; ++i) {
      const ClipVertex& from = vertices[i];
      const ClipVertex& to = vertices[(i + 1) % count];
      const double at_from = Outside(reference, side, from.point) - kInside;
      const double at_to = Outside(reference, side, to.point) - kInside;
      if (at_from <= 0) clipped[kept++] = from;
      if ((at_from <= 0) == (at_to <= 0)) continue;
      ClipVertex cut = from;
      cut.point = from.point + at_from / (at_from - at_to) * (to.point - from.point);
      cut.of_reference = from.along_incident ? reference.edges[side] : SharedCorner(reference, from.side, side);
      cut.of_incident = from.along_incident ? from.line : 0;
      if (at_from <= 0) {  // leaves: from here on the outline follows the reference's side
        cut.along_incident = false;
        cut.side = side;
      }
      clipped[kept++] = cut;
    }
    count = kept;
    std::copy(clipped.begin(), clipped.begin() + count, vertices.begin());
  }
  count = DropStraight(&vertices, count);
  for (int i = 0; i < count; ++i) {
    const ClipVertex& vertex = vertices[i];
    out->Add(vertex.point, plane.Height(vertex.point), vertex.of_reference, vertex.of_incident);
  }
}

// --- circle and polygon, either of them the reference
// -----------------------------------------------------------------

// The four rim points from the one where the incident plane comes closest to the reference.
void AddRim(const ContactPatch& circle, bool circle_is_reference, const ContactPatch& other, const Vec3& up,
            PatchContacts* out) {
  const ReferencePlane plane{circle_is_reference ? circle.center : other.center, up};
  const IncidentPlane incident{circle_is_reference ? other.center : circle.center,
                               circle_is_reference ? other.normal : circle.normal, up};
  // An incident plane, whose outward normal points down at the reference, rises to the side that this normal leans to.
  const Vec3 descent = circle_is_reference ? Vec3(-other.normal) : Vec3(-up);
  const RimDirection lowest = FurthestOnRim(circle.normal, circle.mark, descent);
  for (int k = 0; k < 4; ++k) {
    const Vec3 point = circle.center + circle.radius * QuarterTurns(circle.normal, lowest.towards, k);
    const bool inside = other.kind == Kind::kCircle ? InCircle(other, up, point) : InPolygon(other, point);
    if (!inside) continue;
    const int feature = circle.first_rim_feature + k;
    if (circle_is_reference) {
      const double height = incident.HeightAbove(point);
      out->Add(point + height * up, height, feature, 0);
    } else {
      out->Add(point, plane.Height(point), 0, feature);
    }
  }
}

void IntersectCirclePolygon(const ContactPatch& circle, bool circle_is_reference, const ContactPatch& polygon,
                            PatchContacts* out) {
  const Vec3 up = circle_is_reference ? circle.normal : polygon.normal;
  const ReferencePlane plane{circle_is_reference ? circle.center : polygon.center, up};
  const IncidentPlane incident{circle_is_reference ? polygon.center : circle.center,
                               circle_is_reference ? polygon.normal : circle.normal, up};
  const auto add = [&](const Vec3& on_polygon, int of_polygon, int of_circle) {
    if (circle_is_reference) {
      out->Add(on_polygon, plane.Height(on_polygon), of_circle, of_polygon);
    } else {
      const double height = incident.HeightAbove(on_polygon);
      out->Add(on_polygon + height * up, height, of_polygon, of_circle);
    }
  };
  // a box that stands on an edge or corner has no flat side to set the rim against
  const Vec3 across = polygon.normal - circle.normal * circle.normal.dot(polygon.normal);
  if (across.norm() <= kFlatSine) AddRim(circle, circle_is_reference, polygon, up, out);
  for (int i = 0; i < polygon.count; ++i) {
    const Vec3 p = polygon.points[i];
    const Vec3 q = polygon.points[(i + 1) % polygon.count];
    if (InCircle(circle, up, p)) add(p, polygon.features[i], 0);
    double enter = 0;
    double leave = 0;
    if (!CrossCircle(circle, up, p, q, &enter, &leave)) continue;
    if (enter > 0 && enter < 1) add(p + enter * (q - p), polygon.edges[i], kFirstCrossing);
    if (leave > 0 && leave < 1) add(p + leave * (q - p), polygon.edges[i], kFirstCrossing + 1);
  }
}

// --- circle above circle: the smaller one inside, or the four extreme points of the lens
// ------------------------------

void IntersectCircles(const ContactPatch& reference, const ContactPatch& incident, PatchContacts* out) {
  const Vec3 up = reference.normal;
  const ReferencePlane plane{reference.center, up};
  const IncidentPlane incident_plane{incident.center, incident.normal, up};
  const Vec3 offset = plane.Foot(incident.center) - reference.center;
  const double distance = offset.norm();
  const double r = reference.radius;
  const double s = incident.radius;
  if (distance + s <= r + kInside) return AddRim(incident, false, reference, up, out);
  if (distance + r <= s + kInside) return AddRim(reference, true, incident, up, out);
  if (distance >= r + s) return;
  const Vec3 towards = offset / distance;
  const Vec3 across = up.cross(towards);
  const double along = (distance * distance + r * r - s * s) / (2 * distance);
  const double half_chord = std::sqrt(std::max(0.0, r * r - along * along));
  const auto add = [&](const Vec3& foot, int of_reference, int of_incident) {
    const double height = incident_plane.HeightAbove(foot);
    out->Add(foot + height * up, height, of_reference, of_incident);
  };
  add(reference.center + r * towards, reference.first_rim_feature, 0);
  add(reference.center + along * towards + half_chord * across, kFirstCrossing, kFirstCrossing);
  add(reference.center + (distance - s) * towards, 0, incident.first_rim_feature);
  add(reference.center + along * towards - half_chord * across, kFirstCrossing + 1, kFirstCrossing + 1);
}

}  // namespace

PatchContacts IntersectPatches(const ContactPatch& reference, const ContactPatch& incident) {
  PatchContacts contacts;
  const bool round = reference.kind == Kind::kCircle;
  switch (incident.kind) {
    case Kind::kPoint: {
      const ReferencePlane plane{reference.center, reference.normal};
      const Vec3& p = incident.points[0];
      if (round ? InCircle(reference, reference.normal, p) : InPolygon(reference, p)) {
        contacts.Add(p, plane.Height(p), 0, incident.features[0]);
      }
      break;
    }
    case Kind::kSegment:
      IntersectSegment(reference, incident, &contacts);
      break;
    case Kind::kPolygon:
      if (round) {
        IntersectCirclePolygon(reference, true, incident, &contacts);
      } else {
        IntersectPolygons(reference, incident, &contacts);
      }
      break;
    case Kind::kCircle:
      if (round) {
        IntersectCircles(reference, incident, &contacts);
      } else {
        IntersectCirclePolygon(incident, false, reference, &contacts);
      }
      break;
  }
  return contacts;
}

}  // namespace slipstick::internal
