#include "slipstick/solver/cone/gauss_seidel_newton.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/solver/cone_random_programs.h"

namespace slipstick::internal {
namespace {

using testing::Body;
using testing::ContactProgram;
using testing::RandomCloud;
using testing::RandomNumbers;
using testing::Touch;
using testing::Tower;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ConeAnswer Solve(const ConeProgram& program) { return SolveByGaussSeidelNewton(program, {}); }

// Coulomb's law written out, without projections.
void ExpectCoulomb(const ConeProgram& program, const VecX& r, double tolerance) {
  const VecX u = program.W * r + program.q;
  for (const ConeBlock& block : program.blocks) {
    if (block.kind != BlockKind::kCone) continue;
    const int i = block.offset;
    const double limit = block.mu() * r[i];
    const Vec2 r_t = r.segment<2>(i + 1), u_t = u.segment<2>(i + 1);
    EXPECT_GE(r[i], -tolerance);
    EXPECT_GE(u[i], -tolerance);
    EXPECT_LT(std::abs(r[i] * u[i]), tolerance * (1 + r[i]));
    EXPECT_LE(r_t.norm(), limit + tolerance * (1 + limit));
    // power of friction −μ r_N |u_T|: the most that the cone allows
    EXPECT_NEAR(r_t.dot(u_t), -limit * u_t.norm(), tolerance * (1 + limit));
  }
}

// A box of 1 × 1 × height that touches the ground at points on a circle, and after one step of gravity has the velocity
// v.
ConeProgram BoxOnGround(int points, double mass, double mu, const Vec3& v) {
  Body box;
  box.mass = mass;
  box.inertia = mass / 12 * Vec3(1.04, 1.04, 2).asDiagonal();
  box.centre = Vec3(0, 0, 0.1);
  box.velocity = v;
  std::vector<Touch> touches;
  for (int k = 0; k < points; ++k) {
    const double angle = 2 * M_PI * (k + 0.5) / points;
    Touch touch;
    touch.point = 0.5 * std::sqrt(2.0) * Vec3(std::cos(angle), std::sin(angle), 0);
    touch.mu = mu;
    touch.turn = 0.4 * k;
    touches.push_back(touch);
  }
  return ContactProgram({box}, touches);
}

// Σ of the impulses in the world's axes.
Vec3 TotalImpulse(const VecX& r, double turn_of_each) {
  Vec3 total = Vec3::Zero();
  for (int k = 0; 3 * k < r.size(); ++k) {
    const Vec2 t = Eigen::Rotation2Dd(turn_of_each * k) * r.segment<2>(3 * k + 1);
    total += Vec3(t[0], t[1], r[3 * k]);
  }
  return total;
}

TEST(GaussSeidelNewton, BoxOnGroundSlidesAndSticks) {
  for (int points : {4, 12}) {
    const double mass = 3, mu = 0.4, fall = 0.1;
    const ConeAnswer slides = Solve(BoxOnGround(points, mass, mu, {0.3, 0.4, -fall}));
    ASSERT_EQ(slides.report.status, SolveStatus::kSolved);
    // N = m g h, friction −μN along (0.6, 0.8), and the speed that remains is 0.5 − μ g h
    EXPECT_LT((TotalImpulse(slides.r, 0.4) - mass * Vec3(-0.6 * mu * fall, -0.8 * mu * fall, fall)).norm(), 1e-12);
    for (int k = 0; k < points; ++k) {
      EXPECT_NEAR(slides.u[3 * k], 0, 1e-13);
      EXPECT_NEAR(slides.u.segment<2>(3 * k + 1).norm(), 0.5 - mu * fall, 1e-12);
    }
    const ConeAnswer sticks = Solve(BoxOnGround(points, mass, mu, {0.03, 0.01, -fall}));
    ASSERT_EQ(sticks.report.status, SolveStatus::kSolved);
    EXPECT_LT((TotalImpulse(sticks.r, 0.4) - mass * Vec3(-0.03, -0.01, fall)).norm(), 1e-12);
    EXPECT_LT(sticks.u.norm(), 1e-12);
  }
}

TEST(GaussSeidelNewton, SphereOnGround) {
  Body sphere;
  sphere.mass = 2;
  const double radius = 0.25;
  sphere.inertia = 0.4 * sphere.mass * radius * radius * Mat3::Identity();
  sphere.centre = Vec3(0, 0, radius);
  Touch touch;
  touch.mu = 0.3;
  // slides while |v| > 3.5 μ g h: 1/m + R²/I = 3.5/m
  sphere.velocity = Vec3(1, 0, -0.1);
  const ConeAnswer slides = Solve(ContactProgram({sphere}, {touch}));
  EXPECT_LT((slides.r - Vec3(0.2, -0.06, 0)).norm(), 1e-14);
  EXPECT_NEAR(slides.u[1], 1 - 3.5 * 0.3 * 0.1, 1e-14);
  sphere.velocity = Vec3(0.1, 0, -0.1);
  const ConeAnswer rolls = Solve(ContactProgram({sphere}, {touch}));
  EXPECT_LT((rolls.r - Vec3(0.2, -0.1 * sphere.mass / 3.5, 0)).norm(), 1e-14);
  EXPECT_LT(rolls.u.norm(), 1e-14);
}

// A sphere that slides along a groove with walls at ±α to the horizontal.
TEST(GaussSeidelNewton, SphereInAGroove) {
  const double alpha = 0.7, radius = 0.5, fall = 0.2, speed = 3, mu = 0.4;
  Body sphere;
  sphere.mass = 1.5;
  sphere.inertia = 0.4 * sphere.mass * radius * radius * Mat3::Identity();
  sphere.velocity = Vec3(0, speed, -fall);
  std::vector<Touch> touches;
  for (double side : {-1.0, 1.0}) {
    Touch touch;
    touch.normal = Vec3(side * std::sin(alpha), 0, std::cos(alpha));
    touch.point = -radius * touch.normal;
    touch.mu = mu;
    touches.push_back(touch);
  }
  const ConeAnswer answer = Solve(ContactProgram({sphere}, touches));
  ASSERT_EQ(answer.report.status, SolveStatus::kSolved);
  // 2 N cos α = m v; friction along the groove alone, and it turns the sphere with the lever R cos α
  const double normal = sphere.mass * fall / (2 * std::cos(alpha));
  const double lever = radius * std::cos(alpha);
  const double left = speed - 2 * mu * normal * (1 / sphere.mass + lever * lever / sphere.inertia(0, 0));
  ASSERT_GT(left, 0);
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(answer.r[3 * k], normal, 1e-13);
    EXPECT_NEAR(answer.r.segment<2>(3 * k + 1).norm(), mu * normal, 1e-13);
    EXPECT_NEAR(answer.u.segment<2>(3 * k + 1).norm(), left, 1e-13);
  }
}

TEST(GaussSeidelNewton, RandomBodiesMeetCoulombsLaw) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    for (const ConeProgram& program :
         {RandomCloud(1, 2, 2, seed), RandomCloud(1, 6, 2, seed), RandomCloud(4, 8, 2, seed)}) {
      const ConeAnswer answer = Solve(program);
      ASSERT_EQ(answer.report.status, SolveStatus::kSolved) << "seed " << seed;
      EXPECT_LE(NaturalResidual(program, answer.r), 1e-11);
      EXPECT_TRUE(answer.u.isApprox(program.W * answer.r + program.q));
      ExpectCoulomb(program, answer.r, 1e-9);
    }
  }
}

TEST(GaussSeidelNewton, FiftyContacts) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    for (const ConeProgram& program : {RandomCloud(25, 50, 1, seed), RandomCloud(8, 40, 0.5, seed),
                                       Tower(12, 4, 0.5, seed), Tower(4, 12, 0.3 * (seed + 1), seed)}) {
      const ConeAnswer answer = Solve(program);
      ASSERT_EQ(answer.report.status, SolveStatus::kSolved) << "seed " << seed << " size " << program.size();
      ExpectCoulomb(program, answer.r, 1e-9);
    }
  }
}

TEST(GaussSeidelNewton, TowerAtRestCarriesItsWeight) {
  const double fall = 0.0981;
  const ConeProgram program = Tower(8, 4, 0.5, 3, 0.0);
  const ConeAnswer answer = Solve(program);
  ASSERT_EQ(answer.report.status, SolveStatus::kSolved);
  EXPECT_LT(answer.u.cwiseAbs().maxCoeff(), 1e-12);
  // each interface carries the mass above; masses as Tower draws them
  RandomNumbers random(3);
  std::vector<double> masses;
  for (int i = 0; i < 8; ++i) {
    masses.push_back(random.Between(0.5, 2));
    random.Vector(0);
    random.Vector(0);
  }
  double above = 0;
  for (int i = 7; i >= 0; --i) {
    above += masses[i];
    double normal = 0;
    for (int k = 0; k < 4; ++k) normal += answer.r[3 * (4 * i + k)];
    EXPECT_NEAR(normal, above * fall, 1e-11);
  }
}

// The convex relaxation against an accelerated projected gradient, run until it does not move any more.
TEST(GaussSeidelNewton, AssociatedIsTheConvexMinimum) {
  std::vector<ConeProgram> programs;
  for (unsigned seed = 0; seed < 10; ++seed) {
    programs.push_back(RandomCloud(3, 5, 1, seed));
    programs.push_back(Tower(1, 4, 0.2 + 0.1 * seed, seed));
    programs.push_back(Tower(2, 6, 0.2 + 0.1 * seed, seed));
  }
  for (ConeProgram& program : programs) {
    program.non_associated = false;
    const ConeAnswer answer = Solve(program);
    ASSERT_EQ(answer.report.status, SolveStatus::kSolved);
    const double step = 1 / MatX(program.W).cwiseAbs().rowwise().sum().maxCoeff();
    VecX r = VecX::Zero(program.size()), ahead = r;
    double momentum = 1;
    for (int i = 0; i < 30000; ++i) {
      const VecX gradient = program.W * ahead + program.q;
      const VecX next = ProjectOnSets(program.blocks, ahead - step * gradient);
      const double next_momentum = 0.5 * (1 + std::sqrt(1 + 4 * momentum * momentum));
      const bool restart = gradient.dot(next - r) > 0;
      ahead = restart ? next : VecX(next + (momentum - 1) / next_momentum * (next - r));
      momentum = restart ? 1 : next_momentum;
      r = next;
    }
    const auto value = [&](const VecX& x) { return x.dot(0.5 * (program.W * x) + program.q); };
    EXPECT_NEAR(value(answer.r), value(r), 1e-9);
    EXPECT_LE(value(answer.r), value(r) + 1e-13);
    // velocities are unique, impulses need not be
    EXPECT_LT((program.W * (answer.r - r)).norm(), 1e-5);
  }
}

TEST(GaussSeidelNewton, TurningTheTangentsTurnsTheAnswer) {
  RandomNumbers random(8);
  for (unsigned seed = 0; seed < 30; ++seed) {
    for (bool non_associated : {true, false}) {
      ConeProgram program = seed % 2 == 0 ? RandomCloud(4, 6, 0.8, seed) : Tower(1, 4, 0.5, seed);
      program.non_associated = non_associated;
      MatX turn = MatX::Identity(program.size(), program.size());
      for (const ConeBlock& block : program.blocks)
        turn.block<2, 2>(block.offset + 1, block.offset + 1) =
            Eigen::Rotation2Dd(random.Between(-3, 3)).toRotationMatrix();
      ConeProgram turned = program;
      turned.W = MatX(turn * MatX(program.W) * turn.transpose()).sparseView();
      turned.q = turn * program.q;
      const ConeAnswer answer = Solve(program), turned_answer = Solve(turned);
      ASSERT_EQ(turned_answer.report.status, SolveStatus::kSolved);
      EXPECT_LT((turned_answer.u - turn * answer.u).norm(), 1e-10) << seed;
      if (seed % 2 == 0) {
        EXPECT_LT((turned_answer.r - turn * answer.r).norm(), 1e-9) << seed;
      }
    }
  }
}

TEST(GaussSeidelNewton, UnitsDoNotMatter) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ConeProgram program = RandomCloud(4, 6, 0.8, seed);
    const ConeAnswer answer = Solve(program);
    for (double unit : {1e-9, 1e9}) {
      ConeProgram scaled = program;
      scaled.W *= unit * 1e3;
      scaled.q *= unit;
      const ConeAnswer scaled_answer = Solve(scaled);
      ASSERT_EQ(scaled_answer.report.status, SolveStatus::kSolved);
      EXPECT_LT((scaled_answer.r * 1e3 - answer.r).norm(), 1e-10 * (1 + answer.r.norm()));
      EXPECT_LT((scaled_answer.u / unit - answer.u).norm(), 1e-10 * (1 + answer.u.norm()));
    }
  }
}

TEST(GaussSeidelNewton, HeavyOnLight) {
  // a mass 10⁵ times that of the sphere below it: the conditioning takes five digits
  Body light, heavy;
  light.mass = 1e-2;
  light.inertia = 1e-4 * Mat3::Identity();
  light.velocity = Vec3(0.02, 0, -0.1);
  heavy.mass = 1e3;
  heavy.inertia = 10 * Mat3::Identity();
  heavy.centre = Vec3(0, 0, 0.2);
  heavy.velocity = Vec3(0, 0, -0.1);
  Touch ground, between;
  ground.point = Vec3(0, 0, -0.1);
  between.a = 1;
  between.b = 0;
  between.point = Vec3(0, 0, 0.1);
  const ConeProgram program = ContactProgram({light, heavy}, {ground, between});
  const ConeAnswer answer = Solve(program);
  ASSERT_EQ(answer.report.status, SolveStatus::kSolved);
  EXPECT_NEAR(answer.r[0], 0.1 * (1e3 + 1e-2), 1e-7);
  EXPECT_NEAR(answer.r[3], 0.1 * 1e3, 1e-7);
  ExpectCoulomb(program, answer.r, 1e-10);
}

// μ = 0 is a linear complementarity problem; all 2ⁿ active sets are tried.
TEST(GaussSeidelNewton, WithoutFrictionEqualsTheLcp) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const int contacts = 3 + static_cast<int>(seed % 4);
    const ConeProgram program = RandomCloud(contacts, contacts, 0, seed);
    const ConeAnswer answer = Solve(program);
    ASSERT_EQ(answer.report.status, SolveStatus::kSolved);
    VecX normals(contacts), q(contacts);
    MatX W(contacts, contacts);
    for (int i = 0; i < contacts; ++i) {
      normals[i] = answer.r[3 * i];
      q[i] = program.q[3 * i];
      EXPECT_EQ(answer.r.segment<2>(3 * i + 1), Vec2(0, 0));
      for (int j = 0; j < contacts; ++j) W(i, j) = program.W.coeff(3 * i, 3 * j);
    }
    bool found = false;
    for (int active = 0; active < 1 << contacts && !found; ++active) {
      MatX basis = MatX::Identity(contacts, contacts);  // rows: x_i = 0, or (W x + q)_i = 0
      VecX right = VecX::Zero(contacts);
      for (int i = 0; i < contacts; ++i) {
        if ((active >> i & 1) == 0) continue;
        basis.row(i) = W.row(i);
        right[i] = -q[i];
      }
      const VecX x = basis.colPivHouseholderQr().solve(right);
      if (!((basis * x - right).norm() < 1e-10) || x.minCoeff() < -1e-10 || (W * x + q).minCoeff() < -1e-10) continue;
      found = true;
      EXPECT_LT((W * (x - normals)).norm(), 1e-10) << seed;
    }
    EXPECT_TRUE(found);
  }
}

TEST(GaussSeidelNewton, IntervalsAndDisksSaturate) {
  ConeProgram program;
  program.W = (MatX::Identity(5, 5) * 2).sparseView();
  program.W.coeffRef(0, 1) = program.W.coeffRef(1, 0) = 0.5;
  program.q.resize(5);
  program.q << -10, 0.1, 10, 6, 8;
  program.blocks = {ConeBlock::Interval(0, -1, 2), ConeBlock::Interval(1, -5, 5), ConeBlock::Interval(2, -kInfinity, 3),
                    ConeBlock::Disk(3, 1)};
  const ConeAnswer answer = Solve(program);
  ASSERT_EQ(answer.report.status, SolveStatus::kSolved);
  VecX expected(5);
  expected << 2, -(0.1 + 0.5 * 2) / 2, -5, -0.6, -0.8;
  EXPECT_LT((answer.r - expected).norm(), 1e-14);
  // pinned: lower = upper
  program.blocks[1].lower = program.blocks[1].upper = 4;
  const ConeAnswer pinned = Solve(program);
  ASSERT_EQ(pinned.report.status, SolveStatus::kSolved);
  EXPECT_EQ(pinned.r[1], 4);
  EXPECT_EQ(pinned.r[0], 2);
}

// Bilateral rows beside contacts: a free body on the ground whose point is guided along a line.
ConeProgram WithFreeRows(unsigned seed, bool twice, double contradiction) {
  RandomNumbers random(seed);
  std::vector<Body> bodies = {testing::RandomBody(&random), testing::RandomBody(&random)};
  bodies[1].centre = Vec3(1, 0, 0);
  std::vector<Touch> touches(2);
  touches[0].point = Vec3(0.1, 0, -0.5);
  touches[1].a = 1;
  touches[1].point = Vec3(1, 0.1, -0.5);
  const MatX contacts = testing::ContactJacobian(bodies, touches);
  // the same material point of both bodies, as in a ball joint
  const Vec3 pivot(0.5, 0.2, 0.1);
  MatX joint = MatX::Zero(3, 12);
  joint.block<3, 3>(0, 0).setIdentity();
  joint.block<3, 3>(0, 3) = -Skew(pivot - bodies[0].centre);
  joint.block<3, 3>(0, 6) = -Mat3::Identity();
  joint.block<3, 3>(0, 9) = Skew(pivot - bodies[1].centre);
  const int joint_rows = twice ? 6 : 3;
  MatX J(joint_rows + 6, 12);
  J.topRows(3) = joint;
  if (twice) J.middleRows(3, 3) = joint;
  J.bottomRows(6) = contacts;
  ConeProgram program;
  const MatX W = J * testing::InverseMass(bodies) * J.transpose();
  program.W = MatX(0.5 * (W + W.transpose())).sparseView();
  program.q = J * testing::Velocities(bodies);
  if (twice) program.q[3] += contradiction;
  for (int i = 0; i < joint_rows; ++i) program.blocks.push_back(ConeBlock::Free(i));
  program.blocks.push_back(ConeBlock::Cone(joint_rows, 0.5));
  program.blocks.push_back(ConeBlock::Cone(joint_rows + 3, 0.5));
  return program;
}

TEST(GaussSeidelNewton, FreeRowsAreMetAndDuplicatesShared) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ConeProgram once = WithFreeRows(seed, false, 0), twice = WithFreeRows(seed, true, 0);
    const ConeAnswer single = Solve(once), doubled = Solve(twice);
    ASSERT_EQ(single.report.status, SolveStatus::kSolved);
    ASSERT_EQ(doubled.report.status, SolveStatus::kSolved);
    EXPECT_LT(single.u.head(3).norm(), 1e-12);
    EXPECT_LT(doubled.u.head(6).norm(), 1e-12);
    ExpectCoulomb(once, single.r, 1e-11);
    EXPECT_LT((single.r.tail(6) - doubled.r.tail(6)).norm(), 1e-9);
    EXPECT_LT((doubled.r.head(3) - doubled.r.segment(3, 3)).norm(), 1e-10);
    EXPECT_LT((single.r.head(3) - 2 * doubled.r.head(3)).norm(), 1e-9);
  }
}

TEST(GaussSeidelNewton, ContradictionIsNotCalledSolved) {
  const ConeAnswer answer = Solve(WithFreeRows(1, true, 0.5));
  EXPECT_EQ(answer.report.status, SolveStatus::kNoSolution);
  EXPECT_NEAR(answer.report.residual, 0.25, 1e-9);  // both copies miss by half
  EXPECT_TRUE(answer.r.allFinite());
  // a contact that nothing can move, approaching
  ConeProgram immovable;
  immovable.W.resize(3, 3);
  immovable.q = Vec3(-1, 0, 0);
  immovable.blocks = {ConeBlock::Cone(0, 0.5)};
  EXPECT_EQ(Solve(immovable).report.status, SolveStatus::kNoSolution);
  immovable.q[0] = 1;
  EXPECT_EQ(Solve(immovable).report.status, SolveStatus::kSolved);
}

TEST(GaussSeidelNewton, EmptyAndBadPrograms) {
  EXPECT_EQ(Solve(ConeProgram{}).report.status, SolveStatus::kSolved);
  ConeProgram only_free;
  only_free.W = (MatX::Identity(2, 2) * 4).sparseView();
  only_free.q = Vec2(1, -2);
  only_free.blocks = {ConeBlock::Free(0), ConeBlock::Free(1)};
  EXPECT_LT((Solve(only_free).r - Vec2(-0.25, 0.5)).norm(), 1e-15);
  ConeProgram bad = RandomCloud(2, 3, 1, 1);
  bad.q[2] = std::nan("");
  const ConeAnswer answer = Solve(bad);
  EXPECT_EQ(answer.report.status, SolveStatus::kBadInput);
  EXPECT_TRUE(answer.r.allFinite());
  ConeProgram at_rest = RandomCloud(2, 3, 1, 1);
  at_rest.q.setZero();
  EXPECT_EQ(Solve(at_rest).report.status, SolveStatus::kSolved);
  EXPECT_EQ(Solve(at_rest).r.norm(), 0);
}

TEST(GaussSeidelNewton, SaysWhatItIsNotFor) {
  const auto blocks = [](int count, const FrictionCone& cone) {
    std::vector<ConeBlock> all;
    for (int i = 0; i < count; ++i) all.push_back(ConeBlock::Cone(i * cone.rows(), cone));
    return all;
  };
  EXPECT_EQ(GaussSeidelNewtonRefusal(blocks(3, FrictionCone::Sliding(0.5))), "");
  EXPECT_EQ(GaussSeidelNewtonRefusal({ConeBlock::Free(0), ConeBlock::Disk(1, 2), ConeBlock::Interval(3, 0, 1)}), "");
  EXPECT_EQ(GaussSeidelNewtonRefusal(blocks(1, FrictionCone::Rolling(0.5, 0.1))), "not for rolling contacts");
  EXPECT_EQ(GaussSeidelNewtonRefusal(blocks(1, FrictionCone::InPlane(0.5))), "not for contacts in the plane");
  EXPECT_EQ(GaussSeidelNewtonRefusal(blocks(400, FrictionCone::Sliding(0.5))), "not for more than 1000 rows");
  ConeProgram rolling;
  rolling.blocks = blocks(1, FrictionCone::Rolling(0.5, 0.1));
  rolling.W = MatX(MatX::Identity(5, 5)).sparseView();
  rolling.q = -VecX::Ones(5);
  EXPECT_EQ(Solve(rolling).report.status, SolveStatus::kUnsupported);
}

TEST(GaussSeidelNewton, GivesUpHonestly) {
  GaussSeidelNewtonSettings hurried;
  hurried.max_sweeps = 1;
  hurried.max_newton_steps = hurried.max_convex_steps = hurried.max_restarts = hurried.max_proximal_steps = 0;
  const ConeProgram program = Tower(6, 4, 0.5, 1);
  const ConeAnswer answer = SolveByGaussSeidelNewton(program, hurried);
  EXPECT_EQ(answer.report.status, SolveStatus::kIterationLimit);
  EXPECT_GT(answer.report.residual, 1e-6);
  EXPECT_EQ(answer.report.residual, NaturalResidual(program, answer.r));
  // the best point seen is no worse than doing nothing
  EXPECT_LE(answer.report.residual, NaturalResidual(program, VecX::Zero(program.size())));
}

TEST(GaussSeidelNewton, WarmStartAndDeterminism) {
  const ConeProgram program = Tower(6, 4, 0.5, 2);
  const ConeAnswer cold = Solve(program), again = Solve(program);
  ASSERT_EQ(cold.report.status, SolveStatus::kSolved);
  EXPECT_EQ(cold.r, again.r);
  const ConeAnswer warm = SolveByGaussSeidelNewton(program, {}, &cold.r);
  EXPECT_EQ(warm.report.status, SolveStatus::kSolved);
  EXPECT_EQ(warm.report.iterations, 0);
  const VecX useless = VecX::Constant(program.size(), std::nan(""));
  EXPECT_EQ(SolveByGaussSeidelNewton(program, {}, &useless).r, cold.r);
}

TEST(GaussSeidelNewton, SettingsHaveTheirDefaults) {
  std::vector<Fault> faults;
  const Settings settings =
      Settings::Read(GaussSeidelNewtonSettings::Table().Specs(), {{"max_sweeps", 17.0}}, "solver", &faults);
  EXPECT_TRUE(faults.empty());
  const GaussSeidelNewtonSettings read = GaussSeidelNewtonSettings::Table().From(settings), standard;
  EXPECT_EQ(read.max_sweeps, 17);
  EXPECT_EQ(read.tolerance, standard.tolerance);
  EXPECT_EQ(read.max_newton_steps, standard.max_newton_steps);
  Settings::Read(GaussSeidelNewtonSettings::Table().Specs(), {{"tolerance", 0.0}, {"max_sweeps", 1.5}}, "solver",
                 &faults);
  EXPECT_EQ(faults.size(), 2u);
}

}  // namespace
}  // namespace slipstick::internal
