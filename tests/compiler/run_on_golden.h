// SPDX-License-Identifier: Apache-2.0
// Compiled networks on the golden model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "executable/executable.h"
#include "golden/machine.h"
#include "host_kernels/kernels.h"

namespace tpu::compiler {

inline void CallHost(const executable::HostCall& call, std::vector<std::uint8_t>& memory) {
  const auto place = [&](const executable::TensorBinding& tensor) {
    return memory.begin() + static_cast<std::ptrdiff_t>(tensor.address);
  };
  std::vector<host_kernels::Bytes> inputs;
  for (const executable::TensorBinding& input : call.inputs) {
    inputs.emplace_back(place(input), place(input) + static_cast<std::ptrdiff_t>(input.Bytes()));
  }
  const std::vector<host_kernels::Bytes> outputs = host_kernels::Run(call, inputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::ranges::copy(outputs[i], place(call.outputs[i]));
  }
}

/// The values of a tensor's bytes.
template <typename T>
std::vector<T> ValuesOf(const std::vector<std::uint8_t>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// The bytes of the outputs, for these values of the inputs. Throws when the machine stops with an
/// error.
template <typename T>
std::vector<std::vector<std::uint8_t>> RunOnGolden(const executable::Executable& executable,
                                                   const std::vector<std::vector<T>>& inputs) {
  std::vector<std::uint8_t> memory(executable.memory_bytes, 0xAA);
  const auto at = [&](std::uint64_t address) {
    return memory.begin() + static_cast<std::ptrdiff_t>(address);
  };
  for (const executable::Segment& segment : executable.segments) {
    std::copy(segment.bytes.begin(), segment.bytes.end(), at(segment.address));
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::memcpy(&*at(executable.inputs[i].address), inputs[i].data(), inputs[i].size() * sizeof(T));
  }
  golden::Machine machine(executable.config, memory);
  for (const executable::Step& step : executable.steps) {
    const auto* program = std::get_if<executable::DeviceProgram>(&step);
    if (program == nullptr) {
      CallHost(std::get<executable::HostCall>(step), memory);
      continue;
    }
    const golden::RunResult result = machine.Run(program->address, program->granules);
    if (result.error != isa::ErrorCode::kNone) {
      throw Error::Format("instruction {}: {}", result.instruction, result.message);
    }
  }
  std::vector<std::vector<std::uint8_t>> outputs;
  for (const executable::TensorBinding& output : executable.outputs) {
    outputs.emplace_back(at(output.address),
                         at(output.address) + static_cast<std::ptrdiff_t>(output.Bytes()));
  }
  return outputs;
}

}  // namespace tpu::compiler
