#include "slipstick/events/share_forces.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/base/random_numbers.h"

namespace slipstick::internal {
namespace {

using testing::RandomNumbers;

double Margin(const ShareLimit& limit, const VecX& forces) {
  const double normal = forces[limit.row];
  return limit.sticks ? limit.friction * normal - forces.segment<2>(limit.row + 1).norm() : normal;
}

// Two feet on a line: normals and friction across it act apart, friction along it in one direction. A push along the
// line is shared so that both feet are as far from their limits; beyond √((μN₁)² − y₁²) + √((μN₂)² − y₂²) no share
// does.
TEST(ShareForcesTest, TwoFeetSlipTogether) {
  const double mu = 0.5, normal[2] = {10, 12}, across[2] = {0.8, 3.2};
  MatX directions = MatX::Zero(6, 5);  // columns: lift of each foot, the line, across at each foot
  for (int i = 0; i < 2; ++i) {
    directions(3 * i, i) = 1;
    directions(3 * i + 1, 2) = 1;
    directions(3 * i + 2, 3 + i) = 1;
  }
  const std::vector<ShareLimit> limits = {{0, true, mu}, {3, true, mu}};
  double most = 0;
  for (int i = 0; i < 2; ++i) most += std::sqrt(std::pow(mu * normal[i], 2) - across[i] * across[i]);
  for (const double beyond : {-1e-2, -1e-6, 1e-6, 1e-2}) {
    SCOPED_TRACE(beyond);
    const double push = (1 + beyond) * most;
    VecX forces(6);
    forces << normal[0], 0.1 * push, across[0], normal[1], 0.9 * push, across[1];
    const VecX total = directions.transpose() * forces;
    ShareWithinLimits(limits, directions, &forces);
    EXPECT_LT((directions.transpose() * forces - total).norm(), 1e-12 * total.norm());
    EXPECT_NEAR(Margin(limits[0], forces), Margin(limits[1], forces), 1e-9);
    EXPECT_EQ(Margin(limits[0], forces) > 0, beyond < 0) << forces.transpose();
  }
}

TEST(ShareForcesTest, WhatIsWithinLimitsOrNotRedundantStays) {
  MatX directions = MatX::Identity(6, 6);
  const std::vector<ShareLimit> limits = {{0, true, 0.5}, {3, true, 0.5}};
  VecX beyond(6);
  beyond << 1, 2, 0, 1, 0, 0;
  VecX forces = beyond;
  ShareWithinLimits(limits, directions, &forces);
  EXPECT_EQ(forces, beyond);
  directions.row(4) = directions.row(1);
  VecX within(6);
  within << 1, 0.4, 0, 1, 0, 0;
  forces = within;
  ShareWithinLimits(limits, directions, &forces);
  EXPECT_EQ(forces, within);
}

// Four corners of a plate: any load within them can be carried without a pull, and is; one outside cannot.
TEST(ShareForcesTest, NormalForcesOfAPlate) {
  RandomNumbers random(1);
  MatX directions(4, 3);
  directions << 1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1;
  const std::vector<ShareLimit> limits = {{0, false, 0}, {1, false, 0}, {2, false, 0}, {3, false, 0}};
  for (int k = 0; k < 50; ++k) {
    const double x = random.Between(-1.5, 1.5), y = random.Between(-1.5, 1.5);
    const double reach = std::max(std::abs(x), std::abs(y));
    if (std::abs(reach - 1) < 1e-3) continue;
    // 4 N at (x, y), shared by the least squares and something that acts on nothing
    VecX forces = directions * Vec3(1, x, y) + random.Between(-3, 3) * (VecX(4) << 1, -1, 1, -1).finished();
    ShareWithinLimits(limits, directions, &forces);
    EXPECT_LT((directions.transpose() * forces - Vec3(4, 4 * x, 4 * y)).norm(), 1e-11);
    EXPECT_EQ(forces.minCoeff() >= 0, reach < 1) << x << " " << y << ": " << forces.transpose();
  }
}

}  // namespace
}  // namespace slipstick::internal
