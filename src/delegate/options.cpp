// SPDX-License-Identifier: Apache-2.0
#include "delegate/options.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "devices/board/board_device.h"
#include "tools/devices.h"
#include "tools/tpu/load.h"
#include "tpu/device.h"

namespace tpu::delegate {

Options ReadOptions(std::span<const char* const> keys, std::span<const char* const> values) {
  using Member = std::string Options::*;
  static constexpr std::array<std::pair<std::string_view, Member>, 5> kMembers = {{
      {"backend", &Options::backend},
      {"config", &Options::config},
      {"device", &Options::device},
      {"report", &Options::report},
      {"rounding", &Options::rounding},
  }};
  Options options;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto* const found =
        std::ranges::find(kMembers, keys[i], &decltype(kMembers)::value_type::first);
    if (found == kMembers.end()) {
      throw Error::Format(
          "option {}: there is none of that name; there are backend, config, device, report, "
          "rounding",
          keys[i]);
    }
    options.*found->second = values[i];
  }
  if (!options.device.empty()) {
    const auto is_machine = [](const std::string& key) {
      return key == "backend" || key == "config";
    };
    if (std::ranges::any_of(keys, is_machine)) {
      throw Error::Format(
          "option device: {} is a backend with its own machine; give neither config nor backend "
          "beside it",
          options.device);
    }
    ReplaceDevice(devices::BoardKind(options.device, {}));
    options.backend = options.config = options.device;
  }
  (void)tools::CompileFlags{.rounding = options.rounding}.Options();
  // What no machine can be is refused here, not when a network is there.
  MakeDevice(options.backend, tools::FindMachine(options.config));
  return options;
}

}  // namespace tpu::delegate
