// SPDX-License-Identifier: Apache-2.0
// The host interface with an AXI4-Lite master and a core that only pretends to run.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>

#include "Vtpu_host.h"
#include "isa/instruction.h"
#include "isa/registers.h"
#include "tb/axil_protocol_checker.h"
#include "tb/dut.h"

namespace tpu {

/// Cycles that every start keeps the core in reset.
inline constexpr int kCoreResetCycles = 4;

/// What the core does after `start`.
struct CoreScript {
  std::optional<std::uint64_t> done_after;   ///< Cycles from start to program_done.
  std::optional<std::uint64_t> error_after;  ///< Cycles from start to error_valid.
  std::uint64_t drain = 10;                  ///< Cycles from halt to all_drained.
  bool progress = true;                      ///< Something moves in every cycle.
};

class HostBench {
 public:
  /// Probabilities per cycle that the master drives a valid, or a ready.
  struct Master {
    double valid = 1;
    double ready = 1;
  };

  explicit HostBench(std::uint64_t seed = 1) : HostBench(seed, Master{}) {}
  HostBench(std::uint64_t seed, Master master) : dut(seed), master_(master), rng_(seed) {
    dut->s_axil_awvalid = dut->s_axil_wvalid = dut->s_axil_bready = 0;
    dut->s_axil_arvalid = dut->s_axil_rready = 0;
    dut->program_done = dut->error_valid = dut->all_drained = 0;
    dut->wait_valid = 0;
    dut->queued = dut->waiting = dut->inflight = dut->starts = dut->done = 0;
    dut->wait_class = 0;
    dut->mm_active = dut->mm_pad = dut->mm_wait_weights = dut->mm_weight_shift = 0;
    dut->vx_active = dut->vx_stall_port = dut->vx_stall_operand = dut->vx_stall_output = 0;
    dut->fe_beat = dut->ld_beat = dut->wt_beat = dut->st_beat = 0;
    Reset();
  }

  void Reset() {
    dut.Reset();
    checker_.SampleReset();
    // No request may stand at the first edge after reset.
    Tick();
  }
  /// One cycle of reset in the middle of whatever goes on.
  void ResetNow() {
    dut->s_axil_awvalid = dut->s_axil_wvalid = dut->s_axil_arvalid = 0;
    dut->s_axil_bready = dut->s_axil_rready = 0;
    since_start_.reset();
    halted_for_ = 0;
    dut.Reset(1);
    checker_.SampleReset();
  }
  /// One clock cycle in which the core does nothing.
  void Tick() {
    dut.Eval();
    checker_.Sample();
    dut.Tick();
  }

  /// One cycle of the core.
  void Cycle() {
    dut.Eval();
    if (dut->core_rst) {
      since_start_.reset();
      halted_for_ = 0;
      ++resets;
    } else if (dut->start) {
      since_start_ = 0;
      ++starts;
    } else if (since_start_) {
      ++*since_start_;
    }
    halted_for_ = dut->halt ? halted_for_ + 1 : 0;
    Tick();
    const auto reached = [this](const std::optional<std::uint64_t>& after) {
      return !dut->core_rst && since_start_ && after && *since_start_ >= *after;
    };
    dut->program_done = reached(script.done_after) ? 1 : 0;
    dut->error_valid = reached(script.error_after) ? 1 : 0;
    dut->all_drained = halted_for_ >= script.drain ? 1 : 0;
    dut->starts = script.progress ? 1 : 0;
    dut.Eval();
  }
  void Run(int cycles) {
    for (int i = 0; i < cycles; ++i) Cycle();
  }

  std::uint32_t Read(std::uint32_t offset) {
    Wait(master_.valid);
    dut->s_axil_araddr = offset & 0xFFF;
    dut->s_axil_arprot = static_cast<std::uint8_t>(rng_() % 8);  // Makes no difference
    dut->s_axil_arvalid = 1;
    while (!Handshake([this] { return dut->s_axil_arready != 0; })) {
    }
    dut->s_axil_arvalid = 0;
    dut->s_axil_araddr = 0xABC;
    std::uint32_t data = 0;
    bool done = false;
    while (!done) {
      dut->s_axil_rready = Chance(master_.ready) ? 1 : 0;
      done = Handshake([&] {
        data = dut->s_axil_rdata;
        EXPECT_EQ(dut->s_axil_rresp, 0);
        return dut->s_axil_rvalid && dut->s_axil_rready;
      });
    }
    dut->s_axil_rready = 0;
    return data;
  }
  std::uint32_t Read(isa::Register r) { return Read(static_cast<std::uint32_t>(r)); }
  std::uint64_t ReadCounter(isa::Counter counter) {
    const std::uint32_t offset = isa::kCounterBase + 8 * static_cast<std::uint32_t>(counter);
    const std::uint64_t low = Read(offset);
    return low | std::uint64_t{Read(offset + 4)} << 32;
  }

  /// Address and data are offered independently of each other, each after a random pause.
  void Write(std::uint32_t offset, std::uint32_t data, std::uint8_t strobe = 0xF) {
    bool address_done = false;
    bool data_done = false;
    while (!address_done || !data_done) {
      if (!address_done && !dut->s_axil_awvalid && Chance(master_.valid)) {
        dut->s_axil_awvalid = 1;
        dut->s_axil_awaddr = offset & 0xFFF;
        dut->s_axil_awprot = static_cast<std::uint8_t>(rng_() % 8);
      }
      if (!data_done && Chance(master_.valid)) {
        dut->s_axil_wvalid = 1;
        dut->s_axil_wdata = data;
        dut->s_axil_wstrb = strobe;
      }
      dut.Eval();
      const bool aw = dut->s_axil_awvalid && dut->s_axil_awready;
      const bool w = dut->s_axil_wvalid && dut->s_axil_wready;
      Cycle();
      if (aw) dut->s_axil_awvalid = 0;
      if (w) dut->s_axil_wvalid = 0;
      address_done |= aw;
      data_done |= w;
    }
    bool done = false;
    while (!done) {
      dut->s_axil_bready = Chance(master_.ready) ? 1 : 0;
      done = Handshake([this] {
        EXPECT_EQ(dut->s_axil_bresp, 0);
        return dut->s_axil_bvalid && dut->s_axil_bready;
      });
    }
    dut->s_axil_bready = 0;
  }
  void Write(isa::Register r, std::uint32_t data, std::uint8_t strobe = 0xF) {
    Write(static_cast<std::uint32_t>(r), data, strobe);
  }

  void Start() { Write(isa::Register::kControl, isa::bits::kControl_::start | irq_enable); }
  void SoftReset() {
    Write(isa::Register::kControl, isa::bits::kControl_::soft_reset | irq_enable);
  }
  std::uint32_t Status() { return Read(isa::Register::kStatus); }

  /// Polls until STATUS.busy is clear.
  bool UntilIdle(int polls = 400) {
    for (int i = 0; i < polls; ++i) {
      if ((Status() & isa::bits::kStatus_::busy) == 0) return true;
    }
    return false;
  }

  void ExpectError(isa::ErrorCode code, isa::Unit unit, std::uint32_t index) {
    EXPECT_EQ(Read(isa::Register::kError),
              static_cast<std::uint32_t>(code) | static_cast<std::uint32_t>(unit) << 8);
    EXPECT_EQ(Read(isa::Register::kErrorIndex), index);
  }

  tb::Dut<Vtpu_host> dut;
  CoreScript script;
  std::uint32_t irq_enable = isa::bits::kControl_::irq_enable;
  int starts = 0;  ///< Cycles with `start`, with `core_rst`.
  int resets = 0;

 private:
  bool Chance(double probability) { return std::bernoulli_distribution(probability)(rng_); }
  void Wait(double rate) {
    while (!Chance(rate)) Cycle();
  }
  template <typename Condition>
  bool Handshake(Condition condition) {
    dut.Eval();
    const bool done = condition();
    Cycle();
    return done;
  }

  tb::AxilProtocolChecker<Vtpu_host> checker_{*dut};
  Master master_;
  std::mt19937_64 rng_;
  std::optional<std::uint64_t> since_start_;
  std::uint64_t halted_for_ = 0;
};

}  // namespace tpu
