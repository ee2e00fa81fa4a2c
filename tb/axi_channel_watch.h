// SPDX-License-Identifier: Apache-2.0
// What the AXI checkers share: one channel's handshake rules, and the error that names the place.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/error.h"

namespace tpu::tb {

/// Where a rule is checked: the port ("m_axi") and the cycle, counted from the checker's
/// construction.
struct AxiPlace {
  std::string_view port;
  std::uint64_t cycle = 0;

  /// Throws tpu::Error "<port> <channel> channel, cycle <n>: <rule>" unless `ok`.
  void Require(bool ok, std::string_view channel, std::string_view rule) const {
    if (!ok) throw Error::Format("{} {} channel, cycle {}: {}", port, channel, cycle, rule);
  }
};

/// A valid stays high, and the payload (at most kBytes bytes) unchanged, until ready.
template <std::size_t kBytes>
class AxiChannelWatch {
 public:
  explicit AxiChannelWatch(std::string_view name) : name_(name) {}

  /// One cycle outside reset; `fields` are all the ports of the payload.
  template <typename... Fields>
  void Check(const AxiPlace& place, bool valid, bool ready, const Fields&... fields) {
    if (!valid) {
      place.Require(!waiting_, name_, "VALID fell before READY");
      return;
    }
    // Nothing to compare with or to remember: the usual case, and the cheap one.
    if (ready && !waiting_) return;
    static_assert((sizeof(fields) + ...) <= kBytes);
    std::array<std::uint8_t, kBytes> payload{};
    std::size_t at = 0;
    ((std::memcpy(payload.data() + at, &fields, sizeof(fields)), at += sizeof(fields)), ...);
    place.Require(!waiting_ || payload == payload_, name_, "payload changed before READY");
    waiting_ = !ready;
    payload_ = payload;
  }

  /// One cycle in which reset has already met a clock edge, or the first one after reset.
  void CheckReset(const AxiPlace& place, bool valid) {
    place.Require(!valid, name_, "VALID is high in reset");
    waiting_ = false;
  }

 private:
  std::string_view name_;
  bool waiting_ = false;
  std::array<std::uint8_t, kBytes> payload_{};
};

}  // namespace tpu::tb
