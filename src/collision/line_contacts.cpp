#include "slipstick/collision/line_contacts.h"

#include <algorithm>
#include <cmath>

#include "slipstick/collision/local_contact.h"

namespace slipstick::internal {
namespace {

constexpr double kMeetingDistance = 1e-12;  // of axes, relative to the longer line: below it they have no direction
constexpr double kParallelSine = 1e-9;
constexpr double kSameEnd = 1e-3;  // share of the line within which an end of A is preferred to one of B

LineContact Between(const ThickLine& a, const Vec3& on_a, const ThickLine& b, const Vec3& on_b, const Vec3& fallback) {
  const Vec3 apart = on_a - on_b;
  const double distance = apart.norm();
  const double longest = std::max({(a.q - a.p).norm(), (b.q - b.p).norm(), a.radius, b.radius});
  const bool meet = distance <= kMeetingDistance * longest;
  const Vec3 normal = meet ? fallback : Vec3(apart / distance);
  return {on_a, on_b, normal, (meet ? 0.0 : distance) - a.radius - b.radius, 0, 0};
}

}  // namespace

LineContact ClosestOfLines(const ThickLine& a, const ThickLine& b, const Vec3& fallback) {
  const Vec3 d = a.q - a.p;
  const Vec3 e = b.q - b.p;
  const Vec3 r = a.p - b.p;
  const double dd = d.squaredNorm();
  const double ee = e.squaredNorm();
  const double de = d.dot(e);
  // minimize |r + s d − t e|² over 0 ≤ s, t ≤ 1: free solution for s, then clamp t for it, then s again for that t
  const Vec3 cross = d.cross(e);
  const double square = cross.squaredNorm();
  const bool parallel = !(square > kParallelSine * kParallelSine * dd * ee);
  const auto best_s = [&](double t) { return dd > 0 ? std::clamp((t * de - d.dot(r)) / dd, 0.0, 1.0) : 0.0; };
  const auto best_t = [&](double s) { return ee > 0 ? std::clamp((e.dot(r) + s * de) / ee, 0.0, 1.0) : 0.0; };
  double s = parallel ? 0.5 : std::clamp(-r.cross(e).dot(cross) / square, 0.0, 1.0);
  const double t = best_t(s);
  s = best_s(t);
  const Vec3 perpendicular = parallel ? fallback : Vec3(cross / std::sqrt(square));
  const Vec3 towards_a = perpendicular.dot(fallback) < 0 ? Vec3(-perpendicular) : perpendicular;
  return Between(a, a.p + s * d, b, b.p + t * e, towards_a);
}

LineContacts EndsOfCommonStretch(const ThickLine& a, const ThickLine& b, const Vec3& normal) {
  LineContacts ends;
  const Vec3 d = a.q - a.p;
  const Vec3 e = b.q - b.p;
  const double dd = d.squaredNorm();
  const double ee = e.squaredNorm();
  if (!(dd > 0) || !(ee > 0) || d.cross(e).norm() > kFlatSine * std::sqrt(dd * ee)) return ends;
  // shares of A's line at which B's ends stand
  const double at_p = d.dot(b.p - a.p) / dd;
  const double at_q = d.dot(b.q - a.p) / dd;
  const bool same_way = at_p <= at_q;
  const double b_least = std::min(at_p, at_q);
  const double b_most = std::max(at_p, at_q);
  const double least = std::max(b_least, 0.0);
  const double most = std::min(b_most, 1.0);
  if (!(least < most)) return ends;
  for (int end = 0; end < 2; ++end) {
    const bool of_a = end == 0 ? b_least <= kSameEnd : b_most >= 1 - kSameEnd;
    LineContact contact;
    if (of_a) {
      const Vec3 on_a = end == 0 ? a.p : a.q;
      const double t = std::clamp(e.dot(on_a - b.p) / ee, 0.0, 1.0);
      contact = Between(a, on_a, b, b.p + t * e, normal);
      contact.of_a = a.features[end];
    } else {
      const int which = (end == 0) == same_way ? 0 : 1;
      const Vec3 on_b = which == 0 ? b.p : b.q;
      contact = Between(a, a.p + std::clamp(which == 0 ? at_p : at_q, 0.0, 1.0) * d, b, on_b, normal);
      contact.of_b = b.features[which];
    }
    // Edges have no radius to point away from the axis by, and an edge deep inside the other surface may have passed
    // its axis.
    if (a.radius + b.radius == 0 || contact.normal.dot(normal) < 0) {
      contact.normal = normal;
      contact.gap = normal.dot(contact.on_a - contact.on_b) - a.radius - b.radius;
    }
    ends.contacts[ends.count++] = contact;
  }
  return ends;
}

}  // namespace slipstick::internal
