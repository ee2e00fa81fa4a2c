// SPDX-License-Identifier: Apache-2.0
// Data movement of random shapes: compiled programs on the golden model against plain loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "compiler/lower/lower_move.h"
#include "ir/move.h"
#include "network.h"

namespace tpu::compiler {
namespace {

class Moves : public testing::TestWithParam<std::uint32_t> {
 protected:
  // Calls build(network) for several seeds; it returns the tensors to compare.
  template <typename Build>
  void Repeat(std::uint32_t first_seed, std::uint32_t count, Build build) {
    for (std::uint32_t seed = first_seed; seed < first_seed + count; ++seed) {
      SCOPED_TRACE(fmt::format("seed {}", seed));
      Network network(seed);
      const std::vector<ir::TensorId> outputs = build(network);
      ExpectCorrect(network, outputs, Config());
      if (HasFatalFailure()) return;
    }
  }
  static isa::HardwareConfig Config() {
    return {
        .n = GetParam(), .ub_rows = 512, .acc_rows = 64, .param_rows = 16, .axi_data_width = 64};
  }
  static ir::Shape AnyShape(Network& network, std::int64_t rank, std::int64_t most) {
    ir::Shape shape;
    for (std::int64_t a = 0; a < rank; ++a) shape.push_back(network.Uniform(1, most));
    return shape;
  }
};

TEST_P(Moves, Pad) {
  Repeat(1000, 12, [](Network& network) {
    const ir::Shape shape = AnyShape(network, network.Uniform(1, 4), 12);
    ir::Pad pad = {.before = {}, .after = {}, .fill = network.Uniform(-128, 127)};
    ir::Shape padded = shape;
    for (std::int64_t& d : padded) {
      pad.before.push_back(network.Uniform(0, 3));
      pad.after.push_back(network.Uniform(0, 3));
      d += pad.before.back() + pad.after.back();
    }
    return std::vector{network.Make(pad, {network.Input(shape)}, padded)};
  });
}

TEST_P(Moves, Concatenation) {
  Repeat(1100, 10, [](Network& network) {
    ir::Shape shape = AnyShape(network, network.Uniform(1, 4), 10);
    const std::int64_t axis = network.Uniform(0, static_cast<std::int64_t>(shape.size()) - 1);
    std::int64_t& size = shape[static_cast<std::size_t>(axis)];
    std::vector<ir::TensorId> inputs;
    std::int64_t total = 0;
    for (std::int64_t i = network.Uniform(1, 4); i > 0; --i) {
      size = network.Uniform(1, 20);
      total += size;
      inputs.push_back(i == 2 ? network.Constant(shape) : network.Input(shape));
    }
    size = total;
    return std::vector{network.Make(ir::Concatenation{.axis = axis}, inputs, shape)};
  });
}

TEST_P(Moves, Split) {
  Repeat(1200, 10, [](Network& network) {
    const ir::Shape shape = AnyShape(network, network.Uniform(1, 4), 14);
    const std::int64_t axis = network.Uniform(0, static_cast<std::int64_t>(shape.size()) - 1);
    std::vector<ir::Shape> parts;
    for (std::int64_t left = shape[static_cast<std::size_t>(axis)]; left > 0;) {
      ir::Shape part = shape;
      part[static_cast<std::size_t>(axis)] = network.Uniform(1, left);
      left -= part[static_cast<std::size_t>(axis)];
      parts.push_back(part);
    }
    return network.MakeAll(ir::SplitAxis{.axis = axis}, {network.Input(shape)}, parts);
  });
}

TEST_P(Moves, Slice) {
  Repeat(1300, 16, [](Network& network) {
    const ir::Shape shape = AnyShape(network, network.Uniform(1, 4), 14);
    ir::Slice slice;
    for (const std::int64_t d : shape) {
      const std::int64_t stride = network.Uniform(1, 3);
      const std::int64_t first = network.Uniform(0, d - 1);
      const std::int64_t size = network.Uniform(1, (d - 1 - first) / stride + 1);
      const bool backwards = network.Uniform(0, 3) == 0;
      slice.size.push_back(size);
      slice.begin.push_back(backwards ? first + (size - 1) * stride : first);
      slice.stride.push_back(backwards ? -stride : stride);
    }
    return std::vector{network.Make(slice, {network.Input(shape)}, slice.size)};
  });
}

// What is computed and what is used of it have blocks of other sizes.
TEST_P(Moves, SliceOfTheFirstPixels) {
  Repeat(1350, 12, [](Network& network) {
    const std::int64_t channels = network.Uniform(1, 20);
    const ir::Shape made = {1, network.Uniform(1, 4), network.Uniform(2, 6), channels};
    const ir::TensorId x = network.Input({1, made[1], made[2], 3});
    const ir::TensorId y = network.Conv(x, channels, {.h = 1, .w = 1}, {});
    ir::Slice first = {.begin = {0, 0, 0, 0}, .size = made, .stride = {1, 1, 1, 1}};
    ir::Shape& part = first.size;
    (made[1] == 1 ? part[2] : part[1]) = network.Uniform(1, (made[1] == 1 ? part[2] : part[1]) - 1);
    return std::vector{network.Apply(network.Make(first, {y}, part))};
  });
}

TEST_P(Moves, PackAndUnpack) {
  Repeat(1400, 8, [](Network& network) {
    const ir::Shape shape = AnyShape(network, network.Uniform(1, 3), 12);
    const std::int64_t axis = network.Uniform(0, static_cast<std::int64_t>(shape.size()));
    const std::int64_t count = network.Uniform(1, 4);
    std::vector<ir::TensorId> inputs;
    for (std::int64_t i = 0; i < count; ++i) inputs.push_back(network.Input(shape));
    ir::Shape packed = shape;
    packed.insert(packed.begin() + axis, count);
    const ir::TensorId pack = network.Make(ir::Pack{.axis = axis}, inputs, packed);
    std::vector<ir::TensorId> outputs =
        network.MakeAll(ir::Unpack{.axis = axis}, {network.Input(packed)},
                        std::vector<ir::Shape>(static_cast<std::size_t>(count), shape));
    outputs.push_back(pack);
    return outputs;
  });
}

TEST_P(Moves, Transpose) {
  Repeat(1500, 12, [](Network& network) {
    const ir::Shape shape = AnyShape(network, network.Uniform(2, 4), 9);
    ir::Transpose transpose = {.permutation = ir::Shape(shape.size())};
    std::iota(transpose.permutation.begin(), transpose.permutation.end(), 0);
    for (std::size_t i = 0; i < shape.size(); ++i) {
      std::swap(transpose.permutation[i], transpose.permutation[static_cast<std::size_t>(
                                              network.Uniform(0, static_cast<std::int64_t>(i)))]);
    }
    ir::Shape transposed;
    for (const std::int64_t axis : transpose.permutation) {
      transposed.push_back(shape[static_cast<std::size_t>(axis)]);
    }
    return std::vector{network.Make(transpose, {network.Input(shape)}, transposed)};
  });
}

TEST_P(Moves, Gather) {
  Repeat(1600, 8, [](Network& network) {
    ir::Shape shape = AnyShape(network, network.Uniform(1, 3), 12);
    const std::int64_t axis = network.Uniform(0, static_cast<std::int64_t>(shape.size()) - 1);
    const ir::TensorId x = network.Input(shape);
    ir::Gather gather = {.axis = axis, .indices = {}};
    std::int64_t& size = shape[static_cast<std::size_t>(axis)];
    for (std::int64_t i = network.Uniform(1, 9); i > 0; --i) {
      gather.indices.push_back(network.Uniform(0, size - 1));
    }
    size = static_cast<std::int64_t>(gather.indices.size());
    return std::vector{network.Make(gather, {x}, shape)};
  });
}

TEST_P(Moves, SpaceToBatchAndBack) {
  Repeat(1900, 16, [](Network& network) {
    const std::size_t axes = network.Uniform(0, 2) == 0 ? 1 : 2;
    const std::int64_t images = network.Uniform(1, 2);
    const std::int64_t channels = network.Uniform(1, 20);
    ir::SpaceToBatch op;
    ir::Shape image = {images};
    ir::Shape batch = {images};
    for (std::size_t a = 0; a < axes; ++a) {
      const std::int64_t block = network.Uniform(1, 4);
      const std::int64_t rows = network.Uniform(1, 4);
      op.block[a] = block;
      op.before[a] = network.Uniform(0, std::min<std::int64_t>(rows * block - 1, 5));
      image.push_back(network.Uniform(1, rows * block - op.before[a]));
      batch.push_back(rows);
      batch[0] *= block;
    }
    image.push_back(channels);
    batch.push_back(channels);
    ir::SpaceToBatch back = op;
    back.inverse = true;
    return std::vector{network.Make(op, {network.Input(image)}, batch),
                       network.Make(back, {network.Input(batch)}, image)};
  });
}

TEST_P(Moves, SpaceToDepthAndBack) {
  Repeat(2000, 8, [](Network& network) {
    const std::int64_t block = network.Uniform(1, 3);
    const ir::Shape depth = {network.Uniform(1, 2), network.Uniform(1, 5), network.Uniform(1, 5),
                             network.Uniform(1, 9) * block * block};
    const ir::Shape image = {depth[0], depth[1] * block, depth[2] * block,
                             depth[3] / (block * block)};
    return std::vector{
        network.Make(ir::SpaceToDepth{.block = block}, {network.Input(image)}, depth),
        network.Make(ir::SpaceToDepth{.block = block, .inverse = true}, {network.Input(depth)},
                     image)};
  });
}

TEST_P(Moves, Tile) {
  Repeat(2100, 8, [](Network& network) {
    const ir::Shape shape = AnyShape(network, network.Uniform(1, 4), 9);
    ir::Replicate tile;
    ir::Shape tiled;
    for (const std::int64_t d : shape) {
      tile.multiples.push_back(network.Uniform(1, 3));
      tiled.push_back(d * tile.multiples.back());
    }
    return std::vector{network.Make(tile, {network.Input(shape)}, tiled)};
  });
}

TEST_P(Moves, ResizeNearest) {
  Repeat(1700, 12, [](Network& network) {
    const ir::Shape shape = AnyShape(network, 4, 9);
    const ir::Resize resize = {.kind = ir::ResizeKind::kNearest,
                               .align_corners = network.Uniform(0, 2) == 0,
                               .half_pixel_centers = network.Uniform(0, 1) == 0};
    const bool twice = network.Uniform(0, 1) == 0;
    const ir::Shape resized = {shape[0], twice ? shape[1] * 2 : network.Uniform(1, 20),
                               twice ? shape[2] * 2 : network.Uniform(1, 20), shape[3]};
    return std::vector{network.Make(resize, {network.Input(shape)}, resized)};
  });
}

// Between operators that would like to keep their tensors on chip.
TEST_P(Moves, InsideNetwork) {
  Repeat(1800, 4, [](Network& network) {
    const std::int64_t channels = network.Uniform(3, 40);
    const ir::Padding one = {.top = 1, .left = 1, .bottom = 1, .right = 1};
    const ir::TensorId x = network.Input({1, 6, 7, channels});
    const ir::TensorId a = network.Conv(x, channels, {.h = 3, .w = 3}, {.padding = one});
    const ir::TensorId b =
        network.Make(ir::Concatenation{.axis = 3}, {a, x}, {1, 6, 7, 2 * channels});
    const ir::TensorId c = network.Conv(b, channels, {.h = 1, .w = 1}, {});
    const ir::TensorId d = network.Make(
        ir::Pad{.before = {0, 1, 2, 0}, .after = {0, 1, 0, 0}, .fill = network.ZeroPoint(c)}, {c},
        {1, 8, 9, channels});
    return std::vector{network.Conv(d, 5, {.h = 3, .w = 3}, {}), a};
  });
}

INSTANTIATE_TEST_SUITE_P(, Moves, testing::Values(4U, 16U, 32U),
                         [](const auto& info) { return fmt::format("N{}", info.param); });

std::int64_t Instructions(const CopyPlan& plan) {
  std::int64_t count = 1;
  for (const ir::Move::Loop& loop : plan.outer) count *= loop.count;
  return count;
}

TEST(PlanCopy, MakesOneInstructionOfWhatIsTwoStrides) {
  // The inner half of an image's rows, to a tight image.
  const std::vector<ir::Move::Loop> loops = {{.count = 20, .from_stride = 640, .to_stride = 320},
                                             {.count = 10, .from_stride = 32, .to_stride = 32},
                                             {.count = 32, .from_stride = 1, .to_stride = 1}};
  EXPECT_EQ(Instructions(PlanCopy(loops, 16)), 1);
}

TEST(PlanCopy, LoopsOverTheShorterAxisOfATranspose) {
  const std::vector<ir::Move::Loop> loops = {{.count = 100, .from_stride = 7 * 16, .to_stride = 16},
                                             {.count = 7, .from_stride = 16, .to_stride = 100 * 16},
                                             {.count = 16, .from_stride = 1, .to_stride = 1}};
  EXPECT_EQ(Instructions(PlanCopy(loops, 16)), 7);
  const std::vector<ir::Move::Loop> turned = {{.count = 7, .from_stride = 5, .to_stride = 9 * 100},
                                              {.count = 100, .from_stride = 7 * 5, .to_stride = 9},
                                              {.count = 3, .from_stride = 1, .to_stride = 3}};
  EXPECT_EQ(Instructions(PlanCopy(turned, 16)), 7);
}

}  // namespace
}  // namespace tpu::compiler
