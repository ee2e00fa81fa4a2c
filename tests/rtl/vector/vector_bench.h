// SPDX-License-Identifier: Apache-2.0
// tpu_vector between models of the unified buffer's and the accumulators' ports.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <random>
#include <vector>

#include "tb/dut.h"
#include "vector_model.h"

namespace tpu::vector_test {

inline constexpr std::uint32_t kUbRows = 1024;
inline constexpr std::uint32_t kAccRows = 256;
inline constexpr std::uint32_t kParamRows = 16;

/// The instruction as the front end hands it over.
std::array<std::uint32_t, 32> Encode(const isa::Vector& instruction);

/// Probability that each port grants, and that a command is offered, in a cycle.
struct Rates {
  double command = 1;
  double a = 1;
  double b = 1;
  double c = 1;
  double acc = 1;
};

/// What happened during a run.
struct Log {
  std::vector<std::uint32_t> a_reads;
  std::vector<std::uint64_t> a_read_cycles;
  std::vector<std::uint32_t> b_reads;
  std::vector<std::uint32_t> c_reads;
  std::vector<Write> writes;
  std::vector<std::uint64_t> write_cycles;
  std::vector<std::uint64_t> accept_cycles;
  std::vector<std::uint64_t> done_cycles;
  /// Writes accepted before the cycle of each `done`.
  std::vector<std::size_t> writes_at_done;
  std::uint64_t active = 0;
  std::uint64_t stall_port = 0;
  std::uint64_t stall_operand = 0;
  std::uint64_t stall_output = 0;
};

template <typename Model, std::size_t kN, bool kColumns = true, std::uint64_t kRowCycles = 1>
class Bench {
 public:
  static constexpr std::size_t kLanes = kN;
  /// The unit does 3 x 3 windows column by column.
  static constexpr bool kWindow = kColumns;
  /// Output rows keep at least so many cycles apart.
  static constexpr std::uint64_t kRequantLanes = kRowCycles;

  explicit Bench(std::uint64_t seed) : dut_(seed), rng_(seed) {
    dut_->cmd_valid = 0;
    dut_->halt = 0;
    dut_->va_rd_ready = 0;
    dut_->vb_rd_ready = 0;
    dut_->vc_rd_ready = 0;
    dut_->acc_rd_ready = 0;
    dut_->param_wr_valid = 0;
    dut_->lut_wr_valid = 0;
    dut_.Reset();
  }

  tb::Dut<Model>& dut() { return dut_; }
  Memories& memories() { return memories_; }
  Log& log() { return log_; }
  void set_rates(const Rates& rates) { rates_ = rates; }
  /// Of the streams that want the same of four banks the first wins, as in the unified buffer.
  void set_banked(bool banked) { banked_ = banked; }
  /// What is written can be read.
  void set_remembers(bool remembers) { remembers_ = remembers; }
  /// Besides, before all others a reader takes the next bank in every cycle, as the array does.
  void set_array_reads(bool reads) { array_reads_ = reads; }

  /// Fills the memories at random and loads parameters and tables through the unit's ports.
  void FillMemories() {
    memories_.ub.assign(kUbRows, std::vector<std::int8_t>(kN));
    for (auto& row : memories_.ub) {
      for (auto& byte : row) byte = static_cast<std::int8_t>(rng_());
    }
    memories_.acc.assign(kAccRows, std::vector<std::int32_t>(kN));
    for (auto& row : memories_.acc) {
      for (auto& word : row) word = RandomWord();
    }
    for (auto& table : memories_.luts) {
      for (auto& byte : table) byte = static_cast<std::int8_t>(rng_());
    }
    memories_.params.assign(kParamRows, {});
    for (auto& entry : memories_.params) {
      for (std::size_t i = 0; i < kN; ++i) {
        entry.bias.push_back(RandomWord());
        entry.multiplier.push_back(static_cast<std::int32_t>((rng_() & 0x3FFFFFFF) | 0x40000000));
        entry.shift.push_back(static_cast<std::int8_t>(
            rng_() % 4 == 0 ? static_cast<int>(rng_() % 46) - 31 : -static_cast<int>(rng_() % 30)));
      }
    }
    LoadTables();
  }

  void LoadTables() {
    for (std::uint32_t e = 0; e < kParamRows; ++e) {
      std::vector<std::uint8_t> bytes(9 * kN);
      std::memcpy(bytes.data(), memories_.params[e].bias.data(), 4 * kN);
      std::memcpy(bytes.data() + 4 * kN, memories_.params[e].multiplier.data(), 4 * kN);
      std::memcpy(bytes.data() + 8 * kN, memories_.params[e].shift.data(), kN);
      for (std::uint8_t chunk = 0; chunk < 9; ++chunk) {
        dut_->param_wr_valid = 1;
        dut_->param_wr_entry = static_cast<std::uint8_t>(e);
        dut_->param_wr_chunk = chunk;
        SetPort(dut_->param_wr_data, bytes.data() + chunk * kN, kN);
        dut_.Tick();
      }
    }
    dut_->param_wr_valid = 0;
    for (std::uint32_t i = 0; i < 2048; ++i) {
      dut_->lut_wr_valid = 1;
      dut_->lut_wr_addr = static_cast<std::uint16_t>(i);
      dut_->lut_wr_data = static_cast<std::uint8_t>(memories_.luts[i / 256][i % 256]);
      dut_.Tick();
    }
    dut_->lut_wr_valid = 0;
  }

  /// A unit without FVECTOR takes every instruction as a VECTOR, whatever its opcode.
  void Queue(const isa::Vector& instruction, std::uint32_t index) {
    std::array<std::uint32_t, 32> bits = Encode(instruction);
    if (rng_() % 2 == 0) {
      bits[0] ^= static_cast<std::uint32_t>(isa::Opcode::kVector) ^
                 static_cast<std::uint32_t>(isa::Opcode::kFvector);
    }
    commands_.push_back({bits, index});
  }
  /// An instruction as bytes of a program.
  void Queue(const std::vector<std::uint8_t>& bytes, std::uint32_t index) {
    std::array<std::uint32_t, 32> bits{};
    std::memcpy(bits.data(), bytes.data(), std::min(bytes.size(), sizeof(bits)));
    commands_.push_back({bits, index});
  }

  /// Runs instructions with so many steps each. In each cycle in which one has a step to issue
  /// there is one event. From an instruction's acceptance, from the last step of the one before and
  /// from the end of its wait for a configuration bank it takes `first_step` cycles to its first
  /// step.
  void ExpectAnEventInEachCycle(const std::vector<std::uint64_t>& steps, std::uint64_t first_step) {
    std::size_t issuing = 0;
    std::uint64_t left = steps.front();
    std::uint64_t from = 0;
    while (log_.done_cycles.size() < steps.size()) {
      const std::uint64_t cycle = dut_.cycles();
      const Log before = {.active = log_.active, .stall_output = log_.stall_output};
      const std::uint64_t events = Events();
      ASSERT_LT(cycle, 1000000U);
      Cycle();
      if (issuing < log_.accept_cycles.size() &&
          cycle >= std::max(from, log_.accept_cycles[issuing]) + first_step) {
        ASSERT_EQ(Events() - events, 1U) << "instruction " << issuing << ", cycle " << cycle;
      }
      if (log_.stall_output != before.stall_output) from = cycle;
      if (log_.active == before.active || --left != 0) continue;
      from = cycle;
      if (++issuing < steps.size()) left = steps[issuing];
    }
  }

  /// One cycle of reset in the middle of whatever goes on.
  void ResetNow() {
    ClearCommands();
    dut_->cmd_valid = 0;
    dut_->halt = 0;
    dut_.Reset(1);
    log_ = {};
    failed_ = halted_ = false;
    EXPECT_EQ(dut_->cmd_ready, 1) << "right after a reset";
  }

  void ClearCommands() {
    commands_.clear();
    offering_ = false;
  }

  /// Runs until `dones` instructions have completed, or an error is reported; fails after
  /// `max_cycles`.
  void Run(std::size_t dones, std::uint64_t max_cycles = 200000) {
    for (std::uint64_t i = 0; i < max_cycles; ++i) {
      if (log_.done_cycles.size() >= dones || dut_->err_valid) return;
      Cycle();
    }
    FAIL() << fmt::format("no end after {} cycles: {} of {} instructions done", max_cycles,
                          log_.done_cycles.size(), dones);
  }

  void Cycle() {
    PresentData(dut_->va_rd_data, a_data_, kN);
    PresentData(dut_->vb_rd_data, b_data_, kN);
    PresentData(dut_->vc_rd_data, c_data_, kN);
    PresentData(dut_->acc_rd_data, acc_data_, 4 * kN);
    if (!commands_.empty() && (offering_ || Chance(rates_.command))) {
      offering_ = true;
      SetPort(dut_->cmd, commands_.front().bits.data(), sizeof(dut_->cmd));
      dut_->cmd_index = commands_.front().index;
    }
    dut_->cmd_valid = offering_ ? 1 : 0;
    // Nobody writes tables now, whatever the ports show.
    dut_->param_wr_entry = static_cast<std::uint8_t>(rng_() % kParamRows);
    dut_->param_wr_chunk = static_cast<std::uint8_t>(rng_() % 9);
    dut_->lut_wr_addr = static_cast<std::uint16_t>(rng_() % 2048);
    dut_->lut_wr_data = static_cast<std::uint8_t>(rng_());
    dut_->va_rd_ready = Chance(rates_.a) ? 1 : 0;
    dut_->vb_rd_ready = Chance(rates_.b) ? 1 : 0;
    dut_->vc_rd_ready = Chance(rates_.c) ? 1 : 0;
    dut_->acc_rd_ready = Chance(rates_.acc) ? 1 : 0;
    dut_.Eval();
    if (banked_) {
      RefuseTakenBanks();
      dut_.Eval();
    }
    Observe();
    dut_.Tick();
  }

 private:
  [[nodiscard]] std::uint64_t Events() const {
    return log_.active + log_.stall_port + log_.stall_operand + log_.stall_output;
  }

  struct Command {
    std::array<std::uint32_t, 32> bits;
    std::uint32_t index;
  };
  // Data of reads granted one to three cycles ago; an empty row is no read.
  using Delay = std::array<std::vector<std::uint8_t>, 3>;

  template <typename Port>
  static void SetPort(Port& port, const void* bytes, std::size_t size) {
    std::memcpy(static_cast<void*>(&port), bytes, size);
  }

  // Read data is there for one cycle only: in all others the port carries noise.
  template <typename Port>
  void PresentData(Port& port, Delay& delay, std::size_t size) {
    std::vector<std::uint8_t>& oldest = delay.back();
    if (oldest.empty()) {
      oldest.resize(size);
      for (auto& byte : oldest) byte = static_cast<std::uint8_t>(rng_());
    }
    SetPort(port, oldest.data(), size);
    std::shift_right(delay.begin(), delay.end(), 1);
    delay[0].clear();
  }

  template <typename T>
  static std::vector<std::uint8_t> Bytes(const std::vector<T>& row) {
    std::vector<std::uint8_t> bytes(row.size() * sizeof(T));
    std::memcpy(bytes.data(), row.data(), bytes.size());
    return bytes;
  }

  void RefuseTakenBanks() {
    std::array<bool, 4> taken{};
    if (array_reads_) taken[dut_.cycles() % 4] = true;
    const auto arbitrate = [&](bool valid, std::uint32_t row, auto& ready) {
      if (!valid) return;
      if (taken[row % 4]) ready = 0;
      taken[row % 4] = true;
    };
    arbitrate(dut_->va_rd_valid, dut_->va_rd_row, dut_->va_rd_ready);
    arbitrate(dut_->vb_rd_valid, dut_->vb_rd_row, dut_->vb_rd_ready);
    arbitrate(dut_->vc_rd_valid, dut_->vc_rd_row, dut_->vc_rd_ready);
  }

  bool Chance(double rate) { return std::bernoulli_distribution(rate)(rng_); }

  std::int32_t RandomWord() {
    constexpr std::array kExtremes = {std::int32_t{0}, std::int32_t{1}, std::int32_t{-1}, INT32_MAX,
                                      INT32_MIN};
    if (rng_() % 16 == 0) return kExtremes[rng_() % kExtremes.size()];
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(rng_())) >> (rng_() % 32);
  }

  // A step that fails is no step, and neither a failed nor a halted unit does anything.
  void CheckStops() {
    const int reads =
        dut_->va_rd_valid + dut_->vb_rd_valid + dut_->vc_rd_valid + dut_->acc_rd_valid;
    const int events =
        dut_->ev_active + dut_->ev_stall_port + dut_->ev_stall_operand + dut_->ev_stall_output;
    if (dut_->err_valid || halted_) {
      ASSERT_EQ(dut_->cmd_ready, 0);
      ASSERT_EQ(reads, 0);
      ASSERT_EQ(events, 0);
    }
    if (!dut_->busy) {
      ASSERT_EQ(reads, 0);
      ASSERT_EQ(events, 0);
    }
    if (dut_->err_valid && !failed_) {
      ASSERT_EQ(events_before_, 0) << "in the cycle that found the error";
    }
    failed_ = dut_->err_valid != 0;
    halted_ = dut_->halt != 0;
    events_before_ = events;
  }

  void Observe() {
    CheckStops();
    ASSERT_EQ(dut_->busy != 0, log_.accept_cycles.size() > log_.done_cycles.size());
    if (dut_->cmd_valid && dut_->cmd_ready) {
      log_.accept_cycles.push_back(dut_.cycles());
      commands_.pop_front();
      offering_ = false;
    }
    ASSERT_FALSE(dut_->va_rd_valid && dut_->acc_rd_valid);
    if (dut_->va_rd_valid && dut_->va_rd_ready) {
      GrantA(dut_->va_rd_row);
      a_data_[0] = Bytes(memories_.ub[dut_->va_rd_row]);
    }
    if (dut_->acc_rd_valid && dut_->acc_rd_ready) {
      GrantA(dut_->acc_rd_row);
      acc_data_[0] = Bytes(memories_.acc[dut_->acc_rd_row]);
    }
    if (dut_->vb_rd_valid && dut_->vb_rd_ready) {
      log_.b_reads.push_back(dut_->vb_rd_row);
      b_data_[0] = Bytes(memories_.ub[dut_->vb_rd_row]);
    }
    if (dut_->vc_rd_valid && dut_->vc_rd_ready) {
      log_.c_reads.push_back(dut_->vc_rd_row);
      c_data_[0] = Bytes(memories_.ub[dut_->vc_rd_row]);
    }
    if (dut_->vo_wr_valid) {
      if (!log_.write_cycles.empty()) {
        ASSERT_GE(dut_.cycles() - log_.write_cycles.back(), kRequantLanes);
      }
      log_.write_cycles.push_back(dut_.cycles());
      Write write{dut_->vo_wr_row, std::vector<std::int8_t>(kN)};
      std::memcpy(write.bytes.data(), static_cast<const void*>(&dut_->vo_wr_data), kN);
      if (remembers_) memories_.ub[write.row] = write.bytes;
      log_.writes.push_back(std::move(write));
    }
    if (dut_->done) {
      log_.done_cycles.push_back(dut_.cycles());
      log_.writes_at_done.push_back(log_.writes.size());
    }
    ASSERT_LE(
        dut_->ev_active + dut_->ev_stall_port + dut_->ev_stall_operand + dut_->ev_stall_output, 1);
    log_.active += dut_->ev_active;
    log_.stall_port += dut_->ev_stall_port;
    log_.stall_operand += dut_->ev_stall_operand;
    log_.stall_output += dut_->ev_stall_output;
  }

  void GrantA(std::uint32_t row) {
    log_.a_reads.push_back(row);
    log_.a_read_cycles.push_back(dut_.cycles());
  }

  tb::Dut<Model> dut_;
  std::mt19937_64 rng_;
  Memories memories_;
  bool remembers_ = false;
  Rates rates_;
  bool banked_ = false;
  bool array_reads_ = false;
  bool offering_ = false;
  // In the cycle before: an error stood, the front end halted the unit, and how many events there
  // were.
  bool failed_ = false;
  bool halted_ = false;
  int events_before_ = 0;
  std::deque<Command> commands_;
  Delay a_data_;
  Delay b_data_;
  Delay c_data_;
  Delay acc_data_;
  Log log_;
};

}  // namespace tpu::vector_test
