// SPDX-License-Identifier: Apache-2.0
// A wire with the RTL of the link at its end: memory and a few registers behind the link.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "Vtpu_link.h"
#include "link/protocol.h"
#include "tb/axi_memory.h"
#include "tb/dut.h"
#include "tb/uart.h"
#include "tests/link/simulated_wire.h"

namespace tpu::link {

/// A lane of a memory: its bytes are right with one shift and some delays, and inverted with any
/// other.
struct Lane {
  std::uint32_t right_shift = 0;
  std::uint32_t right_delay = 0;   // The first one,
  std::uint32_t right_delays = 0;  // and how many.
  std::uint32_t shift = 0;
  std::uint32_t delay = 0;

  [[nodiscard]] bool Right() const {
    return shift == right_shift && delay >= right_delay && delay < right_delay + right_delays;
  }
};

/// The board, which outlives the wires of several hosts.
class Board {
 public:
  static constexpr unsigned kBitCycles = 4;  // As in CMakeLists.txt.
  static constexpr std::uint32_t kMemoryBytes = 65536;
  /// Registers at multiples of 4 below this; accesses of others are errors, and of this one.
  static constexpr std::uint32_t kRegisterBytes = 0x20000;
  static constexpr std::uint32_t kWrongRegister = 0x1F000;

  explicit Board(const tb::AxiMemoryOptions& memory = {.latency = 8})
      : memory_(*dut_, memory), driver_(kBitCycles), monitor_(kBitCycles) {
    memory_.Resize(kMemoryBytes);
    dut_->rx = 1;
    dut_->irq = 0;
    DriveRegisters();
    dut_.Reset();
  }

  std::vector<std::uint8_t>& memory() { return memory_.bytes(); }
  std::map<std::uint32_t, std::uint32_t>& registers() { return registers_; }
  /// What SETUP_WORD shows.
  std::vector<std::uint32_t>& setup() { return setup_; }
  /// Every write of a register, in order.
  [[nodiscard]] const std::vector<std::array<std::uint32_t, 2>>& writes() const { return writes_; }
  /// The registers kSelect to kNextShift set these; none: every byte is right.
  std::vector<Lane>& lanes() { return lanes_; }
  static constexpr std::uint32_t kSelect = 0x10900;
  static constexpr std::uint32_t kFirstDelay = 0x10904;
  static constexpr std::uint32_t kNextDelay = 0x10908;
  static constexpr std::uint32_t kFirstShift = 0x1090C;
  static constexpr std::uint32_t kNextShift = 0x10910;
  void RaiseInterrupt(bool pending) { dut_->irq = pending; }
  /// What is on the line is lost.
  void Reset() {
    dut_->rx = 1;
    aw_.reset();
    w_.reset();
    b_valid_ = r_valid_ = false;
    DriveRegisters();
    dut_.Reset();
    memory_.Reset();
    driver_ = tb::UartDriver(kBitCycles);
    monitor_ = tb::UartMonitor(kBitCycles);
  }
  [[nodiscard]] std::uint64_t cycles() const { return dut_.cycles(); }

  tb::UartDriver& driver() { return driver_; }
  /// One cycle; the byte whose stop bit the board just sent.
  std::optional<std::uint8_t> Tick() {
    dut_->rx = driver_.Next();
    SampleRegisters();
    memory_.Sample();
    dut_.Tick();
    // A beat that waits stays as it is.
    dut_->m_axi_rdata = beat_;
    memory_.Drive();
    beat_ = dut_->m_axi_rdata;
    dut_->m_axi_rdata ^= WrongBits();
    DriveRegisters();
    return monitor_.Take(dut_->tx != 0);
  }

 private:
  void SampleRegisters() {
    if (dut_->m_axil_awvalid != 0 && dut_->m_axil_awready != 0) aw_ = dut_->m_axil_awaddr;
    if (dut_->m_axil_wvalid != 0 && dut_->m_axil_wready != 0) {
      EXPECT_EQ(dut_->m_axil_wstrb, 0xF);
      EXPECT_EQ(dut_->m_axil_awprot, 0);
      w_ = dut_->m_axil_wdata;
    }
    if (aw_ && w_) {
      error_ = IsError(*aw_);
      if (!error_) registers_[*aw_] = *w_;
      SetLanes(*aw_);
      writes_.push_back({*aw_, *w_});
      aw_.reset();
      w_.reset();
      b_valid_ = true;
    } else if (dut_->m_axil_bready != 0) {
      b_valid_ = false;
    }
    if (dut_->m_axil_arvalid != 0 && dut_->m_axil_arready != 0) {
      EXPECT_EQ(dut_->m_axil_arprot, 0);
      error_ = IsError(dut_->m_axil_araddr);
      dut_->m_axil_rdata = error_ ? 0 : Register(dut_->m_axil_araddr);
      r_valid_ = true;
    } else if (dut_->m_axil_rready != 0) {
      r_valid_ = false;
    }
  }
  static bool IsError(std::uint32_t address) {
    return address >= kRegisterBytes || address == kWrongRegister;
  }
  std::uint32_t Register(std::uint32_t address) {
    const std::uint32_t index = registers_[kSetupIndex];
    if (address == kSetupWord && index < setup_.size()) return setup_[index];
    return registers_[address];
  }
  void SetLanes(std::uint32_t address) {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      if ((registers_[kSelect] >> i & 1U) == 0) continue;
      if (address == kFirstDelay) lanes_[i].delay = 0;
      if (address == kNextDelay) ++lanes_[i].delay;
      if (address == kFirstShift) lanes_[i].shift = 0;
      if (address == kNextShift) ++lanes_[i].shift;
    }
  }
  std::uint32_t WrongBits() {
    std::uint32_t wrong = 0;
    for (std::size_t byte = 0; byte < 4 && !lanes_.empty(); ++byte) {
      const std::size_t i = byte % lanes_.size();
      const bool selected = (registers_[kSelect] >> i & 1U) != 0;
      if (selected || !lanes_[i].Right()) wrong |= 0xFFU << 8 * byte;
    }
    return wrong;
  }
  // Addresses and data are accepted at different times.
  void DriveRegisters() {
    dut_->m_axil_awready = dut_.cycles() % 3 == 0;
    dut_->m_axil_wready = dut_.cycles() % 4 == 1;
    dut_->m_axil_arready = dut_.cycles() % 3 == 1;
    dut_->m_axil_bvalid = b_valid_;
    dut_->m_axil_rvalid = r_valid_;
    dut_->m_axil_bresp = dut_->m_axil_rresp = error_ ? 2 : 0;
  }

  tb::Dut<Vtpu_link> dut_;
  tb::AxiMemory<Vtpu_link> memory_;
  tb::UartDriver driver_;
  tb::UartMonitor monitor_;
  std::map<std::uint32_t, std::uint32_t> registers_;
  std::vector<std::uint32_t> setup_;
  std::vector<Lane> lanes_;
  std::uint32_t beat_ = 0;
  std::vector<std::array<std::uint32_t, 2>> writes_;
  std::optional<std::uint32_t> aw_;
  std::optional<std::uint32_t> w_;
  bool b_valid_ = false;
  bool r_valid_ = false;
  bool error_ = false;
};

using BoardWire = SimulatedWire<Board>;

}  // namespace tpu::link
