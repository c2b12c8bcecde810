#include "slipstick/stepping/foresight.h"

#include <algorithm>
#include <cmath>

#include "slipstick/collision/narrow_phase.h"

namespace slipstick::internal {
namespace {

// Of the thinner shape's half-extent: overlap that is let pass, half of what the certificate does by default; and way
// of the surfaces by turning, below which nothing is looked at.
constexpr double kLetPass = 0.01;
constexpr double kTurns = 0.005;
constexpr double kSameNormal = 0.9;  // cosine above which the present normal serves
constexpr double kSamePlace = 0.5;   // of the smaller shape's radius, within which rim points are one
constexpr double kNew = 0.1;   // share of what is let pass by which a loss has to grow to be worth another solution
constexpr int kRimPoints = 4;  // of one end of a cylinder, or of a disk

// Where a point that moves with a body is now.
Vec3 PulledBack(const StepMotion& motion, int body, const Vec3& ahead) {
  if (body == kWorld) return ahead;
  return motion.now.X_WB[body] * (motion.ahead.X_WB[body].Inverse() * ahead);
}

// What comes off a gap at a point by the straight motion.
double Closing(const StepMotion& motion, int body_a, int body_b, const Vec3& at, const Vec3& normal) {
  Vec3 approach(0, 0, 0);
  for (const auto& [body, sign] : {std::pair(body_a, -1.0), std::pair(body_b, 1.0)}) {
    if (body == kWorld) continue;
    const Vec3 arm = at - motion.now.X_WB[body].position;
    approach += sign * (motion.moved.linear[body] + motion.moved.angular[body].cross(arm));
  }
  return normal.dot(approach);
}

// Where impulses of a contact act, as its rows have it.
Vec3 PlaceOf(const ContactPoint& point, int body_a, int body_b) {
  return body_b == kWorld ? point.point_a : body_a == kWorld ? point.point_b : point.position();
}

bool IsRim(std::uint32_t place) {
  const std::uint32_t feature = place & (ContactKey::kMostFeatures - 1);
  return feature >= kFirstRimPoint && feature < kFirstCrossing;
}

// The name of the next quarter turn of the rim that the key has a point of.
ContactKey NextOnRim(ContactKey key) {
  std::uint32_t& place = IsRim(key.place_a) ? key.place_a : key.place_b;
  const std::uint32_t quarter = (place - kFirstRimPoint) % kRimPoints;
  place += (quarter + 1) % kRimPoints - quarter;
  return key;
}

}  // namespace

Foresight::Foresight(const Model& model) {
  for (const ModelShape& shape : model.shapes) {
    // a ball turns in its place; how far a plane reaches its points tell
    const double radius = BoundingRadius(shape.geometry);
    const bool turns = !std::holds_alternative<Sphere>(shape.geometry);
    shapes_.push_back(
        {shape.body, shape.X_BS.position.norm() + (turns ? radius : 0.0), SmallestHalfExtent(shape.geometry), radius});
  }
}

bool Foresight::Choose(const Kinematics& now, const BodyVelocities& moved, std::span<const ContactPoint> points) {
  pairs_.clear();
  for (std::size_t first = 0, last = 0; first < points.size(); first = last) {
    double least = points[first].gap;
    while (last < points.size() && points[last].key.high() == points[first].key.high()) {
      least = std::min(least, points[last++].gap);
    }
    if (MayTurnInto(now, moved, points[first], -least)) pairs_.push_back({first, last, -least});
  }
  return !pairs_.empty();
}

// Without turning no two convex shapes come nearer than their present points say.
bool Foresight::MayTurnInto(const Kinematics& now, const BodyVelocities& moved, const ContactPoint& any,
                            double overlap) const {
  const Shape &a = shapes_[any.key.shape_a], &b = shapes_[any.key.shape_b];
  double turned = 0;
  Vec3 apart(0, 0, 0);
  for (const auto& [shape, sign] : {std::pair(&a, 1.0), std::pair(&b, -1.0)}) {
    if (shape->body == kWorld) continue;
    apart += sign * moved.linear[shape->body];
    if (shape->reach == 0) continue;
    const double reach =
        std::isfinite(shape->reach) ? shape->reach : (any.position() - now.X_WB[shape->body].position).norm();
    turned += reach * moved.angular[shape->body].norm();
  }
  return turned > kTurns * std::min(a.half_extent, b.half_extent) && -overlap <= turned + apart.norm();
}

bool Foresight::Find(const Model& model, const StepMotion& motion, std::span<const ContactPoint> points,
                     std::span<const double> lost, std::vector<ForeseenContact>* found) {
  found->clear();
  bool any = false;
  for (const Pair& pair : pairs_) {
    const std::size_t count = pair.last - pair.first;
    const Known known{points.subspan(pair.first, count), lost.empty() ? lost : lost.subspan(pair.first, count)};
    any |= FindOfPair(model, motion, known, pair.overlap, found);
  }
  return any;
}

bool Foresight::FindOfPair(const Model& model, const StepMotion& motion, const Known& known, double overlap,
                           std::vector<ForeseenContact>* found) {
  const ContactKey& key = known.points.front().key;
  const ModelShape &a = model.shapes[key.shape_a], &b = model.shapes[key.shape_b];
  ahead_.clear();
  Collide(a.geometry, motion.ahead.PoseOf(a.body) * a.X_BS, b.geometry, motion.ahead.PoseOf(b.body) * b.X_BS, 0,
          &ahead_);
  double deepest = 0;
  for (const LocalContact& contact : ahead_) deepest = std::max(deepest, -contact.gap);
  const double let_pass = kLetPass * std::min(shapes_[key.shape_a].half_extent, shapes_[key.shape_b].half_extent);
  if (deepest <= std::max(let_pass, overlap)) return false;
  bool any = false;
  for (const LocalContact& contact : ahead_) {
    if (contact.gap < 0) any |= Foresee(motion, known, contact, found);
  }
  return any;
}

bool Foresight::Foresee(const StepMotion& motion, const Known& pair, const LocalContact& ahead,
                        std::vector<ForeseenContact>* found) const {
  const int number_a = pair.points.front().shape_a(), number_b = pair.points.front().shape_b();
  const Shape &a = shapes_[number_a], &b = shapes_[number_b];
  ContactPoint point{KeyOf(number_a, number_b, ahead), ahead.normal, PulledBack(motion, a.body, ahead.point_a),
                     PulledBack(motion, b.body, ahead.point_b), 0};
  const Vec3 place = PlaceOf(point, a.body, b.body);
  const auto known = [&] {
    return std::find_if(pair.points.begin(), pair.points.end(),
                        [&](const ContactPoint& other) { return other.key == point.key; });
  };
  auto same = known();
  if (IsRim(point.key.place_a) || IsRim(point.key.place_b)) {
    // a rim's points have their names from where they are, and not from the material
    const double near = kSamePlace * std::min(a.radius, b.radius);
    for (int k = 1; k < kRimPoints && same != pair.points.end(); ++k) {
      if ((PlaceOf(*same, a.body, b.body) - place).norm() <= near) break;
      point.key = NextOnRim(point.key);
      same = known();
    }
  }
  if (same == pair.points.end()) {
    const double gap = ahead.gap + Closing(motion, a.body, b.body, place, point.normal);
    point.gap = std::max(gap, 0.0);
    found->push_back({point, point.gap - gap});
    return true;
  }
  point.gap = same->gap;
  if (same->normal.dot(point.normal) > kSameNormal) point = *same;
  const double lost =
      point.gap - Closing(motion, a.body, b.body, PlaceOf(point, a.body, b.body), point.normal) - ahead.gap;
  const auto number = static_cast<std::size_t>(same - pair.points.begin());
  const double before = pair.lost.empty() ? 0.0 : pair.lost[number];
  const double let_pass = kLetPass * std::min(a.half_extent, b.half_extent);
  found->push_back({point, std::max(lost, 0.0)});
  return lost > before + kNew * let_pass;
}

}  // namespace slipstick::internal
