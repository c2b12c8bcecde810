#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "slipstick/program/cone_program.h"
#include "slipstick/solver/compact/contact_fixed_point.h"
#include "slipstick/solver/compact/contact_gradient.h"
#include "slipstick/solver/compact/contact_packs.h"
#include "slipstick/solver/compact/contact_sweep.h"
#include "slipstick/solver/cone/cone_ladder.h"

namespace slipstick::internal {
namespace {

struct HeapOptions {
  int side = 4;
  bool spheres = true, moments = false, non_associated = false;
  double compliance = 0;
  int seed = 1;
};

// A jittered lattice of bodies that fall on each other and on the ground; the last one is the ground's A, so that sides
// are exchanged too.
CompactProgram Heap(const HeapOptions& options) {
  std::mt19937 random(options.seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto vector = [&] { return Vec3(uniform(random), uniform(random), uniform(random)); };
  const int m = options.side;
  const double r = 0.02;
  CompactProgram program;
  program.non_associated = options.non_associated;
  std::vector<Vec3> centre;
  for (int k = 0; k < m * m * m; ++k) {
    CompactBody body;
    const double mass = 0.07 * (1 + 0.5 * uniform(random));
    body.inverse_mass = 1 / mass;
    body.inverse_inertia = Mat3::Identity() / (0.4 * mass * r * r);
    if (!options.spheres) {
      const Vec3 axis = vector().normalized();
      body.inverse_inertia += (0.8 / (0.4 * mass * r * r)) * axis * axis.transpose();
    }
    body.velocity = 0.02 * vector() - Vec3(0, 0, 0.05);
    body.angular_velocity = vector();
    program.bodies.push_back(body);
    centre.push_back(2 * r * Vec3(k / (m * m), k / m % m, k % m) + 0.1 * r * vector());
  }
  const auto add = [&](int a, int b, const Vec3& normal, const Vec3& arm_a, const Vec3& arm_b) {
    CompactContact contact;
    contact.body_a = a;
    contact.body_b = b;
    contact.normal = normal;
    contact.arm_a = arm_a;
    contact.arm_b = arm_b;
    contact.target = 0.01 * uniform(random);
    contact.friction = 0.3 + 0.3 * uniform(random);
    if (options.moments && uniform(random) > -0.5) {
      contact.rolling = 0.001 * (1 + uniform(random));
      contact.spinning = uniform(random) > 0 ? 0.001 : 0;
    }
    contact.normal_compliance = contact.tangential_compliance = options.compliance;
    program.contacts.push_back(contact);
  };
  for (int a = 0; a < m * m * m; ++a) {
    for (int step : {1, m, m * m}) {
      const bool inside = a / step % m > 0;
      if (!inside && step > 1) continue;
      if (inside) {
        const Vec3 d = centre[a] - centre[a - step];
        add(a, a - step, d.normalized(), -0.5 * d, 0.5 * d);
      } else if (a % 2 == 0) {
        add(a, -1, Vec3::UnitZ(), {0, 0, -r}, Vec3::Zero());
      } else {
        add(-1, a, -Vec3::UnitZ(), Vec3::Zero(), {0, 0, -r});
      }
    }
  }
  return program;
}

// The same with rows and W, for the solvers that share nothing with those under test.
ConeProgram WithRows(const CompactProgram& compact) {
  ConeProgram program;
  program.non_associated = compact.non_associated;
  int rows = 0;
  for (const CompactContact& contact : compact.contacts) {
    const bool moment = contact.has_moment();
    program.blocks.push_back(ConeBlock::Cone(
        rows, moment ? FrictionCone::SpinningAndRolling(contact.friction, contact.spinning, contact.rolling)
                     : FrictionCone::Sliding(contact.friction)));
    rows += moment ? 6 : 3;
  }
  const int columns = 6 * static_cast<int>(compact.bodies.size());
  MatX jacobian = MatX::Zero(rows, columns), compliance = MatX::Zero(rows, rows),
       inverse = MatX::Zero(columns, columns);
  VecX free(columns), target = VecX::Zero(rows);
  for (std::size_t b = 0; b < compact.bodies.size(); ++b) {
    const CompactBody& body = compact.bodies[b];
    inverse.block<3, 3>(6 * b, 6 * b) = body.inverse_mass * Mat3::Identity();
    inverse.block<3, 3>(6 * b + 3, 6 * b + 3) = body.inverse_inertia;
    free.segment<3>(6 * b) = body.velocity;
    free.segment<3>(6 * b + 3) = body.angular_velocity;
  }
  for (std::size_t i = 0; i < compact.contacts.size(); ++i) {
    const CompactContact& contact = compact.contacts[i];
    const int row = program.blocks[i].offset;
    const Vec3 t1 = contact.normal.unitOrthogonal(), t2 = contact.normal.cross(t1);
    const Vec3 axes[3] = {contact.normal, t1, t2};
    for (int k = 0; k < 3; ++k) {
      const auto put = [&](int body, const Vec3& arm, double sign) {
        if (body < 0) return;
        jacobian.block<1, 3>(row + k, 6 * body) = sign * axes[k].transpose();
        jacobian.block<1, 3>(row + k, 6 * body + 3) = sign * arm.cross(axes[k]).transpose();
        if (contact.has_moment()) jacobian.block<1, 3>(row + 3 + k, 6 * body + 3) = sign * axes[k].transpose();
      };
      put(contact.body_a, contact.arm_a, 1);
      put(contact.body_b, contact.arm_b, -1);
      compliance(row + k, row + k) = k == 0 ? contact.normal_compliance : contact.tangential_compliance;
    }
    target[row] = contact.target;
  }
  program.W = MatX(jacobian * inverse * jacobian.transpose() + compliance).sparseView();
  program.q = jacobian * free - target;
  return program;
}

VecX RowImpulses(const CompactProgram& compact, const ConeProgram& program, const CompactImpulses& impulses) {
  VecX r = VecX::Zero(program.size());
  for (std::size_t i = 0; i < compact.contacts.size(); ++i) {
    const Vec3 n = compact.contacts[i].normal, t1 = n.unitOrthogonal(), t2 = n.cross(t1);
    const int row = program.blocks[i].offset;
    r.segment<3>(row) << n.dot(impulses.force[i]), t1.dot(impulses.force[i]), t2.dot(impulses.force[i]);
    if (!compact.contacts[i].has_moment()) continue;
    r.segment<3>(row + 3) << n.dot(impulses.moment[i]), t1.dot(impulses.moment[i]), t2.dot(impulses.moment[i]);
  }
  return r;
}

std::shared_ptr<ThreadTeam> Team(int size) { return std::make_shared<ThreadTeam>(size); }

struct Answer {
  CompactImpulses impulses;
  CompactVelocities velocities;
  SolveReport report;
};

template <typename Solver>
Answer SolveWith(Solver&& solver, const CompactProgram& program, double tolerance) {
  Answer answer;
  answer.report = solver.Solve(program, tolerance, &answer.impulses);
  ComputeVelocities(program, answer.impulses, &answer.velocities);
  return answer;
}

std::vector<HeapOptions> AllHeaps() {
  std::vector<HeapOptions> heaps;
  for (bool spheres : {true, false}) {
    for (bool moments : {false, true}) {
      for (bool non_associated : {false, true}) {
        heaps.push_back({.spheres = spheres, .moments = moments, .non_associated = non_associated, .compliance = 0.1});
      }
    }
  }
  return heaps;
}

// The residual here and the natural map of the rows are zero at the same impulses.
TEST(CompactSolvers, SolveWhatTheRowsSay) {
  for (const HeapOptions& options : AllHeaps()) {
    SCOPED_TRACE(testing::Message() << options.spheres << options.moments << options.non_associated);
    const CompactProgram program = Heap(options);
    ASSERT_EQ(Check(program), "");
    const ConeProgram rows = WithRows(program);
    ASSERT_EQ(Check(rows), "");
    std::vector<Answer> answers = {SolveWith(ContactSweep({.max_iterations = 50000}, Team(1)), program, 1e-9),
                                   SolveWith(ContactFixedPoint({.max_iterations = 50000}), program, 1e-9)};
    // momentum needs an energy: the exact law has none, and may go round in circles
    if (!options.non_associated) {
      answers.push_back(SolveWith(ContactGradient({.max_iterations = 50000}, Team(1)), program, 1e-9));
    }
    for (const Answer& answer : answers) {
      EXPECT_EQ(answer.report.status, SolveStatus::kSolved) << answer.report.solver;
      EXPECT_LT(CompactResidual(program, answer.impulses, answer.velocities), 3e-9) << answer.report.solver;
      // angular rows count rad/s there and √(W_N / W_R) ≈ 0.012 m times that here
      const double unit = options.moments ? 0.012 : 1;
      EXPECT_LT(NaturalResidual(rows, RowImpulses(program, rows, answer.impulses)), 4e-9 / unit)
          << answer.report.solver;
    }
  }
}

// Velocities of the convex problem are unique, so that any other solver must find them too.
TEST(CompactSolvers, VelocitiesOfTheLadder) {
  for (bool moments : {false, true}) {
    const CompactProgram program = Heap({.side = 3, .spheres = false, .moments = moments});
    const ConeProgram rows = WithRows(program);
    const ConeAnswer reference = SolveByLadder(rows, {.tolerance = 1e-11}, nullptr);
    ASSERT_EQ(reference.report.status, SolveStatus::kSolved);
    const Answer answer = SolveWith(ContactSweep({.max_iterations = 200000}, Team(2)), program, 1e-9);
    ASSERT_EQ(answer.report.status, SolveStatus::kSolved);
    const VecX u = rows.W * RowImpulses(program, rows, answer.impulses) + rows.q;
    EXPECT_LT((u - reference.u).lpNorm<Eigen::Infinity>(), 1e-6);
  }
}

template <typename A, typename B>
void ExpectSameBits(const std::vector<A>& one, const std::vector<B>& other) {
  ASSERT_EQ(one.size(), other.size());
  EXPECT_EQ(std::memcmp(one.data(), other.data(), one.size() * sizeof(A)), 0);
}

TEST(CompactSolvers, SameBitsForAnyNumberOfThreads) {
  const CompactProgram program = Heap({.side = 9, .spheres = false, .moments = true});
  const Answer sweep = SolveWith(ContactSweep({.max_iterations = 50}, Team(1)), program, 0);
  const Answer gradient = SolveWith(ContactGradient({.max_iterations = 50}, Team(1)), program, 0);
  for (int threads : {2, 3, 5}) {
    const Answer other = SolveWith(ContactSweep({.max_iterations = 50}, Team(threads)), program, 0);
    ExpectSameBits(sweep.impulses.force, other.impulses.force);
    ExpectSameBits(sweep.impulses.moment, other.impulses.moment);
    const Answer second = SolveWith(ContactGradient({.max_iterations = 50}, Team(threads)), program, 0);
    ExpectSameBits(gradient.impulses.force, second.impulses.force);
    ExpectSameBits(gradient.impulses.moment, second.impulses.moment);
  }
}

// Storage of an earlier, larger problem leaves no trace.
TEST(CompactSolvers, ASecondProblemIsNotTheFirst) {
  const CompactProgram large = Heap({.side = 6, .spheres = false, .moments = true}), small = Heap({.side = 3});
  ContactSweep used({.max_iterations = 40}, Team(1));
  SolveWith(used, large, 0);
  ExpectSameBits(SolveWith(used, small, 0).impulses.force,
                 SolveWith(ContactSweep({.max_iterations = 40}, Team(1)), small, 0).impulses.force);
}

TEST(CompactSolvers, WarmStartAtTheAnswerStays) {
  const CompactProgram program = Heap({.moments = true});
  Answer answer = SolveWith(ContactSweep({.max_iterations = 100000}, Team(1)), program, 1e-8);
  ASSERT_EQ(answer.report.status, SolveStatus::kSolved);
  ContactSweep again({}, Team(1));
  const SolveReport report = again.Solve(program, 2e-8, &answer.impulses);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(report.status, SolveStatus::kSolved);
}

TEST(CompactSolvers, NothingToDo) {
  CompactProgram program;
  EXPECT_EQ(SolveWith(ContactSweep({}, Team(2)), program, 1e-9).report.status, SolveStatus::kSolved);
  EXPECT_EQ(SolveWith(ContactGradient({}, Team(2)), program, 1e-9).report.status, SolveStatus::kSolved);
  // bodies that do not touch, and a contact of two things that do not move
  program.bodies.resize(2);
  program.bodies[1].velocity = {1, 2, 3};
  program.contacts.resize(1);
  for (const Answer& answer :
       {SolveWith(ContactSweep({}, Team(1)), program, 1e-9), SolveWith(ContactGradient({}, Team(1)), program, 1e-9),
        SolveWith(ContactFixedPoint({}), program, 1e-9)}) {
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
    EXPECT_EQ(answer.velocities.linear[1], Vec3(1, 2, 3));
    EXPECT_EQ(answer.impulses.force[0], Vec3::Zero());
  }
}

// More contacts on one body than there are colours: a plate that carries two hundred balls.
TEST(CompactSolvers, OneBodyWithManyContacts) {
  CompactProgram program;
  CompactBody plate;
  plate.inverse_mass = 0.01;
  plate.inverse_inertia = 0.01 * Mat3::Identity();
  plate.velocity = {0, 0, -0.1};
  program.bodies.push_back(plate);
  for (int k = 0; k < 200; ++k) {
    CompactBody ball;
    ball.inverse_mass = 10;
    ball.inverse_inertia = 1000 * Mat3::Identity();
    ball.velocity = {0.001 * k, 0, -0.1};
    program.bodies.push_back(ball);
    CompactContact contact;
    contact.body_a = k + 1;
    contact.body_b = 0;
    contact.arm_a = {0, 0, -0.01};
    contact.arm_b = {0.01 * (k - 100), 0.01 * (k % 14 - 7), 0.01};
    contact.friction = 0.4;
    program.contacts.push_back(contact);
  }
  for (double x : {-1.0, 1.0}) {
    for (double y : {-0.1, 0.1}) {
      CompactContact foot;
      foot.body_a = 0;
      foot.arm_a = {x, y, -0.01};
      foot.friction = 0.4;
      program.contacts.push_back(foot);
    }
  }
  const Answer one = SolveWith(ContactSweep({.max_iterations = 100000}, Team(1)), program, 1e-8);
  EXPECT_EQ(one.report.status, SolveStatus::kSolved);
  EXPECT_LT(CompactResidual(program, one.impulses, one.velocities), 2e-8);
  const Answer two = SolveWith(ContactSweep({.max_iterations = 100000}, Team(2)), program, 1e-8);
  ExpectSameBits(one.impulses.force, two.impulses.force);
}

// Wide registers and narrow ones: the same bits.
TEST(ContactPacks, KernelsAgreeToTheBit) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0.1, 1);
  constexpr int kPacks = 5;
  const auto fill = [&](void* data, std::size_t bytes) {
    auto* numbers = static_cast<double*>(data);
    for (std::size_t k = 0; k < bytes / sizeof(double); ++k) numbers[k] = uniform(random) - 0.3;
  };
  const auto compare = [&](auto pack, int kind) {
    std::vector<decltype(pack)> packs(kPacks, pack), others;
    std::vector<BodyMotion> motion(2 * kPacks * kLanes), other_motion;
    std::vector<BodyInertia> inertia(2 * kPacks * kLanes);
    fill(packs.data(), packs.size() * sizeof(pack));
    fill(motion.data(), motion.size() * sizeof(BodyMotion));
    fill(inertia.data(), inertia.size() * sizeof(BodyInertia));
    for (int k = 0; k < kPacks; ++k) {
      for (int lane = 0; lane < kLanes; ++lane) {
        packs[k].a[lane] = 2 * (k * kLanes + lane);
        packs[k].b[lane] = packs[k].a[lane] + 1;
      }
    }
    for (bool non_associated : {false, true}) {
      others = packs;
      other_motion = motion;
      const PackKernels &quick = KernelsFor(non_associated), &plain = PlainKernelsFor(non_associated);
      EXPECT_EQ(quick.measure[kind](packs.data(), 0, kPacks, motion.data(), 1.1),
                plain.measure[kind](others.data(), 0, kPacks, other_motion.data(), 1.1));
      quick.sweep[kind](packs.data(), 0, kPacks, motion.data(), inertia.data());
      plain.sweep[kind](others.data(), 0, kPacks, other_motion.data(), inertia.data());
      ExpectSameBits(packs, others);
      ExpectSameBits(motion, other_motion);
    }
  };
  for (int two = 0; two < 2; ++two) {
    compare(Pack<false, false>{}, 0 + two);
    compare(Pack<false, true>{}, 2 + two);
    compare(Pack<true, false>{}, 4 + two);
    compare(Pack<true, true>{}, 6 + two);
  }
}

TEST(CompactProgram, FaultsAreNamed) {
  CompactProgram program = Heap({.side = 2});
  program.contacts[0].friction = -1;
  EXPECT_THAT(Check(program), testing::HasSubstr("below 0"));
  program = Heap({.side = 2});
  program.contacts[0].body_a = 99;
  EXPECT_THAT(Check(program), testing::HasSubstr("not there"));
  program = Heap({.side = 2});
  program.bodies[0].velocity[0] = std::nan("");
  EXPECT_THAT(Check(program), testing::HasSubstr("not finite"));
}

}  // namespace
}  // namespace slipstick::internal
