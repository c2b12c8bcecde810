#include "slipstick/model/constraints.h"

#include <gtest/gtest.h>

#include "tests/model/random_models.h"

namespace slipstick::internal {
namespace {

constexpr double kSmall = 2e-4;

TimeFunction Parse(const char* text) {
  std::string problem;
  return *TimeFunction::Parse(text, &problem);
}

ConstraintRows Evaluate(const Model& model, const MotionState& state, double h) {
  ConstraintRows rows;
  EvaluateConstraints(model, KinematicsOf(model, state), state, h, &rows);
  return rows;
}

VecX Product(const ConstraintRows& rows, const VecX& v) {
  VecX result(rows.jacobian.rows());
  rows.jacobian.Multiply(v, result);
  return result;
}

// A model with at least two bodies; the constraints are added by each test.
Model ModelWithBodies(int number, RandomModels* random) {
  for (;;) {
    Model model = CompileModel(random->MakeScene(2 + number % 19));
    if (model.v_size() > 0 && model.bodies.size() >= 2) return model;
  }
}

int AnyMovingBody(const Model& model, RandomModels* random) {
  for (;;) {
    const int body = random->Integer(0, static_cast<int>(model.bodies.size()) - 1);
    if (model.TreeOf(body) >= 0) return body;
  }
}

// One pair of each sort: with the world (either side), within a tree, and across trees or whatever the model has.
std::vector<std::array<int, 2>> BodyPairs(const Model& model, RandomModels* random) {
  const int a = AnyMovingBody(model, random);
  std::vector<std::array<int, 2>> pairs = {{a, kWorld}, {kWorld, a}};
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    if (b != a && model.TreeOf(b) == model.TreeOf(a)) {
      pairs.push_back({a, b});
      break;
    }
  }
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    if (model.TreeOf(b) >= 0 && model.TreeOf(b) != model.TreeOf(a)) {
      pairs.push_back({b, a});
      break;
    }
  }
  return pairs;
}

// d(drift)/dt along the motion with constant v, time running too, against A v − u. The mean rate over [t − s, t + s] is
// the same difference quotient, so both sides have the same error of order s² in what is prescribed.
void ExpectRowsAreDriftRates(const Model& model, const MotionState& state) {
  const VecX difference = (Evaluate(model, Moved(model, state, state.v, kSmall), kSmall).drift -
                           Evaluate(model, Moved(model, state, state.v, -kSmall), kSmall).drift) /
                          (2 * kSmall);
  MotionState early = state;
  early.time -= kSmall;
  const VecX rate = Product(Evaluate(model, state, kSmall), state.v) - Evaluate(model, early, 2 * kSmall).rate;
  ASSERT_GT(rate.size(), 0);
  for (int i = 0; i < rate.size(); ++i) {
    EXPECT_NEAR(rate[i], difference[i], 1e-5 * (1 + rate.lpNorm<Eigen::Infinity>())) << "row " << i;
  }
}

TEST(LoopConstraintTest, RowsAreTheRatesOfTheDrift) {
  RandomModels random(11);
  const std::pair<LoopKind, int> kinds[] = {
      {LoopKind::kFixed, 6},     {LoopKind::kRevolute, 5},    {LoopKind::kPrismatic, 5}, {LoopKind::kSpherical, 3},
      {LoopKind::kUniversal, 4}, {LoopKind::kCylindrical, 4}, {LoopKind::kPlanar, 3}};
  std::array<int, 4> seen = {};  // world, one tree, two trees
  for (int n = 0; n < 40; ++n) {
    Model model = ModelWithBodies(n, &random);
    const MotionState state = random.AnyState(model);
    for (const auto& [kind, rows] : kinds) {
      for (const auto& pair : BodyPairs(model, &random)) {
        model.constraints = {{"loop", LoopConstraint{kind, pair, {random.Frame(), random.Frame()}}}};
        SCOPED_TRACE(testing::Message() << "model " << n << " kind " << static_cast<int>(kind) << " bodies " << pair[0]
                                        << " " << pair[1]);
        EXPECT_EQ(Evaluate(model, state, kSmall).jacobian.rows(), rows);
        ExpectRowsAreDriftRates(model, state);
        ++seen[pair[0] == kWorld || pair[1] == kWorld ? 0 : model.TreeOf(pair[0]) == model.TreeOf(pair[1]) ? 1 : 2];
      }
    }
  }
  EXPECT_GT(seen[0], 100);
  EXPECT_GT(seen[1], 100);
  EXPECT_GT(seen[2], 50);
}

// What a loop leaves free must not be seen by its rows: bodies joined by the same joint, with no drift.
TEST(LoopConstraintTest, MotionOfTheSameJointIsFree) {
  RandomModels random(12);
  const std::pair<LoopKind, JointType> kinds[] = {
      {LoopKind::kFixed, JointType::kFixed},         {LoopKind::kRevolute, JointType::kRevolute},
      {LoopKind::kPrismatic, JointType::kPrismatic}, {LoopKind::kSpherical, JointType::kSpherical},
      {LoopKind::kUniversal, JointType::kUniversal}, {LoopKind::kCylindrical, JointType::kCylindrical},
      {LoopKind::kPlanar, JointType::kPlanar}};
  for (const auto& [kind, type] : kinds) {
    Scene scene;
    SceneBody body;
    body.mass = 1;
    body.inertia.setIdentity();
    body.name = "first";
    scene.bodies.push_back(body);
    body.name = "second";
    scene.bodies.push_back(body);
    SceneJoint joint;
    joint.name = "joint";
    joint.parent = "first";
    joint.child = "second";
    joint.parent_frame = random.Frame();
    joint.child_frame = random.Frame();
    SceneJointLink link;
    link.name = "link";
    link.type = type;
    // the loop's axis is z; of a universal loop, z of the first frame and x of the second stay at right angles
    link.axis = Vec3::UnitZ();
    link.second_axis = Vec3::UnitX();
    joint.links = {link};
    scene.joints.push_back(joint);
    Model model = CompileModel(scene);
    model.constraints = {{"loop", LoopConstraint{kind, {0, 1}, {joint.parent_frame, joint.child_frame}}}};
    for (int k = 0; k < 5; ++k) {
      const MotionState state = random.AnyState(model);
      const ConstraintRows rows = Evaluate(model, state, kSmall);
      EXPECT_LT(rows.drift.lpNorm<Eigen::Infinity>(), 1e-12) << "kind " << static_cast<int>(kind);
      EXPECT_LT(Product(rows, state.v).lpNorm<Eigen::Infinity>(), 1e-12) << "kind " << static_cast<int>(kind);
    }
  }
}

TEST(DistanceConstraintTest, RowsAreTheRatesOfTheDrift) {
  RandomModels random(13);
  for (int n = 0; n < 40; ++n) {
    Model model = ModelWithBodies(n, &random);
    const MotionState state = random.AnyState(model);
    for (const auto& pair : BodyPairs(model, &random)) {
      model.constraints = {
          {"rod", DistanceConstraint{pair, {random.Vector(), random.Vector()}, Parse("1 + 0.3*sin(2*t)")}}};
      ExpectRowsAreDriftRates(model, state);
    }
  }
}

TEST(MotionConstraintTest, FollowsPositionOrRate) {
  RandomModels random(14);
  for (int n = 0; n < 40; ++n) {
    Model model = ModelWithBodies(n, &random);
    const MotionState state = random.AnyState(model);
    for (const ModelBody& body : model.bodies) {
      for (int i = 0; i < body.v_count; ++i) {
        const int v_index = body.v_offset + i;
        if (body.q_count == body.v_count) {
          model.constraints = {{"motion", MotionConstraint{body.q_offset + i, v_index, Parse("0.3*sin(2*t)")}}};
          ExpectRowsAreDriftRates(model, state);
        }
        model.constraints = {{"motion", MotionConstraint{-1, v_index, Parse("t^2")}}};
        const ConstraintRows rows = Evaluate(model, state, 0.25);
        EXPECT_EQ(Product(rows, state.v)[0], state.v[v_index]);
        EXPECT_DOUBLE_EQ(rows.rate[0], (state.time + 0.25) * (state.time + 0.25));
        EXPECT_EQ(rows.drift[0], 0);
      }
    }
  }
}

TEST(CouplingConstraintTest, SumsVelocitiesOfOneOrTwoTrees) {
  RandomModels random(15);
  int two_trees = 0;
  for (int n = 0; n < 60; ++n) {
    Model model = ModelWithBodies(n, &random);
    const MotionState state = random.AnyState(model);
    std::vector<std::pair<int, double>> terms;
    const int tree_a = model.TreeOf(AnyMovingBody(model, &random)),
              tree_b = model.TreeOf(AnyMovingBody(model, &random));
    double expected = 0;
    for (int tree : {tree_a, tree_b, tree_a}) {
      const int v_index = model.trees.offset[tree] + random.Integer(0, model.trees.size[tree] - 1);
      const double ratio = random.Number();
      terms.push_back({v_index, ratio});
      expected += ratio * state.v[v_index];
    }
    two_trees += tree_a != tree_b;
    model.constraints = {{"gear", CouplingConstraint{terms, Parse("3*t")}}};
    const ConstraintRows rows = Evaluate(model, state, 0.5);
    EXPECT_NEAR(Product(rows, state.v)[0], expected, 1e-14);
    EXPECT_DOUBLE_EQ(rows.rate[0], 3 * (state.time + 0.5));
  }
  EXPECT_GT(two_trees, 10);
}

TEST(RollingConstraintTest, GapRateAndSlipOfTheTouchingPoint) {
  RandomModels random(16);
  for (int n = 0; n < 40; ++n) {
    Model model = ModelWithBodies(n, &random);
    const MotionState state = random.AnyState(model);
    for (const auto& pair : BodyPairs(model, &random)) {
      for (const ShapeGeometry& geometry : {ShapeGeometry(Disk{0.4}), ShapeGeometry(Sphere{0.3})}) {
        model.shapes = {{"round", pair[0], geometry, random.Frame(), 0, true},
                        {"plane", pair[1], Plane{}, random.Frame(), 0, true}};
        model.constraints = {{"rolling", RollingConstraint{0, 1}}};
        const ConstraintRows rows = Evaluate(model, state, kSmall);
        const VecX rate = Product(rows, state.v);
        const double gap_rate = (Evaluate(model, Moved(model, state, state.v, kSmall), kSmall).drift[0] -
                                 Evaluate(model, Moved(model, state, state.v, -kSmall), kSmall).drift[0]) /
                                (2 * kSmall);
        EXPECT_NEAR(rate[0], gap_rate, 1e-4 * (1 + std::abs(gap_rate)));

        // material points of both bodies where they touch now, followed along the motion
        const Kinematics now = KinematicsOf(model, state);
        const Pose X_WS = now.PoseOf(pair[0]) * model.shapes[0].X_BS;
        const Pose X_WP = now.PoseOf(pair[1]) * model.shapes[1].X_BS;
        const TouchPoint touch = LowestPoint(geometry, X_WS, X_WP);
        const Vec3 local_a = now.PoseOf(pair[0]).Inverse() * touch.point;
        const Vec3 local_b = now.PoseOf(pair[1]).Inverse() * touch.point;
        const Vec3 slip = Derivative([&](double s) {
          const Kinematics k = KinematicsOf(model, Moved(model, state, state.v, s));
          return (k.PoseOf(pair[0]) * local_a - k.PoseOf(pair[1]) * local_b).eval();
        });
        const Vec3 tangential = slip - touch.normal * touch.normal.dot(slip);
        EXPECT_NEAR(rate.tail<2>().norm(), tangential.norm(), 1e-8 * (1 + slip.norm()));
        EXPECT_NEAR(rate[0], touch.normal.dot(slip), 1e-8 * (1 + slip.norm()));
        EXPECT_EQ(rows.drift[1], 0);
        EXPECT_EQ(rows.drift[2], 0);
      }
    }
  }
}

TEST(RollingConstraintTest, LowestPointIsTheLowestOfTheRim) {
  RandomModels random(17);
  for (int n = 0; n < 200; ++n) {
    const Pose disk = random.Frame(), plane = random.Frame();
    const TouchPoint touch = LowestPoint(Disk{0.7}, disk, plane);
    const Vec3 normal = plane.rotation * Vec3::UnitZ();
    const Vec3 local = disk.Inverse() * touch.point;
    EXPECT_NEAR(local.norm(), 0.7, 1e-12);
    EXPECT_NEAR(local.z(), 0, 1e-12);
    EXPECT_NEAR(touch.gap, normal.dot(touch.point - plane.position), 1e-12);
    for (int i = 0; i < 100; ++i) {
      const double angle = 0.02 * M_PI * i;
      const Vec3 rim = disk * Vec3(0.7 * std::cos(angle), 0.7 * std::sin(angle), 0);
      EXPECT_GE(normal.dot(rim - plane.position), touch.gap - 1e-12);
    }
  }
  // flat: any rim point will do, and it must be finite and on the rim
  const TouchPoint flat = LowestPoint(Disk{0.7}, Pose{Quat::Identity(), Vec3(0, 0, 0.1)}, Pose());
  EXPECT_NEAR(flat.gap, 0.1, 1e-12);
  EXPECT_NEAR(flat.point.head<2>().norm(), 0.7, 1e-12);
}

TEST(KnifeEdgeTest, RowIsTheVelocityOfThePointAlongTheBodyFixedDirection) {
  RandomModels random(18);
  for (int n = 0; n < 40; ++n) {
    Model model = ModelWithBodies(n, &random);
    const MotionState state = random.AnyState(model);
    const int body = AnyMovingBody(model, &random);
    const Vec3 point = random.Vector(), direction = random.Direction();
    model.constraints = {{"edge", KnifeEdgeConstraint{body, point, direction}}};
    const ConstraintRows rows = Evaluate(model, state, kSmall);
    const Kinematics now = KinematicsOf(model, state);
    const Vec3 velocity = Derivative(
        [&](double s) { return (KinematicsOf(model, Moved(model, state, state.v, s)).X_WB[body] * point).eval(); });
    EXPECT_NEAR(Product(rows, state.v)[0], velocity.dot(now.R_WB[body] * direction), 1e-8 * (1 + velocity.norm()));
    EXPECT_EQ(rows.drift[0], 0);
  }
}

// Several constraints together: groups, blocks and rows stay in step.
TEST(ConstraintsTest, GroupsFollowTheConstraints) {
  RandomModels random(19);
  Model model = ModelWithBodies(15, &random);
  const MotionState state = random.AnyState(model);
  const auto pairs = BodyPairs(model, &random);
  for (const auto& pair : pairs) {
    model.constraints.push_back({"loop", LoopConstraint{LoopKind::kRevolute, pair, {random.Frame(), random.Frame()}}});
    model.constraints.push_back({"rod", DistanceConstraint{pair, {random.Vector(), random.Vector()}, Parse("2 + t")}});
  }
  const ConstraintRows rows = Evaluate(model, state, kSmall);
  ASSERT_EQ(rows.jacobian.groups(), static_cast<int>(model.constraints.size()));
  for (int g = 0; g < rows.jacobian.groups(); ++g) {
    EXPECT_EQ(rows.constraint[g], g);
    EXPECT_EQ(rows.jacobian.rows(g), g % 2 == 0 ? 5 : 1);
  }
  ExpectRowsAreDriftRates(model, state);
}

}  // namespace
}  // namespace slipstick::internal
