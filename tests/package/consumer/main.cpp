// Uses what is installed through its public headers alone.
#include <cmath>
#include <cstdio>

#include "slipstick/base/fault.h"
#include "slipstick/geometry/mass_properties.h"
#include "slipstick/scene/scene.h"
#ifdef HAS_FILES
#include "slipstick/scene_file/scene_reader.h"
#endif

namespace {

// A scene made in code: a crate of pine.
slipstick::Scene MakeScene() {
  slipstick::Scene scene;
  slipstick::SceneBody crate;
  crate.name = "crate";
  const slipstick::Box box{slipstick::Vec3(0.5, 0.4, 0.3)};
  const auto properties = slipstick::UniformMassProperties(box, 500);
  crate.mass = properties->mass;
  crate.inertia = properties->inertia;
  scene.bodies.push_back(crate);
  return scene;
}

}  // namespace

int main() {
  const slipstick::Scene scene = MakeScene();
  std::printf("%s: %.1f kg\n", scene.bodies[0].name.c_str(), scene.bodies[0].mass);
  bool is_right = std::abs(scene.bodies[0].mass - 240) < 1e-9;
#ifdef HAS_FILES
  const char* const text =
      "format: slipstick-scene 1\n"
      "bodies:\n"
      "  - {name: ball, mass: 1, shapes: [{type: sphere, radius: 0.1}]}\n";
  const slipstick::Scene read = slipstick::ReadSceneText(text, "ball.yaml", {{"bodies.ball.mass", "3"}});
  std::printf("%s: %.1f kg\n", read.bodies[0].name.c_str(), read.bodies[0].mass);
  is_right = is_right && read.bodies[0].mass == 3;
  try {
    slipstick::ReadSceneText("format: slipstick-scene 1\nbodies: [{name: ball, mass: -1}]\n", "ball.yaml");
    is_right = false;
  } catch (const slipstick::InputError& error) {
    std::printf("%s\n", error.what());
  }
#endif
  return is_right ? 0 : 1;
}
