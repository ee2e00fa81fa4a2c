// SPDX-License-Identifier: Apache-2.0
// The RTL, simulated, as a device: a Verilated tpu_top with a memory behind its AXI port.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "runtime/device.h"
#include "runtime/instruction_trace.h"
#include "tb/axi_memory.h"

namespace tpu::devices {

struct RtlOptions {
  /// Cycles from an accepted read address to the first beat, and from the last write beat to its
  /// response unless response_latency says otherwise.
  unsigned memory_latency = 64;
  std::optional<unsigned> response_latency;
  /// Makes the memory pause at random on every channel, as often as `stalls` says, and answer IDs
  /// interleaved.
  std::optional<std::uint64_t> stall_seed;
  tb::AxiStalls stalls = {.ar = 0.2, .r = 0.2, .aw = 0.2, .w = 0.2, .b = 0.2};
  /// The memory raises READY only after VALID (tb/axi_memory.h).
  bool ready_after_valid = false;
  /// Checks both bus ports in every cycle against the rules of AXI4 (tb/axi_protocol_checker.h,
  /// tb/axil_protocol_checker.h).
  bool check_protocol = true;
  /// Seed of the values that memories and registers without reset start with (models built without
  /// FAST).
  std::uint64_t reset_seed = 1;
  /// FST file to write, if the model was built with TRACE; empty: as the environment variable
  /// TPU_WAVE says (tb/wave.h).
  std::string wave_file;
};

/// Machine time passes only in register accesses and in WaitForInterrupt. All functions throw
/// tpu::Error when an RTL assertion stops the simulation or the bus checker finds a broken rule.
class RtlDevice : public runtime::Device, public runtime::Tracing {
 public:
  /// Clock cycles since the reset.
  [[nodiscard]] virtual std::uint64_t cycles() const = 0;
  /// Level of the interrupt output.
  [[nodiscard]] virtual bool irq() const = 0;
  /// Lets `cycles` cycles pass.
  virtual void Advance(std::uint64_t cycles) = 0;

  /// The n-th read beat (write response) from now, counting from 0, answers with `response`.
  virtual void FailReadBeat(std::uint64_t n, tb::AxiResponse response) = 0;
  virtual void FailWriteResponse(std::uint64_t n, tb::AxiResponse response) = 0;
  /// Every beat at addresses begin .. end - 1, rounded outwards to beats, answers with `response`
  /// and writes nothing.
  virtual void FailRange(std::uint64_t begin, std::uint64_t end, tb::AxiResponse response) = 0;
  /// Undoes the three above.
  virtual void ForgetFaults() = 0;
  /// The memory neither accepts nor answers anything any more.
  virtual void StopAnswering(bool stop) = 0;
  /// The same on one channel only, until StopAnswering(false).
  virtual void StopChannel(tb::AxiChannel channel) = 0;
  /// The memory answers what it has accepted and not answered `cycles` cycles from now at the
  /// earliest, and later requests with other IDs before that.
  virtual void DelayUnanswered(std::uint64_t cycles) = 0;
  /// The memory never answers what it has accepted and not answered.
  virtual void ForgetUnanswered() = 0;
  /// Pulses the machine's reset; the memory keeps its bytes and forgets all bursts.
  virtual void HardReset() = 0;
};

// MakeN16 and so on, a factory for each machine of machines.def; link tpu_sim_<library> for the one
// that you call.
using RtlFactory = std::unique_ptr<RtlDevice>(const RtlOptions& options);
#define TPU_MACHINE(id, ...) RtlFactory Make##id;
#include "devices/rtl/machines.def"
RtlFactory MakeN16Trace;  ///< N16 with waveforms.

}  // namespace tpu::devices
