#include "slipstick/export/report_picture.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "slipstick/base/fault.h"
#include "slipstick/export/headless_browser.h"
#include "slipstick/output/base64.h"

namespace slipstick::internal {
namespace {

using Json = nlohmann::json;

constexpr std::chrono::seconds kTimeLimit(180);  // ten thousand stones by the processor take some

// Waits for what viewer/src/replay/asked.ts says when it is done.
constexpr const char* kWaitForPicture = R"(
new Promise((resolve) => {
  const look = () => {
    const failure = document.querySelector(".replay-failure");
    if (failure) resolve(failure.textContent);
    else if (document.body && document.body.dataset.picture === "ready") resolve("");
    else if (location.protocol === "file:" && document.readyState === "complete" && !document.querySelector(".replay-section")) resolve("there is no replay in it");
    else setTimeout(look, 50);
  };
  look();
}))";

void Refuse(const std::string& file, const std::string& expected, const std::string& found) {
  throw InputError({Fault{.file = file, .line = 0, .key = "", .expected = expected, .found = found}});
}

// As a file: address has it.
std::string Encoded(const std::string& path) {
  std::string encoded;
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          std::string_view("-._~/").find(c) != std::string_view::npos;
    encoded += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

void CheckReport(const std::filesystem::path& report) {
  std::ifstream stream(report, std::ios::binary);
  if (!stream) Refuse(report.string(), "a report", "no such file");
  std::string beginning(1 << 12, '\0');
  stream.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  if (beginning.find("<!doctype html>") != 0) Refuse(report.string(), "a report of slipstick", "another file");
}

// A tab of the browser.
class Page {
 public:
  Page(HeadlessBrowser* browser, const PictureSettings& settings) : browser_(browser) {
    const Json target = Call("Target.createTarget", {{"url", "about:blank"}});
    const Json attached = Call("Target.attachToTarget", {{"targetId", target.at("targetId")}, {"flatten", true}});
    session_ = attached.at("sessionId").get<std::string>();
    Call("Emulation.setDeviceMetricsOverride",
         {{"width", settings.width}, {"height", settings.height}, {"deviceScaleFactor", 1}, {"mobile", false}});
    Call(
        "Emulation.setEmulatedMedia",
        {{"features", Json::array({{{"name", "prefers-color-scheme"}, {"value", settings.dark ? "dark" : "light"}}})}});
  }

  // What went wrong; empty: nothing.
  std::string Open(const std::string& address) {
    Call("Page.navigate", {{"url", address}});
    return Evaluate(kWaitForPicture);
  }

  // PNG.
  std::string Shoot() {
    return FromBase64(Call("Page.captureScreenshot", {{"format", "png"}}).at("data").get<std::string>());
  }

 private:
  Json Call(const char* method, const Json& parameters) {
    return Json::parse(browser_->Call(method, parameters.dump(), session_));
  }

  std::string Evaluate(const char* expression) {
    const Json answer = Call("Runtime.evaluate", {{"expression", expression}, {"awaitPromise", true}});
    return answer.at("result").value("value", "the page does not answer");
  }

  HeadlessBrowser* browser_;
  std::string session_;
};

}  // namespace

std::string ReportPicture(const std::filesystem::path& report, const PictureSettings& settings,
                          const std::function<bool()>& is_over) {
  CheckReport(report);
  const std::optional<std::filesystem::path> executable = FindBrowser();
  if (!executable) {
    Refuse("", "chromium, which draws the picture (apt-get install chromium, or its path in $CHROMIUM)", "none");
  }
  std::string address = "file://" + Encoded(std::filesystem::absolute(report).lexically_normal().string());
  address += fmt::format("#picture&view={}", settings.view);
  if (settings.time) address += fmt::format("&time={:.17g}", *settings.time);
  HeadlessBrowser browser(*executable, kTimeLimit, is_over);
  try {
    Page page(&browser, settings);
    const std::string failure = page.Open(address);
    if (!failure.empty()) Refuse(report.string(), "a report with a replay that can be drawn", failure);
    return page.Shoot();
  } catch (const Json::exception& cause) {
    throw BrowserError(fmt::format("the browser answers in a way that is not known here: {}", cause.what()));
  }
}

}  // namespace slipstick::internal
