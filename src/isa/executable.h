// What a compiler makes and a runtime loads: a program, the constants it needs, and where its
// inputs and outputs lie.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/hardware_config.h"

namespace tpu::isa {

/// Bytes to place in memory before the first run.
struct Segment {
  std::uint64_t address = 0;
  std::vector<std::uint8_t> bytes;
};

/// An input or output tensor in memory: int8, row-major (NHWC), contiguous.
struct TensorBinding {
  std::string name;
  std::uint64_t address = 0;
  std::vector<std::int64_t> shape;
  [[nodiscard]] std::uint64_t Bytes() const {
    std::uint64_t bytes = 1;
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
};

struct Executable {
  HardwareConfig config;              ///< The machine it was compiled for.
  std::vector<Segment> segments;      ///< Program and constants; do not overlap.
  std::uint64_t program_address = 0;  ///< A multiple of 64.
  std::uint32_t program_granules = 0;
  std::uint64_t memory_bytes = 0;  ///< Memory used, from address 0: segments, tensors, scratch.
  std::vector<TensorBinding> inputs;
  std::vector<TensorBinding> outputs;
  std::vector<Layer> layers;
  std::vector<std::uint32_t> layer_of_instruction;  ///< Index into `layers`, by instruction index.

  [[nodiscard]] std::uint64_t Macs() const {
    std::uint64_t macs = 0;
    for (const Layer& layer : layers) macs += layer.macs;
    return macs;
  }
};

}  // namespace tpu::isa
