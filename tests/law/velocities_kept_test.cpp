#include <fmt/format.h>
#include <gtest/gtest.h>

#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

// Above 90 rows `auto` keeps velocities; solvers by name work with dense matrices. Where the motion is unique both find
// it, whatever the law.

namespace slipstick::internal {
namespace {

// Balls that begin to roll: one contact each, in directions all around, and so many that dense matrices are not tried
// after.
std::string Balls(const std::string& law, const std::string& solver) {
  std::string text =
      "format: slipstick-scene 1\nmaterials: [{name: default, friction: 0.4}]\nworld: {shapes: [{type: plane}]}\n"
      "bodies:\n";
  for (int i = 0; i < 104; ++i) {
    text += fmt::format(
        "  - {{name: ball{0}, mass: {1}, position: [{0}, 0, 0.1], velocity: [{2}*cos({0}), {2}*sin({0}), 0], shapes: "
        "[{{type: sphere, radius: 0.1}}]}}\n",
        i, 1 + 0.1 * i, 0.01 * (i + 1));
  }
  return text + fmt::format("law: {}\nsolver: {}\nstepper: {{step: 0.002, duration: 1}}\n", law, solver);
}

class VelocitiesKept : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(VelocitiesKept, MoveAsDenseMatricesSay) {
  const auto [law, dense] = GetParam();
  Simulation kept(ReadSceneText(Balls(law, "auto"), "balls.yaml")),
      eliminated(ReadSceneText(Balls(law, dense), "balls.yaml"));
  for (int k = 0; k < 10; ++k) {
    kept.Step();
    eliminated.Step();
  }
  // each has been slowed down by friction, or has come to roll
  EXPECT_GT((kept.state().v).norm(), 0.5);
  EXPECT_LE((kept.state().v - eliminated.state().v).lpNorm<Eigen::Infinity>(), 1e-6);
  EXPECT_LE((kept.state().q - eliminated.state().q).lpNorm<Eigen::Infinity>(), 1e-7);
}

INSTANTIATE_TEST_SUITE_P(EveryLaw, VelocitiesKept,
                         ::testing::Values(std::pair("coulomb", "gauss-seidel"), std::pair("cone", "interior-point"),
                                           std::pair("regularized", "block-pivoting"),
                                           std::pair("bristle", "block-pivoting"), std::pair("box", "block-pivoting"),
                                           std::pair("polygonal", "block-pivoting"),
                                           std::pair("liang", "gauss-seidel")));

}  // namespace
}  // namespace slipstick::internal
