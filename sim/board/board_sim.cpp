// SPDX-License-Identifier: Apache-2.0
// tpu_board_sim: a simulated board at a pseudo-terminal, for `tpu run --device`.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "Vtpu_board_N4.h"
#include "Vtpu_board_N8_shared.h"
#ifdef TPU_LITEX
#include "Vboard_soc_ecpix5_N4.h"
#include "Vboard_soc_ecpix5_N8_shared.h"
#include "Vboard_soc_ulx3s_N4.h"
#include "Vboard_soc_ulx3s_N8_shared.h"
#endif
#ifdef TPU_NETLIST
#include "Vboard_netlist.h"
#endif
#include "base/error.h"
#include "sim/board/board.h"
#include "sim/board/terminal.h"

namespace tpu::sim {
namespace {

volatile std::sig_atomic_t ended = 0;

extern "C" void OnEnd(int) { ended = 1; }

struct Options {
  std::string board = "N4";
  std::string link;
  std::uint64_t faults = 0;
  std::uint64_t seed = 1;
  std::uint64_t reset_at = 0;
};

/// Loses, doubles or flips one byte of many.
class FaultyLine {
 public:
  explicit FaultyLine(const Options& options) : one_of_(options.faults), random_(options.seed) {}

  template <typename Deliver>
  void Carry(std::uint8_t byte, const Deliver& deliver) {
    const std::uint64_t kind = one_of_ == 0 || random_() % one_of_ != 0 ? 0 : 1 + random_() % 3;
    ++bytes_;
    if (kind != 0) ++faults_;
    if (kind == 1) return;
    deliver(kind == 2 ? static_cast<std::uint8_t>(byte ^ (1 + random_() % 255)) : byte);
    if (kind == 3) deliver(byte);
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t faults() const { return faults_; }

 private:
  std::uint64_t one_of_;
  std::mt19937_64 random_;
  std::uint64_t bytes_ = 0;
  std::uint64_t faults_ = 0;
};

template <typename B>
std::unique_ptr<Board> Make(std::uint64_t seed) {
  return std::make_unique<B>(seed);
}

/// By the name of the machine in fpga/configs.json; with LiteX around it behind the board's name;
/// what yosys makes of one of these (`make netlist-sim`).
const std::map<std::string, std::unique_ptr<Board> (*)(std::uint64_t)> kBoards = {
    {"N4", Make<SimulatedBoard<Vtpu_board_N4>>},
    {"N8-shared", Make<SimulatedBoard<Vtpu_board_N8_shared>>},
#ifdef TPU_LITEX
    {"ecpix5-N4", Make<SimulatedSoc<Vboard_soc_ecpix5_N4>>},
    {"ecpix5-N8-shared", Make<SimulatedSoc<Vboard_soc_ecpix5_N8_shared>>},
    {"ulx3s-N4", Make<SimulatedSoc<Vboard_soc_ulx3s_N4>>},
    {"ulx3s-N8-shared", Make<SimulatedSoc<Vboard_soc_ulx3s_N8_shared>>},
#endif
#ifdef TPU_NETLIST
    {"netlist", Make<SimulatedNetlist<Vboard_netlist>>},
#endif
};

/// The board runs while there are bytes on the line, or a request waits for it. A host asks again
/// every 65536 cycles while it waits for a program; after a few times that without a byte nobody is
/// there, and the simulation rests.
void Simulate(Board& board, Terminal& terminal, const Options& options) {
  constexpr unsigned kCyclesBetweenReads = 256;
  constexpr unsigned kRest = 300'000;
  constexpr int kRestMilliseconds = 100;
  FaultyLine to_board(options);
  FaultyLine to_host(options);
  std::array<std::uint8_t, 1024> bytes;
  for (unsigned quiet = 0; ended == 0;) {
    if (quiet > kRest) terminal.WaitForBytes(kRestMilliseconds);
    if (board.line().waiting() < bytes.size()) {
      const std::size_t count = terminal.Read(bytes);
      for (std::size_t i = 0; i < count; ++i) {
        to_board.Carry(bytes[i], [&](std::uint8_t byte) { board.line().Send(byte); });
        if (to_board.bytes() == options.reset_at) board.Reset();
      }
      if (count > 0) quiet = 0;
    }
    if (quiet > kRest) continue;
    for (unsigned i = 0; i < kCyclesBetweenReads; ++i) {
      const auto sent = board.Tick();
      if (!sent) continue;
      to_host.Carry(*sent, [&](std::uint8_t byte) { terminal.Write(byte); });
      quiet = 0;
    }
    quiet = board.line().Idle() ? quiet + kCyclesBetweenReads : 0;
  }
  fmt::print("{} bytes to the board, {} to the host, {} faults\n", to_board.bytes(),
             to_host.bytes(), to_board.faults() + to_host.faults());
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Simulates a board whose serial line is a pseudo-terminal, and prints how `tpu` is called "
      "with "
      "it. When it is ended, it prints how many bytes and faults there were.",
      "tpu_board_sim");
  app.add_option("--board", options.board, "Machine of fpga/configs.json, or a board with it")
      ->check(CLI::IsMember(kBoards))
      ->capture_default_str();
  app.add_option("--link", options.link, "Symbolic link to the terminal, to be made");
  app.add_option("--faults", options.faults,
                 "Lose, double or flip one byte of so many, in both directions; 0: none")
      ->capture_default_str();
  app.add_option("--seed", options.seed,
                 "Seed of the faults, and of what a netlist's registers start with")
      ->capture_default_str();
  app.add_option("--reset-at", options.reset_at,
                 "Reset the board when so many bytes were sent to it; 0: never")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  struct sigaction action {};
  action.sa_handler = OnEnd;
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);

  const std::unique_ptr<Board> board = kBoards.at(options.board)(options.seed);
  Terminal terminal(options.link);
  // The simulation carries some thousand bytes a second; hosts wait accordingly. A netlist is
  // slower, and gets the lowest speed that hosts know.
  const unsigned bits_per_second = options.board == "netlist" ? 9'600 : 19'200;
  fmt::print("tpu run MODEL --device uart:{}@{}\n", terminal.name(), bits_per_second);
  std::fflush(stdout);
  Simulate(*board, terminal, options);
  return 0;
}

}  // namespace
}  // namespace tpu::sim

int main(int argc, char** argv) {
  try {
    return tpu::sim::Main(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tpu_board_sim: {}\n", error.what());
    return 2;
  }
}
