// SPDX-License-Identifier: Apache-2.0
// The golden model: what a program means, executed one instruction at a time in program order
// (docs/isa.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "golden/state.h"
#include "isa/hardware_config.h"
#include "isa/instruction.h"

namespace tpu::golden {

/// How a program ended. When `error` is not kNone, the other fields are those of the ERROR
/// registers and a message.
struct RunResult {
  isa::ErrorCode error = isa::ErrorCode::kNone;
  isa::Unit unit = isa::Unit::kFrontend;
  std::uint32_t instruction = 0;
  std::string message;
};

/// A machine without time. Of several errors in a program it reports the first in program order;
/// hardware, whose units run ahead of each other, may meet another one first.
class Machine {
 public:
  /// `memory` is what the bus reaches from address 0 on: reads outside are BUS_READ, writes
  /// BUS_WRITE. It must outlive the machine and may be resized between runs. Throws tpu::Error when
  /// N is not a supported array size.
  Machine(const isa::HardwareConfig& config, std::vector<std::uint8_t>& memory);

  /// Runs the program of `granules` * 64 bytes at `program_address` until its end or its first
  /// error. Throws tpu::Error when the address is not a multiple of 64.
  RunResult Run(std::uint64_t program_address, std::uint32_t granules);

  /// Buffers and parameters; zero at first, kept from run to run. Accesses outside throw Fault.
  [[nodiscard]] State& state() { return state_; }

 private:
  State state_;
};

}  // namespace tpu::golden
