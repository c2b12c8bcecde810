#include "slipstick/stepping/release_bodies.h"

#include "slipstick/model/dynamics.h"

namespace slipstick::internal {

void ReleaseBodies(const Model& model, double step, Motion* motion) {
  auto& [state, kinematics] = *motion;
  // a release at k h must not miss its step because k h was rounded downwards
  const double now = state.time + 1e-6 * step;
  const int before = state.released, count = static_cast<int>(model.releases.size());
  while (state.released < count && model.releases[state.released].time <= now) {
    const BodyRelease& release = model.releases[state.released++];
    state.v.segment<6>(model.bodies[release.body].v_offset) = release.velocity;
    ComputeBodyKinematics(model, state, release.body, &kinematics);
  }
  if (state.released == before) return;
  kinematics.released = state.released;
  state.energy.Release(KineticEnergy(model, kinematics), PotentialEnergy(model, kinematics));
}

}  // namespace slipstick::internal
