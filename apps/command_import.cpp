#include <fmt/format.h>

#include <cstdio>

#include "commands.h"
#include "slipstick/base/draft_file.h"
#include "slipstick/base/fault.h"
#include "slipstick/scene_file/read_document.h"
#include "slipstick/scene_file/scene_formats.h"

namespace slipstick::internal {

namespace {

Vec3 ReadPosition(const std::string& text) {
  Vec3 position;
  int read = 0;
  const int count = std::sscanf(text.c_str(), " %lf , %lf , %lf %n", &position[0], &position[1], &position[2], &read);
  if (count != 3 || text.c_str()[read] != 0 || !position.allFinite()) {
    throw InputError({{"", 0, "--position", "three numbers in m, as 0,0,0.5", fmt::format("'{}'", text)}});
  }
  return position;
}

}  // namespace

int Import(const ImportArguments& arguments) {
  const std::filesystem::path robot = arguments.robot;
  const SceneFormat& format = FormatOf(robot);
  if (format.is_own)
    throw InputError({{robot.string(), 0, "", "a robot, a file " + ImportedEndings(), "another ending"}});
  using Base = ImportSettings::Base;
  ImportSettings settings;
  settings.base = arguments.base == "fixed"      ? Base::kFixed
                  : arguments.base == "floating" ? Base::kFloating
                                                 : Base::kByMass;
  if (!arguments.position.empty()) settings.position = ReadPosition(arguments.position);
  const SceneDocument scene = format.read(robot, settings);
  const std::filesystem::path output = arguments.output.empty() ? robot.stem().string() + ".yaml" : arguments.output;
  if (std::filesystem::exists(output)) {
    throw InputError({{"", 0, "--output", "a file that is not there yet", output.string()}});
  }
  ReadSceneDocument(scene, robot.string());  // what is written can be run
  DraftFile file(output);
  file.Write(scene.text);
  file.Commit();
  for (const std::string& remark : scene.remarks) fmt::print(stderr, "left out: {}\n", remark);
  fmt::print("{}\n", output.string());
  return kExitPassed;
}

}  // namespace slipstick::internal
