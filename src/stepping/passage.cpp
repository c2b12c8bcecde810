#include "slipstick/stepping/passage.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "slipstick/collision/narrow_phase.h"
#include "slipstick/model/joint_kinematics.h"

namespace slipstick::internal {
namespace {

constexpr double kThrough = 0.5;     // overlap on the way that tells, in half-extents of the thinner shape
constexpr double kLeastStep = 1e-3;  // of the step, so that looking ends

// A shape on its way.
struct Traveller {
  const ModelShape& shape;
  const ModelBody* body = nullptr;  // null: the world
  double hit = 0;

  Traveller(const Model& model, int number, const StepPath& path) : shape(model.shapes[number]) {
    if (shape.body == kWorld) return;
    body = &model.bodies[shape.body];
    hit = path.HitOf(body->tree);
  }
  bool is_known() const { return body == nullptr || body->floats; }

  // Of the body's origin;
  Vec3 Velocity(const VecX& v) const {
    return body == nullptr ? Vec3(0, 0, 0) : Vec3(v.segment<3>(body->v_offset + 3));
  }
  // and that of the shape's furthest point against it, at most.
  double Turning(const VecX& v) const {
    if (body == nullptr) return 0;
    return (shape.X_BS.position.norm() + BoundingRadius(shape.geometry)) * v.segment<3>(body->v_offset).norm();
  }

  Pose At(const StepPath& path, double time) const {
    if (body == nullptr) return shape.X_BS;
    const bool is_before = time < hit;
    std::array<double, 7> q;
    std::copy_n((is_before ? path.q : path.origin).data() + body->q_offset, 7, q.data());
    AdvanceJoint(JointType::kFree, (is_before ? path.v : path.after).data() + body->v_offset, time, q.data());
    return Pose{Quat(q[0], q[1], q[2], q[3]), Vec3(q[4], q[5], q[6])} * shape.X_BS;
  }
};

// How fast surfaces of the two move against each other, at most.
double FastestOf(const Traveller& a, const Traveller& b, const StepPath& path) {
  const auto speed = [&](const VecX& of_a, const VecX& of_b) {
    return (a.Velocity(of_a) - b.Velocity(of_b)).norm() + a.Turning(of_a) + b.Turning(of_b);
  };
  double fastest = speed(path.after, path.after);
  if (a.hit > 0) fastest = std::max(fastest, speed(path.v, path.after));
  if (b.hit > 0) fastest = std::max(fastest, speed(path.after, path.v));
  if (a.hit > 0 && b.hit > 0) fastest = std::max(fastest, speed(path.v, path.v));
  return fastest;
}

// Goes along the path by what the gap leaves room for, so that no overlap deeper than told is stepped over.
std::optional<Passage> FindPassageOf(const Model& model, int a, int b, double gap, const StepPath& path,
                                     std::vector<LocalContact>* found) {
  const Traveller of_a(model, a, path), of_b(model, b, path);
  if (!of_a.is_known() || !of_b.is_known()) return std::nullopt;
  const double size = std::min(SmallestHalfExtent(of_a.shape.geometry), SmallestHalfExtent(of_b.shape.geometry));
  const double speed = FastestOf(of_a, of_b, path), h = path.step;
  if (!(speed * h > size) || !std::isfinite(speed)) return std::nullopt;
  const double told = kThrough * size;
  // one that was hit before is not where the gap is of
  if (of_a.hit < 0 || of_b.hit < 0) gap = -told;
  for (double time = 0;;) {
    time += std::max((gap + told) / speed, kLeastStep * h);
    if (time >= h) return std::nullopt;
    found->clear();
    Collide(of_a.shape.geometry, of_a.At(path, time), of_b.shape.geometry, of_b.At(path, time), speed * (h - time),
            found);
    if (found->empty()) return std::nullopt;
    gap = std::min_element(found->begin(), found->end(), [](const LocalContact& x, const LocalContact& y) {
            return x.gap < y.gap;
          })->gap;
    if (gap < -told) return Passage{a, b, -gap, size};
  }
}

}  // namespace

std::optional<Passage> FindPassage(const Model& model, const StepPath& path, std::span<const ContactPoint> points) {
  static thread_local std::vector<LocalContact> found;  // keeps its storage
  for (std::size_t i = 0; i < points.size();) {
    const int a = points[i].shape_a(), b = points[i].shape_b();
    double gap = points[i].gap;
    for (; i < points.size() && points[i].shape_a() == a && points[i].shape_b() == b; ++i) {
      gap = std::min(gap, points[i].gap);
    }
    if (!std::isfinite(BoundingRadius(model.shapes[a].geometry) + BoundingRadius(model.shapes[b].geometry))) continue;
    if (const auto passage = FindPassageOf(model, a, b, gap, path, &found)) return passage;
  }
  return std::nullopt;
}

}  // namespace slipstick::internal
