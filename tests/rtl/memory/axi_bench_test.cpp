// The AXI memory and the protocol checker, with ports driven by hand instead of a model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <numeric>

#include "tb/axi_memory.h"
#include "tb/axi_protocol_checker.h"

namespace tpu {
namespace {

using tb::AxiResponse;

struct Ports {
  std::uint8_t m_axi_arid = 0;
  std::uint64_t m_axi_araddr = 0;
  std::uint8_t m_axi_arlen = 0;
  std::uint8_t m_axi_arsize = 3;
  std::uint8_t m_axi_arburst = 1;
  std::uint8_t m_axi_arvalid = 0;
  std::uint8_t m_axi_arready = 0;
  std::uint8_t m_axi_rid = 0;
  std::uint64_t m_axi_rdata = 0;
  std::uint8_t m_axi_rresp = 0;
  std::uint8_t m_axi_rlast = 0;
  std::uint8_t m_axi_rvalid = 0;
  std::uint8_t m_axi_rready = 1;
  std::uint8_t m_axi_awid = 0;
  std::uint64_t m_axi_awaddr = 0;
  std::uint8_t m_axi_awlen = 0;
  std::uint8_t m_axi_awsize = 3;
  std::uint8_t m_axi_awburst = 1;
  std::uint8_t m_axi_awvalid = 0;
  std::uint8_t m_axi_awready = 0;
  std::uint64_t m_axi_wdata = 0;
  std::uint8_t m_axi_wstrb = 0;
  std::uint8_t m_axi_wlast = 0;
  std::uint8_t m_axi_wvalid = 0;
  std::uint8_t m_axi_wready = 0;
  std::uint8_t m_axi_bid = 0;
  std::uint8_t m_axi_bresp = 0;
  std::uint8_t m_axi_bvalid = 0;
  std::uint8_t m_axi_bready = 1;
};

class AxiBench : public testing::Test {
 protected:
  explicit AxiBench(const tb::AxiMemoryOptions& options = {}) : memory(ports, options) {
    memory.Resize(8192);
    std::iota(memory.bytes().begin(), memory.bytes().end(), std::uint8_t{0});
  }

  void Cycle() {
    checker.Sample();
    memory.Sample();
    memory.Drive();
  }
  /// Cycles until `done` holds in a cycle; that cycle is then completed.
  int CyclesUntil(const std::function<bool()>& done) {
    for (int cycles = 0; cycles < 1000; ++cycles) {
      const bool now = done();
      Cycle();
      if (now) return cycles;
    }
    ADD_FAILURE() << "nothing happened for 1000 cycles";
    return 1000;
  }
  void Read(std::uint64_t address, unsigned beats, unsigned id = 0) {
    ports.m_axi_arid = static_cast<std::uint8_t>(id);
    ports.m_axi_araddr = address;
    ports.m_axi_arlen = static_cast<std::uint8_t>(beats - 1);
    ports.m_axi_arvalid = 1;
    CyclesUntil([&] { return ports.m_axi_arready != 0; });
    ports.m_axi_arvalid = 0;
  }
  int NextReadResponse() {
    int response = -1;
    CyclesUntil([&] {
      response = ports.m_axi_rresp;
      return ports.m_axi_rvalid != 0;
    });
    return response;
  }
  void SendWriteAddress(std::uint64_t address, unsigned beats) {
    ports.m_axi_awaddr = address;
    ports.m_axi_awlen = static_cast<std::uint8_t>(beats - 1);
    ports.m_axi_awvalid = 1;
    CyclesUntil([&] { return ports.m_axi_awready != 0; });
    ports.m_axi_awvalid = 0;
  }
  void SendWriteData(std::uint64_t data, unsigned strobes, bool last) {
    ports.m_axi_wdata = data;
    ports.m_axi_wstrb = static_cast<std::uint8_t>(strobes);
    ports.m_axi_wlast = last;
    ports.m_axi_wvalid = 1;
    CyclesUntil([&] { return ports.m_axi_wready != 0; });
    ports.m_axi_wvalid = 0;
  }
  template <typename F>
  void ExpectRule(F&& action, const std::string& rule) {
    try {
      action();
      ADD_FAILURE() << "no error; expected: " << rule;
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), testing::HasSubstr(rule));
    }
  }

  Ports ports;
  tb::AxiMemory<Ports> memory;
  tb::AxiProtocolChecker<Ports> checker{ports};
};

TEST_F(AxiBench, FirstBeatComesAfterTheLatencyAndOneBeatPerCycleFollows) {
  Read(0x40, 4);
  // The address was accepted in the cycle before.
  EXPECT_EQ(CyclesUntil([&] { return ports.m_axi_rvalid != 0; }), 63);
  EXPECT_EQ(CyclesUntil([&] { return ports.m_axi_rlast != 0; }), 2);
  EXPECT_EQ(memory.traffic().read_beats, 4U);
  checker.ExpectDrained();
}

TEST_F(AxiBench, ReadsBytesInLittleEndianOrder) {
  Read(0x08, 1);
  CyclesUntil([&] { return ports.m_axi_rvalid != 0; });
  EXPECT_EQ(ports.m_axi_rdata, 0x0F0E0D0C0B0A0908U);
  EXPECT_EQ(ports.m_axi_rresp, 0);
}

TEST_F(AxiBench, WritesOnlyStrobedBytesAndAnswersAfterTheLatency) {
  SendWriteAddress(0x10, 2);
  SendWriteData(0xA7A6A5A4A3A2A1A0, 0x18, false);
  SendWriteData(0xB7B6B5B4B3B2B1B0, 0xFF, true);
  EXPECT_EQ(CyclesUntil([&] { return ports.m_axi_bvalid != 0; }), 63);
  EXPECT_THAT(
      std::vector<std::uint8_t>(memory.bytes().begin() + 0x12, memory.bytes().begin() + 0x19),
      testing::ElementsAre(0x12, 0xA3, 0xA4, 0x15, 0x16, 0x17, 0xB0));
  checker.ExpectDrained();
}

TEST_F(AxiBench, AnswersErrorsWhereAsked) {
  Read(8192, 1);
  EXPECT_EQ(NextReadResponse(), static_cast<int>(AxiResponse::kDecodeError));
  memory.FailReadBeat(2, AxiResponse::kSlaveError);
  Read(0, 2);
  EXPECT_EQ(NextReadResponse(), 0);
  EXPECT_EQ(NextReadResponse(), static_cast<int>(AxiResponse::kSlaveError));
  memory.FailRange(0x105, 0x106, AxiResponse::kSlaveError);
  SendWriteAddress(0x100, 1);
  SendWriteData(0, 0xFF, true);
  CyclesUntil([&] { return ports.m_axi_bvalid != 0; });
  EXPECT_EQ(ports.m_axi_bresp, static_cast<int>(AxiResponse::kSlaveError));
  EXPECT_EQ(memory.bytes()[0x104], 0x04) << "a failed write left the memory alone";
}

TEST_F(AxiBench, StopsAnswering) {
  Read(0, 1);
  memory.StopAnswering();
  for (int i = 0; i < 200; ++i) {
    Cycle();
    ASSERT_EQ(ports.m_axi_rvalid, 0);
    ASSERT_EQ(ports.m_axi_arready, 0);
  }
  memory.StopAnswering(false);
  CyclesUntil([&] { return ports.m_axi_rvalid != 0; });
}

TEST_F(AxiBench, CheckerNamesBrokenRules) {
  Cycle();
  ExpectRule([&] { Read(4096 - 8, 2); }, "crosses a 4 KiB boundary");
  ports.m_axi_arvalid = 0;
  ports.m_axi_arsize = 2;
  ExpectRule([&] { Read(0, 1); }, "not full width");
  ports.m_axi_arvalid = 0;
  SendWriteAddress(0, 2);
  ExpectRule([&] { SendWriteData(0, 0xFF, true); }, "WLAST is not on the last beat");
}

TEST_F(AxiBench, CheckerSeesUnstableSignals) {
  memory.StopAnswering();
  Cycle();
  ports.m_axi_arvalid = 1;
  Cycle();
  ports.m_axi_araddr = 8;
  ExpectRule([&] { Cycle(); }, "payload changed before ready");
  ports.m_axi_arvalid = 0;
  ExpectRule([&] { Cycle(); }, "valid fell before ready");
}

class StalledAxiBench : public AxiBench {
 protected:
  StalledAxiBench()
      : AxiBench(
            {.latency = 5, .interleave = true, .stalls = {0.5, 0.5, 0.5, 0.5, 0.5}, .seed = 3}) {}
};

TEST_F(StalledAxiBench, KeepsOrderPerIdWhileBurstsInterleave) {
  std::array<std::uint64_t, 2> next = {0, 4096};
  std::array<int, 2> beats = {0, 0};
  int switches = 0;
  int last_id = 0;
  int requests = 0;
  while (beats[0] + beats[1] < 8 * 16) {
    const int id = requests % 2;
    ports.m_axi_arvalid = requests < 16;
    ports.m_axi_arid = static_cast<std::uint8_t>(id);
    ports.m_axi_araddr = static_cast<std::uint64_t>(id * 4096 + requests / 2 * 64);
    ports.m_axi_arlen = 7;
    if (ports.m_axi_arvalid && ports.m_axi_arready) ++requests;
    if (ports.m_axi_rvalid) {
      const int rid = ports.m_axi_rid;
      ASSERT_EQ(ports.m_axi_rdata & 0xFF, next.at(static_cast<std::size_t>(rid)) & 0xFF);
      next.at(static_cast<std::size_t>(rid)) += 8;
      ++beats.at(static_cast<std::size_t>(rid));
      switches += rid != last_id;
      last_id = rid;
    }
    Cycle();
    ASSERT_LT(memory.cycle(), 2000U);
  }
  EXPECT_GT(switches, 16) << "interleaving must happen for this test to mean something";
  checker.ExpectDrained();
}

}  // namespace
}  // namespace tpu
