// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>
#include <variant>

#include "base/error.h"
#include "executable/executable_file.h"
#include "host_operators/check.h"
#include "isa/encoding.h"

namespace tpu::executable {
namespace {

// More than any simulated machine can be given; keeps a made-up size from exhausting the host.
constexpr std::uint64_t kMaxMemoryBytes = std::uint64_t{1} << 34;

template <std::size_t kSize>
void RequireOneOf(const char* name, std::uint32_t value,
                  const std::array<std::uint32_t, kSize>& legal) {
  if (std::ranges::find(legal, value) != legal.end()) return;
  throw Error::Format("{} = {}: no machine is built so", name, value);
}

void RequireBetween(const char* name, std::uint32_t value, std::uint32_t least,
                    std::uint32_t most) {
  if (value >= least && value <= most) return;
  throw Error::Format("{} = {} is not between {} and {}", name, value, least, most);
}

void CheckConfig(const isa::HardwareConfig& config) {
  RequireOneOf("N", config.n, std::array{4U, 8U, 16U, 32U, 64U});
  RequireOneOf("AXI_DATA_WIDTH", config.axi_data_width, std::array{32U, 64U, 128U, 256U, 512U});
  RequireBetween("AXI_ADDR_WIDTH", config.axi_addr_width, 32, 64);
  RequireBetween("UB_ROWS", config.ub_rows, 1, 65536);
  RequireBetween("ACC_ROWS", config.acc_rows, 1, 65536);
  RequireBetween("PARAM_ROWS", config.param_rows, 1, 65536);
  RequireBetween("LUT_TABLES", config.lut_tables, 1, 65536);
  RequireBetween("WFIFO_TILES", config.fifo_tiles, 1, 65536);
  RequireBetween("UB_BANKS", config.ub_banks, 1, 65536);
  RequireBetween("WINDOW", config.window, 0, 1);
  RequireBetween("BF16", config.bf16, 0, 1);
  RequireBetween("INT16", config.int16, 0, 1);
  RequireBetween("FLOAT_ROUNDING", config.float_rounding, 0, 1);
  if (!std::has_single_bit(config.requant_lanes) || config.requant_lanes > config.n) {
    throw Error::Format("REQUANT_LANES = {}: no machine of N = {} is built so",
                        config.requant_lanes, config.n);
  }
}

void CheckMemory(const Executable& executable) {
  const unsigned width = executable.config.axi_addr_width;
  const bool beyond_bus = width < 64 && executable.memory_bytes >> width != 0;
  if (executable.memory_bytes > kMaxMemoryBytes || beyond_bus) {
    throw Error::Format("memory of {} bytes is more than the machine reaches",
                        executable.memory_bytes);
  }
}

bool Fits(const Executable& executable, std::uint64_t address, std::uint64_t bytes) {
  return address <= executable.memory_bytes && bytes <= executable.memory_bytes - address;
}

void CheckSegments(const Executable& executable) {
  std::vector<const Segment*> sorted;
  for (const Segment& segment : executable.segments) {
    if (!Fits(executable, segment.address, segment.bytes.size())) {
      throw Error::Format("segment at 0x{:x}: {} bytes are outside the memory of {} bytes",
                          segment.address, segment.bytes.size(), executable.memory_bytes);
    }
    if (!segment.bytes.empty()) sorted.push_back(&segment);
  }
  std::ranges::sort(sorted, {}, [](const Segment* segment) {
    return std::pair(segment->device, segment->address);
  });
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i]->device != sorted[i - 1]->device) continue;
    if (sorted[i]->address - sorted[i - 1]->address >= sorted[i - 1]->bytes.size()) continue;
    throw Error::Format("the segments at 0x{:x} and 0x{:x} overlap", sorted[i - 1]->address,
                        sorted[i]->address);
  }
}

/// The number of elements; throws when it is beyond `limit`.
std::uint64_t Elements(const TensorBinding& tensor, std::uint64_t limit) {
  std::uint64_t elements = 1;
  for (const std::int64_t d : tensor.shape) {
    if (d < 1) throw Error::Format("tensor {}: dimension {}", tensor.name, d);
    if (static_cast<std::uint64_t>(d) > limit / elements) {
      throw Error::Format("tensor {}: it has more elements than the memory has bytes", tensor.name);
    }
    elements *= static_cast<std::uint64_t>(d);
  }
  return elements;
}

void CheckTensor(const Executable& executable, const TensorBinding& tensor) {
  if (tensor.type > ElementType::kUint64) {
    throw Error::Format("tensor {}: unknown element type {}", tensor.name,
                        static_cast<int>(tensor.type));
  }
  Elements(tensor, std::max<std::uint64_t>(executable.memory_bytes, 1));
  if (!Fits(executable, tensor.address, tensor.Bytes())) {
    throw Error::Format("tensor {}: {} bytes at 0x{:x} are outside the memory of {} bytes",
                        tensor.name, tensor.Bytes(), tensor.address, executable.memory_bytes);
  }
}

void CheckStep(const Executable& executable, const DeviceProgram& program) {
  const std::size_t count = Instructions(executable, program).size();
  const std::size_t known = executable.layer_of_instruction.size();
  if (program.first_instruction > known || count > known - program.first_instruction) {
    throw Error::Format("the program at 0x{:x}: instructions {} to {} have no layer",
                        program.address, program.first_instruction,
                        program.first_instruction + count);
  }
}

void CheckStep(const Executable& executable, const HostCall& call) {
  if (call.layer >= executable.layers.size()) {
    throw Error::Format("host call: layer {} does not exist", call.layer);
  }
  for (const auto* tensors : {&call.inputs, &call.outputs}) {
    for (const TensorBinding& tensor : *tensors) CheckTensor(executable, tensor);
  }
  try {
    host_operators::Check(call.attributes, host_operators::OperandsOf(call.inputs),
                          host_operators::OperandsOf(call.outputs));
  } catch (const Error& error) {
    throw Error::Format("host call for layer {} ({}): {}", executable.layers[call.layer].name,
                        executable.layers[call.layer].op, error.what());
  }
}

void CheckDecision(const Executable& executable, const TensorBinding& condition,
                   std::uint32_t layer) {
  if (layer >= executable.layers.size()) {
    throw Error::Format("branch or loop: layer {} does not exist", layer);
  }
  CheckTensor(executable, condition);
  if (condition.type == ElementType::kBool && condition.Bytes() == 1) return;
  throw Error::Format("layer {} ({}): its condition {} is not one bool",
                      executable.layers[layer].name, executable.layers[layer].op, condition.name);
}

void CheckStep(const Executable& executable, const Branch& branch) {
  CheckDecision(executable, branch.condition, branch.layer);
}

void CheckStep(const Executable& executable, const Loop& loop) {
  CheckDecision(executable, loop.condition, loop.layer);
}

// Branches and loops lie inside each other, not too deep: the session runs them so.
void CheckNesting(const Executable& executable) {
  std::vector<std::size_t> ends = {executable.steps.size()};  // Of the regions around a step.
  const auto enter = [&](std::size_t step, std::uint64_t first, std::uint64_t second) {
    if (first + second > ends.back() - step - 1) {
      throw Error::Format("step {}: it decides on {} steps, {} are behind it", step, first + second,
                          ends.back() - step - 1);
    }
    ends.push_back(step + 1 + first + second);
    ends.push_back(step + 1 + first);
    if (ends.size() > 2 * std::size_t{kMostNesting} + 1) {
      throw Error::Format("step {}: more than {} branches and loops lie inside each other", step,
                          kMostNesting);
    }
  };
  for (std::size_t step = 0; step < executable.steps.size(); ++step) {
    while (ends.back() == step) ends.pop_back();
    if (const auto* branch = std::get_if<Branch>(&executable.steps[step])) {
      enter(step, branch->then_steps, branch->else_steps);
    } else if (const auto* loop = std::get_if<Loop>(&executable.steps[step])) {
      enter(step, loop->condition_steps, loop->body_steps);
    }
  }
}

void CheckState(const Executable& executable, const State& state) {
  CheckTensor(executable, state.before);
  CheckTensor(executable, state.after);
  if (state.before.Bytes() == state.after.Bytes() && state.before.Bytes() == state.initial.size()) {
    return;
  }
  throw Error::Format("state {}: {} bytes before a run, {} after, {} at first", state.before.name,
                      state.before.Bytes(), state.after.Bytes(), state.initial.size());
}

void CheckLayersOfInstructions(const Executable& executable) {
  const std::vector<std::uint32_t>& layers = executable.layer_of_instruction;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (layers[i] >= executable.layers.size()) {
      throw Error::Format("instruction {}: layer {} does not exist", i, layers[i]);
    }
  }
}

}  // namespace

void Validate(const Executable& executable) {
  CheckConfig(executable.config);
  CheckMemory(executable);
  CheckSegments(executable);
  CheckLayersOfInstructions(executable);
  for (const TensorBinding& tensor : executable.inputs) CheckTensor(executable, tensor);
  for (const TensorBinding& tensor : executable.outputs) CheckTensor(executable, tensor);
  for (const State& state : executable.states) CheckState(executable, state);
  for (const Step& step : executable.steps) {
    std::visit([&](const auto& s) { CheckStep(executable, s); }, step);
  }
  CheckNesting(executable);
}

std::vector<isa::Instruction> Instructions(const Executable& executable,
                                           const DeviceProgram& program) {
  const std::uint64_t bytes = std::uint64_t{program.granules} * isa::kGranuleBytes;
  if (program.address % isa::kGranuleBytes != 0) {
    throw Error::Format("the program at 0x{:x}: its address is not a multiple of {}",
                        program.address, isa::kGranuleBytes);
  }
  if (bytes == 0) return {};
  for (const Segment& segment : executable.segments) {
    if (segment.device != program.device || program.address < segment.address) continue;
    const std::uint64_t offset = program.address - segment.address;
    if (offset > segment.bytes.size() || bytes > segment.bytes.size() - offset) continue;
    return isa::DecodeProgram(std::span(segment.bytes).subspan(offset, bytes));
  }
  throw Error::Format("the program at 0x{:x}: its {} bytes lie in no segment", program.address,
                      bytes);
}

std::vector<std::vector<isa::Instruction>> Programs(const Executable& executable) {
  std::vector<std::vector<isa::Instruction>> programs;
  for (const DeviceProgram* program : executable.DevicePrograms()) {
    programs.push_back(Instructions(executable, *program));
  }
  return programs;
}

}  // namespace tpu::executable
