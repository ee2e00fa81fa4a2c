// Watches the m_axi_* ports of a Verilated model and throws when either side breaks a rule of AXI4
// or of this project.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string_view>

#include "base/error.h"
#include "tb/axi_ports.h"

namespace tpu::tb {

/// Rules: a valid stays high, and its payload unchanged, until ready; bursts are INCR of full-width
/// beats, start at a beat and stay inside 4 KiB; LAST marks exactly the last beat; write data does
/// not pass its address; every response belongs to an outstanding burst with its ID. Errors name
/// the cycle (counted from the checker's construction), the channel and the rule.
///
/// Call Sample() before each clock edge outside reset, when the ports have settled.
template <typename Ports>
class AxiProtocolChecker {
 public:
  static constexpr std::size_t kBeatBytes = AxiBeatBytes<Ports>();

  explicit AxiProtocolChecker(const Ports& ports) : ports_(ports) {}

  void Sample() {
    if constexpr (HasAxiRead<Ports>) CheckReads();
    if constexpr (HasAxiWrite<Ports>) CheckWrites();
    ++cycle_;
  }

  /// Bursts that were accepted and not yet answered completely.
  [[nodiscard]] std::size_t Outstanding() const {
    std::size_t n = writes_.size() + unanswered_.size();
    for (const auto& bursts : reads_) n += bursts.size();
    return n;
  }
  /// Throws unless every burst has been answered.
  void ExpectDrained() const {
    if (Outstanding() != 0) Fail("end", "bursts are outstanding");
  }

 private:
  static constexpr std::size_t kIds = 256;
  struct Write {
    unsigned id;
    unsigned beats_left;
  };
  // What a channel carried in a cycle without ready. Its payload is every port of the channel.
  template <std::size_t kBytes>
  struct Held {
    bool waiting = false;
    std::array<std::uint8_t, kBytes> payload{};
  };

  [[noreturn]] void Fail(std::string_view channel, std::string_view rule) const {
    throw Error::Format("AXI {} channel, cycle {}: {}", channel, cycle_, rule);
  }
  void Require(bool ok, std::string_view channel, std::string_view rule) const {
    if (!ok) Fail(channel, rule);
  }

  template <std::size_t kBytes, typename... Fields>
  void CheckStable(Held<kBytes>& held, std::string_view channel, bool valid, bool ready,
                   const Fields&... fields) {
    if (!valid) {
      Require(!held.waiting, channel, "valid fell before ready");
      return;
    }
    if (ready && !held.waiting) return;
    std::array<std::uint8_t, kBytes> payload{};
    std::size_t at = 0;
    ((std::memcpy(payload.data() + at, &fields, sizeof(fields)), at += sizeof(fields)), ...);
    Require(!held.waiting || payload == held.payload, channel, "payload changed before ready");
    held.waiting = !ready;
    held.payload = payload;
  }

  void CheckAddress(std::string_view channel, std::uint64_t address, unsigned len, unsigned size,
                    unsigned burst) const {
    Require(burst == 1, channel, "burst is not INCR");
    Require(size == std::countr_zero(kBeatBytes), channel, "beats are not full width");
    Require(address % kBeatBytes == 0, channel, "address is not a multiple of the beat");
    Require(address / 4096 == (address + (len + 1) * kBeatBytes - 1) / 4096, channel,
            "burst crosses a 4 KiB boundary");
  }

  // IDs are optional ports.
  static unsigned ArId(const Ports& p) {
    if constexpr (requires { p.m_axi_arid; }) return p.m_axi_arid;
    return 0;
  }
  static unsigned RId(const Ports& p) {
    if constexpr (requires { p.m_axi_rid; }) return p.m_axi_rid;
    return 0;
  }

  void CheckReads() {
    const Ports& p = ports_;
    const unsigned arid = ArId(p);
    CheckStable(ar_, "AR", p.m_axi_arvalid, p.m_axi_arready, arid, p.m_axi_araddr, p.m_axi_arlen,
                p.m_axi_arsize, p.m_axi_arburst);
    const unsigned rid = RId(p);
    CheckStable(r_, "R", p.m_axi_rvalid, p.m_axi_rready, rid, p.m_axi_rdata, p.m_axi_rresp,
                p.m_axi_rlast);
    if (p.m_axi_rvalid && p.m_axi_rready) {
      std::deque<unsigned>& bursts = reads_.at(rid);
      Require(!bursts.empty(), "R", "no burst with this ID is outstanding");
      Require((bursts.front() == 1) == (p.m_axi_rlast != 0), "R", "RLAST is not on the last beat");
      if (--bursts.front() == 0) bursts.pop_front();
    }
    // After R: data cannot answer an address of the same cycle.
    if (p.m_axi_arvalid && p.m_axi_arready) {
      CheckAddress("AR", p.m_axi_araddr, p.m_axi_arlen, p.m_axi_arsize, p.m_axi_arburst);
      reads_.at(arid).push_back(p.m_axi_arlen + 1U);
    }
  }

  void CheckWrites() {
    const Ports& p = ports_;
    CheckStable(aw_, "AW", p.m_axi_awvalid, p.m_axi_awready, p.m_axi_awid, p.m_axi_awaddr,
                p.m_axi_awlen, p.m_axi_awsize, p.m_axi_awburst);
    CheckStable(w_, "W", p.m_axi_wvalid, p.m_axi_wready, p.m_axi_wdata, p.m_axi_wstrb,
                p.m_axi_wlast);
    CheckStable(b_, "B", p.m_axi_bvalid, p.m_axi_bready, p.m_axi_bid, p.m_axi_bresp);
    if (p.m_axi_bvalid && p.m_axi_bready) {
      Require(!unanswered_.empty(), "B", "no burst has all its data");
      Require(unanswered_.front() == p.m_axi_bid, "B", "BID is not that of the oldest burst");
      unanswered_.pop_front();
    }
    if (p.m_axi_awvalid && p.m_axi_awready) {
      CheckAddress("AW", p.m_axi_awaddr, p.m_axi_awlen, p.m_axi_awsize, p.m_axi_awburst);
      writes_.push_back({p.m_axi_awid, p.m_axi_awlen + 1U});
    }
    if (p.m_axi_wvalid && p.m_axi_wready) {
      Require(!writes_.empty(), "W", "data passed its address");
      Write& write = writes_.front();
      Require((write.beats_left == 1) == (p.m_axi_wlast != 0), "W",
              "WLAST is not on the last beat");
      if (--write.beats_left == 0) {
        unanswered_.push_back(write.id);
        writes_.pop_front();
      }
    }
  }

  const Ports& ports_;
  std::uint64_t cycle_ = 0;
  Held<32> ar_;
  Held<kBeatBytes + 16> r_;
  Held<32> aw_;
  Held<kBeatBytes + 16> w_;
  Held<16> b_;
  std::array<std::deque<unsigned>, kIds> reads_;  // By ID: beats left of each burst
  std::deque<Write> writes_;                      // Waiting for data
  std::deque<unsigned> unanswered_;               // IDs of bursts whose data is complete
};

}  // namespace tpu::tb
