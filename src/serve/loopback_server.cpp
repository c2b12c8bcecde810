#include "slipstick/serve/loopback_server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <fstream>
#include <thread>

#include "slipstick/base/fault.h"

namespace slipstick::internal {
namespace {

constexpr const char* kHere = "127.0.0.1";
constexpr std::size_t kMostBody = 1 << 20;  // bytes of a request; what the pages send is far smaller

// A port that another program listens to is an error. The library's own choice, SO_REUSEPORT, would share it.
void SetSocketOptions(socket_t socket) {
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

void SendFile(const std::filesystem::path& file, const std::string& type, httplib::Response* response) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  auto stream = std::make_shared<std::ifstream>(file, std::ios::binary);
  if (error || !*stream) {
    response->status = 404;
    response->set_content("not found\n", "text/plain");
    return;
  }
  if (size == 0) return response->set_content("", type);
  response->set_content_provider(size, type, [stream](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
    std::string piece(std::min<std::size_t>(length, 1 << 18), '\0');
    stream->seekg(static_cast<std::streamoff>(offset));
    stream->read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const auto count = static_cast<std::size_t>(stream->gcount());
    return count > 0 && sink.write(piece.data(), count);  // a file that became shorter ends the answer
  });
}

}  // namespace

class LoopbackServer::Http {
 public:
  explicit Http(int port) {
    server_.set_socket_options(SetSocketOptions);
    server_.set_payload_max_length(kMostBody);
    server_.set_keep_alive_timeout(2);
    port_ = port == 0 ? server_.bind_to_any_port(kHere) : server_.bind_to_port(kHere, port) ? port : -1;
    if (port_ < 0) {
      throw InputError({Fault{.file = "",
                              .line = 0,
                              .key = "--port",
                              .expected = "a port that is free",
                              .found = fmt::format("{}, which is taken or not allowed", port)}});
    }
    server_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      if (IsOurs(request)) return httplib::Server::HandlerResponse::Unhandled;
      response.status = 403;
      response.set_content("This server answers pages of its own machine alone.\n", "text/plain");
      return httplib::Server::HandlerResponse::Handled;
    });
    server_.set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (response.body.empty()) response.set_content(fmt::format("{}\n", response.status), "text/plain");
    });
  }

  ~Http() { Stop(); }

  static httplib::Server::Handler Wrap(Handler handler) {
    return [handler = std::move(handler)](const httplib::Request& request, httplib::Response& response) {
      const WebRequest asked{request.path, request.body,
                             [&](const char* name) { return request.get_param_value(name); }};
      const WebResponse answer = handler(asked);
      response.status = answer.status;
      response.set_header("X-Content-Type-Options", "nosniff");
      response.set_header("Referrer-Policy", "no-referrer");
      response.set_header("Cross-Origin-Resource-Policy", "same-origin");
      response.set_header("Cache-Control", "no-store");
      response.set_header("Content-Security-Policy",
                          (answer.policy.empty() ? "default-src 'none'" : answer.policy) + "; frame-ancestors 'none'");
      if (answer.file.empty()) {
        response.set_content(answer.body, answer.type);
      } else {
        SendFile(answer.file, answer.type, &response);
      }
    };
  }

  httplib::Server& server() { return server_; }
  int port() const { return port_; }
  void Start() {
    thread_ = std::thread([this] { server_.listen_after_bind(); });
  }
  void Stop() {
    if (!thread_.joinable()) return;
    // a server that is not listening yet would not hear it
    while (!server_.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    server_.stop();
    thread_.join();
  }

 private:
  bool IsOurs(const httplib::Request& request) const {
    const auto is_here = [&](const std::string& name) {
      return name == fmt::format("{}:{}", kHere, port_) || name == fmt::format("localhost:{}", port_);
    };
    if (request.get_header_value_count("Host") != 1 || !is_here(request.get_header_value("Host"))) return false;
    const std::string origin = request.get_header_value("Origin");
    return origin.empty() || (origin.starts_with("http://") && is_here(origin.substr(7)));
  }

  httplib::Server server_;
  int port_ = -1;
  std::thread thread_;
};

LoopbackServer::LoopbackServer(int port) : http_(std::make_unique<Http>(port)) {}
LoopbackServer::~LoopbackServer() = default;

void LoopbackServer::OnGet(const std::string& pattern, Handler handler) {
  http_->server().Get(pattern, Http::Wrap(std::move(handler)));
}
void LoopbackServer::OnPost(const std::string& pattern, Handler handler) {
  http_->server().Post(pattern, Http::Wrap(std::move(handler)));
}
void LoopbackServer::Start() { http_->Start(); }
void LoopbackServer::Stop() { http_->Stop(); }
int LoopbackServer::port() const { return http_->port(); }
std::string LoopbackServer::address() const { return fmt::format("http://{}:{}/", kHere, port()); }

}  // namespace slipstick::internal
