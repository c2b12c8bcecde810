#pragma once

#include <functional>
#include <string>
#include <vector>

#include "slipstick/live/live_server.h"
#include "slipstick/live/parameter_values.h"
#include "slipstick/output/report.h"
#include "slipstick/run/run_simulation.h"

namespace slipstick::internal {

// A run that is watched and steered from a page of this machine while it goes on. It begins paused and, once it goes
// on, keeps pace with real time where it can; nobody who watches can slow it down.
class LiveRun {
 public:
  // Throws InputError where the scene's parameters or the port cannot be used. `interrupted` is asked all the time.
  LiveRun(const Scene& scene, const std::vector<Override>& overrides, const Simulation& simulation, int port,
          std::function<bool()> interrupted);
  ~LiveRun();

  std::string address() const { return server_.address(); }

  // To be called from RunOptions::before_step and, with the simulation that took the step, on_step.
  bool BeforeStep(Simulation* simulation);
  void AfterStep(const Simulation& simulation);

  // The pages say that the run has ended, and how.
  void ShowEnd(const Simulation& simulation, const std::string& verdict, bool passed,
               const std::filesystem::path& report);
  // Until all pages are closed.
  void WaitForPages();

  const std::vector<ParameterChange>& changes() const { return changes_; }
  double waited_seconds() const { return control_.waited_seconds(); }

 private:
  void Change(Simulation* simulation);
  void Publish(const Simulation& simulation);
  void Tell(const std::string& phase);
  Report Page(const Scene& scene, const Simulation& simulation) const;

  ParameterValues values_;
  std::function<bool()> interrupted_;
  RecordingHeader header_;
  ReplayFormat format_;
  LiveFeed feed_;
  LiveControl control_;
  LiveServer server_;
  std::vector<ParameterChange> changes_;
  // what was last told
  std::string phase_, note_, verdict_;
  bool passed_ = false;
  // since the last frame that was published
  long steps_ = 0;
  double law_residual_ = 0, coulomb_residual_ = 0;
  LiveControl::Clock::time_point published_;
};

}  // namespace slipstick::internal
