// SPDX-License-Identifier: Apache-2.0
// Receiver and transmitter of the serial line, alone.
#include "tb/uart.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "Vtpu_uart_rx.h"
#include "Vtpu_uart_tx.h"
#include "tb/dut.h"

namespace tpu {
namespace {

constexpr unsigned kBitCycles = 20;  // As in CMakeLists.txt.

// Bytes that arrive when those of `sent` come with bits of `bit_cycles` cycles.
std::deque<std::uint8_t> Received(const std::deque<std::uint8_t>& sent, unsigned bit_cycles) {
  tb::Dut<Vtpu_uart_rx> dut;
  tb::UartDriver driver(bit_cycles);
  dut->rx = 1;
  dut.Reset();
  for (const std::uint8_t byte : sent) driver.Send(byte);
  std::deque<std::uint8_t> received;
  for (unsigned idle = 0; idle < 12 * bit_cycles;) {
    dut->rx = driver.Next();
    dut.Tick();
    idle = driver.Idle() ? idle + 1 : 0;
    if (dut->valid != 0) received.push_back(dut->data);
  }
  return received;
}

std::deque<std::uint8_t> AllBytes() {
  std::deque<std::uint8_t> bytes;
  for (int byte = 0; byte < 256; ++byte) bytes.push_back(static_cast<std::uint8_t>(byte));
  std::shuffle(bytes.begin(), bytes.end(), std::mt19937_64(1));
  return bytes;
}

TEST(UartRx, TakesBytesWithoutGaps) { EXPECT_EQ(Received(AllBytes(), kBitCycles), AllBytes()); }

// A byte's last sample, 9.5 bits behind its first edge, is still in its stop bit.
TEST(UartRx, TakesBytesOfAClockThatIsFourPercentOff) {
  for (const unsigned cycles : {kBitCycles - 1, kBitCycles + 1}) {
    SCOPED_TRACE(cycles);
    // Gaps, in which a clock that is too slow catches up.
    for (const std::uint8_t byte : std::initializer_list<std::uint8_t>{0x00, 0x55, 0xFF, 0x80, 1}) {
      EXPECT_EQ(Received({byte}, cycles), std::deque<std::uint8_t>{byte});
    }
  }
}

TEST(UartRx, DropsAGlitchAndAByteWithoutStopBit) {
  tb::Dut<Vtpu_uart_rx> dut;
  dut->rx = 1;
  dut.Reset();
  int bytes = 0;
  const auto hold = [&](int level, unsigned cycles) {
    dut->rx = static_cast<std::uint8_t>(level);
    for (unsigned i = 0; i < cycles; ++i) {
      dut.Tick();
      bytes += dut->valid;
    }
  };
  hold(1, 5);
  hold(0, kBitCycles / 2 - 2);  // A glitch is no start bit.
  hold(1, 12 * kBitCycles);
  EXPECT_EQ(bytes, 0);
  hold(0, 12 * kBitCycles);  // A line that stays low sends no zeros.
  hold(1, 12 * kBitCycles);
  EXPECT_EQ(bytes, 0);
}

TEST(UartTx, SendsBytesWithoutGaps) {
  tb::Dut<Vtpu_uart_tx> dut;
  dut->valid = 0;
  dut.Reset();
  tb::UartMonitor monitor(kBitCycles);
  const std::deque<std::uint8_t> sent = AllBytes();
  std::deque<std::uint8_t> waiting = sent;
  std::deque<std::uint8_t> received;
  std::uint64_t cycles = 0;
  for (; received.size() < sent.size() && cycles < 100'000; ++cycles) {
    dut->valid = !waiting.empty();
    dut->data = waiting.empty() ? 0 : waiting.front();
    dut.Eval();
    const bool taken = dut->valid != 0 && dut->ready != 0;
    dut.Tick();
    if (taken) waiting.pop_front();
    if (const auto byte = monitor.Take(dut->tx != 0)) received.push_back(*byte);
  }
  EXPECT_EQ(received, sent);
  EXPECT_LE(cycles, sent.size() * 10 * kBitCycles);
  EXPECT_EQ(dut->tx, 1) << "in the middle of the last stop bit";
}

}  // namespace
}  // namespace tpu
