#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace slipstick::internal {

// This same program with other arguments, or another one, in a process of its own. Ends with this process at the
// latest. Ctrl-C on the terminal does not reach it; Interrupt() does.
class ChildProcess {
 public:
  // Starts it. Its standard output goes nowhere. Throws std::system_error where it cannot be started.
  explicit ChildProcess(const std::vector<std::string>& arguments);
  ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // waits for its end

  // Reads what it said meanwhile; true once it has ended.
  bool HasEnded();
  void Interrupt();

  int exit_code() const { return exit_code_; }                   // after its end; 128 + number where a signal ended it
  double fraction() const { return fraction_; }                  // of its work, as it last told
  const std::string& complaints() const { return complaints_; }  // what else it wrote to standard error
  int output() const { return output_; }                         // file descriptor that has news where it says more

 private:
  void Take(const std::string& line);

  pid_t id_ = -1;
  int output_ = -1;
  int exit_code_ = -1;
  bool ended_ = false;
  double fraction_ = 0;
  std::string pending_, complaints_;
};

}  // namespace slipstick::internal
