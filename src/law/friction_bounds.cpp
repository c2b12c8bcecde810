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

FrictionBoundIteration::FrictionBoundIteration(const ContactProblem& problem, const FrictionBoundSettings& settings)
    : problem_(problem), settings_(settings), least_(std::numeric_limits<double>::infinity()) {
  const int n = problem.contacts.size();
  normals_.bounding.resize(n);
  for (int i = 0; i < n; ++i) {
    const ContactHistory& history = problem.contacts.history[i];
    normals_.bounding[i] = history.known ? problem.step * std::max(history.normal_force, 0.0) : 0.0;
    if (!TakesLastStep(problem, settings, i)) iterates_ = true;
  }
  is_over_ = settings.max_iterations <= 0;
}

void FrictionBoundIteration::Take(ContactSolution solution, const SolveReport& report) {
  const int n = problem_.contacts.size();
  ++best_.programs;
  double change = 0, largest = 0;
  for (int i = 0; i < n; ++i) {
    const double normal = solution.Normal(i);
    largest = std::max(largest, normal);
    // at first only the limits are looked at; while they are iterated the normals themselves must settle too
    if (!normals_.centre.empty()) change = std::max(change, std::abs(normal - normals_.centre[i]));
    if (!TakesLastStep(problem_, settings_, i)) change = std::max(change, std::abs(normal - normals_.bounding[i]));
  }
  const double relative = largest > 0 ? change / largest : change;
  const bool better = best_.programs == 1 || relative < least_;
  if (better) {
    best_.solution = std::move(solution);
    best_.report = report;
    best_bounding_ = normals_.bounding;
    least_ = relative;
  }
  // Friction that feeds the normals (a tipping block, a wedge) makes the fixed point repel: then go back to the best
  // limits so far and come nearer in smaller steps.
  if (!better) damping_ *= 0.5;
  is_over_ = !iterates_ || least_ <= settings_.tolerance || report.status == SolveStatus::kBadInput ||
             damping_ < kLeastDamping || best_.programs >= settings_.max_iterations;
  if (is_over_) return;
  normals_.centre.resize(n);
  for (int i = 0; i < n; ++i) {
    const double normal = best_.solution.Normal(i);
    normals_.centre[i] = normal;
    if (!TakesLastStep(problem_, settings_, i)) {
      normals_.bounding[i] = best_bounding_[i] + damping_ * (normal - best_bounding_[i]);
    }
  }
}

LawAnswer FrictionBoundIteration::Answer() {
  if (iterates_ && least_ > settings_.tolerance && best_.report.status == SolveStatus::kSolved) {
    best_.report.status = SolveStatus::kIterationLimit;
  }
  return std::move(best_);
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
