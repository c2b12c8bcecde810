#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace slipstick::internal {

struct WebRequest {
  std::string path;  // decoded, without what follows a question mark
  std::string body;
  std::function<std::string(const char*)> parameter;  // of the query; empty where there is none
};

struct WebResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::filesystem::path file{};  // sent in place of the body where it is given
  std::string policy{};          // content security policy; empty: nothing may be loaded
};

// A web server for the people at this machine alone. It is bound to 127.0.0.1 and answers requests for that address or
// localhost by name: a page from elsewhere whose name was made to point here (DNS rebinding) gets nothing, and neither
// do pages from elsewhere that post. It runs in threads of its own, so handlers must be safe to be called from them.
class LoopbackServer {
 public:
  using Handler = std::function<WebResponse(const WebRequest&)>;

  // Port 0: any that is free. Throws InputError where the port is taken.
  explicit LoopbackServer(int port);
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;
  ~LoopbackServer();

  // Patterns are regular expressions for the whole path. All before Start().
  void OnGet(const std::string& pattern, Handler handler);
  void OnPost(const std::string& pattern, Handler handler);

  void Start();
  void Stop();

  int port() const;
  std::string address() const;  // http://127.0.0.1:PORT/

 private:
  class Http;
  std::unique_ptr<Http> http_;
};

}  // namespace slipstick::internal
