// Rows of single velocities against the same problem as a box, whose answer has other ways to be found.
#include "slipstick/solver/velocity/velocity_pivoting.h"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/program/bounded_mlcp.h"
#include "slipstick/solver/mlcp/mlcp_auto.h"
#include "tests/math/random_matrix.h"

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Sample {
  BlockDiagonal mass;
  VecX free;
  SingleRowsProgram program;
  BoundedMlcp box;
};

// One to three rows on some of the velocities of three blocks: friction, stops towards either side, motors.
void Fill(RandomSource* random, Sample* sample) {
  BlockLayout layout;
  for (int b = 0; b < 3; ++b) layout.Append(1 + static_cast<int>(random->Uniform(0, 9)));
  sample->mass.Reset(layout);
  for (int b = 0; b < layout.count(); ++b) {
    const MatX factor = RandomMatrix(random, layout.size[b], layout.size[b]);
    sample->mass.block(b) = factor * factor.transpose() + 0.1 * MatX::Identity(layout.size[b], layout.size[b]);
  }
  ASSERT_TRUE(sample->mass.Factorize());
  sample->free.resize(layout.total);
  for (double& v : sample->free) v = random->Uniform(-1, 1);
  SingleRowsProgram& program = sample->program;
  program = {&sample->mass, &sample->free, {}};
  for (int b = 0; b < layout.count(); ++b) {
    for (int k = 0; k < layout.size[b]; ++k) {
      for (double chance = 0.8; random->Uniform(0, 1) < chance; chance *= 0.4) {
        SingleRowsProgram::Row row{b, k, random->Uniform(0, 1) < 0.5 ? 1.0 : -1.0, 0, 0, 0};
        const double kind = random->Uniform(0, 1), limit = random->Uniform(0, 0.5);
        if (kind < 0.5) {
          row.lower = -limit, row.upper = limit;
        } else if (kind < 0.8) {  // stops leave room between them
          row.target = -random->Uniform(0, 0.5), row.upper = kInfinity;
        } else {
          row.factor *= 2, row.target = random->Uniform(-0.5, 0.5), row.lower = -limit, row.upper = 2 * limit;
        }
        program.rows.push_back(row);
      }
    }
  }
  const int n = program.size();
  sample->box = {MatX::Zero(n, n), VecX(n), VecX(n), VecX(n)};
  for (int j = 0; j < n; ++j) {
    const auto& of = program.rows[j];
    MatX column = MatX::Zero(layout.size[of.block], 1);
    column(of.index, 0) = of.factor;
    sample->mass.SolveBlockInPlace(of.block, column);
    for (int i = 0; i < n; ++i) {
      const auto& row = program.rows[i];
      if (row.block == of.block) sample->box.A(i, j) = row.factor * column(row.index, 0);
    }
    sample->box.b[j] = of.factor * sample->free[layout.offset[of.block] + of.index] - of.target;
    sample->box.lower[j] = of.lower;
    sample->box.upper[j] = of.upper;
  }
}

TEST(VelocityPivotingTest, SolvesTheSameBox) {
  RandomSource random(71);
  int several = 0;
  for (int n = 0; n < 300; ++n) {
    SCOPED_TRACE(n);
    Sample sample;
    Fill(&random, &sample);
    const int size = sample.program.size();
    VecX start(size);  // any states
    for (int i = 0; i < size; ++i) {
      const auto& row = sample.program.rows[i];
      const double any = random.Uniform(-1, 1);
      start[i] = std::clamp(any, row.lower, row.upper);
    }
    const SingleRowsAnswer answer = SolveByVelocityPivoting(sample.program, start);
    ASSERT_EQ(answer.report.status, SolveStatus::kSolved);
    for (int i = 0; i < size; ++i) {
      EXPECT_GE(answer.z[i], sample.program.rows[i].lower);
      EXPECT_LE(answer.z[i], sample.program.rows[i].upper);
    }
    EXPECT_LT(NaturalResidual(sample.box, answer.z), 1e-12 * std::max(1.0, ResidualScale(sample.box, answer.z)));
    // impulses on one velocity may be shared otherwise, what they do is unique
    const MlcpAnswer other = SolveMlcpByAuto(sample.box, {}, nullptr);
    ASSERT_EQ(other.report.status, SolveStatus::kSolved);
    EXPECT_LT((sample.box.A * (answer.z - other.z)).lpNorm<Eigen::Infinity>(), 1e-9);
    for (int i = 0; i < size; ++i) {
      const auto& row = sample.program.rows[i];
      const double v = answer.velocity[sample.mass.layout().offset[row.block] + row.index];
      EXPECT_NEAR(row.factor * v - row.target, sample.box.A.row(i).dot(answer.z) + sample.box.b[i], 1e-10);
      if (answer.z[i] > row.lower && answer.z[i] < row.upper) {
        EXPECT_EQ(v, row.target / row.factor);
      }
    }
    // from its own answer nothing is left to be found
    const SingleRowsAnswer again = SolveByVelocityPivoting(sample.program, answer.z);
    int blocks = 0;
    for (int b = 0; b < 3; ++b) {
      for (const auto& row : sample.program.rows) {
        if (row.block != b) continue;
        ++blocks;
        break;
      }
    }
    EXPECT_EQ(again.report.iterations, blocks);
    several += answer.report.iterations > blocks ? 1 : 0;
  }
  EXPECT_GT(several, 100) << "starts that are no answers already";
}

// Fifty rows on a matrix with a condition of 1e7: states may go round, but what is called solved is.
TEST(VelocityPivotingTest, EndsOnHardMatrices) {
  RandomSource random(72);
  int solved = 0;
  for (int n = 0; n < 40; ++n) {
    BlockLayout layout;
    layout.Append(50);
    BlockDiagonal mass;
    mass.Reset(layout);
    const MatX factor = RandomMatrix(&random, 50, 50);
    mass.block(0) = factor * factor.transpose() + 1e-5 * MatX::Identity(50, 50);
    ASSERT_TRUE(mass.Factorize());
    VecX free(50);
    for (double& v : free) v = random.Uniform(-1, 1);
    SingleRowsProgram program{&mass, &free, {}};
    for (int k = 0; k < 50; ++k) program.rows.push_back({0, k, 1, 0, -1e-2, 1e-2});
    const SingleRowsAnswer answer = SolveByVelocityPivoting(program, VecX::Zero(50));
    EXPECT_TRUE(answer.z.allFinite());
    if (answer.report.status != SolveStatus::kSolved) continue;
    ++solved;
    VecX v = answer.z;
    MatX change = v;
    mass.SolveBlockInPlace(0, change);
    v = free + change;
    for (int k = 0; k < 50; ++k) {
      const double allowed = 1e-7 * change.lpNorm<Eigen::Infinity>();
      if (answer.z[k] > -1e-2) {
        EXPECT_LT(v[k], allowed);
      }
      if (answer.z[k] < 1e-2) {
        EXPECT_GT(v[k], -allowed);
      }
    }
  }
  EXPECT_GT(solved, 0);
}

}  // namespace
}  // namespace slipstick::internal
