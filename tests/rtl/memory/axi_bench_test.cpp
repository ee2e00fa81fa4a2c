// SPDX-License-Identifier: Apache-2.0
// The AXI memory and the protocol checker, with ports driven by hand instead of a model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

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
  std::uint8_t m_axi_arlock = 0;
  std::uint8_t m_axi_arcache = 3;
  std::uint8_t m_axi_arprot = 0;
  std::uint8_t m_axi_arqos = 0;
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
  std::uint8_t m_axi_awlock = 0;
  std::uint8_t m_axi_awcache = 3;
  std::uint8_t m_axi_awprot = 0;
  std::uint8_t m_axi_awqos = 0;
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

TEST_F(AxiBench, HidesReadyUntilValidWhenAsked) {
  tb::AxiMemory<Ports> shy(ports, {.latency = 1, .ready_after_valid = true});
  shy.Resize(4096);
  const auto cycle = [&] {
    shy.Sample();
    shy.Drive();
  };
  for (int i = 0; i < 4; ++i) cycle();
  EXPECT_EQ(ports.m_axi_arready | ports.m_axi_awready | ports.m_axi_wready, 0);
  ports.m_axi_arvalid = ports.m_axi_awvalid = 1;
  cycle();
  EXPECT_EQ(ports.m_axi_arready, 1);
  EXPECT_EQ(ports.m_axi_awready, 0) << "the address is taken only once there is data";
  ports.m_axi_arvalid = 0;
  ports.m_axi_wvalid = ports.m_axi_wlast = 1;
  cycle();
  EXPECT_EQ(ports.m_axi_awready, 1);
  EXPECT_EQ(ports.m_axi_wready, 0);
  cycle();
  EXPECT_EQ(ports.m_axi_wready, 1);
}

/// A cycle in which all channels are idle and ready, changed by `action`.
struct Violation {
  const char* name;
  const char* rule;
  /// What each cycle carries; the last one breaks the rule.
  std::vector<std::function<void(Ports&)>> cycles;
  bool ends = false;  // It is ExpectDrained that throws
};

void PrintTo(const Violation& v, std::ostream* os) { *os << v.name; }

Ports IdlePorts() {
  Ports p;
  p.m_axi_arready = p.m_axi_awready = p.m_axi_wready = 1;
  return p;
}

const auto kNothing = [](Ports&) {};
const auto kRead2 = [](Ports& p) {
  p.m_axi_arvalid = 1;
  p.m_axi_arid = 1;
  p.m_axi_arlen = 1;
};
const auto kBeat = [](Ports& p) {
  p.m_axi_rvalid = 1;
  p.m_axi_rid = 1;
};
const auto kWrite2 = [](Ports& p) {
  p.m_axi_awvalid = 1;
  p.m_axi_awid = 1;
  p.m_axi_awlen = 1;
};
const auto kData = [](Ports& p) {
  p.m_axi_wvalid = 1;
  p.m_axi_wstrb = 0xFF;
};
const auto kLastData = [](Ports& p) {
  kData(p);
  p.m_axi_wlast = 1;
};
const auto kResponse = [](Ports& p) {
  p.m_axi_bvalid = 1;
  p.m_axi_bid = 1;
};

/// `action` in a cycle without any ready.
template <typename Action>
auto Refused(Action action) {
  return [action](Ports& p) {
    p.m_axi_arready = p.m_axi_awready = p.m_axi_wready = p.m_axi_rready = p.m_axi_bready = 0;
    action(p);
  };
}
/// `action`, then `change`.
template <typename Action, typename Change>
auto With(Action action, Change change) {
  return [action, change](Ports& p) {
    action(p);
    change(p);
  };
}

const Violation kViolations[] = {
    {"ArFalls", "AR channel, cycle 1: VALID fell", {Refused(kRead2), kNothing}},
    {"RFalls", "R channel, cycle 2: VALID fell", {kRead2, Refused(kBeat), kNothing}},
    {"AwFalls", "AW channel, cycle 1: VALID fell", {Refused(kWrite2), kNothing}},
    {"WFalls", "W channel, cycle 1: VALID fell", {Refused(kData), kNothing}},
    {"BFalls", "B channel, cycle 1: VALID fell", {Refused(kResponse), kNothing}},
    {"ArChanges",
     "AR channel, cycle 1: payload changed",
     {Refused(kRead2), With(kRead2, [](Ports& p) { p.m_axi_araddr = 8; })}},
    {"ArCacheChanges",
     "AR channel, cycle 1: payload changed",
     {Refused(kRead2), With(kRead2, [](Ports& p) { p.m_axi_arcache = 1; })}},
    {"RChanges",
     "R channel, cycle 2: payload changed",
     {kRead2, Refused(kBeat), With(kBeat, [](Ports& p) { p.m_axi_rdata = 8; })}},
    {"AwChanges",
     "AW channel, cycle 1: payload changed",
     {Refused(kWrite2), With(kWrite2, [](Ports& p) { p.m_axi_awlen = 8; })}},
    {"WChanges",
     "W channel, cycle 1: payload changed",
     {Refused(kData), With(kData, [](Ports& p) { p.m_axi_wstrb = 1; })}},
    {"BChanges",
     "B channel, cycle 1: payload changed",
     {Refused(kResponse), With(kResponse, [](Ports& p) { p.m_axi_bresp = 2; })}},
    {"ReadWraps",
     "AR channel, cycle 0: burst is not INCR",
     {With(kRead2, [](Ports& p) { p.m_axi_arburst = 2; })}},
    {"WriteIsFixed",
     "AW channel, cycle 0: burst is not INCR",
     {With(kWrite2, [](Ports& p) { p.m_axi_awburst = 0; })}},
    {"ReadIsNarrow",
     "AR channel, cycle 0: beats are not full width",
     {With(kRead2, [](Ports& p) { p.m_axi_arsize = 2; })}},
    {"WriteIsTooWide",
     "AW channel, cycle 0: beats are not full width",
     {With(kWrite2, [](Ports& p) { p.m_axi_awsize = 4; })}},
    {"ReadIsPrivileged",
     "AR channel, cycle 0: access is not normal",
     {With(kRead2, [](Ports& p) { p.m_axi_arprot = 1; })}},
    {"WriteHasPriority",
     "AW channel, cycle 0: access is not normal",
     {With(kWrite2, [](Ports& p) { p.m_axi_awqos = 1; })}},
    {"ReadIsUnaligned",
     "AR channel, cycle 0: address is not",
     {With(kRead2, [](Ports& p) { p.m_axi_araddr = 4; })}},
    {"ReadCrosses",
     "AR channel, cycle 0: burst crosses a 4 KiB",
     {With(kRead2, [](Ports& p) { p.m_axi_araddr = 4096 - 8; })}},
    {"WriteCrosses",
     "AW channel, cycle 0: burst crosses a 4 KiB",
     {With(kWrite2, [](Ports& p) { p.m_axi_awaddr = 8192 - 8; })}},
    {"RLastEarly",
     "R channel, cycle 1: RLAST",
     {kRead2, With(kBeat, [](Ports& p) { p.m_axi_rlast = 1; })}},
    {"RLastMissing", "R channel, cycle 2: RLAST", {kRead2, kBeat, kBeat}},
    {"WLastEarly", "W channel, cycle 1: WLAST", {kWrite2, kLastData}},
    {"WLastMissing", "W channel, cycle 2: WLAST", {kWrite2, kData, kData}},
    {"StrobesWithAHole",
     "W channel, cycle 1: strobes",
     {kWrite2, With(kData, [](Ports& p) { p.m_axi_wstrb = 0x5; })}},
    {"DataFirst", "W channel, cycle 0: data passed its address", {kData}},
    {"ReadAnswerToNobody", "R channel, cycle 0: no burst with this ID", {kBeat}},
    {"ReadAnswerToAnotherId",
     "R channel, cycle 1: no burst with this ID",
     {kRead2, With(kBeat, [](Ports& p) { p.m_axi_rid = 2; })}},
    {"ReadAnswerWithItsAddress",
     "R channel, cycle 0: no burst with this ID",
     {With(kRead2, kBeat)}},
    {"ResponseToNobody", "B channel, cycle 0: no burst has all", {kResponse}},
    {"ResponseBeforeTheData", "B channel, cycle 2: no burst has all", {kWrite2, kData, kResponse}},
    {"ResponseToAnotherId",
     "B channel, cycle 3: no burst has all its data and this ID",
     {kWrite2, kData, kLastData, With(kResponse, [](Ports& p) { p.m_axi_bid = 0; })}},
    {"ReadExclusive",
     "R channel, cycle 1: response is EXOKAY",
     {kRead2, With(kBeat, [](Ports& p) { p.m_axi_rresp = 1; })}},
    {"WriteExclusive",
     "B channel, cycle 3: response is EXOKAY",
     {kWrite2, kData, kLastData, With(kResponse, [](Ports& p) { p.m_axi_bresp = 1; })}},
    {"ReadUnanswered", "R channel, cycle 2: a burst was not answered", {kRead2, kBeat}, true},
    {"DataMissing", "W channel, cycle 2: a burst did not get", {kWrite2, kData}, true},
    {"ResponseMissing",
     "B channel, cycle 3: a burst was not answered",
     {kWrite2, kData, kLastData},
     true},
};

class AxiRule : public testing::TestWithParam<Violation> {};

TEST_P(AxiRule, IsEnforced) {
  const Violation& violation = GetParam();
  Ports ports;
  tb::AxiProtocolChecker<Ports> checker{ports};
  const std::size_t good = violation.cycles.size() - (violation.ends ? 0 : 1);
  for (std::size_t i = 0; i < good; ++i) {
    ports = IdlePorts();
    violation.cycles[i](ports);
    ASSERT_NO_THROW(checker.Sample()) << "cycle " << i;
  }
  try {
    if (violation.ends) {
      checker.ExpectDrained();
    } else {
      ports = IdlePorts();
      violation.cycles.back()(ports);
      checker.Sample();
    }
    ADD_FAILURE() << "no error; expected: " << violation.rule;
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr(std::string("m_axi ") + violation.rule));
  }
}

INSTANTIATE_TEST_SUITE_P(All, AxiRule, testing::ValuesIn(kViolations),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(AxiRuleInReset, NoValidIsHigh) {
  using Channel = std::uint8_t Ports::*;
  for (const Channel valid : {&Ports::m_axi_arvalid, &Ports::m_axi_rvalid, &Ports::m_axi_awvalid,
                              &Ports::m_axi_wvalid, &Ports::m_axi_bvalid}) {
    Ports ports = IdlePorts();
    tb::AxiProtocolChecker<Ports> checker{ports};
    checker.SampleReset();
    ports.*valid = 1;
    auto after_reset = checker;
    EXPECT_THROW(checker.SampleReset(), Error);
    EXPECT_THROW(after_reset.Sample(), Error) << "the first cycle after reset";
  }
}

TEST(AxiRuleInReset, EndsAllBursts) {
  Ports ports = IdlePorts();
  tb::AxiProtocolChecker<Ports> checker{ports};
  kRead2(ports);
  kWrite2(ports);
  checker.Sample();
  EXPECT_EQ(checker.Outstanding(), 2U);
  ports = IdlePorts();
  checker.SampleReset();
  checker.Sample();
  checker.ExpectDrained();
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
