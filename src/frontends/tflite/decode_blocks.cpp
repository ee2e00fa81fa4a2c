// SPDX-License-Identifier: Apache-2.0
// Operators that move blocks of pixels into the batch or into the channels, and back.
#include <limits>

#include "frontends/tflite/operator_reader.h"
#include "ir/limits.h"

namespace tpu::tflite {
namespace {

namespace schema = tflite::schema;

}  // namespace

ir::Attributes DecodeSpaceToBatch(OperatorReader& op, bool inverse) {
  op.RequireCounts(3, 3);
  const ir::Tensor& input = op.Moved(0);
  if (input.type != ElementType::kFloat32) {
    op.RequireQuantized(input, {ElementType::kInt8, ElementType::kUint8});
    op.RequireQuantized(op.Output(), {input.type});
  }
  ir::Shape shape = input.shape;
  op.Require(shape.size() == 3 || shape.size() == 4, "{} has {} dimensions instead of 3 or 4",
             input.name, shape.size());
  const std::size_t axes = shape.size() - 2;
  const char* margins = inverse ? "the crops" : "the paddings";
  const std::vector<std::int64_t> block = op.Integers(1, "the block shape");
  const std::vector<std::int64_t> margin = op.Integers(2, margins);
  op.Require(block.size() == axes && margin.size() == 2 * axes,
             "there are {} block sizes and {} margins for {} axes", block.size(), margin.size(),
             axes);
  ir::SpaceToBatch result = {.inverse = inverse};
  for (std::size_t a = 0; a < axes; ++a) {
    std::int64_t& size = shape[a + 1];
    op.Require(block[a] >= 1 && block[a] <= ir::kMostBlock, "a block size is {} instead of 1 to {}",
               block[a], ir::kMostBlock);
    for (const std::int64_t m : {margin[2 * a], margin[2 * a + 1]}) {
      op.Require(m >= 0 && m <= std::numeric_limits<std::int32_t>::max(), "one of {} is {}",
                 margins, m);
    }
    const std::int64_t both = margin[2 * a] + margin[2 * a + 1];
    if (inverse) {
      op.Require(shape[0] % block[a] == 0, "the batch of {} is no multiple of the blocks",
                 input.name);
      shape[0] /= block[a];
      size = size * block[a] - both;
      op.Require(size >= 1, "the crops leave nothing of axis {}", a + 1);
    } else {
      op.Require((size + both) % block[a] == 0,
                 "axis {} with its paddings, {}, is no multiple of {}", a + 1, size + both,
                 block[a]);
      shape[0] *= block[a];
      size = (size + both) / block[a];
    }
    result.block.at(a) = block[a];
    result.before.at(a) = margin[2 * a];
  }
  op.SettleOutput(shape);
  return result;
}

ir::Attributes DecodeSpaceToDepth(OperatorReader& op, bool inverse) {
  op.RequireCounts(1, 1);
  ir::Shape shape = op.Moved(0).shape;
  op.Require(shape.size() == 4, "{} has {} dimensions instead of 4", op.Input(0).name,
             shape.size());
  const std::int64_t block = inverse ? op.OptionsAs<schema::DepthToSpaceOptionsT>().block_size
                                     : op.OptionsAs<schema::SpaceToDepthOptionsT>().block_size;
  op.Require(block >= 1 && block <= ir::kMostBlock, "the block size is {} instead of 1 to {}",
             block, ir::kMostBlock);
  if (inverse) {
    op.Require(shape[3] % (block * block) == 0, "{} channels are no multiple of {}", shape[3],
               block * block);
    shape = {shape[0], shape[1] * block, shape[2] * block, shape[3] / (block * block)};
  } else {
    op.Require(shape[1] % block == 0 && shape[2] % block == 0,
               "{} x {} pixels are no multiple of {}", shape[1], shape[2], block);
    shape = {shape[0], shape[1] / block, shape[2] / block, shape[3] * block * block};
  }
  op.SettleOutput(shape);
  return ir::SpaceToDepth{.block = block, .inverse = inverse};
}

}  // namespace tpu::tflite
