#include "slipstick/contact/certificate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "slipstick/model/compile_model.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"
#include "slipstick/stepping/time_stepper.h"
#include "tests/contact/motion_of.h"
#include "tests/law/random_problems.h"

// The judge is judged: right answers pass, and every kind of wrong one is refused for the reason that is true of it.

namespace slipstick::internal {
namespace {

using ::testing::HasSubstr;
using testing::MethodOf;
using testing::NamedMethod;
using testing::RandomNumbers;
using testing::RandomProblem;
using testing::SolveProblem;

Certificate Judge(const Method& method, const ContactProblem& problem, const ContactSolution& solution) {
  return Certify(problem, solution, MotionOf(problem, solution), method.law->Residual(problem, solution), {});
}

// Changes an answer; `follows`: the velocity is computed anew from the changed impulses.
struct Damage {
  const char* name;
  void (*apply)(ContactSolution*);
  bool follows;
  const char* reason;
};

void Turn(ContactSolution* s) {
  for (int i = 0; 3 * i < s->contact.size(); ++i) {
    const Vec2 t = s->Tangential(i);
    s->contact.segment<2>(3 * i + 1) = Eigen::Rotation2Dd(0.05) * t;
  }
}
void SwapFirstTwo(ContactSolution* s) {
  const Vec3 first = s->contact.head<3>();
  s->contact.head<3>() = s->contact.segment<3>(3).eval();
  s->contact.segment<3>(3) = first;
}

const Damage kDamages[] = {
    {"scaled, velocity kept", [](ContactSolution* s) { s->contact *= 1.01; }, false, "momentum residual"},
    {"scaled", [](ContactSolution* s) { s->contact *= 1.01; }, true, "law residual"},
    {"halved", [](ContactSolution* s) { s->contact *= 0.5; }, true, "law residual"},
    {"friction turned", Turn, true, "law residual"},
    {"friction reversed",
     [](ContactSolution* s) {
       for (int i = 0; 3 * i < s->contact.size(); ++i) s->contact.segment<2>(3 * i + 1) *= -1;
     },
     true, "law residual"},
    {"friction left out",
     [](ContactSolution* s) {
       for (int i = 0; 3 * i < s->contact.size(); ++i) s->contact.segment<2>(3 * i + 1).setZero();
     },
     true, "law residual"},
    {"pulling", [](ContactSolution* s) { s->contact[0] = -s->contact[0]; }, true, "law residual"},
    {"swapped", SwapFirstTwo, true, "law residual"},
    {"nothing", [](ContactSolution* s) { s->contact.setZero(), s->bilateral.setZero(), s->bounded.setZero(); }, true,
     "law residual"},
    {"velocity altered", [](ContactSolution* s) { s->velocity *= 1 + 1e-6; }, false, "momentum residual"},
    {"one velocity altered", [](ContactSolution* s) { s->velocity[1] += 1e-6; }, false, "momentum residual"},
    {"constraint forgotten", [](ContactSolution* s) { s->bilateral[0] = 0; }, true, "law residual"},
    {"joint friction too large", [](ContactSolution* s) { s->bounded[0] += s->bounded[0] > 0 ? 0.2 : -0.2; }, true,
     "law residual"},
    {"NaN in an impulse", [](ContactSolution* s) { s->contact[1] = std::nan(""); }, false, "not finite"},
    {"infinite velocity", [](ContactSolution* s) { s->velocity[0] = std::numeric_limits<double>::infinity(); }, false,
     "not finite"},
    {"a velocity without a square", [](ContactSolution* s) { s->velocity[0] = 1e160; }, false, "not finite"},
    {"NaN in a constraint", [](ContactSolution* s) { s->bilateral[0] = std::nan(""); }, false, "not finite"},
    {"NaN in joint friction", [](ContactSolution* s) { s->bounded[0] = std::nan(""); }, false, "not finite"},
};

// A problem all of whose contacts slide under load, for this law, so that every kind of damage does harm.
ContactProblem LoadedProblem(const Method& method, RandomNumbers* random) {
  for (;;) {
    ContactProblem problem = RandomProblem({.friction_most = 0.5}, random);
    const ContactSolution solution = SolveProblem(method, problem);
    VecX velocities(9);
    problem.contacts.jacobian.Multiply(solution.velocity, velocities);
    bool loaded = true;
    for (int i = 0; i < 3; ++i) {
      loaded = loaded && solution.Normal(i) > 0.05 && solution.Tangential(i).norm() > 0.005 &&
               velocities.segment<2>(3 * i + 1).norm() > 0.1;
    }
    if (loaded) return problem;
  }
}

TEST(Certificate, RightAnswersPassAndDamagedOnesDoNot) {
  RandomNumbers random(21);
  for (const auto& [name, method] : testing::EveryLaw()) {
    for (int k = 0; k < 3; ++k) {
      const ContactProblem problem = LoadedProblem(method, &random);
      const ContactSolution right = SolveProblem(method, problem);
      const Certificate accepted = Judge(method, problem, right);
      EXPECT_TRUE(accepted.passed) << name << ": " << accepted.reason;
      EXPECT_TRUE(accepted.reason.empty());
      for (const Damage& damage : kDamages) {
        SCOPED_TRACE(name + ", " + damage.name);
        ContactSolution wrong = right;
        damage.apply(&wrong);
        if (damage.follows) ComputeVelocity(problem, &wrong);
        const Certificate refused = Judge(method, problem, wrong);
        EXPECT_FALSE(refused.passed);
        EXPECT_THAT(refused.reason, HasSubstr(damage.reason));
        if (damage.follows) {
          EXPECT_LE(refused.momentum_residual, 1e-12);
        }
        EXPECT_EQ(refused.finite, std::string(damage.reason) != "not finite");
      }
    }
  }
}

TEST(Certificate, ReasonsNameFoundAndAllowed) {
  RandomNumbers random(22);
  const Method method = MethodOf("coulomb");
  ContactProblem problem = LoadedProblem(method, &random);
  const ContactSolution solution = SolveProblem(method, problem);
  problem.contacts.gap[1] = -0.05;
  problem.bilateral.drift[0] = 0.25;
  const Certificate c = Judge(method, problem, solution);
  EXPECT_FALSE(c.passed);
  EXPECT_EQ(
      c.reason,
      "penetration, in half-extents of the thinner shape, 0.05 is above 0.02; constraint drift 0.25 is above 0.001");
  EXPECT_EQ(c.penetration, 0.05);
  EXPECT_EQ(c.relative_penetration, 0.05);
  // a tenth of that for a shape ten times as large
  problem.contacts.shape_size[1] = 10;
  EXPECT_NEAR(Judge(method, problem, solution).relative_penetration, 0.005, 1e-15);
  EXPECT_EQ(c.drift, 0.25);
  problem.mass_is_singular = true;
  EXPECT_THAT(Judge(method, problem, solution).reason, HasSubstr("mass matrix is singular"));
  // a law that cannot tell its residual does not pass
  EXPECT_FALSE(Certify(problem, solution, MotionOf(problem, solution), std::nan(""), {}).passed);
}

TEST(Certificate, CoulombFiguresOfOtherLaws) {
  // a box that slides along its diagonal: 41 % outside of the cone
  const ContactProblem problem = testing::PointOnGround(2, 0.5, 1e-3, {0, 1, 1}, {-9.81, 0, 0});
  const ContactSolution solution = SolveProblem(MethodOf("box"), problem);
  const Certificate c = Judge(MethodOf("box"), problem, solution);
  EXPECT_TRUE(c.passed);
  EXPECT_NEAR(c.cone_violation, 0.5 * (std::numbers::sqrt2 - 1), 1e-9);
  EXPECT_GT(c.coulomb_residual, 1e-4);
  const ContactSolution exact = SolveProblem(MethodOf("coulomb"), problem);
  EXPECT_LE(Judge(MethodOf("coulomb"), problem, exact).coulomb_residual, 1e-12);
  EXPECT_LE(Judge(MethodOf("coulomb"), problem, exact).cone_violation, 1e-12);
}

double CoulombResidual(const Vec3& p, const Vec3& u, double mu, double mass) {
  return slipstick::internal::CoulombResidual({p[0], p.tail<2>(), 0, Vec2::Zero()},
                                              {u[0], u.tail<2>(), 0, Vec2::Zero()}, {mu, 0, 0}, mass);
}

// The judge's own projection of six rows against the solvers' one, through the residual: with u = 0 it is the distance
// of p from the cone.
TEST(Certificate, JudgesMomentsByAProjectionOfItsOwn) {
  RandomNumbers random(24);
  for (int k = 0; k < 2000; ++k) {
    const auto limit = [&] { return random.Chance(0.2) ? 0.0 : random.Between(0.01, 2); };
    const FrictionLimits limits{limit(), limit(), limit()};
    const Vec3 force = random.Vector(1.0), moment = random.Vector(1.0);
    const double mass = random.Between(0.1, 5);
    double z[6] = {force[0], force[1], force[2], moment[0], moment[1], moment[2]}, nearest[6];
    ProjectOnFrictionCone(FrictionCone::SpinningAndRolling(limits.sliding, limits.spinning, limits.rolling), z,
                          nearest);
    double squared = 0;
    for (int i = 0; i < 6; ++i) squared += (z[i] - nearest[i]) * (z[i] - nearest[i]);
    const ContactWrench p{force[0], force.tail<2>(), moment[0], moment.tail<2>()};
    EXPECT_NEAR(slipstick::internal::CoulombResidual(p, {}, limits, mass), std::sqrt(squared) / mass, 1e-13);
    // rolling and spinning as Coulomb has it: at the limits, against the motion, and no lift
    const Vec2 d = random.Vector(1.0).head<2>().normalized(), e = random.Vector(1.0).head<2>().normalized();
    const double n = random.Between(0.1, 2);
    const ContactWrench rolls{n, -limits.sliding * n * d, -limits.spinning * n, -limits.rolling * n * e};
    const ContactWrench motion{0, 0.7 * d, 0.3, 0.2 * e};
    EXPECT_LE(slipstick::internal::CoulombResidual(rolls, motion, limits, mass), 1e-12);
    if (limits.rolling > 0) {
      EXPECT_GT(slipstick::internal::CoulombResidual(rolls, {0, 0.7 * d, 0.3, -0.2 * e}, limits, mass),
                1e-3 * limits.rolling);
    }
  }
}

// The natural map vanishes at the four kinds of answers, and nowhere near them.
TEST(Certificate, CoulombResidualByCases) {
  RandomNumbers random(23);
  for (int k = 0; k < 200; ++k) {
    const double mu = random.Between(0.05, 1.5), mass = random.Between(0.1, 10), n = random.Between(0.1, 5);
    const double angle = random.Between(0, 6.28);
    const Vec2 d(std::cos(angle), std::sin(angle));
    const auto at = [&](double normal, double tangential) {
      return Vec3(normal, tangential * d[0], tangential * d[1]);
    };
    EXPECT_LE(CoulombResidual(Vec3::Zero(), {n, 0.3, -2}, mu, mass), 1e-13);                     // leaves
    EXPECT_LE(CoulombResidual(at(n, 0.9 * mu * n), Vec3::Zero(), mu, mass), 1e-13);              // sticks
    EXPECT_LE(CoulombResidual(at(n, mu * n), at(0, -2), mu, mass), 1e-12);                       // slides
    EXPECT_GT(CoulombResidual(at(n, mu * n), at(0, 2), mu, mass), 1e-3);                         // friction drives
    EXPECT_GT(CoulombResidual(at(n, 0.9 * mu * n), at(0, -2), mu, mass), 0.05 * mu * n / mass);  // too weak
    EXPECT_GT(CoulombResidual(at(n, 1.1 * mu * n), at(0, -2), mu, mass), 0.05 * mu * n / mass);  // too strong
    EXPECT_GT(CoulombResidual(Vec3::Zero(), {-0.1, 0, 0}, mu, mass), 1e-3);                      // passes through
    EXPECT_GT(CoulombResidual(at(n, 0), {0.1, 0, 0}, mu, mass), 1e-3);                           // pushes what leaves
    EXPECT_GT(CoulombResidual(at(-n, 0), Vec3::Zero(), mu, mass), 1e-3);                         // pulls
  }
}

// Two balls of different mass that slide on the ground, through the whole of Simulation.
constexpr const char* kBalls = R"(
format: slipstick-scene 1
world: {shapes: [{type: plane}]}
materials: [{name: default, friction: 0.3}]
bodies:
  - {name: light, mass: 1, position: [0, 0, 0.1], velocity: [2, 1, 0], shapes: [{type: sphere, radius: 0.1}]}
  - {name: heavy, mass: 3, position: [1, 0, 0.1], velocity: [1, -2, 0], shapes: [{type: sphere, radius: 0.1}]}
stepper: {step: 0.001}
)";

using Spoil = std::function<void(VecX*, SolveReport*)>;

Simulation BallsWith(const Method& method) {
  auto parts = std::make_unique<SimulationParts>();
  parts->model = std::make_shared<Model>(CompileModel(ReadSceneText(kBalls, "balls.yaml")));
  parts->method = method;
  parts->stepper = std::make_unique<TimeStepper>(parts->model, method, TimeSteppingSettings{}, parts->tolerances);
  return Simulation(std::move(parts));
}

Simulation BallsWith(const std::string& law, const Spoil& spoil) {
  Method method = MethodOf(law);
  const ProgramSolver right = method.solver;
  method.solver.mlcp = [=](const BoundedMlcp& program, const VecX* warm) {
    MlcpAnswer answer = right.mlcp(program, warm);
    spoil(&answer.z, &answer.report);
    return answer;
  };
  method.solver.cone = [=](const ConeProgram& program, const VecX* warm) {
    ConeAnswer answer = right.cone(program, warm);
    spoil(&answer.r, &answer.report);
    return answer;
  };
  return BallsWith(method);
}

TEST(CertificateOfSimulation, HonestSolverPasses) {
  for (const char* law : {"coulomb", "regularized", "box", "liang", "bristle"}) {
    Simulation simulation = BallsWith(law, [](VecX*, SolveReport*) {});
    for (int k = 0; k < 20; ++k) EXPECT_TRUE(simulation.Step().certificate.passed) << law;
  }
}

TEST(CertificateOfSimulation, WrongSolversAreFoundOut) {
  const struct {
    const char* name;
    Spoil spoil;
    const char* reason;
  } cases[] = {
      {"scales", [](VecX* z, SolveReport*) { *z *= 1.01; }, "law residual"},
      {"pulls", [](VecX* z, SolveReport*) { (*z)[0] = -(*z)[0]; }, "law residual"},
      {"swaps contacts",
       [](VecX* z, SolveReport*) {
         const VecX old = *z;
         *z << old.tail(3), old.head(3);
       },
       "law residual"},
      {"turns friction",
       [](VecX* z, SolveReport*) { z->segment<2>(1) = (Eigen::Rotation2Dd(0.1) * z->segment<2>(1)).eval(); },
       "law residual"},
      {"returns zeros", [](VecX* z, SolveReport*) { z->setZero(); }, "law residual"},
      {"lies about its status",
       [](VecX* z, SolveReport* r) {
         z->setZero();
         *r = {SolveStatus::kSolved, 1, 0.0, "liar"};
       },
       "law residual"},
      {"returns NaN", [](VecX* z, SolveReport*) { (*z)[2] = std::nan(""); }, "not finite"},
      {"returns infinity", [](VecX* z, SolveReport*) { (*z)[0] = std::numeric_limits<double>::infinity(); },
       "not finite"},
  };
  for (const char* law : {"coulomb", "regularized", "box", "liang", "bristle"}) {
    for (const auto& c : cases) {
      SCOPED_TRACE(std::string(law) + ", a solver that " + c.name);
      Simulation simulation = BallsWith(law, c.spoil);
      const VecX before = simulation.state().v;
      const Certificate& certificate = simulation.Step().certificate;
      EXPECT_FALSE(certificate.passed);
      EXPECT_THAT(certificate.reason, HasSubstr(c.reason));
      EXPECT_TRUE(simulation.state().q.allFinite() && simulation.state().v.allFinite());
      if (std::string(c.reason) == "not finite") {
        // the state stays where it was, and a run would end here
        EXPECT_EQ((simulation.state().v - before).norm(), 0.0);
        EXPECT_EQ(simulation.state().time, 0.0);
      }
    }
  }
}

// The solver's own word counts in neither direction.
TEST(CertificateOfSimulation, ModestSolverPasses) {
  Simulation simulation = BallsWith("coulomb", [](VecX*, SolveReport* r) { r->status = SolveStatus::kStalled; });
  const StepRecord& record = simulation.Step();
  EXPECT_TRUE(record.certificate.passed) << record.certificate.reason;
  EXPECT_EQ(record.report.status, SolveStatus::kStalled);
}

// A law whose velocity does not follow from its impulses.
class AlteredVelocity : public Law {
 public:
  explicit AlteredVelocity(std::shared_ptr<const Law> right) : right_(std::move(right)) {}
  LawAnswer Solve(const ContactProblem& problem, ProgramSolver& solver) const override {
    LawAnswer answer = right_->Solve(problem, solver);
    answer.solution.velocity *= 1 - 1e-6;  // a little damping that nobody asked for
    return answer;
  }
  double Residual(const ContactProblem&, const ContactSolution&, const ContactMotion&) const override { return 0; }

 private:
  std::shared_ptr<const Law> right_;
};

TEST(CertificateOfSimulation, HiddenDampingBreaksMomentum) {
  Method method = MethodOf("coulomb");
  method.law = std::make_shared<AlteredVelocity>(method.law);
  Simulation simulation = BallsWith(method);
  EXPECT_THAT(simulation.Step().certificate.reason, HasSubstr("momentum residual"));
}

}  // namespace
}  // namespace slipstick::internal
