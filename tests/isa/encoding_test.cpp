// SPDX-License-Identifier: Apache-2.0
// Instructions to bytes and back: known bytes, round trips, and every way bytes can be illegal.
#include "isa/encoding.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bitset>
#include <random>

#include "base/error.h"
#include "isa/fields.h"
#include "isa/registers.h"
#include "tests/isa/random_instruction.h"

namespace tpu::isa {
namespace {

using ::testing::HasSubstr;

std::vector<std::uint8_t> Bytes(const Instruction& instruction) {
  std::vector<std::uint8_t> bytes;
  Encode(instruction, bytes);
  return bytes;
}

/// Bytes of little-endian words, padded with zero words to whole granules.
std::vector<std::uint8_t> FromWords(std::vector<std::uint32_t> words) {
  while (words.empty() || words.size() % kGranuleWords != 0) words.push_back(0);
  std::vector<std::uint8_t> bytes;
  for (const std::uint32_t word : words) {
    for (int shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<std::uint8_t>(word >> shift));
    }
  }
  return bytes;
}

void ExpectCode(std::span<const std::uint8_t> bytes, ErrorCode code, std::string_view message) {
  const auto result = Decode(bytes);
  const auto* error = std::get_if<DecodeError>(&result);
  ASSERT_NE(error, nullptr) << "was decoded; expected " << message;
  EXPECT_EQ(error->code, code) << error->message;
  EXPECT_THAT(error->message, HasSubstr(std::string(message)));
}

template <typename F>
void ForEachOpcode(F&& f) {
  f(Load{});
  f(Store{});
  f(Weights{});
  f(UbWeights{});
  f(Matmul{});
  f(Vector{});
  f(Fvector{});
  f(Ivector{});
  f(Adam{});
}

// The words below were written by hand from docs/isa_tables.md.

TEST(KnownBytes, Load) {
  Load i;
  i.semaphores = {0x80000001, 0x00000102};
  i.destination = LoadDestination::kLookup;
  i.dram_addr = 0x0123456789ABCDEF;
  i.row_bytes = 0x11223344;
  i.rows = 0x55667788;
  i.row_stride = 0x99AABBCC;
  i.row = 0x1234;
  i.plane_stride = 0xFEDC;
  i.pixel_bytes = 0xABCDEF;
  i.pixel_stride = 0x4321;
  EXPECT_EQ(Bytes(i),
            FromWords({0x00000201, 0x80000001, 0x00000102, 0x89ABCDEF, 0x01234567, 0x11223344,
                       0x55667788, 0x99AABBCC, 0xFEDC1234, 0x00ABCDEF, 0x00004321}));
}

TEST(KnownBytes, Store) {
  Store i;
  i.semaphores = {1, 2};
  i.dram_addr = 0xFEDCBA9876543210;
  i.row_bytes = 3;
  i.rows = 4;
  i.row_stride = 5;
  i.row = 6;
  i.plane_stride = 7;
  i.pixel_bytes = 8;
  i.pixel_stride = 9;
  EXPECT_EQ(Bytes(i),
            FromWords({0x00000002, 1, 2, 0x76543210, 0xFEDCBA98, 3, 4, 5, 0x00070006, 8, 9}));
}

TEST(KnownBytes, Weights) {
  Weights i;
  i.semaphores = {0xFFFFFFFF, 0x12345678};
  i.dram_addr = 0x0000000180000040;
  i.tiles = 0xDEADBEEF;
  EXPECT_EQ(Bytes(i),
            FromWords({0x00000003, 0xFFFFFFFF, 0x12345678, 0x80000040, 0x00000001, 0xDEADBEEF}));
}

TEST(KnownBytes, Matmul) {
  Matmul i;
  i.semaphores = {3, 4};
  i.accumulate = 1;
  i.zero_point = -3;
  i.ub_addr = -2;
  i.n_ob = 0x0102;
  i.n_cb = 0x0304;
  i.n_kh = 0x0506;
  i.n_kw = 0x0708;
  i.n_oh = 0x090A;
  i.n_ow = 0x0B0C;
  i.y0 = -1;
  i.x0 = -32768;
  i.y_bound = 0x1112;
  i.x_bound = 0x1314;
  i.acc_row = 0x1516;
  i.acc_ob_stride = 0x1718;
  i.xs_kw = 0x191A;
  i.xs_ow = 0x1B1C;
  i.s_cb = -1;
  i.ys_kh = 0x1D;
  i.s_kh = 0x1E1F20;
  i.ys_oh = 0x21;
  i.s_kw = -8388608;
  i.s_oh = 0x222324;
  i.s_ow = 0x252627;
  EXPECT_EQ(Bytes(i), FromWords({0x00FD0104, 3, 4, 0x03FFFFFE, 0x03040102, 0x07080506, 0x0B0C090A,
                                 0x8000FFFF, 0x13141112, 0x17181516, 0x1B1C191A, 0x1DFFFFFF,
                                 0x211E1F20, 0x00800000, 0x00222324, 0x00252627}));
}

TEST(KnownBytes, Vector) {
  Vector i;
  i.semaphores = {5, 6};
  i.map = VectorMap::kMultiply;
  i.reduce = VectorReduce::kMaximum;
  i.requant = VectorRequant::kDivide;
  i.lut_enable = 1;
  i.lut = 5;
  i.n_cb = 0x0102;
  i.n_oh = 0x0304;
  i.n_ow = 0x0506;
  i.n_kh = 0x0708;
  i.n_kw = 0x090A;
  i.param_row = 0x0B0C;
  i.a_row = -2;
  i.b_row = 0x12345;
  i.o_row = 0x0D0E;
  i.param_stride = 0x0F10;
  i.a_cb = 0x1112;
  i.a_oh = 0x1314;
  i.a_ow = 0x1516;
  i.a_kh = 0x1718;
  i.a_kw = 0x191A;
  i.b_cb = 0x1B1C;
  i.b_oh = 0x1D1E;
  i.b_ow = 0x1F20;
  i.b_kh = 0x2122;
  i.b_kw = 0x2324;
  i.o_cb = 0x2526;
  i.o_oh = 0x2728;
  i.o_ow = -1;
  i.y0 = -2;
  i.x0 = -3;
  i.y_bound = 0x292A;
  i.x_bound = 0x2B2C;
  i.ys_oh = 0x2D;
  i.ys_kh = 0x2E;
  i.xs_ow = 0x2F;
  i.xs_kw = 0x30;
  i.a_zero = -1;
  i.b_zero = 0x31;
  i.o_zero = -128;
  i.lo = -127;
  i.hi = 0x32;
  i.pre_shift = 0x13;
  i.pre_mult = 0x40000001;
  EXPECT_EQ(Bytes(i),
            FromWords({0x51314005, 5,          6,          0x03040102, 0x07080506, 0x0B0C090A,
                       0x000FFFFE, 0x00012345, 0x0F100D0E, 0x13141112, 0x17181516, 0x1B1C191A,
                       0x1F201D1E, 0x23242122, 0x27282526, 0x0000FFFF, 0xFFFDFFFE, 0x2B2C292A,
                       0x302F2E2D, 0x008031FF, 0x00133281, 0x40000001}));
}

TEST(KnownBytes, Formats) {
  EXPECT_EQ(Bytes(Load{.format = NumberFormat::kFloat32, .rows = 2}),
            FromWords({0x02000001, 0, 0, 0, 0, 1, 2, 0, 0, 1}));
  EXPECT_EQ(Bytes(Store{.format = NumberFormat::kBfloat16}),
            FromWords({0x01000002, 0, 0, 0, 0, 1, 1, 0, 0, 1}));
  EXPECT_EQ(Bytes(Weights{.format = NumberFormat::kBfloat16}),
            FromWords({0x01000003, 0, 0, 0, 0, 1}));
  EXPECT_EQ(Bytes(Matmul{.accumulate = 1, .format = NumberFormat::kBfloat16}),
            FromWords({0x01000104, 0, 0, 0, 0x00010001, 0x00010001, 0x00010001}));
}

TEST(KnownBytes, UbWeights) {
  UbWeights i;
  i.semaphores = {7, 8};
  i.s_row = -2;
  i.format = NumberFormat::kBfloat16;
  i.transpose = 1;
  i.along_ob = 1;
  i.row = 0x0102;
  i.row_bound = 0x0304;
  i.n_ob = 0x0506;
  i.n_cb = 0x0708;
  i.s_ob = -3;
  i.s_cb = 0x090A;
  EXPECT_EQ(Bytes(i), FromWords({0x15FFFE07, 7, 8, 0x03040102, 0x07080506, 0x090AFFFD}));
  EXPECT_EQ(Bytes(UbWeights{.along_cb = 1}), FromWords({0x08000007, 0, 0, 0, 0x00010001}));
  EXPECT_EQ(Bytes(Weights{.transpose = 1}), FromWords({0x04000003, 0, 0, 0, 0, 1}));
}

TEST(KnownBytes, Fvector) {
  Fvector i;
  i.semaphores = {7, 8};
  i.source = VectorSource::kAccumulators;
  i.operand = FloatOperand::kConstant;
  i.a_format = NumberFormat::kFloat32;
  i.b_format = NumberFormat::kInt32;
  i.o_format = NumberFormat::kBfloat16;
  i.map = FloatMap::kSelect;
  i.reduce = FloatReduce::kMinimum;
  i.scale = 1;
  i.function = FloatFunction::kRsqrt;
  i.interleave = FloatInterleave::kNext;
  i.n_cb = 0x0102;
  i.n_oh = 0x0304;
  i.n_ow = 0x0506;
  i.n_kh = 0x0708;
  i.n_kw = 0x090A;
  i.param_row = 0x0B0C;
  i.a_row = -2;
  i.b_row = 0x12345;
  i.o_row = 0x0D0E;
  i.param_stride = 0x0F10;
  i.a_cb = 0x1112;
  i.o_ow = -1;
  i.y0 = -2;
  i.x_bound = 0x2B2C;
  i.xs_kw = 0x30;
  i.constant = 0x3F800001;
  i.lo = 0xFF800000;
  i.hi = 0x7FC00000;
  EXPECT_EQ(Bytes(i),
            FromWords({0x266B7B06, 7,          8,          0x03040102, 0x07080506, 0x0B0C090A,
                       0x000FFFFE, 0x00012345, 0x0F100D0E, 0x00001112, 0,          0,
                       0,          0,          0,          0x0000FFFF, 0x0000FFFE, 0x2B2C0000,
                       0x30000000, 0x3F800001, 0xFF800000, 0x7FC00000}));
}

TEST(KnownBytes, Ivector) {
  Ivector i;
  i.semaphores = {7, 8};
  i.source = VectorSource::kAccumulators;
  i.operand = IntegerOperand::kConstant;
  i.a_format = IntegerFormat::kPair;
  i.b_format = IntegerFormat::kInt16;
  i.o_format = IntegerFormat::kInt32;
  i.map = IntegerMap::kReverseSubtractScaled;
  i.reduce = VectorReduce::kMaximum;
  i.requant = IntegerRequant::kWide;
  i.o_zero = -128;
  i.n_cb = 0x0102;
  i.n_oh = 0x0304;
  i.n_ow = 0x0506;
  i.n_kh = 0x0708;
  i.n_kw = 0x090A;
  i.param_row = 0x0B0C;
  i.a_row = -2;
  i.b_row = 0x12345;
  i.o_row = 0x0D0E;
  i.param_stride = 0x0F10;
  i.a_cb = 0x1112;
  i.o_ow = -1;
  i.y0 = -2;
  i.x_bound = 0x2B2C;
  i.xs_kw = 0x30;
  i.constant = -2;
  i.lo = -32768;
  i.hi = 0x7FFE;
  i.a_low = -3;
  i.pre_shift = 0x1E;
  EXPECT_EQ(Bytes(i),
            FromWords({0x80999F08, 7,          8,          0x03040102, 0x07080506, 0x0B0C090A,
                       0x000FFFFE, 0x00012345, 0x0F100D0E, 0x00001112, 0,          0,
                       0,          0,          0,          0x0000FFFF, 0x0000FFFE, 0x2B2C0000,
                       0x30000000, 0xFFFFFFFE, 0x7FFE8000, 0x001EFFFD}));
  EXPECT_EQ(Bytes(Matmul{.planes = 1}),
            FromWords({0x04000004, 0, 0, 0, 0x00010001, 0x00010001, 0x00010001}));
}

TEST(KnownBytes, Adam) {
  Adam i;
  i.semaphores = {7, 8};
  i.rows = 0x0102;
  i.param_row = 0x0304;
  i.squares = 0x0506;
  i.gradients = 0x0708;
  i.output = 0x090A;
  i.to_moments = -2;
  i.to_weights = 0x0B0C;
  i.moment_factor = 0x41100000;
  i.square_scale = 0x3F7FBE77;
  i.moment_scale = 0x3DCCCCCD;
  EXPECT_EQ(Bytes(i),
            FromWords({0x00000009, 7,          8,          0,         0x00000102, 0x03040000,
                       0x00000506, 0x00000708, 0x0000090A, 0,         0xFFFE0000, 0,
                       0,          0x00000B0C, 0,          0,         0,          0,
                       0,          0x41100000, 0x3F7FBE77, 0x3DCCCCCD}));
}

TEST(RoundTrip, RandomInstructions) {
  constexpr std::uint64_t kSeed = 1;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  std::mt19937_64 rng(kSeed);
  for (int n = 0; n < 2000; ++n) {
    const Instruction instruction = RandomInstruction(rng);
    const std::vector<std::uint8_t> bytes = Bytes(instruction);
    ASSERT_EQ(bytes.size(), kGranuleBytes * Granules(OpcodeOf(instruction)));
    const auto result = Decode(bytes);
    ASSERT_TRUE(std::holds_alternative<Decoded>(result)) << std::get<DecodeError>(result).message;
    EXPECT_EQ(std::get<Decoded>(result).instruction, instruction);
    EXPECT_EQ(std::get<Decoded>(result).granules, bytes.size() / kGranuleBytes);
  }
}

TEST(RoundTrip, EachFieldAtBothEndsAlone) {
  ForEachOpcode([]<typename I>(I instruction) {
    if constexpr (std::is_same_v<I, Fvector>) {
      instruction.a_format = NumberFormat::kFloat32;
      instruction.o_format = NumberFormat::kBfloat16;
    }
    if constexpr (std::is_same_v<I, Ivector>) instruction.a_format = IntegerFormat::kInt32;
    ForEachField(instruction, [&instruction](const Field& field, auto& member) {
      const auto before = member;
      for (const std::uint64_t value : {static_cast<std::uint64_t>(field.min), field.max}) {
        member = FromBits<std::remove_reference_t<decltype(member)>>(value);
        // Pairs lie in the accumulators, which hold nothing smaller.
        if constexpr (std::is_same_v<I, Ivector>) {
          const bool pair = instruction.a_format == IntegerFormat::kPair;
          if (field.name == "a_format")
            instruction.source = pair ? VectorSource::kAccumulators : VectorSource::kUnifiedBuffer;
        }
        const auto result = Decode(Bytes(instruction));
        ASSERT_TRUE(std::holds_alternative<Decoded>(result)) << field.name;
        EXPECT_EQ(std::get<I>(std::get<Decoded>(result).instruction), instruction) << field.name;
      }
      member = before;
    });
  });
}

TEST(RoundTrip, Program) {
  constexpr std::uint64_t kSeed = 2;
  SCOPED_TRACE(fmt::format("seed {}", kSeed));
  std::mt19937_64 rng(kSeed);
  std::vector<Instruction> program;
  for (int n = 0; n < 100; ++n) program.push_back(RandomInstruction(rng));
  EXPECT_EQ(DecodeProgram(EncodeProgram(program)), program);
}

TEST(Decode, ReservedBitsAreIllegal) {
  constexpr std::size_t kWalkBits = 6 * 16 + 2 * 20 + 15 * 16 + 4 * 16 + 4 * 8;
  constexpr std::array<std::size_t, 9> kReservedBits = {
      512 - (8 + 64) - (2 + 2 + 64 + 32 + 32 + 32 + 16 + 16 + 24 + 16),
      512 - (8 + 64) - (2 + 64 + 32 + 32 + 32 + 16 + 16 + 24 + 16),
      512 - (8 + 64) - (2 + 1 + 64 + 32),
      512 - (8 + 64) - (2 + 3 + 7 * 16),
      512 - (8 + 64) - (1 + 8 + 2 + 1 + 26 + 14 * 16 + 5 * 24 + 2 * 8),
      1024 - (8 + 64) - (1 + 3 + 1 + 2 + 1 + 1 + 3 + kWalkBits + 5 * 8 + 5 + 32),
      1024 - (8 + 64) - (1 + 1 + 3 * 2 + 4 + 2 + 1 + 4 + 2 + kWalkBits + 3 * 32),
      1024 - (8 + 64) - (1 + 1 + 3 * 2 + 4 + 1 + 3 + 8 + kWalkBits + 32 + 3 * 16 + 5 + 2),
      1024 - (8 + 64) - (7 * 16 + 3 * 32)};
  std::size_t n = 0;
  ForEachOpcode([&]<typename I>(const I& instruction) {
    std::bitset<1024> named;
    named |= 0xFF;
    named |= std::bitset<1024>(~std::uint64_t{0}) << 32;
    ForEachField(instruction, [&named](const Field& field, auto) {
      for (unsigned b = 0; b < field.width; ++b) named.set(32 * field.word + field.lsb + b);
    });
    const std::vector<std::uint8_t> bytes = Bytes(instruction);
    std::size_t reserved = 0;
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      if (named[bit]) continue;
      ++reserved;
      std::vector<std::uint8_t> changed = bytes;
      changed[bit / 8] = static_cast<std::uint8_t>(changed[bit / 8] | (1 << bit % 8));
      SCOPED_TRACE(fmt::format("{} bit {}", Mnemonic(I::kOpcode), bit));
      ExpectCode(changed, ErrorCode::kIllegalField, "reserved");
    }
    EXPECT_EQ(reserved, kReservedBits[n++]) << Mnemonic(I::kOpcode);
  });
}

/// Writes `value` into a field's bits of encoded `bytes`, whatever the legal range.
void Patch(const Field& field, std::uint64_t value, std::vector<std::uint8_t>& bytes) {
  for (unsigned b = 0; b < field.width; ++b) {
    const std::size_t bit = 32 * field.word + field.lsb + b;
    const auto mask = static_cast<std::uint8_t>(1 << bit % 8);
    bytes[bit / 8] = static_cast<std::uint8_t>((value >> b) & 1 ? bytes[bit / 8] | mask
                                                                : bytes[bit / 8] & ~mask);
  }
}

TEST(Decode, FieldsOutsideTheirRangeAreIllegal) {
  int tried = 0;
  ForEachOpcode([&tried]<typename I>(const I& instruction) {
    ForEachField(instruction, [&](const Field& field, auto) {
      const std::uint64_t below = static_cast<std::uint64_t>(field.min) - 1;
      for (const std::uint64_t value : {below, field.max + 1}) {
        const auto s = static_cast<std::int64_t>(value);
        const std::int64_t high = s >> (field.width - 1);
        const bool fits = field.IsSigned() ? high == 0 || high == -1
                                           : field.width < 64 && value >> field.width == 0;
        if (!fits) continue;
        ++tried;
        std::vector<std::uint8_t> bytes = Bytes(instruction);
        Patch(field, value, bytes);
        SCOPED_TRACE(fmt::format("{} {} = {}", Mnemonic(I::kOpcode), field.name, s));
        ExpectCode(bytes, ErrorCode::kIllegalField, field.name);
      }
    });
  });
  // Below 1: 3 + 3 + 1 + 2 + 6 + 5 + 5 + 5 + 1 fields. Below 0: pre_mult. Above the last value:
  // destination, map, the seven formats of which not all are legal, FVECTOR's map, reduce and
  // function, IVECTOR's map and requant.
  EXPECT_EQ(tried, 31 + 1 + 2 + 7 + 3 + 3);
}

TEST(Decode, OpcodeLengthAndCrossFieldRules) {
  for (const std::uint8_t opcode : std::initializer_list<std::uint8_t>{0x00, 0x0A, 0x80, 0xFF}) {
    std::vector<std::uint8_t> bytes = Bytes(Weights{});
    bytes[0] = opcode;
    ExpectCode(bytes, ErrorCode::kIllegalOpcode, fmt::format("0x{:02x}", opcode));
  }
  Vector vector;
  vector.map = VectorMap::kAdd;
  std::vector<std::uint8_t> bytes = Bytes(vector);
  ExpectCode(std::span(bytes).first(kGranuleBytes), ErrorCode::kTruncated, "vector");
  bytes[1] |= 1;
  ExpectCode(bytes, ErrorCode::kIllegalField, "map");
}

TEST(Decode, RulesThatTieFormatsToOtherFields) {
  std::vector<std::uint8_t> bytes = Bytes(Load{.format = NumberFormat::kBfloat16});
  bytes[1] |= static_cast<std::uint8_t>(LoadDestination::kParameters);
  ExpectCode(bytes, ErrorCode::kIllegalField, "format must be int8 when destination is not ub");
  bytes = Bytes(Matmul{.zero_point = -1});
  bytes[3] |= static_cast<std::uint8_t>(NumberFormat::kBfloat16);
  ExpectCode(bytes, ErrorCode::kIllegalField, "zero_point must be 0 when format is bf16");
  for (const NumberFormat format : {NumberFormat::kInt8, NumberFormat::kBfloat16}) {
    bytes = Bytes(Fvector{.a_format = format});
    bytes[1] |= static_cast<std::uint8_t>(VectorSource::kAccumulators);
    ExpectCode(bytes, ErrorCode::kIllegalField, "a_format must be fp32 or int32");
  }
  for (const NumberFormat format :
       {NumberFormat::kInt8, NumberFormat::kFloat32, NumberFormat::kInt32}) {
    bytes = Bytes(Fvector{.o_format = format});
    bytes[3] |= 1U << 4;
    ExpectCode(bytes, ErrorCode::kIllegalField, "o_format must be bf16 when rows are interleaved");
  }
  bytes = Bytes(Fvector{});
  ExpectCode(std::span(bytes).first(kGranuleBytes), ErrorCode::kTruncated, "fvector");
  bytes = Bytes(Matmul{.format = NumberFormat::kBfloat16});
  bytes[3] |= 1U << 2;
  ExpectCode(bytes, ErrorCode::kIllegalField, "planes must be 0 when format is bf16");
  for (const IntegerFormat format : {IntegerFormat::kInt8, IntegerFormat::kInt16}) {
    bytes = Bytes(Ivector{.a_format = format});
    bytes[1] |= static_cast<std::uint8_t>(VectorSource::kAccumulators);
    ExpectCode(bytes, ErrorCode::kIllegalField, "a_format must be int32 or pair");
  }
  bytes = Bytes(Ivector{});
  bytes[1] |= static_cast<std::uint8_t>(static_cast<unsigned>(IntegerFormat::kPair) << 2);
  ExpectCode(bytes, ErrorCode::kIllegalField, "a_format must not be pair when source is ub");
  bytes = Bytes(Ivector{});
  ExpectCode(std::span(bytes).first(kGranuleBytes), ErrorCode::kTruncated, "ivector");
}

TEST(Decode, MachinesLackWhatTheirFormatsNeed) {
  Formats formats;
  const auto expect = [&formats](std::span<const std::uint8_t> bytes, ErrorCode code,
                                 const std::string& message) {
    EXPECT_TRUE(std::holds_alternative<Decoded>(Decode(bytes)) || bytes.size() == kGranuleBytes);
    const auto result = Decode(bytes, formats);
    ASSERT_TRUE(std::holds_alternative<DecodeError>(result)) << message;
    EXPECT_EQ(std::get<DecodeError>(result).code, code);
    EXPECT_THAT(std::get<DecodeError>(result).message, HasSubstr(message));
  };
  const auto illegal = ErrorCode::kIllegalField;
  expect(Bytes(Load{.format = NumberFormat::kFloat32}), illegal, "load: format is fp32");
  expect(Bytes(Store{.format = NumberFormat::kBfloat16}), illegal, "store: format is bf16");
  expect(Bytes(Weights{.format = NumberFormat::kBfloat16}), illegal, "weights: format is bf16");
  expect(Bytes(Matmul{.format = NumberFormat::kBfloat16}), illegal, "matmul: format is bf16");
  expect(Bytes(Weights{.transpose = 1}), illegal, "weights: transpose is 1");
  expect(Bytes(UbWeights{}), ErrorCode::kIllegalOpcode, "0x07");
  expect(Bytes(Adam{}), ErrorCode::kIllegalOpcode, "0x09");
  const std::vector<std::uint8_t> fvector = Bytes(Fvector{});
  expect(fvector, ErrorCode::kIllegalOpcode, "0x06");
  // The front end stops at the opcode, before it looks how long the instruction is.
  expect(std::span(fvector).first(kGranuleBytes), ErrorCode::kIllegalOpcode, "0x06");
  expect(Bytes(Vector{.float_rounding = 1}), illegal, "vector: float_rounding is 1");
  formats = {.bf16 = true, .int16 = true};
  expect(Bytes(Vector{.float_rounding = 1}), illegal, "no rounding as float32");
  formats = {.bf16 = true, .int16 = false};
  expect(Bytes(Matmul{.planes = 1}), illegal, "matmul: planes is 1");
  const std::vector<std::uint8_t> ivector = Bytes(Ivector{});
  expect(ivector, ErrorCode::kIllegalOpcode, "0x08");
  expect(std::span(ivector).first(kGranuleBytes), ErrorCode::kIllegalOpcode, "0x08");
  // One of the two suffices.
  for (const Formats one : {Formats{.bf16 = true}, Formats{.bf16 = false, .int16 = true}}) {
    for (const NumberFormat format : {NumberFormat::kBfloat16, NumberFormat::kFloat32}) {
      EXPECT_TRUE(std::holds_alternative<Decoded>(Decode(Bytes(Load{.format = format}), one)));
      EXPECT_TRUE(std::holds_alternative<Decoded>(Decode(Bytes(Store{.format = format}), one)));
    }
  }
  formats = {.bf16 = false, .int16 = true};
  expect(Bytes(Matmul{.format = NumberFormat::kBfloat16}), illegal, "matmul: format is bf16");
  expect(Bytes(Weights{.format = NumberFormat::kBfloat16}), illegal, "weights: format is bf16");
}

TEST(Decode, OpcodesNeedTheirFormats) {
  for (const bool bf16 : {false, true}) {
    for (const bool int16 : {false, true}) {
      const Formats formats = {.bf16 = bf16, .int16 = int16};
      ForEachOpcode([&]<typename I>(const I& instruction) {
        const bool floats =
            std::is_same_v<I, Fvector> || std::is_same_v<I, UbWeights> || std::is_same_v<I, Adam>;
        const bool integers = std::is_same_v<I, Ivector>;
        const bool lacks = (floats && !bf16) || (integers && !int16);
        EXPECT_EQ(std::holds_alternative<Decoded>(Decode(Bytes(instruction), formats)), !lacks);
        EXPECT_EQ(WhatIsMissing(instruction, formats).has_value(), lacks);
        EXPECT_EQ(formats.Meet(RequirementOf(I::kOpcode)), !lacks);
      });
    }
  }
}

TEST(Encode, RejectsWhatDoesNotFitNamingInstructionAndField) {
  int tried = 0;
  ForEachOpcode([&tried]<typename I>(I instruction) {
    ForEachField(instruction, [&](const Field& field, auto& member) {
      using T = std::remove_reference_t<decltype(member)>;
      const T before = member;
      for (const std::uint64_t value : {static_cast<std::uint64_t>(field.min) - 1, field.max + 1}) {
        member = FromBits<T>(value);
        if (ToBits(member) != value || field.IsLegal(value)) continue;
        ++tried;
        try {
          Bytes(instruction);
          ADD_FAILURE() << Mnemonic(I::kOpcode) << " " << field.name;
        } catch (const Error& e) {
          EXPECT_THAT(e.what(), HasSubstr(std::string(Mnemonic(I::kOpcode))));
          EXPECT_THAT(e.what(), HasSubstr(std::string(field.name)));
        }
      }
      member = before;
    });
  });
  EXPECT_GT(tried, 90);

  Vector vector;
  vector.source = VectorSource::kAccumulators;
  vector.map = VectorMap::kMultiply;
  EXPECT_THROW(Bytes(vector), Error);
}

TEST(Program, ErrorsNameTheInstruction) {
  std::vector<Instruction> program = {Weights{}, Vector{}, Load{}};
  std::vector<std::uint8_t> bytes = EncodeProgram(program);
  bytes[3 * kGranuleBytes] = 0x77;
  try {
    DecodeProgram(bytes);
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("instruction 2: ILLEGAL_OPCODE"));
  }
  EXPECT_THROW(DecodeProgram(std::span(bytes).first(63)), Error);
  std::get<Weights>(program[0]).tiles = 0;
  try {
    EncodeProgram(program);
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("instruction 0: weights: tiles is 0"));
  }
}

TEST(Names, OfUnitsOpcodesErrorsAndValues) {
  EXPECT_EQ(Name(Unit::kMatmul), "matmul");
  EXPECT_EQ(Name(ErrorCode::kSemTimeout), "SEM_TIMEOUT");
  EXPECT_EQ(Name(static_cast<ErrorCode>(200)), "?");
  EXPECT_EQ(Mnemonic(Opcode::kStore), "store");
  EXPECT_EQ(Granules(Opcode::kVector), 2U);
  EXPECT_EQ(UnitOf(Opcode::kWeights), Unit::kWeights);
  ASSERT_EQ(EnumValues("VectorMap").size(), 7U);
  EXPECT_EQ(EnumValues("VectorMap")[4].mnemonic, "mul");
  EXPECT_TRUE(EnumValues("U").empty());
}

TEST(Counters, NamesAreInIndexOrder) {
  EXPECT_EQ(kCounterNames[static_cast<std::size_t>(Counter::kCycles)], "cycles");
  EXPECT_EQ(kCounterNames[static_cast<std::size_t>(Counter::kStoreRetired)], "store_retired");
  EXPECT_EQ(kNumCounters, 31U);
  EXPECT_EQ(bits::kError_::unit, 0xFF00U);
}

}  // namespace
}  // namespace tpu::isa
