#pragma once

#include "slipstick/solve/hyperstaticity.h"

namespace slipstick::internal {

// The faces of the impulses' sets that the velocities of a solution expose, and the directions that span them:
// orthonormal columns, those of each contact apart.
struct ImpulseFaces {
  std::vector<ContactMode> mode;
  SparseMat span;  // rows × directions
};

ImpulseFaces FindImpulseFaces(const PreparedProblem& problem, const ProblemSolution& solution, bool convex);

// Nearest point of the product of the impulses' sets (cones, then intervals of the bilateral rows).
VecX NearestImpulses(const PreparedProblem& problem, const VecX& impulses);

}  // namespace slipstick::internal
