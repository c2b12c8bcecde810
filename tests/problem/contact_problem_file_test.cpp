#include "slipstick/problem/contact_problem_file.h"

#include <gmock/gmock.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "slipstick/base/fault.h"
#include "slipstick/problem/problem_file.h"
#include "slipstick/run/run_simulation.h"
#include "slipstick/run/save_problems.h"
#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"
#include "slipstick/storage/hdf5_file.h"
#include "tests/law/random_problems.h"
#include "tests/problem/problem_samples.h"

namespace slipstick::internal {
namespace {

using ::testing::HasSubstr;
using testing::SameBits;
using testing::Scratch;

bool SameVectors(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  return a.size() == b.size() &&
         (a.empty() || SameBits(a.data()->data(), b.data()->data(), 3 * static_cast<Eigen::Index>(a.size())));
}

bool SameBits(const BlockRows& a, const BlockRows& b) {
  bool same = a.groups() == b.groups() && a.rows() == b.rows();
  for (int g = 0; same && g < a.groups(); ++g) {
    same = a.rows(g) == b.rows(g) && a.block_a(g) == b.block_a(g) && a.block_b(g) == b.block_b(g) &&
           a.first_row(g) == b.first_row(g) &&
           SameBits(a.piece_a(g).data(), b.piece_a(g).data(), a.piece_a(g).size()) &&
           SameBits(a.piece_b(g).data(), b.piece_b(g).data(), a.piece_b(g).size());
  }
  return same;
}

void ExpectSame(const ContactProblem& a, const ContactProblem& b) {
  EXPECT_TRUE(SameBits(&a.time, &b.time, 1) && SameBits(&a.step, &b.step, 1));
  EXPECT_TRUE(SameBits(&a.velocity_scale, &b.velocity_scale, 1));
  EXPECT_EQ(a.mass_is_singular, b.mass_is_singular);
  EXPECT_EQ(a.mass.layout().size, b.mass.layout().size);
  for (int i = 0; i < a.mass.layout().count(); ++i) {
    const MatX one = a.mass.Dense(i), other = b.mass.Dense(i);
    EXPECT_TRUE(SameBits(one.data(), other.data(), one.size()));
  }
  if (!a.mass_is_singular) {
    // the factors too
    VecX x = VecX::LinSpaced(a.mass.layout().total, -1, 2), y = x;
    a.mass.SolveInPlace(x);
    b.mass.SolveInPlace(y);
    EXPECT_TRUE(SameBits(x, y));
  }
  EXPECT_TRUE(SameBits(a.velocity, b.velocity) && SameBits(a.free_velocity, b.free_velocity));
  EXPECT_TRUE(SameBits(a.bilateral.jacobian, b.bilateral.jacobian));
  EXPECT_TRUE(SameBits(a.bilateral.target, b.bilateral.target) && SameBits(a.bilateral.rate, b.bilateral.rate));
  EXPECT_TRUE(SameBits(a.bilateral.drift, b.bilateral.drift));
  EXPECT_TRUE(SameBits(a.bounded.jacobian, b.bounded.jacobian) && SameBits(a.bounded.target, b.bounded.target));
  EXPECT_TRUE(SameBits(a.bounded.lower, b.bounded.lower) && SameBits(a.bounded.upper, b.bounded.upper));
  const ContactSet &c = a.contacts, &d = b.contacts;
  EXPECT_TRUE(SameBits(c.jacobian, d.jacobian));
  EXPECT_EQ(c.key, d.key);
  EXPECT_TRUE(SameVectors(c.position, d.position));
  EXPECT_TRUE(SameBits(c.gap, d.gap) && SameBits(c.normal_target, d.normal_target));
  EXPECT_TRUE(SameBits(c.restitution_target, d.restitution_target) && SameBits(c.shape_size, d.shape_size));
  EXPECT_TRUE(SameBits(c.effective_mass, d.effective_mass));
  EXPECT_TRUE(SameBits(c.angular, d.angular) && SameBits(c.angular_length, d.angular_length));
  EXPECT_EQ(c.angular_group, d.angular_group);
  ASSERT_EQ(c.history.size(), d.history.size());
  EXPECT_EQ(c.slots, d.slots);
  EXPECT_TRUE(SameBits(c.memory, d.memory));
  for (int i = 0; i < c.size(); ++i) {
    const BlockRows::Frame one = c.jacobian.frame(i), other = d.jacobian.frame(i);
    EXPECT_TRUE(SameBits(one.normal.data(), other.normal.data(), 3));
    EXPECT_TRUE(SameBits(one.tangent.data(), other.tangent.data(), 3));
    const ContactSurface &on_one = c.surface(i), &on_other = d.surface(i);
    EXPECT_TRUE(SameBits(&on_one.friction_static, &on_other.friction_static, sizeof(ContactSurface) / sizeof(double)));
    const ContactHistory &e = c.history[i], &f = d.history[i];
    EXPECT_EQ(e.known, f.known);
    EXPECT_TRUE(SameBits(&e.normal_force, &f.normal_force, 1));
    EXPECT_TRUE(SameBits(e.tangential_force.data(), f.tangential_force.data(), 3));
    EXPECT_TRUE(SameBits(e.moment.data(), f.moment.data(), 3));
  }
}

ContactProblem Random(unsigned seed) {
  // every mixture of kinds of rows, also none
  testing::RandomProblemOptions options;
  options.bodies = 1 + static_cast<int>(seed % 3);
  options.contacts = static_cast<int>(seed % 5);
  options.bilateral = static_cast<int>(seed % 3);
  options.bounded = static_cast<int>(seed / 2 % 3) - 1 > 0 ? 2 : 0;
  options.moment_share = seed % 2 == 0 ? 0.0 : 0.6;
  testing::RandomNumbers random(seed);
  return testing::RandomProblem(options, &random);
}

// Format 2 has keys of 64 bits and the springs' part of friction in place of what laws keep.
TEST(ContactProblemFile, ReadsFormat2) {
  const Scratch scratch;
  const std::filesystem::path file = scratch / "problem.h5";
  SavedContactProblem saved{Random(4), {"a scene", "liang", "auto", 1, 1e-9}};
  ContactSet& contacts = saved.problem.contacts;
  ASSERT_EQ(contacts.size(), 4);
  contacts.key = {{1, 2, 3, 4}, {1, 2, 3, 5}, {7, 1u << 19, 4095, 0}, {(1u << 20) - 1, (1u << 20) - 1, 4095, 4095}};
  contacts.slots = {{"spring_force", "N", "the part of the friction on A that the bristles' deflection gives",
                     MemorySlot::Kind::kVector}};
  contacts.memory = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  SaveContactProblem(file, saved);
  const std::string command = std::string(SLIPSTICK_TEST_PYTHON) +
                              " " SLIPSTICK_SOURCE_DIR "/tests/problem/make_old_problem.py " + file.string();
  ASSERT_EQ(std::system(command.c_str()), 0);
  ExpectSame(saved.problem, LoadContactProblem(file).problem);
}

TEST(ContactProblemFile, GivesRandomProblemsBackToTheBit) {
  const Scratch scratch;
  for (unsigned seed = 0; seed < 40; ++seed) {
    SavedContactProblem saved{Random(seed), {"a scene", "coulomb", "newton", static_cast<long>(seed), 1e-9}};
    ContactSet& contacts = saved.problem.contacts;
    // numbers that a text would lose
    if (contacts.size() > 0) {
      contacts.key[0] = {(1u << 31) - 1 - seed, (1u << 31) - 1, ~seed, ~0u};
      contacts.restitution_target[0] = -std::numeric_limits<double>::infinity();
      contacts.gap[0] = seed % 2 == 0 ? -0.0 : 5e-324;
      contacts.history[0] = {true, 1.0 / 3, Vec3(1, 2, 3) / 7, Vec3(0.1, -0.0, 1) / 3};
      if (seed % 2 == 0) {
        contacts.slots = {{.name = "dwell", .unit = "s", .meaning = "since it sticks"},
                          {.name = "spring", .unit = "", .meaning = "", .kind = MemorySlot::Kind::kVector}};
        contacts.memory.assign(4 * contacts.key.size(), 1e-300);
        contacts.memory.back() = -0.0;
      }
      ContactSurface& surface = contacts.OwnSurface(0);
      surface.normal_compliance = 1.0 / 7;
      surface.tangential_compliance = 1.0 / 9;
      surface.hertz_stiffness = 1.0 / 11;
      surface.mindlin_ratio = 1.0 / 13;
    }
    saved.problem.mass_is_singular = seed % 5 == 0;
    SaveContactProblem(scratch / "problem.h5", saved);
    const SavedContactProblem loaded = LoadContactProblem(scratch / "problem.h5");
    ExpectSame(saved.problem, loaded.problem);
    EXPECT_EQ(loaded.origin.scene, saved.origin.scene);
    EXPECT_EQ(loaded.origin.law, saved.origin.law);
    EXPECT_EQ(loaded.origin.solver, saved.origin.solver);
    EXPECT_EQ(loaded.origin.step_number, saved.origin.step_number);
    EXPECT_EQ(loaded.origin.law_residual, saved.origin.law_residual);
    ExpectSame(std::get<ContactProblem>(LoadProblem(scratch / "problem.h5")), saved.problem);
  }
}

TEST(ContactProblemFile, GivesTheProblemsOfScenesBackToTheBit) {
  const Scratch scratch;
  int bilateral = 0, bounded = 0, contacts = 0;
  for (const char* name : {"table", "joint-friction", "four-bar", "bounce", "twelve-contacts", "wheel", "pendulum"}) {
    SCOPED_TRACE(name);
    const Scene scene = ReadScene(FindScene(name), {});
    Simulation simulation = Simulation(scene);
    for (int k = 0; k < 60; ++k) {
      const StepRecord& record = simulation.Step();
      if (k % 20 != 19) continue;
      SaveContactProblem(scratch / "problem.h5", {record.problem, {}});
      ExpectSame(record.problem, LoadContactProblem(scratch / "problem.h5").problem);
      bilateral += record.problem.bilateral.jacobian.rows();
      bounded += record.problem.bounded.jacobian.rows();
      contacts += record.problem.contacts.size();
    }
  }
  EXPECT_GT(bilateral, 0);
  EXPECT_GT(bounded, 0);
  EXPECT_GT(contacts, 0);
}

TEST(ContactProblemFile, SolvedAgainGivesTheSameBits) {
  const Scratch scratch;
  Simulation simulation = Simulation(ReadScene(FindScene("table"), {}));
  for (int k = 0; k < 20; ++k) simulation.Step();
  const StepRecord& record = simulation.last_step();
  SaveContactProblem(scratch / "problem.h5", {record.problem, {}});
  const ContactProblem loaded = LoadContactProblem(scratch / "problem.h5").problem;
  const auto answer = [&](const ContactProblem& problem) {
    ContactSolution solution = record.solution;
    ComputeVelocity(problem, &solution);
    return solution.velocity;
  };
  EXPECT_TRUE(SameBits(answer(record.problem), answer(loaded)));
}

// Bilateral rows, then those of each contact: three, or six where any contact has angular ones.
MatX RowsInOrder(const ContactProblem& problem) {
  const int n = static_cast<int>(problem.velocity.size()), bilateral = problem.bilateral.jacobian.rows();
  const ContactSet& contacts = problem.contacts;
  const int dimension = contacts.angular.groups() > 0 ? 6 : 3;
  MatX rows = MatX::Zero(bilateral + dimension * contacts.size(), n);
  const MatX plain = testing::DenseJacobian(problem);
  rows.topRows(bilateral) = plain.topRows(bilateral);
  for (int column = 0; column < n; ++column) {
    VecX turning(contacts.angular.rows());
    contacts.angular.Multiply(VecX::Unit(n, column), turning);
    for (int i = 0; i < contacts.size(); ++i) {
      const int group = contacts.angular_group[i], row = bilateral + dimension * i;
      if (group >= 0) rows.block<3, 1>(row + 3, column) = turning.segment<3>(3 * group);
    }
  }
  for (int i = 0; i < contacts.size(); ++i) {
    rows.middleRows<3>(bilateral + dimension * i) = plain.middleRows<3>(plain.rows() - 3 * contacts.size() + 3 * i);
  }
  return rows;
}

TEST(ToGlobalProblem, HasTheSameDelassusOperator) {
  int told = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const ContactProblem problem = Random(seed);
    const std::optional<GlobalProblem> global = ToGlobalProblem(problem);
    EXPECT_EQ(global.has_value(), problem.bounded.target.size() == 0);
    if (!global) continue;
    ++told;
    EXPECT_TRUE(Check(*global).empty());
    const LocalProblem local = Condense(*global);
    const MatX jacobian = RowsInOrder(problem);
    MatX delassus = jacobian * testing::DenseMass(problem).llt().solve(jacobian.transpose());
    const VecX free = jacobian * problem.free_velocity;
    const auto b = problem.bilateral.target.size(), c = jacobian.rows() - b;
    const int dimension = problem.contacts.angular.groups() > 0 ? 6 : 3;
    for (int i = 0; i < problem.contacts.size(); ++i) {
      delassus(b + dimension * i, b + dimension * i) += problem.contacts.surface(i).normal_compliance;
    }
    EXPECT_LT((MatX(local.W) - delassus.bottomRightCorner(c, c)).norm(), 1e-10 * (1 + delassus.norm()));
    VecX q = free.tail(c);
    for (int i = 0; i < problem.contacts.size(); ++i) q[dimension * i] -= problem.contacts.normal_target[i];
    EXPECT_LT((local.q - q).norm(), 1e-10 * (1 + q.norm()));
    if (b > 0) {
      EXPECT_LT((MatX(local.R) - delassus.topLeftCorner(b, b)).norm(), 1e-10 * (1 + delassus.norm()));
      EXPECT_LT((MatX(local.V) - delassus.bottomLeftCorner(c, b)).norm(), 1e-10 * (1 + delassus.norm()));
      EXPECT_LT((local.s - (free.head(b) - problem.bilateral.target)).norm(), 1e-10 * (1 + free.norm()));
    }
  }
  EXPECT_GT(told, 0);
}

TEST(SaveFclib, RefusesWhatItHasNoPlaceFor) {
  const Scratch scratch;
  int refused = 0, written = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ContactProblem problem = Random(seed);
    if (problem.bounded.target.size() > 0) {
      EXPECT_THROW(SaveFclib(scratch / "file", problem, {}), InputError);
      ++refused;
    } else {
      SaveFclib(scratch / "file", problem, {});
      EXPECT_EQ(std::get<GlobalProblem>(LoadProblem(scratch / "file")).contacts.contacts(), problem.contacts.size());
      ++written;
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_GT(written, 0);
  EXPECT_THROW(SaveFclib(scratch / "mixed", MixedProblem(), {}), InputError);
}

// --- damage
// -----------------------------------------------------------------------------------------------------------

class DamagedContactProblem : public ::testing::Test {
 protected:
  DamagedContactProblem() { SaveContactProblem(file_, {Sample(), {}}); }

  // the first random problem with contacts
  static ContactProblem Sample() {
    for (unsigned seed = 1;; ++seed) {
      ContactProblem problem = Random(seed);
      if (problem.contacts.size() > 1) return problem;
    }
  }

  template <typename T>
  void Refuses(const std::string& path, const std::vector<T>& values) const {
    const std::filesystem::path changed = scratch_ / "changed.h5";
    std::filesystem::copy_file(file_, changed, std::filesystem::copy_options::overwrite_existing);
    {
      const Hdf5Handle file = Own(H5Fopen(changed.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
      const std::string whole = kContactProblemGroup + path;
      Require(H5Ldelete(file.get(), whole.c_str(), H5P_DEFAULT));
      const hsize_t extent = values.size();
      const Hdf5Handle space = Own(H5Screate_simple(1, &extent, nullptr));
      const Hdf5Handle dataset =
          Own(H5Dcreate2(file.get(), whole.c_str(), Hdf5Type<T>(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
      if (extent > 0) Require(H5Dwrite(dataset.get(), Hdf5Type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    }
    EXPECT_THROW(LoadContactProblem(changed), InputError) << path;
  }

  Scratch scratch_;
  std::filesystem::path file_ = scratch_ / "whole.h5";
};

TEST_F(DamagedContactProblem, IsRefused) {
  const ContactProblem problem = Sample();
  const auto contacts = static_cast<std::size_t>(problem.contacts.size());
  using Ints = std::vector<std::int32_t>;
  Refuses("/mass/sizes", Ints{-1});
  Refuses("/mass/sizes", Ints{1 << 19, 1 << 19});
  Refuses("/mass/values", std::vector<double>{1});
  Refuses("/velocity", std::vector<double>{});
  Refuses("/velocity", std::vector<double>(static_cast<std::size_t>(problem.velocity.size()), NAN));
  Refuses("/contacts/jacobian/rows", Ints(contacts, 2));
  Refuses("/contacts/jacobian/rows", Ints(contacts, 1 << 30));
  Refuses("/contacts/jacobian/block_a", Ints(contacts, 1000));
  Refuses("/contacts/jacobian/block_a", Ints(contacts, -2));
  Refuses("/contacts/jacobian/block_b", Ints(contacts + 1, -1));
  Refuses("/contacts/shape_a", std::vector<std::uint32_t>{});
  Refuses("/contacts/shape_a", std::vector<double>(contacts, 1));
  Refuses("/contacts/part_b", std::vector<std::uint32_t>(contacts, 1u << 20));
  Refuses("/contacts/feature_a", std::vector<std::uint32_t>(contacts, 1u << 12));
  Refuses("/contacts/gap", std::vector<double>(contacts, INFINITY));
  Refuses("/contacts/restitution_target", std::vector<double>(contacts, NAN));
  Refuses("/contacts/history/known", Ints(contacts, 2));
  Refuses("/contacts/normal", std::vector<double>(contacts, 1));
  Refuses("/contacts/normal", std::vector<double>(3 * contacts, 1));
  const std::string bytes = testing::ReadBytes(file_);
  for (std::size_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 41) {
    testing::WriteBytes(scratch_ / "cut", bytes.substr(0, length));
    EXPECT_THROW(LoadProblem(scratch_ / "cut"), InputError) << length;
  }
}

TEST_F(DamagedContactProblem, IsNotWritten) {
  SavedContactProblem saved{Sample(), {}};
  saved.problem.free_velocity[0] = NAN;
  EXPECT_THROW(SaveContactProblem(scratch_ / "bad.h5", saved), InputError);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch_.folder()), {}), 1);
}

// --- of a run
// ---------------------------------------------------------------------------------------------------------

TEST(SaveProblems, ParsesItsOption) {
  const SaveProblemsSettings both = SaveProblemsSettings::Parse("every=100,worst=10");
  EXPECT_EQ(both.every, 100);
  EXPECT_EQ(both.worst, 10);
  EXPECT_EQ(SaveProblemsSettings::Parse("worst=3").every, 0);
  for (const char* text : {"", "every", "every=", "every=0", "every=-3", "worst=1.5", "worst=5000", "all=3", "every=1,",
                           "every=1,every=2", "every=100 worst=10", "every=99999999999999999999"}) {
    try {
      SaveProblemsSettings::Parse(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("--save-problems")) << text;
      EXPECT_THAT(error.what(), HasSubstr("expected")) << text;
    }
  }
}

TEST(SaveProblems, KeepsEveryNthAndTheWorst) {
  const Scratch scratch;
  const Scene scene = ReadScene(FindScene("table"), {});
  Simulation simulation = Simulation(scene);
  std::filesystem::create_directories(scratch / "problems");
  testing::WriteBytes(scratch / "problems/every-00000099.h5", "of an earlier run");
  testing::WriteBytes(scratch / "problems/notes.txt", "of the user");
  ProblemKeeper keeper(scratch.folder(), scene, {.every = 20, .worst = 5});
  RunOptions options;
  options.duration = 50 * simulation.step();
  std::vector<std::pair<ProblemCondition, long>> conditions;
  std::vector<ContactProblem> problems;
  std::vector<double> residuals;
  options.on_step = [&](const StepRecord& record, long number) {
    keeper.See(record, number);
    problems.push_back(record.problem);
    residuals.push_back(record.certificate.law_residual / record.problem.velocity_scale);
    if (record.problem.contacts.size() > 0) conditions.emplace_back(ConditionOf(record.problem), number);
  };
  RunSimulation(&simulation, options);
  keeper.Close();
  EXPECT_FALSE(std::filesystem::exists(scratch / "problems/every-00000099.h5"));
  EXPECT_TRUE(std::filesystem::exists(scratch / "problems/notes.txt"));
  for (const long number : {20L, 40L}) {
    const auto saved = LoadContactProblem(scratch / ("problems/every-000000" + std::to_string(number) + ".h5"));
    EXPECT_EQ(saved.origin.step_number, number);
    EXPECT_EQ(saved.origin.scene, scene.name);
    ExpectSame(saved.problem, problems[static_cast<std::size_t>(number) - 1]);
  }
  std::stable_sort(conditions.begin(), conditions.end(),
                   [](const auto& a, const auto& b) { return IsWorse(a.first, b.first); });
  ASSERT_GE(conditions.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    const auto& [condition, number] = conditions[i];
    char name[64];
    std::snprintf(name, sizeof name, "problems/worst-%02zu-%08ld.h5", i + 1, number);
    ASSERT_TRUE(std::filesystem::exists(scratch / name)) << name;
    const SavedContactProblem saved = LoadContactProblem(scratch / name);
    ASSERT_TRUE(saved.origin.condition);
    EXPECT_EQ(saved.origin.condition->number, condition.number);
    EXPECT_EQ(saved.origin.condition->rows, condition.rows);
    EXPECT_EQ(saved.origin.condition->rank, condition.rank);
    EXPECT_EQ(saved.origin.law_residual, residuals[static_cast<std::size_t>(number) - 1]);
    ExpectSame(saved.problem, problems[static_cast<std::size_t>(number) - 1]);
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch / "problems"), {}), 2 + 5 + 1);
}

// 1000 kg on 1 kg, the same with 1 kg on 1 kg, and the first with nothing to stand on: in that order, and the last not
// at all.
TEST(SaveProblems, PutsTheHeavyOnTheLightFirst) {
  const Scratch scratch;
  const auto file = FindScene("heavy-on-light");
  const Scene heavy = ReadScene(file, {}), benign = ReadScene(file, {{"bodies.heavy.mass", "1"}});
  const Scene falling =
      ReadScene(file, {{"bodies.light.position", "[0, 0, 10]"}, {"bodies.heavy.position", "[0, 0, 20]"}});
  ProblemKeeper keeper(scratch.folder(), heavy, {.worst = 3});
  long number = 0;
  for (const Scene& scene : {falling, benign, heavy}) {
    Simulation simulation = Simulation(scene);
    keeper.See(simulation.Step(), ++number);
  }
  keeper.Close();
  const SavedContactProblem first = LoadContactProblem(scratch / "problems/worst-01-00000003.h5");
  const SavedContactProblem second = LoadContactProblem(scratch / "problems/worst-02-00000002.h5");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch / "problems"), {}), 2);
  ASSERT_TRUE(first.origin.condition && second.origin.condition);
  // four normals a body are one too many each
  EXPECT_EQ(first.origin.condition->rank, 12);
  EXPECT_EQ(first.origin.condition->deficit(), 12);
  EXPECT_GT(first.origin.condition->number, 100 * second.origin.condition->number);
}

}  // namespace
}  // namespace slipstick::internal
