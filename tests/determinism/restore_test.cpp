#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <limits>
#include <optional>
#include <random>

#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"
#include "slipstick/state_file/state_file.h"
#include "tests/base/scratch.h"

// A state holds all that the future depends on: for every scene, with every law that it allows, whatever was simulated
// before in the same simulation, in another one, and after a way through a file.

namespace slipstick::internal {
namespace {

using testing::Scratch;

std::vector<std::string> SceneFiles() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(SLIPSTICK_SOURCE_DIR "/scenes")) {
    if (entry.is_regular_file()) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Null where the scene refuses the law.
std::optional<Simulation> Prepared(const std::string& file, const std::string& law) {
  const std::filesystem::path path = std::filesystem::path(SLIPSTICK_SOURCE_DIR) / "scenes" / file;
  try {
    Scene scene = ReadScene(path);
    if (!law.empty() && law != scene.law) {
      scene.law = law;
      scene.law_settings.clear();
      scene.solver = "auto";
      scene.solver_settings.clear();
    }
    return Simulation(scene);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// Steps that a scene can afford here: until a time is used up, so that heaps take a few.
long StepsWithin(Simulation* simulation, long most, double seconds) {
  const auto start = std::chrono::steady_clock::now();
  for (long k = 0; k < most; ++k) {
    simulation->Step();
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds) return k + 1;
  }
  return most;
}

// Leaves other motions, other contacts and what is no number in everything that is kept for its storage.
void SpoilScratch(Simulation* simulation) {
  State other = simulation->state();
  for (double& value : other.v) value = 0.5 * value + 0.01;
  simulation->SetState(other);
  for (int k = 0; k < 2; ++k) simulation->Step();
  other.v.setConstant(std::numeric_limits<double>::quiet_NaN());
  simulation->SetState(other);
  simulation->Step();
}

class Restore : public ::testing::TestWithParam<std::string> {};

TEST_P(Restore, HasTheSameFuture) {
  const Scratch scratch;
  int laws = 0;
  for (const char* law :
       {"", "coulomb", "cone", "regularized", "bristle", "liang", "box", "polygonal", "max-dissipation"}) {
    SCOPED_TRACE(law);
    std::optional<Simulation> simulation = Prepared(GetParam(), law);
    if (!simulation || (laws > 0 && simulation->model().bodies.size() > 100)) continue;
    ++laws;
    std::mt19937 random(static_cast<unsigned>(laws));
    const long before = StepsWithin(&*simulation, 20 + static_cast<long>(random() % 60), 0.2);
    const State saved = simulation->state();
    SaveState(scratch / "state.h5", *simulation);
    const long after = StepsWithin(&*simulation, 40, 0.15);
    const State end = simulation->state();

    std::optional<Simulation> fresh = Prepared(GetParam(), law);
    RestoreState(scratch / "state.h5", &*fresh);
    EXPECT_TRUE(fresh->state() == saved) << "after " << before << " steps";
    for (long k = 0; k < after; ++k) fresh->Step();
    EXPECT_TRUE(fresh->state() == end) << "after " << before << " and " << after << " steps";

    // twice, and in a simulation whose scratch is spoilt before every step
    simulation->SetState(saved);
    for (long k = 0; k < std::min(after, 5L); ++k) {
      const State present = simulation->state();
      SpoilScratch(&*simulation);
      simulation->SetState(present);
      simulation->Step();
    }
    for (long k = 5; k < after; ++k) simulation->Step();
    EXPECT_TRUE(simulation->state() == end) << "with spoilt scratch";
  }
  EXPECT_GE(laws, 1);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Restore, ::testing::ValuesIn(SceneFiles()), [](const auto& test) {
  std::string name = test.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

// In the middle of what is decided once or lasts for some steps.
constexpr const char* kServo = R"yaml(
format: slipstick-scene 1
bodies: [{name: arm, mass: 1, inertia: [0.01, 0.01, 0.01]}]
joints: [{name: hinge, type: revolute, axis: [0, 1, 0], child: arm, child_frame: {position: [0, 0, 0.3]}, friction: 0.1,
          limits: [-1, 1], bearing: {friction: 0.3, radius: 0.02}}]
drives: [{name: servo, joint: hinge, type: servo, stiffness: 500, damping: 5, position: "sin(9*t)", effort: 2}]
stepper: {step: 0.001}
)yaml";
constexpr const char* kFlatFourBar = R"yaml(
format: slipstick-scene 1
bodies:
  - {name: a, mass: 1, inertia: [0.1, 0.1, 0.1]}
  - {name: b, mass: 1, inertia: [0.1, 0.1, 0.1]}
  - {name: c, mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  - {name: one, type: revolute, axis: [0, 1, 0], child: a, child_frame: {position: [-0.5, 0, 0]}, velocity: 3}
  - {name: two, type: revolute, axis: [0, 1, 0], parent: a, child: b, parent_frame: {position: [0.5, 0, 0]}, child_frame: {position: [-0.5, 0, 0]}, velocity: -6}
  - {name: three, type: revolute, axis: [0, 1, 0], parent: b, child: c, parent_frame: {position: [0.5, 0, 0]}, child_frame: {position: [-0.5, 0, 0]}, velocity: 6}
constraints:
  - {name: close, type: distance, between: [c, world], points: [[0.5, 0, 0], [4, 0, 0]], length: 1}
stepper: {step: 0.001, scheme: semi-implicit}
)yaml";

void ExpectSameFutureFromEveryStep(const std::string& text, int steps) {
  const Scene scene = ReadSceneText(text, "case.yaml");
  Simulation simulation(scene);
  std::vector<State> states = {simulation.state()};
  for (int k = 0; k < steps; ++k) {
    simulation.Step();
    states.push_back(simulation.state());
  }
  for (int k = 0; k + 1 < steps; k += 7) {
    Simulation fresh(scene);
    fresh.SetState(states[k]);
    const int next = std::min(k + 10, steps);
    for (int i = k; i < next; ++i) fresh.Step();
    ASSERT_TRUE(fresh.state() == states[next]) << "from step " << k;
  }
}

TEST(RestoreInTheMiddle, OfADriveAtItsLimit) { ExpectSameFutureFromEveryStep(kServo, 400); }
TEST(RestoreInTheMiddle, NearASingularPose) {
  ExpectSameFutureFromEveryStep(kFlatFourBar, 60);
  // The row that nothing moves where the linkage is stretched was counted there. A state without that count goes
  // another way, so that the above would see it.
  const Scene scene = ReadSceneText(kFlatFourBar, "case.yaml");
  Simulation simulation(scene), forgetful(scene);
  for (int k = 0; k < 20; ++k) simulation.Step();
  ASSERT_GT(simulation.state().redundant_rows, 0);
  State state = simulation.state();
  state.redundant_rows = -1;
  forgetful.SetState(state);
  for (int k = 0; k < 20; ++k) {
    simulation.Step();
    forgetful.Step();
  }
  EXPECT_EQ(forgetful.state().redundant_rows, 0);
}
TEST(RestoreInTheMiddle, OfImpactsAndSticking) {
  ExpectSameFutureFromEveryStep(R"(
format: slipstick-scene 1
world: {shapes: [{type: plane}]}
materials: [{name: default, friction: 0.6, restitution: 0.5}]
bodies: [{name: box, mass: 1, position: [0, 0, 0.3], velocity: [1, 0, 0], angular_velocity: [1, 2, 0.5], shapes: [{type: box, size: [0.2, 0.1, 0.2]}]}]
stepper: {step: 0.002}
)",
                                500);
}
TEST(RestoreInTheMiddle, OfMotionFromEventToEvent) {
  ExpectSameFutureFromEveryStep(R"(
format: slipstick-scene 1
world: {shapes: [{type: plane}]}
materials: [{name: default, friction: 0.4, restitution: 0.6}]
bodies:
  - {name: ball, mass: 1, position: [0, 0, 0.2], velocity: [1, 0.2, 0], angular_velocity: [1, 2, 0.5], shapes: [{type: sphere, radius: 0.1}]}
  - {name: slow, mass: 1, position: [0.5, 0, 0.1], shapes: [{type: sphere, radius: 0.1}]}
stepper: {name: event-driven, step: 0.005}
)",
                                160);
}

}  // namespace
}  // namespace slipstick::internal
