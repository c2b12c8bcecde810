#include <fmt/format.h>

#include "commands.h"
#include "slipstick/base/fault.h"
#include "slipstick/export/draft.h"
#include "slipstick/scene/scene_reader.h"
#include "slipstick/urdf/urdf_scene.h"

namespace slipstick {

int Import(const ImportArguments& arguments) {
  const UrdfRobot robot = ReadUrdf(arguments.robot);
  using Base = UrdfSceneSettings::Base;
  UrdfSceneSettings settings;
  settings.base = arguments.base == "fixed"      ? Base::kFixed
                  : arguments.base == "floating" ? Base::kFloating
                                                 : Base::kByMass;
  if (!arguments.position.empty()) settings.position = Vec3(arguments.position.data());
  const std::string scene = UrdfToScene(robot, settings);
  const std::filesystem::path output =
      arguments.output.empty() ? robot.file.stem().string() + ".yaml" : arguments.output;
  if (std::filesystem::exists(output)) {
    throw InputError({{"", 0, "--output", "a file that is not there yet", output.string()}});
  }
  ReadSceneText(scene, output.string());  // what is written can be run
  DraftFile file(output);
  file.Write(scene);
  file.Commit();
  fmt::print("{}\n", output.string());
  return kExitPassed;
}

}  // namespace slipstick
