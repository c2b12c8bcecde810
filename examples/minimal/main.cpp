// The smallest program on the installed library: `minimal SCENE.yaml` simulates half a second of a scene with the law,
// the solver and the settings that the scene names, and prints where its bodies are then.
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "slipstick/model/compile_model.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/stepping/simulation.h"

namespace {

slipstick::internal::Simulation Prepare(const slipstick::Scene& scene) {
  using slipstick::Settings, slipstick::internal::TimeSteppingSettings, slipstick::internal::CertificateTolerances;
  std::vector<slipstick::Fault> faults;
  slipstick::internal::Method method =
      slipstick::internal::MakeMethod(scene.law, scene.law_settings, scene.solver, scene.solver_settings, &faults);
  const Settings stepper = Settings::Read(TimeSteppingSettings::Specs(), scene.stepper_settings, "stepper", &faults);
  const Settings certificate =
      Settings::Read(CertificateTolerances::Specs(), scene.certificate_settings, "certificate", &faults);
  if (!faults.empty()) throw slipstick::InputError(scene.Locate(faults));
  return slipstick::internal::Simulation(
      std::make_shared<const slipstick::internal::Model>(slipstick::internal::CompileModel(scene)), std::move(method),
      TimeSteppingSettings::From(stepper), CertificateTolerances::From(certificate));
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 2) {
    std::fprintf(stderr, "usage: minimal SCENE.yaml\n");
    return 2;
  }
  try {
    slipstick::internal::Simulation simulation = Prepare(slipstick::ReadScene(arguments[1]));
    const auto steps = std::lround(0.5 / simulation.settings().step);
    long failed = 0;
    for (long i = 0; i < steps; ++i) {
      // Each step is judged against the laws of mechanics, whichever method computed it.
      if (!simulation.Step().certificate.passed) ++failed;
    }
    const std::vector<slipstick::internal::ModelBody>& bodies = simulation.model().bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies[i].is_link) continue;
      const slipstick::Vec3& position = simulation.kinematics().X_WB[i].position;
      std::printf("%s: %.4f %.4f %.4f\n", bodies[i].name.c_str(), position.x(), position.y(), position.z());
    }
    std::printf("%ld of %ld steps failed their certificate\n", failed, steps);
    return failed == 0 ? 0 : 1;
  } catch (const slipstick::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
