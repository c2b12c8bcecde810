#include "slipstick/solve/prepared_problem.h"

#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <utility>
#include <vector>

#include "slipstick/base/check.h"
#include "slipstick/base/fault.h"
#include "slipstick/problem/problem_faults.h"

namespace slipstick::internal {
namespace {

SparseMat SideBySide(const SparseMat& left, const SparseMat& right) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&entries](const SparseMat& part, int first_column) {
    for (int row = 0; row < part.outerSize(); ++row) {
      for (SparseMat::InnerIterator entry(part, row); entry; ++entry) {
        entries.emplace_back(row, first_column + static_cast<int>(entry.col()), entry.value());
      }
    }
  };
  add(left, 0);
  add(right, static_cast<int>(left.cols()));
  SparseMat joined(right.rows(), left.cols() + right.cols());
  joined.setFromTriplets(entries.begin(), entries.end());
  return joined;
}

PreparedProblem PrepareLocal(const LocalProblem& problem) {
  RequireFaultless(problem, "");
  PreparedProblem prepared;
  prepared.local = problem;
  return prepared;
}

// The diagonal of W = Hᵀ M⁻¹ H is not negative where M is positive definite.
void RequirePositive(const LocalProblem& condensed) {
  const VecX diagonal = condensed.W.diagonal();
  if (diagonal.size() == 0 || !(diagonal.minCoeff() < 0)) return;
  throw InputError({Fault{.key = "M",
                          .expected = "a positive definite matrix",
                          .found = fmt::format("one with {} on the diagonal of Hᵀ M⁻¹ H", diagonal.minCoeff())}});
}

PreparedProblem PrepareGlobal(GlobalProblem problem) {
  RequireFaultless(problem, "");
  PreparedProblem prepared;
  const auto begin = std::chrono::steady_clock::now();
  prepared.local = Condense(problem);
  RequirePositive(*prepared.local);
  prepared.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  prepared.global = std::move(problem);
  return prepared;
}

GlobalProblem WithoutBounded(ContactProblem problem, const BilateralSet& bilateral) {
  problem.bilateral = bilateral;
  problem.bounded = {};
  problem.bounded.jacobian.Reset(problem.mass.layout());
  std::optional<GlobalProblem> global = ToGlobalProblem(problem);
  SLIPSTICK_CHECK(global.has_value(), "a problem without bounded rows has the global form");
  return *std::move(global);
}

PreparedProblem PrepareStep(const ContactProblem& problem) {
  if (std::optional<GlobalProblem> global = ToGlobalProblem(problem)) return PrepareGlobal(*std::move(global));
  // the rows with bounds take the place of the bilateral ones in a copy, which gives their part of G and b
  GlobalProblem global = WithoutBounded(problem, problem.bilateral);
  const GlobalProblem bounded = WithoutBounded(problem, {problem.bounded.jacobian, problem.bounded.target, {}, {}});
  const Eigen::Index bilateral_rows = global.b.size(), bounded_rows = bounded.b.size();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  MultiplierBounds bounds;
  bounds.lower.setConstant(bilateral_rows + bounded_rows, -kInfinity);
  bounds.upper.setConstant(bilateral_rows + bounded_rows, kInfinity);
  bounds.lower.tail(bounded_rows) = problem.bounded.lower;
  bounds.upper.tail(bounded_rows) = problem.bounded.upper;
  global.G = SideBySide(global.G, bounded.G);
  VecX rates(bilateral_rows + bounded_rows);
  rates << global.b, bounded.b;
  global.b = rates;
  PreparedProblem prepared = PrepareGlobal(std::move(global));
  prepared.bounds = std::move(bounds);
  return prepared;
}

PreparedProblem PrepareMixed(const MixedProblem& problem) {
  RequireFaultless(problem, "");
  PreparedProblem prepared;
  prepared.mixed = problem;
  return prepared;
}

}  // namespace

PreparedProblem Prepare(const LoadedProblem& problem) {
  if (const auto* local = std::get_if<LocalProblem>(&problem)) return PrepareLocal(*local);
  if (const auto* global = std::get_if<GlobalProblem>(&problem)) return PrepareGlobal(*global);
  if (const auto* mixed = std::get_if<MixedProblem>(&problem)) return PrepareMixed(*mixed);
  return PrepareStep(std::get<ContactProblem>(problem));
}

}  // namespace slipstick::internal
