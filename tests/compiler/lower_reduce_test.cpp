// SPDX-License-Identifier: Apache-2.0
// MEAN and SUM as a window of the vector unit, and as a product with ones.
#include <gtest/gtest.h>

#include "lowered.h"

namespace tpu::compiler {
namespace {

PlacedGraph Reduction(ir::ReduceKind kind, ir::Shape from, std::vector<std::int64_t> axes,
                      ir::Shape to) {
  PlacedGraph source;
  const ir::TensorId x = source.Add({.name = "x", .shape = std::move(from), .zero_point = 3});
  const ir::TensorId y = source.Add({.name = "y", .shape = std::move(to), .zero_point = 4});
  source.Append("reduce", ir::Reduce{.kind = kind, .axes = std::move(axes)}, {x}, y);
  return source;
}

TEST(LowerReduce, AnImageIsOneWindow) {
  const Lowered lowered =
      Reduction(ir::ReduceKind::kSum, {1, 5, 3, 8}, {1, 2}, {1, 1, 1, 8}).Lower();
  ASSERT_EQ(lowered.All<isa::Vector>().size(), 1U);
  EXPECT_TRUE(lowered.All<isa::Matmul>().empty());
  const auto vector = lowered.At<isa::Vector>(0);
  EXPECT_EQ(vector.n_cb, 2U);
  EXPECT_EQ(vector.n_oh * vector.n_ow, 1U);
  EXPECT_EQ(vector.n_kh, 5U);
  EXPECT_EQ(vector.n_kw, 3U);
  EXPECT_EQ(vector.a_zero, 3);
  EXPECT_EQ(vector.o_zero, 4);
  EXPECT_EQ(vector.lo, -128);
  EXPECT_EQ(vector.hi, 127);
  EXPECT_EQ(vector.reduce, isa::VectorReduce::kSum);
  EXPECT_EQ(vector.requant, isa::VectorRequant::kDouble);
  for (std::size_t lane = 0; lane < 4; ++lane) {
    EXPECT_EQ(lowered.BiasOf(0, lane), 0);
    EXPECT_EQ(lowered.MultiplierOf(0, lane), 1 << 30) << "scale 1 to scale 1";
  }
}

TEST(LowerReduce, AMeanDividesInItsMultiplier) {
  const Lowered lowered =
      Reduction(ir::ReduceKind::kMean, {1, 5, 3, 8}, {1, 2}, {1, 1, 1, 8}).Lower();
  // 1 / 15: 2^30, made larger by 2^3, the largest power that 15 holds, and divided by 15.
  EXPECT_EQ(lowered.MultiplierOf(0, 0), (std::int64_t{1} << 33) / 15);
}

TEST(LowerReduce, RowsAreAProductWithOnes) {
  const Lowered lowered = Reduction(ir::ReduceKind::kSum, {7, 6}, {1}, {7, 1}).Lower();
  ASSERT_EQ(lowered.All<isa::Matmul>().size(), 1U);
  const auto matmul = lowered.At<isa::Matmul>(0);
  EXPECT_EQ(matmul.n_oh * matmul.n_ow, 7U);
  EXPECT_EQ(matmul.n_cb, 2U);
  EXPECT_EQ(matmul.n_ob, 1U);
  // Output lane 0 of six input lanes in two tiles.
  std::vector<std::uint8_t> tiles(32);
  for (const std::size_t lane : {0U, 1U, 2U, 3U, 4U, 5U}) tiles[lane * 4] = 1;
  EXPECT_EQ(lowered.Constant(0).bytes, tiles);
  EXPECT_EQ(lowered.BiasOf(1, 0), -3 * 6) << "six times the zero point";
  const auto drain = lowered.At<isa::Vector>(0);
  EXPECT_EQ(drain.o_zero, 4);
  EXPECT_EQ(drain.lo, -128);
}

TEST(LowerReduce, RefusesOtherForms) {
  const PlacedGraph source = Reduction(ir::ReduceKind::kSum, {2, 5, 3}, {1}, {2, 3});
  ExpectError([&] { return source.Lower(); }, "reduce (SUM): not in the form that is lowered");
}

}  // namespace
}  // namespace tpu::compiler
