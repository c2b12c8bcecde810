#include "slipstick/stepping/judge_positions.h"

#include <numeric>

#include "slipstick/assembly/assemble_problem.h"
#include "slipstick/collision/detect_contacts.h"

namespace slipstick::internal {

PositionErrors JudgePositions(const Model& model, const Motion& motion, double step,
                              const CertificateTolerances& tolerances) {
  const State& state = motion.state;
  ContactDetector detector(model);
  const std::vector<ContactPoint>& points = detector.Detect(model, motion.kinematics, 0.0);
  std::vector<int> all(points.size());
  std::iota(all.begin(), all.end(), 0);
  AssemblyWorkspace work(model);
  ContactProblem problem;
  std::vector<DriveMode> modes = state.drive_modes;
  modes.resize(model.drives.size(), DriveMode::kWithin);
  int redundant_rows = state.redundant_rows;
  const MemorySlots none;
  const std::vector<char> no_stops;
  const Expectation nothing{.at_end = true};
  Kinematics kinematics = motion.kinematics;
  AssembleFreeMotion(model, state, step, nothing, modes, &work, &kinematics, &problem);
  AssembleRows(model, state, kinematics,
               {points, all, {}, state.contacts, state.joints, none, none, no_stops, &redundant_rows, nothing}, step,
               AssemblySettings(), &work, &problem);
  return JudgePositions(problem, tolerances);
}

}  // namespace slipstick::internal
