// SPDX-License-Identifier: Apache-2.0
// tpu info: what this build knows.
#include <fmt/core.h>

#include <array>
#include <string>
#include <utility>

#include "executable/executable_file.h"
#include "isa/registers.h"
#include "tools/devices.h"
#include "tools/format.h"
#include "tools/tpu/command.h"

namespace tpu::tools {
namespace {

std::string Abilities(const DeviceAbilities& abilities) {
  const std::array<std::pair<bool, const char*>, 4> all = {{{abilities.time, "time"},
                                                            {abilities.trace, "trace"},
                                                            {abilities.waves, "waves"},
                                                            {abilities.faults, "faults"}}};
  std::string text;
  for (const auto& [has, name] : all) {
    if (has) text += (text.empty() ? "" : ", ") + std::string(name);
  }
  return text.empty() ? "none" : text;
}

int Run() {
  constexpr std::string_view kColumns =
      "{:<8}{:>5}{:>10}{:>10}{:>12}{:>13}{:>8}{:>15}{:>10}{:>12}\n";
  fmt::print("interface version {}.{}, .tpu format version {}\n", isa::kVersionValue >> 16,
             isa::kVersionValue & 0xFFFF, executable::kFormatVersion);
  for (const DeviceKind& kind : DeviceKinds()) {
    fmt::print("backend {}: {}; abilities: {}\n", kind.name, kind.description,
               Abilities(kind.abilities));
  }
  fmt::print("\n");
  fmt::print(kColumns, "machine", "N", "UB_ROWS", "ACC_ROWS", "PARAM_ROWS", "WFIFO_TILES", "WINDOW",
             "REQUANT_LANES", "AXI bits", "MACs/cycle");
  for (const NamedMachine& m : Machines()) {
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
