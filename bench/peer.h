#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "slipstick/benchmark/measure_steps.h"
#include "slipstick/model/model.h"

// Another simulator on the scenes of slipstick bench. Each is a program of its own, so that slipstick does not depend
// on it; it reads the scene by slipstick's reader and is judged by slipstick's detector on its positions.

namespace slipstick::internal {

// Another simulator with a copy of a model in it.
class PeerWorld {
 public:
  PeerWorld() = default;
  PeerWorld(const PeerWorld&) = delete;
  virtual ~PeerWorld() = default;
  virtual void Step() = 0;
  virtual int contacts() const = 0;  // points that its last step had
  // Its positions as coordinates of the model.
  virtual void Read(const Model& model, VecX* q) const = 0;
};

// One way to compute with it.
struct PeerMethod {
  std::string name;  // with the simulator's version
  std::function<std::unique_ptr<PeerWorld>(const Model&, double step)> make;
  int most_bodies = 1 << 30;  // of a scene; beyond it a step takes minutes, and there is no row
};

// The friction that all pairs of surfaces have. Where they differ the simulators would need rules of their own.
double FrictionOf(const Model& model);
// Free bodies whose frames are their principal axes, of shapes that all simulators have.
void RequireFreeBodies(const Model& model);
// Of a free body.
void PutPose(const ModelBody& body, const Pose& pose, VecX* q);

// PROGRAM BENCHMARK FILE TIME_LIMIT [quick]: writes the rows of the methods into the file.
int RunPeer(int count, char** arguments, const std::vector<PeerMethod>& methods);

}  // namespace slipstick::internal
