#include "slipstick/scene_file/scene_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "slipstick/base/fault.h"
#include "slipstick/scene_file/scene_reader.h"

namespace slipstick::internal {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

TEST(SceneLibraryTest, EveryNamedSceneIsFoundAndReads) {
  const auto scenes = ListScenes();
  EXPECT_GE(scenes.size(), 2u);
  for (const SceneEntry& entry : scenes) {
    EXPECT_EQ(FindScene(entry.name), entry.file);
    const Scene scene = ReadScene(entry.file);
    EXPECT_EQ(scene.name, entry.name);
    EXPECT_EQ(scene.title, entry.title) << entry.file;
  }
}

TEST(SceneLibraryTest, AnUnknownNameBringsTheNearest) {
  try {
    FindScene("weel");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'wheel'?"));
    EXPECT_THAT(error.what(), HasSubstr("found 'weel'"));
  }
}

TEST(SceneLibraryTest, TheUsersFolderComesFirstAndPathsBeforeNames) {
  const fs::path folder = fs::path(SLIPSTICK_BINARY_DIR) / "scene-library-test";
  fs::create_directories(folder);
  std::ofstream(folder / "wheel.yaml") << "format: slipstick-scene 1\ntitle: 'mine: own'   # here\n";
  std::ofstream(folder / "broken.yaml") << "title: [\n";
  std::ofstream(folder / "untitled.yaml") << "format: slipstick-scene 1\n";
  ::setenv("SLIPSTICK_SCENES", folder.c_str(), 1);
  EXPECT_EQ(FindScene("wheel"), folder / "wheel.yaml");
  EXPECT_EQ(FindScene((folder / "broken.yaml").string()), folder / "broken.yaml");
  bool seen = false;
  for (const SceneEntry& entry : ListScenes()) {
    if (entry.name == "wheel") {
      EXPECT_EQ(entry.title, "mine: own");
    }
    if (entry.name == "untitled") {
      EXPECT_EQ(entry.title, "untitled");
    }
    seen = seen || entry.name == "broken";
  }
  EXPECT_TRUE(seen);
  ::unsetenv("SLIPSTICK_SCENES");
  fs::remove_all(folder);
  EXPECT_NE(FindScene("wheel"), folder / "wheel.yaml");
}

}  // namespace
}  // namespace slipstick::internal
