#include "slipstick/scene/material_properties.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "slipstick/assembly/contact_compliance.h"
#include "slipstick/model/compile_model.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/scene_file/scene_schema.h"
#include "tests/scene/faults_of.h"

namespace slipstick::internal {
namespace {

class EveryProperty : public testing::TestWithParam<MaterialProperty> {};

INSTANTIATE_TEST_SUITE_P(Materials, EveryProperty, testing::ValuesIn(MaterialProperties()),
                         [](const auto& tested) { return tested.param.name; });

// Two numbers that every property may have.
constexpr double kFirst = 0.25, kSecond = 0.375;

// The property with a value, and with what must stand beside it.
std::string Keys(const MaterialProperty& property, double value) {
  std::string keys = fmt::format("{}: {}", property.name, value);
  if (property.instead != nullptr) keys += fmt::format(", {}: 1", MaterialPropertyOf(property.instead).name);
  return keys;
}

Scene Read(const std::string& text) { return ReadSceneText("format: slipstick-scene 1\n" + text, "test.yaml"); }

// Materials one and two with the values.
std::string TwoMaterials(const MaterialProperty& property, double one, double two) {
  return fmt::format("materials: [{{name: one, {}}}, {{name: two, {}}}]\n", Keys(property, one), Keys(property, two));
}

const PairProperties& PairOf(const Model& model, const std::string& a, const std::string& b) {
  const auto number = [&](const std::string& name) {
    return std::find(model.materials.begin(), model.materials.end(), name) - model.materials.begin();
  };
  return model.pairs[number(a) * model.materials.size() + number(b)];
}

TEST_P(EveryProperty, IsInTheSchemaInTheWordsOfTheTable) {
  const auto definitions = nlohmann::json::parse(SceneSchemaText()).at("definitions");
  for (const char* of : {"material", "material_pair"}) {
    const auto& keys = definitions.at(of).at("properties");
    const bool expected = std::string(of) == "material" || GetParam().is_of_pairs;
    ASSERT_EQ(keys.contains(GetParam().name), expected) << of;
    if (!expected) continue;
    EXPECT_EQ(keys.at(GetParam().name).at("$ref"), "#/definitions/number");
    EXPECT_EQ(keys.at(GetParam().name).at("description"), GetParam().description) << of;
  }
}

TEST(MaterialProperties, AreAllThatTheSchemaHas) {
  const auto definitions = nlohmann::json::parse(SceneSchemaText()).at("definitions");
  for (const char* of : {"material", "material_pair"}) {
    for (const auto& [key, schema] : definitions.at(of).at("properties").items()) {
      if (key == "name" || key == "between") continue;
      const auto& all = MaterialProperties();
      EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&, name = key](const auto& one) { return one.name == name; }))
          << key;
    }
  }
}

TEST_P(EveryProperty, IsReadOfMaterialsAndPairs) {
  const std::string pair = fmt::format("material_pairs: [{{between: [one, two], {}}}]\n", Keys(GetParam(), kFirst));
  const Scene scene = Read(TwoMaterials(GetParam(), kFirst, kSecond) + (GetParam().is_of_pairs ? pair : ""));
  EXPECT_EQ(scene.materials[0].properties.*GetParam().given, kFirst);
  EXPECT_EQ(scene.materials[1].properties.*GetParam().given, kSecond);
  if (GetParam().is_of_pairs) {
    EXPECT_EQ(scene.pairs[0].properties.*GetParam().given, kFirst);
  }
  if (!GetParam().is_of_pairs) {
    EXPECT_NE(FaultsOf(TwoMaterials(GetParam(), kFirst, kSecond) + pair), "");
  }
}

TEST_P(EveryProperty, IsRefusedBeyondItsRange) {
  const auto faults = [&](double value) {
    const std::string text = std::isinf(value) ? ".inf" : fmt::format("{}", value);
    return FaultsOf(fmt::format("materials: [{{name: one, {}: {}}}]\n", GetParam().name, text));
  };
  const auto names_it = testing::HasSubstr("materials.one." + GetParam().name);
  EXPECT_THAT(faults(GetParam().range.least - 1), names_it);
  if (GetParam().range.least_excluded) {
    EXPECT_THAT(faults(GetParam().range.least), names_it);
  }
  if (std::isfinite(GetParam().range.most)) {
    EXPECT_THAT(faults(GetParam().range.most + 1), names_it);
  }
  const double infinity = std::numeric_limits<double>::infinity();
  if (GetParam().may_be_infinite) {
    EXPECT_EQ(faults(infinity), "");
  } else {
    EXPECT_THAT(faults(infinity), names_it);
  }
}

// Where a property is a number of its own: from scene files to what laws read.
TEST_P(EveryProperty, IsCombinedAndReachesContacts) {
  if (GetParam().combined == nullptr) return;  // it makes numbers together with others: the last test
  const double mean = std::sqrt(kFirst * kSecond), series = kFirst * kSecond / (kFirst + kSecond);
  const double expected = GetParam().combination == Combination::kGeometricMean ? mean
                          : GetParam().combination == Combination::kSmaller     ? kFirst
                          : GetParam().combination == Combination::kLarger      ? kSecond
                                                                                : series;
  const std::string materials = TwoMaterials(GetParam(), kFirst, kSecond);
  const Model model = CompileModel(Read(materials));
  EXPECT_NEAR(PairOf(model, "one", "two").*GetParam().combined, expected, 1e-15);
  EXPECT_NEAR(PairOf(model, "two", "one").*GetParam().combined, expected, 1e-15);
  EXPECT_EQ(SurfaceOf(PairOf(model, "one", "two"), 1e-3).*GetParam().combined,
            PairOf(model, "one", "two").*GetParam().combined);
  EXPECT_EQ(PairOf(model, "default", "default").*GetParam().combined,
            GetParam().Combine(GetParam().otherwise, GetParam().otherwise));

  // what a pair is given holds, whatever its materials say
  const Model paired = CompileModel(
      Read(materials + fmt::format("material_pairs: [{{between: [one, two], {}}}]\n", Keys(GetParam(), 0.125))));
  EXPECT_EQ(PairOf(paired, "two", "one").*GetParam().combined, 0.125);
  EXPECT_NEAR(PairOf(paired, "one", "one").*GetParam().combined, GetParam().Combine(kFirst, kFirst), 1e-15);

  // and the default material fills in what another leaves out
  const Model filled =
      CompileModel(Read(fmt::format("materials: [{{name: default, {}}}, {{name: one}}]\n", Keys(GetParam(), kFirst))));
  EXPECT_NEAR(PairOf(filled, "one", "one").*GetParam().combined, GetParam().Combine(kFirst, kFirst), 1e-15);
}

TEST(MaterialProperties, OfTheBulkMakeTheStiffnessOfThePair) {
  const Model rigid = CompileModel(Read(""));
  for (const MaterialProperty& property : MaterialProperties()) {
    if (property.combined != nullptr) continue;
    // Poisson's ratio does nothing without Young's modulus
    const std::string beside = property.name == "poisson_ratio" ? ", young_modulus: 1" : "";
    const auto pair = [&](double value) {
      return PairOf(
          CompileModel(Read(fmt::format("materials: [{{name: one, {}: {}{}}}]\n", property.name, value, beside))),
          "one", "one");
    };
    EXPECT_FALSE(rigid.pairs[0].is_compliant());
    EXPECT_TRUE(pair(kFirst).is_compliant()) << property.name;
    EXPECT_TRUE(pair(kFirst).normal_stiffness != pair(kSecond).normal_stiffness ||
                pair(kFirst).contact_modulus != pair(kSecond).contact_modulus)
        << property.name;
  }
}

}  // namespace
}  // namespace slipstick::internal
