// The smallest program on the installed library: `minimal SCENE.yaml` simulates half a second of a scene by all rules
// that the command line has, and prints where its bodies are then.
#include <slipstick/scene_file/scene_reader.h>
#include <slipstick/simulation/simulation.h>

#include <cmath>
#include <cstdio>

int main(int argument_count, char** arguments) {
  if (argument_count != 2) {
    std::fprintf(stderr, "usage: minimal SCENE.yaml\n");
    return 2;
  }
  try {
    slipstick::Simulation simulation(slipstick::ReadScene(arguments[1]));
    const long steps = std::lround(0.5 / simulation.step());
    long failed = 0;
    for (long i = 0; i < steps; ++i) {
      simulation.Step();
      // Each step is judged against the laws of mechanics, whichever method computed it.
      if (!simulation.certificate().passed) ++failed;
    }
    const std::vector<std::string> names = simulation.BodyNames();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const slipstick::Vec3 position = simulation.BodyPose(static_cast<int>(i)).position;
      std::printf("%s: %.4f %.4f %.4f\n", names[i].c_str(), position.x(), position.y(), position.z());
    }
    std::printf("%ld of %ld steps failed their certificate\n", failed, steps);
    return failed == 0 ? 0 : 1;
  } catch (const slipstick::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
