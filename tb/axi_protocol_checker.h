// SPDX-License-Identifier: Apache-2.0
// Watches the m_axi_* ports of a Verilated model and throws when either side breaks a rule of AXI4
// or of this project.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <deque>
#include <string_view>

#include "tb/axi_channel_watch.h"
#include "tb/axi_ports.h"

namespace tpu::tb {

/// Rules: a VALID stays high, and its payload unchanged, until READY, and is low in reset; bursts
/// are INCR of full-width beats to normal memory, start at a beat and stay inside 4 KiB; LAST marks
/// exactly the last beat; a beat's strobes are one run of bytes; write data does not pass its
/// address; every response belongs to an outstanding burst with its ID, comes in order, and is not
/// EXOKAY (nothing here is exclusive). Errors name port, channel, cycle and rule.
///
/// Call Sample() before each clock edge outside reset, when the ports have settled, and
/// SampleReset() before each clock edge in reset from the second on.
template <typename Ports>
class AxiProtocolChecker {
 public:
  static constexpr std::size_t kBeatBytes = AxiBeatBytes<Ports>();

  explicit AxiProtocolChecker(const Ports& ports, std::string_view port = "m_axi")
      : ports_(ports), place_{port} {}

  void Sample() {
    if (after_reset_) CheckReset();
    if constexpr (HasAxiRead<Ports>) CheckReads();
    if constexpr (HasAxiWrite<Ports>) CheckWrites();
    ++place_.cycle;
  }
  void SampleReset() {
    CheckReset();
    after_reset_ = true;
    for (auto& bursts : reads_) bursts.clear();
    writes_.clear();
    unanswered_.clear();
    ++place_.cycle;
  }

  /// Bursts that were accepted and not yet answered completely.
  [[nodiscard]] std::size_t Outstanding() const {
    std::size_t n = writes_.size() + unanswered_.size();
    for (const auto& bursts : reads_) n += bursts.size();
    return n;
  }
  /// Throws unless every burst has been answered.
  void ExpectDrained() const {
    for (const auto& bursts : reads_) {
      place_.Require(bursts.empty(), "R", "a burst was not answered to the end");
    }
    place_.Require(writes_.empty(), "W", "a burst did not get all its data");
    place_.Require(unanswered_.empty(), "B", "a burst was not answered");
  }

 private:
  static constexpr std::size_t kIds = 256;
  struct Write {
    unsigned id;
    unsigned beats_left;
  };

  void CheckReset() {
    after_reset_ = false;
    const Ports& p = ports_;
    if constexpr (HasAxiRead<Ports>) {
      ar_.CheckReset(place_, p.m_axi_arvalid);
      r_.CheckReset(place_, p.m_axi_rvalid);
    }
    if constexpr (HasAxiWrite<Ports>) {
      aw_.CheckReset(place_, p.m_axi_awvalid);
      w_.CheckReset(place_, p.m_axi_wvalid);
      b_.CheckReset(place_, p.m_axi_bvalid);
    }
  }

  /// LOCK, CACHE, PROT, QOS.
  using Qualifiers = std::array<std::uint8_t, 4>;

  void CheckAddress(std::string_view channel, std::uint64_t address, unsigned len, unsigned size,
                    unsigned burst, const Qualifiers& qualifiers) const {
    constexpr Qualifiers kNormalBufferable = {0, 0b0011, 0, 0};
    place_.Require(qualifiers == kNormalBufferable, channel,
                   "access is not normal, bufferable, unprivileged");
    place_.Require(burst == 1, channel, "burst is not INCR");
    place_.Require(size == std::countr_zero(kBeatBytes), channel, "beats are not full width");
    place_.Require(address % kBeatBytes == 0, channel, "address is not a multiple of the beat");
    place_.Require(address / 4096 == (address + (len + 1) * kBeatBytes - 1) / 4096, channel,
                   "burst crosses a 4 KiB boundary");
  }
  void CheckResponse(std::string_view channel, unsigned response) const {
    place_.Require(response != 1, channel, "response is EXOKAY");
  }

  // IDs and qualifiers are optional ports.
  static unsigned ArId(const Ports& p) {
    if constexpr (requires { p.m_axi_arid; }) return p.m_axi_arid;
    return 0;
  }
  static unsigned RId(const Ports& p) {
    if constexpr (requires { p.m_axi_rid; }) return p.m_axi_rid;
    return 0;
  }
  static Qualifiers ArQualifiers(const Ports& p) {
    if constexpr (requires { p.m_axi_arlock; }) {
      return {p.m_axi_arlock, p.m_axi_arcache, p.m_axi_arprot, p.m_axi_arqos};
    }
    return {0, 0b0011, 0, 0};
  }
  static Qualifiers AwQualifiers(const Ports& p) {
    if constexpr (requires { p.m_axi_awlock; }) {
      return {p.m_axi_awlock, p.m_axi_awcache, p.m_axi_awprot, p.m_axi_awqos};
    }
    return {0, 0b0011, 0, 0};
  }

  void CheckReads() {
    const Ports& p = ports_;
    if (p.m_axi_arvalid == 0 && p.m_axi_rvalid == 0) {
      ar_.Check(place_, false, false, 0);
      r_.Check(place_, false, false, 0);
      return;
    }
    const unsigned arid = ArId(p);
    ar_.Check(place_, p.m_axi_arvalid, p.m_axi_arready, arid, p.m_axi_araddr, p.m_axi_arlen,
              p.m_axi_arsize, p.m_axi_arburst, ArQualifiers(p));
    const unsigned rid = RId(p);
    r_.Check(place_, p.m_axi_rvalid, p.m_axi_rready, rid, p.m_axi_rdata, p.m_axi_rresp,
             p.m_axi_rlast);
    if (p.m_axi_rvalid && p.m_axi_rready) {
      std::deque<unsigned>& bursts = reads_.at(rid);
      place_.Require(!bursts.empty(), "R", "no burst with this ID is outstanding");
      place_.Require((bursts.front() == 1) == (p.m_axi_rlast != 0), "R",
                     "RLAST is not on the last beat");
      CheckResponse("R", p.m_axi_rresp);
      if (--bursts.front() == 0) bursts.pop_front();
    }
    // After R: data cannot answer an address of the same cycle.
    if (p.m_axi_arvalid && p.m_axi_arready) {
      CheckAddress("AR", p.m_axi_araddr, p.m_axi_arlen, p.m_axi_arsize, p.m_axi_arburst,
                   ArQualifiers(p));
      reads_.at(arid).push_back(p.m_axi_arlen + 1U);
    }
  }

  void CheckWrites() {
    const Ports& p = ports_;
    if (p.m_axi_awvalid == 0 && p.m_axi_wvalid == 0 && p.m_axi_bvalid == 0) {
      aw_.Check(place_, false, false, 0);
      w_.Check(place_, false, false, 0);
      b_.Check(place_, false, false, 0);
      return;
    }
    aw_.Check(place_, p.m_axi_awvalid, p.m_axi_awready, p.m_axi_awid, p.m_axi_awaddr, p.m_axi_awlen,
              p.m_axi_awsize, p.m_axi_awburst, AwQualifiers(p));
    w_.Check(place_, p.m_axi_wvalid, p.m_axi_wready, p.m_axi_wdata, p.m_axi_wstrb, p.m_axi_wlast);
    b_.Check(place_, p.m_axi_bvalid, p.m_axi_bready, p.m_axi_bid, p.m_axi_bresp);
    if (p.m_axi_bvalid && p.m_axi_bready) {
      const auto burst = std::find(unanswered_.begin(), unanswered_.end(), p.m_axi_bid);
      place_.Require(burst != unanswered_.end(), "B", "no burst has all its data and this ID");
      CheckResponse("B", p.m_axi_bresp);
      unanswered_.erase(burst);
    }
    if (p.m_axi_awvalid && p.m_axi_awready) {
      CheckAddress("AW", p.m_axi_awaddr, p.m_axi_awlen, p.m_axi_awsize, p.m_axi_awburst,
                   AwQualifiers(p));
      writes_.push_back({p.m_axi_awid, p.m_axi_awlen + 1U});
    }
    if (p.m_axi_wvalid && p.m_axi_wready) {
      place_.Require(!writes_.empty(), "W", "data passed its address");
      Write& write = writes_.front();
      place_.Require((write.beats_left == 1) == (p.m_axi_wlast != 0), "W",
                     "WLAST is not on the last beat");
      const std::uint64_t strobes = p.m_axi_wstrb;
      const std::uint64_t run = strobes == 0 ? 0 : strobes >> std::countr_zero(strobes);
      place_.Require((run & (run + 1)) == 0, "W", "strobes are not one run of bytes");
      if (--write.beats_left == 0) {
        unanswered_.push_back(write.id);
        writes_.pop_front();
      }
    }
  }

  const Ports& ports_;
  AxiPlace place_;
  bool after_reset_ = false;
  AxiChannelWatch<40> ar_{"AR"};
  AxiChannelWatch<kBeatBytes + 16> r_{"R"};
  AxiChannelWatch<40> aw_{"AW"};
  AxiChannelWatch<kBeatBytes + 16> w_{"W"};
  AxiChannelWatch<16> b_{"B"};
  std::array<std::deque<unsigned>, kIds> reads_;  // By ID: beats left of each burst
  std::deque<Write> writes_;                      // Waiting for data
  std::deque<unsigned> unanswered_;               // IDs of bursts whose data is complete
};

}  // namespace tpu::tb
