#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "slipstick/document/yaml_document.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/scene_file/scene_schema.h"

namespace slipstick::internal {
namespace {

std::string Wheel() {
  std::ifstream stream(std::string(SLIPSTICK_SOURCE_DIR) + "/scenes/wheel.yaml");
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Bad input ends in an InputError with faults, and in nothing else.
bool Reads(const std::string& text) {
  try {
    ReadSceneText(text, "random.yaml");
    return true;
  } catch (const InputError& error) {
    EXPECT_FALSE(error.faults().empty());
    return false;
  }
}

TEST(SceneRobustnessTest, EveryTruncationOfTheWheel) {
  const std::string wheel = Wheel();
  ASSERT_GT(wheel.size(), 500u);
  for (size_t length = 0; length < wheel.size(); length += 3) Reads(wheel.substr(0, length));
  EXPECT_TRUE(Reads(wheel));
}

TEST(SceneRobustnessTest, RandomBytes) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string text(random() % 64, ' ');
    const bool printable = trial % 2 == 0;
    for (char& c : text) c = static_cast<char>(printable ? 32 + random() % 95 : random() % 256);
    Reads(text);
    Reads("format: slipstick-scene 1\n" + text);
  }
}

TEST(SceneRobustnessTest, RandomChangesOfTheWheel) {
  const std::string wheel = Wheel();
  const std::string letters = "[]{}:,-#&*!|>'\"%@ \n\t0a.~?";
  std::mt19937 random(2);
  int good = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    std::string text = wheel;
    const int changes = 1 + static_cast<int>(random() % 3);
    for (int i = 0; i < changes; ++i) {
      const size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = letters[random() % letters.size()];
          break;
        case 1:
          text.erase(at, 1 + random() % 5);
          break;
        case 2:
          text.insert(at, 1, letters[random() % letters.size()]);
          break;
      }
    }
    good += Reads(text);
  }
  EXPECT_GT(good, 50);  // a change inside of a text does no harm
}

// The reader's own explanation of the schema and a general validator must agree on what fits.
TEST(SceneSchemaTest, ExplanationAgreesWithAGeneralValidator) {
  const std::string words[] = {"3",
                               "-1",
                               "text",
                               "[1, 2, 3]",
                               "[a, b]",
                               "{name: x}",
                               "true",
                               "sphere",
                               "box",
                               "loop",
                               "revolute",
                               "[]",
                               "{}",
                               "~",
                               "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]",
                               ".inf",
                               "slipstick-scene 1",
                               "[{type: sphere, radius: 1}, {type: plane}]",
                               "[{name: a}]",
                               "0.5"};
  const std::string keys[] = {"format", "title",  "gravity", "materials", "world",   "bodies", "joints", "constraints",
                              "forces", "law",    "laws",    "solver",    "output",  "shapes", "name",   "type",
                              "radius", "size",   "length",  "mass",      "inertia", "child",  "chain",  "axis",
                              "joint",  "effort", "force",   "body",      "between", "rate",   "index",  "nonsense"};
  std::mt19937 random(5);
  const auto pick = [&](const auto& list) { return list[random() % std::size(list)]; };
  const auto map = [&](const std::string& first) {
    std::string text = "{" + first;
    const int count = static_cast<int>(random() % 4);
    for (int i = 0; i < count; ++i) text += ", " + pick(keys) + ": " + pick(words);
    return text + "}";
  };
  int fitting = 0;
  const int trials = 5000;
  for (int trial = 0; trial < trials; ++trial) {
    std::string text = "{format: slipstick-scene 1";
    switch (random() % 6) {
      case 0:
        text += ", bodies: [" + map("name: b") + "]";
        break;
      case 1:
        text += ", world: {shapes: [" + map("type: " + pick(words)) + "]}";
        break;
      case 2:
        text += ", joints: [" + map("name: j, child: b") + "]";
        break;
      case 3:
        text += ", constraints: [" + map("type: loop") + "]";
        break;
      case 4:
        text += ", forces: [" + map("body: b") + "]";
        break;
      case 5:
        text += ", " + pick(keys) + ": " + pick(words);
        break;
    }
    text += "}";
    std::vector<Fault> syntax, faults;
    const DocumentNode document = ParseYaml(text, "random.yaml", &syntax);
    if (!syntax.empty()) continue;  // a key twice
    DocumentReader reader("random.yaml", &faults);
    CheckSchema(document, &reader);
    const std::string objection = JudgeBySchema(document);
    EXPECT_EQ(faults.empty(), objection.empty()) << text << "\n"
                                                 << (faults.empty() ? "" : faults[0].Message()) << "\n"
                                                 << objection;
    fitting += faults.empty();
  }
  EXPECT_GT(fitting, trials / 50);
  EXPECT_LT(fitting, trials / 2);
}

TEST(SceneSchemaTest, TextIsAJsonSchemaWithADescriptionForEachType) {
  const auto schema = nlohmann::json::parse(SceneSchemaText());
  EXPECT_EQ(schema.at("$schema"), "http://json-schema.org/draft-07/schema#");
  // descriptions become the "expected …" of faults
  for (const auto& [name, definition] : schema.at("definitions").items())
    EXPECT_TRUE(definition.contains("description")) << name;
}

}  // namespace
}  // namespace slipstick::internal
