#include "bench/peer.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "slipstick/base/draft_file.h"
#include "slipstick/contact/certificate.h"

namespace slipstick::internal {
namespace {

BenchmarkRow Measure(const Benchmark& benchmark, const PeerMethod& method, const BenchmarkOptions& options) {
  // this one does not step: it says what the scene is and judges positions
  Simulation judge(SceneOf(benchmark, {}));
  judge.SetVelocities(VecX::Zero(judge.state().v.size()));
  BenchmarkRow row;
  row.benchmark = benchmark.name;
  row.engine = method.name;
  Simulation start(SceneOf(benchmark, {}));
  const std::unique_ptr<PeerWorld> world = method.make(start.model(), start.step());
  VecX q = start.state().q;
  MeasuredSteps steps;
  steps.step = start.step();
  steps.duration = benchmark.duration;
  steps.settled_steps = benchmark.settled_steps;
  steps.take = [&] {
    world->Step();
    return world->contacts();
  };
  steps.judge = [&](bool, BenchmarkRow* figures) {
    world->Read(start.model(), &q);
    if (!q.allFinite()) return false;
    judge.SetPositions(q);
    const PositionErrors errors = judge.JudgePresentPositions();
    figures->penetration = std::max(figures->penetration, errors.relative_penetration);
    figures->drift = std::max(figures->drift, errors.drift);
    return true;
  };
  MeasureSteps(steps, options, &row);
  row.centre = CentreOfMass(judge);
  return row;
}

}  // namespace

double FrictionOf(const Model& model) {
  const double friction = model.pairs.front().friction_static;
  for (const PairProperties& pair : model.pairs) {
    if (pair.friction_static != friction) throw std::runtime_error("surfaces with different friction");
  }
  return friction;
}

void RequireFreeBodies(const Model& model) {
  for (const ModelBody& body : model.bodies) {
    const Mat3 beside = body.inertia - Mat3(body.inertia.diagonal().asDiagonal());
    if (body.joint != JointType::kFree || !body.com.isZero(1e-12) || body.release_number >= 0 ||
        beside.norm() > 1e-9 * body.inertia.norm()) {
      throw std::runtime_error("only for free bodies about their centres of mass");
    }
  }
}

void PutPose(const ModelBody& body, const Pose& pose, VecX* q) {
  const Quat turn = pose.rotation.normalized();
  q->segment<7>(body.q_offset) << turn.w(), turn.x(), turn.y(), turn.z(), pose.position;
}

int RunPeer(int count, char** arguments, const std::vector<PeerMethod>& methods) {
  if (count < 4) {
    fmt::print(stderr, "{}: expected BENCHMARK FILE TIME_LIMIT [quick]; slipstick bench calls this\n", arguments[0]);
    return 2;
  }
  try {
    const Benchmark benchmark = ChooseBenchmarks({arguments[1]}).front();
    BenchmarkOptions options;
    options.time_limit = std::atof(arguments[3]);
    options.quick = count > 4;
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    const int bodies = static_cast<int>(SceneOf(benchmark, {}).bodies.size());
    for (const PeerMethod& method : methods) {
      if (bodies <= method.most_bodies) rows.push_back(BenchmarkRowJson(Measure(benchmark, method, options)));
    }
    WriteFile(arguments[2], rows.dump());
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

}  // namespace slipstick::internal
