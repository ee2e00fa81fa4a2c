// SPDX-License-Identifier: Apache-2.0
// What the AXI bench parts need to know about the m_axi_* ports of a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tpu::tb {

enum class AxiChannel : std::uint8_t { kAr, kR, kAw, kW, kB };
inline constexpr std::size_t kNumAxiChannels = 5;

enum class AxiResponse : std::uint8_t { kOkay = 0, kSlaveError = 2, kDecodeError = 3 };

/// `Ports` is a Verilated model, or any structure whose members (values or references) have the
/// names of an AXI4 master's ports: m_axi_arvalid, m_axi_araddr, ... A master may have only the
/// read or only the write channels, and no IDs.
template <typename Ports>
concept HasAxiRead = requires(Ports& p) {
  p.m_axi_arvalid;
};
template <typename Ports>
concept HasAxiWrite = requires(Ports& p) {
  p.m_axi_awvalid;
};

template <typename Ports>
constexpr std::size_t AxiBeatBytes() {
  if constexpr (HasAxiRead<Ports>) {
    return sizeof(static_cast<Ports*>(nullptr)->m_axi_rdata);
  } else {
    return sizeof(static_cast<Ports*>(nullptr)->m_axi_wdata);
  }
}

/// Data ports are integers up to 64 bits and arrays of words above; both are little-endian bytes in
/// memory.
template <typename Port>
void SetPortBytes(Port& port, const std::uint8_t* bytes) {
  std::memcpy(static_cast<void*>(&port), bytes, sizeof(port));
}

}  // namespace tpu::tb
