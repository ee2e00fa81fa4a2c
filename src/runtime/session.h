// SPDX-License-Identifier: Apache-2.0
// Running a compiled program on a device.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "executable/executable.h"
#include "isa/instruction.h"
#include "isa/registers.h"
#include "runtime/device.h"
#include "tpu/run.h"

namespace tpu::runtime {

/// Hardware counters by isa::Counter. All zero on a device that does not count cycles.
using Counters = std::array<std::uint64_t, isa::kNumCounters>;

inline std::uint64_t Count(const Counters& counters, isa::Counter counter) {
  return counters[static_cast<std::size_t>(counter)];
}

/// Reads all counters; meaningful when no program runs.
Counters ReadCounters(Device& device);

/// Sum of the exclusive categories in which the array's time is counted; equals the cycles of the
/// run.
std::uint64_t ArrayCycles(const Counters& counters);

/// The machine stopped a program with an error.
class DeviceError : public Error {
 public:
  /// `device` is what messages call the device.
  DeviceError(const std::string& device, isa::ErrorCode code, isa::Unit unit, std::uint32_t index,
              std::string layer);

  [[nodiscard]] isa::ErrorCode code() const { return code_; }
  [[nodiscard]] isa::Unit unit() const { return unit_; }
  /// Index of the instruction, counting from 0.
  [[nodiscard]] std::uint32_t index() const { return index_; }
  /// The layer the instruction belongs to; empty when the executable does not say.
  [[nodiscard]] const std::string& layer() const { return layer_; }

 private:
  isa::ErrorCode code_;
  isa::Unit unit_;
  std::uint32_t index_;
  std::string layer_;
};

using tpu::RunOptions;

/// What a run did. Branches and loops decide that while it runs.
struct Course {
  /// The programs that ran, in this order, as indices into Executable::DevicePrograms.
  std::vector<std::uint32_t> programs;
  /// Useful multiply-accumulates of each layer: of one as often as its first program ran.
  std::vector<std::uint64_t> layer_macs;
};

/// A run in which each program runs once, in their order.
Course OnceThrough(const executable::Executable& executable);

/// What a run cost: the sum of its device programs.
struct RunReport {
  std::uint64_t macs = 0;      ///< Useful multiply-accumulates, of all layers.
  std::uint64_t cycles = 0;    ///< From start to done; 0 on a device that does not count.
  std::uint64_t clock_hz = 0;  ///< Cycles in a second; 0 where they take no time of their own.
  /// Wall-clock time from start to done: without operators of the host, and without the cycles of a
  /// simulation in which the host accesses registers.
  double seconds = 0.0;
  Counters counters{};
  Course course;
};

/// An executable loaded into the memory of its devices. It stays loaded from one Run to the next;
/// the devices and the executable must outlive the session.
class Session {
 public:
  /// Places the constants and the programs in memory. Device i of the executable is `devices[i]`;
  /// devices that the executable does not need are left alone. Throws tpu::Error when there are
  /// too few devices, when two are the same, and when one is not the machine that the executable
  /// was compiled for.
  Session(std::span<Device* const> devices, const executable::Executable& executable);
  /// On one device.
  Session(Device& device, const executable::Executable& executable);

  /// Writes one input tensor, int8 in the order of its binding's shape. Throws tpu::Error when
  /// there is no such input, it is not int8, or the size differs.
  void SetInput(std::string_view name, std::span<const std::int8_t> values);

  /// The same with an input's bytes, whatever its type, by its place in executable.inputs.
  void SetInputBytes(std::size_t index, std::span<const std::uint8_t> bytes);

  /// Runs the steps. Throws DeviceError when the machine reports an error.
  RunReport Run(const RunOptions& options = {});

  /// What runs take over from each other is again as it was before the first run.
  void ResetStates();

  /// Reads one output tensor, int8 in the order of its binding's shape. Throws tpu::Error when
  /// there is no such output or it is not int8.
  [[nodiscard]] std::vector<std::int8_t> Output(std::string_view name) const;

  /// The bytes of an output, whatever its type, by its place in executable.outputs.
  [[nodiscard]] std::vector<std::uint8_t> OutputBytes(std::size_t index) const;

 private:
  class Steps;
  void RunProgram(const executable::DeviceProgram& program, const RunOptions& options,
                  RunReport& report);
  void WriteStates();
  void ReadStates();
  void RunOnHost(const executable::HostCall& call);
  [[nodiscard]] std::vector<std::uint8_t> Read(const executable::TensorBinding& tensor) const;
  void WaitForEnd(Device& device, const RunOptions& options, std::uint64_t cycles_before);
  [[noreturn]] void ThrowDeviceError(const executable::DeviceProgram& program);
  [[nodiscard]] Device& DeviceOf(const auto& part) const { return *devices_[part.device]; }

  std::vector<Device*> devices_;
  const executable::Executable& executable_;
  std::vector<std::vector<std::uint8_t>> states_;  // Which the next run takes over.
};

}  // namespace tpu::runtime
