#include "slipstick/measure/motion_watch.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "slipstick/base/worst.h"

namespace slipstick::internal {
namespace {

int BodyNumber(const Model& model, const std::string& name) {
  const auto found =
      std::find_if(model.bodies.begin(), model.bodies.end(), [&](const auto& body) { return body.name == name; });
  return found == model.bodies.end() ? -1 : static_cast<int>(found - model.bodies.begin());
}

// How far a turn goes about an axis: the twist of its division into twist and swing.
double Twist(const Quat& turn, const Vec3& axis) {
  const double half = std::atan2(turn.vec().dot(axis), turn.w());
  return 2 * std::remainder(half, std::numbers::pi);
}

}  // namespace

MotionWatch::MotionWatch(const Scene& scene, const Simulation& simulation) {
  for (const SceneMeasure& measure : scene.measures) {
    if (measure.type != MeasureType::kDistance && measure.type != MeasureType::kTurns) continue;
    watched_.push_back(
        {measure, BodyNumber(simulation.model(), measure.body), BodyNumber(simulation.model(), measure.from)});
  }
  See(simulation);
}

void MotionWatch::See(const Simulation& simulation) {
  const Kinematics& kin = simulation.kinematics();
  for (Watched& one : watched_) {
    const Pose& body = kin.X_WB[one.body];
    if (one.measure.type == MeasureType::kTurns) {
      if (one.has_seen) one.angle += Twist(body.rotation * one.before.conjugate(), one.measure.turn_axis);
      one.before = body.rotation;
      one.has_seen = true;
      continue;
    }
    const Pose from = one.from < 0 ? Pose() : kin.X_WB[one.from];
    one.present = 0;
    for (const Vec3& point : one.measure.points) {
      Vec3 away = from.Inverse() * (body * point) - one.measure.through;
      if (one.measure.along) away -= one.measure.along->dot(away) * *one.measure.along;
      one.present = Worst(one.present, away.norm());
    }
    one.greatest = Worst(one.greatest, one.present);
  }
}

std::vector<MotionWatch::Result> MotionWatch::Results() const {
  std::vector<Result> results;
  for (const Watched& one : watched_) {
    if (one.measure.type == MeasureType::kTurns) {
      results.push_back({one.measure.name, {{"turns", one.angle / (2 * std::numbers::pi)}}});
    } else {
      results.push_back({one.measure.name, {{"greatest_metres", one.greatest}, {"at_the_end_metres", one.present}}});
    }
  }
  return results;
}

}  // namespace slipstick::internal
