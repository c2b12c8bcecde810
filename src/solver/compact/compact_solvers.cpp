#include "slipstick/solver/compact/compact_solvers.h"

#include "slipstick/solver/compact/contact_fixed_point.h"
#include "slipstick/solver/compact/contact_gradient.h"
#include "slipstick/solver/compact/contact_sweep.h"

namespace slipstick::internal {
namespace {

template <typename Solver>
CompactSolve Keep(std::shared_ptr<Solver> solver) {
  return [solver](const CompactProgram& program, double tolerance, CompactImpulses* impulses) {
    return solver->Solve(program, tolerance, impulses);
  };
}

}  // namespace

const std::vector<CompactSolver>& CompactSolvers() {
  static const std::vector<CompactSolver> solvers = {
      {"contact-sweep", "coloured Gauss–Seidel on thousands of bodies", true, ContactSweepSettings::Table().Specs(),
       [](const Settings& s, const std::shared_ptr<ThreadTeam>& team) {
         return Keep(std::make_shared<ContactSweep>(ContactSweepSettings::Table().From(s), team));
       }},
      {"contact-gradient", "accelerated gradient on thousands of free bodies", false,
       ContactGradientSettings::Table().Specs(),
       [](const Settings& s, const std::shared_ptr<ThreadTeam>& team) {
         return Keep(std::make_shared<ContactGradient>(ContactGradientSettings::Table().From(s), team));
       }},
      {"contact-fixed-point", "Tasora & Anitescu eq 46 on free bodies", false,
       ContactFixedPointSettings::Table().Specs(),
       [](const Settings& s, const std::shared_ptr<ThreadTeam>&) {
         return Keep(std::make_shared<ContactFixedPoint>(ContactFixedPointSettings::Table().From(s)));
       }},
  };
  return solvers;
}

}  // namespace slipstick::internal
