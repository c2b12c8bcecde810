#include "slipstick/study/sweep_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "slipstick/base/fault.h"
#include "slipstick/output/recording.h"

namespace slipstick::internal {
namespace {

constexpr std::size_t kMoments = 400;   // of each curve
constexpr std::size_t kMostCurves = 8;  // that can be told apart in one plot
constexpr std::size_t kMostMultiples = 24;

// What is drawn over time: sums of scalars of the recordings.
struct Quantity {
  const char* title;
  const char* caption;
  const char* label;
  std::vector<std::string> scalars;
};

const std::vector<Quantity>& Quantities() {
  static const std::vector<Quantity> quantities = {
      {"Energy", "Kinetic and potential.", "energy [J]", {"kinetic_energy", "potential_energy"}},
      {"Use of friction", "Σ|λT| / Σμλ_N: 1 is all that Coulomb friction can give.", "ratio", {"friction_ratio"}},
      {"Sliding speed", "The fastest of the loaded contacts.", "speed [m/s]", {"slip_speed"}},
      {"Loaded contacts", "", "number", {"loaded_contacts"}}};
  return quantities;
}

// The curves of one run, [quantity][sample].
struct RunCurves {
  const SweepRun* run = nullptr;
  std::vector<double> time;
  std::vector<std::vector<double>> values;
};

std::vector<RunCurves> ReadCurves(const Sweep& sweep, const std::filesystem::path& folder) {
  std::vector<RunCurves> all;
  for (const SweepRun& run : sweep.runs) {
    if (!run.outcome) continue;
    try {
      const RecordingReader recording(folder / run.folder);
      RunCurves curves{&run, recording.times(), {}};
      for (const Quantity& quantity : Quantities()) {
        std::vector<double> sum(curves.time.size(), 0.0);
        for (const std::string& name : quantity.scalars) {
          const std::vector<double> values = recording.scalar(name);
          for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[i];
        }
        curves.values.push_back(std::move(sum));
      }
      if (curves.time.size() > 1) all.push_back(std::move(curves));
    } catch (const InputError&) {
      // a recording that somebody took away costs its curves alone
    }
  }
  return all;
}

// Between samples in a straight line, beyond the last a gap: runs with other steps have samples at other times.
std::vector<double> At(const std::vector<double>& moments, const std::vector<double>& time,
                       const std::vector<double>& values) {
  std::vector<double> placed;
  placed.reserve(moments.size());
  for (const double t : moments) {
    const double slack = 1e-9 * (1 + std::abs(t));
    const auto after = std::lower_bound(time.begin(), time.end(), t - slack);
    if (after == time.end() || t < time.front() - slack) {
      placed.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const auto i = static_cast<std::size_t>(after - time.begin());
    if (i == 0 || time[i] <= t + slack) {
      placed.push_back(values[i]);
    } else {
      const double part = (t - time[i - 1]) / (time[i] - time[i - 1]);
      placed.push_back(values[i - 1] + part * (values[i] - values[i - 1]));
    }
  }
  return placed;
}

std::vector<double> MomentsOf(const std::vector<RunCurves>& all) {
  double end = 0;
  for (const RunCurves& curves : all) end = std::max(end, curves.time.back());
  std::vector<double> moments;
  for (std::size_t i = 0; i < kMoments; ++i) {
    moments.push_back(end * static_cast<double>(i) / static_cast<double>(kMoments - 1));
  }
  return moments;
}

bool IsAnywhere(const std::vector<RunCurves>& all, std::size_t quantity) {
  return std::any_of(all.begin(), all.end(), [&](const RunCurves& curves) {
    return std::any_of(curves.values[quantity].begin(), curves.values[quantity].end(),
                       [](double value) { return value != 0; });
  });
}

ReportPlot Plot(const Quantity& quantity, const std::string& title, const std::vector<double>& moments) {
  return {title, quantity.caption, "time [s]", quantity.label, moments, {}};
}

// Few runs: all of them in each plot.
void AddOverlay(const Sweep& sweep, const std::vector<RunCurves>& all, Report* report) {
  ReportSection section{"Over time", "", {}, {}};
  const std::vector<double> moments = MomentsOf(all);
  for (std::size_t q = 0; q < Quantities().size(); ++q) {
    if (!IsAnywhere(all, q)) continue;
    ReportPlot plot = Plot(Quantities()[q], Quantities()[q].title, moments);
    for (const RunCurves& curves : all) {
      plot.series.push_back({ChoiceOf(sweep, *curves.run, std::nullopt), At(moments, curves.time, curves.values[q])});
    }
    section.plots.push_back(std::move(plot));
  }
  if (!section.plots.empty()) report->sections.push_back(std::move(section));
}

// The same range of values in all of them, or they could not be compared.
void ShareRange(std::vector<ReportPlot>* plots) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const ReportPlot& plot : *plots) {
    for (const ReportSeries& series : plot.series) {
      for (const double value : series.y) {
        if (!std::isfinite(value)) continue;
        least = std::min(least, value);
        most = std::max(most, value);
      }
    }
  }
  if (!(least < most)) return;
  const double margin = 0.04 * (most - least);
  for (ReportPlot& plot : *plots) {
    plot.y_min = least - margin;
    plot.y_max = most + margin;
  }
}

// Many runs: the values of one axis in each plot, a small plot for each choice of the others.
void AddMultiples(const Sweep& sweep, std::size_t axis, const std::vector<RunCurves>& all, Report* report) {
  const std::vector<double> moments = MomentsOf(all);
  const std::size_t count = sweep.axes[axis].values.size();
  const std::size_t stride = (count + kMostCurves - 1) / kMostCurves;
  for (std::size_t q = 0; q < Quantities().size(); ++q) {
    if (!IsAnywhere(all, q)) continue;
    std::vector<ReportPlot> plots;
    std::map<std::string, std::size_t> plot_of;
    bool all_shown = stride == 1;
    for (const RunCurves& curves : all) {
      const std::size_t value = curves.run->choice[axis];
      if (value % stride != 0) continue;
      const std::string others = ChoiceOf(sweep, *curves.run, axis);
      if (!plot_of.contains(others) && plots.size() == kMostMultiples) {
        all_shown = false;
        continue;
      }
      const auto [entry, is_new] = plot_of.try_emplace(others, plots.size());
      if (is_new) {
        plots.push_back(Plot(Quantities()[q], others, moments));
        plots.back().caption.clear();
        plots.back().small = true;
      }
      plots[entry->second].series.push_back(
          {sweep.axes[axis].values[value], At(moments, curves.time, curves.values[q])});
    }
    ShareRange(&plots);
    const std::string text =
        fmt::format("{} Each curve a value of {}.{}", Quantities()[q].caption, HeadingOf(sweep.axes[axis]),
                    all_shown ? "" : " A choice of the runs; the table has them all.");
    report->sections.push_back({fmt::format("{} over time", Quantities()[q].title), text, std::move(plots), {}});
  }
}

}  // namespace

void AddCurves(const Sweep& sweep, const std::filesystem::path& folder, std::optional<std::size_t> axis,
               Report* report) {
  const std::vector<RunCurves> all = ReadCurves(sweep, folder);
  if (all.empty()) return;
  if (all.size() <= kMostCurves || sweep.axes.size() < 2) {
    // of more runs along one axis, some evenly spread
    std::vector<RunCurves> some;
    const std::size_t stride = (all.size() + kMostCurves - 1) / kMostCurves;
    for (std::size_t i = 0; i < all.size(); i += stride) some.push_back(all[i]);
    AddOverlay(sweep, some, report);
  } else {
    AddMultiples(sweep, axis.value_or(0), all, report);
  }
}

}  // namespace slipstick::internal
