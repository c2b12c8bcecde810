#include "slipstick/solve/solve_json.h"

#include <nlohmann/json.hpp>

#include "slipstick/solve/solver_tally.h"

namespace slipstick::internal {
namespace {

using Json = nlohmann::ordered_json;

Json HyperstaticityJson(const Hyperstaticity& analysis) {
  Json contacts = Json::array();
  for (std::size_t c = 0; c < analysis.mode.size(); ++c) {
    contacts.push_back({{"mode", ToString(analysis.mode[c])}, {"unique", static_cast<bool>(analysis.is_unique[c])}});
  }
  return {{"rows", analysis.rows},
          {"rank", analysis.rank},
          {"degree", analysis.degree},
          {"freedom", analysis.freedom},
          {"least_norm", analysis.least_norm},
          {"least_residual", analysis.least_residual.relative},
          {"least_solved", analysis.least_is_solved},
          {"contacts", std::move(contacts)}};
}

}  // namespace

std::string ToString(ContactMode mode) {
  switch (mode) {
    case ContactMode::kOpen:
      return "open";
    case ContactMode::kSliding:
      return "sliding";
    case ContactMode::kSticking:
      return "sticking";
    case ContactMode::kMixed:
      return "mixed";
  }
  return "";
}

Json SolvesJson(const std::vector<SolveRecord>& records) {
  Json all = Json::array();
  for (const SolveRecord& record : records) {
    const ProblemSolution& solution = record.solution;
    Json tried = Json::array();
    for (const SolveAttempt& attempt : solution.tried) {
      tried.push_back({{"solver", attempt.solver},
                       {"status", ToString(attempt.status)},
                       {"iterations", attempt.iterations},
                       {"residual", attempt.error},
                       {"seconds", attempt.seconds}});
    }
    Json entry = {{"file", record.file},
                  {"solver", record.solver},
                  {"tolerance", record.tolerance},
                  {"residual", solution.residual},
                  {"residual_per_contact", solution.residual_per_contact},
                  {"iterations", solution.iterations},
                  {"seconds", solution.seconds},
                  {"status", ToString(solution.status)},
                  {"contacts", record.contacts},
                  {"rows", record.rows},
                  {"answered_by", solution.solver},
                  {"tried", std::move(tried)}};
    if (record.hyperstaticity) entry["hyperstaticity"] = HyperstaticityJson(*record.hyperstaticity);
    all.push_back(std::move(entry));
  }
  return all;
}

Json SolversJson(const std::vector<SolveRecord>& records) {
  Json all = Json::array();
  for (const SolverTally& tally : TallySolvers(records)) {
    all.push_back({{"solver", tally.solver},
                   {"problems", tally.problems},
                   {"solved", tally.solved},
                   {"fastest", tally.fastest},
                   {"seconds", tally.seconds}});
  }
  return all;
}

}  // namespace slipstick::internal
