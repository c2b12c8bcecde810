// Problems without contacts: friction, stops and loops of joints, by pivoting and by the cones' solvers alike.
#include "slipstick/law/joint_rows.h"

#include <gtest/gtest.h>

#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {
namespace {

Simulation Prepared(const std::string& scene, std::vector<Override> overrides, const std::string& law,
                    const std::string& solver) {
  overrides.push_back({"law", law});
  overrides.push_back({"solver", solver});
  return Simulation(ReadScene(FindScene(scene), overrides));
}

void ExpectSameMotion(const std::string& scene, const std::vector<Override>& overrides, int steps) {
  SCOPED_TRACE(scene);
  Simulation pivoting = Prepared(scene, overrides, "coulomb", "auto");
  Simulation cones = Prepared(scene, overrides, "coulomb", "interior-point");
  Simulation bounds = Prepared(scene, overrides, "regularized", "lemke");
  bool has_slid = false, has_stuck = false;
  for (int k = 0; k < steps; ++k) {
    const StepRecord& record = pivoting.Step();
    ASSERT_TRUE(record.certificate.passed);
    const BoundedSet& rows = record.problem.bounded;
    for (Eigen::Index i = 0; i < rows.target.size(); ++i) {
      const double impulse = record.solution.bounded[i];
      (impulse <= rows.lower[i] || impulse >= rows.upper[i] ? has_slid : has_stuck) = true;
    }
    cones.Step();
    bounds.Step();
    const double scale = 1 + pivoting.state().v.lpNorm<Eigen::Infinity>();
    ASSERT_LT((pivoting.state().v - cones.state().v).lpNorm<Eigen::Infinity>(), 1e-7 * scale) << "step " << k;
    ASSERT_LT((pivoting.state().v - bounds.state().v).lpNorm<Eigen::Infinity>(), 1e-7 * scale) << "step " << k;
  }
  EXPECT_TRUE(has_slid);
  EXPECT_TRUE(has_stuck);
}

TEST(JointRows, AgreeWithTheConesSolvers) {
  ExpectSameMotion("chain", {{"repeat.links.count", "11"}, {"repeat.links.joints.0.friction", "0.02"}}, 100);
  ExpectSameMotion("chain",
                   {{"repeat.links.count", "6"},
                    {"repeat.links.joints.0.friction", "0.002"},
                    {"repeat.links.joints.0.limits", "[-0.1, 0.1]"}},
                   200);
}

// Rows that hold, slide and are at stops as in the last step are found so at once.
TEST(JointRows, StatesThatStayCostOneFactorization) {
  Simulation simulation = Prepared("chain",
                                   {{"repeat.links.count", "50"},
                                    {"repeat.links.joints.0.friction", "0.002"},
                                    {"repeat.links.joints.0.limits", "[-0.3, 0.3]"}},
                                   "coulomb", "auto");
  std::vector<int> before;
  int stayed = 0, held = 0;
  for (int k = 0; k < 300; ++k) {
    const StepRecord& record = simulation.Step();
    ASSERT_TRUE(record.certificate.passed);
    const BoundedSet& rows = record.problem.bounded;
    std::vector<int> sides;
    for (Eigen::Index i = 0; i < rows.target.size(); ++i) {
      const double impulse = record.solution.bounded[i];
      sides.push_back(rows.place[i]);
      sides.push_back(impulse <= rows.lower[i] ? -1 : impulse >= rows.upper[i] ? 1 : 0);
      held += sides.back() == 0 ? 1 : 0;
    }
    if (sides == before && record.programs == 1) {
      ++stayed;
      EXPECT_EQ(record.report.iterations, 1) << "step " << k;
    }
    before = sides;
  }
  EXPECT_GT(stayed, 100);
  EXPECT_GT(held, 100);
}

}  // namespace
}  // namespace slipstick::internal
