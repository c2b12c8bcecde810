#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/model/compile_model.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"
#include "slipstick/state_file/state_file.h"
#include "slipstick/stepping/time_stepper.h"
#include "tests/base/scratch.h"

// A law with memory of its own touches its own file alone: here one that answers as exact Coulomb friction does and
// keeps, of each contact, since how many steps it is one and a direction that turns with it, and of each joint's
// friction for how many steps it has held.

namespace slipstick::internal {
namespace {

class RememberingLaw : public Law {
 public:
  explicit RememberingLaw(std::shared_ptr<const Law> right) : right_(std::move(right)) {}

  MemorySlots ContactSlots() const override {
    return {{.name = "age", .unit = "1", .meaning = "steps since it closed"},
            {.name = "mark", .unit = "1", .meaning = "a direction", .kind = MemorySlot::Kind::kVector}};
  }
  MemorySlots JointSlots() const override { return {{.name = "held", .unit = "1", .meaning = "steps that it held"}}; }

  LawAnswer Solve(const ContactProblem& problem, ProgramSolver& solver) const override {
    LawAnswer answer = right_->Solve(problem, solver);
    const ContactSet& contacts = problem.contacts;
    VecX& kept = answer.solution.contact_memory;
    kept.resize(4 * contacts.size());
    for (int i = 0; i < contacts.size(); ++i) {
      const bool is_new = contacts.Memory(i)[0] == 0;
      kept[4 * i] = contacts.Memory(i)[0] + 1;
      kept.segment<3>(4 * i + 1) = is_new ? Vec3(1, 0, 0) : Vec3(contacts.Memory(i, 1));
    }
    const BoundedSet& bounded = problem.bounded;
    VecX velocities(bounded.target.size());
    bounded.jacobian.Multiply(answer.solution.velocity, velocities);
    answer.solution.joint_memory =
        Eigen::Map<const VecX>(bounded.memory.data(), static_cast<int>(bounded.memory.size()));
    for (Eigen::Index row = 0; row < velocities.size(); ++row) {
      const int number = bounded.joint_row[row];
      if (number < 0) continue;
      double& held = answer.solution.joint_memory[number];
      held = std::abs(velocities[row]) < 1e-9 ? held + 1 : 0;
    }
    return answer;
  }
  double Residual(const ContactProblem& problem, const ContactSolution& solution,
                  const ContactMotion& after) const override {
    return right_->Residual(problem, solution, after);
  }

 private:
  std::shared_ptr<const Law> right_;
};

// A puck that spins on ice, and two pendulums: friction holds one of them.
constexpr const char* kScene = R"(
format: slipstick-scene 1
world: {shapes: [{type: plane}]}
materials: [{name: default, friction: 0}]
bodies:
  - {name: puck, mass: 1, position: [0, 0, 0.05], angular_velocity: [0, 0, 2], shapes: [{type: box, size: [0.2, 0.2, 0.1]}]}
  - {name: held, mass: 1, inertia: [0.01, 0.01, 0.01]}
  - {name: free, mass: 1, inertia: [0.01, 0.01, 0.01]}
joints:
  - {name: one, type: revolute, axis: [0, 1, 0], child: held, parent_frame: {position: [0, 0, 5]}, child_frame: {position: [-0.1, 0, 0]}, friction: 2}
  - {name: two, type: revolute, axis: [0, 1, 0], child: free, parent_frame: {position: [0, 0, 9]}, child_frame: {position: [-0.1, 0, 0]}, friction: 0.1}
)";

Simulation Remembering() {
  const Scene scene = ReadSceneText(kScene, "puck.yaml");
  std::vector<Fault> faults;
  Method method = MakeMethod("coulomb", {}, "auto", {}, &faults);
  method.law = std::make_shared<RememberingLaw>(method.law);
  auto parts = std::make_unique<SimulationParts>();
  parts->model = std::make_shared<Model>(CompileModel(scene));
  parts->method = method;
  parts->stepper_name = "time-stepping";
  parts->stepper = std::make_unique<TimeStepper>(parts->model, method, TimeSteppingSettings{}, parts->tolerances);
  return Simulation(std::move(parts));
}

TEST(LawMemory, IsKeptTurnedAndRestored) {
  Simulation simulation = Remembering();
  constexpr int kSteps = 100;
  for (int k = 0; k < kSteps; ++k) ASSERT_TRUE(simulation.Step().certificate.passed);
  const State& state = simulation.state();
  ASSERT_EQ(state.contacts.size(), 4);
  ASSERT_EQ(state.contacts.slots.size(), 2u);
  // the ground stands still: the mean of both turns is half of the puck's
  const double angle = (kSteps - 1) * 0.5 * 2 * simulation.step();
  for (int i = 0; i < 4; ++i) {
    const double* values = &state.contacts.values[4 * i];
    EXPECT_EQ(values[0], kSteps);
    EXPECT_LT((Vec3(values[1], values[2], values[3]) - Vec3(std::cos(angle), std::sin(angle), 0)).norm(), 1e-9);
  }
  ASSERT_EQ(state.joints.values.size(), 2u);
  EXPECT_EQ(state.joints.values[0], kSteps);
  EXPECT_EQ(state.joints.values[1], 0);

  const testing::Scratch scratch;
  SaveState(scratch / "state.h5", simulation);
  for (int k = 0; k < 50; ++k) simulation.Step();
  Simulation other = Remembering();
  RestoreState(scratch / "state.h5", &other);
  for (int k = 0; k < 50; ++k) other.Step();
  EXPECT_TRUE(other.state() == simulation.state());
  EXPECT_EQ(other.state().joints.values[0], kSteps + 50);
}

// Memory of another law is not read as one's own.
TEST(LawMemory, OfAnotherLawIsLeftAlone) {
  Simulation simulation = Remembering();
  for (int k = 0; k < 10; ++k) simulation.Step();
  State other = simulation.state();
  other.contacts.slots[0].name = "dwell";
  other.joints.slots[0].name = "dwell";
  simulation.SetState(other);
  simulation.Step();
  EXPECT_EQ(simulation.state().contacts.values[0], 1);
  EXPECT_EQ(simulation.state().joints.values[0], 1);
}

}  // namespace
}  // namespace slipstick::internal
