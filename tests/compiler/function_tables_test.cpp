// SPDX-License-Identifier: Apache-2.0
// Tables of functions of real numbers, and of DIV and SQUARED_DIFFERENCE with a constant, against
// those of TensorFlow Lite Micro.
#include "compiler/quantise/function_tables.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace tpu::compiler {
namespace {

ir::Tensor TensorOf(float scale, std::int32_t zero_point) {
  ir::Tensor tensor;
  tensor.scale = scale;
  tensor.zero_point = zero_point;
  return tensor;
}

std::string HexOf(const ir::Lookup& lookup) {
  std::string text;
  for (const std::int8_t value : lookup.table) {
    text += fmt::format("{:02x}", static_cast<std::uint8_t>(value));
  }
  return text;
}

// Outputs of TensorFlow Lite Micro's interpreter (tflite-micro 0.dev20261009205824 of Python's
// package index) for a model of this operator alone, with these scales and zero points and the
// input bytes 0x00, 0x01 ... 0xff; in hexadecimal.
struct ExpectedTable {
  const char* name;
  ir::Lookup lookup;
  const char* bytes;
};

// NOLINTNEXTLINE(readability-function-size): a table.
std::vector<ExpectedTable> ExpectedTables() {
  return {
      {"AbsOfOneScale",
       FunctionTable(ir::FunctionKind::kAbsolute, TensorOf(0.05F, 3), TensorOf(0.05F, -100),
                     Rounding::kDouble),
       "9f9e9d9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8"
       "b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8"
       "d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8"
       "f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f101112131415161718"
       "1f1e1d1c1b1a191817161514131211100f0e0d0c0b0a09080706050403020100"
       "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0efeeedecebeae9e8e7e6e5e4e3e2e1e0"
       "dfdedddcdbdad9d8d7d6d5d4d3d2d1d0cfcecdcccbcac9c8c7c6c5c4c3c2c1c0"
       "bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0afaeadacabaaa9a8a7a6a5a4a3a2a1a0"},
      {"Abs",
       FunctionTable(ir::FunctionKind::kAbsolute, TensorOf(0.05F, 3), TensorOf(0.031F, -128),
                     Rounding::kDouble),
       "8583828082838586888a8b8d8f9092939597989a9b9d9fa0a2a3a5a7a8aaacad"
       "afb0b2b4b5b7b8babcbdbfc1c2c4c5c7c9cacccdcfd1d2d4d5d7d9dadcdedfe1"
       "e2e4e6e7e9eaeceeeff1f3f4f6f7f9fbfcfeff0103040607090b0c0e10111314"
       "1618191b1c1e202123252628292b2d2e303133353638393b3d3e404243454648"
       "5352504e4d4b4a4846454342403e3d3b393836353331302e2d2b292826252321"
       "201e1c1b191816141311100e0c0b090706040301fffefcfbf9f7f6f4f3f1efee"
       "eceae9e7e6e4e2e1dfdedcdad9d7d5d4d2d1cfcdcccac9c7c5c4c2c1bfbdbcba"
       "b8b7b5b4b2b0afadacaaa8a7a5a3a2a09f9d9b9a9897959392908f8d8b8a8886"},
      {"Rsqrt",
       FunctionTable(ir::FunctionKind::kRsqrt, TensorOf(0.052F, -128), TensorOf(0.02F, -100),
                     Rounding::kDouble),
       "afafafafafafafafafafafafafaeaeaeaeaeaeaeaeaeaeaeaeaeaeaeaeadadad"
       "adadadadadadadadadadadadadadadadadacacacacacacacacacacacacacacac"
       "acacacacacacacacacababababababababababababababababababababababab"
       "abababababaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
       "7f77371b0afef6efeae5e1dedbd9d7d5d3d1d0cecdcccbcac9c8c7c6c5c5c4c3"
       "c3c2c2c1c1c0c0bfbfbebebdbdbdbcbcbcbbbbbbbabababab9b9b9b9b8b8b8b8"
       "b7b7b7b7b7b6b6b6b6b6b5b5b5b5b5b5b5b4b4b4b4b4b4b4b3b3b3b3b3b3b3b2"
       "b2b2b2b2b2b2b2b2b2b1b1b1b1b1b1b1b1b1b1b0b0b0b0b0b0b0b0b0b0b0b0af"},
      {"Elu", EluTable(TensorOf(0.03F, 5), TensorOf(0.02F, -60)),
       "bdbec0c1c3c4c6c7c9cacbcdcfd0d1d3d5d6d8d9dbdcdedfe1e2e4e5e7e8eaeb"
       "edeef0f1f3f4f5f7f8fafcfdfe000203050608090b0c0d0f111213151718191b"
       "1d1e202123242627292a2c2d2e303233353638393a3c3d3f414244454748494b"
       "4d4e505153545657595a5c5d5f606263656668696b6c6e6f7072747577787a7b"
       "9393939393939393939393939393939393949494949494949494949494949494"
       "9494959595959595959595959596969696969696969797979797979798989898"
       "9899999999999a9a9a9a9b9b9b9b9c9c9c9d9d9d9d9e9e9f9f9fa0a0a1a1a2a2"
       "a2a3a3a4a5a5a6a6a7a8a8a9aaaaabacadadaeafb0b1b2b3b4b5b6b7b8b9bbbc"},
      {"DivByAConstantWithRelu",
       BinaryTable(ir::Divide{.activation = ir::Activation::kRelu}, TensorOf(0.03F, 5),
                   TensorOf(0.04F, -3), TensorOf(0.05F, -20), false, 9, Rounding::kDouble),
       "ececececececedeef0f1f2f3f5f6f7f8fafbfcfdff00010204050607090a0b0c"
       "0e0f10111314151618191a1b1d1e1f20222324252728292a2c2d2e2f31323334"
       "363738393b3c3d3e40414243454647484a4b4c4d4f50515254555657595a5b5c"
       "5e5f60616364656668696a6b6d6e6f70727374757778797a7c7d7e7f7f7f7f7f"
       "ecececececececececececececececececececececececececececececececec"
       "ecececececececececececececececececececececececececececececececec"
       "ecececececececececececececececececececececececececececececececec"
       "ecececececececececececececececececececececececececececececececec"},
      {"SquaredDifferenceFromAConstant",
       BinaryTable(ir::SquaredDifference{}, TensorOf(0.03F, 5), TensorOf(0.05F, -3),
                   TensorOf(0.25F, -128), false, 40, Rounding::kDouble),
       "9595949493929291919090908f8f8e8e8d8d8c8c8c8b8b8a8a8a898989888888"
       "8787878686868585858584848484838383838382828282828281818181818181"
       "8180808080808080808080808080808080808080808080808081818181818181"
       "8181828282828282838383838484848484858585868686868787878888888989"
       "1715141211100e0d0b0a08070604030100fffdfcfbf9f8f7f6f4f3f2f0efeeed"
       "ebeae9e8e6e5e4e3e2e0dfdedddcdbdad8d7d6d5d4d3d2d1d0cfcdcccbcac9c8"
       "c7c6c5c4c3c2c1c0bfbebdbdbcbbbab9b8b7b6b5b4b4b3b2b1b0afafaeadacab"
       "abaaa9a8a7a7a6a5a4a4a3a2a2a1a0a09f9e9e9d9c9c9b9a9a99999897979696"},
  };
}

TEST(FunctionTables, AreTensorFlowLites) {
  for (const ExpectedTable& expected : ExpectedTables()) {
    EXPECT_EQ(HexOf(expected.lookup), expected.bytes) << expected.name;
  }
}

TEST(FunctionTables, ConstantsMayStandFirst) {
  const ir::Tensor a = TensorOf(0.03F, 5);
  const ir::Tensor b = TensorOf(0.05F, -3);
  const ir::Tensor y = TensorOf(0.25F, -128);
  EXPECT_EQ(BinaryTable(ir::SquaredDifference{}, b, a, y, true, 40, Rounding::kDouble).table,
            BinaryTable(ir::SquaredDifference{}, a, b, y, false, 40, Rounding::kDouble).table);
  // 0.6 / 0.03 steps of 0.25.
  EXPECT_EQ(BinaryTable(ir::Divide{}, TensorOf(0.05F, 0), a, TensorOf(0.25F, 0), true, 12,
                        Rounding::kDouble)
                .table[6],
            80);
}

// At which TensorFlow Lite Micro stops.
TEST(FunctionTables, RsqrtOfNumbersBelowZeroIsTheLargest) {
  const ir::Lookup lookup = FunctionTable(ir::FunctionKind::kRsqrt, TensorOf(0.05F, 0),
                                          TensorOf(0.02F, -100), Rounding::kDouble);
  EXPECT_EQ(lookup.table[0], 127);
  EXPECT_EQ(lookup.table[0xFF], 127);
  EXPECT_LT(lookup.table[1], 127);
}

TEST(FunctionTables, OthersHaveNone) {
  EXPECT_TRUE(HasTable(ir::FunctionKind::kAbsolute));
  EXPECT_TRUE(HasTable(ir::FunctionKind::kRsqrt));
  EXPECT_FALSE(HasTable(ir::FunctionKind::kExp));
  EXPECT_FALSE(HasTable(ir::FunctionKind::kReciprocal));
}

TEST(FunctionTables, ActivationsClamp) {
  const ir::Lookup lookup = ActivationTable(ir::Activation::kRelu6, TensorOf(0.1F, -20));
  EXPECT_EQ(lookup.table[static_cast<std::uint8_t>(-50)], -20);
  EXPECT_EQ(lookup.table[30], 30);
  EXPECT_EQ(lookup.table[100], 40);
}

TEST(FunctionTables, FloatsAreRoundedHalvesAway) {
  const ir::Lookup lookup =
      FloatTable(TensorOf(0.5F, 0), TensorOf(1.0F, 3), Rounding::kDouble, std::negate<float>());
  EXPECT_EQ(lookup.table[1], 3 - 1) << "-0.5";
  EXPECT_EQ(lookup.table[2], 3 - 1);
  EXPECT_EQ(lookup.table[static_cast<std::uint8_t>(-1)], 3 + 1);
  const ir::Lookup root = FloatTable(TensorOf(1.0F, 0), TensorOf(1e-9F, 3), Rounding::kDouble,
                                     [](float x) { return std::sqrt(x); });
  EXPECT_EQ(root.table[1], 127);
  EXPECT_EQ(root.table[0], 3);
  EXPECT_EQ(root.table[0xFF], 3) << "no number";
}

}  // namespace
}  // namespace tpu::compiler
