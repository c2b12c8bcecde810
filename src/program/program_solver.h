#pragma once

#include <functional>
#include <utility>

#include "slipstick/program/bounded_mlcp.h"
#include "slipstick/program/compact_program.h"
#include "slipstick/program/cone_program.h"
#include "slipstick/program/dissipation_program.h"
#include "slipstick/program/factored_box.h"
#include "slipstick/program/single_rows.h"
#include "slipstick/program/velocity_program.h"

namespace slipstick::internal {

// A solver of compact programs with the storage that it keeps from step to step. A copy is another one of the same
// settings: what one of them writes, no other one sees.
class CompactScratch {
 public:
  // From the impulses given to the answer's; `scale` is the velocity that residuals compare with [m/s].
  using Solve = std::function<SolveReport(const CompactProgram&, double scale, CompactImpulses*)>;
  using Make = std::function<Solve()>;

  CompactScratch() = default;
  CompactScratch(Make make, bool takes_mechanisms) : make_(std::move(make)), takes_mechanisms_(takes_mechanisms) {}
  CompactScratch(const CompactScratch& other) : make_(other.make_), takes_mechanisms_(other.takes_mechanisms_) {}
  CompactScratch(CompactScratch&&) = default;
  CompactScratch& operator=(CompactScratch other) noexcept {
    make_.swap(other.make_);
    std::swap(takes_mechanisms_, other.takes_mechanisms_);
    solve_.swap(other.solve_);
    std::swap(program, other.program);
    std::swap(impulses, other.impulses);
    return *this;
  }
  ~CompactScratch() = default;

  explicit operator bool() const { return static_cast<bool>(make_); }
  bool takes_mechanisms() const { return takes_mechanisms_; }
  SolveReport Run(double scale) {
    if (!solve_) solve_ = make_();
    return solve_(program, scale, &impulses);
  }

  CompactProgram program;
  CompactImpulses impulses;

 private:
  Make make_;
  bool takes_mechanisms_ = false;
  Solve solve_;
};

// How a law gets its programs solved without knowing by whom. Functions may be empty: without the one for its kind of
// program the pair of law and solver does not exist (stepping/method_catalog), without compact every problem gets its
// rows. The functions keep nothing, and copies share nothing that they write: each simulation has its own.
struct ProgramSolver {
  std::function<MlcpAnswer(const BoundedMlcp&, const VecX* warm_start)> mlcp;
  std::function<ConeAnswer(const ConeProgram&, const VecX* warm_start)> cone;
  CompactScratch compact = {};
  // The same as cone with velocities kept, from impulses of which the states alone count; empty: they are eliminated.
  std::function<ConeAnswer(const VelocityProgram&, const VecX* states)> velocity = {};
  // Rows of single velocities, from impulses of which the bounds that they are at count alone; empty: they are a box.
  std::function<SingleRowsAnswer(const SingleRowsProgram&, const VecX& start)> single_rows = {};
  // A box program (symmetric A, or a factor of it) and the cones' program after it: the phases of law max-dissipation.
  std::function<MlcpAnswer(const BoundedMlcp&, const VecX* warm_start)> box = {};
  std::function<MlcpAnswer(const FactoredBox&, const VecX* warm_start)> factored_box = {};
  std::function<DissipationAnswer(const DissipationProgram&, const VecX* warm_start)> dissipation = {};
};

}  // namespace slipstick::internal
