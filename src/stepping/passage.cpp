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
  Vec3 velocity = Vec3::Zero();     // of the body's origin
  double turning = 0;               // speed of the shape's furthest point against that origin, at most

  Traveller(const Model& model, int number, const StepPath& path) : shape(model.shapes[number]) {
    if (shape.body == kWorld) return;
    body = &model.bodies[shape.body];
    if (!body->floats) return;
    velocity = path.v.segment<3>(body->v_offset + 3);
    const double reach = shape.X_BS.position.norm() + BoundingRadius(shape.geometry);
    turning = reach * path.v.segment<3>(body->v_offset).norm();
  }
  bool is_known() const { return body == nullptr || body->floats; }

  Pose At(const StepPath& path, double time) const {
    if (body == nullptr) return shape.X_BS;
    std::array<double, 7> q;
    std::copy_n(path.q.data() + body->q_offset, 7, q.data());
    AdvanceJoint(JointType::kFree, path.v.data() + body->v_offset, time, q.data());
    return Pose{Quat(q[0], q[1], q[2], q[3]), Vec3(q[4], q[5], q[6])} * shape.X_BS;
  }
};

// Goes along the path by what the gap leaves room for, so that no overlap deeper than told is stepped over.
std::optional<Passage> FindPassageOf(const Model& model, int a, int b, double gap, const StepPath& path,
                                     std::vector<LocalContact>* found) {
  const Traveller of_a(model, a, path), of_b(model, b, path);
  if (!of_a.is_known() || !of_b.is_known()) return std::nullopt;
  const double size = std::min(SmallestHalfExtent(of_a.shape.geometry), SmallestHalfExtent(of_b.shape.geometry));
  const double speed = (of_a.velocity - of_b.velocity).norm() + of_a.turning + of_b.turning;
  const double h = path.step;
  if (!(speed * h > size) || !std::isfinite(speed)) return std::nullopt;
  const double told = kThrough * size;
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
