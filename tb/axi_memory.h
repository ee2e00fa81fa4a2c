// SPDX-License-Identifier: Apache-2.0
// An AXI4 slave with memory behind it, for the m_axi_* ports of a Verilated model.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "tb/axi_ports.h"

namespace tpu::tb {

/// Probability, per channel, that the slave pauses in a cycle: a ready stays low or a valid does
/// not rise.
struct AxiStalls {
  double ar = 0;
  double r = 0;
  double aw = 0;
  double w = 0;
  double b = 0;
};

struct AxiMemoryOptions {
  /// Cycles from an accepted AR to the first R beat, and from the last W beat to the B response
  /// unless response_latency says otherwise; at least 1.
  unsigned latency = 64;
  std::optional<unsigned> response_latency;
  /// Accepted and unfinished bursts, in each direction.
  unsigned max_bursts = 64;
  /// Mix the beats of bursts with different IDs at random; otherwise bursts are answered one after
  /// the other.
  bool interleave = false;
  /// Every READY stays low until the master shows its VALID, and AWREADY also until it offers data:
  /// a master that waits for READY before VALID, or for AWREADY before it offers data, hangs.
  bool ready_after_valid = false;
  AxiStalls stalls;
  std::uint64_t seed = 1;
};

/// Beats and bursts since construction.
struct AxiTraffic {
  std::uint64_t read_bursts = 0;
  std::uint64_t read_beats = 0;
  std::uint64_t write_bursts = 0;
  std::uint64_t write_beats = 0;
  std::uint64_t write_responses = 0;
};

/// One beat per cycle in each direction. Call Sample() before a clock edge and Drive() after it:
///
///     memory.Sample();
///     dut.Tick();
///     memory.Drive();
///
/// All driven ports change only in Drive(). Addresses outside the memory answer DECERR: reads give
/// zeros, writes are dropped.
template <typename Ports>
class AxiMemory {
 public:
  static constexpr std::size_t kBeatBytes = AxiBeatBytes<Ports>();
  static constexpr std::uint64_t kPageBytes = 4096;

  explicit AxiMemory(Ports& ports, const AxiMemoryOptions& options = {})
      : AxiMemory(ports, nullptr, options) {}
  /// Another port of the memory that `bytes` are, which outlives this.
  AxiMemory(Ports& ports, std::vector<std::uint8_t>* bytes, const AxiMemoryOptions& options)
      : ports_(ports),
        options_(options),
        bytes_(bytes != nullptr ? *bytes : own_bytes_),
        random_(options.seed * 2 + 1) {
    reads_.reserve(options_.max_bursts);
    writes_.reserve(options_.max_bursts);
    responses_.reserve(2 * options_.max_bursts);
    Drive();
  }

  /// Makes addresses 0 .. bytes - 1 (rounded up to 4 KiB) answer; keeps the contents below, new
  /// bytes are zero.
  void Resize(std::uint64_t bytes) {
    bytes_.resize((bytes + kPageBytes - 1) / kPageBytes * kPageBytes);
  }
  /// Puts byte 0 at bus address `base`, a multiple of 4 KiB. All other addresses that this class
  /// takes and gives count from there.
  void MoveTo(std::uint64_t base) { base_ = base; }
  /// The memory's contents, by address.
  [[nodiscard]] std::vector<std::uint8_t>& bytes() { return bytes_; }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

  [[nodiscard]] const AxiTraffic& traffic() const { return traffic_; }
  [[nodiscard]] std::uint64_t cycle() const { return cycle_; }
  /// No burst is accepted and unfinished.
  [[nodiscard]] bool Idle() const {
    return reads_.empty() && writes_.empty() && responses_.empty();
  }

  /// The n-th read beat (write response) of the memory's life, from 0, answers with `response`.
  void FailReadBeat(std::uint64_t n, AxiResponse response) { bad_beats_.push_back({n, response}); }
  void FailWriteResponse(std::uint64_t n, AxiResponse response) {
    bad_responses_.push_back({n, response});
  }
  /// Every access of a beat that overlaps addresses begin .. end - 1 answers with `response` and
  /// writes nothing.
  void FailRange(std::uint64_t begin, std::uint64_t end, AxiResponse response) {
    bad_ranges_.push_back({begin, end, response});
  }
  /// All counted beats and ranges answer properly again.
  void ForgetFaults() {
    bad_beats_.clear();
    bad_responses_.clear();
    bad_ranges_.clear();
  }
  /// From the next Drive() on: no ready rises and no valid that is not already high.
  void StopAnswering(bool stop = true) { stopped_.fill(stop); }
  /// The same on one channel only, until StopAnswering(false).
  void StopChannel(AxiChannel channel) { stopped_[static_cast<std::size_t>(channel)] = true; }
  /// Every burst that has been accepted and not been answered is answered `cycles` cycles from now
  /// at the earliest; later ones with other IDs overtake it.
  void DelayUnanswered(std::uint64_t cycles) {
    for (std::vector<Burst>* bursts : {&reads_, &responses_}) {
      for (Burst& burst : *bursts) burst.ready_at = cycle_ + cycles;
    }
    overtaking_ = true;
  }
  /// Never answers the bursts that wait for an answer now, but for those whose answer has begun to
  /// stand on the bus.
  void ForgetUnanswered() {
    Keep(reads_, r_valid_, r_burst_);
    Keep(responses_, b_valid_, b_burst_);
  }
  /// Forgets every unfinished burst (the master was reset).
  void Reset() {
    reads_.clear();
    writes_.clear();
    responses_.clear();
    r_valid_ = b_valid_ = false;
    Drive();
  }

  void Sample() {
    if constexpr (HasAxiRead<Ports>) {
      SampleReads();
    }
    if constexpr (HasAxiWrite<Ports>) {
      SampleWrites();
    }
    ++cycle_;
  }

  void Drive() {
    if constexpr (HasAxiRead<Ports>) {
      ar_ready_ = !IsStopped(AxiChannel::kAr) && reads_.size() < options_.max_bursts &&
                  Shown(ports_.m_axi_arvalid) && !Pause(options_.stalls.ar);
      ports_.m_axi_arready = ar_ready_;
      if (!r_valid_ && !IsStopped(AxiChannel::kR) && !reads_.empty()) DriveReadBeat();
      ports_.m_axi_rvalid = r_valid_;
    }
    if constexpr (HasAxiWrite<Ports>) {
      aw_ready_ = !IsStopped(AxiChannel::kAw) && writes_.size() < options_.max_bursts &&
                  responses_.size() < options_.max_bursts &&
                  Shown(ports_.m_axi_awvalid && ports_.m_axi_wvalid) && !Pause(options_.stalls.aw);
      w_ready_ = !IsStopped(AxiChannel::kW) && !writes_.empty() && Shown(ports_.m_axi_wvalid) &&
                 !Pause(options_.stalls.w);
      ports_.m_axi_awready = aw_ready_;
      ports_.m_axi_wready = w_ready_;
      if (!b_valid_ && !IsStopped(AxiChannel::kB) && !responses_.empty()) DriveWriteResponse();
      ports_.m_axi_bvalid = b_valid_;
    }
  }

 private:
  struct Burst {
    std::uint64_t address = 0;   // Of the next beat
    std::uint64_t ready_at = 0;  // First cycle of an answer
    unsigned beats_left = 0;
    unsigned id = 0;
    AxiResponse response = AxiResponse::kOkay;
  };
  struct BadCount {
    std::uint64_t n;
    AxiResponse response;
  };
  struct BadRange {
    std::uint64_t begin;
    std::uint64_t end;
    AxiResponse response;
  };

  [[nodiscard]] bool IsStopped(AxiChannel channel) const {
    return stopped_[static_cast<std::size_t>(channel)];
  }

  // xorshift64: the sequence must be the same on every machine, and cheap.
  std::uint64_t Random() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return random_;
  }
  bool Pause(double probability) {
    return probability > 0 && static_cast<double>(Random() >> 11) * 0x1p-53 < probability;
  }

  [[nodiscard]] bool Shown(bool valid) const { return valid || !options_.ready_after_valid; }

  [[nodiscard]] AxiResponse ResponseAt(std::uint64_t address) const {
    if (address >= bytes_.size()) return AxiResponse::kDecodeError;
    for (const BadRange& bad : bad_ranges_) {
      if (address < bad.end && address + kBeatBytes > bad.begin) return bad.response;
    }
    return AxiResponse::kOkay;
  }
  static void Keep(std::vector<Burst>& bursts, bool on_bus, std::size_t& index) {
    const Burst kept = on_bus ? bursts[index] : Burst{};
    bursts.assign(on_bus ? 1 : 0, kept);
    index = 0;
  }
  static AxiResponse ResponseOf(const std::vector<BadCount>& bad, std::uint64_t n,
                                AxiResponse otherwise) {
    for (const BadCount& b : bad) {
      if (b.n == n) return b.response;
    }
    return otherwise;
  }

  void SampleReads() {
    if (ar_ready_ && ports_.m_axi_arvalid) {
      Burst burst;
      burst.address = ports_.m_axi_araddr / kBeatBytes * kBeatBytes - base_;
      burst.ready_at = cycle_ + options_.latency;
      burst.beats_left = ports_.m_axi_arlen + 1U;
      if constexpr (requires(Ports & p) { p.m_axi_arid; }) burst.id = ports_.m_axi_arid;
      reads_.push_back(burst);
      ++traffic_.read_bursts;
    }
    if (r_valid_ && ports_.m_axi_rready) {
      r_valid_ = false;
      ++traffic_.read_beats;
      Burst& burst = reads_[r_burst_];
      burst.address += kBeatBytes;
      if (--burst.beats_left == 0)
        reads_.erase(reads_.begin() + static_cast<std::ptrdiff_t>(r_burst_));
    }
  }

  void DriveReadBeat() {
    r_burst_ = options_.interleave || overtaking_ ? AnyOf(reads_) : 0;
    const Burst& burst = reads_[r_burst_];
    if (burst.ready_at > cycle_ || Pause(options_.stalls.r)) return;
    AxiResponse response = ResponseAt(burst.address);
    if (response == AxiResponse::kOkay) {
      SetPortBytes(ports_.m_axi_rdata, &bytes_[burst.address]);
    } else {
      static constexpr std::uint8_t kZeros[kBeatBytes] = {};
      SetPortBytes(ports_.m_axi_rdata, kZeros);
    }
    if (!bad_beats_.empty()) response = ResponseOf(bad_beats_, traffic_.read_beats, response);
    ports_.m_axi_rresp = static_cast<std::uint8_t>(response);
    ports_.m_axi_rlast = burst.beats_left == 1;
    if constexpr (requires(Ports & p) { p.m_axi_rid; }) {
      ports_.m_axi_rid = static_cast<std::uint8_t>(burst.id);
    }
    r_valid_ = true;
  }

  // A random one of the bursts that may be answered next: ready, and the first with its ID. The
  // first burst if there is none.
  std::size_t AnyOf(const std::vector<Burst>& bursts) {
    std::size_t chosen = 0;
    std::uint64_t candidates = 0;
    for (std::size_t i = 0; i < bursts.size(); ++i) {
      if (bursts[i].ready_at > cycle_) {
        // Bursts are accepted in the order of their answers unless some have been delayed.
        if (!overtaking_) break;
        continue;
      }
      const bool first =
          std::none_of(bursts.begin(), bursts.begin() + static_cast<std::ptrdiff_t>(i),
                       [&](const Burst& b) { return b.id == bursts[i].id; });
      if (first && Random() % ++candidates == 0) chosen = i;
    }
    return chosen;
  }

  void SampleWrites() {
    if (aw_ready_ && ports_.m_axi_awvalid) {
      Burst burst;
      burst.address = ports_.m_axi_awaddr / kBeatBytes * kBeatBytes - base_;
      burst.beats_left = ports_.m_axi_awlen + 1U;
      if constexpr (requires(Ports & p) { p.m_axi_awid; }) burst.id = ports_.m_axi_awid;
      writes_.push_back(burst);
      ++traffic_.write_bursts;
    }
    if (w_ready_ && ports_.m_axi_wvalid) WriteBeat();
    if (b_valid_ && ports_.m_axi_bready) {
      b_valid_ = false;
      ++traffic_.write_responses;
      responses_.erase(responses_.begin() + static_cast<std::ptrdiff_t>(b_burst_));
    }
  }

  void WriteBeat() {
    Burst& burst = writes_.front();
    const AxiResponse response = ResponseAt(burst.address);
    if (response == AxiResponse::kOkay) {
      StoreBytes(burst.address, ports_.m_axi_wstrb);
    } else {
      burst.response = response;
    }
    burst.address += kBeatBytes;
    ++traffic_.write_beats;
    if (--burst.beats_left == 0) {
      burst.ready_at = cycle_ + options_.response_latency.value_or(options_.latency);
      responses_.push_back(burst);
      writes_.erase(writes_.begin());
    }
  }

  void StoreBytes(std::uint64_t address, std::uint64_t strobes) {
    constexpr std::uint64_t kAll = ~std::uint64_t{0} >> (64 - kBeatBytes);
    const auto* data = reinterpret_cast<const std::uint8_t*>(&ports_.m_axi_wdata);
    if (strobes == kAll) {
      std::memcpy(&bytes_[address], data, kBeatBytes);
      return;
    }
    for (std::size_t i = 0; i < kBeatBytes; ++i) {
      if ((strobes >> i & 1) != 0) bytes_[address + i] = data[i];
    }
  }

  void DriveWriteResponse() {
    b_burst_ = overtaking_ ? AnyOf(responses_) : 0;
    const Burst& burst = responses_[b_burst_];
    if (burst.ready_at > cycle_ || Pause(options_.stalls.b)) return;
    AxiResponse response = burst.response;
    if (!bad_responses_.empty()) {
      response = ResponseOf(bad_responses_, traffic_.write_responses, response);
    }
    ports_.m_axi_bresp = static_cast<std::uint8_t>(response);
    if constexpr (requires(Ports & p) { p.m_axi_bid; }) {
      ports_.m_axi_bid = static_cast<std::uint8_t>(burst.id);
    }
    b_valid_ = true;
  }

  Ports& ports_;
  AxiMemoryOptions options_;
  std::vector<std::uint8_t> own_bytes_;
  std::vector<std::uint8_t>& bytes_;
  std::uint64_t random_;
  std::uint64_t base_ = 0;
  std::uint64_t cycle_ = 0;
  AxiTraffic traffic_;
  std::array<bool, kNumAxiChannels> stopped_{};
  // The driven handshake signals, kept here because reading them back from the model costs more.
  bool ar_ready_ = false;
  bool r_valid_ = false;
  bool aw_ready_ = false;
  bool w_ready_ = false;
  bool b_valid_ = false;
  std::vector<Burst> reads_;      // In order of acceptance
  std::size_t r_burst_ = 0;       // The burst whose beat is on R
  std::vector<Burst> writes_;     // Waiting for data
  std::vector<Burst> responses_;  // Data complete
  std::size_t b_burst_ = 0;       // The burst whose response is on B
  bool overtaking_ = false;       // Some bursts are answered later than their age says
  std::vector<BadCount> bad_beats_;
  std::vector<BadCount> bad_responses_;
  std::vector<BadRange> bad_ranges_;
};

}  // namespace tpu::tb
