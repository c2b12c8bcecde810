#include "slipstick/run/save_problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <regex>
#include <string_view>
#include <utility>

#include "slipstick/base/fault.h"

namespace slipstick::internal {
namespace {

// More than that of the worst would fill the memory, not the drawer.
constexpr long kMostWorst = 1000;

std::optional<long> ParseCount(std::string_view text, long most) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > most) return std::nullopt;
  return value;
}

bool IsFinite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

// Where the rest goes wrong these do too: velocities and mass enter everything, gaps and targets are made from poses.
bool IsFinite(const ContactProblem& problem) {
  return problem.velocity.allFinite() && problem.free_velocity.allFinite() && IsFinite(problem.contacts.gap) &&
         IsFinite(problem.contacts.normal_target) && IsFinite(problem.contacts.effective_mass);
}

}  // namespace

SaveProblemsSettings SaveProblemsSettings::Parse(const std::string& text) {
  SaveProblemsSettings settings;
  std::vector<Fault> faults;
  const auto fail = [&](const std::string& expected, std::string_view found) {
    faults.push_back({"", 0, "--save-problems", expected, fmt::format("'{}'", found)});
  };
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view part = std::string_view(text).substr(begin, comma - begin);
    begin = comma + 1;
    const std::size_t equal = part.find('=');
    const std::string_view name = part.substr(0, equal);
    long* target = name == "every" ? &settings.every : name == "worst" ? &settings.worst : nullptr;
    if (target == nullptr || equal == std::string_view::npos) {
      fail("every=N, worst=N or both with a comma, as in every=100,worst=10", part);
      continue;
    }
    const long most = target == &settings.worst ? kMostWorst : std::numeric_limits<long>::max();
    const std::optional<long> count = ParseCount(part.substr(equal + 1), most);
    if (!count) {
      fail(target == &settings.worst ? fmt::format("worst=N with a whole number N from 1 to {}", kMostWorst)
                                     : "every=N with a whole number N ≥ 1",
           part);
    } else if (*target != 0) {
      fail(fmt::format("{} once", name), text);
    } else {
      *target = *count;
    }
  }
  if (!faults.empty()) throw InputError(faults);
  return settings;
}

ProblemKeeper::ProblemKeeper(const std::filesystem::path& folder, const Scene& scene, SaveProblemsSettings settings)
    : folder_(folder / "problems"), scene_(scene.name), law_(scene.law), solver_(scene.solver), settings_(settings) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) {
    throw InputError(
        {Fault{.file = folder_.string(), .expected = "a folder that can be written to", .found = error.message()}});
  }
  static const std::regex kOwnNames(R"((every|worst-\d+)-\d+\.h5(\.\d+\.tmp)?)");
  std::vector<std::filesystem::path> old;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    if (std::regex_match(entry.path().filename().string(), kOwnNames)) old.push_back(entry.path());
  }
  for (const std::filesystem::path& file : old) std::filesystem::remove(file, error);
}

ProblemOrigin ProblemKeeper::OriginOf(const StepRecord& record, long number) const {
  const double scale = record.problem.velocity_scale;
  const double residual = record.certificate.law_residual;
  ProblemOrigin origin;
  origin.scene = scene_;
  origin.law = law_;
  origin.solver = solver_;
  origin.step_number = number;
  origin.law_residual = residual == 0 ? 0 : residual / scale;
  // an answer that is not finite is as bad as can be
  if (!record.certificate.finite || std::isnan(origin.law_residual)) {
    origin.law_residual = std::numeric_limits<double>::infinity();
  }
  return origin;
}

void ProblemKeeper::See(const StepRecord& record, long number) {
  if (!IsFinite(record.problem)) return;
  const bool is_due = settings_.every > 0 && number % settings_.every == 0;
  const bool is_linear = record.problem.contacts.size() == 0 && record.problem.bounded.jacobian.rows() == 0;
  const bool may_be_worst = settings_.worst > 0 && !is_linear;
  if (!is_due && !may_be_worst) return;
  ProblemOrigin origin = OriginOf(record, number);
  const ProblemCondition condition = origin.condition.emplace(ConditionOf(record.problem));
  if (is_due) SaveContactProblem(folder_ / fmt::format("every-{:08}.h5", number), {record.problem, origin});
  if (!may_be_worst) return;
  const auto is_less = [&](const SavedContactProblem& kept) { return IsWorse(condition, *kept.origin.condition); };
  const bool is_full = static_cast<long>(worst_.size()) == settings_.worst;
  if (is_full && !is_less(worst_.back())) return;
  if (is_full) worst_.pop_back();
  worst_.insert(std::find_if(worst_.begin(), worst_.end(), is_less), {record.problem, origin});
}

void ProblemKeeper::Close() {
  for (std::size_t i = 0; i < worst_.size(); ++i) {
    SaveContactProblem(folder_ / fmt::format("worst-{:02}-{:08}.h5", i + 1, worst_[i].origin.step_number), worst_[i]);
  }
  worst_.clear();
}

}  // namespace slipstick::internal
