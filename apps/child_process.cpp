#include "child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace slipstick::internal {
namespace {

constexpr std::size_t kMostComplaints = 4000;  // characters kept

// In the child; never returns.
[[noreturn]] void BecomeProgram(const char* program, char* const* arguments, int output, pid_t parent) {
  // a group of its own, so that Ctrl-C comes once and from the parent; and no life after it
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);
  dup2(output, STDERR_FILENO);
  const int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  setenv("SLIPSTICK_PROGRESS", "lines", 1);
  execv(program, arguments);
  _exit(127);
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& arguments) : ChildProcess("/proc/self/exe", arguments) {}

ChildProcess::ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
  std::vector<std::string> texts = {"slipstick"};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t parent = getpid();
  id_ = fork();
  if (id_ == 0) BecomeProgram(program.c_str(), pointers.data(), ends[1], parent);
  const int cause = errno;
  close(ends[1]);
  output_ = ends[0];
  if (id_ < 0) {
    close(output_);
    throw std::system_error(cause, std::generic_category(), "fork");
  }
  fcntl(output_, F_SETFL, O_NONBLOCK);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : id_(std::exchange(other.id_, -1)),
      output_(std::exchange(other.output_, -1)),
      exit_code_(other.exit_code_),
      ended_(std::exchange(other.ended_, true)),
      fraction_(other.fraction_),
      pending_(std::move(other.pending_)),
      complaints_(std::move(other.complaints_)) {}

ChildProcess::~ChildProcess() {
  if (output_ >= 0) close(output_);
  if (!ended_ && id_ > 0) {
    kill(id_, SIGTERM);
    waitpid(id_, nullptr, 0);
  }
}

bool ChildProcess::HasEnded() {
  if (ended_) return true;
  int status = 0;
  // asked first: what it wrote before its end is there by then
  const bool is_over = waitpid(id_, &status, WNOHANG) == id_;
  char block[4096];
  for (ssize_t count; (count = read(output_, block, sizeof block)) > 0;) pending_.append(block, count);
  for (std::size_t end; (end = pending_.find('\n')) != std::string::npos;) {
    Take(pending_.substr(0, end));
    pending_.erase(0, end + 1);
  }
  if (!is_over) return false;
  if (!pending_.empty()) Take(pending_);
  ended_ = true;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return true;
}

void ChildProcess::Interrupt() {
  if (!ended_) kill(id_, SIGINT);
}

// A line of the progress bar, "42 % …", or something else.
void ChildProcess::Take(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(' ');
  const std::size_t percent = line.find(" %");
  if (begin != std::string::npos && percent != std::string::npos &&
      line.find_first_not_of("0123456789", begin) == percent) {
    fraction_ = std::atoi(line.c_str() + begin) / 100.0;
    return;
  }
  if (complaints_.size() < kMostComplaints) complaints_ += line + "\n";
}

}  // namespace slipstick::internal
