// SPDX-License-Identifier: Apache-2.0
// Watches the s_axil_* ports of a Verilated model and throws when either side breaks a rule of
// AXI4-Lite.
#pragma once

#include <cstdint>
#include <string_view>

#include "tb/axi_channel_watch.h"

namespace tpu::tb {

/// Rules: a VALID stays high, and its payload unchanged, until READY, and is low in reset; a write
/// response follows one address and one data word, a read response one address, each once; no
/// response is EXOKAY, which AXI4-Lite does not have. Errors name port, channel, cycle and rule.
///
/// Call Sample() and SampleReset() as those of AxiProtocolChecker.
template <typename Ports>
class AxilProtocolChecker {
 public:
  explicit AxilProtocolChecker(const Ports& ports, std::string_view port = "s_axil")
      : ports_(ports), place_{port} {}

  void Sample() {
    if (after_reset_) CheckReset();
    const Ports& p = ports_;
    if ((p.s_axil_awvalid | p.s_axil_wvalid | p.s_axil_bvalid | p.s_axil_arvalid |
         p.s_axil_rvalid) != 0 ||
        active_) {
      Check();
    }
    ++place_.cycle;
  }
  void SampleReset() {
    CheckReset();
    after_reset_ = true;
    addresses_ = data_ = reads_ = 0;
    ++place_.cycle;
  }

  /// Throws unless every request has been answered.
  void ExpectDrained() const {
    place_.Require(addresses_ == 0 && data_ == 0, "B", "a write was not answered");
    place_.Require(reads_ == 0, "R", "a read was not answered");
  }

 private:
  void CheckReset() {
    after_reset_ = false;
    const Ports& p = ports_;
    aw_.CheckReset(place_, p.s_axil_awvalid);
    w_.CheckReset(place_, p.s_axil_wvalid);
    b_.CheckReset(place_, p.s_axil_bvalid);
    ar_.CheckReset(place_, p.s_axil_arvalid);
    r_.CheckReset(place_, p.s_axil_rvalid);
  }

  void Check() {
    const Ports& p = ports_;
    aw_.Check(place_, p.s_axil_awvalid, p.s_axil_awready, p.s_axil_awaddr, p.s_axil_awprot);
    w_.Check(place_, p.s_axil_wvalid, p.s_axil_wready, p.s_axil_wdata, p.s_axil_wstrb);
    b_.Check(place_, p.s_axil_bvalid, p.s_axil_bready, p.s_axil_bresp);
    ar_.Check(place_, p.s_axil_arvalid, p.s_axil_arready, p.s_axil_araddr, p.s_axil_arprot);
    r_.Check(place_, p.s_axil_rvalid, p.s_axil_rready, p.s_axil_rdata, p.s_axil_rresp);
    // Responses first: they cannot answer a request of the same cycle.
    if (p.s_axil_bvalid) {
      place_.Require(addresses_ != 0 && data_ != 0, "B", "no write is outstanding");
      place_.Require(p.s_axil_bresp != 1, "B", "response is EXOKAY");
    }
    if (p.s_axil_rvalid) {
      place_.Require(reads_ != 0, "R", "no read is outstanding");
      place_.Require(p.s_axil_rresp != 1, "R", "response is EXOKAY");
    }
    if (p.s_axil_bvalid && p.s_axil_bready) {
      --addresses_;
      --data_;
    }
    if (p.s_axil_rvalid && p.s_axil_rready) --reads_;
    addresses_ += p.s_axil_awvalid && p.s_axil_awready;
    data_ += p.s_axil_wvalid && p.s_axil_wready;
    reads_ += p.s_axil_arvalid && p.s_axil_arready;
    // A VALID that falls must be seen in the cycle after.
    active_ = (p.s_axil_awvalid | p.s_axil_wvalid | p.s_axil_bvalid | p.s_axil_arvalid |
               p.s_axil_rvalid) != 0;
  }

  const Ports& ports_;
  AxiPlace place_;
  bool after_reset_ = false;
  bool active_ = false;
  AxiChannelWatch<16> aw_{"AW"};
  AxiChannelWatch<16> w_{"W"};
  AxiChannelWatch<4> b_{"B"};
  AxiChannelWatch<16> ar_{"AR"};
  AxiChannelWatch<16> r_{"R"};
  // Accepted and not answered: write addresses, write data, read addresses.
  unsigned addresses_ = 0;
  unsigned data_ = 0;
  unsigned reads_ = 0;
};

}  // namespace tpu::tb
