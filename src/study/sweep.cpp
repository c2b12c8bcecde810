#include "slipstick/study/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "slipstick/base/fault.h"
#include "slipstick/run/run_summary_json.h"
#include "slipstick/run/version.h"

namespace slipstick::internal {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRuns = 10'000;

[[noreturn]] void Refuse(const std::string& expected, const std::string& found) {
  throw InputError({{"", 0, "--vary", expected, found}});
}

// Cuts at the commas that stand outside of brackets, braces and quotes.
std::vector<std::string> SplitValues(const std::string& text) {
  std::vector<std::string> parts = {""};
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    }
    if (c == ',' && depth <= 0 && quote == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (std::string& part : parts) {
    const size_t begin = part.find_first_not_of(' '), end = part.find_last_not_of(' ');
    part = begin == std::string::npos ? "" : part.substr(begin, end - begin + 1);
  }
  return parts;
}

std::string LastWord(const std::string& path) {
  const size_t dot = path.rfind('.');
  return dot == std::string::npos ? path : path.substr(dot + 1);
}

// A name that any file system takes.
std::string FolderName(const std::vector<SweepAxis>& axes, const std::vector<std::size_t>& choice) {
  std::string name;
  for (std::size_t a = 0; a < axes.size(); ++a)
    name += fmt::format("{}{}={}", a > 0 ? "," : "", LastWord(axes[a].keys.front()), axes[a].values[choice[a]]);
  for (char& c : name) {
    const bool is_plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string("._+-=,").find(c) != std::string::npos;
    if (!is_plain) c = '_';
  }
  constexpr size_t kLongest = 100;
  return name.substr(0, kLongest);
}

void CollectPaths(const Json& json, const std::string& path, std::vector<std::string>* paths) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) CollectPaths(value, path.empty() ? key : path + "." + key, paths);
  } else if (json.is_number() || json.is_null()) {  // null: a number that is not finite
    paths->push_back(path);
  }
}

// Names of bodies and measures have no dots, so that a path has one meaning.
const Json* Find(const Json& json, const std::string& path) {
  const Json* at = &json;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('.', begin), path.size());
    if (!at->is_object()) return nullptr;
    const auto found = at->find(path.substr(begin, end - begin));
    if (found == at->end()) return nullptr;
    at = &*found;
    begin = end + 1;
  }
  return at;
}

}  // namespace

SweepAxis ParseSweepAxis(const std::string& given) {
  const std::string form = "KEY=VALUE,VALUE,…, such as materials.stone.friction=0.2,0.4,0.6";
  const size_t equal = given.find('=');
  if (equal == std::string::npos || equal == 0) Refuse(form, fmt::format("'{}'", given));
  SweepAxis axis{SplitValues(given.substr(0, equal)), SplitValues(given.substr(equal + 1))};
  const auto is_empty = [](const std::string& text) { return text.empty(); };
  if (std::any_of(axis.keys.begin(), axis.keys.end(), is_empty) ||
      std::any_of(axis.values.begin(), axis.values.end(), is_empty))
    Refuse(form, fmt::format("'{}'", given));
  for (const std::vector<std::string>* list : {&axis.keys, &axis.values}) {
    std::set<std::string> seen;
    for (const std::string& text : *list)
      if (!seen.insert(text).second) Refuse("each key and each value once", fmt::format("'{}' again", text));
  }
  return axis;
}

bool Sweep::passed() const {
  return std::all_of(runs.begin(), runs.end(), [](const SweepRun& run) { return run.outcome && run.outcome->passed; });
}

bool Sweep::complete() const {
  return std::all_of(runs.begin(), runs.end(), [](const SweepRun& run) { return run.outcome.has_value(); });
}

std::vector<SweepRun> PlanRuns(const std::vector<SweepAxis>& axes) {
  std::set<std::string> keys;
  std::size_t count = 1;
  for (const SweepAxis& axis : axes) {
    for (const std::string& key : axis.keys)
      if (!keys.insert(key).second) Refuse("each key once", fmt::format("'{}' again", key));
    count *= axis.values.size();
    if (count > kMostRuns) Refuse(fmt::format("at most {} runs", kMostRuns), "more");
  }
  std::vector<SweepRun> runs(count);
  std::set<std::string> folders;
  for (std::size_t i = 0; i < count; ++i) {
    runs[i].choice.resize(axes.size());
    std::size_t rest = i;
    for (std::size_t a = axes.size(); a-- > 0;) {
      runs[i].choice[a] = rest % axes[a].values.size();
      rest /= axes[a].values.size();
    }
    runs[i].folder = FolderName(axes, runs[i].choice);
    const std::string base = runs[i].folder;
    for (int number = 2; !folders.insert(runs[i].folder).second; ++number)
      runs[i].folder = fmt::format("{}-{}", base, number);
  }
  return runs;
}

std::vector<Override> OverridesOf(const std::vector<SweepAxis>& axes, const SweepRun& run) {
  std::vector<Override> overrides;
  for (std::size_t a = 0; a < axes.size(); ++a)
    for (const std::string& key : axes[a].keys) overrides.push_back({key, axes[a].values[run.choice[a]]});
  return overrides;
}

std::optional<Json> FindFinished(const std::filesystem::path& folder, const std::string& input_hash) {
  std::ifstream stream(folder / "summary.json");
  if (!stream) return std::nullopt;
  Json summary = Json::parse(stream, nullptr, false);
  if (!summary.is_object() || summary.value("input_hash", "") != input_hash) return std::nullopt;
  // a run that was interrupted is made again; one that came upon a number that is none would only do so again
  if (summary.value("stopped_early", true) && !summary.value("not_finite", false)) return std::nullopt;
  return summary;
}

std::vector<std::string> QuantityPaths(const Json& summary) {
  std::vector<std::string> paths;
  CollectPaths(summary, "", &paths);
  return paths;
}

std::vector<std::string> UsualQuantities(const Json& summary) {
  std::vector<std::string> usual;
  if (const Json* measures = Find(summary, "measures")) CollectPaths(*measures, "measures", &usual);
  if (usual.empty()) usual.push_back("energy_joule.work_friction");
  usual.push_back("certificate.law_residual_metres_per_second.rms");
  usual.push_back("certificate.penetration_relative.worst");
  return usual;
}

SweepOutcome OutcomeOf(const Json& summary, const std::vector<std::string>& quantities) {
  SweepOutcome outcome;
  outcome.passed = summary.value("passed", false);
  outcome.failed_steps = summary.value("failed_steps", 0L);
  outcome.seconds = summary.value("seconds", 0.0);
  for (const std::string& path : quantities) {
    const Json* found = Find(summary, path);
    outcome.quantities.push_back(found != nullptr && found->is_number() ? std::optional(found->get<double>())
                                                                        : std::nullopt);
  }
  return outcome;
}

std::string HeadingOf(const SweepAxis& axis) {
  std::string heading;
  for (const std::string& key : axis.keys) heading += (heading.empty() ? "" : ", ") + LastWord(key);
  return heading;
}

// A path such as certificate.law_residual_metres_per_second.rms in words, its unit behind: "law residual, rms [m/s]".
// The first part says where in the summary it stands, and may give the unit.
std::string HeadingOf(const std::string& quantity) {
  static const std::pair<std::string, std::string> units[] = {{"_metres_per_second", "m/s"},
                                                              {"_per_second", "1/s"},
                                                              {"_metres", "m"},
                                                              {"_seconds", "s"},
                                                              {"_joule", "J"},
                                                              {"_degrees", "°"}};
  std::string heading, unit;
  std::istringstream parts(quantity);
  bool is_first = true;
  for (std::string part; std::getline(parts, part, '.'); is_first = false) {
    for (const auto& [ending, symbol] : units) {
      if (!part.ends_with(ending)) continue;
      part.erase(part.size() - ending.size());
      unit = symbol;
      break;
    }
    if (is_first && quantity.find('.') != std::string::npos) continue;
    std::replace(part.begin(), part.end(), '_', ' ');
    heading += (heading.empty() ? "" : ", ") + part;
  }
  return unit.empty() ? heading : fmt::format("{} [{}]", heading, unit);
}

Json SweepJson(const Sweep& sweep) {
  Json varied = Json::array(), rows = Json::array();
  for (const SweepAxis& axis : sweep.axes) varied.push_back({{"keys", axis.keys}, {"values", axis.values}});
  for (const SweepRun& run : sweep.runs) {
    Json values = Json::object(), quantities = Json::object();
    for (const Override& one : OverridesOf(sweep.axes, run)) values[one.key] = one.value;
    for (std::size_t q = 0; q < sweep.quantities.size(); ++q) {
      Json& place = quantities[sweep.quantities[q]];
      if (run.outcome && run.outcome->quantities[q]) place = *run.outcome->quantities[q];
    }
    Json row = {{"values", values}, {"folder", run.folder}, {"finished", run.outcome.has_value()}};
    row["passed"] = run.outcome && run.outcome->passed;
    row["failed_steps"] = run.outcome ? Json(run.outcome->failed_steps) : Json();
    row["quantities"] = quantities;
    row["seconds"] = run.outcome ? Json(run.outcome->seconds) : Json();
    if (!run.complaint.empty()) row["complaint"] = run.complaint;
    rows.push_back(row);
  }
  return {{"format", "slipstick-sweep 1"},
          {"version", kVersion},
          {"scene", sweep.scene_name},
          {"passed", sweep.passed()},
          {"complete", sweep.complete()},
          {"overrides", OverridesJson(sweep.overrides)},
          {"varied", varied},
          {"quantities", sweep.quantities},
          {"runs", rows}};
}

}  // namespace slipstick::internal
