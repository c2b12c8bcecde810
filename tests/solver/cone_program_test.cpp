#include "slipstick/program/cone_program.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/solver/cone_random_programs.h"

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ConeProgram OneOfEach() {
  ConeProgram program;
  program.W = (MatX::Identity(7, 7) * 2).sparseView();
  program.q = VecX::Zero(7);
  program.blocks = {ConeBlock::Free(0), ConeBlock::Interval(1, -1, 3), ConeBlock::Cone(2, 0.5), ConeBlock::Disk(5, 2)};
  return program;
}

TEST(ConeProgramCheck, NamesWhatIsWrong) {
  EXPECT_EQ(Check(OneOfEach()), "");
  EXPECT_EQ(Check(ConeProgram{}), "");
  const auto broken = [](auto change) {
    ConeProgram program = OneOfEach();
    change(&program);
    return Check(program);
  };
  EXPECT_NE(broken([](ConeProgram* p) { p->W.resize(6, 7); }), "");
  EXPECT_NE(broken([](ConeProgram* p) { p->q[3] = std::nan(""); }), "");
  EXPECT_NE(broken([](ConeProgram* p) { p->W.coeffRef(3, 3) = kInfinity; }), "");
  EXPECT_EQ(broken([](ConeProgram* p) { p->W.coeffRef(3, 4) = 0.1; }), "");  // others' W is not quite symmetric
  EXPECT_NE(broken([](ConeProgram* p) { p->W.coeffRef(3, 3) = -1; }), "");
  EXPECT_NE(broken([](ConeProgram* p) { p->blocks.pop_back(); }), "");
  EXPECT_NE(broken([](ConeProgram* p) { p->blocks[0].offset = 1; }), "");
  EXPECT_NE(broken([](ConeProgram* p) { p->blocks[3].offset = 6; }), "");
  EXPECT_NE(broken([](ConeProgram* p) { p->blocks[0].offset = -1; }), "");
  EXPECT_NE(broken([](ConeProgram* p) { p->blocks[1].lower = 4; }), "");
  EXPECT_NE(broken([](ConeProgram* p) { p->blocks[1].upper = std::nan(""); }), "");
  EXPECT_NE(broken([](ConeProgram* p) { p->blocks[2].cone.parts[0].limit = -0.1; }), "");
  EXPECT_NE(broken([](ConeProgram* p) { p->blocks[2].cone.parts[0].limit = kInfinity; }), "");
  EXPECT_NE(broken([](ConeProgram* p) { p->blocks[3].radius = std::nan(""); }), "");
  EXPECT_EQ(broken([](ConeProgram* p) { p->blocks[3].radius = kInfinity; }), "");
  EXPECT_EQ(broken([](ConeProgram* p) { p->blocks[1].upper = kInfinity; }), "");
}

TEST(NaturalResidual, HandWorkedBlocks) {
  ConeProgram program = OneOfEach();
  program.q << 0.3, 0, 0, 0, 0, 0, 0;
  VecX r = VecX::Zero(7);
  EXPECT_NEAR(NaturalResidual(program, r), 0.3, 1e-15);  // a free row counts |u|
  r[0] = -0.15;
  EXPECT_NEAR(NaturalResidual(program, r), 0, 1e-15);
  program.q[1] = -10;  // the interval's upper end 3 leaves u = −4 there, which is allowed
  r[1] = 3;
  EXPECT_NEAR(NaturalResidual(program, r), 0, 1e-15);
  r[1] = 2.9;  // 0.1 short of it: the velocity 2·0.1 that closes the gap
  EXPECT_NEAR(NaturalResidual(program, r), 0.2, 1e-14);
  r[1] = 3;
  program.q.segment<3>(2) << -2, 3, 0;  // slips: r = (1, −0.5, 0), u = (0, 2, 0)
  r.segment<3>(2) << 1, -0.5, 0;
  EXPECT_NEAR(NaturalResidual(program, r), 0, 1e-15);
  program.non_associated = false;  // the convex law lifts off instead
  EXPECT_GT(NaturalResidual(program, r), 0.1);
  program.non_associated = true;
  program.q.segment<2>(5) << 10, 0;
  r.segment<2>(5) << -2, 0;
  EXPECT_NEAR(NaturalResidual(program, r), 0, 1e-15);
  r[3] = std::nan("");
  EXPECT_EQ(NaturalResidual(program, r), kInfinity);
}

TEST(NaturalResidual, DoesNotDependOnTheTangentBasisAndScalesWithTheVelocity) {
  testing::RandomNumbers random(5);
  for (int trial = 0; trial < 50; ++trial) {
    ConeProgram program = testing::RandomCloud(3, 6, 1, trial);
    VecX r(program.size());
    for (double& value : r) value = random.Between(-1, 1);
    const double residual = NaturalResidual(program, r);
    MatX turn = MatX::Identity(r.size(), r.size());
    for (const ConeBlock& block : program.blocks)
      turn.block<2, 2>(block.offset + 1, block.offset + 1) =
          Eigen::Rotation2Dd(random.Between(-3, 3)).toRotationMatrix();
    ConeProgram turned = program;
    turned.W = MatX(turn * MatX(program.W) * turn.transpose()).sparseView();
    turned.q = turn * program.q;
    EXPECT_NEAR(NaturalResidual(turned, turn * r), residual, 1e-12 * residual);
    // r in another unit: u is what it was, and so is the residual; u in another: it follows
    ConeProgram scaled = program;
    scaled.W *= 1000 * 7;
    scaled.q *= 7;
    EXPECT_NEAR(NaturalResidual(scaled, r / 1000), 7 * residual, 1e-11 * residual);
  }
}

}  // namespace
}  // namespace slipstick::internal
