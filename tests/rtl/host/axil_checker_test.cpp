// SPDX-License-Identifier: Apache-2.0
// The AXI4-Lite checker, with ports driven by hand instead of a model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "base/error.h"
#include "tb/axil_protocol_checker.h"

namespace tpu {
namespace {

struct Ports {
  std::uint16_t s_axil_awaddr = 0;
  std::uint8_t s_axil_awprot = 0;
  std::uint8_t s_axil_awvalid = 0;
  std::uint8_t s_axil_awready = 1;
  std::uint32_t s_axil_wdata = 0;
  std::uint8_t s_axil_wstrb = 0xF;
  std::uint8_t s_axil_wvalid = 0;
  std::uint8_t s_axil_wready = 1;
  std::uint8_t s_axil_bresp = 0;
  std::uint8_t s_axil_bvalid = 0;
  std::uint8_t s_axil_bready = 1;
  std::uint16_t s_axil_araddr = 0;
  std::uint8_t s_axil_arprot = 0;
  std::uint8_t s_axil_arvalid = 0;
  std::uint8_t s_axil_arready = 1;
  std::uint32_t s_axil_rdata = 0;
  std::uint8_t s_axil_rresp = 0;
  std::uint8_t s_axil_rvalid = 0;
  std::uint8_t s_axil_rready = 1;
};

struct Violation {
  const char* name;
  const char* rule;
  /// What each cycle carries; the last one breaks the rule.
  std::vector<std::function<void(Ports&)>> cycles;
  bool ends = false;  // It is ExpectDrained that throws
};

void PrintTo(const Violation& v, std::ostream* os) { *os << v.name; }

const auto kNothing = [](Ports&) {};
const auto kAddress = [](Ports& p) { p.s_axil_awvalid = 1; };
const auto kData = [](Ports& p) { p.s_axil_wvalid = 1; };
const auto kWrite = [](Ports& p) { p.s_axil_awvalid = p.s_axil_wvalid = 1; };
const auto kRead = [](Ports& p) { p.s_axil_arvalid = 1; };
const auto kB = [](Ports& p) { p.s_axil_bvalid = 1; };
const auto kR = [](Ports& p) { p.s_axil_rvalid = 1; };

template <typename Action>
auto Refused(Action action) {
  return [action](Ports& p) {
    p.s_axil_awready = p.s_axil_wready = p.s_axil_bready = p.s_axil_arready = p.s_axil_rready = 0;
    action(p);
  };
}
template <typename Action, typename Change>
auto With(Action action, Change change) {
  return [action, change](Ports& p) {
    action(p);
    change(p);
  };
}

const Violation kViolations[] = {
    {"AwFalls", "AW channel, cycle 1: VALID fell", {Refused(kAddress), kNothing}},
    {"WFalls", "W channel, cycle 1: VALID fell", {Refused(kData), kNothing}},
    {"BFalls", "B channel, cycle 2: VALID fell", {kWrite, Refused(kB), kNothing}},
    {"ArFalls", "AR channel, cycle 1: VALID fell", {Refused(kRead), kNothing}},
    {"RFalls", "R channel, cycle 2: VALID fell", {kRead, Refused(kR), kNothing}},
    {"AwChanges",
     "AW channel, cycle 1: payload changed",
     {Refused(kAddress), With(kAddress, [](Ports& p) { p.s_axil_awaddr = 4; })}},
    {"WChanges",
     "W channel, cycle 1: payload changed",
     {Refused(kData), With(kData, [](Ports& p) { p.s_axil_wstrb = 1; })}},
    {"BChanges",
     "B channel, cycle 2: payload changed",
     {kWrite, Refused(kB), With(kB, [](Ports& p) { p.s_axil_bresp = 2; })}},
    {"ArChanges",
     "AR channel, cycle 1: payload changed",
     {Refused(kRead), With(kRead, [](Ports& p) { p.s_axil_arprot = 1; })}},
    {"RChanges",
     "R channel, cycle 2: payload changed",
     {kRead, Refused(kR), With(kR, [](Ports& p) { p.s_axil_rdata = 1; })}},
    {"ResponseToNobody", "B channel, cycle 0: no write", {kB}},
    {"ResponseWithoutData", "B channel, cycle 1: no write", {kAddress, kB}},
    {"ResponseWithoutAddress", "B channel, cycle 1: no write", {kData, kB}},
    {"SecondResponse", "B channel, cycle 2: no write", {kWrite, kB, kB}},
    {"ReadAnswerToNobody", "R channel, cycle 0: no read", {kR}},
    {"ReadAnswerWithItsAddress", "R channel, cycle 0: no read", {With(kRead, kR)}},
    {"SecondReadAnswer", "R channel, cycle 2: no read", {kRead, kR, kR}},
    {"WriteExclusive",
     "B channel, cycle 1: response is EXOKAY",
     {kWrite, With(kB, [](Ports& p) { p.s_axil_bresp = 1; })}},
    {"ReadExclusive",
     "R channel, cycle 1: response is EXOKAY",
     {kRead, With(kR, [](Ports& p) { p.s_axil_rresp = 1; })}},
    {"WriteUnanswered", "B channel, cycle 1: a write was not answered", {kWrite}, true},
    {"ReadUnanswered", "R channel, cycle 1: a read was not answered", {kRead}, true},
};

class AxilRule : public testing::TestWithParam<Violation> {};

TEST_P(AxilRule, IsEnforced) {
  const Violation& violation = GetParam();
  Ports ports;
  tb::AxilProtocolChecker<Ports> checker{ports};
  const std::size_t good = violation.cycles.size() - (violation.ends ? 0 : 1);
  for (std::size_t i = 0; i < good; ++i) {
    ports = {};
    violation.cycles[i](ports);
    ASSERT_NO_THROW(checker.Sample()) << "cycle " << i;
  }
  try {
    if (violation.ends) {
      checker.ExpectDrained();
    } else {
      ports = {};
      violation.cycles.back()(ports);
      checker.Sample();
    }
    ADD_FAILURE() << "no error; expected: " << violation.rule;
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr(std::string("s_axil ") + violation.rule));
  }
}

INSTANTIATE_TEST_SUITE_P(All, AxilRule, testing::ValuesIn(kViolations),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(AxilRuleInReset, NoValidIsHigh) {
  using Channel = std::uint8_t Ports::*;
  for (const Channel valid : {&Ports::s_axil_awvalid, &Ports::s_axil_wvalid, &Ports::s_axil_bvalid,
                              &Ports::s_axil_arvalid, &Ports::s_axil_rvalid}) {
    Ports ports;
    tb::AxilProtocolChecker<Ports> checker{ports};
    checker.SampleReset();
    ports.*valid = 1;
    auto after_reset = checker;
    EXPECT_THROW(checker.SampleReset(), Error);
    EXPECT_THROW(after_reset.Sample(), Error) << "the first cycle after reset";
  }
}

}  // namespace
}  // namespace tpu
