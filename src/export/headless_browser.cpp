#include "slipstick/export/headless_browser.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>
#include <vector>

namespace slipstick::internal {
namespace {

using Json = nlohmann::json;

constexpr int kCommands = 3, kAnswers = 4;  // file descriptors, as --remote-debugging-pipe has them
constexpr int kLook = 50;                   // ms between two questions whether it is over
constexpr std::chrono::seconds kToEnd(3);

bool IsProgram(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

[[noreturn]] void Fail(const std::string& what) {
  throw BrowserError(fmt::format("{}: {}", what, std::strerror(errno)));
}

// A pipe whose ends stay clear of the numbers that the browser wants.
std::array<int, 2> MakePipe() {
  int low[2];
  if (pipe2(low, O_CLOEXEC) != 0) Fail("pipe");
  std::array<int, 2> ends{};
  for (std::size_t i = 0; i < 2; ++i) {
    ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, 10);
    close(low[i]);
  }
  if (ends[0] < 0 || ends[1] < 0) Fail("pipe");
  return ends;
}

// Draws by the processor, the same on every machine, and says nothing to the network.
std::vector<std::string> ArgumentsOf(const std::filesystem::path& executable, const std::filesystem::path& profile) {
  std::vector<std::string> arguments = {executable.string(),
                                        "--headless=new",
                                        "--remote-debugging-pipe",
                                        "--user-data-dir=" + profile.string(),
                                        "--use-angle=swiftshader",
                                        "--enable-unsafe-swiftshader",
                                        "--hide-scrollbars",
                                        "--force-device-scale-factor=1",
                                        "--force-color-profile=srgb",
                                        "--disable-background-networking",
                                        "--disable-component-update",
                                        "--disable-default-apps",
                                        "--disable-extensions",
                                        "--disable-sync",
                                        "--disable-dev-shm-usage",
                                        "--no-default-browser-check",
                                        "--no-first-run",
                                        "--mute-audio"};
  // the browser refuses to be root's with its sandbox
  if (geteuid() == 0) arguments.emplace_back("--no-sandbox");
  arguments.emplace_back("about:blank");
  return arguments;
}

// In the child; never returns.
[[noreturn]] void BecomeBrowser(char* const* arguments, int commands, int answers, pid_t parent) {
  setpgid(0, 0);  // so that all that it starts can be ended with it, and Ctrl-C is ours alone
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  const int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  dup2(commands, kCommands);
  dup2(answers, kAnswers);
  execv(arguments[0], arguments);
  _exit(127);
}

}  // namespace

std::optional<std::filesystem::path> FindBrowser() {
  if (const char* named = std::getenv("CHROMIUM"); named != nullptr && *named != '\0') {
    return IsProgram(named) ? std::optional<std::filesystem::path>(named) : std::nullopt;
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  std::vector<std::string> places;
  for (std::string folder; std::getline(folders, folder, ':');) places.push_back(folder.empty() ? "." : folder);
  for (const char* name : {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}) {
    for (const std::string& folder : places) {
      if (const std::filesystem::path place = std::filesystem::path(folder) / name; IsProgram(place)) return place;
    }
  }
  return std::nullopt;
}

HeadlessBrowser::HeadlessBrowser(const std::filesystem::path& executable, std::chrono::seconds time_limit,
                                 std::function<bool()> is_over)
    : deadline_(std::chrono::steady_clock::now() + time_limit), is_over_(std::move(is_over)) {
  std::string name = (std::filesystem::temp_directory_path() / "slipstick-render-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) Fail(name);
  profile_ = name;
  try {
    Start(executable);
  } catch (...) {
    End();
    throw;
  }
}

HeadlessBrowser::~HeadlessBrowser() {
  if (id_ > 0 && to_browser_ >= 0) {
    try {
      Send(R"({"id": 0, "method": "Browser.close"})");
    } catch (const BrowserError&) {  // it is gone already
    }
  }
  End();
}

void HeadlessBrowser::Start(const std::filesystem::path& executable) {
  std::vector<std::string> texts = ArgumentsOf(executable, profile_);
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  const std::array<int, 2> commands = MakePipe(), answers = MakePipe();
  const pid_t parent = getpid();
  id_ = fork();
  if (id_ == 0) BecomeBrowser(pointers.data(), commands[0], answers[1], parent);
  close(commands[0]);
  close(answers[1]);
  to_browser_ = commands[1];
  from_browser_ = answers[0];
  if (id_ < 0) Fail("fork");
  fcntl(from_browser_, F_SETFL, O_NONBLOCK);
}

void HeadlessBrowser::Send(const std::string& message) {
  // who reads may be gone: an error, not a signal
  sigset_t pipe_signal, before;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  std::size_t sent = 0;
  bool is_broken = false;
  while (sent <= message.size() && !is_broken) {
    // with the zero byte behind it
    const ssize_t count = write(to_browser_, message.c_str() + sent, message.size() + 1 - sent);
    if (count > 0) sent += static_cast<std::size_t>(count);
    is_broken = count < 0 && errno != EINTR;
  }
  const timespec now{};
  if (is_broken) sigtimedwait(&pipe_signal, nullptr, &now);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (is_broken) throw BrowserError("the browser ended before it was asked");
}

std::string HeadlessBrowser::Receive() {
  while (true) {
    if (const std::size_t end = pending_.find('\0'); end != std::string::npos) {
      std::string message = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      return message;
    }
    if (is_over_ && is_over_()) throw BrowserError("interrupted");
    if (std::chrono::steady_clock::now() > deadline_) throw BrowserError("the browser took too long");
    pollfd waiting{from_browser_, POLLIN, 0};
    if (poll(&waiting, 1, kLook) <= 0) continue;
    std::array<char, 1 << 16> block;
    const ssize_t count = read(from_browser_, block.data(), block.size());
    if (count > 0) pending_.append(block.data(), static_cast<std::size_t>(count));
    if (count == 0) throw BrowserError("the browser ended before it was done");
  }
}

std::string HeadlessBrowser::Call(const std::string& method, const std::string& parameters,
                                  const std::string& session) {
  const int id = ++last_id_;
  Json message = {{"id", id}, {"method", method}, {"params", Json::parse(parameters)}};
  if (!session.empty()) message["sessionId"] = session;
  Send(message.dump());
  while (true) {
    const Json answer = Json::parse(Receive(), nullptr, false);
    // what it tells of its own accord has no number
    if (!answer.is_object() || !answer.contains("id") || answer["id"] != id) continue;
    if (answer.contains("error")) {
      throw BrowserError(fmt::format("the browser refuses {}: {}", method, answer["error"].dump()));
    }
    return answer.contains("result") ? answer["result"].dump() : "{}";
  }
}

void HeadlessBrowser::End() noexcept {
  for (int* end : {&to_browser_, &from_browser_}) {
    if (*end >= 0) close(*end);
    *end = -1;
  }
  if (id_ > 0) {
    const auto deadline = std::chrono::steady_clock::now() + kToEnd;
    bool has_ended = false;
    while (!(has_ended = waitpid(id_, nullptr, WNOHANG) == id_) && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    kill(-id_, SIGKILL);  // and its own children
    if (!has_ended) waitpid(id_, nullptr, 0);
    id_ = -1;
  }
  // its children may still write while they end
  std::error_code error;
  for (int attempt = 0; attempt < 20; ++attempt) {
    std::filesystem::remove_all(profile_, error);
    if (!error && !std::filesystem::exists(profile_, error)) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace slipstick::internal
