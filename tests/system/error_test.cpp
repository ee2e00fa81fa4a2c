// SPDX-License-Identifier: Apache-2.0
// Programs that must stop the machine: the code, the unit and the instruction it names, and that it
// works again afterwards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "runtime/config.h"
#include "runtime/session.h"
#include "tests/system/machines.h"
#include "tests/system/program.h"

namespace tpu::system_test {
namespace {

using isa::ErrorCode;
using isa::HardwareConfig;
using isa::Unit;
using runtime::DeviceError;
using runtime::RunOptions;
using runtime::Session;

struct BadProgram {
  const char* name;
  ErrorCode code;
  Unit unit;
  std::uint32_t index;
  std::function<executable::Executable(const HardwareConfig&)> make;
};

std::ostream& operator<<(std::ostream& out, const BadProgram& bad) { return out << bad.name; }

/// One LOAD, which is in order, and then `granules`.
executable::Executable AfterGoodLoad(const HardwareConfig& config,
                                     const std::vector<std::uint8_t>& granules) {
  std::vector<std::uint8_t> program = isa::EncodeProgram({{LoadRows(1, config.n)}});
  program.insert(program.end(), granules.begin(), granules.end());
  return MakeExecutable(config, std::move(program));
}

/// One LOAD, which is in order, and then a changed LOAD.
template <typename Change>
executable::Executable AfterGoodLoad(const HardwareConfig& config, Change change) {
  isa::Load load = LoadRows(2, config.n);
  change(load);
  return MakeExecutable(config, {LoadRows(1, config.n), load});
}

template <typename Change>
executable::Executable WithStore(const HardwareConfig& config, Change change) {
  isa::Store store = StoreRows(2, config.n, {.wait = kInput, .post = 0});
  change(store);
  return MakeExecutable(config, {LoadRows(2, config.n, {.wait = 0, .post = kInput}), store});
}

template <typename Change>
executable::Executable WithMatmul(const HardwareConfig& config, Change change) {
  isa::Matmul matmul = MultiplyRows(4, config.n, {.wait = kInput, .post = 0});
  change(matmul);
  return MakeExecutable(config,
                        {LoadRows(4, config.n, {.wait = 0, .post = kInput}), OneTile(), matmul});
}

template <typename Change>
executable::Executable WithVector(const HardwareConfig& config, Change change) {
  isa::Vector vector =
      CopyRows(isa::VectorSource::kUnifiedBuffer, 4, 4, {.wait = kInput | kParameter, .post = 0});
  change(vector);
  return MakeExecutable(config,
                        {LoadRows(4, config.n, {.wait = 0, .post = kInput}),
                         LoadZeroParameters(config.n, {.wait = 0, .post = kParameter}), vector});
}

std::vector<std::uint8_t> Encoded(const isa::Instruction& instruction) {
  std::vector<std::uint8_t> bytes;
  isa::Encode(instruction, bytes);
  return bytes;
}

std::uint64_t BeyondAddressWidth(const HardwareConfig& c) { return 1ULL << c.axi_addr_width; }
/// Inside the address width, outside the memory.
constexpr std::uint64_t kNoMemory = 0x4000'0000;

std::vector<BadProgram> FrontEndErrors() {
  using Bytes = std::vector<std::uint8_t>;
  return {
      {"IllegalOpcode", ErrorCode::kIllegalOpcode, Unit::kFrontend, 1,
       [](const HardwareConfig& c) { return AfterGoodLoad(c, Bytes(64, 0x77)); }},
      {"OpcodeZero", ErrorCode::kIllegalOpcode, Unit::kFrontend, 1,
       [](const HardwareConfig& c) { return AfterGoodLoad(c, Bytes(64, 0)); }},
      {"ReservedBit", ErrorCode::kIllegalField, Unit::kFrontend, 1,
       [](const HardwareConfig& c) {
         Bytes bytes = Encoded(OneTile());
         bytes[63] = 0x80;
         return AfterGoodLoad(c, bytes);
       }},
      {"FieldOutOfRange", ErrorCode::kIllegalField, Unit::kFrontend, 1,
       [](const HardwareConfig& c) {
         Bytes bytes = Encoded(MultiplyRows(1, c.n));
         bytes[16] = bytes[17] = 0;  // n_ob
         return AfterGoodLoad(c, bytes);
       }},
      {"AccumulatorsWithMap", ErrorCode::kIllegalField, Unit::kFrontend, 1,
       [](const HardwareConfig& c) {
         Bytes bytes = Encoded(CopyRows(isa::VectorSource::kAccumulators, 1, 0));
         bytes[1] |= 0x10;  // map = add
         return AfterGoodLoad(c, bytes);
       }},
      {"Truncated", ErrorCode::kTruncated, Unit::kFrontend, 1,
       [](const HardwareConfig& c) {
         Bytes bytes = Encoded(CopyRows(isa::VectorSource::kUnifiedBuffer, 1, 0));
         bytes.resize(64);
         return AfterGoodLoad(c, bytes);
       }},
      {"ProgramNotAligned", ErrorCode::kAddrRange, Unit::kFrontend, 0,
       [](const HardwareConfig& c) {
         executable::Executable executable = CopyProgram(c);
         ProgramOf(executable).address += 32;
         return executable;
       }},
      {"ProgramOutsideMemory", ErrorCode::kBusRead, Unit::kFrontend, 0,
       [](const HardwareConfig& c) {
         executable::Executable executable = CopyProgram(c);
         ProgramOf(executable).address = kNoMemory;
         return executable;
       }},
      {"UnmetWait", ErrorCode::kSemTimeout, Unit::kLoad, 1,
       [](const HardwareConfig& c) {
         return AfterGoodLoad(c, [](isa::Load& l) { l.semaphores.wait = 1U << 31; });
       }},
      {"UnmetWaitOfMatmul", ErrorCode::kSemTimeout, Unit::kMatmul, 2,
       [](const HardwareConfig& c) {
         return WithMatmul(c, [](isa::Matmul& m) { m.semaphores.wait = kInput | kResult; });
       }},
  };
}

std::vector<BadProgram> DmaErrors() {
  using isa::LoadDestination;
  return {
      {"LoadUbRange", ErrorCode::kUbRange, Unit::kLoad, 1,
       [](const HardwareConfig& c) {
         return AfterGoodLoad(c, [&](isa::Load& l) { l.row = c.ub_rows - 1; });
       }},
      {"LoadParamRange", ErrorCode::kParamRange, Unit::kLoad, 1,
       [](const HardwareConfig& c) {
         return AfterGoodLoad(c, [&](isa::Load& l) {
           l.destination = LoadDestination::kParameters;
           l.row = c.param_rows;
         });
       }},
      {"LoadLutRange", ErrorCode::kLutRange, Unit::kLoad, 1,
       [](const HardwareConfig& c) {
         return AfterGoodLoad(c, [&](isa::Load& l) {
           l.destination = LoadDestination::kLookup;
           l.row = c.lut_tables;
         });
       }},
      {"LoadBusError", ErrorCode::kBusRead, Unit::kLoad, 1,
       [](const HardwareConfig& c) {
         return AfterGoodLoad(c, [](isa::Load& l) { l.dram_addr = kNoMemory; });
       }},
      {"LoadAddrRange", ErrorCode::kAddrRange, Unit::kLoad, 1,
       [](const HardwareConfig& c) {
         return AfterGoodLoad(c, [&](isa::Load& l) { l.dram_addr = BeyondAddressWidth(c); });
       }},
      {"WeightsBusError", ErrorCode::kBusRead, Unit::kWeights, 1,
       [](const HardwareConfig& c) {
         isa::Weights weights = OneTile();
         weights.dram_addr = kNoMemory;
         return MakeExecutable(c, {LoadRows(1, c.n, {.wait = 0, .post = kInput}), weights,
                                   MultiplyRows(1, c.n, {.wait = kInput, .post = 0})});
       }},
      {"WeightsAddrRange", ErrorCode::kAddrRange, Unit::kWeights, 1,
       [](const HardwareConfig& c) {
         isa::Weights weights = OneTile();
         weights.dram_addr = BeyondAddressWidth(c);
         return MakeExecutable(c, {LoadRows(1, c.n, {.wait = 0, .post = kInput}), weights,
                                   MultiplyRows(1, c.n, {.wait = kInput, .post = 0})});
       }},
      {"StoreUbRange", ErrorCode::kUbRange, Unit::kStore, 1,
       [](const HardwareConfig& c) {
         return WithStore(c, [&](isa::Store& s) { s.row = c.ub_rows - 1; });
       }},
      {"StoreBusError", ErrorCode::kBusWrite, Unit::kStore, 1,
       [](const HardwareConfig& c) {
         return WithStore(c, [](isa::Store& s) { s.dram_addr = kNoMemory; });
       }},
      {"StoreAddrRange", ErrorCode::kAddrRange, Unit::kStore, 1,
       [](const HardwareConfig& c) {
         return WithStore(c, [&](isa::Store& s) { s.dram_addr = ~0ULL; });
       }},
  };
}

std::vector<BadProgram> ComputeErrors() {
  return {
      {"MatmulAccRange", ErrorCode::kAccRange, Unit::kMatmul, 2,
       [](const HardwareConfig& c) {
         return WithMatmul(c, [&](isa::Matmul& m) { m.acc_row = c.acc_rows - 3; });
       }},
      {"MatmulUbRange", ErrorCode::kUbRange, Unit::kMatmul, 2,
       [](const HardwareConfig& c) {
         return WithMatmul(c, [&](isa::Matmul& m) {
           m.ub_addr = static_cast<std::int32_t>((c.ub_rows - 3) * c.n);
         });
       }},
      {"MatmulNegativeAddress", ErrorCode::kUbRange, Unit::kMatmul, 2,
       [](const HardwareConfig& c) {
         return WithMatmul(c, [](isa::Matmul& m) { m.ub_addr = -1; });
       }},
      {"VectorSourceRange", ErrorCode::kUbRange, Unit::kVector, 2,
       [](const HardwareConfig& c) { return WithVector(c, [](isa::Vector& v) { v.a_row = -1; }); }},
      {"VectorOperandRange", ErrorCode::kUbRange, Unit::kVector, 2,
       [](const HardwareConfig& c) {
         return WithVector(c, [&](isa::Vector& v) {
           v.map = isa::VectorMap::kMaximum;
           v.b_row = static_cast<std::int32_t>(c.ub_rows);
         });
       }},
      {"VectorAccRange", ErrorCode::kAccRange, Unit::kVector, 2,
       [](const HardwareConfig& c) {
         return WithVector(c, [&](isa::Vector& v) {
           v.source = isa::VectorSource::kAccumulators;
           v.a_row = static_cast<std::int32_t>(c.acc_rows);
         });
       }},
      {"VectorOutputRange", ErrorCode::kUbRange, Unit::kVector, 2,
       [](const HardwareConfig& c) {
         return WithVector(c, [&](isa::Vector& v) { v.o_row = c.ub_rows; });
       }},
      {"VectorParamRange", ErrorCode::kParamRange, Unit::kVector, 2,
       [](const HardwareConfig& c) {
         return WithVector(c, [&](isa::Vector& v) { v.param_row = c.param_rows; });
       }},
  };
}

std::vector<BadProgram> AllErrors() {
  std::vector<BadProgram> all = FrontEndErrors();
  for (auto more : {DmaErrors(), ComputeErrors()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Small, so that timeouts come soon; larger than any latency.
RunOptions ShortRun() {
  RunOptions options;
  options.watchdog = 1000;
  options.max_cycles = 20'000;
  return options;
}

void ExpectCopyWorks(runtime::Device& device, const HardwareConfig& config) {
  const executable::Executable executable = CopyProgram(config);
  Session session(device, executable);
  session.Run(ShortRun());
  std::vector<std::uint8_t> target(std::size_t{8} * config.n);
  device.ReadMemory(kTargetAddress, target);
  for (std::size_t i = 0; i < target.size(); ++i) {
    ASSERT_EQ(target[i], SourceByte(i)) << "byte " << i;
  }
}

void ClearTarget(runtime::Device& device) {
  device.WriteMemory(kTargetAddress, std::vector<std::uint8_t>(1024));
}

using ErrorParam = std::tuple<Machine, BadProgram>;
class SystemErrorTest : public testing::TestWithParam<ErrorParam> {};

TEST_P(SystemErrorTest, StopsNamingTheInstructionAndWorksAgain) {
  const auto& [machine, bad] = GetParam();
  const auto device = MakeDevice(machine);
  const executable::Executable executable = bad.make(machine.config);
  for (const bool soft_reset : {true, false}) {
    SCOPED_TRACE(soft_reset ? "then a soft reset" : "then a start");
    Session session(*device, executable);
    try {
      session.Run(ShortRun());
      ADD_FAILURE() << "the program ended without an error";
    } catch (const DeviceError& error) {
      EXPECT_EQ(isa::Name(error.code()), isa::Name(bad.code));
      EXPECT_EQ(isa::Name(error.unit()), isa::Name(bad.unit));
      EXPECT_EQ(error.index(), bad.index);
    }
    if (soft_reset) runtime::SoftReset(*device);
    ClearTarget(*device);
    ExpectCopyWorks(*device, machine.config);
  }
}

std::string ErrorName(const testing::TestParamInfo<ErrorParam>& info) {
  return std::get<0>(info.param).name + "_" + std::get<1>(info.param).name;
}

INSTANTIATE_TEST_SUITE_P(, SystemErrorTest,
                         testing::Combine(testing::ValuesIn(AllMachines()),
                                          testing::ValuesIn(AllErrors())),
                         ErrorName);

}  // namespace
}  // namespace tpu::system_test
