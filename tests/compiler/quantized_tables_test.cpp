// SPDX-License-Identifier: Apache-2.0
// Tables against those of TensorFlow Lite Micro, and of quantisations that models from training
// never have.
#include "compiler/quantise/quantized_tables.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace tpu::compiler {
namespace {

ir::Tensor Quantized(float scale, std::int32_t zero_point) {
  ir::Tensor tensor;
  tensor.type = ElementType::kInt8;
  tensor.scale = scale;
  tensor.zero_point = zero_point;
  return tensor;
}

ir::Tensor QuantizedUint8(float scale, std::int32_t zero_point) {
  ir::Tensor tensor = Quantized(scale, zero_point);
  tensor.type = ElementType::kUint8;
  return tensor;
}

// The whole tables that TensorFlow Lite Micro's reference kernels give: outputs of its interpreter
// (tflite-micro 0.dev20261023182759 of Python's package index) for a model of this operator alone,
// with these scales and zero points and the input bytes 0x00, 0x01 ... 0xff; in hexadecimal.
struct TensorFlowLitesTable {
  const char* name;
  ir::Lookup lookup;
  const char* bytes;
};

// NOLINTNEXTLINE(readability-function-size): a table.
std::vector<TensorFlowLitesTable> TensorFlowLitesTables() {
  return {
      {"Logistic",
       UnaryTable(ir::UnaryKind::kLogistic, Quantized(0.0471F, 12), Quantized(1.0F / 256, -128),
                  Rounding::kDouble),
       "dde0e2e5e8ebeef1f4f7fafd000306090c0f1215181b1e202326292b2e313336"
       "383b3d3f424446484a4c4e5052535557585a5b5d5e6061626365666768696a6b"
       "6c6d6d6e6f7070717272737374757576767677777878787979797a7a7a7a7b7b"
       "7b7b7c7c7c7c7c7d7d7d7d7d7d7d7d7e7e7e7e7e7e7e7e7e7e7f7f7f7f7f7f7f"
       "8080808080808080818181818181818181818181818181818181818181818181"
       "8282828282828282828283838383838383838484848484858585858686868687"
       "878788888889898a8a8a8b8b8c8d8d8e8e8f9090919293939495969798999a9b"
       "9d9e9fa0a2a3a5a6a8a9abadaeb0b2b4b6b8babcbec1c3c5c8cacdcfd2d5d7da"},
      {"Tanh",
       UnaryTable(ir::UnaryKind::kTanh, Quantized(0.031F, -5), Quantized(1.0F / 128, 0),
                  Rounding::kDouble),
       "14181b1f23262a2e3134383b3e414447494c4e515355585a5c5e5f6163646667"
       "696a6b6c6d6e6f7071727374747576767777787879797a7a7a7b7b7b7c7c7c7c"
       "7c7d7d7d7d7d7e7e7e7e7e7e7e7e7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f"
       "7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f"
       "8080808080808080808080808080808080808080808080818181818181818181"
       "8181818181818181818282828282828282838383838384848484848585858686"
       "868787888889898a8a8b8c8c8d8e8f9091929394959697999a9c9d9fa1a2a4a6"
       "a8abadafb2b4b7b9bcbfc2c5c8cccfd2d6dadde1e5e8ecf0f4f8fc0004080c10"},
      {"HardSwish",
       UnaryTable(ir::UnaryKind::kHardSwish, Quantized(0.05F, -3), Quantized(0.027F, -110),
                  Rounding::kDouble),
       "95969798999a9c9d9e9fa1a2a3a5a6a8a9abacaeafb1b3b5b6b8babcbebfc1c3"
       "c5c7c9cbced0d2d4d6d9dbdde0e2e4e7e9eceef1f4f6f9fcfe01030507090a0c"
       "0e1012141517191b1d1f21222426282a2c2e2f31333537393b3c3e4042444647"
       "494b4d4f51535456585a5c5e6061636567696b6d6e7072747678797b7d7f7f7f"
       "9292929292929292929292929292929292929292929292929292929292929292"
       "9292929292929292929292929292929292929292929292929292929292929292"
       "929291908f8f8e8d8c8c8b8a8a89898888878786868685858585848484848484"
       "8484848484858585858686868787888889898a8a8b8c8c8d8e8f8f9091929394"},
      {"HardSwishOfTinyScale",
       UnaryTable(ir::UnaryKind::kHardSwish, Quantized(0.005F, -100), Quantized(0.004F, 5),
                  Rounding::kDouble),
       "4e4f5050515253545555565758595a5b5c5c5d5e5f6061626363646566676869"
       "6a6b6b6c6d6e6f70717273747576767778797a7b7c7d7e7f7f7f7f7f7f7f7f7f"
       "7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f"
       "7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f"
       "f4f5f5f6f7f7f8f8f9fafafbfbfcfcfdfefeffff000101020303040405060607"
       "080809090a0b0b0c0d0d0e0f0f1011111213131415151617171819191a1b1b1c"
       "1d1e1e1f20202122232324252526272828292a2b2b2c2d2e2e2f303131323334"
       "343536373738393a3b3b3c3d3e3e3f4041424243444546474748494a4b4b4c4d"},
      {"Relu",
       UnaryTable(ir::UnaryKind::kRelu, Quantized(0.05F, 3), Quantized(0.08F, -50),
                  Rounding::kDouble),
       "cececececfcfd0d1d1d2d2d3d4d4d5d6d6d7d7d8d9d9dadbdbdcdcdddededfe0"
       "e0e1e1e2e3e3e4e5e5e6e6e7e8e8e9eaeaebebecededeeefeff0f0f1f2f2f3f4"
       "f4f5f5f6f7f7f8f9f9fafafbfcfcfdfefeffff00010102030304040506060708"
       "0809090a0b0b0c0d0d0e0e0f101011121213131415151617171818191a1a1b1c"
       "cececececececececececececececececececececececececececececececece"
       "cececececececececececececececececececececececececececececececece"
       "cececececececececececececececececececececececececececececececece"
       "cececececececececececececececececececececececececececececececece"},
      {"Relu6",
       UnaryTable(ir::UnaryKind::kRelu6, Quantized(0.05F, -60), Quantized(0.05F, -60),
                  Rounding::kDouble),
       "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
       "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3c3c3c"
       "3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c"
       "3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c"
       "c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4"
       "c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4"
       "c4c4c4c4c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedf"
       "e0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"},
      {"LeakyRelu",
       LeakyReluTable(0.1F, Quantized(0.05F, 10), Quantized(0.04F, -20), Rounding::kDouble),
       "ebebebebebebebebecececedeff0f1f2f4f5f6f7f9fafbfcfeff000103040506"
       "08090a0b0d0e0f10121314151718191a1c1d1e1f21222324262728292b2c2d2e"
       "30313233353637383a3b3c3d3f40414244454647494a4b4c4e4f505153545556"
       "58595a5b5d5e5f60626364656768696a6c6d6e6f71727374767778797b7c7d7e"
       "dbdbdbdbdbdbdbdbdcdcdcdcdcdcdcdcdddddddddddddddddededededededede"
       "dfdfdfdfdfdfdfdfe0e0e0e0e0e0e0e0e1e1e1e1e1e1e1e1e2e2e2e2e2e2e2e2"
       "e3e3e3e3e3e3e3e3e4e4e4e4e4e4e4e4e5e5e5e5e5e5e5e5e6e6e6e6e6e6e6e6"
       "e7e7e7e7e7e7e7e7e8e8e8e8e8e8e8e8e9e9e9e9e9e9e9e9eaeaeaeaeaeaeaea"},
      {"LeakyReluOfNegativeSlope",
       LeakyReluTable(-0.3F, Quantized(0.05F, 10), Quantized(0.07F, 30), Rounding::kDouble),
       "202020201f1f1f1f1f1e1e1f1f20212222232424252627272829292a2b2c2c2d"
       "2e2e2f30313132333334353636373838393a3b3b3c3d3d3e3f40404142424344"
       "454546474748494a4a4b4c4c4d4e4f4f50515152535454555656575859595a5b"
       "5b5c5d5e5e5f60606162636364656566676868696a6a6b6c6d6d6e6f6f707172"
       "3c3b3b3b3b3b3a3a3a3a3a393939393838383838373737373736363636353535"
       "353534343434343333333332323232323131313131303030302f2f2f2f2f2e2e"
       "2e2e2e2d2d2d2d2c2c2c2c2c2b2b2b2b2b2a2a2a2a2929292929282828282827"
       "2727272626262626252525252524242424232323232322222222222121212120"},
      {"Prelu",
       PreluTable(Quantized(0.05F, 10), Quantized(0.01F, 3), -40, Quantized(0.04F, -20),
                  Rounding::kDouble),
       "f1f1f0f0efefeeeeededecedeff0f1f2f4f5f6f7f9fafbfcfeff000103040506"
       "08090a0b0d0e0f10121314151718191a1c1d1e1f21222324262728292b2c2d2e"
       "30313233353637383a3b3c3d3f40414244454647494a4b4c4e4f505153545556"
       "58595a5b5d5e5f60626364656768696a6c6d6e6f71727374767778797b7c7d7e"
       "363635353433333232313130302f2f2e2e2d2d2c2b2b2a2a2929282827272626"
       "25242423232222212120201f1f1e1d1d1c1c1b1b1a1a19191818171616151514"
       "14131312121111100f0f0e0e0d0d0c0c0b0b0a0a090808070706060505040403"
       "030202010000fffffefefdfdfcfcfbfbfaf9f9f8f8f7f7f6f6f5f5f4f4f3f2f2"},
      {"Quantize", QuantizeTable(Quantized(0.05F, -60), Quantized(0.031F, 7), Rounding::kDouble),
       "68696b6d6e7071737576787a7b7d7e7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f"
       "7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f"
       "7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f"
       "7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f"
       "999b9d9ea0a1a3a5a6a8a9abadaeb0b2b3b5b6b8babbbdbec0c2c3c5c6c8cacb"
       "cdcfd0d2d3d5d7d8dadbdddfe0e2e4e5e7e8eaecedeff0f2f4f5f7f8fafcfdff"
       "0102040507090a0c0d0f1112141617191a1c1e1f2122242627292a2c2e2f3133"
       "343637393b3c3e3f4143444648494b4c4e505153545658595b5c5e6061636566"},
      {"QuantizeOfUint8",
       QuantizeTable(QuantizedUint8(0.05F, 100), Quantized(0.04F, -30), Rounding::kDouble),
       "8080808080808080808080808080808080808080808080828384858788898a8c"
       "8d8e8f91929394969798999b9c9d9ea0a1a2a3a5a6a7a8aaabacadafb0b1b2b4"
       "b5b6b7b9babbbcbebfc0c1c3c4c5c6c8c9cacbcdcecfd0d2d3d4d5d7d8d9dadc"
       "dddedfe1e2e3e5e6e7e8eaebecedeff0f1f2f4f5f6f7f9fafbfcfeff00010304"
       "050608090a0b0d0e0f10121314151718191a1c1d1e1f21222324262728292b2c"
       "2d2e30313233353637383a3b3c3d3f40414244454647494a4b4c4e4f50515354"
       "555658595a5b5d5e5f60626364656768696a6c6d6e6f71727374767778797b7c"
       "7d7e7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f"},
  };
}

std::string Hexadecimal(const ir::Lookup& lookup) {
  std::string text;
  for (const std::int8_t value : lookup.table) {
    text += fmt::format("{:02x}", static_cast<std::uint8_t>(value));
  }
  return text;
}

TEST(Tables, AreTensorFlowLites) {
  for (const TensorFlowLitesTable& expected : TensorFlowLitesTables()) {
    EXPECT_EQ(Hexadecimal(expected.lookup), expected.bytes) << expected.name;
  }
}

// TensorFlow Lite Micro has no such operator. Worked out by hand: 0.05 / 0.03 is 5/3, and -1 and 1
// are 33.3 steps of the output away from its zero point 10.
TEST(UnaryTable, ReluN1To1RescalesAndClamps) {
  const ir::Lookup lookup = UnaryTable(ir::UnaryKind::kReluN1To1, Quantized(0.05F, 3),
                                       Quantized(0.03F, 10), Rounding::kDouble);
  constexpr std::array<std::pair<int, int>, 10> kExpected = {{{-128, -23},
                                                              {-18, -23},
                                                              {-17, -23},
                                                              {-16, -22},
                                                              {2, 8},
                                                              {3, 10},
                                                              {4, 12},
                                                              {22, 42},
                                                              {23, 43},
                                                              {127, 43}}};
  for (const auto& [input, output] : kExpected) {
    EXPECT_EQ(lookup.table[static_cast<std::uint8_t>(input)], output) << input;
  }
}

// All inputs are almost 0; the output counts in 1/256 from -128, or in 1/128 from 0.
TEST(UnaryTable, InputsOfTinyScaleAreInTheMiddle) {
  const ir::Tensor input = Quantized(3e-14F, 5);
  const ir::Lookup logistic =
      UnaryTable(ir::UnaryKind::kLogistic, input, Quantized(1.0F / 256, -128), Rounding::kDouble);
  const ir::Lookup tanh =
      UnaryTable(ir::UnaryKind::kTanh, input, Quantized(1.0F / 128, 0), Rounding::kDouble);
  for (std::size_t i = 0; i < 256; ++i) {
    EXPECT_EQ(logistic.table[i], 0) << i;
    EXPECT_EQ(tanh.table[i], 0) << i;
  }
}

// Every input but the zero point saturates.
TEST(UnaryTable, InputsOfHugeScaleSaturate) {
  const ir::Tensor input = Quantized(1e9F, 0);
  const ir::Lookup logistic =
      UnaryTable(ir::UnaryKind::kLogistic, input, Quantized(1.0F / 256, -128), Rounding::kDouble);
  EXPECT_EQ(logistic.table[0x01], 127);
  EXPECT_EQ(logistic.table[0xFF], -128);
}

}  // namespace
}  // namespace tpu::compiler
