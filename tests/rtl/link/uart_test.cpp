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

// The level of each bit counts in one cycle alone, half a bit behind its beginning.
TEST(UartRx, SamplesTheMiddleOfABit) {
  tb::Dut<Vtpu_uart_rx> dut;
  dut->rx = 1;
  dut.Reset();
  const unsigned frame = 0x200U | 0xA6U << 1;
  std::deque<std::uint8_t> received;
  for (unsigned cycle = 0; cycle < 11 * kBitCycles; ++cycle) {
    const unsigned bit = cycle / kBitCycles;
    const bool level = bit > 9 || (frame >> bit & 1U) != 0;
    const bool counts = bit > 9 || cycle == 0 || cycle % kBitCycles == kBitCycles / 2;
    dut->rx = level == counts;
    dut.Tick();
    if (dut->valid != 0) received.push_back(dut->data);
  }
  EXPECT_EQ(received, std::deque<std::uint8_t>{0xA6});
}

// Whenever a reset comes, the byte that it meets is no byte.
TEST(UartRx, ForgetsAByteInAReset) {
  for (unsigned moment = 1; moment < 10 * kBitCycles; ++moment) {
    SCOPED_TRACE(moment);
    tb::Dut<Vtpu_uart_rx> dut;
    tb::UartDriver driver(kBitCycles);
    dut->rx = 1;
    dut.Reset();
    driver.Send(0xFF);
    unsigned bytes = 0;
    for (unsigned cycle = 0; cycle < moment; ++cycle) {
      dut->rx = driver.Next();
      dut.Tick();
      bytes += dut->valid;
    }
    dut->rx = 1;
    dut.Reset(1);
    EXPECT_EQ(dut->valid, 0);
    for (unsigned cycle = 0; cycle < 12 * kBitCycles; ++cycle) {
      dut.Tick();
      bytes += dut->valid;
    }
    // In its stop bit it may have been there before.
    EXPECT_LE(bytes, moment > 9 * kBitCycles + kBitCycles / 2 ? 1U : 0U);
  }
}

TEST(UartRx, TakesAByteThatBeginsAtTheEndOfAReset) {
  tb::Dut<Vtpu_uart_rx> dut;
  tb::UartDriver driver(kBitCycles);
  dut->rx = 0;
  dut.Reset();
  driver.Send(0x5A);
  std::deque<std::uint8_t> received;
  for (unsigned cycle = 0; cycle < 12 * kBitCycles; ++cycle) {
    dut->rx = driver.Next();
    dut.Tick();
    if (dut->valid != 0) received.push_back(dut->data);
  }
  EXPECT_EQ(received, std::deque<std::uint8_t>{0x5A});
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

// A byte begins in the cycle after it was offered, however long nothing was sent.
TEST(UartTx, IsReadyWhileNothingIsSent) {
  tb::Dut<Vtpu_uart_tx> dut;
  dut->valid = 0;
  dut.Reset();
  for (unsigned gap = 0; gap < 12 * kBitCycles; gap += 7) {
    SCOPED_TRACE(gap);
    for (unsigned cycle = 0; cycle < gap; ++cycle) {
      EXPECT_EQ(dut->ready, 1);
      EXPECT_EQ(dut->tx, 1);
      dut->data = static_cast<std::uint8_t>(cycle);
      dut.Tick();
    }
    dut->valid = 1;
    dut->data = 0x99;
    dut.Tick();
    dut->valid = 0;
    tb::UartMonitor monitor(kBitCycles);
    std::deque<std::uint8_t> sent;
    for (unsigned cycle = 0; cycle < 10 * kBitCycles; ++cycle) {
      if (cycle == 0) EXPECT_EQ(dut->tx, 0);
      if (const auto byte = monitor.Take(dut->tx != 0)) sent.push_back(*byte);
      dut.Tick();
    }
    EXPECT_EQ(sent, std::deque<std::uint8_t>{0x99});
  }
}

TEST(UartTx, ForgetsAByteInAReset) {
  for (unsigned moment = 1; moment < 10 * kBitCycles; ++moment) {
    SCOPED_TRACE(moment);
    tb::Dut<Vtpu_uart_tx> dut;
    dut->valid = 0;
    dut.Reset();
    dut->valid = 1;
    dut->data = 0;
    dut.Tick();
    dut->valid = 0;
    for (unsigned cycle = 1; cycle < moment; ++cycle) dut.Tick();
    dut.Reset(1);
    for (unsigned cycle = 0; cycle < 2 * kBitCycles; ++cycle) {
      ASSERT_EQ(dut->ready, 1);
      ASSERT_EQ(dut->tx, 1);
      dut.Tick();
    }
  }
}

}  // namespace
}  // namespace tpu
