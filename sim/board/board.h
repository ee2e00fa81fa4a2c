// SPDX-License-Identifier: Apache-2.0
// A Verilated tpu_board with a memory at both of its memory ports.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "sim/board/sdram.h"
#include "tb/axi_memory.h"
#include "tb/dut.h"
#include "tb/uart.h"

namespace tpu::sim {

/// A board of any size.
class Board {
 public:
  static constexpr unsigned kBitCycles = 4;  // As in CMakeLists.txt.

  Board() = default;
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;
  virtual ~Board() = default;

  /// One clock cycle. Returns the byte whose stop bit the board just sent.
  virtual std::optional<std::uint8_t> Tick() = 0;
  /// As the board's reset button; the memory keeps its bytes.
  virtual void Reset() = 0;
  /// What drives the board's receiver.
  tb::UartDriver& line() { return line_; }

 protected:
  tb::UartDriver line_{kBitCycles};
  tb::UartMonitor monitor_{kBitCycles};
};

/// The l_axi_* ports of a model, by the names of tb/axi_ports.h.
template <typename Model>
struct LinkPorts {
  explicit LinkPorts(Model& model) : m(model) {}
  Model& m;
  decltype(Model::l_axi_awaddr) m_axi_awaddr = m.l_axi_awaddr;
  decltype(Model::l_axi_awlen) m_axi_awlen = m.l_axi_awlen;
  decltype(Model::l_axi_awvalid) m_axi_awvalid = m.l_axi_awvalid;
  decltype(Model::l_axi_awready) m_axi_awready = m.l_axi_awready;
  decltype(Model::l_axi_wdata) m_axi_wdata = m.l_axi_wdata;
  decltype(Model::l_axi_wstrb) m_axi_wstrb = m.l_axi_wstrb;
  decltype(Model::l_axi_wvalid) m_axi_wvalid = m.l_axi_wvalid;
  decltype(Model::l_axi_wready) m_axi_wready = m.l_axi_wready;
  decltype(Model::l_axi_bresp) m_axi_bresp = m.l_axi_bresp;
  decltype(Model::l_axi_bvalid) m_axi_bvalid = m.l_axi_bvalid;
  decltype(Model::l_axi_bready) m_axi_bready = m.l_axi_bready;
  decltype(Model::l_axi_araddr) m_axi_araddr = m.l_axi_araddr;
  decltype(Model::l_axi_arlen) m_axi_arlen = m.l_axi_arlen;
  decltype(Model::l_axi_arvalid) m_axi_arvalid = m.l_axi_arvalid;
  decltype(Model::l_axi_arready) m_axi_arready = m.l_axi_arready;
  decltype(Model::l_axi_rdata) m_axi_rdata = m.l_axi_rdata;
  decltype(Model::l_axi_rresp) m_axi_rresp = m.l_axi_rresp;
  decltype(Model::l_axi_rlast) m_axi_rlast = m.l_axi_rlast;
  decltype(Model::l_axi_rvalid) m_axi_rvalid = m.l_axi_rvalid;
  decltype(Model::l_axi_rready) m_axi_rready = m.l_axi_rready;
};

template <typename Model>
class SimulatedBoard final : public Board {
 public:
  explicit SimulatedBoard(std::uint64_t seed) : dut_(seed) {
    memory_.Resize(kMemoryBytes);
    dut_->rx = 1;
    dut_->m_axil_awready = dut_->m_axil_wready = dut_->m_axil_arready = 1;
    dut_->m_axil_bvalid = dut_->m_axil_rvalid = 0;
    dut_->m_axil_bresp = dut_->m_axil_rresp = 0;
    dut_->m_axil_rdata = 0;
    dut_.Reset();
  }

  std::optional<std::uint8_t> Tick() override {
    dut_->rx = line_.Next();
    memory_.Sample();
    link_memory_.Sample();
    // The board has no registers: it takes each request at once, and reads give zero.
    const auto write = dut_->m_axil_wvalid;
    const auto read = dut_->m_axil_arvalid;
    dut_.Tick();
    memory_.Drive();
    link_memory_.Drive();
    dut_->m_axil_bvalid = write;
    dut_->m_axil_rvalid = read;
    return monitor_.Take(dut_->tx != 0);
  }

  void Reset() override {
    dut_.Reset();
    memory_.Reset();
    link_memory_.Reset();
  }

 private:
  static constexpr std::uint64_t kMemoryBytes = 32U << 20U;
  // About that of a DRAM at this clock.
  static constexpr tb::AxiMemoryOptions kMemory = {.latency = 20};

  tb::Dut<Model> dut_;
  LinkPorts<Model> link_ports_{*dut_};
  tb::AxiMemory<Model> memory_{*dut_, kMemory};
  tb::AxiMemory<LinkPorts<Model>> link_memory_{link_ports_, &memory_.bytes(), kMemory};
};

/// A board with LiteX and LiteDRAM around it, the memory inside the model.
template <typename Model>
class SimulatedSoc final : public Board {
 public:
  explicit SimulatedSoc(std::uint64_t seed) : dut_(seed) {
    dut_->serial_rx = 1;
    dut_.Reset();
  }

  std::optional<std::uint8_t> Tick() override {
    dut_->serial_rx = line_.Next();
    dut_.Tick();
    return monitor_.Take(dut_->serial_tx != 0);
  }

  void Reset() override { dut_.Reset(); }

 private:
  tb::Dut<Model> dut_;
};

/// A ULX3S as yosys made it, with its SDRAM at the pins. That has a clock a quarter of a cycle
/// behind the board's: it sees what the registers at the pins took at the board's edge before.
template <typename Model>
class SimulatedNetlist final : public Board {
 public:
  explicit SimulatedNetlist(std::uint64_t seed) : dut_(seed) {
    dut_->serial_rx = 1;
    Reset();
  }

  std::optional<std::uint8_t> Tick() override {
    dut_->serial_rx = line_.Next();
    Clock();
    return monitor_.Take(dut_->serial_tx != 0);
  }

  void Reset() override {
    dut_->rst = 1;
    // What is left in the queues of synchronisers and of the loop that makes the clock.
    constexpr int kCycles = 20;
    // The SDRAM stands still: what the registers at its pins held before is no command.
    for (int i = 0; i < kCycles; ++i) dut_.Tick();
    dut_->rst = 0;
    for (int i = 0; i < kCycles; ++i) Clock();
  }

 private:
  void Clock() {
    dut_.Tick();
    dut_->sdram_dq_in = sdram_.Clock({
        .cke = dut_->sdram_cke != 0,
        .cs_n = dut_->sdram_cs_n != 0,
        .ras_n = dut_->sdram_ras_n != 0,
        .cas_n = dut_->sdram_cas_n != 0,
        .we_n = dut_->sdram_we_n != 0,
        .dm = dut_->sdram_dm,
        .ba = dut_->sdram_ba,
        .a = dut_->sdram_a,
        .dq = dut_->sdram_dq_out,
        .dq_off = dut_->sdram_dq_off,
    });
  }

  tb::Dut<Model> dut_;
  Sdram sdram_;
};

}  // namespace tpu::sim
