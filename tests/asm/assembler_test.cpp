// SPDX-License-Identifier: Apache-2.0
// Text to programs and back, and what the assembler says about text that is not a program.
#include "asm/assembler.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/error.h"
#include "isa/encoding.h"
#include "tests/isa/random_instruction.h"

namespace tpu::assembly {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Assemble, ReadsAllKindsOfValues) {
  const auto program = Assemble(
      "# a comment, then an empty line\n"
      "\n"
      "load dram_addr=0xFFFFFFFFFFFFFFFF destination=lut row_bytes=256 post=8\r\n"
      "\tmatmul  wait=0,9,31 ub_addr=-0x10 n_ob=4 zero_point=-128 # trailing\n"
      "vector map=mul source=ub",
      "test.s");
  isa::Load load;
  load.semaphores.post = 1U << 8;
  load.destination = isa::LoadDestination::kLookup;
  load.dram_addr = ~std::uint64_t{0};
  load.row_bytes = 256;
  isa::Matmul matmul;
  matmul.semaphores.wait = 1U << 0 | 1U << 9 | 1U << 31;
  matmul.ub_addr = -16;
  matmul.n_ob = 4;
  matmul.zero_point = -128;
  isa::Vector vector;
  vector.map = isa::VectorMap::kMultiply;
  ASSERT_EQ(program.size(), 3U);
  EXPECT_EQ(program[0], isa::Instruction(load));
  EXPECT_EQ(program[1], isa::Instruction(matmul));
  EXPECT_EQ(program[2], isa::Instruction(vector));
}

TEST(Assemble, ReadsFormatsAndFloatingPoint) {
  const auto program = Assemble(
      "weights format=bf16\n"
      "fvector source=acc a_format=int32 map=fma constant=0.1 lo=-inf hi=0x7f800000 function=exp\n"
      "fvector operand=constant constant=-1e-3 hi=1.5e+2 lo=-0",
      "test.s");
  isa::Fvector first;
  first.source = isa::VectorSource::kAccumulators;
  first.a_format = isa::NumberFormat::kInt32;
  first.map = isa::FloatMap::kFma;
  first.constant = 0x3DCCCCCD;
  first.lo = 0xFF800000;
  first.hi = 0x7F800000;
  first.function = isa::FloatFunction::kExp;
  isa::Fvector second;
  second.operand = isa::FloatOperand::kConstant;
  second.constant = 0xBA83126F;
  second.hi = 0x43160000;
  second.lo = 0x80000000;
  ASSERT_EQ(program.size(), 3U);
  EXPECT_EQ(program[0], isa::Instruction(isa::Weights{.format = isa::NumberFormat::kBfloat16}));
  EXPECT_EQ(program[1], isa::Instruction(first));
  EXPECT_EQ(program[2], isa::Instruction(second));
}

TEST(Assemble, OfNothingIsEmpty) {
  EXPECT_TRUE(Assemble("", "test.s").empty());
  EXPECT_TRUE(Assemble("# only this", "test.s").empty());
}

TEST(Disassemble, ShowsOnlyWhatDiffersFromTheDefault) {
  EXPECT_EQ(Disassemble(isa::Weights{}), "weights");
  isa::Matmul matmul;
  matmul.semaphores = {1U << 0 | 1U << 9, 1U << 8};
  matmul.ub_addr = 0x100;
  matmul.n_ob = 4;
  matmul.s_cb = -5;
  EXPECT_EQ(Disassemble(matmul), "matmul ub_addr=0x100 n_ob=4 s_cb=-5 wait=0,9 post=8");
  isa::Vector vector;
  vector.source = isa::VectorSource::kAccumulators;
  vector.requant = isa::VectorRequant::kDivide;
  EXPECT_EQ(Disassemble(vector), "vector source=acc requant=divide");
  EXPECT_EQ(Disassemble(isa::Load{.format = isa::NumberFormat::kFloat32}), "load format=fp32");
  isa::Fvector fvector;
  fvector.map = isa::FloatMap::kSelect;
  fvector.constant = 0x3F000000;
  fvector.lo = 0xFF800000;
  fvector.hi = 0x7FC00000;
  EXPECT_EQ(Disassemble(fvector), "fvector map=select constant=0.5 lo=-inf hi=0x7fc00000");
}

TEST(Disassemble, AssemblesToTheSameProgram) {
  constexpr std::uint64_t kSeed = 3;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  std::mt19937_64 rng(kSeed);
  std::vector<isa::Instruction> program;
  for (int n = 0; n < 500; ++n) program.push_back(isa::RandomInstruction(rng));
  const std::string text = Disassemble(program);
  const auto again = Assemble(text, "test.s");
  EXPECT_EQ(isa::EncodeProgram(again), isa::EncodeProgram(program));
  EXPECT_EQ(Disassemble(again), text);
}

struct BadText {
  const char* text;
  const char* where;
  const char* what;
};

class AssembleErrors : public ::testing::TestWithParam<BadText> {};

TEST_P(AssembleErrors, NameThePlaceAndWhatWasExpected) {
  try {
    Assemble(GetParam().text, "test.s");
    FAIL() << "no error; expected " << GetParam().what;
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), StartsWith(GetParam().where));
    EXPECT_THAT(e.what(), HasSubstr(GetParam().what));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Lines, AssembleErrors,
    ::testing::Values(
        BadText{"weights\n  halt", "test.s:2:3: ", "expected load, store, weights"},
        BadText{"load rows", "test.s:1:6: ", "expected field=value, found 'rows'"},
        BadText{"load tiles=3", "test.s:1:6: ", "expected a field of load, found 'tiles'"},
        BadText{"load rows=1 rows=1", "test.s:1:13: ", "rows is given twice"},
        BadText{"load rows=0", "test.s:1:11: ", "rows: expected a number 1 .. 4294967295"},
        BadText{"load rows=", "test.s:1:11: ", "found ''"},
        BadText{"load rows=1x", "test.s:1:11: ", "found '1x'"},
        BadText{"load rows=0x", "test.s:1:11: ", "found '0x'"},
        BadText{"load rows=--1", "test.s:1:11: ", "found '--1'"},
        BadText{"load dram_addr=-1", "test.s:1:16: ", "found '-1'"},
        BadText{"load dram_addr=0x10000000000000000",
                "test.s:1:16: ", "expected a number 0 .. 1844"},
        BadText{"load destination=acc", "test.s:1:18: ", "expected one of ub, param, lut"},
        BadText{"load destination=1", "test.s:1:18: ", "expected one of ub, param, lut"},
        BadText{"matmul zero_point=128", "test.s:1:19: ", "expected a number -128 .. 127"},
        BadText{"matmul zero_point=0xFFFFFFFFFFFFFFFF", "test.s:1:19: ", "-128 .. 127"},
        BadText{"matmul wait=1,32", "test.s:1:15: ", "expected a semaphore number 0 .. 31"},
        BadText{"matmul wait=", "test.s:1:13: ", "found ''"},
        BadText{"matmul wait=1,", "test.s:1:15: ", "found ''"},
        BadText{"matmul wait=1,1", "test.s:1:15: ", "semaphore 1 is named twice"},
        BadText{"fvector lo=nan", "test.s:1:12: ", "lo: expected an fp32 number, as 0.5, -inf"},
        BadText{"fvector lo=0x100000000", "test.s:1:12: ", "expected an fp32 number"},
        BadText{"fvector lo=1.5x", "test.s:1:12: ", "found '1.5x'"},
        BadText{"fvector lo=", "test.s:1:12: ", "found ''"},
        BadText{"matmul format=fp32", "test.s:1:1: ", "format is 2, legal are 0 .. 1"},
        BadText{"load format=bf16 destination=lut", "test.s:1:1: ", "format must be int8"},
        BadText{"matmul format=bf16 zero_point=1", "test.s:1:1: ", "zero_point must be 0"},
        BadText{"fvector source=acc", "test.s:1:1: ", "a_format must be fp32 or int32"},
        BadText{" vector source=acc map=add", "test.s:1:2: ", "map must be copy"}));

}  // namespace
}  // namespace tpu::assembly
