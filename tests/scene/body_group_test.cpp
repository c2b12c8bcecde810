#include "slipstick/scene/body_group.h"

#include <gtest/gtest.h>

#include "slipstick/base/random_source.h"

#include <cmath>
#include <numbers>

#include "slipstick/scene_file/scene_reader.h"

namespace slipstick::internal {
namespace {

Scene Read(const std::string& text, const std::vector<Override>& overrides = {}) {
  return ReadSceneText("format: slipstick-scene 1\n" + text, "groups.yaml", overrides);
}

constexpr const char* kGrains = R"(
bodies: [{name: lid, mass: 1, inertia: [1, 1, 1]}]
groups:
  - name: grain
    template: {density: 1000, velocity: [0, 0, -2], shapes: [{type: sphere, radius: 0.04}]}
    lattice: {counts: [3, 4, 5], spacing: [0.1, 0.2, 0.3], origin: [1, 2, 3], count: 50}
)";

TEST(BodyGroup, LatticeIsAGridInTheOrderXYZ) {
  const Scene scene = Read(kGrains);
  ASSERT_EQ(scene.bodies.size(), 51u);
  ASSERT_EQ(scene.groups.size(), 1u);
  EXPECT_EQ(scene.groups[0].first, 1);
  EXPECT_EQ(scene.groups[0].count, 50);
  for (int i = 0; i < 50; ++i) {
    const SceneBody& body = scene.bodies[1 + i];
    EXPECT_EQ(body.name, "grain-" + std::to_string(i));
    const Vec3 expected(1 + 0.1 * (i % 3), 2 + 0.2 * (i / 3 % 4), 3 + 0.3 * (i / 12));
    EXPECT_LT((body.pose.position - expected).norm(), 1e-12);
    EXPECT_NEAR(body.mass, 1000 * 4.0 / 3 * std::numbers::pi * std::pow(0.04, 3), 1e-12);
    EXPECT_EQ(body.linear_velocity, Vec3(0, 0, -2));
    EXPECT_EQ(body.release, 0);
  }
}

TEST(BodyGroup, JitterStaysWithinItsBoundAndFillsIt) {
  const Scene scene = Read(kGrains, {{"groups.grain.lattice.jitter", "0.03"}, {"groups.grain.seed", "7"}});
  const Scene other = Read(kGrains, {{"groups.grain.lattice.jitter", "0.03"}, {"groups.grain.seed", "8"}});
  const Scene plain = Read(kGrains);
  double largest = 0, mean = 0;
  for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
    const Vec3 shift = scene.bodies[i].pose.position - plain.bodies[i].pose.position;
    largest = std::max(largest, shift.cwiseAbs().maxCoeff());
    mean += shift.sum() / 150;
    EXPECT_NE(scene.bodies[i].pose.position, other.bodies[i].pose.position);
  }
  EXPECT_LE(largest, 0.03);
  EXPECT_GT(largest, 0.028);
  // of 150 uniform numbers: deviation of the mean 0.03/√(3·150) = 0.0014
  EXPECT_LT(std::abs(mean), 0.005);
}

TEST(BodyGroup, MoreBodiesLeaveTheFirstOnesAsTheyWere) {
  const std::vector<Override> jitter = {{"groups.grain.lattice.jitter", "0.03"}, {"groups.grain.lattice.count", "20"}};
  const Scene few = Read(kGrains, jitter), many = Read(kGrains, {jitter[0]});
  for (std::size_t i = 0; i < few.bodies.size(); ++i)
    EXPECT_EQ(few.bodies[i].pose.position, many.bodies[i].pose.position);
}

TEST(BodyGroup, ScaleKeepsTheDensity) {
  const Scene scene = Read(kGrains, {{"groups.grain.scale", "{uniform: [0.5, 1.5]}"}});
  double least = 10, most = 0, mean = 0;
  for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
    const SceneBody& body = scene.bodies[i];
    const double radius = std::get<Sphere>(body.shapes[0].geometry).radius;
    least = std::min(least, radius / 0.04);
    most = std::max(most, radius / 0.04);
    mean += radius / 0.04 / 50;
    EXPECT_NEAR(body.mass, 1000 * 4.0 / 3 * std::numbers::pi * std::pow(radius, 3), 1e-12);
    EXPECT_NEAR(body.inertia(0, 0), 0.4 * body.mass * radius * radius, 1e-14);
  }
  EXPECT_GE(least, 0.5);
  EXPECT_LE(most, 1.5);
  EXPECT_LT(least, 0.6);
  EXPECT_GT(most, 1.4);
  EXPECT_NEAR(mean, 1, 0.15);
}

TEST(BodyGroup, EachBodyHasAStoneOfItsOwn) {
  const std::vector<Override> stones = {{"groups.grain.template.shapes", "[{type: stone, radius: 0.04, points: 12}]"},
                                        {"groups.grain.scale", "{uniform: [0.5, 1.5]}"}};
  const Scene scene = Read(kGrains, stones), again = Read(kGrains, stones);
  const auto hull = [](const SceneBody& body) { return std::get<Hull>(body.shapes[0].geometry).polyhedron; };
  double least = 10, most = 0;
  for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
    const SceneBody& body = scene.bodies[i];
    EXPECT_EQ(hull(body)->corners, hull(again.bodies[i])->corners);
    EXPECT_LT(body.com.norm(), 1e-14);
    EXPECT_NEAR(body.mass, 1000 * hull(body)->volume, 1e-12);
    least = std::min(least, hull(body)->reach / 0.04);
    most = std::max(most, hull(body)->reach / 0.04);
    // not one in two sizes
    const auto directions = [&](std::size_t k) { return hull(scene.bodies[k])->centred.leftCols(8).normalized(); };
    if (i > 1) {
      EXPECT_GT((directions(i) - directions(i - 1)).norm(), 0.01);
    }
  }
  EXPECT_GE(least, 0.5);
  EXPECT_LT(least, 0.6);
  EXPECT_LE(most, 1.5);
  EXPECT_GT(most, 1.4);
}

TEST(BodyGroup, NormalScaleHasItsMomentsAndItsEnds) {
  RandomSource random(3);
  ScalePlan plan{.least = 0.1, .most = 1.9, .mean = 1, .deviation = 0.2};
  double sum = 0, squares = 0;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    const double scale = plan.Draw(&random);
    sum += scale;
    squares += (scale - 1) * (scale - 1);
  }
  EXPECT_NEAR(sum / kDraws, 1, 5 * 0.2 / std::sqrt(kDraws));
  EXPECT_NEAR(std::sqrt(squares / kDraws), 0.2, 0.005);
  plan = {.least = 0.999, .most = 1.5, .mean = 1, .deviation = 30};
  for (int i = 0; i < 100; ++i) {
    const double scale = plan.Draw(&random);
    EXPECT_GE(scale, 0.999);
    EXPECT_LE(scale, 1.5);
  }
}

TEST(BodyGroup, RandomOrientationsHaveNoDirection) {
  const Scene scene = Read(kGrains, {{"groups.grain.orientation", "random"}});
  Vec3 mean = Vec3::Zero();
  for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
    const Quat& rotation = scene.bodies[i].pose.rotation;
    EXPECT_NEAR(rotation.norm(), 1, 1e-14);
    mean += rotation * Vec3::UnitZ() / 50;
  }
  EXPECT_LT(mean.norm(), 0.25);  // of 50 random directions: 1/√50 = 0.14
}

constexpr const char* kPour = R"(
groups:
  - name: stone
    template: {density: 2000, velocity: [0, 0, -1], shapes: [{type: sphere, radius: 0.0225}]}
    pour: {count: 2000, rate: 800, start: 0.5, region: {center: [1, 2, 3], size: [0.6, 0.4, 0.1]}}
)";

// Where a body is at `time`, had it fallen freely since its release.
Vec3 WhereAt(const SceneBody& body, double time) {
  const double t = time - body.release;
  return body.pose.position + t * body.linear_velocity + 0.5 * t * t * Vec3(0, 0, -9.81);
}

TEST(BodyGroup, PouredBodiesTouchNoneThatWereReleasedBefore) {
  const Scene scene = Read(kPour);
  ASSERT_EQ(scene.bodies.size(), 2000u);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const SceneBody& body = scene.bodies[i];
    EXPECT_NEAR(body.release, 0.5 + static_cast<double>(i) / 800, 1e-12);
    const Vec3 away = (body.pose.position - Vec3(1, 2, 3)).cwiseAbs();
    EXPECT_TRUE(away.x() <= 0.3 && away.y() <= 0.2 && away.z() <= 0.05);
    for (std::size_t j = i > 300 ? i - 300 : 0; j < i; ++j)
      ASSERT_GE((body.pose.position - WhereAt(scene.bodies[j], body.release)).norm(), 2 * 0.0225) << i << " " << j;
  }
}

TEST(BodyGroup, PourFillsAnUprightCylinderEvenly) {
  const Scene scene = Read(kPour, {{"groups.stone.pour.region", "{center: [0, 0, 1], radius: 0.4, height: 0.2}"}});
  int inside = 0;
  for (const SceneBody& body : scene.bodies) {
    const double r = body.pose.position.head<2>().norm();
    EXPECT_LE(r, 0.4);
    EXPECT_LE(std::abs(body.pose.position.z() - 1), 0.1);
    inside += r < 0.4 / std::numbers::sqrt2 ? 1 : 0;
  }
  EXPECT_NEAR(inside, 1000, 100);  // half of the area; deviation √(2000/4) = 22
}

TEST(BodyGroup, WhatIsThrownUpwardsComesBackThroughTheRegion) {
  const std::vector<Override> upwards = {{"groups.stone.template.velocity", "[0, 0, 2]"},
                                         {"groups.stone.pour.rate", "200"},
                                         {"groups.stone.pour.count", "300"}};
  const Scene scene = Read(kPour, upwards);
  ASSERT_EQ(scene.bodies.size(), 300u);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      ASSERT_GE((scene.bodies[i].pose.position - WhereAt(scene.bodies[j], scene.bodies[i].release)).norm(), 0.045);
}

TEST(BodyGroup, HundredThousandBodiesAreMadeOnce) {
  const Scene scene = Read(kGrains, {{"groups.grain.lattice", "{counts: [100, 100, 10], spacing: 0.1, jitter: 0.01}"}});
  EXPECT_EQ(scene.bodies.size(), 100001u);
  EXPECT_EQ(scene.bodies.back().name, "grain-99999");
}

}  // namespace
}  // namespace slipstick::internal
