#include "slipstick/document/write_yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

#include "slipstick/document/make_node.h"
#include "slipstick/document/yaml_document.h"
#include "slipstick/scene_file/scene_library.h"

namespace slipstick::internal {
namespace {

// But for lines.
bool IsSame(const DocumentNode& a, const DocumentNode& b) {
  if (a.kind != b.kind || a.text != b.text || a.keys != b.keys || a.items.size() != b.items.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!IsSame(a.items[i], b.items[i])) return false;
  return true;
}

DocumentNode Parse(const std::string& text) {
  std::vector<Fault> faults;
  DocumentNode document = ParseYaml(text, "test.yaml", &faults);
  EXPECT_TRUE(faults.empty()) << InputError(faults).what() << "\n" << text;
  return document;
}

TEST(WriteYamlTest, EverySceneReadsTheSame) {
  for (const SceneEntry& entry : ListScenes()) {
    if (entry.file.extension() != ".yaml") continue;
    SCOPED_TRACE(entry.name);
    std::ifstream stream(entry.file);
    std::ostringstream text;
    text << stream.rdbuf();
    const DocumentNode document = Parse(text.str());
    EXPECT_TRUE(IsSame(Parse(WriteYaml(document)), document)) << WriteYaml(document);
  }
}

TEST(WriteYamlTest, TextsStayTexts) {
  for (const char* text :
       {"plain",  "two words", "",    " ",  "1",  "1e3",  ".inf", "true", "No",        "null",        "~",
        "a: b",   "# x",       "- x", "\"", "\\", "it's", "[x",   "{",    "tab\there", "line\nbreak", "ends ",
        "größer", "*a",        "&a",  "!a", "%a", "@a",   "`a",   "x:",   "y"}) {
    const DocumentNode map = MapNode({{"key", TextNode(text, 1)}, {text, NumberNode(1, 1)}}, 1);
    EXPECT_TRUE(IsSame(Parse(WriteYaml(map)), map)) << WriteYaml(map);
  }
}

TEST(WriteYamlTest, NumbersKeepTheirBits) {
  for (const double number : {0.0, -0.0, 1.0 / 3, 1e-300, -1.7976931348623157e308, 4.9e-324, 5e20}) {
    const DocumentNode read = Parse(WriteYaml(ListNode({NumberNode(number, 1)}, 1)));
    ASSERT_EQ(read.items.size(), 1u);
    EXPECT_EQ(std::memcmp(&read.items[0].number, &number, sizeof(double)), 0) << number;
  }
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Parse(WriteYaml(ListNode({NumberNode(-infinite, 1)}, 1))).items[0].number, -infinite);
}

TEST(WriteYamlTest, WhatIsShortStandsOnOneLine) {
  const auto item = [](int number) {
    return MapNode({{"name", TextNode("b", 1)}, {"size", VectorNode(Vec3(number, 2, 3), 1)}}, 1);
  };
  EXPECT_EQ(WriteYaml(MapNode({{"format", TextNode("scene 1", 1)},
                               {"bodies", ListNode({item(1), item(2)}, 1)},
                               {"world", MapNode({{"shapes", ListNode({item(3)}, 1)}}, 1)}},
                              1)),
            "format: scene 1\n"
            "\n"
            "bodies:\n"
            "  - {name: b, size: [1, 2, 3]}\n"
            "  - {name: b, size: [2, 2, 3]}\n"
            "\n"
            "world: {shapes: [{name: b, size: [3, 2, 3]}]}\n");
}

}  // namespace
}  // namespace slipstick::internal
