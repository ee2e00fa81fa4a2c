// SPDX-License-Identifier: Apache-2.0
// What control reports: every illegal encoding, truncated programs, fetch errors, overflow,
// the units' errors.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "control_bench.h"
#include "control_models.h"
#include "random_program.h"

namespace tpu {
namespace {

using isa::ErrorCode;
using isa::Unit;
using Bytes = std::vector<std::uint8_t>;
using Bench = ControlBench<Vcontrol128>;

Bytes Encoded(const isa::Instruction& instruction) { return isa::EncodeProgram({{instruction}}); }

/// Decode must accept an instruction exactly when isa::Decode does for such a machine, and name the
/// same error.
template <typename Model>
class EncodingTester {
 public:
  void Test(const Bytes& instruction) {
    bench_.Reset();
    Bytes program = Encoded(isa::Store{});
    program.insert(program.end(), instruction.begin(), instruction.end());
    // Anywhere: 64 bits of address, most of a page left.
    bench_.Start(program, (rng_() & ~std::uint64_t{0xFFF}) + 64 * (rng_() % 32));
    const auto decoded = isa::Decode(instruction, kFormats<Model>);
    if (const auto* error = std::get_if<isa::DecodeError>(&decoded)) {
      bench_.ExpectError(error->code, Unit::kFrontend, 1);
      ++illegal;
    } else {
      // Bits that turn VECTOR into another instruction leave its second granule over.
      bench_.Until([&] { return bench_.dut->error_valid || bench_.dut->program_done; }, 200);
      EXPECT_TRUE(bench_.dut->program_done || bench_.dut->error_index == 2);
      ++legal;
    }
  }

  int legal = 0;
  int illegal = 0;

 private:
  ControlBench<Model> bench_{1, {.latency = 1}};
  std::mt19937_64 rng_{1};
};

template <typename I>
I SomeLegal() {
  I instruction;
  instruction.semaphores.post = 0x12345678;
  return instruction;
}

template <typename Model>
class ControlEncoding : public ::testing::Test {};
using Machines = ::testing::Types<Vcontrol512, Vcontrol512Bf16, Vcontrol512Int16, Vcontrol512Both>;
TYPED_TEST_SUITE(ControlEncoding, Machines);

TYPED_TEST(ControlEncoding, EveryBitOfEveryInstruction) {
  EncodingTester<TypeParam> tester;
  for (const isa::Instruction& instruction :
       {isa::Instruction(SomeLegal<isa::Load>()), isa::Instruction(SomeLegal<isa::Store>()),
        isa::Instruction(SomeLegal<isa::Weights>()), isa::Instruction(SomeLegal<isa::Matmul>()),
        isa::Instruction(SomeLegal<isa::Vector>()), isa::Instruction(SomeLegal<isa::Fvector>()),
        isa::Instruction(SomeLegal<isa::Ivector>()), isa::Instruction(SomeLegal<isa::Adam>())}) {
    const Bytes bytes = Encoded(instruction);
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      // A wait that nobody meets would be legal and never end.
      if (bit >= 32 && bit < 64) continue;
      SCOPED_TRACE(fmt::format("{} bit {}", isa::Mnemonic(isa::OpcodeOf(instruction)), bit));
      Bytes changed = bytes;
      changed[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
      tester.Test(changed);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  EXPECT_GT(tester.legal, 500);
  EXPECT_GT(tester.illegal, 500);
}

TYPED_TEST(ControlEncoding, EveryFieldAtAndBeyondItsLimits) {
  EncodingTester<TypeParam> tester;
  std::mt19937_64 rng(5);
  const auto test_fields = [&]<typename I>(const I& legal) {
    isa::ForEachField(legal, [&](const isa::Field& field, auto) {
      if (field.width == 64) return;
      const std::uint64_t mask = (std::uint64_t{1} << field.width) - 1;
      const auto min = static_cast<std::uint64_t>(field.min);
      for (const std::uint64_t value : {min, min - 1, field.max, field.max + 1, rng()}) {
        SCOPED_TRACE(fmt::format("{} = {}", field.name, value & mask));
        Bytes bytes = Encoded(legal);
        std::uint32_t word = 0;
        std::memcpy(&word, &bytes[4 * field.word], 4);
        word &= ~static_cast<std::uint32_t>(mask << field.lsb);
        word |= static_cast<std::uint32_t>((value & mask) << field.lsb);
        std::memcpy(&bytes[4 * field.word], &word, 4);
        tester.Test(bytes);
      }
    });
  };
  test_fields(isa::Load{});
  test_fields(isa::Store{});
  test_fields(isa::Weights{});
  test_fields(isa::Matmul{});
  test_fields(isa::Vector{});
  test_fields(isa::Fvector{});
  test_fields(isa::Ivector{});
  test_fields(isa::Adam{});
  EXPECT_GT(tester.legal, 200);
  EXPECT_GT(tester.illegal, 30);
}

TYPED_TEST(ControlEncoding, AccumulatorsTakeOnlyCopy) {
  EncodingTester<TypeParam> tester;
  for (unsigned map = 0; map < 8; ++map) {
    for (const unsigned source : {0U, 1U}) {
      Bytes bytes = Encoded(isa::Vector{});
      bytes[1] = static_cast<std::uint8_t>(source | map << 4);
      tester.Test(bytes);
    }
  }
  EXPECT_EQ(tester.legal, 8);
}

// The fields of one instruction that limit each other, all of their values together.
TYPED_TEST(ControlEncoding, FormatsThatDependOnOtherFields) {
  EncodingTester<TypeParam> tester;
  for (unsigned format = 0; format < 4; ++format) {
    for (unsigned other = 0; other < 4; ++other) {
      Bytes load = Encoded(isa::Load{});
      load[1] = static_cast<std::uint8_t>(other);
      load[3] = static_cast<std::uint8_t>(format);
      tester.Test(load);
      for (const unsigned source : {0U, 1U}) {
        Bytes fvector = Encoded(isa::Fvector{});
        fvector[1] = static_cast<std::uint8_t>(source | format << 2 | other << 4);
        tester.Test(fvector);
        Bytes ivector = Encoded(isa::Ivector{});
        ivector[1] = static_cast<std::uint8_t>(source | format << 2 | other << 4);
        tester.Test(ivector);
      }
      Bytes matmul = Encoded(isa::Matmul{});
      matmul[3] = static_cast<std::uint8_t>(format | other << 2);
      tester.Test(matmul);
    }
    for (unsigned zero_point = 0; zero_point < 255; zero_point = 2 * zero_point + 1) {
      Bytes matmul = Encoded(isa::Matmul{});
      matmul[2] = static_cast<std::uint8_t>(zero_point);
      matmul[3] = static_cast<std::uint8_t>(format);
      tester.Test(matmul);
      if (zero_point == 0) continue;
      matmul[2] = static_cast<std::uint8_t>(zero_point + 1);
      tester.Test(matmul);
    }
  }
  // LOAD, FVECTOR, IVECTOR, MATMUL's planes, MATMUL's zero points.
  constexpr isa::Formats kFormatsHere = kFormats<TypeParam>;
  const int load = kFormatsHere.Meet(isa::Requirement::kWide) ? 5 : 3;
  const int fvector = kFormatsHere.bf16 ? 24 : 0;
  const int ivector = kFormatsHere.int16 ? 3 * (3 + 2) : 0;
  const int planes = 1 + (kFormatsHere.int16 ? 1 : 0) + (kFormatsHere.bf16 ? 1 : 0);
  const int zero_points = kFormatsHere.bf16 ? 16 : 15;
  EXPECT_EQ(tester.legal, load + fvector + ivector + planes + zero_points);
}

// An opcode's error comes before the error of a field, and both before nothing.
TYPED_TEST(ControlEncoding, RandomWords) {
  EncodingTester<TypeParam> tester;
  std::mt19937_64 rng(11);
  for (int run = 0; run < 600; ++run) {
    SCOPED_TRACE(run);
    // Nearly legal: one random word in the first half of the first granule.
    const auto opcode = static_cast<std::uint8_t>(rng() % 8);
    Bytes bytes = opcode == 5 || opcode == 6 ? Encoded(isa::Fvector{}) : Encoded(isa::Matmul{});
    bytes[0] = opcode;
    const std::size_t word = rng() % 4 == 0 ? rng() % (bytes.size() / 4) : 0;
    for (std::size_t byte = word == 0 ? 1 : 0; byte < 4; ++byte) {
      if (word != 1) bytes[4 * word + byte] = static_cast<std::uint8_t>(rng() & rng());
    }
    tester.Test(bytes);
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(tester.legal, 10);
  EXPECT_GT(tester.illegal, 200);
}

TEST(ControlErrors, NameTheIndexAndStopWhatFollows) {
  for (const std::size_t index : {0U, 1U, 7U, 60U}) {
    SCOPED_TRACE(index);
    std::vector<isa::Instruction> good = RandomProgram(9).Make(static_cast<int>(index));
    Bytes program = isa::EncodeProgram(good);
    program.resize(program.size() + 64);  // opcode 0
    const Bytes rest = isa::EncodeProgram(RandomProgram(10).Make(10));
    program.insert(program.end(), rest.begin(), rest.end());
    Bench bench(index + 1, {.latency = 2, .r_valid = 0.5});
    bench.Start(program);
    bench.ExpectError(ErrorCode::kIllegalOpcode, Unit::kFrontend,
                      static_cast<std::uint32_t>(index));
    // The bench fails when anything behind the error starts.
    bench.Run(100);
    bench.dut->halt = 1;
    EXPECT_TRUE(bench.Until([&] { return bench.Drained(); }, 200));
  }
}

TEST(ControlErrors, TruncatedVector) {
  Bytes program =
      isa::EncodeProgram(std::vector<isa::Instruction>{isa::Load{}, isa::Vector{}, isa::Vector{}});
  program.resize(program.size() - 64);
  Bench bench;
  bench.Start(program);
  bench.ExpectError(ErrorCode::kTruncated, Unit::kFrontend, 2);
}

template <typename Model>
class ControlFetchErrors : public ::testing::Test {};
using Widths = ::testing::Types<Vcontrol32, Vcontrol128, Vcontrol512>;
TYPED_TEST_SUITE(ControlFetchErrors, Widths);

TYPED_TEST(ControlFetchErrors, BusErrorInAnyBeat) {
  // Granules: load 0, vector 1 (two), store 2, load 3.
  const Bytes program = isa::EncodeProgram(
      std::vector<isa::Instruction>{isa::Load{}, isa::Vector{}, isa::Store{}, isa::Load{}});
  constexpr std::uint32_t kIndexOfGranule[] = {0, 1, 1, 2, 3};
  constexpr std::size_t kBeat = ControlBench<TypeParam>::kBeat;
  for (std::size_t offset = 0; offset < program.size(); offset += kBeat) {
    SCOPED_TRACE(offset);
    ControlBench<TypeParam> bench;
    bench.FailAt(0x2FC0 + offset);
    bench.Start(program, 0x2FC0);
    bench.ExpectError(ErrorCode::kBusRead, Unit::kFrontend, kIndexOfGranule[offset / 64]);
    bench.dut->halt = 1;
    EXPECT_TRUE(bench.Until([&] { return bench.Drained(); }, 200));
  }
}

TYPED_TEST(ControlFetchErrors, MisalignedProgram) {
  for (const std::uint64_t base : {0x1001U, 0x1020U, 0x103FU}) {
    ControlBench<TypeParam> bench;
    bench.Start({isa::Load{}}, base);
    bench.ExpectError(ErrorCode::kAddrRange, Unit::kFrontend, 0);
    EXPECT_EQ(bench.bursts(), 0U);
  }
}

TYPED_TEST(ControlFetchErrors, ProgramBeyondTheAddressWidth) {
  // 2^AXI_ADDR_WIDTH of each model, modulo 2^64.
  constexpr std::uint64_t kEnd = std::is_same_v<TypeParam, Vcontrol32>    ? std::uint64_t{1} << 32
                                 : std::is_same_v<TypeParam, Vcontrol128> ? std::uint64_t{1} << 40
                                                                          : 0;
  ControlBench<TypeParam> bench;
  // Two loads and half a vector instruction lie inside.
  bench.Start({isa::Load{}, isa::Load{}, isa::Vector{}}, kEnd - 192);
  bench.ExpectError(ErrorCode::kAddrRange, Unit::kFrontend, 2);
  EXPECT_LE(bench.units[kLd].started, 2U);
}

template <typename I>
void ExpectOverflow(Unit unit) {
  I post;
  post.semaphores.post = 1U << 17;
  constexpr std::uint32_t kMost = isa::kMaxSemaphore;
  std::vector<isa::Instruction> program(kMost + 2, post);
  // Of another unit, posts nothing.
  program[100] =
      unit == Unit::kLoad ? isa::Instruction(isa::Store{}) : isa::Instruction(isa::Load{});
  ControlBench<Vcontrol512> bench(1, {.latency = 1, .capacity = 8});
  bench.Start(program);
  ASSERT_TRUE(bench.UntilError(20000));
  bench.ExpectError(ErrorCode::kSemOverflow, unit, kMost + 1);
  // So many posts are legal: the next one fails.
  EXPECT_EQ(bench.units[static_cast<std::size_t>(unit) - 1].completed, kMost + 1);
}

TEST(ControlErrors, SemaphoreOverflowNamesThePoster) {
  ExpectOverflow<isa::Load>(Unit::kLoad);
  ExpectOverflow<isa::Weights>(Unit::kWeights);
  ExpectOverflow<isa::Matmul>(Unit::kMatmul);
  ExpectOverflow<isa::Vector>(Unit::kVector);
  ExpectOverflow<isa::Store>(Unit::kStore);
}

// No program whose last instruction fails is ever done.
TEST(ControlErrors, OverflowOfTheLastInstruction) {
  isa::Load post;
  post.semaphores.post = 1U << 5;
  const std::vector<isa::Instruction> program(isa::kMaxSemaphore + 1, post);
  ControlBench<Vcontrol512> bench(1, {.latency = 1, .capacity = 8});
  bench.Start(program);
  ASSERT_TRUE(bench.UntilError(20000));
  bench.ExpectError(ErrorCode::kSemOverflow, Unit::kLoad, isa::kMaxSemaphore);
  EXPECT_FALSE(bench.UntilDone(20));
}

// The front end's error names its own instruction, and not one that waits for a semaphore.
TEST(ControlErrors, IllegalInstructionsBehindOneThatWaits) {
  isa::Load waits;
  waits.semaphores.wait = 1;
  Bytes program = isa::EncodeProgram(std::vector<isa::Instruction>{isa::Store{}, waits});
  program.resize(program.size() + 64);
  Bench bench(1, {.latency = 2, .r_valid = 0.1});
  bench.Start(program);
  bench.ExpectError(ErrorCode::kIllegalOpcode, Unit::kFrontend, 2);
}

// One cycle of reset is enough.
TEST(ControlErrors, AResetForgetsAnErrorOfItsOwnCycle) {
  Bench bench;
  bench.SetError(kMm, 3, 7);
  bench.dut.Eval();
  bench.dut.Reset(1);
  bench.dut->err_valid = 0;
  for (int i = 0; i < 5; ++i) {
    bench.dut.Tick();
    EXPECT_EQ(bench.dut->error_valid, 0);
  }
}

TEST(ControlErrors, EachUnitsErrorCountsAlone) {
  for (std::size_t u = 0; u < kUnits; ++u) {
    SCOPED_TRACE(u);
    Bench bench;
    bench.Start(RandomProgram(3).Make(100));
    bench.Run(20);
    bench.SetError(u, static_cast<std::uint8_t>(3 + u), static_cast<std::uint32_t>(1000 + u));
    bench.ExpectError(static_cast<ErrorCode>(3 + u), static_cast<Unit>(u + 1),
                      static_cast<std::uint32_t>(1000 + u));
  }
}

// In a program of any length.
TEST(ControlErrors, AnyErrorOfAnyUnit) {
  Bench bench;
  std::mt19937_64 rng(12);
  const std::vector<std::uint8_t> program = isa::EncodeProgram(RandomProgram(3).Make(100));
  for (std::size_t run = 0; run < 60; ++run) {
    SCOPED_TRACE(run);
    const std::size_t unit = run % kUnits;
    bench.Start(program, 0x10000, static_cast<std::uint32_t>(rng()) | 256U);
    bench.Run(20);
    const auto code = static_cast<std::uint8_t>(1 + rng() % 15);
    const auto index = static_cast<std::uint32_t>(rng());
    bench.SetError(unit, code, index);
    bench.ExpectError(static_cast<ErrorCode>(code), static_cast<Unit>(1 + unit), index);
    if (::testing::Test::HasFatalFailure()) return;
    bench.Reset();
  }
}

// Words that come behind an error stay where they are: the queues' heads are those of its time.
TEST(ControlErrors, AnErrorStopsDecoding) {
  // STORE has nothing before the words behind all loads are decoded.
  std::vector<isa::Instruction> program(6, isa::Load{});
  program.resize(12, isa::Store{});
  std::size_t waits = 0;
  for (int cycles = 5; cycles < 60; ++cycles) {
    SCOPED_TRACE(fmt::format("error after {} cycles", cycles));
    Bench bench(1, {.latency = 8, .r_valid = 0.5, .cmd_ready = 0});
    bench.Start(program);
    bench.Run(cycles);
    bench.SetError(kMm, 3, 7);
    ASSERT_TRUE(bench.UntilError(10));
    // A decoded word is three cycles from its head.
    bench.Run(4);
    const auto queued = bench.dut->queued;
    if (!Bench::Of(kSt, queued)) ++waits;
    bench.Run(100);
    EXPECT_EQ(bench.dut->queued, queued);
  }
  EXPECT_GT(waits, 10U);
}

TEST(ControlErrors, FirstErrorOfTheUnitsWins) {
  for (std::size_t first = 0; first < kUnits; ++first) {
    SCOPED_TRACE(first);
    Bench bench;
    bench.Start(RandomProgram(3).Make(100));
    bench.Run(20);
    for (std::size_t u = first; u < kUnits; ++u) {
      bench.SetError(u, static_cast<std::uint8_t>(3 + u), static_cast<std::uint32_t>(1000 + u));
    }
    bench.Run(1);
    // One that comes later changes nothing.
    bench.SetError(0, 3, 1000);
    const auto unit = static_cast<Unit>(first + 1);
    bench.ExpectError(static_cast<ErrorCode>(3 + first), unit,
                      static_cast<std::uint32_t>(1000 + first));
    bench.Run(3);
    bench.ExpectError(static_cast<ErrorCode>(3 + first), unit,
                      static_cast<std::uint32_t>(1000 + first));
    const auto started = [&] {
      std::size_t sum = 0;
      for (const auto& u : bench.units) sum += u.started;
      return sum;
    };
    const std::size_t before = started();
    bench.Run(200);
    EXPECT_EQ(started(), before) << "starts after an error";
    EXPECT_EQ(bench.dut->program_done, 0);
  }
}

}  // namespace
}  // namespace tpu
