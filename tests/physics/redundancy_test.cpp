#include "tests/physics/scene_runs.h"

namespace slipstick::internal {
namespace {

constexpr double kG = 9.81;

struct RedundantScene {
  const char* name;
  const char* stiffness;  // key of the material's
  double weight;
};

const RedundantScene kScenes[] = {{"table", "materials.felt.tangential_stiffness", 20 * kG},
                                  {"box-on-corners", "materials.wood.tangential_stiffness", 3 * kG},
                                  {"twelve-contacts", "materials.rubber.tangential_stiffness", 12 * kG}};

// The compliance of finite kT makes redundant friction unique; the normals stay redundant, and their sum is the weight.
TEST(RedundantContactsTest, FiniteStiffnessPassesEveryStepAndCarriesTheWeight) {
  for (const RedundantScene& scene : kScenes) {
    for (const char* law : {"regularized", "bristle", "liang", "coulomb"}) {
      SCOPED_TRACE(testing::Message() << scene.name << " " << law);
      Simulation simulation = Load(scene.name, {{"law", law}});
      RunUntil(1.0, &simulation, [&](const Simulation& s) {
        EXPECT_TRUE(s.last_step().solution.contact.allFinite());
        EXPECT_NEAR(ContactForce(s).z(), scene.weight, 1e-6 * scene.weight);
      });
    }
  }
}

TEST(RedundantContactsTest, HoldsAndSlidesAsOneFootWould) {
  for (const char* law : {"regularized", "liang", "coulomb"}) {
    SCOPED_TRACE(law);
    Simulation table = Load("table", {{"law", law}});
    RunUntil(0.6, &table);
    EXPECT_LT(table.kinematics().X_WB[0].position.norm(), 1e-4);  // 60 N of 98.1 N
    RunUntil(1.0, &table);
    const double acceleration = (120 - 0.5 * 20 * kG) / 20;
    EXPECT_NEAR(table.kinematics().linear_velocity[0].x(), 0.4 * acceleration, 0.02 * acceleration);
    EXPECT_LT(table.kinematics().angular_velocity[0].norm(), 1e-6);

    Simulation plate = Load("twelve-contacts", {{"law", law}});
    RunUntil(1.0, &plate);
    EXPECT_LT(plate.kinematics().X_WB[0].position.norm(), 1e-4);  // 40 N of 70.6 N
  }
}

// With kT = ∞ the friction forces are not unique and the matrix is singular: every solver finds one of the answers all
// the same.
TEST(RedundantContactsTest, InfiniteStiffnessPassesEveryStepAndCarriesTheWeight) {
  for (const RedundantScene& scene : kScenes) {
    for (const char* law : {"regularized", "bristle", "box", "polygonal"}) {
      for (const char* solver : {"block-pivoting", "lemke", "auto"}) {
        SCOPED_TRACE(testing::Message() << scene.name << " " << law << " " << solver);
        Overrides overrides = {{"law", law}, {"solver", solver}, {scene.stiffness, ".inf"}};
        if (std::string(scene.name) == "table") overrides.push_back({"materials.floor.tangential_stiffness", ".inf"});
        Simulation simulation = Load(scene.name, overrides);
        ASSERT_TRUE(std::isinf(simulation.model()
                                   .Pair(0, static_cast<int>(simulation.model().shapes.size()) - 1)
                                   .tangential_stiffness) ||
                    std::string(scene.name) != "box-on-corners");
        for (int k = 0; k < 100; ++k) {
          const StepRecord& record = simulation.Step();
          ASSERT_TRUE(record.certificate.finite) << "step " << k;
          ASSERT_TRUE(record.solution.contact.allFinite());
          ASSERT_TRUE(record.solution.velocity.allFinite());
          ASSERT_TRUE(record.certificate.passed)
              << "step " << k << ", " << ToString(record.report.status) << ": " << record.certificate.reason;
          ASSERT_NEAR(ContactForce(simulation).z(), scene.weight, 1e-6 * scene.weight) << "step " << k;
        }
      }
    }
  }
}

// A puck on four feet that slides and turns: what a foot carries decides how it rubs. Neither the order of the feet nor
// where they are numbered from may decide it, but what feet of equal stiffness would carry, however stiff.
TEST(RedundantContactsTest, APuckOnFourFeetSlidesAsOnEqualSprings) {
  const auto slide = [](const std::string& law, const std::vector<int>& order, const std::string& stiffness) {
    const Vec3 feet[] = {{0.1, 0, 0.01}, {0, 0.1, 0.01}, {-0.1, 0, 0.01}, {0, -0.1, 0.01}};
    std::string shapes;
    for (const int foot : order) shapes += "{type: sphere, radius: 0.01, position: " + Text(feet[foot]) + "}, ";
    Simulation simulation(ReadSceneText("format: slipstick-scene 1\nmaterials: [{name: default, friction: 0.3" +
                                            stiffness + R"(}]
world: {shapes: [{type: plane}]}
bodies: [{name: puck, mass: 1, com: [0, 0, 0.02], inertia: [0.006, 0.006, 0.0072], velocity: [1, 0, 0],
          angular_velocity: [0, 0, 8], shapes: [)" +
                                            shapes + "]}]\nlaw: " + law + "\nstepper: {step: 0.001}\n",
                                        "case.yaml"));
    RunUntil(0.6, &simulation);
    return simulation.state();
  };
  const State springs = slide("coulomb", {0, 1, 2, 3}, ", normal_stiffness: 1e8");
  for (const char* law : {"coulomb", "liang", "regularized"}) {
    SCOPED_TRACE(law);
    const State first = slide(law, {0, 1, 2, 3}, "");
    EXPECT_GT(first.q[4], 0.1);
    for (const std::vector<int>& order : {std::vector{1, 2, 3, 0}, std::vector{3, 1, 0, 2}, std::vector{2, 0, 3, 1}}) {
      // limits of the last step carry on what single steps, in which contacts stop and turn, leave open
      EXPECT_LT((slide(law, order, "").q - first.q).norm(), std::string(law) == "liang" ? 1e-3 : 1e-7);
    }
    if (std::string(law) == "coulomb") {
      EXPECT_LT((springs.q - first.q).norm(), 1e-4);
    }
  }
}

TEST(DeterminismTest, ARunRepeatedHasTheSameHash) {
  for (const char* scene : {"table", "ball-slide", "bounce", "coin", "four-bar", "heavy-on-light"}) {
    for (const char* law : {"coulomb", "regularized"}) {
      Simulation first = Load(scene, {{"law", law}}), second = Load(scene, {{"law", law}});
      RunUntil(0.2, &first);
      RunUntil(0.2, &second);
      EXPECT_EQ(first.StateHash(), second.StateHash()) << scene << " " << law;
    }
  }
}

TEST(DeterminismTest, ASnapshotRestoredTwiceHasTheSameFuture) {
  for (const char* scene : {"table", "ball-slide", "bounce", "heavy-on-light", "cube-push"}) {
    for (const char* law : {"coulomb", "regularized", "liang"}) {
      SCOPED_TRACE(testing::Message() << scene << " " << law);
      Simulation simulation = Load(scene, {{"law", law}});
      RunUntil(0.25, &simulation);
      const State snapshot = simulation.state();
      const std::uint64_t start = simulation.StateHash();
      RunUntil(0.4, &simulation);
      const std::uint64_t future = simulation.StateHash();
      EXPECT_NE(start, future);
      for (int again = 0; again < 2; ++again) {
        simulation.SetState(snapshot);
        EXPECT_EQ(simulation.StateHash(), start);
        RunUntil(0.4, &simulation);
        EXPECT_EQ(simulation.StateHash(), future);
      }
      // another simulation of the same scene takes it up as well
      Simulation other = Load(scene, {{"law", law}});
      other.SetState(snapshot);
      RunUntil(0.4, &other);
      EXPECT_EQ(other.StateHash(), future);
    }
  }
}

}  // namespace
}  // namespace slipstick::internal
