#include "slipstick/law/friction_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick {
namespace {

bool TakesLastStep(const ContactProblem& problem, const FrictionBoundSettings& settings, int i) {
  const ContactHistory& history = problem.contacts.history[i];
  return !settings.iterated && history.known && history.normal_force > 0;
}

}  // namespace

LawAnswer SolveWithFrictionBounds(const ContactProblem& problem, const FrictionBoundSettings& settings,
                                  const SolveWithNormals& solve) {
  const int n = problem.contacts.size();
  GivenNormals normals;
  normals.bounding.resize(n);
  bool iterate = false;
  for (int i = 0; i < n; ++i) {
    const ContactHistory& history = problem.contacts.history[i];
    normals.bounding[i] = history.known ? problem.step * std::max(history.normal_force, 0.0) : 0.0;
    if (!TakesLastStep(problem, settings, i)) iterate = true;
  }
  if (iterate) normals.centre = normals.bounding;
  LawAnswer answer;
  bool converged = !iterate;
  double damping = 1.0;
  double last_change = std::numeric_limits<double>::infinity();
  for (int k = 0; k < settings.max_iterations; ++k) {
    BoundedSolve result = solve(normals);
    answer.solution = std::move(result.solution);
    answer.report = result.report;
    ++answer.programs;
    if (!iterate || result.report.status == SolveStatus::kBadInput) break;
    double change = 0, largest = 0;
    for (int i = 0; i < n; ++i) {
      const double normal = answer.solution.Normal(i);
      largest = std::max(largest, normal);
      change = std::max(change, std::abs(normal - normals.centre[i]));
      if (!TakesLastStep(problem, settings, i)) change = std::max(change, std::abs(normal - normals.bounding[i]));
    }
    converged = change <= settings.tolerance * largest;
    if (converged) break;
    // a fixed point that is overshot from side to side is approached at half the step
    if (k > 3 && change > 0.9 * last_change) damping = std::max(0.5 * damping, 0.125);
    last_change = change;
    for (int i = 0; i < n; ++i) {
      normals.centre[i] = answer.solution.Normal(i);
      if (TakesLastStep(problem, settings, i)) continue;
      normals.bounding[i] += damping * (answer.solution.Normal(i) - normals.bounding[i]);
    }
  }
  if (!converged && answer.report.status == SolveStatus::kSolved) answer.report.status = SolveStatus::kIterationLimit;
  return answer;
}

std::vector<double> BoundingNormals(const ContactProblem& problem, const FrictionBoundSettings& settings,
                                    const ContactSolution& solution) {
  std::vector<double> normals(problem.contacts.size());
  for (int i = 0; i < problem.contacts.size(); ++i) {
    normals[i] = TakesLastStep(problem, settings, i) ? problem.step * problem.contacts.history[i].normal_force
                                                     : solution.Normal(i);
  }
  return normals;
}

std::vector<SettingSpec> FrictionBoundSettings::Specs() {
  const FrictionBoundSettings d;
  return {{.name = "bounds",
           .default_value = std::string("previous"),
           .unit = "",
           .meaning = "normal force that limits friction: of the previous step, or iterated to this step's",
           .choices = {"previous", "iterated"}},
          {.name = "bound_iterations",
           .default_value = static_cast<double>(d.max_iterations),
           .unit = "",
           .meaning = "most programs solved in a step while the limits are iterated",
           .least = 1,
           .integer = true},
          {.name = "bound_tolerance",
           .default_value = d.tolerance,
           .unit = "",
           .meaning = "relative change of the normal impulses that ends the iteration",
           .least = 0}};
}

FrictionBoundSettings FrictionBoundSettings::From(const Settings& settings) {
  return {settings.Text("bounds") == "iterated", settings.Integer("bound_iterations"),
          settings.Number("bound_tolerance")};
}

}  // namespace slipstick
