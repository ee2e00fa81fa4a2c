// SPDX-License-Identifier: Apache-2.0
// Control between a memory and five units that only pretend to work. Checks, in every cycle,
// what each unit is given against the program and a model of the semaphores.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <random>
#include <span>
#include <vector>

#include "isa/encoding.h"
#include "tb/dut.h"

namespace tpu {

/// The formats of the machine that a model's front end belongs to.
template <typename Model>
inline constexpr isa::Formats kFormats = {};

inline constexpr std::size_t kUnits = 5;
enum UnitIndex : std::uint8_t { kLd, kWt, kMm, kVx, kSt };

/// How memory and units behave.
struct Timing {
  unsigned latency = 8;  ///< Cycles from an accepted burst to its first beat.
  double ar_ready = 1;   ///< Probabilities per cycle.
  double r_valid = 1;
  double cmd_ready = 1;
  unsigned capacity = 4;  ///< Instructions that a unit has in flight at most.
  unsigned max_work = 1;  ///< Cycles from start to done: 1 .. max_work at random.
};

template <typename Model>
class ControlBench {
 public:
  static constexpr std::size_t kBeat = sizeof(Model::r_data);

  /// What a pretended unit is doing and was given.
  struct UnitState {
    struct Work {
      std::size_t instruction;
      std::uint64_t due;
    };
    std::deque<std::size_t> expected;  ///< Instructions still to come, by index.
    std::deque<Work> inflight;
    std::size_t started = 0;
    std::size_t completed = 0;
    bool blocked = false;  ///< Takes nothing.
    bool stuck = false;    ///< Completes nothing.
  };

  explicit ControlBench(std::uint64_t seed = 1, const Timing& timing = {})
      : dut(seed), timing_(timing), rng_(seed) {
    Idle();
    dut.Reset();
  }

  /// Puts the program into memory at `base` and starts it, as one of `granules` granules if that is
  /// not 0. Instructions up to the first illegal one are expected.
  void Start(const std::vector<std::uint8_t>& program, std::uint64_t base = 0x10000,
             std::uint32_t granules = 0) {
    Expect(program);
    base_ = base;
    memory_ = program;
    dut->prog_addr = static_cast<decltype(Model::prog_addr + 0)>(base);
    dut->prog_granules =
        granules != 0 ? granules : static_cast<std::uint32_t>(program.size() / isa::kGranuleBytes);
    dut->start = 1;
    Cycle();
    dut->start = 0;
  }
  void Start(const std::vector<isa::Instruction>& program, std::uint64_t base = 0x10000) {
    Start(isa::EncodeProgram(program), base);
  }

  /// Runs until `condition()` or for `limit` cycles; returns whether the condition came.
  template <typename Condition>
  bool Until(Condition condition, int limit) {
    for (int i = 0; i < limit && !::testing::Test::HasFatalFailure(); ++i) {
      if (condition()) return true;
      Cycle();
    }
    return condition();
  }
  bool UntilDone(int limit) {
    return Until([this] { return dut->program_done != 0; }, limit);
  }
  bool UntilError(int limit = 2000) {
    return Until([this] { return dut->error_valid != 0; }, limit);
  }
  void Run(int cycles) {
    Until([] { return false; }, cycles);
  }

  /// Core reset: units and memory forget what they were doing.
  void Reset() {
    Idle();
    for (UnitState& unit : units) unit = {};
    semaphores_.fill(0);
    beats_.clear();
    dut.Reset();
  }

  void Cycle() {
    DriveInputs();
    dut.Eval();
    CheckUnits();
    SampleRequest();
    halted_cycles_ = dut->halt != 0 ? halted_cycles_ + 1 : 0;
    failed_ = dut->error_valid != 0;
    dut.Tick();
    ++cycle_;
  }

  void ExpectError(isa::ErrorCode code, isa::Unit unit, std::uint32_t index) {
    ASSERT_TRUE(UntilError());
    EXPECT_EQ(isa::Name(static_cast<isa::ErrorCode>(dut->error_code)), isa::Name(code));
    EXPECT_EQ(isa::Name(static_cast<isa::Unit>(dut->error_unit)), isa::Name(unit));
    EXPECT_EQ(dut->error_index, index);
    EXPECT_EQ(dut->program_done, 0);
  }

  /// The bit of a unit on one of the buses.
  [[nodiscard]] static bool Of(std::size_t unit, std::uint8_t bus) {
    return (bus >> unit & 1) != 0;
  }
  static void Set(std::size_t unit, std::uint8_t& bus, bool value) {
    bus = static_cast<std::uint8_t>((bus & ~(1U << unit)) | (value ? 1U : 0U) << unit);
  }
  void SetError(std::size_t unit, std::uint8_t code, std::uint32_t index) {
    Set(unit, dut->err_valid, true);
    dut->err_code = (dut->err_code & ~(0xFU << 4 * unit)) | std::uint32_t{code} << 4 * unit;
    dut->err_index[unit] = index;
  }
  [[nodiscard]] std::uint64_t cycle() const { return cycle_; }
  [[nodiscard]] std::size_t bursts() const { return bursts_; }
  /// No burst is requested or unanswered.
  [[nodiscard]] bool Drained() { return dut->ar_valid == 0 && beats_.empty(); }
  /// The beat at this address answers with an error.
  void FailAt(std::uint64_t address) { bad_address_ = address; }
  void SetCmdReady(double rate) { timing_.cmd_ready = rate; }
  void SetArReady(double rate) { timing_.ar_ready = rate; }

  tb::Dut<Model> dut;
  std::array<UnitState, kUnits> units;

 private:
  struct Beat {
    std::uint64_t due;
    std::uint64_t address;
    bool last;
  };

  bool Chance(double probability) { return std::bernoulli_distribution(probability)(rng_); }

  void Idle() {
    dut->start = 0;
    dut->halt = 0;
    dut->ar_ready = 0;
    dut->r_valid = 0;
    dut->cmd_ready = 0;
    dut->done = 0;
    dut->err_valid = 0;
    dut->err_code = 0;
    pending_request_ = false;
    halted_cycles_ = 0;
    failed_ = false;
  }

  void Expect(const std::vector<std::uint8_t>& program) {
    instructions_.clear();
    std::span<const std::uint8_t> rest(program);
    while (!rest.empty()) {
      const auto decoded = isa::Decode(rest, kFormats<Model>);
      if (!std::holds_alternative<isa::Decoded>(decoded)) break;
      const auto& [instruction, granules] = std::get<isa::Decoded>(decoded);
      const std::size_t unit =
          static_cast<std::size_t>(isa::UnitOf(isa::OpcodeOf(instruction))) - 1;
      units[unit].expected.push_back(instructions_.size());
      std::vector<std::uint8_t> bytes(rest.begin(), rest.begin() + 64 * granules);
      instructions_.push_back({std::move(bytes), isa::SemaphoresOf(instruction)});
      rest = rest.subspan(64 * granules);
    }
    semaphores_.fill(0);
  }

  void DriveInputs() {
    dut->ar_ready = Chance(timing_.ar_ready) ? 1 : 0;
    dut->r_valid = 0;
    if (!beats_.empty() && beats_.front().due <= cycle_ && Chance(timing_.r_valid)) DriveBeat();
    for (std::size_t u = 0; u < kUnits; ++u) {
      UnitState& unit = units[u];
      const bool room = unit.inflight.size() < timing_.capacity && !unit.blocked;
      Set(u, dut->cmd_ready, room && Chance(timing_.cmd_ready));
      Set(u, dut->done,
          !unit.stuck && !unit.inflight.empty() && unit.inflight.front().due <= cycle_);
    }
  }

  void DriveBeat() {
    const Beat beat = beats_.front();
    beats_.pop_front();
    std::array<std::uint8_t, kBeat> data{};
    const bool inside = beat.address >= base_ && beat.address - base_ + kBeat <= memory_.size();
    if (inside) std::memcpy(data.data(), memory_.data() + (beat.address - base_), kBeat);
    std::memcpy(static_cast<void*>(&dut->r_data), data.data(), kBeat);
    dut->r_valid = 1;
    dut->r_resp = !inside ? 3 : beat.address == bad_address_ ? 2 : 0;
    dut->r_last = beat.last ? 1 : 0;
  }

  void SampleRequest() {
    const std::uint64_t address = dut->ar_addr;
    const std::uint64_t bytes = (std::uint64_t{dut->ar_len} + 1) * kBeat;
    if (pending_request_) {
      ASSERT_TRUE(dut->ar_valid) << "withdrawn request";
      ASSERT_EQ(address, pending_address_);
    } else if (dut->ar_valid) {
      // A halt holds from the next cycle on, and a request shows a cycle after the decision.
      ASSERT_LT(halted_cycles_, 2) << "new request while halted";
      ASSERT_FALSE(failed_) << "new request behind an error";
      ASSERT_EQ(address % 64, 0U);
      ASSERT_EQ(bytes % 64, 0U);
      ASSERT_EQ(address / 4096, (address + bytes - 1) / 4096) << "burst crosses 4 KiB";
    }
    pending_request_ = dut->ar_valid != 0 && dut->ar_ready == 0;
    pending_address_ = address;
    if (dut->ar_valid == 0 || dut->ar_ready == 0) return;
    ++bursts_;
    for (std::uint64_t offset = 0; offset < bytes; offset += kBeat) {
      beats_.push_back({cycle_ + timing_.latency, address + offset, offset + kBeat == bytes});
    }
    ASSERT_LE(beats_.size() * kBeat, 32 * isa::kGranuleBytes) << "fetches without bound";
  }

  void CheckUnits() {
    for (std::size_t u = 0; u < kUnits; ++u) {
      UnitState& unit = units[u];
      ASSERT_EQ(Of(u, dut->inflight), !unit.inflight.empty());
      if (Of(u, dut->done)) {
        Post(instructions_[unit.inflight.front().instruction].semaphores.post);
        unit.inflight.pop_front();
        ++unit.completed;
      }
      ASSERT_EQ(Of(u, dut->starts), Of(u, dut->cmd_valid) && Of(u, dut->cmd_ready));
      if (Of(u, dut->starts)) CheckStart(u);
    }
    // Posts of this cycle count from the next one on.
    for (std::size_t s = 0; s < semaphores_.size(); ++s) {
      semaphores_[s] += posted_[s];
      posted_[s] = 0;
    }
    if (dut->program_done != 0 && dut->start == 0) {
      for (const UnitState& unit : units) {
        ASSERT_TRUE(unit.expected.empty() && unit.inflight.empty()) << "done too early";
      }
    }
  }

  void CheckStart(std::size_t u) {
    UnitState& unit = units[u];
    ASSERT_LT(halted_cycles_, 1) << "start while halted";
    ASSERT_EQ(dut->error_valid, 0) << "start behind an error";
    ASSERT_FALSE(unit.expected.empty()) << "unit " << u << " is given too much";
    const std::size_t index = unit.expected.front();
    unit.expected.pop_front();
    const Expected& expected = instructions_[index];
    ASSERT_EQ(dut->cmd_index[u], index);
    // On the bus up to the highest field of all instructions.
    constexpr std::size_t kCmdWords = sizeof(Model::cmd) / 4 / kUnits;
    std::array<std::uint32_t, 32> words{};
    std::memcpy(words.data(), expected.bytes.data(), expected.bytes.size());
    ASSERT_TRUE(std::equal(words.begin(), words.begin() + kCmdWords, &dut->cmd[kCmdWords * u]))
        << "instruction " << index << " has other bytes";
    for (unsigned s = 0; s < isa::kNumSemaphores; ++s) {
      if ((expected.semaphores.wait >> s & 1) == 0) continue;
      ASSERT_GT(semaphores_[s], 0U) << "instruction " << index << " starts before semaphore " << s;
      --semaphores_[s];
    }
    const std::uint64_t work = 1 + rng_() % timing_.max_work;
    unit.inflight.push_back({index, cycle_ + work});
    ++unit.started;
  }

  void Post(std::uint32_t mask) {
    for (unsigned s = 0; s < isa::kNumSemaphores; ++s) posted_[s] += mask >> s & 1;
  }

  struct Expected {
    std::vector<std::uint8_t> bytes;
    isa::Semaphores semaphores;
  };

  Timing timing_;
  std::mt19937_64 rng_;
  std::vector<Expected> instructions_;
  std::array<std::uint32_t, isa::kNumSemaphores> semaphores_{};
  std::array<std::uint32_t, isa::kNumSemaphores> posted_{};
  std::vector<std::uint8_t> memory_;
  std::uint64_t base_ = 0;
  std::uint64_t bad_address_ = ~std::uint64_t{0};
  std::deque<Beat> beats_;
  std::size_t bursts_ = 0;
  std::uint64_t cycle_ = 0;
  bool pending_request_ = false;
  std::uint64_t pending_address_ = 0;
  int halted_cycles_ = 0;  ///< Cycles before this one in which `halt` was high
  bool failed_ = false;    ///< `error_valid` was high in the cycle before this one
};

}  // namespace tpu
