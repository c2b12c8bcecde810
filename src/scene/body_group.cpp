#include "slipstick/scene/body_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipstick/base/random_source.h"
#include "slipstick/geometry/random_stone.h"
#include "slipstick/scene/shape_mass.h"

namespace slipstick::internal {
namespace {

// A body is released at the start of a step, so up to a step late. Steps of up to this length [s] are reckoned with.
constexpr double kLongestDelay = 0.01;
constexpr int kMostTries = 1000;

// The template with stones of its own, in its size.
SceneBody NewBody(const BodyGroupPlan& plan, double scale, RandomSource* random) {
  SceneBody body = plan.prototype;
  if (scale == 1 && !HasStones(body) && body.mass != 0) return body;
  for (SceneShape& shape : body.shapes) {
    if (shape.stone) {
      RandomSource own(random->Bits());
      shape.geometry = Hull{RandomStone(scale * shape.stone->half_axes, shape.stone->points, &own)};
    } else {
      shape.geometry = Scaled(shape.geometry, scale);
    }
    shape.pose.position *= scale;
  }
  const MassProperties unit = ShapesAtDensityOne(body.shapes);
  body.mass = *plan.density * unit.mass;
  body.com = unit.com;
  body.inertia = *plan.density * unit.inertia;
  return body;
}

class Maker {
 public:
  Maker(const BodyGroupPlan& plan, const Vec3& gravity) : plan_(plan), gravity_(gravity), random_(plan.seed) {}

  BodyGroup Make() {
    std::visit([this](const auto& places) { Place(places); }, plan_.places);
    return std::move(group_);
  }

 private:
  // All but the place. The random numbers of a body are drawn in one order whatever is asked for.
  SceneBody NextBody() {
    SceneBody body = NewBody(plan_, plan_.scale.Draw(&random_), &random_);
    body.name = fmt::format("{}-{}", plan_.prototype.name, group_.bodies.size());
    if (plan_.random_orientation) body.pose.rotation = random_.Rotation();
    return body;
  }

  void Place(const LatticePlan& lattice) {
    const int count = lattice.BodyCount();
    group_.bodies.reserve(count);
    for (int i = 0; i < count; ++i) {
      const int x = i % lattice.counts[0], rest = i / lattice.counts[0];
      const int y = rest % lattice.counts[1], z = rest / lattice.counts[1];
      const Vec3 cell(x, y, z);
      SceneBody body = NextBody();
      body.pose.position = lattice.origin + cell.cwiseProduct(lattice.spacing);
      for (double& coordinate : body.pose.position) coordinate += lattice.jitter * random_.Uniform(-1, 1);
      group_.bodies.push_back(std::move(body));
    }
  }

  void Place(const PourPlan& pour) {
    group_.bodies.reserve(pour.count);
    falling_.clear();
    const double largest = ReachOf(plan_.prototype.shapes) * plan_.scale.most;
    for (int i = 0; i < pour.count; ++i) {
      SceneBody body = NextBody();
      body.release = pour.start + i / pour.rate;
      const double reach = ReachOf(body.shapes);
      std::erase_if(falling_, [&](const Falling& other) {
        return HasLeft(other, body.release, pour.region, other.reach + largest);
      });
      int tries = 0;
      do {
        if (++tries > kMostTries) {
          group_.complete = false;
          return;
        }
        body.pose.position = PointIn(pour.region);
      } while (Touches(body.pose.position, reach, body.release));
      falling_.push_back({body.pose.position, body.release, reach});
      group_.bodies.push_back(std::move(body));
    }
  }

  Vec3 PointIn(const PourRegion& region) {
    Vec3 point;
    if (region.radius) {
      const double r = *region.radius * std::sqrt(random_.Uniform()), angle = 2 * std::numbers::pi * random_.Uniform();
      point = {r * std::cos(angle), r * std::sin(angle), region.size.z() * random_.Uniform(-0.5, 0.5)};
    } else {
      for (int axis = 0; axis < 3; ++axis) point[axis] = region.size[axis] * random_.Uniform(-0.5, 0.5);
    }
    return region.center + point;
  }

  // A body on its way, as if nothing was in it.
  struct Falling {
    Vec3 place;
    double release;
    double reach;
  };

  Vec3 WhereAfter(const Falling& body, double t) const {
    return body.place + t * plan_.prototype.linear_velocity + 0.5 * t * t * gravity_;
  }

  // Whether a body at `point` touches one of those on their way, or one of them will overtake it: all fall alike, so
  // one moves against the other at a constant velocity, gravity times the time between their releases. Each may have
  // been released early or late against the new one, so a stretch of its way must be clear of it.
  bool Touches(const Vec3& point, double reach, double time) const {
    for (const Falling& other : falling_) {
      const double since = time - other.release;
      const Vec3 begin = WhereAfter(other, std::max(0.0, since - kLongestDelay));
      const Vec3 way = WhereAfter(other, since + kLongestDelay) - begin;
      const double length = way.squaredNorm();
      const double share = length > 0 ? std::clamp((point - begin).dot(way) / length, 0.0, 1.0) : 0.0;
      const double distance = reach + other.reach;
      if ((begin + share * way - point).squaredNorm() < distance * distance) return true;
      // those thrown upwards come back through the others whatever their place
      if (plan_.prototype.linear_velocity.dot(gravity_) < 0) continue;
      for (const double delay : {-kLongestDelay, 0.0, kLongestDelay}) {
        const double lead = std::max(0.0, since + delay);
        const Vec3 apart = WhereAfter(other, lead) - point, speed = lead * gravity_;
        const double approach = -apart.dot(speed), squared = speed.squaredNorm();
        const double nearest = approach > 0 ? approach / squared : 0.0;
        if ((apart + nearest * speed).squaredNorm() < distance * distance) return true;
      }
    }
    return false;
  }

  // Beyond `distance` of the region, and on a way that does not lead back to it.
  bool HasLeft(const Falling& body, double time, const PourRegion& region, double distance) const {
    const double since = time - body.release - kLongestDelay;
    if (since <= 0) return false;
    const Vec3 away = WhereAfter(body, since) - region.center;
    const Vec3 velocity = plan_.prototype.linear_velocity + since * gravity_;
    for (int axis = 0; axis < 3; ++axis) {
      const double half = region.radius && axis < 2 ? *region.radius : 0.5 * region.size[axis];
      const double side = away[axis] < 0 ? -1 : 1;
      if (side * away[axis] > half + distance && side * velocity[axis] >= 0 && side * gravity_[axis] >= 0) return true;
    }
    return false;
  }

  const BodyGroupPlan& plan_;
  const Vec3 gravity_;
  RandomSource random_;
  BodyGroup group_;
  std::vector<Falling> falling_;
};

}  // namespace

bool HasStones(const SceneBody& body) {
  return std::any_of(body.shapes.begin(), body.shapes.end(), [](const SceneShape& s) { return s.stone.has_value(); });
}

double ReachOf(const std::vector<SceneShape>& shapes) {
  double reach = 0;
  for (const SceneShape& shape : shapes)
    reach = std::max(reach, shape.pose.position.norm() + BoundingRadius(shape.geometry));
  return reach;
}

}  // namespace slipstick::internal

namespace slipstick {

double ScalePlan::Draw(internal::RandomSource* random) const {
  if (!mean) return random->Uniform(least, most);
  // uniform proposals, accepted by their density: quick for a narrow cut too; nobody meets eight deviations
  const double from = std::max(least, *mean - 8 * deviation), to = std::min(most, *mean + 8 * deviation);
  for (;;) {
    const double scale = random->Uniform(from, to), z = (scale - *mean) / deviation;
    if (random->Uniform() <= std::exp(-0.5 * z * z)) return scale;
  }
}

BodyGroup MakeGroup(const BodyGroupPlan& plan, const Vec3& gravity) { return internal::Maker(plan, gravity).Make(); }

}  // namespace slipstick
