// SPDX-License-Identifier: Apache-2.0
// tpu serve: a board's serial line for `tpu run --device tcp:...` at other computers.
#include <fmt/core.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "devices/board/board_device.h"
#include "link/tcp_server.h"
#include "tools/tpu/command.h"

namespace tpu::tools {
namespace {

struct ServeOptions {
  std::string device;
  std::string address = "127.0.0.1";
  unsigned port = 0;
  std::string token;
};

int Run(const ServeOptions& options) {
  const std::unique_ptr<link::DescriptorWire> line = devices::OpenLine(options.device);
  const std::string token = options.token.empty() ? link::RandomToken() : options.token;
  link::TcpServer server(options.address, options.port, token);
  fmt::print("TPU_TOKEN={} tpu run MODEL --device tcp:{}:{}\n", token, options.address,
             server.port());
  while (true) {
    std::fflush(stdout);
    fmt::print("{}\n", server.ServeOne(*line));
    // Throws when it was the line that is gone.
    std::array<std::uint8_t, 4096> late;
    line->Receive(late, std::chrono::milliseconds(0));
  }
}

}  // namespace

void AddServe(CLI::App& app, Action& action) {
  constexpr unsigned kMostPort = 65'535;
  auto options = std::make_shared<ServeOptions>();
  CLI::App& command = *app.add_subcommand("serve", "Serve a board's serial line over TCP");
  command.add_option("--device", options->device, "The board: uart:/dev/ttyUSB0")->required();
  command.add_option("--port", options->port, "Port to listen at; 0: any that is free")
      ->check(CLI::Range(0U, kMostPort))
      ->capture_default_str();
  command
      .add_option(
          "--bind", options->address,
          "Address of this computer to listen at. Whoever reaches it and has the token uses "
          "the board; bytes are not encrypted")
      ->capture_default_str();
  command
      .add_option("--token", options->token,
                  "What clients have to show, which find it in TPU_TOKEN, too; default: random")
      ->envname("TPU_TOKEN");
  command.callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace tpu::tools
