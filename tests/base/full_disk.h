#pragma once

#include <sys/resource.h>

#include <csignal>

namespace slipstick::internal::testing {

// While it lives no file of this process can grow: what is written stays in buffers and fails where these are emptied,
// as on a disk that is full.
class FullDisk {
 public:
  FullDisk() {
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit none = before_;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_FSIZE, &none);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

}  // namespace slipstick::internal::testing
