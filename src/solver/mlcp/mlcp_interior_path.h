#pragma once

#include <functional>

#include "slipstick/base/deadline.h"
#include "slipstick/program/bounded_mlcp.h"
#include "slipstick/solver/mlcp/mlcp_partition.h"

namespace slipstick::internal {

// How the last interior path ended.
enum class InteriorEnd {
  kAccepted,        // `offer` took a point
  kConverged,       // no further progress is possible within rounding
  kStalled,         // steps became too short: far from monotone, or no solution
  kIterationLimit,  // or the time is over
};

// Primal-dual interior points for a scaled problem (mlcp_scaling.h), as for linear programs: z strictly between its
// bounds, w = s − t with s > 0 at lower and t > 0 at upper bounds, and Newton steps for
//   A z + b = s − t,   (z − l) s = σμ,   (u − z) t = σμ
// with Mehrotra's predictor and corrector. Each step costs one factorization of A + a positive diagonal. It converges
// for monotone A (Wright, "Primal-Dual Interior-Point Methods"); and on the friction problems of Anitescu & Potra,
// which are not monotone, in some ten steps where block exchanges go round. Nothing is proved there: the partition that
// a point suggests is a start for pivoting, and judged as such.
//
// `offer` is shown each point z with its partition (in F where z is farther from its bounds than s and t from zero)
// once complementarity is below 1e-3, and says whether to end. A path takes at most `most_steps`; where it comes to an
// end without an answer another one starts nearer to the bounds or farther from them, three in all. `iterations` is
// counted up for each step, as long as it is below `iteration_limit` and the deadline has not passed.
template <typename Problem>
InteriorEnd FollowInteriorPath(const Problem& problem, int most_steps, int iteration_limit,
                               const std::function<bool(const VecX& z, const Partition& partition)>& offer,
                               int* iterations, const Deadline& deadline = {});

}  // namespace slipstick::internal
