// SPDX-License-Identifier: Apache-2.0
// A run as a picture: what each unit did when, and what it waited for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "executable/executable.h"
#include "isa/instruction.h"
#include "runtime/instruction_trace.h"
#include "runtime/session.h"

namespace tpu::tools {

/// The kinds of slices.
enum class Activity : std::uint8_t {
#define TPU_ACTIVITY(enumerator, name, color) enumerator,
#include "tools/tpu/activities.def"
};

inline constexpr std::size_t kNumActivities = static_cast<std::size_t>(Activity::kIdle) + 1;

/// As it is shown: "wait input".
std::string_view Name(Activity activity);

/// A semaphore that an instruction took, and who posted it.
struct Wake {
  unsigned semaphore = 0;
  std::uint32_t poster = 0;  ///< Index of the instruction in the executable.
};

/// Some cycles on end on one track.
struct Slice {
  std::uint64_t begin = 0;  ///< Cycles of the run before it.
  std::uint64_t cycles = 0;
  Activity activity = Activity::kIdle;
  /// The instruction that runs or waits, counted through the executable's programs.
  std::optional<std::uint32_t> instruction;
  /// For a wait: the last semaphore that came, where it is known.
  std::optional<Wake> wake;
};

/// Slices follow each other without gap from the first cycle of the run to the last.
struct Track {
  std::string_view name;
  std::vector<Slice> slices;
};

/// A track per unit, with its instructions and, between them, what it waited for; below matmul and
/// vector one with the state that the hardware counters give the array and the lanes. An
/// instruction begins when its unit has completed the one before it or when it starts, whichever is
/// later. Device programs follow each other as in the course of the run. `programs` has the
/// instructions of each.
std::vector<Track> Timeline(const executable::Executable& executable,
                            std::span<const std::vector<isa::Instruction>> programs,
                            const runtime::Course& course, const runtime::InstructionTrace& trace);

/// The tracks in the Chrome trace-event format, which Perfetto and chrome://tracing open. One cycle
/// is shown as one microsecond.
std::string ChromeTrace(const executable::Executable& executable, std::span<const Track> tracks);

/// `text` as a JSON string, in ASCII; bytes that are not UTF-8 are replaced.
std::string Quoted(std::string_view text);

}  // namespace tpu::tools
