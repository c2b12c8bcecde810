#include "slipstick/live/live_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "slipstick/run/record_run.h"

namespace slipstick::internal {
namespace {

using Json = nlohmann::json;

constexpr std::chrono::milliseconds kBetweenFrames(16);  // as often as a screen shows a new picture
constexpr std::chrono::milliseconds kLook(20);           // after new wishes, while there is nothing to do
constexpr std::size_t kPosesKept = 100'000;
constexpr std::size_t kMostFrames = 600, kLeastFrames = 8;
constexpr std::size_t kMostRows = 100'000;
constexpr std::size_t kChangesTold = 20;
constexpr const char* kTime = "time [s]";

std::size_t FramesKept(const RecordingHeader& header) {
  return std::clamp(kPosesKept / std::max<std::size_t>(1, header.body_names.size()), kLeastFrames, kMostFrames);
}

std::size_t LoadedContacts(const Simulation& simulation) {
  const StepRecord& record = simulation.last_step();
  std::size_t loaded = 0;
  if (record.solution.contact.size() != 3 * record.problem.contacts.size()) return loaded;
  for (int i = 0; i < record.problem.contacts.size(); ++i) loaded += record.solution.Normal(i) > 0 ? 1 : 0;
  return loaded;
}

}  // namespace

LiveRun::LiveRun(const Scene& scene, const std::vector<Override>& overrides, const Simulation& simulation, int port,
                 std::function<bool()> interrupted)
    : values_(scene, overrides, simulation),
      interrupted_(std::move(interrupted)),
      header_(MakeRecordingHeader(scene, simulation)),
      format_(ChooseReplayFormat(header_, 0)),
      feed_(FramesKept(header_), kMostRows),
      server_(port, header_, format_, values_.parameters(), &feed_, &control_) {
  Publish(simulation);
  Tell("ready");
  server_.Start(RenderReport(Page(scene, simulation)));
}

LiveRun::~LiveRun() { feed_.Close(); }

bool LiveRun::BeforeStep(Simulation* simulation) {
  while (!interrupted_()) {
    switch (control_.Next(simulation->state().time)) {
      case LiveControl::Order::kEnd:
        return false;
      case LiveControl::Order::kChange:
        Change(simulation);
        break;
      case LiveControl::Order::kWait:
        if (control_.is_paused()) {
          // a pause shows the state it found
          if (steps_ > 0) Publish(*simulation);
          if (phase_ != "ready") Tell("paused");
        } else {
          Tell("running");
        }
        control_.Wait(kLook);
        break;
      case LiveControl::Order::kStep:
        Tell(control_.is_paused() ? "paused" : "running");
        return true;
    }
  }
  return false;
}

void LiveRun::AfterStep(const Simulation& simulation) {
  const Certificate& certificate = simulation.last_step().certificate;
  ++steps_;
  law_residual_ = std::max(law_residual_, certificate.law_residual);
  coulomb_residual_ = std::max(coulomb_residual_, certificate.coulomb_residual);
  if (phase_ == "paused" || LiveControl::Clock::now() - published_ >= kBetweenFrames) Publish(simulation);
}

void LiveRun::Change(Simulation* simulation) {
  try {
    for (ParameterChange& change : values_.Apply(control_.TakeValues(), simulation)) {
      changes_.push_back(std::move(change));
    }
    note_.clear();
  } catch (const InputError& error) {
    note_ = error.what();
  }
  const std::string phase = std::exchange(phase_, "");  // told anew
  Tell(phase);
}

void LiveRun::Publish(const Simulation& simulation) {
  const EnergyAccount& energy = simulation.energy();
  const std::size_t loaded = LoadedContacts(simulation);
  // the curves of Page(), in their order
  LiveRow row = {simulation.state().time,    energy.Total(), energy.kinetic,
                 energy.potential,           law_residual_,  coulomb_residual_,
                 static_cast<double>(loaded)};
  const auto most = static_cast<std::size_t>(format_.most_contacts);
  feed_.Publish({simulation.state().time, RecordedPoses(simulation), RecordedContacts(simulation, most), loaded},
                std::move(row));
  published_ = LiveControl::Clock::now();
  steps_ = 0;
  law_residual_ = coulomb_residual_ = 0;
}

void LiveRun::Tell(const std::string& phase) {
  if (phase == phase_) return;
  phase_ = phase;
  Json status = {{"phase", phase},           {"note", note_},
                 {"verdict", verdict_},      {"passed", passed_},
                 {"changes", Json::array()}, {"change_count", changes_.size()},
                 {"values", Json::object()}};
  for (const SceneParameter& parameter : values_.parameters()) status["values"][parameter.name] = parameter.value;
  const std::size_t first = changes_.size() - std::min(changes_.size(), kChangesTold);
  for (std::size_t i = first; i < changes_.size(); ++i) {
    const ParameterChange& change = changes_[i];
    status["changes"].push_back({{"time", change.time},
                                 {"name", change.name},
                                 {"unit", change.unit},
                                 {"from", change.from},
                                 {"to", change.to}});
  }
  feed_.SetStatus(status.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void LiveRun::ShowEnd(const Simulation& simulation, const std::string& verdict, bool passed,
                      const std::filesystem::path& report) {
  if (steps_ > 0) Publish(simulation);
  server_.SetReport(report);
  verdict_ = verdict;
  passed_ = passed;
  Tell("ended");
}

void LiveRun::WaitForPages() {
  while (control_.IsWatched() && !interrupted_()) control_.Wait(kLook);
}

Report LiveRun::Page(const Scene& scene, const Simulation& simulation) const {
  Report report;
  report.title = scene.title.empty() ? scene.name : scene.title;
  report.subtitle = scene.source;
  report.facts = {{"scene", scene.name},
                  {"law", scene.law},
                  {"solver", scene.solver},
                  {"step", fmt::format("{:g} s", simulation.step())}};
  ReportSection section{"So far", "", {}, {}};
  const auto plot = [&](const char* title, const char* caption, const char* label,
                        const std::vector<std::string>& names) {
    ReportPlot made{title, caption, kTime, label, {}, {}};
    for (const std::string& name : names) made.series.push_back({name, {}});
    section.plots.push_back(std::move(made));
  };
  plot("Energy", "Kinetic, potential and their sum.", "energy [J]", {"total", "kinetic", "potential"});
  plot("Residuals", "The worst of the steps since the picture before.", "residual [m/s]",
       {"law in use", "exact Coulomb"});
  section.plots.back().log_y = true;
  plot("Loaded contacts", "", "number", {"contacts"});
  section.plots.back().y_min = 0;
  report.sections.push_back(std::move(section));
  ReportLive live{EncodeReplayHeader(header_, format_), simulation.step(), simulation.duration(), {}};
  for (const SceneParameter& parameter : values_.parameters()) {
    live.parameters.push_back({parameter.name, parameter.unit, parameter.least, parameter.most, parameter.value});
  }
  report.live = std::move(live);
  return report;
}

}  // namespace slipstick::internal
