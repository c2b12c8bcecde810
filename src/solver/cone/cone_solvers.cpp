#include "slipstick/solver/cone/cone_solvers.h"

#include "slipstick/solver/cone/accelerated_gradient.h"
#include "slipstick/solver/cone/admm.h"
#include "slipstick/solver/cone/cone_ladder.h"
#include "slipstick/solver/cone/cone_run.h"
#include "slipstick/solver/cone/extragradient.h"
#include "slipstick/solver/cone/gauss_seidel.h"
#include "slipstick/solver/cone/gauss_seidel_newton.h"
#include "slipstick/solver/cone/interior_point.h"
#include "slipstick/solver/cone/proximal_newton.h"
#include "slipstick/solver/cone/semismooth_newton.h"

namespace slipstick::internal {

const std::vector<ConeSolver>& ConeSolvers() {
  static const std::vector<ConeSolver> solvers = {
      {"auto",
       "one after the other of the below until the answer is good",
       {},
       [](const ConeProgram& program, const Settings&, const StopRule& stop, const VecX* start) {
         return SolveByLadder(program, stop, start);
       }},
      {"gauss-seidel-newton", "small problems to the last digit: contacts, then Newton",
       GaussSeidelNewtonSettings::Specs(),
       [](const ConeProgram& program, const Settings& settings, const StopRule& stop, const VecX* start) {
         GaussSeidelNewtonSettings own = GaussSeidelNewtonSettings::From(settings);
         own.seconds = stop.seconds;
         ConeAnswer answer = SolveByGaussSeidelNewton(program, own, start);
         answer.report.residual = RelativeError(program, stop.measure, answer.r, answer.u);
         return answer;
       },
       &GaussSeidelNewtonRefusal},
      {"gauss-seidel", "contact by contact, each exactly", GaussSeidelSettings::Specs(),
       [](const ConeProgram& program, const Settings& settings, const StopRule& stop, const VecX* start) {
         return SolveByGaussSeidel(program, GaussSeidelSettings::From(settings), stop, start);
       }},
      {"accelerated-gradient", "Nesterov's projected gradient with restarts", AcceleratedGradientSettings::Specs(),
       [](const ConeProgram& program, const Settings& settings, const StopRule& stop, const VecX* start) {
         return SolveByAcceleratedGradient(program, AcceleratedGradientSettings::From(settings), stop, start);
       }},
      {"extragradient", "projected steps on the variational inequality as it stands", ExtragradientSettings::Specs(),
       [](const ConeProgram& program, const Settings& settings, const StopRule& stop, const VecX* start) {
         return SolveByExtragradient(program, ExtragradientSettings::From(settings), stop, start);
       }},
      {"admm", "alternating directions with residual balancing", AdmmSettings::Specs(),
       [](const ConeProgram& program, const Settings& settings, const StopRule& stop, const VecX* start) {
         return SolveByAdmm(program, AdmmSettings::From(settings), stop, start);
       }},
      {"semismooth-newton", "Newton on Alart-Curnier or Fischer-Burmeister equations",
       SemismoothNewtonSettings::Specs(),
       [](const ConeProgram& program, const Settings& settings, const StopRule& stop, const VecX* start) {
         return SolveBySemismoothNewton(program, SemismoothNewtonSettings::From(settings), stop, start);
       }},
      {"proximal-newton", "Newton on proximal subproblems, for redundant contacts", ProximalNewtonSettings::Specs(),
       [](const ConeProgram& program, const Settings& settings, const StopRule& stop, const VecX* start) {
         return SolveByProximalNewton(program, ProximalNewtonSettings::From(settings), stop, start);
       }},
      {"interior-point", "primal-dual interior point, Nesterov-Todd scaling", InteriorPointSettings::Specs(),
       [](const ConeProgram& program, const Settings& settings, const StopRule& stop, const VecX* start) {
         return SolveByInteriorPoint(program, InteriorPointSettings::From(settings), stop, start);
       }},
  };
  return solvers;
}

const ConeSolver* FindConeSolver(const std::string& name) {
  for (const ConeSolver& solver : ConeSolvers()) {
    if (solver.name == name) return &solver;
  }
  return nullptr;
}

}  // namespace slipstick::internal
