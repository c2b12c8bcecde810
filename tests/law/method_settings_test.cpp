#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/stepping/method_catalog.h"

// What a user is told who names a law, a solver or a setting wrongly: every fault at once, each with key, expected and
// found.

namespace slipstick::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> FaultsOf(const std::string& law, const GivenSettings& law_settings, const std::string& solver,
                                  const GivenSettings& solver_settings) {
  std::vector<Fault> faults;
  const Method method = MakeMethod(law, law_settings, solver, solver_settings, &faults);
  EXPECT_EQ(method.law == nullptr, !faults.empty());
  std::vector<std::string> messages;
  for (const Fault& fault : faults) {
    EXPECT_FALSE(fault.key.empty());
    EXPECT_FALSE(fault.expected.empty());
    EXPECT_FALSE(fault.found.empty());
    messages.push_back(fault.Message());
  }
  return messages;
}

TEST(MethodSettings, EveryPairOfTheCatalogIsMadeOrRefused) {
  for (const LawEntry& law : LawCatalog()) {
    for (const SolverEntry& solver : SolverCatalog()) {
      SCOPED_TRACE(law.name + " with " + solver.name);
      bool fits = false;
      for (ProgramKind kind : solver.programs) fits = fits || kind == law.program;
      std::vector<Fault> faults;
      const Method method = MakeMethod(law.name, {}, solver.name, {}, &faults);
      EXPECT_EQ(faults.empty(), fits);
      if (fits) {
        EXPECT_EQ(method.law_name, law.name);
        EXPECT_EQ(method.solver_name, solver.name);
        EXPECT_TRUE(law.program == ProgramKind::kMlcp   ? method.solver.mlcp != nullptr
                    : law.program == ProgramKind::kCone ? method.solver.cone != nullptr
                                                        : method.solver.box && method.solver.dissipation);
        continue;
      }
      ASSERT_EQ(faults.size(), 1u);
      EXPECT_EQ(faults[0].key, "solver.name");
      EXPECT_THAT(faults[0].expected, AllOf(HasSubstr(law.name), HasSubstr("auto")));
      EXPECT_EQ(faults[0].found, "'" + solver.name + "'");
    }
  }
}

TEST(MethodSettings, DefaultsGivenExplicitlyAreAccepted) {
  for (const LawEntry& law : LawCatalog()) {
    GivenSettings given;
    for (const SettingSpec& spec : law.settings) given[spec.name] = spec.default_value;
    EXPECT_TRUE(FaultsOf(law.name, given, "auto", {}).empty()) << law.name;
  }
  for (const SolverEntry& solver : SolverCatalog()) {
    GivenSettings given;
    for (const SettingSpec& spec : solver.settings) given[spec.name] = spec.default_value;
    const bool cone = solver.programs.front() == ProgramKind::kCone;
    EXPECT_TRUE(FaultsOf(cone ? "coulomb" : "box", {}, solver.name, given).empty()) << solver.name;
  }
}

// For every number of every law and solver: what lies outside of its range is refused, and a text or a flag too.
TEST(MethodSettings, EveryRangeIsEnforced) {
  const auto check = [](const SettingSpec& spec, const SettingSpec::Value& value, bool of_law, const std::string& name,
                        bool cone) {
    SCOPED_TRACE(name + "." + spec.name);
    const GivenSettings given = {{spec.name, value}};
    const auto messages =
        of_law ? FaultsOf(name, given, "auto", {}) : FaultsOf(cone ? "coulomb" : "box", {}, name, given);
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_THAT(messages[0],
                AllOf(HasSubstr((of_law ? "law." : "solver.") + spec.name), HasSubstr("expected"), HasSubstr("found")));
  };
  const auto check_all = [&](const std::vector<SettingSpec>& specs, bool of_law, const std::string& name, bool cone) {
    for (const SettingSpec& spec : specs) {
      if (!std::holds_alternative<double>(spec.default_value)) {
        check(spec, 3.0, of_law, name, cone);
        if (!spec.choices.empty()) check(spec, std::string("nonsense"), of_law, name, cone);
        continue;
      }
      check(spec, std::string("much"), of_law, name, cone);
      check(spec, true, of_law, name, cone);
      check(spec, std::nan(""), of_law, name, cone);
      if (std::isfinite(spec.least)) check(spec, spec.least_excluded ? spec.least : spec.least - 1, of_law, name, cone);
      if (std::isfinite(spec.most)) check(spec, spec.most + 1, of_law, name, cone);
      if (spec.integer) check(spec, std::get<double>(spec.default_value) + 0.5, of_law, name, cone);
    }
  };
  for (const LawEntry& law : LawCatalog()) check_all(law.settings, true, law.name, false);
  for (const SolverEntry& solver : SolverCatalog()) {
    check_all(solver.settings, false, solver.name, solver.programs.front() == ProgramKind::kCone);
  }
}

TEST(MethodSettings, AllFaultsAtOnce) {
  const auto messages = FaultsOf("polygonal", {{"sides", 2.0}, {"sids", 8.0}, {"form", std::string("none")}},
                                 "gauss-seidel-newton", {{"speed", 1.0}});
  ASSERT_EQ(messages.size(), 5u);
  EXPECT_THAT(messages,
              ::testing::UnorderedElementsAre(
                  AllOf(StartsWith("law.sides:"), HasSubstr("3"), HasSubstr("64"), HasSubstr("found 2")),
                  AllOf(StartsWith("law.sids:"), HasSubstr("sides, orientation"), HasSubstr("'sids'")),
                  AllOf(StartsWith("law.form:"), HasSubstr("stewart-trinkle"), HasSubstr("'none'")),
                  AllOf(StartsWith("solver.speed:"), HasSubstr("'speed'")),
                  AllOf(StartsWith("solver.name:"), HasSubstr("block-pivoting"), HasSubstr("'gauss-seidel-newton'"))));
}

TEST(MethodSettings, UnknownNames) {
  const auto messages = FaultsOf("colomb", {{"anything", 1.0}}, "fast", {});
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_THAT(messages[0],
              AllOf(StartsWith("law.name:"), HasSubstr("coulomb"), HasSubstr("polygonal"), HasSubstr("'colomb'")));
  EXPECT_THAT(messages[1], AllOf(StartsWith("solver.name:"), HasSubstr("lemke"), HasSubstr("'fast'")));
}

}  // namespace
}  // namespace slipstick::internal
