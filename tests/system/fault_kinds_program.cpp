// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <functional>

#include "base/error.h"
#include "devices/golden/golden_device.h"
#include "runtime/config.h"
#include "tests/system/fault_kinds.h"
#include "tests/system/program.h"

namespace tpu::system_test {
namespace {

using isa::ErrorCode;
using isa::HardwareConfig;
using isa::Instruction;
using isa::NumberFormat;
using isa::Unit;
using Rng = std::mt19937_64;

constexpr std::uint32_t kRows = 8;

/// Instructions that bring what one of any unit needs, and then this one.
executable::Executable After(const HardwareConfig& config, Instruction bad) {
  const std::uint32_t n = config.n;
  std::vector<Instruction> program = {LoadRows(kRows, n, {.wait = 0, .post = kInput}),
                                      LoadZeroParameters(n, {.wait = 0, .post = kParameter})};
  if (const auto* matmul = std::get_if<isa::Matmul>(&bad)) {
    isa::Weights weights = OneTile();
    weights.tiles = matmul->n_ob;
    weights.format = matmul->format;
    program.emplace_back(weights);
  }
  const Unit unit = isa::UnitOf(isa::OpcodeOf(bad));
  if (unit != Unit::kLoad && unit != Unit::kWeights) isa::SemaphoresOf(bad).wait |= kInput;
  if (unit == Unit::kVector) isa::SemaphoresOf(bad).wait |= kParameter;
  program.push_back(bad);
  return MakeExecutable(config, program);
}

/// What the golden model makes of it. Only one thing is wrong with the program, so it does not
/// matter which one the hardware meets first.
Outcome OnGolden(const HardwareConfig& config, const executable::Executable& executable) {
  devices::GoldenDevice device(config);
  device.ReserveMemory(executable.memory_bytes);
  for (const executable::Segment& s : executable.segments) device.WriteMemory(s.address, s.bytes);
  const auto& program = std::get<executable::DeviceProgram>(executable.steps.at(0));
  using isa::Register;
  runtime::WriteRegister(device, Register::kProgAddrLo,
                         static_cast<std::uint32_t>(program.address));
  runtime::WriteRegister(device, Register::kProgGranules, program.granules);
  runtime::WriteRegister(device, Register::kControl, isa::bits::kControl_::start);
  namespace error = isa::bits::kError_;
  const std::uint32_t value = runtime::ReadRegister(device, Register::kError);
  const auto code = static_cast<ErrorCode>((value & error::code) >> error::code_lsb);
  if (code == ErrorCode::kNone) return Completed();
  return Stopped(code, static_cast<Unit>((value & error::unit) >> error::unit_lsb),
                 runtime::ReadRegister(device, Register::kErrorIndex));
}

struct Kind {
  const char* name;
  ErrorCode code;
  std::function<Instruction(Rng&, const HardwareConfig&)> draw;
};

std::uint32_t U(Rng& rng, std::uint64_t n) { return static_cast<std::uint32_t>(rng() % n); }
std::int32_t S(Rng& rng, std::int32_t range) {
  return static_cast<std::int32_t>(rng() % (2 * static_cast<std::uint64_t>(range))) - range;
}

template <typename Transfer>
Transfer BeyondBuffer(Transfer t, Rng& rng, const HardwareConfig& config) {
  switch (U(rng, 3)) {
    case 0:
      t.row = config.ub_rows - kRows + 1 + U(rng, 0x10000 - config.ub_rows);
      break;
    case 1:
      t.pixel_stride = U(rng, 0x10000);
      break;
    default:
      t.pixel_bytes = config.n * 2;
      t.plane_stride = U(rng, 0x10000);
      break;
  }
  t.row &= 0xFFFF;
  return t;
}

template <typename I>
I AtAddress(I i, std::uint64_t address) {
  i.dram_addr = address;
  return i;
}

std::uint64_t BeyondWidth(Rng& rng, const HardwareConfig& config) {
  return rng() | std::uint64_t{1} << (config.axi_addr_width + U(rng, 64 - config.axi_addr_width));
}
/// Inside the address width, outside of the memory.
std::uint64_t Nowhere(Rng& rng, const HardwareConfig& config) {
  return (rng() >> (64 - config.axi_addr_width)) | 0x10000;
}

/// First row or stride of a source of VECTOR or FVECTOR, anywhere.
void Displace(Rng& rng, std::int32_t& row, std::int32_t& stride) {
  if (U(rng, 2) == 0) {
    row = S(rng, 1 << 19);
  } else {
    stride = S(rng, 1 << 15);
  }
}

std::vector<Kind> TransferKinds() {
  return {
      {"LOAD beyond the buffer", ErrorCode::kUbRange,
       [](Rng& rng, const HardwareConfig& c) {
         return BeyondBuffer(LoadRows(kRows, c.n), rng, c);
       }},
      {"LOAD beyond the parameters", ErrorCode::kParamRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Load l = LoadZeroParameters(c.n);
         l.rows = 2;
         l.row = c.param_rows - 1 + U(rng, 0x10000 - c.param_rows);
         return l;
       }},
      {"LOAD beyond the tables", ErrorCode::kLutRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Load l = LoadRows(1 + U(rng, 4), 256);
         l.destination = isa::LoadDestination::kLookup;
         l.row = c.lut_tables - l.rows + 1 + U(rng, 0xFFF0);
         return l;
       }},
      {"LOAD beyond the address width", ErrorCode::kAddrRange,
       [](Rng& rng, const HardwareConfig& c) {
         return AtAddress(LoadRows(kRows, c.n), BeyondWidth(rng, c));
       }},
      {"LOAD from no memory", ErrorCode::kBusRead,
       [](Rng& rng, const HardwareConfig& c) {
         return AtAddress(LoadRows(kRows, c.n), Nowhere(rng, c));
       }},
      {"STORE beyond the buffer", ErrorCode::kUbRange,
       [](Rng& rng, const HardwareConfig& c) {
         return BeyondBuffer(StoreRows(kRows, c.n), rng, c);
       }},
      {"STORE beyond the address width", ErrorCode::kAddrRange,
       [](Rng& rng, const HardwareConfig& c) {
         return AtAddress(StoreRows(kRows, c.n), BeyondWidth(rng, c));
       }},
      {"STORE to no memory", ErrorCode::kBusWrite,
       [](Rng& rng, const HardwareConfig& c) {
         return AtAddress(StoreRows(kRows, c.n), Nowhere(rng, c));
       }},
      {"WEIGHTS beyond the address width", ErrorCode::kAddrRange,
       [](Rng& rng, const HardwareConfig& c) { return AtAddress(OneTile(), BeyondWidth(rng, c)); }},
      {"WEIGHTS from no memory", ErrorCode::kBusRead,
       [](Rng& rng, const HardwareConfig& c) { return AtAddress(OneTile(), Nowhere(rng, c)); }},
  };
}

std::vector<Kind> ComputeKinds() {
  const auto vector = [](isa::VectorSource source) { return CopyRows(source, kRows, 64); };
  constexpr auto kBuffer = isa::VectorSource::kUnifiedBuffer;
  constexpr auto kAccumulators = isa::VectorSource::kAccumulators;
  return {
      {"MATMUL beyond the buffer", ErrorCode::kUbRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Matmul m = MultiplyRows(kRows, c.n);
         if (U(rng, 2) == 0) {
           m.ub_addr = S(rng, 1 << 25);
         } else {
           m.s_ow = S(rng, 1 << 23);
         }
         return m;
       }},
      {"MATMUL beyond the accumulators", ErrorCode::kAccRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Matmul m = MultiplyRows(kRows, c.n);
         m.n_ob = 2;
         (U(rng, 2) == 0 ? m.acc_row : m.acc_ob_stride) = U(rng, 0x10000);
         return m;
       }},
      {"VECTOR source A beyond the buffer", ErrorCode::kUbRange,
       [vector](Rng& rng, const HardwareConfig&) {
         isa::Vector v = vector(kBuffer);
         Displace(rng, v.a_row, v.a_ow);
         return v;
       }},
      {"VECTOR source A beyond the accumulators", ErrorCode::kAccRange,
       [vector](Rng& rng, const HardwareConfig&) {
         isa::Vector v = vector(kAccumulators);
         Displace(rng, v.a_row, v.a_ow);
         return v;
       }},
      {"VECTOR source B beyond the buffer", ErrorCode::kUbRange,
       [vector](Rng& rng, const HardwareConfig&) {
         isa::Vector v = vector(kBuffer);
         v.map = isa::VectorMap::kMaximum;
         Displace(rng, v.b_row, v.b_ow);
         return v;
       }},
      {"VECTOR output beyond the buffer", ErrorCode::kUbRange,
       [vector](Rng& rng, const HardwareConfig&) {
         isa::Vector v = vector(U(rng, 2) == 0 ? kBuffer : kAccumulators);
         if (U(rng, 2) == 0) {
           v.o_row = U(rng, 0x10000);
         } else {
           v.o_ow = S(rng, 1 << 15);
         }
         return v;
       }},
      {"VECTOR beyond the parameters", ErrorCode::kParamRange,
       [vector](Rng& rng, const HardwareConfig&) {
         isa::Vector v = vector(U(rng, 2) == 0 ? kBuffer : kAccumulators);
         v.n_cb = 2;
         (U(rng, 2) == 0 ? v.param_row : v.param_stride) = U(rng, 0x10000);
         return v;
       }},
  };
}

/// FVECTOR from the buffer, whose numbers of `format` lie in consecutive rows from row 0.
isa::Fvector Converted(NumberFormat format) {
  isa::Fvector v = DrainRows(2, 64);
  v.source = isa::VectorSource::kUnifiedBuffer;
  v.a_format = v.b_format = format;
  v.a_ow = v.b_ow = static_cast<std::int32_t>(isa::BytesOf(format));
  return v;
}

/// A format of more than one byte, up to `last`.
NumberFormat Wide(Rng& rng, NumberFormat last) {
  return static_cast<NumberFormat>(1 + U(rng, static_cast<std::uint64_t>(last)));
}

/// A row where a number of more than one byte lies across the end of the unified buffer.
std::uint32_t AcrossEnd(Rng& rng, const HardwareConfig& c, NumberFormat format) {
  return c.ub_rows - 1 - U(rng, static_cast<std::uint64_t>(isa::BytesOf(format)) - 1);
}

/// Of machines with bf16 or int16.
std::vector<Kind> WideTransferKinds() {
  return {
      {"LOAD of numbers beyond the buffer", ErrorCode::kUbRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Load l = OfNumbers(LoadRows(1, c.n), Wide(rng, NumberFormat::kFloat32));
         l.row = AcrossEnd(rng, c, l.format);
         return l;
       }},
      {"STORE of numbers beyond the buffer", ErrorCode::kUbRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Store s = OfNumbers(StoreRows(1, c.n), Wide(rng, NumberFormat::kFloat32));
         s.row = AcrossEnd(rng, c, s.format);
         return s;
       }},
  };
}

/// Of machines with bf16.
std::vector<Kind> FloatTransferKinds() {
  return {
      {"WEIGHTS of bf16 from no memory", ErrorCode::kBusRead,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Weights w = AtAddress(OneTile(), Nowhere(rng, c));
         w.format = NumberFormat::kBfloat16;
         return w;
       }},
      {"UBWEIGHTS beyond the buffer", ErrorCode::kUbRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::UbWeights w;
         w.format = U(rng, 2) == 0 ? NumberFormat::kInt8 : NumberFormat::kBfloat16;
         w.transpose = U(rng, 2);
         w.row_bound = 1 + U(rng, 0xFFFF);
         w.s_row = S(rng, 1 << 15);
         switch (U(rng, 3)) {
           case 0:
             w.row = U(rng, 0x10000);
             break;
           case 1:  // Only the last row lies outside.
             w.row_bound = c.n;
             w.s_row = 1;
             w.row = c.ub_rows - c.n + 1;
             break;
           default:
             w.n_ob = 3;
             w.s_ob = S(rng, 1 << 15);
             break;
         }
         return w;
       }},
      {"MATMUL of bf16 beyond the buffer", ErrorCode::kUbRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Matmul m = MultiplyRows(kRows, c.n);
         m.format = NumberFormat::kBfloat16;
         switch (U(rng, 3)) {
           case 0:
             m.ub_addr = S(rng, 1 << 25);
             break;
           case 1:  // Only the last numbers lie outside.
             m.ub_addr =
                 static_cast<std::int32_t>(c.ub_rows * c.n / 2 - kRows * c.n + 1 + U(rng, c.n));
             break;
           default:
             m.s_ow = S(rng, 1 << 23);
             break;
         }
         return m;
       }},
      {"MATMUL of bf16 beyond the accumulators", ErrorCode::kAccRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Matmul m = MultiplyRows(kRows, c.n);
         m.format = NumberFormat::kBfloat16;
         m.acc_row = c.acc_rows - U(rng, kRows);
         return m;
       }},
  };
}

isa::Adam SomeAdam() {
  isa::Adam adam;
  adam.rows = 2;
  adam.to_moments = 8;
  adam.gradients = 16;
  adam.to_weights = 8;
  adam.output = 24;
  return adam;
}

std::vector<Kind> AdamKinds() {
  return {
      {"ADAM beyond the buffer", ErrorCode::kUbRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Adam adam = SomeAdam();
         // Anywhere, or only the last rows lie outside.
         const std::uint32_t row = U(rng, 2) == 0 ? U(rng, 0x10000) : c.ub_rows - 7 + U(rng, 7);
         switch (U(rng, 5)) {
           case 0:
             adam.squares = row;
             break;
           case 1:
             adam.gradients = row;
             break;
           case 2:
             adam.output = row;
             break;
           case 3:
             adam.to_moments = S(rng, 1 << 15);
             break;
           default:
             adam.to_weights = S(rng, 1 << 15);
             break;
         }
         return adam;
       }},
      {"ADAM beyond the parameters", ErrorCode::kParamRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Adam adam = SomeAdam();
         adam.param_row = c.param_rows + U(rng, 9);
         return adam;
       }},
  };
}

/// Of machines with int16.
std::vector<Kind> PlaneKinds() {
  return {
      {"MATMUL of planes beyond the buffer", ErrorCode::kUbRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Matmul m = MultiplyRows(kRows, c.n);
         m.planes = 1;
         // Anywhere, or only the last numbers lie outside.
         m.ub_addr =
             U(rng, 2) == 0
                 ? S(rng, 1 << 25)
                 : static_cast<std::int32_t>(c.ub_rows * c.n / 2 - kRows * c.n + 1 + U(rng, c.n));
         return m;
       }},
      {"MATMUL of planes beyond the accumulators", ErrorCode::kAccRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Matmul m = MultiplyRows(kRows, c.n);
         m.planes = 1;
         m.acc_row = c.acc_rows - U(rng, kRows);
         return m;
       }},
  };
}

/// IVECTOR from the buffer, whose numbers of `format` lie in consecutive rows from row 0.
isa::Ivector Integers(isa::IntegerFormat format) {
  isa::Ivector v = DrainIntegers(2, 64);
  v.source = isa::VectorSource::kUnifiedBuffer;
  v.a_format = v.b_format = format;
  v.a_ow = v.b_ow = static_cast<std::int32_t>(isa::RowsOf(format));
  return v;
}

isa::IntegerFormat WideInteger(Rng& rng) {
  return U(rng, 2) == 0 ? isa::IntegerFormat::kInt16 : isa::IntegerFormat::kInt32;
}

std::uint32_t AcrossEnd(Rng& rng, const HardwareConfig& c, isa::IntegerFormat format) {
  return c.ub_rows - 1 - U(rng, static_cast<std::uint64_t>(isa::RowsOf(format)) - 1);
}

std::vector<Kind> IvectorKinds() {
  return {
      {"IVECTOR source A beyond the buffer", ErrorCode::kUbRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Ivector v = Integers(WideInteger(rng));
         Displace(rng, v.a_row, v.a_ow);
         if (U(rng, 2) == 0) v.a_row = static_cast<std::int32_t>(AcrossEnd(rng, c, v.a_format));
         return v;
       }},
      {"IVECTOR source A beyond the accumulators", ErrorCode::kAccRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Ivector v = DrainIntegers(kRows, 64);
         if (U(rng, 2) == 0) {  // The low words alone.
           v.a_format = isa::IntegerFormat::kPair;
           v.a_low = static_cast<std::int32_t>(c.acc_rows - U(rng, kRows));
         } else {
           Displace(rng, v.a_row, v.a_ow);
         }
         return v;
       }},
      {"IVECTOR source B beyond the buffer", ErrorCode::kUbRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Ivector v = Integers(WideInteger(rng));
         v.map = isa::IntegerMap::kAdd;
         Displace(rng, v.b_row, v.b_ow);
         if (U(rng, 2) == 0) v.b_row = static_cast<std::int32_t>(AcrossEnd(rng, c, v.b_format));
         return v;
       }},
      {"IVECTOR output beyond the buffer", ErrorCode::kUbRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Ivector v = Integers(isa::IntegerFormat::kInt8);
         v.o_format = WideInteger(rng);
         v.o_row = U(rng, 2) == 0 ? U(rng, 0x10000) : c.ub_rows - 1 - U(rng, 3);
         return v;
       }},
      {"IVECTOR beyond the parameters", ErrorCode::kParamRange,
       [](Rng& rng, const HardwareConfig&) {
         isa::Ivector v = Integers(WideInteger(rng));
         v.n_cb = 2;
         (U(rng, 2) == 0 ? v.param_row : v.param_stride) = U(rng, 0x10000);
         return v;
       }},
  };
}

/// The same of FVECTOR.
std::vector<Kind> FvectorKinds() {
  return {
      {"FVECTOR source A beyond the buffer", ErrorCode::kUbRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Fvector v = Converted(Wide(rng, NumberFormat::kInt32));
         Displace(rng, v.a_row, v.a_ow);
         if (U(rng, 2) == 0) v.a_row = static_cast<std::int32_t>(AcrossEnd(rng, c, v.a_format));
         return v;
       }},
      {"FVECTOR source A beyond the accumulators", ErrorCode::kAccRange,
       [](Rng& rng, const HardwareConfig&) {
         isa::Fvector v = DrainRows(kRows, 64);
         Displace(rng, v.a_row, v.a_ow);
         return v;
       }},
      {"FVECTOR source B beyond the buffer", ErrorCode::kUbRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Fvector v = Converted(Wide(rng, NumberFormat::kInt32));
         v.map = isa::FloatMap::kAdd;
         Displace(rng, v.b_row, v.b_ow);
         if (U(rng, 2) == 0) v.b_row = static_cast<std::int32_t>(AcrossEnd(rng, c, v.b_format));
         return v;
       }},
      {"FVECTOR output beyond the buffer", ErrorCode::kUbRange,
       [](Rng& rng, const HardwareConfig& c) {
         isa::Fvector v = Converted(NumberFormat::kInt8);
         v.o_format = Wide(rng, NumberFormat::kInt32);
         if (v.o_format == NumberFormat::kBfloat16) {
           v.interleave = static_cast<isa::FloatInterleave>(U(rng, 3));
         }
         switch (U(rng, 3)) {
           case 0:
             v.o_row = U(rng, 0x10000);
             break;
           case 1:
             v.o_ow = S(rng, 1 << 15);
             break;
           default:
             v.o_row = c.ub_rows - 1 - U(rng, 3);
             break;
         }
         return v;
       }},
      {"FVECTOR beyond the parameters", ErrorCode::kParamRange,
       [](Rng& rng, const HardwareConfig&) {
         isa::Fvector v = Converted(Wide(rng, NumberFormat::kInt32));
         v.n_cb = 2;
         (U(rng, 2) == 0 ? v.param_row : v.param_stride) = U(rng, 0x10000);
         return v;
       }},
  };
}

void RunProgram(FaultBench& bench, const executable::Executable& executable,
                const Outcome& expected) {
  bench.Load(executable);
  bench.Start();
  FaultBench::Expect(expected, bench.Wait());
}

Fault Make(const HardwareConfig& config, std::string kind, std::string what,
           const Instruction& bad) {
  executable::Executable executable = After(config, bad);
  const Outcome expected = OnGolden(config, executable);
  return {std::move(kind), std::move(what),
          [executable = std::move(executable), expected](FaultBench& b) {
            RunProgram(b, executable, expected);
          }};
}

}  // namespace

std::vector<Fault> ProgramFaults(const FaultBench& bench) {
  constexpr int kEach = 12;
  const HardwareConfig& config = bench.config();
  Rng rng(config.n);
  std::vector<Fault> faults;
  std::vector<Kind> kinds = TransferKinds();
  for (Kind& kind : ComputeKinds()) kinds.push_back(std::move(kind));
  const auto add = [&kinds](std::vector<Kind> further) {
    std::ranges::move(further, std::back_inserter(kinds));
  };
  if (config.bf16 != 0 || config.int16 != 0) add(WideTransferKinds());
  if (config.bf16 != 0) {
    add(FloatTransferKinds());
    add(FvectorKinds());
    add(AdamKinds());
  }
  if (config.int16 != 0) {
    add(PlaneKinds());
    add(IvectorKinds());
  }
  for (const Kind& kind : kinds) {
    for (int i = 0; i < kEach;) {
      const Instruction bad = kind.draw(rng, config);
      // Some are inside after all.
      if (OnGolden(config, After(config, bad)).code != kind.code) continue;
      faults.push_back(Make(config, kind.name, fmt::format("{}", i), bad));
      ++i;
    }
  }
  std::vector<Instruction> waiting = {LoadRows(1, config.n), StoreRows(1, config.n), OneTile(),
                                      MultiplyRows(1, config.n),
                                      CopyRows(isa::VectorSource::kUnifiedBuffer, 1, 0)};
  if (config.bf16 != 0) waiting.emplace_back(DrainRows(1, 0));
  if (config.bf16 != 0) waiting.emplace_back(SomeAdam());
  if (config.int16 != 0) waiting.emplace_back(DrainIntegers(1, 0));
  for (const Instruction& good : waiting) {
    const std::string_view name = isa::Mnemonic(isa::OpcodeOf(good));
    for (unsigned semaphore = 2; semaphore < isa::kNumSemaphores; semaphore += 4) {
      Instruction bad = good;
      isa::SemaphoresOf(bad).wait = 1U << semaphore;
      faults.push_back(Make(config, "semaphore never posted",
                            fmt::format("{} waits for {}", name, semaphore), bad));
    }
  }
  return faults;
}

}  // namespace tpu::system_test
