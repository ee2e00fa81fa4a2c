// The compiler's front door.
#pragma once

#include <cstdint>

#include "compiler/graph.h"
#include "isa/executable.h"
#include "isa/hardware_config.h"

namespace tpu::compiler {

/// TensorFlow Lite's two builds: double rounding is its default, single is TFLITE_SINGLE_ROUNDING.
enum class Rounding : std::uint8_t { kDouble, kSingle };

struct CompileOptions {
  Rounding rounding = Rounding::kDouble;
};

/// Compiles a network for one machine. Throws tpu::Error naming the operator and the tensor for
/// anything that is malformed or that the machine cannot run.
isa::Executable Compile(const Graph& graph, const isa::HardwareConfig& config,
                        const CompileOptions& options = {});

}  // namespace tpu::compiler
