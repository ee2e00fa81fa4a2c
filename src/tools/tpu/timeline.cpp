// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <variant>

namespace tpu::tools {
namespace {

using isa::Counter;
using isa::Unit;

constexpr std::array kNames = {
#define TPU_ACTIVITY(enumerator, name, color) std::string_view{name},
#include "tools/tpu/activities.def"
};
constexpr std::array kColors = {
#define TPU_ACTIVITY(enumerator, name, color) std::string_view{color},
#include "tools/tpu/activities.def"
};

/// The activity of cycles in which `counter` counts.
struct State {
  Counter counter;
  Activity activity;
};

constexpr std::array kArrayStates = {
    State{Counter::kArrayActive, Activity::kActive},
    State{Counter::kArrayWaitWeights, Activity::kWaitWeights},
    State{Counter::kArrayWeightShift, Activity::kWeightShift},
    State{Counter::kArrayWaitInput, Activity::kWaitInput},
    State{Counter::kArrayWaitDependence, Activity::kWaitDependence},
    State{Counter::kArrayWaitSpace, Activity::kWaitSpace},
    State{Counter::kArrayWaitOther, Activity::kWaitOther},
};
constexpr std::array kLaneStates = {
    State{Counter::kVectorActive, Activity::kActive},
    State{Counter::kVectorStallPort, Activity::kStallPort},
    State{Counter::kVectorStallOperand, Activity::kStallOperand},
    State{Counter::kVectorStallOutput, Activity::kStallOutput},
    State{Counter::kVectorWait, Activity::kWait},
};

Activity StateOf(std::span<const State> states, std::uint32_t events) {
  for (const State& state : states) {
    if (runtime::Counts(events, state.counter)) return state.activity;
  }
  return Activity::kIdle;
}

Activity WaitFor(const std::optional<Wake>& wake) {
  static constexpr unsigned kSemaphoresOfClass = 8;
  static constexpr std::array kClasses = {Activity::kWaitInput, Activity::kWaitDependence,
                                          Activity::kWaitSpace, Activity::kWaitOther};
  return wake ? kClasses.at(wake->semaphore / kSemaphoresOfClass) : Activity::kStarting;
}

/// Why a unit executes nothing. `wake` is the last semaphore that its next instruction gets.
Activity Waiting(Unit unit, std::uint32_t events, const std::optional<Wake>& wake) {
  const auto wait = [&](Counter counter) {
    return runtime::Counts(events, counter) ? WaitFor(wake) : Activity::kIdle;
  };
  switch (unit) {
    case Unit::kLoad:
      return wait(Counter::kLoadWait);
    case Unit::kWeights:
      return wait(Counter::kWeightsWait);
    case Unit::kVector:
      return wait(Counter::kVectorWait);
    case Unit::kStore:
      return wait(Counter::kStoreWait);
    default: {
      const Activity activity = StateOf(kArrayStates, events);
      const bool class_other = wake && WaitFor(wake) == Activity::kWaitOther;
      return activity == Activity::kWaitOther && !class_other ? Activity::kStarting : activity;
    }
  }
}

/// Adds to the slice before when that shows the same.
void Append(Track& track, const Slice& slice) {
  if (slice.cycles == 0) return;
  if (!track.slices.empty()) {
    Slice& last = track.slices.back();
    if (last.activity == slice.activity && last.instruction == slice.instruction) {
      last.cycles += slice.cycles;
      return;
    }
  }
  track.slices.push_back(slice);
}

/// One run of one program.
class ProgramRun {
 public:
  ProgramRun(std::span<const isa::Instruction> program, const runtime::ProgramTrace& trace,
             std::uint32_t first_instruction, std::uint64_t begin)
      : program_(program), trace_(trace), first_instruction_(first_instruction), begin_(begin) {
    for (std::size_t i = 0; i < program.size(); ++i) {
      std::vector<std::size_t>& unit = instructions_.at(UnitOf(i));
      place_.push_back(unit.size());
      unit.push_back(i);
    }
    FindWakes();
  }

  /// The instructions of a unit, and what it did between them.
  void AddUnit(Unit unit, Track& track) const {
    const auto number = static_cast<std::size_t>(unit);
    const std::vector<std::uint64_t>& started = trace_.units.at(number).started;
    Cursor cursor{trace_.events};
    std::uint64_t now = 0;
    for (const std::size_t i : instructions_.at(number)) {
      const std::optional<std::uint32_t> index = first_instruction_ + static_cast<std::uint32_t>(i);
      const std::uint64_t start = std::max(started.at(place_[i]), now);
      AddStates(cursor, start, track, [&](Slice& slice, std::uint32_t events) {
        slice.activity = Waiting(unit, events, wakes_[i]);
        if (slice.activity == Activity::kIdle) return;
        slice.instruction = index;
        slice.wake = wakes_[i];
      });
      now = Completed(i);
      Append(track, {begin_ + start, now - start, Activity::kInstruction, index, {}});
      cursor.Skip(now);
    }
    AddStates(cursor, trace_.cycles, track, [&](Slice& slice, std::uint32_t events) {
      slice.activity = Waiting(unit, events, {});
    });
  }

  void AddStateTrack(std::span<const State> states, Track& track) const {
    Cursor cursor{trace_.events};
    AddStates(cursor, trace_.cycles, track, [&](Slice& slice, std::uint32_t events) {
      slice.activity = StateOf(states, events);
    });
  }

 private:
  /// A place in the trace's events.
  struct Cursor {
    std::span<const runtime::EventRun> runs;
    std::uint64_t now = 0;
    std::uint64_t end_of_run = runs.empty() ? 0 : runs.front().cycles;

    void Skip(std::uint64_t cycle) {
      now = cycle;
      while (!runs.empty() && end_of_run <= now) {
        runs = runs.subspan(1);
        if (!runs.empty()) end_of_run += runs.front().cycles;
      }
    }
  };

  [[nodiscard]] std::size_t UnitOf(std::size_t i) const {
    return static_cast<std::size_t>(isa::UnitOf(isa::OpcodeOf(program_[i])));
  }
  [[nodiscard]] std::uint64_t Completed(std::size_t i) const {
    return trace_.units.at(UnitOf(i)).completed.at(place_[i]);
  }

  /// The k-th wait for a semaphore meets its k-th post (docs/isa.md).
  void FindWakes() {
    std::array<std::vector<std::size_t>, isa::kNumSemaphores> posters;
    for (std::size_t i = 0; i < program_.size(); ++i) {
      for (unsigned s = 0; s < isa::kNumSemaphores; ++s) {
        if ((isa::SemaphoresOf(program_[i]).post >> s & 1U) != 0) posters.at(s).push_back(i);
      }
    }
    std::array<std::size_t, isa::kNumSemaphores> taken{};
    wakes_.resize(program_.size());
    for (std::size_t i = 0; i < program_.size(); ++i) {
      std::uint64_t latest = 0;
      for (unsigned s = 0; s < isa::kNumSemaphores; ++s) {
        if ((isa::SemaphoresOf(program_[i]).wait >> s & 1U) == 0) continue;
        const std::size_t poster = posters.at(s).at(taken.at(s)++);
        if (Completed(poster) <= latest) continue;
        latest = Completed(poster);
        wakes_[i] = Wake{s, first_instruction_ + static_cast<std::uint32_t>(poster)};
      }
    }
  }

  /// Slices from the cursor to cycle `end`, whose activity `describe` tells from the events.
  template <typename Describe>
  void AddStates(Cursor& cursor, std::uint64_t end, Track& track, Describe describe) const {
    while (cursor.now < end && !cursor.runs.empty()) {
      const std::uint64_t stop = std::min(end, cursor.end_of_run);
      Slice slice{.begin = begin_ + cursor.now, .cycles = stop - cursor.now};
      describe(slice, cursor.runs.front().events);
      Append(track, slice);
      cursor.Skip(stop);
    }
  }

  std::span<const isa::Instruction> program_;
  const runtime::ProgramTrace& trace_;
  std::uint32_t first_instruction_;
  std::uint64_t begin_;
  std::array<std::vector<std::size_t>, static_cast<std::size_t>(Unit::kStore) + 1> instructions_;
  std::vector<std::size_t> place_;  ///< Among its unit's instructions, by instruction.
  std::vector<std::optional<Wake>> wakes_;
};

const executable::Layer& LayerOf(const executable::Executable& executable,
                                 std::uint32_t instruction) {
  return executable.layers[executable.layer_of_instruction[instruction]];
}

std::string Title(const executable::Executable& executable, std::uint32_t instruction) {
  const executable::Layer& layer = LayerOf(executable, instruction);
  return layer.name + " " + layer.op;
}

}  // namespace

std::string_view Name(Activity activity) { return kNames.at(static_cast<std::size_t>(activity)); }

std::string Quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::vector<Track> Timeline(const executable::Executable& executable,
                            std::span<const std::vector<isa::Instruction>> programs,
                            const runtime::Course& course, const runtime::InstructionTrace& trace) {
  std::vector<Track> tracks = {{"load", {}},   {"weights", {}}, {"matmul", {}}, {"array", {}},
                               {"vector", {}}, {"lanes", {}},   {"store", {}}};
  std::uint64_t begin = 0;
  const auto steps = executable.DevicePrograms();
  for (std::size_t run = 0; run < course.programs.size(); ++run) {
    const std::uint32_t program = course.programs[run];
    const ProgramRun times(programs[program], trace.at(run), steps[program]->first_instruction,
                           begin);
    times.AddUnit(Unit::kLoad, tracks[0]);
    times.AddUnit(Unit::kWeights, tracks[1]);
    times.AddUnit(Unit::kMatmul, tracks[2]);
    times.AddStateTrack(kArrayStates, tracks[3]);
    times.AddUnit(Unit::kVector, tracks[4]);
    times.AddStateTrack(kLaneStates, tracks[5]);
    times.AddUnit(Unit::kStore, tracks[6]);
    begin += trace[run].cycles;
  }
  return tracks;
}

std::string ChromeTrace(const executable::Executable& executable, std::span<const Track> tracks) {
  std::string text = "{\"traceEvents\": [";
  const auto out = std::back_inserter(text);
  std::string_view separator = "\n";
  for (std::size_t tid = 0; tid < tracks.size(); ++tid) {
    fmt::format_to(out,
                   R"({}{{"name":"thread_name","ph":"M","pid":0,"tid":{},"args":{{"name":{}}}}})",
                   separator, tid, Quoted(tracks[tid].name));
    separator = ",\n";
    for (const Slice& slice : tracks[tid].slices) {
      const bool runs = slice.activity == Activity::kInstruction;
      const std::string name =
          runs ? Title(executable, *slice.instruction) : std::string(Name(slice.activity));
      fmt::format_to(
          out, R"(,{}{{"name":{},"cat":"{}","ph":"X","pid":0,"tid":{},"ts":{},"dur":{},)", "\n",
          Quoted(name), runs ? "instruction" : "state", tid, slice.begin, slice.cycles);
      fmt::format_to(out, R"("cname":"{}","args":{{)",
                     kColors.at(static_cast<std::size_t>(slice.activity)));
      if (slice.instruction) {
        fmt::format_to(out, R"("instruction":{})", *slice.instruction);
        if (!runs)
          fmt::format_to(out, R"(,"of":{})", Quoted(Title(executable, *slice.instruction)));
      }
      if (slice.wake) {
        fmt::format_to(out, R"(,"semaphore":{},"posted by instruction":{},"posted by":{})",
                       slice.wake->semaphore, slice.wake->poster,
                       Quoted(Title(executable, slice.wake->poster)));
      }
      text += "}}";
    }
  }
  text += "\n]}\n";
  return text;
}

}  // namespace tpu::tools
