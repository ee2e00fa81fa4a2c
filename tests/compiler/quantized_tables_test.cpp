// Tables of quantisations that models from training never have.
#include "compiler/quantized_tables.h"

#include <gtest/gtest.h>

namespace tpu::compiler {
namespace {

Tensor Quantized(float scale, std::int32_t zero_point) {
  Tensor tensor;
  tensor.type = ElementType::kInt8;
  tensor.scale = scale;
  tensor.zero_point = zero_point;
  return tensor;
}

// All inputs are almost 0; the output counts in 1/256 from -128, or in 1/128 from 0.
TEST(UnaryTable, InputsOfTinyScaleAreInTheMiddle) {
  const Tensor input = Quantized(3e-14F, 5);
  const Lookup logistic =
      UnaryTable(UnaryKind::kLogistic, input, Quantized(1.0F / 256, -128), Rounding::kDouble);
  const Lookup tanh =
      UnaryTable(UnaryKind::kTanh, input, Quantized(1.0F / 128, 0), Rounding::kDouble);
  for (std::size_t i = 0; i < 256; ++i) {
    EXPECT_EQ(logistic.table[i], 0) << i;
    EXPECT_EQ(tanh.table[i], 0) << i;
  }
}

// Every input but the zero point saturates.
TEST(UnaryTable, InputsOfHugeScaleSaturate) {
  const Tensor input = Quantized(1e9F, 0);
  const Lookup logistic =
      UnaryTable(UnaryKind::kLogistic, input, Quantized(1.0F / 256, -128), Rounding::kDouble);
  EXPECT_EQ(logistic.table[0x01], 127);
  EXPECT_EQ(logistic.table[0xFF], -128);
}

}  // namespace
}  // namespace tpu::compiler
