#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "commands.h"
#include "slipstick/base/fault.h"
#include "slipstick/export/plot_svg.h"
#include "slipstick/scene_file/scene_library.h"
#include "slipstick/serve/gallery.h"
#include "slipstick/serve/loopback_server.h"
#include "slipstick/serve/served_folder.h"

namespace slipstick::internal {
namespace {

constexpr const char* kUsualFolder = "out";

std::vector<std::pair<std::string, std::string>> Scenes() {
  std::vector<std::pair<std::string, std::string>> scenes;
  for (const SceneEntry& scene : ListScenes()) scenes.emplace_back(scene.name, scene.title);
  return scenes;
}

// The folder that holds the results. The usual one need not be there yet.
std::filesystem::path FolderOf(const ViewArguments& arguments) {
  const std::filesystem::path folder = arguments.folder.empty() ? kUsualFolder : arguments.folder;
  if (!arguments.folder.empty() && !std::filesystem::is_directory(folder)) {
    throw InputError({Fault{.file = folder.string(),
                            .line = 0,
                            .key = "DIR",
                            .expected = "a folder with results of slipstick",
                            .found = std::filesystem::exists(folder) ? "something else" : "no such folder"}});
  }
  return folder;
}

// What a report's card shows where there is no picture of it: its energy, or else its first plot.
std::string PlotOf(const std::filesystem::path& report) {
  constexpr const char* kNothing = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"2\" height=\"1\"/>";
  try {
    const std::vector<ReportPlot> plots = ReadReportPlots(report);
    if (plots.empty()) return kNothing;
    const auto energy =
        std::find_if(plots.begin(), plots.end(), [](const ReportPlot& plot) { return plot.title == "Energy"; });
    return PlotSvg(energy == plots.end() ? plots.front() : *energy, 480, 240);
  } catch (const InputError&) {
    return kNothing;
  }
}

}  // namespace

void OpenBrowser(const std::string& address) {
  if (fork() != 0) return;
  execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
  fmt::print(stderr, "no browser was opened: xdg-open is not there\n");
  _exit(1);
}

void CheckPort(int port) {
  if (port >= 0 && port <= 65535) return;
  throw InputError({Fault{.file = "",
                          .line = 0,
                          .key = "--port",
                          .expected = "0 … 65535 (0: any that is free)",
                          .found = fmt::format("{}", port)}});
}

int View(const ViewArguments& arguments) {
  const std::filesystem::path folder = FolderOf(arguments);
  CheckPort(arguments.port);
  LoopbackServer server(arguments.port);
  server.OnGet("/", [&](const WebRequest&) {
    return WebResponse{.status = 200,
                       .type = "text/html; charset=utf-8",
                       .body = GalleryPage(folder.string(), FindRuns(folder), Scenes()),
                       .policy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:"};
  });
  // a report has a stricter policy inside; as a header it could not be stricter and let its own program run
  constexpr std::string_view kPrefix = "/runs/";
  server.OnGet("/runs/.+", [&](const WebRequest& request) {
    const auto file = FileInside(folder, request.path.substr(kPrefix.size()));
    if (!file) return WebResponse{.status = 404, .body = "not found\n"};
    return WebResponse{.status = 200,
                       .type = MediaTypeOf(*file),
                       .file = *file,
                       .policy =
                           "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: "
                           "blob:; media-src blob:; connect-src 'none'"};
  });
  constexpr std::string_view kPlots = "/plots/";
  server.OnGet("/plots/.+", [&](const WebRequest& request) {
    const auto file = FileInside(folder, request.path.substr(kPlots.size()));
    if (!file || file->filename() != "report.html") return WebResponse{.status = 404, .body = "not found\n"};
    return WebResponse{.status = 200, .type = "image/svg+xml", .body = PlotOf(*file)};
  });
  server.Start();
  fmt::print("{} shows the runs in {}; Ctrl-C ends\n", server.address(), folder.string());
  std::fflush(stdout);
  if (arguments.open) OpenBrowser(server.address());
  while (!Interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  server.Stop();
  return kExitPassed;
}

}  // namespace slipstick::internal
