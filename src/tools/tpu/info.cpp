// SPDX-License-Identifier: Apache-2.0
// tpu info: what this build knows.
#include <fmt/core.h>

#include "executable/executable_file.h"
#include "isa/registers.h"
#include "tools/format.h"
#include "tools/tpu/command.h"
#include "tools/tpu/machines.h"

namespace tpu::tools {
namespace {

int Run() {
  constexpr std::string_view kColumns =
      "{:<8}{:>5}{:>10}{:>10}{:>12}{:>13}{:>8}{:>15}{:>10}{:>12}\n";
  fmt::print("interface version {}.{}, .tpu format version {}\n", isa::kVersionValue >> 16,
             isa::kVersionValue & 0xFFFF, executable_file::kFormatVersion);
  fmt::print("backends: rtl (Verilated, memory latency {} cycles), golden (no time)\n\n",
             sim::RtlOptions{}.memory_latency);
  fmt::print(kColumns, "machine", "N", "UB_ROWS", "ACC_ROWS", "PARAM_ROWS", "WFIFO_TILES", "WINDOW",
             "REQUANT_LANES", "AXI bits", "MACs/cycle");
  for (const sim::Machine& m : Machines()) {
    fmt::print(kColumns, m.name, m.config.n, Grouped(m.config.ub_rows), Grouped(m.config.acc_rows),
               Grouped(m.config.param_rows), m.config.fifo_tiles, m.config.window,
               m.config.requant_lanes, m.config.axi_data_width,
               Grouped(std::uint64_t{m.config.n} * m.config.n));
  }
  return kDone;
}

}  // namespace

void AddInfo(CLI::App& app, Action& action) {
  CLI::App& command = *app.add_subcommand("info", "List versions, backends and machines");
  command.callback([&action] { action = [] { return Run(); }; });
}

}  // namespace tpu::tools
