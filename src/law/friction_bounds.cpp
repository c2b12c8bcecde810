#include "slipstick/law/friction_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

// Below this part of a full step the iteration of the limits has no fixed point to come to.
constexpr double kLeastDamping = 1e-3;

constexpr double kCentring = 1e-3;  // ε of AddCentring

// A load is steady where it changes by less than this factor in a step. Forces that vary smoothly change by a small
// part of themselves in a step that resolves them; impacts, and contacts that close or open, by orders of magnitude. In
// between friction of the last step would be wrong by as much.
constexpr double kSteady = 1.5;

bool MayTakeLastStep(const ContactProblem& problem, const FrictionBoundSettings& settings, int i) {
  const ContactHistory& history = problem.contacts.history[i];
  return !settings.iterated && history.known && history.normal_force > 0;
}

}  // namespace

FrictionBoundIteration::FrictionBoundIteration(const ContactProblem& problem, const FrictionBoundSettings& settings)
    : problem_(problem), settings_(settings), least_(std::numeric_limits<double>::infinity()) {
  const int n = problem.contacts.size();
  normals_.bounding.resize(n);
  own_.resize(n);
  for (int i = 0; i < n; ++i) {
    const ContactHistory& history = problem.contacts.history[i];
    normals_.bounding[i] = history.known ? problem.step * std::max(history.normal_force, 0.0) : 0.0;
    own_[i] = static_cast<char>(!MayTakeLastStep(problem, settings, i));
    if (own_[i]) iterates_ = true;
  }
  is_over_ = settings.max_iterations <= 0;
}

void FrictionBoundIteration::StartFrom(const ContactSolution& chosen) {
  if (!iterates_) return;
  const int n = problem_.contacts.size();
  normals_.centre.resize(n);
  for (int i = 0; i < n; ++i) {
    normals_.centre[i] = chosen.Normal(i);
    if (own_[i]) normals_.bounding[i] = chosen.Normal(i);
  }
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
    if (own_[i]) change = std::max(change, std::abs(normal - normals_.bounding[i]));
  }
  const double relative = largest > 0 ? change / largest : change;
  const bool better = !has_best_ || relative < least_;
  if (better) {
    best_.solution = std::move(solution);
    best_.report = report;
    best_bounding_ = normals_.bounding;
    least_ = relative;
    has_best_ = true;
  }
  // Friction that feeds the normals (a tipping block, a wedge) makes the fixed point repel: then go back to the best
  // limits so far and come nearer in smaller steps.
  if (!better) damping_ *= 0.5;
  is_over_ = has_settled() || report.status == SolveStatus::kBadInput || damping_ < kLeastDamping ||
             best_.programs >= settings_.max_iterations;
  if (FindUnsteady()) is_over_ = report.status == SolveStatus::kBadInput;
  if (!is_over_) Continue();
}

// The limits of the next program, from the best answer's.
void FrictionBoundIteration::Continue() {
  const int n = problem_.contacts.size();
  normals_.centre.resize(n);
  for (int i = 0; i < n; ++i) {
    const double normal = best_.solution.Normal(i);
    normals_.centre[i] = normal;
    if (own_[i]) normals_.bounding[i] = best_bounding_[i] + damping_ * (normal - best_bounding_[i]);
  }
}

// Once limits have settled: contacts that do not carry what they did get limits of their own, and the search begins
// anew. That ends, as none goes back.
bool FrictionBoundIteration::FindUnsteady() {
  if (!is_over_) return false;
  bool found = false;
  for (int i = 0; i < problem_.contacts.size(); ++i) {
    if (own_[i] || HasSteadyLoad(problem_, i, best_.solution.Normal(i))) continue;
    own_[i] = true;
    found = true;
  }
  if (!found) return false;
  iterates_ = true;
  has_best_ = false;
  damping_ = 1;
  return true;
}

LawAnswer FrictionBoundIteration::Answer() {
  if (!has_settled() && best_.report.status == SolveStatus::kSolved) {
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

bool HasSteadyLoad(const ContactProblem& problem, int i, double p) {
  const double before = problem.step * problem.contacts.history[i].normal_force;
  return kSteady * p >= before && p <= kSteady * before;
}

std::array<double, 2> JudgedBounds(const ContactProblem& problem, const FrictionBoundSettings& settings,
                                   const ContactSolution& solution, int i) {
  const double normal = solution.Normal(i);
  if (!MayTakeLastStep(problem, settings, i) || !HasSteadyLoad(problem, i, normal)) return {normal, normal};
  return {problem.step * problem.contacts.history[i].normal_force, normal};
}

const SettingTable<FrictionBoundSettings>& FrictionBoundSettings::Table() {
  using S = FrictionBoundSettings;
  static const SettingTable<S> table = {
      {&S::iterated,
       "bounds",
       "",
       "normal force that limits friction: of the previous step where it is steady, or iterated to this step's",
       {{"previous", false}, {"iterated", true}}},
      {&S::max_iterations, "bound_iterations", "", "most programs solved in a step while the limits are iterated",
       AtLeast(1)},
      {&S::tolerance, "bound_tolerance", "", "relative change of the normal impulses that ends the iteration",
       AtLeast(0)},
  };
  return table;
}

}  // namespace slipstick::internal
