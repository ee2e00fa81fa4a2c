// SPDX-License-Identifier: Apache-2.0
// The link's master of the memory, alone: ranges that begin and end anywhere, a slave that stalls,
// and one that offers beats and answers that nobody asked for.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <tuple>
#include <vector>

#include "Vtpu_link_memory.h"
#include "link/frame.h"
#include "link/protocol.h"
#include "tb/axi_memory.h"
#include "tb/dut.h"
#include "tests/seeds.h"

namespace tpu {
namespace {

constexpr std::uint32_t kMemoryBytes = 8192;
constexpr std::uint32_t kBlock = link::kBlockBytes;

class LinkMemory {
 public:
  explicit LinkMemory(unsigned seed)
      : dut_(seed),
        rng_(seed),
        memory_(*dut_, {.latency = 3,
                        .stalls = {.ar = 0.3, .r = 0.3, .aw = 0.3, .w = 0.3, .b = 0.3},
                        .seed = seed}) {
    memory_.Resize(kMemoryBytes);
    for (std::uint8_t& byte : memory_.bytes()) byte = static_cast<std::uint8_t>(Random());
    dut_.Reset();
  }

  void Run(int ranges) {
    for (int i = 0; i < ranges; ++i) {
      // Some begin within the memory and end behind it, or begin there.
      const std::uint32_t address = Below(kMemoryBytes + (Below(10) == 0 ? 1500 : 0));
      const std::uint32_t rest = kBlock - address % kBlock;
      const std::uint32_t most = Below(3) != 0 ? std::min(rest, 20U) : rest;
      const std::uint32_t kind = Below(3);
      const std::uint32_t length = kind == 2       ? 1 + Below(3000)
                                   : Below(4) == 0 ? rest
                                                   : 1 + Below(most);
      SCOPED_TRACE(
          fmt::format("range {}: kind {}, address {}, length {}", i, kind, address, length));
      if (Below(20) == 0) {
        Interrupt(kind, address, length);
      } else if (kind == 0) {
        Read(address, length);
      } else if (kind == 1) {
        Write(address, length);
      } else {
        Checksum(address, length);
      }
      if (::testing::Test::HasFailure()) return;
    }
  }

 private:
  std::uint32_t Random() { return static_cast<std::uint32_t>(rng_()); }
  std::uint32_t Below(std::uint32_t end) { return Random() % end; }

  /// A range that is not in the memory as a whole: its beats are answered with an error.
  static bool Fails(std::uint32_t address, std::uint32_t length) {
    return address + length > kMemoryBytes;
  }

  void Read(std::uint32_t address, std::uint32_t length) {
    buffer_.fill(0);
    written_.clear();
    for (std::uint32_t word = address / 4; word <= (address + length - 1) / 4; ++word) {
      expected_.push_back(word % (kBlock / 4));
    }
    Begin(0, address, length);
    EXPECT_EQ(UntilDone(), Fails(address, length));
    EXPECT_EQ(written_, expected_) << "words of the buffer";
    expected_.clear();
    if (Fails(address, length)) return;
    EXPECT_TRUE(std::ranges::equal(Bytes().subspan(address % kBlock, length),
                                   std::span(memory_.bytes()).subspan(address, length)));
  }

  void Write(std::uint32_t address, std::uint32_t length) {
    for (std::uint32_t& word : buffer_) word = Random();
    std::vector<std::uint8_t> expected = memory_.bytes();
    for (std::uint32_t i = 0; i < length && address + i < expected.size(); ++i) {
      expected[address + i] = Bytes()[(address + i) % kBlock];
    }
    written_.clear();
    Begin(1, address, length);
    EXPECT_EQ(UntilDone(), Fails(address, length));
    EXPECT_TRUE(written_.empty());
    if (!Fails(address, length)) EXPECT_EQ(memory_.bytes(), expected);
  }

  void Checksum(std::uint32_t address, std::uint32_t length) {
    written_.clear();
    Begin(2, address, length);
    EXPECT_EQ(UntilDone(), Fails(address, length));
    EXPECT_TRUE(written_.empty());
    if (Fails(address, length)) return;
    EXPECT_EQ(crc_, link::Crc32(std::span(memory_.bytes()).subspan(address, length)));
  }

  /// A reset in some cycle; the memory's side forgets what was asked, too.
  void Interrupt(std::uint32_t kind, std::uint32_t address, std::uint32_t length) {
    Begin(kind, address, length);
    for (std::uint32_t cycle = Below(40); cycle != 0; --cycle) Tick();
    dut_->rst = 1;
    dut_.Tick();
    dut_->rst = 0;
    memory_.Reset();
    beats_ = 0;
    for (int cycle = 0; cycle < 4; ++cycle) {
      dut_.Eval();
      EXPECT_EQ(dut_->m_axi_awvalid + dut_->m_axi_wvalid + dut_->m_axi_arvalid + dut_->done, 0);
      Tick();
    }
  }

  void Begin(std::uint32_t kind, std::uint32_t address, std::uint32_t length) {
    dut_->address = address;
    dut_->length = length;
    dut_->start_read = kind == 0;
    dut_->start_write = kind == 1;
    dut_->start_crc = kind == 2;
    Tick();
    dut_->start_read = dut_->start_write = dut_->start_crc = 0;
  }

  /// Whether it failed.
  bool UntilDone() {
    for (int cycle = 0; cycle < 60'000; ++cycle) {
      dut_.Eval();
      const bool done = dut_->done != 0;
      const bool failed = dut_->failed != 0;
      crc_ = dut_->crc;
      Tick();
      if (!done) continue;
      EXPECT_EQ(dut_->done, 0) << "for more than one cycle";
      return failed;
    }
    ADD_FAILURE() << "no end";
    return false;
  }

  void Tick() {
    dut_.Eval();
    ExpectBursts();
    // A word of a range that is read takes one cycle.
    if (!written_.empty() && written_.size() < expected_.size()) EXPECT_EQ(dut_->m_axi_rready, 1);
    if (dut_->wr_en != 0) {
      buffer_[dut_->wr_word] = dut_->wr_data;
      written_.push_back(dut_->wr_word);
    }
    const bool reads = dut_->rd_en != 0;
    const std::uint32_t read = buffer_[dut_->rd_word];
    memory_.Sample();
    dut_.Tick();
    Answers() = answers_;
    memory_.Drive();
    answers_ = Answers();
    Spoil();
    if (reads) dut_->rd_data = read;
  }
  /// Full words, one behind the other, from a word's address on, within a block.
  /// tb::AxiProtocolChecker asks for more: here data may pass its address, and answers are wrong on
  /// purpose.
  void ExpectBursts() {
    if (dut_->m_axi_awvalid != 0) {
      EXPECT_EQ(dut_->m_axi_awsize, 2);
      EXPECT_EQ(dut_->m_axi_awburst, 1);
      EXPECT_EQ(dut_->m_axi_awaddr % 4, 0U);
      EXPECT_LE(dut_->m_axi_awaddr % kBlock + 4U * (dut_->m_axi_awlen + 1U), kBlock);
    }
    if (dut_->m_axi_wvalid != 0 && dut_->m_axi_wready != 0) {
      EXPECT_EQ(dut_->m_axi_wlast, beats_ == dut_->m_axi_awlen);
      beats_ = dut_->m_axi_wlast != 0 ? 0 : beats_ + 1;
    }
    if (dut_->m_axi_arvalid != 0) {
      EXPECT_EQ(dut_->m_axi_arsize, 2);
      EXPECT_EQ(dut_->m_axi_arburst, 1);
      EXPECT_EQ(dut_->m_axi_araddr % 4, 0U);
      EXPECT_LE(dut_->m_axi_araddr % kBlock + 4U * (dut_->m_axi_arlen + 1U), kBlock);
    }
  }
  /// Where no beat or answer is valid it looks like an error. Beats and answers that nobody is
  /// ready for may be anything.
  void Spoil() {
    dut_.Eval();
    if (dut_->m_axi_rready == 0 || dut_->m_axi_rvalid == 0) {
      if (dut_->m_axi_rready == 0) dut_->m_axi_rvalid = Random() & 1U;
      dut_->m_axi_rresp = 2;
      dut_->m_axi_rdata = Random();
    }
    if (dut_->m_axi_bready == 0 || dut_->m_axi_bvalid == 0) {
      if (dut_->m_axi_bready == 0) dut_->m_axi_bvalid = Random() & 1U;
      dut_->m_axi_bresp = 2;
    }
  }
  /// What the memory drives, which keeps a beat that waits as it is.
  std::tuple<CData&, IData&, CData&, CData&, CData&> Answers() {
    return std::tie(dut_->m_axi_rvalid, dut_->m_axi_rdata, dut_->m_axi_rresp, dut_->m_axi_bvalid,
                    dut_->m_axi_bresp);
  }

  std::span<const std::uint8_t> Bytes() const {
    return {reinterpret_cast<const std::uint8_t*>(buffer_.data()), kBlock};
  }

  tb::Dut<Vtpu_link_memory> dut_;
  std::mt19937_64 rng_;
  tb::AxiMemory<Vtpu_link_memory> memory_;
  std::array<std::uint32_t, kBlock / 4> buffer_{};
  /// Words of the buffer, in the order in which they were written, and have to be.
  std::vector<std::uint32_t> written_;
  std::vector<std::uint32_t> expected_;
  /// Of the burst that is written, so far.
  std::uint32_t beats_ = 0;
  std::uint32_t crc_ = 0;
  std::tuple<CData, IData, CData, CData, CData> answers_ = Answers();
};

TEST(LinkMemory, MovesAnyRangeAndTakesNothingThatIsNotDue) {
  for (const unsigned seed : Seeds(2)) {
    SCOPED_TRACE(seed);
    LinkMemory(seed).Run(150);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace tpu
