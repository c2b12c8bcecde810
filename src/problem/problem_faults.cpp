#include "slipstick/problem/problem_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

// No surface comes near it, and in u_N + μ|u_T| rounding has the say from here on.
constexpr double kLargestCoefficient = 1e6;

// Collects the faults of one problem.
class FaultList {
 public:
  explicit FaultList(std::string file) : file_(std::move(file)) {}

  void Add(const std::string& key, const std::string& expected, const std::string& found) {
    faults_.push_back({.file = file_, .line = 0, .key = key, .expected = expected, .found = found});
  }

  void Size(const std::string& key, Eigen::Index expected, Eigen::Index found) {
    if (found != expected) Add(key, fmt::format("{} numbers", expected), fmt::format("{}", found));
  }

  void Size(const std::string& key, const SparseMat& matrix, Eigen::Index rows, Eigen::Index columns) {
    if (matrix.rows() != rows || matrix.cols() != columns) {
      Add(key, fmt::format("a {} by {} matrix", rows, columns), fmt::format("{} by {}", matrix.rows(), matrix.cols()));
    }
  }

  // One fault a vector or matrix, with the first of the bad entries and how many there are.
  void Finite(const std::string& key, const double* values, Eigen::Index count) {
    const auto is_bad = [](double value) { return !std::isfinite(value); };
    const double* first = std::find_if(values, values + count, is_bad);
    if (first == values + count) return;
    Add(key, "finite numbers",
        fmt::format("{} as entry {} ({} such entries)", *first, first - values,
                    std::count_if(first, values + count, is_bad)));
  }
  void Finite(const std::string& key, const VecX& vector) { Finite(key, vector.data(), vector.size()); }
  void Finite(const std::string& key, const SparseMat& matrix) {
    if (matrix.isCompressed()) {
      Finite(key, matrix.valuePtr(), matrix.nonZeros());
    } else {
      Finite(key, SparseMat(matrix).valuePtr(), matrix.nonZeros());
    }
  }

  void Coefficients(const std::string& key, const VecX& vector) {
    for (int i = 0; i < vector.size(); ++i) {
      if (vector[i] < 0 || vector[i] > kLargestCoefficient) {
        Add(fmt::format("{}[{}]", key, i), fmt::format("a coefficient from 0 to {:g}", kLargestCoefficient),
            fmt::format("{}", vector[i]));
        return;
      }
    }
  }

  // What impulses do to their own rows: they never pull.
  void NotNegativeDiagonal(const std::string& key, const SparseMat& matrix) {
    if (matrix.rows() != matrix.cols()) return;
    const VecX diagonal = matrix.diagonal();
    for (int i = 0; i < diagonal.size(); ++i) {
      if (!(diagonal[i] < 0)) continue;
      Add(key, "a diagonal ≥ 0, as of a positive semidefinite matrix", fmt::format("{} in row {}", diagonal[i], i));
      return;
    }
  }

  std::vector<Fault> Take() { return std::move(faults_); }

 private:
  std::string file_;
  std::vector<Fault> faults_;
};

void FindFaults(const ContactCoefficients& contacts, FaultList* faults) {
  const int dimension = contacts.dimension;
  if (dimension != 2 && dimension != 3 && dimension != 5 && dimension != 6) {
    faults->Add("dimension", "2, 3, 5 or 6 rows a contact", fmt::format("{}", dimension));
  }
  faults->Size("mu_r", dimension >= 5 ? contacts.sliding.size() : 0, contacts.rolling.size());
  faults->Size("mu_s", dimension == 6 ? contacts.sliding.size() : 0, contacts.spinning.size());
  faults->Finite("mu", contacts.sliding);
  faults->Finite("mu_r", contacts.rolling);
  faults->Finite("mu_s", contacts.spinning);
  faults->Coefficients("mu", contacts.sliding);
  faults->Coefficients("mu_r", contacts.rolling);
  faults->Coefficients("mu_s", contacts.spinning);
}

std::vector<std::string> InWords(const std::vector<Fault>& faults) {
  std::vector<std::string> words;
  words.reserve(faults.size());
  for (const Fault& fault : faults) words.push_back(fault.Message());
  return words;
}

}  // namespace

std::vector<Fault> FindFaults(const LocalProblem& problem, const std::string& file) {
  FaultList faults(file);
  FindFaults(problem.contacts, &faults);
  const Eigen::Index rows = problem.contacts.rows(), bilateral = problem.s.size();
  faults.Size("W", problem.W, rows, rows);
  faults.Size("q", rows, problem.q.size());
  faults.Finite("W", problem.W);
  faults.NotNegativeDiagonal("W", problem.W);
  faults.Finite("q", problem.q);
  if (bilateral > 0 || problem.V.size() > 0 || problem.R.size() > 0) {
    faults.Size("V", problem.V, rows, bilateral);
    faults.Size("R", problem.R, bilateral, bilateral);
    faults.Finite("V", problem.V);
    faults.Finite("R", problem.R);
    faults.NotNegativeDiagonal("R", problem.R);
    faults.Finite("s", problem.s);
  }
  return faults.Take();
}

std::vector<Fault> FindFaults(const GlobalProblem& problem, const std::string& file) {
  FaultList faults(file);
  FindFaults(problem.contacts, &faults);
  const Eigen::Index rows = problem.contacts.rows(), freedoms = problem.f.size(), bilateral = problem.b.size();
  faults.Size("M", problem.M, freedoms, freedoms);
  faults.Size("H", problem.H, freedoms, rows);
  faults.Size("w", rows, problem.w.size());
  faults.Finite("M", problem.M);
  faults.Finite("H", problem.H);
  faults.Finite("f", problem.f);
  faults.Finite("w", problem.w);
  if (bilateral > 0 || problem.G.size() > 0) {
    faults.Size("G", problem.G, freedoms, bilateral);
    faults.Finite("G", problem.G);
    faults.Finite("b", problem.b);
  }
  return faults.Take();
}

std::vector<Fault> FindFaults(const MixedProblem& problem, const std::string& file) {
  FaultList faults(file);
  faults.Size("q", problem.M.rows(), problem.q.size());
  faults.Size("kinds of rows", problem.M.rows(), static_cast<Eigen::Index>(problem.is_equation.size()));
  faults.Size("kinds of variables", problem.M.cols(), static_cast<Eigen::Index>(problem.is_free.size()));
  const auto complementary = std::count(problem.is_equation.begin(), problem.is_equation.end(), false);
  const auto restricted = std::count(problem.is_free.begin(), problem.is_free.end(), false);
  if (complementary != restricted) {
    faults.Add("M", fmt::format("as many complementary rows as variables ≥ 0, which are {}", restricted),
               fmt::format("{}", complementary));
  }
  faults.Finite("M", problem.M.data(), problem.M.size());
  faults.Finite("q", problem.q);
  return faults.Take();
}

std::vector<std::string> Check(const LocalProblem& problem) { return InWords(FindFaults(problem, "")); }
std::vector<std::string> Check(const GlobalProblem& problem) { return InWords(FindFaults(problem, "")); }
std::vector<std::string> Check(const MixedProblem& problem) { return InWords(FindFaults(problem, "")); }

}  // namespace slipstick::internal
