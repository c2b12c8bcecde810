#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "slipstick/live/live_control.h"
#include "slipstick/live/live_feed.h"
#include "slipstick/scene/scene.h"
#include "slipstick/serve/loopback_server.h"

namespace slipstick::internal {

// The addresses of a live run, docs/file-formats.md, "Live":
//   /              the page
//   /live/news     frames, rows and status since the last that the page has
//   /live/control  what the page wants
//   /report.html   the report, once the run has ended
class LiveServer {
 public:
  // Port 0: any that is free. Throws InputError where the port is taken. Feed and control must live longer.
  LiveServer(int port, const RecordingHeader& header, const ReplayFormat& format,
             const std::vector<SceneParameter>& parameters, LiveFeed* feed, LiveControl* control);
  ~LiveServer();

  void Start(std::string page);
  void SetReport(const std::filesystem::path& report);
  std::string address() const { return server_.address(); }

 private:
  WebResponse News(const WebRequest& request);
  WebResponse Control(const WebRequest& request);

  LoopbackServer server_;
  const RecordingHeader header_;
  const ReplayFormat format_;
  const std::vector<SceneParameter> parameters_;
  LiveFeed* feed_;
  LiveControl* control_;
  std::string page_;
  std::mutex mutex_;
  std::filesystem::path report_;
};

}  // namespace slipstick::internal
