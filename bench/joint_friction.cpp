// Joint friction alone, QP 4 of Drumwright & Shell 2010: the box program of each step of the 8-DOF arm and of the chain
// of a hundred hinges, by gradient projection and by pivoting. A step's program is A = M⁻¹, b the free velocity, and
// the limits h τ of docs/theory.md (T4c).
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>

#include "slipstick/model/compile_model.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/solver/dissipation/gradient_projection.h"
#include "slipstick/solver/mlcp/block_pivoting.h"

namespace slipstick::internal {
namespace {

using Solve = std::function<MlcpAnswer(const BoundedMlcp&, const VecX*)>;

double Now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

void Measure(const std::string& name, const Scene& scene, double friction, double h, int steps, const Solve& solve) {
  const Model model = CompileModel(scene);
  MotionState state = model.initial_state;
  Kinematics kinematics;
  ComputeKinematics(model, state, &kinematics);
  DynamicsWorkspace work;
  BlockDiagonal mass;
  VecX bias, gravity;
  const int n = model.v_size();
  BoundedMlcp program;
  program.lower = VecX::Constant(n, -h * friction);
  program.upper = VecX::Constant(n, h * friction);
  VecX warm = VecX::Zero(n);
  std::vector<double> inverse_time, solve_time;
  double worst = 0, iterations = 0;
  for (int k = 0; k < steps; ++k) {
    ComputeMassMatrix(model, kinematics, &work, &mass);
    if (!mass.Factorize()) break;
    ComputeBiasForces(model, kinematics, &work, &bias);
    ComputeGravityForces(model, kinematics, &work, &gravity);
    VecX change = h * (gravity - bias);
    mass.SolveInPlace(change);
    const double start = Now();
    program.A.setIdentity(n, n);
    mass.SolveBlockInPlace(0, program.A);
    program.b = state.v + change;
    const double formed = Now();
    const MlcpAnswer answer = solve(program, &warm);
    const double solved = Now();
    inverse_time.push_back(formed - start);
    solve_time.push_back(solved - formed);
    worst = std::max(worst, NaturalResidual(program, answer.z) / ResidualScale(program, answer.z));
    iterations += answer.report.iterations;
    warm = answer.z;
    state.v = program.b + program.A * answer.z;
    AdvancePositions(model, state.v, h, 0, &state.q);
    UpdateKinematics(model, state, &kinematics);
  }
  fmt::print(
      "{:10} {:4} joints, friction {:<6g} {:20} matrix {:8.2f} µs, solve {:8.2f} µs, {:5.2f} iterations, residual "
      "{:.0e}\n",
      "", n, friction, name, 1e6 * Median(inverse_time), 1e6 * Median(solve_time), iterations / steps, worst);
}

}  // namespace
}  // namespace slipstick::internal

int main() {
  using namespace slipstick;
  using namespace slipstick::internal;
  const Solve gradient = [](const BoundedMlcp& p, const VecX* warm) { return SolveByGradientProjection(p, {}, warm); };
  const Solve pivoting = [](const BoundedMlcp& p, const VecX* warm) { return SolveByBlockPivoting(p, {}, warm); };
  for (const auto& [name, friction] :
       {std::pair<const char*, double>{"arm", 0.25}, {"arm", 5.0}, {"chain", 1e-3}, {"chain", 0.05}}) {
    const Scene scene = ReadScene(FindScene(name));
    const int steps = name == std::string("arm") ? 5000 : 500;
    Measure("gradient projection", scene, friction, 1e-3, steps, gradient);
    Measure("block pivoting", scene, friction, 1e-3, steps, pivoting);
  }
}
