#pragma once

#include <functional>
#include <vector>

#include "slipstick/base/settings.h"
#include "slipstick/law/law.h"

namespace slipstick {

// Where the limits μ λN of tangential forces come from, in the laws that fix them before they solve: the last step's
// normal forces (Peiret eq 12), or iterated until they are those of this step (Lacoursière). A contact that carried
// nothing in the last step has no force to take; its limit is iterated always, starting without friction.
struct FrictionBoundSettings {
  bool iterated = false;
  int max_iterations = 50;
  double tolerance = 1e-12;  // change of the normal impulses, relative to their largest, that ends the iteration

  static std::vector<SettingSpec> Specs();
  static FrictionBoundSettings From(const Settings& settings);
};

// One solve with given normal impulses (to which μ is applied).
struct BoundedSolve {
  ContactSolution solution;
  SolveReport report;
};
using SolveWithNormals = std::function<BoundedSolve(const std::vector<double>& normal_impulses)>;

// Iterates as the settings say and returns the last answer.
LawAnswer SolveWithFrictionBounds(const ContactProblem& problem, const FrictionBoundSettings& settings,
                                  const SolveWithNormals& solve);

// The normal impulses whose multiples by μ bound the tangential ones, according to the settings, for a finished solution.
std::vector<double> BoundingNormals(const ContactProblem& problem, const FrictionBoundSettings& settings,
                                    const ContactSolution& solution);

}  // namespace slipstick
