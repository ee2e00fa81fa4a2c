// SPDX-License-Identifier: Apache-2.0
#include "tests/system/fault_bench.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "devices/golden/golden_device.h"
#include "runtime/config.h"
#include "runtime/session.h"
#include "tests/system/program.h"
#include "tests/system/random_number.h"

namespace tpu::system_test {
namespace {

using isa::NumberFormat;
using isa::Register;
using runtime::ReadRegister;
using runtime::WriteRegister;

// Longer than anything that a working memory makes the machine wait for.
constexpr std::uint32_t kWatchdog = 400;
constexpr std::uint64_t kMostCycles = 20'000;

/// The executable's bytes, and random ones where it has none.
std::vector<std::uint8_t> Image(const executable::Executable& executable) {
  std::mt19937_64 rng(1);
  std::vector<std::uint8_t> image(executable.memory_bytes);
  for (std::uint8_t& b : image) b = static_cast<std::uint8_t>(rng());
  // Parameter entry 0.
  std::fill_n(image.begin() + kZeroAddress, 0x400, std::uint8_t{0});
  for (const executable::Segment& s : executable.segments) {
    std::ranges::copy(s.bytes, image.begin() + static_cast<std::ptrdiff_t>(s.address));
  }
  return image;
}

void WriteProgramRegisters(runtime::Device& device, const executable::DeviceProgram& program) {
  WriteRegister(device, Register::kProgAddrLo, static_cast<std::uint32_t>(program.address));
  WriteRegister(device, Register::kProgAddrHi, static_cast<std::uint32_t>(program.address >> 32));
  WriteRegister(device, Register::kProgGranules, program.granules);
}

}  // namespace

void FaultTally::Add(const std::string& kind, bool failed) {
  auto row = std::ranges::find(rows_, kind, &Row::kind);
  if (row == rows_.end()) row = rows_.insert(rows_.end(), Row{kind, 0, 0});
  ++row->injected;
  row->failed += failed ? 1 : 0;
}

std::string Describe(const Outcome& o) {
  if (!o.ended) return "no end";
  if (o.done) return "done";
  return fmt::format("{} in {} at instruction {}", isa::Name(o.code), isa::Name(o.unit), o.index);
}

std::vector<isa::Instruction> BusyProgram(const isa::HardwareConfig& config) {
  constexpr std::uint32_t kRows = 24;
  const std::uint32_t n = config.n;
  const bool floats = config.bf16 != 0;
  const NumberFormat format = floats ? NumberFormat::kBfloat16 : NumberFormat::kInt8;
  std::vector<isa::Instruction> program;
  const auto load = [&](std::uint32_t row, std::uint64_t offset, std::uint32_t post) {
    isa::Load l = OfNumbers(LoadRows(kRows, n, {.wait = 0, .post = post}), format);
    l.row = row;
    l.dram_addr += offset;
    program.emplace_back(l);
  };
  const auto tile = [&](std::uint64_t offset, NumberFormat numbers) {
    isa::Weights w = OneTile();
    w.format = numbers;
    w.dram_addr += offset;
    program.emplace_back(w);
  };
  const auto multiply = [&](std::uint32_t acc_row, std::uint32_t wait, NumberFormat numbers) {
    isa::Matmul m = MultiplyRows(kRows, n, {.wait = wait, .post = kAccumulated});
    m.format = numbers;
    m.acc_row = acc_row;
    program.emplace_back(m);
  };
  const auto drain = [&](auto v, std::int32_t acc_row, std::uint32_t wait) {
    v.semaphores = {.wait = kAccumulated | wait, .post = kResult};
    v.a_row = acc_row;
    program.emplace_back(v);
  };
  const auto store = [&](std::uint32_t row, std::uint64_t offset, std::uint32_t wait,
                         NumberFormat numbers) {
    isa::Store s = OfNumbers(StoreRows(kRows, n, {.wait = wait, .post = 0}), numbers);
    s.row = row;
    s.dram_addr += offset;
    program.emplace_back(s);
  };
  constexpr std::uint32_t kCopied = 1U << 2;
  const auto copy = [](std::uint32_t target) {
    return CopyRows(isa::VectorSource::kAccumulators, kRows, target);
  };
  load(0, 0, kInput);
  tile(0x2000, NumberFormat::kInt8);
  program.emplace_back(LoadZeroParameters(n, {.wait = 0, .post = kParameter}));
  tile(0x2800, format);
  multiply(0, kInput, NumberFormat::kInt8);
  load(64, 0x1000, kCopied);
  multiply(32, 0, format);
  drain(copy(128), 0, kParameter);
  store(64, 0, kCopied, format);
  if (floats) {
    isa::Fvector v = DrainRows(kRows, 160);
    v.function = isa::FloatFunction::kLogistic;
    drain(v, 32, 0);
  } else if (config.int16 != 0) {
    drain(DrainIntegers(kRows, 160), 32, 0);
  } else {
    drain(copy(160), 32, 0);
  }
  store(128, 0x1000, kResult, NumberFormat::kInt8);
  store(160, 0x2000, kResult, floats ? NumberFormat::kFloat32 : NumberFormat::kInt8);
  return program;
}

namespace {

/// The busy program; with bf16 what it loads are numbers of bf16.
executable::Executable Busy(const isa::HardwareConfig& config) {
  executable::Executable busy = MakeExecutable(config, BusyProgram(config));
  if (config.bf16 == 0) return busy;
  std::mt19937_64 rng(1);
  std::vector<std::uint8_t>& source = busy.segments.back().bytes;
  for (std::size_t i = 0; i < source.size(); i += 2) {
    const std::uint32_t number = OrdinaryNumber(rng);
    source[i] = static_cast<std::uint8_t>(number >> 16);
    source[i + 1] = static_cast<std::uint8_t>(number >> 24);
  }
  return busy;
}

}  // namespace

FaultBench::FaultBench(const devices::Machine& machine, std::optional<std::uint64_t> stall_seed)
    : machine_(machine), rng_(stall_seed.value_or(1)), busy_(Busy(machine.config)) {
  devices::RtlOptions options;
  options.memory_latency = 12;
  options.stall_seed = stall_seed;
  device_ = machine.make(options);
  device_->ReserveMemory(kMemoryBytes);
  devices::GoldenDevice golden(machine.config);
  busy_result_ = Image(busy_);
  golden.ReserveMemory(kMemoryBytes);
  golden.WriteMemory(0, busy_result_);
  WriteProgramRegisters(golden, ProgramOf(busy_));
  WriteRegister(golden, Register::kControl, isa::bits::kControl_::start);
  golden.ReadMemory(0, busy_result_);
  ExpectWorks();
  busy_cycles_ = runtime::Count(runtime::ReadCounters(*device_), isa::Counter::kCycles);
}

void FaultBench::Load(const executable::Executable& executable) {
  image_ = Image(executable);
  device_->WriteMemory(0, image_);
  WriteRegister(*device_, Register::kIrqClear, 1);
  WriteRegister(*device_, Register::kWatchdog, kWatchdog);
  WriteProgramRegisters(*device_, std::get<executable::DeviceProgram>(executable.steps.at(0)));
}

void FaultBench::Start() {
  namespace control = isa::bits::kControl_;
  WriteRegister(*device_, Register::kControl, control::irq_enable | control::start);
}

Outcome FaultBench::Wait() {
  namespace status = isa::bits::kStatus_;
  namespace error = isa::bits::kError_;
  Outcome outcome;
  outcome.ended = device_->WaitForInterrupt(kMostCycles);
  const std::uint32_t value = ReadRegister(*device_, Register::kStatus);
  if ((value & status::busy) != 0) outcome.ended = false;
  outcome.done = (value & status::done) != 0;
  if ((value & status::error) == 0) return outcome;
  const std::uint32_t code = ReadRegister(*device_, Register::kError);
  outcome.code = static_cast<isa::ErrorCode>((code & error::code) >> error::code_lsb);
  outcome.unit = static_cast<isa::Unit>((code & error::unit) >> error::unit_lsb);
  outcome.index = ReadRegister(*device_, Register::kErrorIndex);
  return outcome;
}

void FaultBench::Expect(const Outcome& expected, const Outcome& actual) {
  if (Describe(expected) == Describe(actual)) return;
  throw Error::Format("ended with {}, expected {}", Describe(actual), Describe(expected));
}

void FaultBench::ExpectRestUntouched() {
  std::vector<std::uint8_t> memory(kTargetAddress);
  device_->ReadMemory(0, memory);
  const auto [found, expected] = std::ranges::mismatch(memory, image_);
  if (found == memory.end()) return;
  throw Error::Format("byte 0x{:x} outside the outputs was changed", found - memory.begin());
}

void FaultBench::ExpectWorks() {
  Load(busy_);
  Start();
  Expect(Completed(), Wait());
  std::vector<std::uint8_t> memory(kMemoryBytes);
  device_->ReadMemory(0, memory);
  const auto [found, expected] = std::ranges::mismatch(memory, busy_result_);
  if (found == memory.end()) return;
  throw Error::Format("the busy program leaves {} at 0x{:x}, expected {}", *found,
                      found - memory.begin(), *expected);
}

void FaultBench::Recover() {
  if (Below(2) == 0) return;
  runtime::SoftReset(*device_);
  if (ReadRegister(*device_, Register::kStatus) != 0) throw Error("STATUS after a soft reset");
}

}  // namespace tpu::system_test
