// SPDX-License-Identifier: Apache-2.0
#include "compiler/link/link.h"

#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "isa/encoding.h"

namespace tpu::compiler {
namespace {

// Legalisation and tiling keep to what the fields hold: a value that does not fit is their mistake.
void Encode(const SequentialInstruction& instruction, const std::vector<executable::Layer>& layers,
            std::vector<std::uint8_t>& bytes) {
  try {
    isa::Encode(instruction.instruction, bytes);
  } catch (const Error& error) {
    const executable::Layer& layer = layers[instruction.layer];
    throw InternalError("{} ({}) became an instruction that does not exist: {}", layer.name,
                        layer.op, error.what());
  }
}

executable::DeviceProgram LinkProgram(const SequentialProgram& program, Memory& memory,
                                      executable::Executable& executable) {
  const auto first = static_cast<std::uint32_t>(executable.layer_of_instruction.size());
  std::vector<std::uint8_t> bytes;
  for (const SequentialInstruction& instruction : program) {
    Encode(instruction, executable.layers, bytes);
    executable.layer_of_instruction.push_back(instruction.layer);
  }
  const executable::DeviceProgram step = {
      .address = memory.Allocate(bytes.size()),
      .granules = static_cast<std::uint32_t>(bytes.size() / isa::kGranuleBytes),
      .first_instruction = first};
  executable.segments.push_back({.address = step.address, .bytes = std::move(bytes)});
  return step;
}

}  // namespace

executable::Executable Link(SequentialNetwork network) {
  executable::Executable executable;
  executable.config = network.config;
  executable.layers = std::move(network.layers);
  executable.segments = std::move(network.constants);
  executable.states = std::move(network.states);
  for (auto& step : network.steps) {
    std::visit(
        [&](auto& part) {
          if constexpr (std::is_same_v<std::decay_t<decltype(part)>, SequentialProgram>) {
            executable.steps.emplace_back(LinkProgram(part, network.memory, executable));
          } else {
            executable.steps.emplace_back(std::move(part));
          }
        },
        step);
  }
  executable.memory_bytes = network.memory.Bytes();
  return executable;
}

}  // namespace tpu::compiler
