// A run as a picture: the Chrome trace-event format, which Perfetto and chrome://tracing open.
#pragma once

#include <nlohmann/json.hpp>

#include "isa/executable.h"
#include "runtime/instruction_trace.h"

namespace tpu::tools {

/// One track per unit, one slice per instruction, named by its layer; one cycle is shown as one
/// microsecond. A slice begins when its unit has completed the instruction before it, or when the
/// instruction itself starts, whichever is later. Device programs follow each other.
nlohmann::ordered_json Timeline(const isa::Executable& executable,
                                const runtime::InstructionTrace& trace);

}  // namespace tpu::tools
