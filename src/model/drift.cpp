#include "slipstick/model/drift.h"

#include "slipstick/model/joint_kinematics.h"

namespace slipstick::internal {

void Drift(const Model& model, double time, MotionState* state) {
  for (const int i : model.linked_bodies) {
    const ModelBody& body = model.bodies[i];
    if (body.v_count == 0) continue;
    AdvanceJoint(body.joint, state->v.data() + body.v_offset, time, state->q.data() + body.q_offset);
  }
  for (const LoneBody& lone : model.LoneBodies(state->released)) {
    DriftLoneBody(lone, time, state->q.data() + lone.q_offset, state->v.data() + lone.v_offset);
  }
}

void DriftLoneBody(const LoneBody& body, double time, double* q, double* v) {
  if (body.is_ball || (v[0] == 0 && v[1] == 0 && v[2] == 0)) return AdvanceJoint(JointType::kFree, v, time, q);
  Quat rotation(q[0], q[1], q[2], q[3]);
  Eigen::Map<Vec3> position(q + 4), angular(v), linear(v + 3);
  const Vec3 before = rotation * body.com, spin = angular;
  const Vec3 of_center = linear + spin.cross(before);
  Vec3 next_spin = spin;
  body.rotation.Advance(time, &rotation, &next_spin);
  const Vec3 after = rotation * body.com;
  q[0] = rotation.w();
  q[1] = rotation.x();
  q[2] = rotation.y();
  q[3] = rotation.z();
  position += time * of_center + (before - after);
  linear += spin.cross(before) - next_spin.cross(after);
  angular = next_spin;
}

}  // namespace slipstick::internal
