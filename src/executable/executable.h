// SPDX-License-Identifier: Apache-2.0
// An executable, which a compiler makes and a runtime loads: the steps of a network, the constants
// that the steps need, and the addresses of inputs and outputs. Devices are numbered from 0. Each
// device has a memory of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "host_operators/host_operators.h"
#include "isa/hardware_config.h"
#include "tpu/tensor.h"

namespace tpu::executable {

/// Bytes to place in memory before the first run.
struct Segment {
  std::uint64_t address = 0;
  std::vector<std::uint8_t> bytes;
  std::uint32_t device = 0;  ///< Whose memory it is.
};

/// A tensor in memory: row-major (NHWC), contiguous, little-endian. Integers stand for the real
/// value scale * (q - zero_point).
struct TensorBinding {
  std::string name;
  std::uint64_t address = 0;
  std::vector<std::int64_t> shape;
  ElementType type = ElementType::kInt8;
  float scale = 1.0F;
  std::int32_t zero_point = 0;
  std::uint32_t device = 0;  ///< Whose memory it is.
  [[nodiscard]] std::uint64_t Bytes() const {
    auto bytes = static_cast<std::uint64_t>(ElementBytes(type));
    for (const std::int64_t d : shape) bytes *= static_cast<std::uint64_t>(d);
    return bytes;
  }
};

/// The instructions that one operator of the graph became. Instructions of neighbouring operators
/// may interleave, so each instruction names its layer.
struct Layer {
  std::string name;
  std::string op;
  std::uint64_t macs = 0;  ///< Multiply-accumulates of the operator itself, without padding to N.
  bool host = false;       ///< Runs on the host.
};

/// A program for the device.
struct DeviceProgram {
  std::uint64_t address = 0;  ///< A multiple of 64.
  std::uint32_t granules = 0;
  std::uint32_t first_instruction = 0;  ///< Place of its instruction 0 in layer_of_instruction.
  std::uint32_t device = 0;             ///< Which device runs it, from its own memory.
};

/// An operator that the host runs, on tensors in the memory of devices.
struct HostCall {
  host_operators::Attributes attributes;
  std::uint32_t layer = 0;  ///< Index into `layers`.
  std::vector<TensorBinding> inputs;
  std::vector<TensorBinding> outputs;
  bool single_rounding = false;
};

/// The host decides which steps run: the next `then_steps` ones when the condition, one bool, is
/// true, else the `else_steps` ones behind them.
struct Branch {
  TensorBinding condition;
  std::uint32_t layer = 0;  ///< Index into `layers`.
  std::uint32_t then_steps = 0;
  std::uint32_t else_steps = 0;
};

/// The next `condition_steps` steps make the condition, one bool. As long as they make true, the
/// `body_steps` ones behind them run, and then again those that make the condition.
struct Loop {
  TensorBinding condition;
  std::uint32_t layer = 0;  ///< Index into `layers`.
  std::uint32_t condition_steps = 0;
  std::uint32_t body_steps = 0;
};

/// Each step ends before the next one begins.
using Step = std::variant<DeviceProgram, HostCall, Branch, Loop>;

/// The most branches and loops inside each other.
inline constexpr int kMostNesting = 32;

/// What a run takes over from the run before: the bytes of `after` at the end of a run are those of
/// `before` at the beginning of the next one.
struct State {
  TensorBinding before;
  TensorBinding after;
  std::vector<std::uint8_t> initial;  ///< Of `before` in the first run.
};

struct Executable {
  HardwareConfig config;          ///< The machine it was compiled for; all devices are such.
  std::vector<Segment> segments;  ///< Programs and constants; do not overlap.
  std::vector<Step> steps;
  /// Memory used of each device, from address 0: segments, tensors, scratch.
  std::uint64_t memory_bytes = 0;
  std::vector<TensorBinding> inputs;
  std::vector<TensorBinding> outputs;
  std::vector<State> states;
  std::vector<Layer> layers;
  /// Index into `layers`, by instruction index; one program's instructions after the other's.
  std::vector<std::uint32_t> layer_of_instruction;

  [[nodiscard]] std::uint64_t Macs() const {
    std::uint64_t macs = 0;
    for (const Layer& layer : layers) macs += layer.macs;
    return macs;
  }
  /// The device programs among the steps, in their order.
  [[nodiscard]] std::vector<const DeviceProgram*> DevicePrograms() const {
    std::vector<const DeviceProgram*> programs;
    for (const Step& step : steps) {
      if (const auto* program = std::get_if<DeviceProgram>(&step)) programs.push_back(program);
    }
    return programs;
  }
  /// How many devices a run needs: one more than the largest number that occurs.
  [[nodiscard]] std::uint64_t Devices() const;
};

inline std::uint64_t Executable::Devices() const {
  std::uint32_t last = 0;
  const auto note = [&last](const auto& part) { last = std::max(last, part.device); };
  std::ranges::for_each(segments, note);
  std::ranges::for_each(inputs, note);
  std::ranges::for_each(outputs, note);
  for (const State& state : states) {
    note(state.before);
    note(state.after);
  }
  const auto note_step = [&note](const auto& step) {
    if constexpr (requires { step.inputs; }) {
      std::ranges::for_each(step.inputs, note);
      std::ranges::for_each(step.outputs, note);
    } else if constexpr (requires { step.condition; }) {
      note(step.condition);
    } else {
      note(step);
    }
  };
  for (const Step& step : steps) std::visit(note_step, step);
  return std::uint64_t{last} + 1;
}

}  // namespace tpu::executable
