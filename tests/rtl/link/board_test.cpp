// SPDX-License-Identifier: Apache-2.0
// What a board needs, as one: a host at the serial line reaches the registers of the TPU and those
// of the board by their addresses, and the memory; the TPU reaches that, too.
#include "sim/board/board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "Vtpu_board.h"
#include "base/error.h"
#include "isa/encoding.h"
#include "isa/registers.h"
#include "link/link.h"
#include "tb/axi_memory.h"
#include "tb/axil_protocol_checker.h"
#include "tb/dut.h"
#include "tb/uart.h"
#include "tests/link/simulated_wire.h"

namespace tpu {
namespace {

using isa::Register;
using link::Bytes;
using link::Link;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Of the registers: those below are the TPU's.
constexpr std::uint32_t kTpuBytes = 0x1000;

/// The m_axil_* ports of a board, by the names of the checker.
struct RegisterPorts {
  explicit RegisterPorts(Vtpu_board& model) : m(model) {}
  Vtpu_board& m;
  decltype(Vtpu_board::m_axil_awaddr) s_axil_awaddr = m.m_axil_awaddr;
  decltype(Vtpu_board::m_axil_awprot) s_axil_awprot = m.m_axil_awprot;
  decltype(Vtpu_board::m_axil_awvalid) s_axil_awvalid = m.m_axil_awvalid;
  decltype(Vtpu_board::m_axil_awready) s_axil_awready = m.m_axil_awready;
  decltype(Vtpu_board::m_axil_wdata) s_axil_wdata = m.m_axil_wdata;
  decltype(Vtpu_board::m_axil_wstrb) s_axil_wstrb = m.m_axil_wstrb;
  decltype(Vtpu_board::m_axil_wvalid) s_axil_wvalid = m.m_axil_wvalid;
  decltype(Vtpu_board::m_axil_wready) s_axil_wready = m.m_axil_wready;
  decltype(Vtpu_board::m_axil_bresp) s_axil_bresp = m.m_axil_bresp;
  decltype(Vtpu_board::m_axil_bvalid) s_axil_bvalid = m.m_axil_bvalid;
  decltype(Vtpu_board::m_axil_bready) s_axil_bready = m.m_axil_bready;
  decltype(Vtpu_board::m_axil_araddr) s_axil_araddr = m.m_axil_araddr;
  decltype(Vtpu_board::m_axil_arprot) s_axil_arprot = m.m_axil_arprot;
  decltype(Vtpu_board::m_axil_arvalid) s_axil_arvalid = m.m_axil_arvalid;
  decltype(Vtpu_board::m_axil_arready) s_axil_arready = m.m_axil_arready;
  decltype(Vtpu_board::m_axil_rdata) s_axil_rdata = m.m_axil_rdata;
  decltype(Vtpu_board::m_axil_rresp) s_axil_rresp = m.m_axil_rresp;
  decltype(Vtpu_board::m_axil_rvalid) s_axil_rvalid = m.m_axil_rvalid;
  decltype(Vtpu_board::m_axil_rready) s_axil_rready = m.m_axil_rready;
};

/// The board's registers are behind its AXI4-Lite port. While nobody asks them, and where nothing
/// is valid, they say anything, so that nobody can use it unnoticed.
class Board {
 public:
  static constexpr unsigned kBitCycles = 4;  // As in CMakeLists.txt.
  static constexpr std::uint32_t kMemoryBytes = 0x10000;

  Board() {
    memory_.Resize(kMemoryBytes);
    dut_->rx = 1;
    dut_.Reset();
    DriveRegisters();
  }

  tb::UartDriver& driver() { return driver_; }
  std::vector<std::uint8_t>& memory() { return memory_.bytes(); }
  std::map<std::uint32_t, std::uint32_t>& registers() { return registers_; }
  /// Accesses of this one are errors.
  void Forbid(std::uint32_t address) { forbidden_ = address; }
  /// Accesses of the board's registers so far.
  [[nodiscard]] std::uint64_t accesses() const { return accesses_; }

  std::optional<std::uint8_t> Tick() {
    dut_->rx = driver_.Next();
    dut_.Eval();
    if (BoardIsMeant()) {
      checker_.Sample();
      SampleRegisters();
    } else {
      EXPECT_EQ(dut_->m_axil_awvalid + dut_->m_axil_wvalid + dut_->m_axil_arvalid, 0);
    }
    memory_.Sample();
    link_memory_.Sample();
    dut_.Tick();
    memory_.Drive();
    link_memory_.Drive();
    DriveRegisters();
    SpoilWhatIsNotValid();
    return monitor_.Take(dut_->tx != 0);
  }

 private:
  // The link does one access at a time, so that both addresses are the same.
  bool BoardIsMeant() {
    EXPECT_EQ(dut_->m_axil_awaddr, dut_->m_axil_araddr);
    return dut_->m_axil_awaddr >= kTpuBytes;
  }
  [[nodiscard]] std::uint8_t ResponseOf(std::uint32_t address) const {
    return address == forbidden_ ? 2 : 0;
  }
  void SampleRegisters() {
    if (dut_->m_axil_awvalid != 0 && dut_->m_axil_awready != 0) aw_ = dut_->m_axil_awaddr;
    if (dut_->m_axil_wvalid != 0 && dut_->m_axil_wready != 0) {
      EXPECT_EQ(dut_->m_axil_wstrb, 0xF);
      w_ = dut_->m_axil_wdata;
    }
    if (dut_->m_axil_bvalid != 0 && dut_->m_axil_bready != 0) b_.reset();
    if (dut_->m_axil_rvalid != 0 && dut_->m_axil_rready != 0) r_.reset();
    if (aw_ && w_) {
      registers_[*aw_] = *w_;
      b_ = ResponseOf(*aw_);
      aw_.reset();
      w_.reset();
      ++accesses_;
    }
    if (dut_->m_axil_arvalid != 0 && dut_->m_axil_arready != 0) {
      r_ = dut_->m_axil_araddr;
      ++accesses_;
    }
  }
  void DriveRegisters() {
    dut_->m_axil_awready = Random() % 2;
    dut_->m_axil_wready = Random() % 2;
    dut_->m_axil_arready = Random() % 2;
    if (BoardIsMeant()) {
      dut_->m_axil_bvalid = b_ && (dut_->m_axil_bvalid != 0 || Random() % 4 == 0);
      dut_->m_axil_rvalid = r_ && (dut_->m_axil_rvalid != 0 || Random() % 4 == 0);
    } else {
      dut_->m_axil_bvalid = Random() % 2;
      dut_->m_axil_rvalid = Random() % 2;
    }
    if (b_) dut_->m_axil_bresp = *b_;
    if (r_) dut_->m_axil_rresp = ResponseOf(*r_);
    if (r_) dut_->m_axil_rdata = registers_[*r_];
  }
  void SpoilWhatIsNotValid() {
    if (dut_->m_axil_bvalid == 0) dut_->m_axil_bresp = 2;
    if (dut_->m_axil_rvalid == 0) dut_->m_axil_rresp = 2;
    if (dut_->m_axil_rvalid == 0) dut_->m_axil_rdata = Random();
    if (dut_->m_axi_bvalid == 0) dut_->m_axi_bresp = 2;
    if (dut_->m_axi_rvalid == 0) dut_->m_axi_rresp = 2;
    if (dut_->m_axi_rvalid == 0) dut_->m_axi_rdata = Random();
    if (dut_->l_axi_bvalid == 0) dut_->l_axi_bresp = 2;
    if (dut_->l_axi_rvalid == 0) dut_->l_axi_rresp = 2;
    if (dut_->l_axi_rvalid == 0) dut_->l_axi_rdata = Random();
  }
  std::uint32_t Random() { return static_cast<std::uint32_t>(rng_()); }

  tb::Dut<Vtpu_board> dut_;
  sim::LinkPorts<Vtpu_board> link_ports_{*dut_};
  tb::AxiMemory<Vtpu_board> memory_{
      *dut_,
      {.latency = 8, .stalls = {.ar = 0.3, .r = 0.3, .aw = 0.3, .w = 0.3, .b = 0.3}, .seed = 1}};
  tb::AxiMemory<sim::LinkPorts<Vtpu_board>> link_memory_{
      link_ports_,
      &memory_.bytes(),
      {.latency = 5, .stalls = {.ar = 0.3, .r = 0.3, .aw = 0.3, .w = 0.3, .b = 0.3}, .seed = 2}};
  RegisterPorts register_ports_{*dut_};
  tb::AxilProtocolChecker<RegisterPorts> checker_{register_ports_, "m_axil"};
  tb::UartDriver driver_{kBitCycles};
  tb::UartMonitor monitor_{kBitCycles};
  std::map<std::uint32_t, std::uint32_t> registers_;
  std::uint32_t forbidden_ = 0;
  std::uint64_t accesses_ = 0;
  std::optional<std::uint32_t> aw_;
  std::optional<std::uint32_t> w_;
  std::optional<std::uint8_t> b_;
  std::optional<std::uint32_t> r_;
  std::mt19937_64 rng_{1};
};

using Wire = link::SimulatedWire<Board>;

std::uint32_t At(Register reg) { return static_cast<std::uint32_t>(reg); }

TEST(Board, HasTheTpusRegistersBelow4096AndItsOwnAbove) {
  Board board;
  Link link(std::make_unique<Wire>(board));
  EXPECT_EQ(link.ReadRegister(At(Register::kId)), 0x31555054U);
  EXPECT_EQ(link.ReadRegister(At(Register::kConfigN)), 4U);
  link.WriteRegister(At(Register::kProgAddrLo), 0x00C0FFC0);
  link.WriteRegister(0xFFC, 1);
  EXPECT_EQ(link.ReadRegister(0xFFC), 0U);
  EXPECT_EQ(board.accesses(), 0U);
  std::map<std::uint32_t, std::uint32_t> expected;
  for (unsigned bit = 12; bit < 32; ++bit) {
    SCOPED_TRACE(bit);
    const std::uint32_t address = (1U << bit) + At(Register::kProgGranules);
    expected[address] = 0x01010101 * bit;
    link.WriteRegister(address, expected[address]);
    EXPECT_EQ(link.ReadRegister(At(Register::kProgAddrLo)), 0x00C0FFC0U);
    EXPECT_EQ(link.ReadRegister(address), expected[address]);
    EXPECT_EQ(link.ReadRegister(At(Register::kProgAddrLo)), 0x00C0FFC0U);
    EXPECT_EQ(link.ReadRegister(At(Register::kProgGranules)), 0U);
    link.WriteRegister(At(Register::kWatchdog), bit);
    EXPECT_EQ(link.ReadRegister(At(Register::kWatchdog)), bit);
  }
  EXPECT_EQ(board.registers(), expected);
}

TEST(Board, ReportsErrorsOfItsRegistersAndOfTheMemory) {
  Board board;
  const auto message = ThrowsMessage<Error>(HasSubstr("bus answered with an error"));
  board.Forbid(kTpuBytes);
  {
    Link link(std::make_unique<Wire>(board));
    EXPECT_THAT([&] { link.ReadRegister(kTpuBytes); }, message);
  }
  {
    Link link(std::make_unique<Wire>(board));
    link.WriteRegister(kTpuBytes, 0);
    EXPECT_THAT([&] { link.Flush(); }, message);
  }
  std::array<std::uint8_t, 8> bytes{};
  {
    Link link(std::make_unique<Wire>(board));
    EXPECT_THAT([&] { link.ReadMemory(Board::kMemoryBytes, bytes); }, message);
  }
  Link link(std::make_unique<Wire>(board));
  link.WriteMemory(Board::kMemoryBytes, bytes);
  EXPECT_THAT([&] { link.Flush(); }, message);
}

// The host brings a program and data, starts it, waits for the interrupt, and reads what the TPU
// wrote.
TEST(Board, RunsAProgram) {
  constexpr std::uint32_t kProgram = 0x400;
  constexpr std::uint32_t kSource = 0x4003;
  constexpr std::uint32_t kTarget = 0x8001;
  constexpr std::uint32_t kRows = 33;
  constexpr std::uint32_t kBytes = 4 * kRows;
  isa::Load load;
  load.semaphores.post = 1;
  load.dram_addr = kSource;
  load.row_bytes = load.row_stride = load.pixel_bytes = 4;
  load.rows = kRows;
  load.pixel_stride = 1;
  isa::Store store;
  store.semaphores.wait = 1;
  store.dram_addr = kTarget;
  store.row_bytes = store.row_stride = store.pixel_bytes = 4;
  store.rows = kRows;
  store.pixel_stride = 1;
  Bytes program;
  isa::Encode(load, program);
  isa::Encode(store, program);
  std::mt19937_64 rng(3);
  Bytes source(kBytes);
  for (std::uint8_t& byte : source) byte = static_cast<std::uint8_t>(rng());

  Board board;
  Link link(std::make_unique<Wire>(board));
  link.WriteMemory(kProgram, program);
  link.WriteMemory(kSource, source);
  link.WriteRegister(At(Register::kProgAddrLo), kProgram);
  link.WriteRegister(At(Register::kProgGranules), static_cast<std::uint32_t>(program.size() / 64));
  EXPECT_FALSE(link.WaitForInterrupt(100));
  link.WriteRegister(At(Register::kControl),
                     isa::bits::kControl_::irq_enable | isa::bits::kControl_::start);
  EXPECT_TRUE(link.WaitForInterrupt(10'000));
  EXPECT_EQ(link.ReadRegister(At(Register::kStatus)),
            isa::bits::kStatus_::done | isa::bits::kStatus_::irq);
  Bytes expected(Board::kMemoryBytes);
  std::ranges::copy(program, expected.begin() + kProgram);
  std::ranges::copy(source, expected.begin() + kSource);
  std::ranges::copy(source, expected.begin() + kTarget);
  EXPECT_EQ(board.memory(), expected);
  Bytes back(kBytes);
  link.ReadMemory(kTarget, back);
  EXPECT_EQ(back, source);
  board.memory()[kTarget] ^= 1U;
  link.ReadMemory(kTarget, back);
  EXPECT_EQ(back[0], source[0] ^ 1U) << "one memory";

  // The memory's errors reach the TPU.
  for (const bool reads : {true, false}) {
    SCOPED_TRACE(reads);
    program.clear();
    load.dram_addr = reads ? Board::kMemoryBytes : kSource;
    store.dram_addr = reads ? kTarget : Board::kMemoryBytes;
    isa::Encode(load, program);
    isa::Encode(store, program);
    link.WriteMemory(kProgram, program);
    link.WriteRegister(At(Register::kIrqClear), 1);
    link.WriteRegister(At(Register::kControl),
                       isa::bits::kControl_::irq_enable | isa::bits::kControl_::start);
    EXPECT_TRUE(link.WaitForInterrupt(10'000));
    EXPECT_EQ(link.ReadRegister(At(Register::kStatus)),
              isa::bits::kStatus_::error | isa::bits::kStatus_::irq);
  }
}

}  // namespace
}  // namespace tpu
