#include "slipstick/law/friction_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

// Below this part of a full step the iteration of the limits has no fixed point to come to.
constexpr double kLeastDamping = 1e-3;

constexpr double kCentring = 1e-3;  // ε of AddCentring

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
  LawAnswer best;
  std::vector<double> best_bounding;
  double least = std::numeric_limits<double>::infinity();  // change of the best answer, relative
  double damping = 1.0;
  int programs = 0;
  while (programs < settings.max_iterations) {
    BoundedSolve result = solve(normals);
    ++programs;
    double change = 0, largest = 0;
    for (int i = 0; i < n; ++i) {
      const double normal = result.solution.Normal(i);
      largest = std::max(largest, normal);
      // at first only the limits are looked at; while they are iterated the normals themselves must settle too
      if (!normals.centre.empty()) change = std::max(change, std::abs(normal - normals.centre[i]));
      if (!TakesLastStep(problem, settings, i)) change = std::max(change, std::abs(normal - normals.bounding[i]));
    }
    const double relative = largest > 0 ? change / largest : change;
    const bool better = programs == 1 || relative < least;
    if (better) {
      best.solution = std::move(result.solution);
      best.report = result.report;
      best_bounding = normals.bounding;
      least = relative;
    }
    if (!iterate || least <= settings.tolerance || result.report.status == SolveStatus::kBadInput) break;
    // Friction that feeds the normals (a tipping block, a wedge) makes the fixed point repel: then go back to the best
    // limits so far and come nearer in smaller steps.
    if (!better) damping *= 0.5;
    if (damping < kLeastDamping) break;
    normals.centre.resize(n);
    for (int i = 0; i < n; ++i) {
      const double normal = best.solution.Normal(i);
      normals.centre[i] = normal;
      if (!TakesLastStep(problem, settings, i)) {
        normals.bounding[i] = best_bounding[i] + damping * (normal - best_bounding[i]);
      }
    }
  }
  best.programs = programs;
  if (iterate && least > settings.tolerance && best.report.status == SolveStatus::kSolved) {
    best.report.status = SolveStatus::kIterationLimit;
  }
  return best;
}

void AddCentring(const GivenNormals& normals, int i, int normal_row, MatX* W, VecX* q) {
  if (normals.centre.empty()) return;
  const double pull = kCentring * (*W)(normal_row, normal_row);
  (*W)(normal_row, normal_row) += pull;
  (*q)[normal_row] -= pull * normals.centre[i];
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

const SettingTable<FrictionBoundSettings>& FrictionBoundSettings::Table() {
  using S = FrictionBoundSettings;
  static const SettingTable<S> table = {
      {&S::iterated,
       "bounds",
       "",
       "normal force that limits friction: of the previous step, or iterated to this step's",
       {{"previous", false}, {"iterated", true}}},
      {&S::max_iterations, "bound_iterations", "", "most programs solved in a step while the limits are iterated",
       AtLeast(1)},
      {&S::tolerance, "bound_tolerance", "", "relative change of the normal impulses that ends the iteration",
       AtLeast(0)},
  };
  return table;
}

}  // namespace slipstick::internal
