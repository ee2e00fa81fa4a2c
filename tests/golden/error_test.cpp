// SPDX-License-Identifier: Apache-2.0
// What stops a program, with code, unit and index; and what survives from one program to the next.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machine_tester.h"

namespace tpu::golden {
namespace {

using isa::ErrorCode;
using isa::Unit;

constexpr std::uint32_t kLanes = 8;

isa::Load LoadRow(std::uint32_t row) {
  isa::Load load;
  load.row_bytes = kLanes;
  load.rows = 1;
  load.pixel_bytes = kLanes;
  load.row = row;
  return load;
}

isa::Store StoreRow(std::uint32_t row) {
  isa::Store store;
  store.row_bytes = kLanes;
  store.rows = 1;
  store.pixel_bytes = kLanes;
  store.row = row;
  return store;
}

isa::Weights OneTile() {
  isa::Weights weights;
  weights.tiles = 1;
  return weights;
}

isa::Matmul OneProduct() {
  isa::Matmul m;
  m.y_bound = 1;
  m.x_bound = kLanes;
  return m;
}

isa::Vector OneOutput() {
  isa::Vector v;
  v.y_bound = 1;
  v.x_bound = 1;
  return v;
}

template <typename Instruction>
Instruction Waits(Instruction instruction, std::uint32_t mask) {
  instruction.semaphores.wait = mask;
  return instruction;
}

template <typename Instruction>
Instruction Posts(Instruction instruction, std::uint32_t mask) {
  instruction.semaphores.post = mask;
  return instruction;
}

std::vector<std::uint8_t> Encoded(const isa::Instruction& instruction) {
  std::vector<std::uint8_t> bytes;
  isa::Encode(instruction, bytes);
  return bytes;
}

class Errors : public testing::Test {
 protected:
  MachineTester t_{kLanes, 1};
};

TEST_F(Errors, NoneInAnEmptyProgram) { t_.ExpectRuns(); }

TEST_F(Errors, IllegalOpcode) {
  std::vector<std::uint8_t> bytes = Encoded(LoadRow(0));
  bytes[0] = 6;
  t_.Add(LoadRow(0)).AddBytes(bytes).ExpectFails(ErrorCode::kIllegalOpcode, Unit::kFrontend, 1);
}

TEST_F(Errors, IllegalFieldForReservedBits) {
  std::vector<std::uint8_t> bytes = Encoded(LoadRow(0));
  bytes[63] = 1;
  t_.AddBytes(bytes).ExpectFails(ErrorCode::kIllegalField, Unit::kFrontend, 0);
}

TEST_F(Errors, IllegalFieldForAccumulatorsWithAMap) {
  isa::Vector v = OneOutput();
  v.map = isa::VectorMap::kAdd;
  std::vector<std::uint8_t> bytes = Encoded(v);
  bytes[1] |= 1;  // source = acc
  t_.AddBytes(bytes).ExpectFails(ErrorCode::kIllegalField, Unit::kFrontend, 0);
}

TEST_F(Errors, TruncatedInsideALongInstruction) {
  const std::vector<std::uint8_t> bytes = Encoded(OneOutput());
  t_.Add(LoadRow(0))
      .AddBytes(std::span(bytes).first(isa::kGranuleBytes))
      .ExpectFails(ErrorCode::kTruncated, Unit::kFrontend, 1);
}

TEST_F(Errors, UnifiedBufferRange) {
  t_.Add(LoadRow(255)).ExpectRuns();
  t_.Add(LoadRow(256)).ExpectFails(ErrorCode::kUbRange, Unit::kLoad, 0);
  t_.Add(StoreRow(255)).ExpectRuns();
  t_.Add(StoreRow(256)).ExpectFails(ErrorCode::kUbRange, Unit::kStore, 0);
}

TEST_F(Errors, UnifiedBufferRangeOfVector) {
  isa::Vector v = OneOutput();
  v.a_row = v.b_row = 255;
  v.o_row = 255;
  v.map = isa::VectorMap::kMaximum;
  t_.Add(v).ExpectRuns();
  for (auto* row : {&v.a_row, &v.b_row}) {
    for (const std::int32_t bad : {256, -1}) {
      *row = bad;
      t_.Add(v).ExpectFails(ErrorCode::kUbRange, Unit::kVector, 0);
    }
    *row = 255;
  }
  v.o_row = 256;
  t_.Add(v).ExpectFails(ErrorCode::kUbRange, Unit::kVector, 0);
}

TEST_F(Errors, UnifiedBufferRangeOfMatmulConcernsOnlyLanesInside) {
  isa::Matmul m = OneProduct();
  m.ub_addr = 255 * kLanes + 3;
  m.x_bound = kLanes - 3;
  t_.Add(OneTile()).Add(m).ExpectRuns();
  m.x_bound = kLanes - 2;
  t_.Add(OneTile()).Add(m).ExpectFails(ErrorCode::kUbRange, Unit::kMatmul, 1);
  m.ub_addr = -3;
  m.x0 = -3;
  t_.Add(OneTile()).Add(m).ExpectRuns();
  m.x0 = -2;
  t_.Add(OneTile()).Add(m).ExpectFails(ErrorCode::kUbRange, Unit::kMatmul, 1);
}

TEST_F(Errors, AccumulatorRange) {
  isa::Matmul m = OneProduct();
  m.acc_row = 63;
  t_.Add(OneTile()).Add(m).ExpectRuns();
  m.n_ow = 2;
  t_.Add(OneTile()).Add(m).ExpectFails(ErrorCode::kAccRange, Unit::kMatmul, 1);
  isa::Vector v = OneOutput();
  v.source = isa::VectorSource::kAccumulators;
  v.a_row = 63;
  t_.Add(v).ExpectRuns();
  v.a_row = 64;
  t_.Add(v).ExpectFails(ErrorCode::kAccRange, Unit::kVector, 0);
}

TEST_F(Errors, ParameterRange) {
  isa::Load load = LoadRow(15);
  load.destination = isa::LoadDestination::kParameters;
  load.row_bytes = 9 * kLanes;
  t_.Add(load).ExpectRuns();
  ++load.row_bytes;
  t_.Add(load).ExpectFails(ErrorCode::kParamRange, Unit::kLoad, 0);
  isa::Vector v = OneOutput();
  v.param_row = 15;
  t_.Add(v).ExpectRuns();
  v.n_cb = 2;
  v.param_stride = 1;
  t_.Add(v).ExpectFails(ErrorCode::kParamRange, Unit::kVector, 0);
}

TEST_F(Errors, LookupRange) {
  isa::Load load = LoadRow(7);
  load.destination = isa::LoadDestination::kLookup;
  load.row_bytes = 256;
  t_.Add(load).ExpectRuns();
  ++load.row_bytes;
  t_.Add(load).ExpectFails(ErrorCode::kLutRange, Unit::kLoad, 0);
}

TEST_F(Errors, BusRead) {
  isa::Load load = LoadRow(0);
  load.dram_addr = MachineTester::kMemoryBytes - kLanes;
  t_.Add(load).ExpectRuns();
  ++load.dram_addr;
  t_.Add(load).ExpectFails(ErrorCode::kBusRead, Unit::kLoad, 0);
  isa::Weights weights = OneTile();
  weights.tiles = 2;
  weights.dram_addr = MachineTester::kMemoryBytes - 2 * kLanes * kLanes + 1;
  t_.Add(weights).ExpectFails(ErrorCode::kBusRead, Unit::kWeights, 0);
}

TEST_F(Errors, BusReadOfTheProgramItself) {
  std::vector<std::uint8_t> load = Encoded(LoadRow(0));
  std::ranges::copy(load, t_.memory().end() - static_cast<std::ptrdiff_t>(load.size()));
  const RunResult result = t_.machine().Run(MachineTester::kMemoryBytes - isa::kGranuleBytes, 2);
  EXPECT_EQ(result.error, ErrorCode::kBusRead);
  EXPECT_EQ(result.unit, Unit::kFrontend);
  EXPECT_EQ(result.instruction, 1U);
  EXPECT_THAT(result.message, testing::HasSubstr("instruction 1 (fetch): BUS_READ"));
}

TEST_F(Errors, BusWrite) {
  isa::Store store = StoreRow(0);
  store.dram_addr = MachineTester::kMemoryBytes - kLanes;
  t_.Add(store).ExpectRuns();
  ++store.dram_addr;
  t_.Add(store).ExpectFails(ErrorCode::kBusWrite, Unit::kStore, 0);
}

TEST_F(Errors, AddressRange) {
  isa::Load load = LoadRow(0);
  load.dram_addr = (std::uint64_t{1} << 40) - 1;  // The row's second byte has no address.
  t_.Add(load).ExpectFails(ErrorCode::kAddrRange, Unit::kLoad, 0);
  load.dram_addr = ~std::uint64_t{0};
  t_.Add(load).ExpectFails(ErrorCode::kAddrRange, Unit::kLoad, 0);
  isa::Store store = StoreRow(0);
  store.dram_addr = std::uint64_t{1} << 40;
  t_.Add(store).ExpectFails(ErrorCode::kAddrRange, Unit::kStore, 0);
  // The same bytes again and again, more often than there are addresses.
  load = LoadRow(0);
  load.rows = 1U << 31;
  load.row_bytes = 1U << 10;
  load.row_stride = 0;
  t_.Add(load).ExpectFails(ErrorCode::kAddrRange, Unit::kLoad, 0);
  isa::Weights weights = OneTile();
  weights.dram_addr = std::uint64_t{1} << 63;
  t_.Add(weights).ExpectFails(ErrorCode::kAddrRange, Unit::kWeights, 0);
  const RunResult result = t_.machine().Run(std::uint64_t{1} << 40, 1);
  EXPECT_EQ(result.error, ErrorCode::kAddrRange);
}

TEST_F(Errors, SemaphoreNeverPosted) {
  t_.Add(Posts(LoadRow(0), 0b0101))
      .Add(Waits(StoreRow(0), 0b0100))
      .Add(Waits(StoreRow(0), 0b0001))
      .Add(Waits(OneOutput(), 0b1000))
      .ExpectFails(ErrorCode::kSemTimeout, Unit::kVector, 3);
}

TEST_F(Errors, EveryWaitTakesOnePostOfEachSemaphoreInItsMask) {
  for (const std::uint32_t taken : {0b01U, 0b10U}) {
    t_.Add(Posts(LoadRow(0), 0b11))
        .Add(Posts(LoadRow(0), 0b11))
        .Add(Waits(StoreRow(0), 0b11))
        .Add(Waits(StoreRow(0), 0b11))
        .Add(Waits(StoreRow(0), taken))
        .ExpectFails(ErrorCode::kSemTimeout, Unit::kStore, 4);
  }
}

TEST_F(Errors, InstructionThatWaitsForItsOwnPost) {
  t_.Add(Posts(Waits(LoadRow(0), 1), 1)).ExpectFails(ErrorCode::kSemTimeout, Unit::kLoad, 0);
}

TEST_F(Errors, SemaphoreOverflow) {
  const isa::Load load = Posts(LoadRow(0), 1U << 31);
  for (unsigned i = 0; i < isa::kMaxSemaphore; ++i) t_.Add(load);
  t_.ExpectRuns();
  for (unsigned i = 0; i < isa::kMaxSemaphore + 1; ++i) t_.Add(load);
  t_.ExpectFails(ErrorCode::kSemOverflow, Unit::kLoad, isa::kMaxSemaphore);
}

TEST_F(Errors, WeightFifoRunsEmpty) {
  isa::Matmul m = OneProduct();
  m.n_cb = 2;
  t_.Add(OneTile()).Add(m).ExpectFails(ErrorCode::kBusTimeout, Unit::kMatmul, 1);
}

TEST_F(Errors, StopTheProgramAtOnce) {
  const std::vector<std::int8_t> untouched = Copy(t_.state().ub.Row(2));
  t_.Add(LoadRow(1))
      .Add(LoadRow(256))
      .Add(LoadRow(2))
      .ExpectFails(ErrorCode::kUbRange, Unit::kLoad, 1);
  for (std::size_t i = 0; i < kLanes; ++i) {
    EXPECT_EQ(static_cast<std::uint8_t>(t_.state().ub.Row(1)[i]), t_.memory()[i]);
  }
  EXPECT_EQ(Copy(t_.state().ub.Row(2)), untouched);
}

TEST_F(Errors, StartEmptiesSemaphoresAndWeightFifoOnly) {
  t_.Add(Posts(LoadRow(9), 1)).Add(OneTile()).ExpectRuns();
  const std::vector<std::int8_t> row = Copy(t_.state().ub.Row(9));
  t_.Add(Waits(StoreRow(0), 1)).ExpectFails(ErrorCode::kSemTimeout, Unit::kStore, 0);
  t_.Add(OneProduct()).ExpectFails(ErrorCode::kBusTimeout, Unit::kMatmul, 0);
  EXPECT_EQ(Copy(t_.state().ub.Row(9)), row);
}

TEST(MachineArguments, AreChecked) {
  std::vector<std::uint8_t> memory(64);
  EXPECT_THROW(Machine(SmallConfig(12), memory), Error);
  Machine machine(SmallConfig(4), memory);
  EXPECT_THROW(machine.Run(32, 1), Error);
}

TEST(VectorLookup, TableBeyondThoseOfTheMachine) {
  std::vector<std::uint8_t> memory;
  isa::HardwareConfig config = SmallConfig(kLanes);
  config.lut_tables = 2;
  Machine machine(config, memory);
  isa::Vector v = OneOutput();
  v.lut_enable = 1;
  v.lut = 1;
  isa::Encode(v, memory);
  EXPECT_EQ(machine.Run(0, 2).error, ErrorCode::kNone);
  memory.clear();
  v.lut = 2;
  isa::Encode(v, memory);
  EXPECT_EQ(machine.Run(0, 2).error, ErrorCode::kLutRange);
}

}  // namespace
}  // namespace tpu::golden
