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

namespace {

// The type of the function says whose settings these are.
template <typename S>
ConeSolver Entry(const char* name, const char* summary,
                 ConeAnswer (*solve)(const ConeProgram&, const S&, const StopRule&, const VecX*),
                 std::string (*refusal)(const std::vector<ConeBlock>&) = nullptr) {
  return {name, summary, S::Table().Specs(),
          [solve](const ConeProgram& program, const Settings& settings, const StopRule& stop, const VecX* start) {
            return solve(program, S::Table().From(settings), stop, start);
          },
          refusal};
}

ConeAnswer SolveByGaussSeidelNewtonInTime(const ConeProgram& program, const GaussSeidelNewtonSettings& settings,
                                          const StopRule& stop, const VecX* start) {
  GaussSeidelNewtonSettings timed = settings;
  timed.seconds = stop.seconds;
  ConeAnswer answer = SolveByGaussSeidelNewton(program, timed, start);
  answer.report.residual = RelativeError(program, stop.measure, answer.r, answer.u);
  return answer;
}

}  // namespace

const std::vector<ConeSolver>& ConeSolvers() {
  static const std::vector<ConeSolver> solvers = {
      {"auto",
       "one after the other of the below until the answer is good",
       {},
       [](const ConeProgram& program, const Settings&, const StopRule& stop, const VecX* start) {
         return SolveByLadder(program, stop, start);
       }},
      Entry("gauss-seidel-newton", "small problems to the last digit: contacts, then Newton",
            &SolveByGaussSeidelNewtonInTime, &GaussSeidelNewtonRefusal),
      Entry("gauss-seidel", "contact by contact, each exactly", &SolveByGaussSeidel),
      Entry("accelerated-gradient", "Nesterov's projected gradient with restarts", &SolveByAcceleratedGradient),
      Entry("extragradient", "projected steps on the variational inequality as it stands", &SolveByExtragradient),
      Entry("admm", "alternating directions with residual balancing", &SolveByAdmm),
      Entry("semismooth-newton", "Newton on Alart-Curnier or Fischer-Burmeister equations", &SolveBySemismoothNewton),
      Entry("proximal-newton", "Newton on proximal subproblems, for redundant contacts", &SolveByProximalNewton),
      Entry("interior-point", "primal-dual interior point, Nesterov-Todd scaling", &SolveByInteriorPoint),
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
