#include "slipstick/model/dynamics.h"

#include <gtest/gtest.h>

#include "tests/model/random_models.h"

namespace slipstick::internal {
namespace {

constexpr int kModels = 60;

// Kinematics at the same positions with other velocities.
Kinematics WithVelocity(const Model& model, MotionState state, const VecX& v) {
  state.v = v;
  return KinematicsOf(model, state);
}

VecX Unit(int size, int index) {
  VecX v = VecX::Zero(size);
  v[index] = 1;
  return v;
}

struct Example {
  Model model;
  MotionState state;
  Kinematics kinematics;
};

Example MakeExample(int number, RandomModels* random) {
  Example example;
  do {
    example.model = CompileModel(random->MakeScene(1 + number % 50));
  } while (example.model.v_size() == 0);
  example.state = random->AnyState(example.model);
  example.kinematics = KinematicsOf(example.model, example.state);
  return example;
}

TEST(RandomTreesTest, AllJointsMasslessLinksAndSeveralTreesOccur) {
  RandomModels random(1);
  std::array<int, 8> joints = {};
  int links = 0, most_trees = 0, most_joints = 0;
  for (int n = 0; n < kModels; ++n) {
    const Example e = MakeExample(n, &random);
    for (const ModelBody& body : e.model.bodies) {
      ++joints[static_cast<int>(body.joint)];
      links += body.is_link;
    }
    most_trees = std::max(most_trees, e.model.trees.count());
    most_joints = std::max(most_joints, static_cast<int>(e.model.bodies.size()));
  }
  for (int count : joints) EXPECT_GT(count, 20);
  EXPECT_GT(links, 100);
  EXPECT_GT(most_trees, 3);
  EXPECT_GE(most_joints, 50);
}

TEST(KinematicsTest, VelocitiesAreDerivativesOfThePoses) {
  RandomModels random(2);
  for (int n = 0; n < kModels; ++n) {
    const Example e = MakeExample(n, &random);
    for (std::size_t b = 0; b < e.model.bodies.size(); ++b) {
      const auto pose = [&](double s) { return KinematicsOf(e.model, Moved(e.model, e.state, e.state.v, s)).X_WB[b]; };
      const Vec3 velocity = Derivative([&](double s) { return pose(s).position; });
      const Quat now = pose(0).rotation;
      const Vec3 turning = Derivative([&](double s) { return LogRotation(pose(s).rotation * now.conjugate()); });
      const double scale = 1 + velocity.norm() + turning.norm();
      EXPECT_LT((velocity - e.kinematics.linear_velocity[b]).norm(), 1e-9 * scale);
      EXPECT_LT((turning - e.kinematics.angular_velocity[b]).norm(), 1e-9 * scale);
    }
  }
}

TEST(KinematicsTest, BiasAccelerationsAreDerivativesOfTheVelocitiesAtConstantV) {
  RandomModels random(3);
  for (int n = 0; n < kModels; ++n) {
    const Example e = MakeExample(n, &random);
    for (std::size_t b = 0; b < e.model.bodies.size(); ++b) {
      const auto at = [&](double s) { return KinematicsOf(e.model, Moved(e.model, e.state, e.state.v, s)); };
      const Vec3 linear = Derivative([&](double s) { return at(s).linear_velocity[b]; });
      const Vec3 angular = Derivative([&](double s) { return at(s).angular_velocity[b]; });
      const double scale = 1 + linear.norm() + angular.norm();
      EXPECT_LT((linear - e.kinematics.linear_bias[b]).norm(), 1e-8 * scale);
      EXPECT_LT((angular - e.kinematics.angular_bias[b]).norm(), 1e-8 * scale);
    }
  }
}

TEST(KinematicsTest, OtherVelocitiesAtTheSamePositions) {
  RandomModels random(11);
  for (int n = 0; n < kModels; ++n) {
    Example e = MakeExample(n, &random);
    for (double& v : e.state.v) v = random.Number();
    SetLinkedVelocities(e.model, e.state.v, &e.kinematics);
    const Kinematics direct = KinematicsOf(e.model, e.state);
    for (const int i : e.model.linked_bodies) {
      const double scale = 1 + direct.linear_velocity[i].norm() + direct.linear_bias[i].norm();
      EXPECT_LE((e.kinematics.angular_velocity[i] - direct.angular_velocity[i]).norm(), 1e-13 * scale);
      EXPECT_LE((e.kinematics.linear_velocity[i] - direct.linear_velocity[i]).norm(), 1e-13 * scale);
      EXPECT_LE((e.kinematics.angular_bias[i] - direct.angular_bias[i]).norm(), 1e-13 * scale);
      EXPECT_LE((e.kinematics.linear_bias[i] - direct.linear_bias[i]).norm(), 1e-13 * scale);
    }
  }
}

TEST(KinematicsTest, QuaternionsKeepTheirLength) {
  RandomModels random(4);
  const Example e = MakeExample(19, &random);
  MotionState state = e.state;
  for (int k = 0; k < 1000; ++k) AdvancePositions(e.model, state.v, 0.1, &state.q);
  for (const ModelBody& body : e.model.bodies) {
    if (body.q_count == body.v_count) continue;
    EXPECT_NEAR(state.q.segment<4>(body.q_offset).norm(), 1, 1e-14);
  }
}

TEST(MassMatrixTest, EntriesArePolarisedKineticEnergies) {
  RandomModels random(5);
  for (int n = 0; n < kModels; ++n) {
    const Example e = MakeExample(n, &random);
    const int size = e.model.v_size();
    DynamicsWorkspace workspace;
    BlockDiagonal mass;
    ComputeMassMatrix(e.model, e.kinematics, &workspace, &mass);
    MatX full = MatX::Zero(size, size);
    for (int t = 0; t < e.model.trees.count(); ++t) {
      const int first = e.model.trees.offset[t], count = e.model.trees.size[t];
      full.block(first, first, count, count) = mass.Dense(t);
    }
    const auto energy = [&](const VecX& v) { return KineticEnergy(e.model, WithVelocity(e.model, e.state, v)); };
    VecX own(size);
    for (int i = 0; i < size; ++i) own[i] = energy(Unit(size, i));
    const double scale = 1 + own.maxCoeff();
    for (int i = 0; i < size; ++i) {
      EXPECT_NEAR(full(i, i), 2 * own[i], 1e-12 * scale);
      for (int j = 0; j < i; ++j) {
        EXPECT_EQ(full(i, j), full(j, i));
        EXPECT_NEAR(full(i, j), energy(Unit(size, i) + Unit(size, j)) - own[i] - own[j], 1e-12 * scale);
      }
    }
    const double whole = KineticEnergy(e.model, e.kinematics);
    EXPECT_NEAR(0.5 * e.state.v.dot(full * e.state.v), whole, 1e-12 * (1 + whole));
  }
}

// Newton–Euler in the world frame: rates of the bodies' momenta along the motion with v̇ = 0, by differences, projected
// on the bodies' velocities for each unit velocity.
TEST(BiasForceTest, IsTheRateOfMomentumAtConstantV) {
  RandomModels random(6);
  for (int n = 0; n < kModels; ++n) {
    const Example e = MakeExample(n, &random);
    const int size = e.model.v_size();
    DynamicsWorkspace workspace;
    VecX bias;
    ComputeBiasForces(e.model, e.kinematics, &workspace, &bias);
    using Momenta = Eigen::Matrix<double, 6, Eigen::Dynamic>;
    const auto momenta = [&](double s) {
      const Kinematics k = KinematicsOf(e.model, Moved(e.model, e.state, e.state.v, s));
      Momenta m(6, e.model.bodies.size());
      for (std::size_t b = 0; b < e.model.bodies.size(); ++b) {
        const ModelBody& body = e.model.bodies[b];
        const Mat3 R = k.X_WB[b].rotation.toRotationMatrix();
        m.col(b).head<3>() = body.mass * k.VelocityOfPoint(static_cast<int>(b), k.X_WB[b] * body.com);
        m.col(b).tail<3>() = R * body.inertia * R.transpose() * k.angular_velocity[b];
      }
      return m;
    };
    const Momenta rates = Derivative(momenta);
    VecX expected = VecX::Zero(size);
    double scale = 1;
    for (int i = 0; i < size; ++i) {
      const Kinematics unit = WithVelocity(e.model, e.state, Unit(size, i));
      for (std::size_t b = 0; b < e.model.bodies.size(); ++b) {
        const Vec3 v = unit.VelocityOfPoint(static_cast<int>(b), unit.X_WB[b] * e.model.bodies[b].com);
        expected[i] += v.dot(rates.col(b).head<3>()) + unit.angular_velocity[b].dot(rates.col(b).tail<3>());
      }
      scale = std::max(scale, std::abs(expected[i]));
    }
    EXPECT_LT((bias - expected).lpNorm<Eigen::Infinity>(), 1e-8 * scale) << "model " << n;
  }
}

TEST(MomentumTest, TotalMomentumIsTheSumAndDoesNotChangeForOneFreeBody) {
  Scene scene;
  SceneBody body;
  body.name = "body";
  body.mass = 2;
  body.com = Vec3(0.1, -0.2, 0.3);
  body.inertia = Vec3(0.3, 0.4, 0.6).asDiagonal();
  scene.bodies = {body};
  scene.gravity.setZero();
  const Model model = CompileModel(scene);
  RandomModels random(7);
  const MotionState state = random.AnyState(model);
  const Kinematics kin = KinematicsOf(model, state);
  DynamicsWorkspace workspace;
  BlockDiagonal mass;
  VecX bias;
  ComputeMassMatrix(model, kin, &workspace, &mass);
  ASSERT_TRUE(mass.Factorize());
  ComputeBiasForces(model, kin, &workspace, &bias);
  mass.SolveInPlace(bias);  // v̇ = −M⁻¹ c
  const auto momentum = [&](double s) {
    MotionState moved =
        Moved(model, state, state.v - 0.5 * s * bias, s);  // second order, enough for the first derivative
    moved.v = state.v - s * bias;
    Vec3 linear, angular;
    Momentum(model, KinematicsOf(model, moved), &linear, &angular);
    return (Vec6() << linear, angular).finished();
  };
  const Vec6 rate = Derivative(momentum, 1e-4);
  EXPECT_LT(rate.norm(), 1e-6);
  EXPECT_GT(bias.norm(), 0.1);
}

TEST(GravityTest, ForceIsTheGradientOfThePotential) {
  RandomModels random(8);
  for (int n = 0; n < kModels; ++n) {
    const Example e = MakeExample(n, &random);
    DynamicsWorkspace workspace;
    VecX force;
    ComputeGravityForces(e.model, e.kinematics, &workspace, &force);
    for (int i = 0; i < e.model.v_size(); ++i) {
      const Vec2 slope = Derivative(
          [&](double s) {
            const Kinematics k = KinematicsOf(e.model, Moved(e.model, e.state, Unit(e.model.v_size(), i), s));
            return Vec2(PotentialEnergy(e.model, k), 0);
          },
          1e-3);
      EXPECT_NEAR(force[i], -slope[0], 1e-8 * (1 + force.norm()));
    }
  }
}

TEST(JacobianTest, PointAndAngularRowsGiveTheMotionOfABodyFixedPoint) {
  RandomModels random(9);
  for (int n = 0; n < kModels; ++n) {
    const Example e = MakeExample(n, &random);
    for (std::size_t b = 0; b < e.model.bodies.size(); ++b) {
      const int tree = e.model.bodies[b].tree;
      const int first = e.model.trees.offset[tree], count = e.model.trees.size[tree];
      const Vec3 local = random.Vector(), direction = random.Vector();
      const double factor = random.Number();
      Eigen::RowVectorXd row = Eigen::RowVectorXd::Constant(count, 0.5), angular = row;
      const int body = static_cast<int>(b);
      AddPointRow(e.model, e.kinematics, body, e.kinematics.X_WB[b] * local, direction, factor, row);
      AddAngularRow(e.model, e.kinematics, body, direction, factor, angular);
      const auto pose = [&](double s) { return KinematicsOf(e.model, Moved(e.model, e.state, e.state.v, s)).X_WB[b]; };
      const Vec3 velocity = Derivative([&](double s) { return pose(s) * local; });
      const VecX v = e.state.v.segment(first, count);
      const double before = 0.5 * v.sum();  // rows are added to what stood there
      const double scale = 1 + velocity.norm() + v.norm();
      EXPECT_NEAR(row.dot(v) - before, factor * direction.dot(velocity), 1e-9 * scale);
      EXPECT_NEAR(angular.dot(v) - before, factor * direction.dot(e.kinematics.angular_velocity[b]), 1e-12 * scale);
    }
  }
}

TEST(AppliedForceTest, PowerIsThatOfTheForcesOnTheMovingPoints) {
  RandomModels random(10);
  for (int n = 0; n < kModels; ++n) {
    RandomModels own(100 + n);
    Scene scene = own.MakeScene(1 + n % 20);
    std::string problem;
    const TimeFunction wave = *TimeFunction::Parse("sin(3*t) + t^2", &problem);
    for (const SceneBody& body : scene.bodies) {
      SceneForce force;
      force.name = "force-" + body.name;
      force.body = body.name;
      force.point = random.Vector();
      force.in_body_axes = random.Integer(0, 1) == 1;
      force.force = {wave, TimeFunction(random.Number()), TimeFunction(random.Number())};
      force.torque = {TimeFunction(random.Number()), wave, TimeFunction(random.Number())};
      scene.forces.push_back(force);
    }
    Model model = CompileModel(scene);
    if (model.v_size() == 0) continue;
    model.joint_efforts.push_back({model.v_size() - 1, wave});
    const MotionState state = random.AnyState(model);
    const Kinematics kin = KinematicsOf(model, state);
    VecX applied;
    ComputeAppliedForces(model, kin, state.time, &applied);

    const double w = std::sin(3 * state.time) + state.time * state.time;
    double power = w * state.v[model.v_size() - 1];
    for (const SceneForce& force : scene.forces) {
      int b = 0;
      while (model.bodies[b].name != force.body) ++b;
      Vec3 f(w, force.force[1](0), force.force[2](0)), torque(force.torque[0](0), w, force.torque[2](0));
      if (force.in_body_axes) {
        f = kin.R_WB[b] * f;
        torque = kin.R_WB[b] * torque;
      }
      const Vec3 velocity = Derivative(
          [&](double s) { return KinematicsOf(model, Moved(model, state, state.v, s)).X_WB[b] * force.point; });
      power += f.dot(velocity) + torque.dot(kin.angular_velocity[b]);
    }
    EXPECT_NEAR(applied.dot(state.v), power, 1e-8 * (1 + std::abs(power) + applied.norm()));
  }
}

}  // namespace
}  // namespace slipstick::internal
