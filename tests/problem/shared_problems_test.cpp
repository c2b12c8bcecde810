#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "slipstick/problem/problem_file.h"
#include "tests/problem/problem_samples.h"

// Every problem that others made is read, with the sizes that its file, name or twin in another format tells.

namespace slipstick::internal {
namespace {

struct Expected {
  const char* file;
  int dimension, contacts;
  int freedoms;  // 0: a local problem
};

constexpr Expected kFriction[] = {
    {"fc3d_global/CubeH8.hdf5", 3, 1, 162},
    {"fc3d_global/GFC3D_Example0.dat", 3, 1, 9},
    {"fc3d_global/GFC3D_Example00.dat", 3, 1, 3},
    {"fc3d_global/GFC3D_Example0_SBM.dat", 3, 1, 9},
    {"fc3d_global/GFC3D_Example1.dat", 3, 1, 3},
    {"fc3d_global/GFC3D_TwoRods1.dat", 3, 3, 54},
    {"fc3d_global/LMGC_GFC3D-i00001-1-00000.hdf5", 3, 1, 48},
    {"fc3d_global/LMGC_GlobalFrictionContactProblem00046.hdf5", 3, 9, 162},
    {"fc3d_global/Spheres-i099-356-679.hdf5", 3, 356, 12000},
    {"fc3d_local/Capsules-i100-1090.dat", 3, 276, 0},
    {"fc3d_local/Capsules-i101-404.dat", 3, 225, 0},
    {"fc3d_local/Capsules-i103-990.dat", 3, 275, 0},
    {"fc3d_local/Capsules-i122-1617.dat", 3, 296, 0},
    {"fc3d_local/Capsules-i125-1213.hdf5", 3, 286, 0},
    {"fc3d_local/Confeti-ex13-4contact-Fc3D-SBM.dat", 3, 4, 0},
    {"fc3d_local/Confeti-ex13-Fc3D-SBM.dat", 3, 107, 0},
    {"fc3d_local/FC3D_Example1.dat", 3, 3, 0},
    {"fc3d_local/FC3D_Example1_SBM.dat", 3, 3, 0},
    {"fc3d_local/FrictionContact3D_1c.dat", 3, 1, 0},
    {"fc3d_local/GFC3D_TwoRods1-condensed.dat", 3, 3, 0},
    {"fc3d_local/KaplasTower-i1061-4.hdf5.dat", 3, 570, 0},
    {"fc3d_local/LMGC_100_PR_PerioBox-i00361-60-03000.hdf5", 3, 60, 0},
    {"fc3d_local/NESpheres_10_1.dat", 3, 9, 0},
    {"fc3d_local/NESpheres_30_1.dat", 3, 44, 0},
    {"fc3d_local/OneObject-i100000-316.hdf5.dat", 3, 25, 0},
    {"fc3d_local/OneObject-i1028-138.hdf5.dat", 3, 23, 0},
    {"fc3d_local/Rover1039.dat", 3, 4, 0},
    {"fc3d_local/Rover1041.dat", 3, 5, 0},
    {"fc3d_local/Rover11035.dat", 3, 1, 0},
    {"fc3d_local/Rover3865.dat", 3, 5, 0},
    {"fc3d_local/Rover4144.dat", 3, 4, 0},
    {"fc3d_local/Rover4493.dat", 3, 4, 0},
    {"fc3d_local/Rover4516.dat", 3, 4, 0},
    {"fc3d_local/Rover4609.dat", 3, 5, 0},
    {"fc3d_local/Rover4613.dat", 3, 5, 0},
    {"fc3d_local/Rover9770.dat", 3, 5, 0},
    {"fc3d_local/fclib_local_problem_test.hdf5", 3, 48, 0},
    {"rolling/Chute-ndof-768-nc-4-3.hdf5", 5, 4, 768},
    {"rolling/GRFC3D_Chute-ndof-768-nc-4-3.dat", 5, 4, 768},
    {"rolling/RFC3D_cube_1.dat", 5, 2, 0},
    {"rolling/RFC3D_sphere_1.dat", 5, 1, 0},
    {"rolling/RFC3D_sphere_2.dat", 5, 1, 0},
    {"rolling/rfc3d_sphere_from_grfc3d.dat", 5, 2, 0},
    {"rolling/rfc3d_sphere_from_grfc3d_dense.dat", 5, 2, 0},
    {"rolling/rockfall_14_25792.dat", 5, 14, 0},
    {"rolling/rockfall_21_54029.dat", 5, 21, 0},
    {"siconos_scene_generated/BoxStacks-s00010-nc1462-nds264.dat", 3, 1462, 0},
    {"siconos_scene_generated/ChuteRocas-s00180-nc108-nds126.dat", 3, 108, 0},
    {"siconos_scene_generated/ChuteRocas-s00240-nc204-nds209.dat", 3, 204, 0},
};

struct ExpectedMixed {
  const char* file;
  int rows, columns, equations;
};

constexpr ExpectedMixed kMixed[] = {
    {"lcp/lcp_CPS_1.dat", 2, 2, 0},
    {"lcp/lcp_CPS_2.dat", 3, 3, 0},
    {"lcp/lcp_CPS_4.dat", 4, 4, 0},
    {"lcp/lcp_CPS_4bis.dat", 4, 4, 0},
    {"lcp/lcp_CPS_5.dat", 2, 2, 0},
    {"lcp/lcp_Pang_isolated_sol.dat", 3, 3, 0},
    {"lcp/lcp_Pang_isolated_sol_perturbed.dat", 3, 3, 0},
    {"lcp/lcp_deudeu.dat", 2, 2, 0},
    {"lcp/lcp_deudeu_block.dat", 2, 2, 0},
    {"lcp/lcp_exp_murty.dat", 6, 6, 0},
    {"lcp/lcp_inf_sol_perturbed.dat", 3, 3, 0},
    {"lcp/lcp_mmc.dat", 26, 26, 0},
    {"lcp/lcp_ortiz.dat", 4, 4, 0},
    {"lcp/lcp_ortiz_block.dat", 4, 4, 0},
    {"lcp/lcp_trivial.dat", 9, 9, 0},
    {"lcp/lcp_trivial_block.dat", 9, 9, 0},
    {"mlcp/BuckConverter_mlcp.dat", 32, 32, 20},
    {"mlcp/BuckFirstStep_mlcp.dat", 32, 32, 20},
    {"mlcp/PDSym_mlcp.dat", 7, 7, 3},
    {"mlcp/PD_mlcp.dat", 7, 7, 3},
    {"mlcp/RCD_mlcp.dat", 3, 3, 2},
    {"mlcp/RLCD_mlcp.dat", 8, 8, 6},
    {"mlcp/Rectangular_mlcp.dat", 3, 2, 2},
    {"mlcp/deudeu_mlcp.dat", 2, 2, 1},
    {"mlcp/diodeBridge20_mlcp.dat", 31, 31, 11},
    {"mlcp/diodeBridge_mlcp.dat", 7, 7, 3},
    {"mlcp/m2n1_mlcp.dat", 3, 3, 1},
    {"mlcp/m3n2_mlcp.dat", 5, 5, 2},
    {"mlcp/relay3_mlcp.dat", 6, 6, 4},
};

class SharedProblemsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(testing::SharedProblems()))
      GTEST_SKIP() << "the problems of others are not part of this repository, and ../shared/problems is not there";
  }
  template <typename Problem>
  static Problem Load(const std::string& file) {
    return std::get<Problem>(LoadProblem(testing::SharedProblems() / file));
  }
};

TEST_F(SharedProblemsTest, AreReadWithTheirSizes) {
  for (const Expected& expected : kFriction) {
    SCOPED_TRACE(expected.file);
    const LoadedProblem loaded = LoadProblem(testing::SharedProblems() / expected.file);
    ContactCoefficients contacts;
    int freedoms = 0;
    if (const auto* local = std::get_if<LocalProblem>(&loaded)) {
      contacts = local->contacts;
      EXPECT_TRUE(Check(*local).empty());
    } else {
      const auto& global = std::get<GlobalProblem>(loaded);
      contacts = global.contacts;
      freedoms = static_cast<int>(global.f.size());
      EXPECT_TRUE(Check(global).empty());
      // M is a mass matrix: both triangles are there
      EXPECT_LT(SparseMat(global.M - SparseMat(global.M.transpose())).norm(), 1e-6 * global.M.norm());
    }
    EXPECT_EQ(contacts.dimension, expected.dimension);
    EXPECT_EQ(contacts.contacts(), expected.contacts);
    EXPECT_EQ(freedoms, expected.freedoms);
    EXPECT_EQ(contacts.rolling.size(), expected.dimension == 5 ? expected.contacts : 0);
  }
  for (const ExpectedMixed& expected : kMixed) {
    SCOPED_TRACE(expected.file);
    const auto problem = Load<MixedProblem>(expected.file);
    EXPECT_EQ(problem.M.rows(), expected.rows);
    EXPECT_EQ(problem.M.cols(), expected.columns);
    EXPECT_EQ(std::count(problem.is_equation.begin(), problem.is_equation.end(), true), expected.equations);
    EXPECT_TRUE(Check(problem).empty());
  }
}

TEST_F(SharedProblemsTest, AreAllInTheTables) {
  std::set<std::string> known;
  for (const Expected& expected : kFriction) known.insert(expected.file);
  for (const ExpectedMixed& expected : kMixed) known.insert(expected.file);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::SharedProblems())) {
    const std::string ending = entry.path().extension();
    if (ending != ".dat" && ending != ".hdf5") continue;
    const std::string name = std::filesystem::relative(entry.path(), testing::SharedProblems());
    EXPECT_TRUE(known.contains(name)) << name;
  }
}

TEST_F(SharedProblemsTest, AgreeWithTheirTwinsInOtherStorages) {
  const auto lcp = [&](const std::string& name) { return Load<MixedProblem>("lcp/" + name + ".dat"); };
  for (const std::string name : {"lcp_deudeu", "lcp_ortiz", "lcp_trivial"}) {
    EXPECT_EQ(lcp(name).M, lcp(name + "_block").M) << name;
    EXPECT_EQ(lcp(name).q, lcp(name + "_block").q) << name;
  }
  EXPECT_EQ(MatX(Load<LocalProblem>("fc3d_local/FC3D_Example1.dat").W),
            MatX(Load<LocalProblem>("fc3d_local/FC3D_Example1_SBM.dat").W));
  const auto dense = Load<GlobalProblem>("fc3d_global/GFC3D_Example0.dat");
  const auto blocks = Load<GlobalProblem>("fc3d_global/GFC3D_Example0_SBM.dat");
  EXPECT_EQ(MatX(dense.M), MatX(blocks.M));
  EXPECT_EQ(MatX(dense.H), MatX(blocks.H));
  // what CSparse prints has six digits
  const auto text = Load<GlobalProblem>("rolling/GRFC3D_Chute-ndof-768-nc-4-3.dat");
  const auto fclib = Load<GlobalProblem>("rolling/Chute-ndof-768-nc-4-3.hdf5");
  EXPECT_LT(SparseMat(text.M - fclib.M).norm(), 1e-5 * fclib.M.norm());
  EXPECT_LT(SparseMat(text.H - fclib.H).norm(), 1e-5 * fclib.H.norm());
  EXPECT_LT((text.f - fclib.f).norm(), 1e-14 * fclib.f.norm());
  const auto printed = Load<LocalProblem>("rolling/rfc3d_sphere_from_grfc3d.dat");
  const auto whole = Load<LocalProblem>("rolling/rfc3d_sphere_from_grfc3d_dense.dat");
  EXPECT_LT(SparseMat(printed.W - whole.W).norm(), 1e-5 * whole.W.norm());
}

TEST_F(SharedProblemsTest, HoldValuesThatTheLiteratureHas) {
  // Cottle, Pang & Stone, example 4.4.7: stored by columns
  const auto lcp = Load<MixedProblem>("lcp/lcp_CPS_2.dat");
  EXPECT_EQ(lcp.M, (Mat3() << 0, -1, 2, 2, 0, -2, -1, 1, 0).finished());
  EXPECT_EQ(lcp.q, Vec3(-3, 6, -1));
  // 0 = u − v,  0 = −u − v + 1,  0 ≤ u + v − 1 ⊥ v ≥ 0: u = v = ½ solves all three
  const auto rectangular = Load<MixedProblem>("mlcp/Rectangular_mlcp.dat");
  EXPECT_EQ(rectangular.is_equation, (std::vector<bool>{true, true, false}));
  EXPECT_LT((rectangular.M * Vec2(0.5, 0.5) + rectangular.q).norm(), 1e-15);
  // w = (v₁ + 4/3 v₂ + 1, v₂ − 3): v = (0, 3), u = 1, w = (5, 0), as the file's own trailing numbers say
  const auto mixed = Load<MixedProblem>("mlcp/m2n1_mlcp.dat");
  EXPECT_LT((mixed.M * Vec3(1, 0, 3) + mixed.q - Vec3(0, 5, 0)).norm(), 1e-3);
}

}  // namespace
}  // namespace slipstick::internal
