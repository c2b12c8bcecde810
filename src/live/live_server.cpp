#include "slipstick/live/live_server.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace slipstick::internal {
namespace {

using Json = nlohmann::json;

constexpr std::chrono::milliseconds kLongestPoll(1000);
constexpr double kMostSteps = 10'000;
constexpr double kMostSpeed = 1000;

// The same as a report's, which may not ask for anything, but for the page's own server.
constexpr const char* kPagePolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:; media-src blob:; "
    "connect-src 'self'";
constexpr const char* kReportPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:; media-src blob:; "
    "connect-src 'none'";

long NumberOf(const WebRequest& request, const char* name) {
  return std::strtol(request.parameter(name).c_str(), nullptr, 10);
}

WebResponse Refused(const std::string& reason) { return {.status = 400, .body = reason + "\n"}; }

}  // namespace

LiveServer::LiveServer(int port, const RecordingHeader& header, const ReplayFormat& format,
                       const std::vector<SceneParameter>& parameters, LiveFeed* feed, LiveControl* control)
    : server_(port), header_(header), format_(format), parameters_(parameters), feed_(feed), control_(control) {
  server_.OnGet("/", [this](const WebRequest&) {
    return WebResponse{.status = 200, .type = "text/html; charset=utf-8", .body = page_, .policy = kPagePolicy};
  });
  server_.OnGet("/live/news", [this](const WebRequest& request) { return News(request); });
  server_.OnPost("/live/control", [this](const WebRequest& request) { return Control(request); });
  server_.OnGet("/report.html", [this](const WebRequest&) {
    const std::lock_guard lock(mutex_);
    if (report_.empty()) return WebResponse{.status = 404, .body = "not written yet\n"};
    return WebResponse{.status = 200, .type = "text/html; charset=utf-8", .file = report_, .policy = kReportPolicy};
  });
}

LiveServer::~LiveServer() { server_.Stop(); }

void LiveServer::Start(std::string page) {
  page_ = std::move(page);
  server_.Start();
}

void LiveServer::SetReport(const std::filesystem::path& report) {
  const std::lock_guard lock(mutex_);
  report_ = report;
}

// The length of the JSON in four bytes, the lowest first; the JSON; a block of frames where there are any. Frames are
// packed here, so that the run has nothing to do with it.
WebResponse LiveServer::News(const WebRequest& request) {
  const LiveControl::Watch watch(control_);
  const LiveFeed::News news = feed_->WaitForNews(NumberOf(request, "from"), NumberOf(request, "version"),
                                                 static_cast<std::size_t>(format_.frames_per_block), kLongestPoll);
  Json json = {{"version", news.version},
               {"first_row", news.first_row},
               {"rows", news.rows},
               {"frames", news.frames.size()},
               {"next", news.frame_count}};
  json["status"] = Json::parse(news.status.empty() ? "{}" : news.status, nullptr, false);
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string body;
  for (int byte = 0; byte < 4; ++byte) body += static_cast<char>(text.size() >> (8 * byte) & 0xff);
  body += text;
  if (!news.frames.empty()) {
    std::vector<ReplayFrame> frames;
    frames.reserve(news.frames.size());
    for (const auto& frame : news.frames) frames.push_back(*frame);
    body += EncodeReplayBlock(header_, format_, frames);
  }
  return {.status = 200, .type = "application/octet-stream", .body = std::move(body)};
}

WebResponse LiveServer::Control(const WebRequest& request) {
  const Json wish = Json::parse(request.body, nullptr, false);
  if (!wish.is_object()) return Refused("expected a JSON object");
  const auto is_number = [&](const char* key) { return wish.contains(key) && wish[key].is_number(); };
  const auto text_of = [&](const char* key) {
    return wish.contains(key) && wish[key].is_string() ? wish[key].get<std::string>() : std::string();
  };
  const std::string action = text_of("action"), name = text_of("name");
  if (action == "pause") {
    control_->Pause();
  } else if (action == "continue") {
    control_->Continue();
  } else if (action == "step") {
    control_->Step(is_number("count") ? static_cast<int>(std::clamp(wish["count"].get<double>(), 1.0, kMostSteps)) : 1);
  } else if (action == "end") {
    control_->End();
  } else if (action == "speed" && is_number("value")) {
    control_->SetSpeed(std::clamp(wish["value"].get<double>(), 0.0, kMostSpeed));
  } else if (action == "set" && is_number("value")) {
    const auto known = std::find_if(parameters_.begin(), parameters_.end(),
                                    [&](const SceneParameter& parameter) { return parameter.name == name; });
    const double value = wish["value"].get<double>();
    if (known == parameters_.end()) return Refused("no parameter of the scene is called so");
    if (!(value >= known->least && value <= known->most)) return Refused("a value outside of the parameter's range");
    control_->SetValue(name, value);
  } else {
    return Refused("expected an action: pause, continue, step, end, speed with value, or set with name and value");
  }
  return {.status = 200, .type = "application/json", .body = "{}\n"};
}

}  // namespace slipstick::internal
