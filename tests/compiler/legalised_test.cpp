// SPDX-License-Identifier: Apache-2.0
// Operators that become others, in random shapes: compiled programs on the golden model against
// plain loops.
#include <gtest/gtest.h>

#include <algorithm>

#include "network.h"

namespace tpu::compiler {
namespace {

class Legalised : public testing::TestWithParam<std::uint32_t> {
 protected:
  // Calls build(network) for several seeds; it returns the tensor to compare.
  template <typename Build>
  void Repeat(std::uint32_t first_seed, std::uint32_t count, Build build) {
    for (std::uint32_t seed = first_seed; seed < first_seed + count; ++seed) {
      SCOPED_TRACE(fmt::format("seed {}", seed));
      Network network(seed);
      const ir::TensorId output = build(network);
      ExpectCorrect(network, {output}, Config(),
                    seed % 2 == 0 ? Rounding::kDouble : Rounding::kSingle);
      if (HasFatalFailure()) return;
    }
  }
  static isa::HardwareConfig Config() {
    return {
        .n = GetParam(), .ub_rows = 1024, .acc_rows = 128, .param_rows = 32, .axi_data_width = 128};
  }
  static std::int32_t Small(Network& network, std::int64_t lo, std::int64_t hi) {
    return static_cast<std::int32_t>(network.Uniform(lo, hi));
  }
};

TEST_P(Legalised, GroupedConv) {
  Repeat(2000, 8, [](Network& network) {
    const std::int64_t groups = network.Uniform(2, 6);
    const std::int64_t ic = network.Uniform(1, 6);
    const std::int64_t oc = network.Uniform(1, 6) * groups;
    const ir::TensorId x = network.Input({1, 6, 7, ic * groups});
    const ir::TensorId weights = network.Weights({oc, 3, 2, ic}, oc);
    return network.MakeScaled(ir::Conv2D{.activation = network.AnyActivation()}, {x, weights},
                              {1, 4, 6, oc}, network.Scale(x) * 2);
  });
}

TEST_P(Legalised, TransposeConv) {
  Repeat(2100, 12, [](Network& network) {
    const ir::Extent stride = {.h = Small(network, 1, 3), .w = Small(network, 1, 3)};
    const ir::Extent kernel = {.h = Small(network, 1, 4), .w = Small(network, 1, 4)};
    const std::int64_t h = network.Uniform(1, 6);
    const std::int64_t w = network.Uniform(1, 6);
    const std::int64_t ic = network.Uniform(1, 20);
    const std::int64_t oc = network.Uniform(1, 20);
    ir::TransposeConv op = {.stride = stride, .padding = {}, .activation = network.AnyActivation()};
    op.padding.top = Small(network, 0, kernel.h - 1);
    op.padding.left = Small(network, 0, kernel.w - 1);
    // Cut at the bottom and right, or reaching beyond the last pixel.
    const std::int64_t full_h = (h - 1) * stride.h + kernel.h - op.padding.top;
    const std::int64_t full_w = (w - 1) * stride.w + kernel.w - op.padding.left;
    const ir::Shape output = {1, std::max<std::int64_t>(1, full_h - network.Uniform(-1, 1)),
                              std::max<std::int64_t>(1, full_w - network.Uniform(-1, 1)), oc};
    const ir::TensorId x = network.Input({1, h, w, ic});
    const ir::TensorId weights = network.Weights({oc, kernel.h, kernel.w, ic}, oc);
    return network.MakeScaled(op, {x, weights}, output, network.Scale(x) * 2);
  });
}

TEST_P(Legalised, Reduce) {
  Repeat(2200, 30, [](Network& network) {
    const std::int64_t rank = network.Uniform(1, 4);
    ir::Shape shape;
    for (std::int64_t a = 0; a < rank; ++a) shape.push_back(network.Uniform(1, 11));
    ir::Reduce op = {
        .kind = network.Uniform(0, 1) == 0 ? ir::ReduceKind::kMean : ir::ReduceKind::kSum,
        .axes = {}};
    ir::Shape kept;
    std::int64_t count = 1;
    for (std::int64_t a = 0; a < rank; ++a) {
      const std::int64_t size = shape[static_cast<std::size_t>(a)];
      if (network.Uniform(0, 1) == 0) {
        op.axes.push_back(a);
        count *= size;
      } else {
        kept.push_back(size);
      }
    }
    const ir::TensorId x = network.Input(shape);
    const float factor = op.kind == ir::ReduceKind::kMean ? 1.0F : static_cast<float>(count);
    return network.MakeScaled(op, {x}, kept, network.Scale(x) * factor * network.Real(0.2F, 1.2F));
  });
}

TEST_P(Legalised, ReduceOfManyElements) {
  Repeat(2300, 2, [](Network& network) {
    const ir::TensorId x = network.Input({1, 70, 60, 3});
    return network.MakeScaled(ir::Reduce{.kind = ir::ReduceKind::kMean, .axes = {1, 2}}, {x},
                              {1, 3}, network.Scale(x) * 0.05F);
  });
}

TEST_P(Legalised, BroadcastBinary) {
  Repeat(2400, 30, [](Network& network) {
    const ir::Shape shape = {network.Uniform(1, 2), network.Uniform(1, 5), network.Uniform(1, 5),
                             network.Uniform(1, 40)};
    ir::Shape small = shape;
    for (std::int64_t& d : small) {
      if (network.Uniform(0, 1) == 0) d = 1;
    }
    if (network.Uniform(0, 1) == 0) small.erase(small.begin(), small.begin() + 3);
    const ir::TensorId a = network.Input(shape);
    const ir::TensorId b =
        network.Uniform(0, 1) == 0 ? network.Constant(small) : network.Input(small);
    const auto kind = static_cast<ir::BinaryKind>(network.Uniform(0, 4));
    if (kind == ir::BinaryKind::kMaximum || kind == ir::BinaryKind::kMinimum) {
      return network.Combine(a, b, kind);
    }
    const bool first = network.Uniform(0, 1) == 0;
    return network.MakeScaled(ir::Binary{.kind = kind, .activation = network.AnyActivation()},
                              {first ? a : b, first ? b : a}, shape, 0.1F);
  });
}

TEST_P(Legalised, Prelu) {
  Repeat(2500, 8, [](Network& network) {
    const ir::Shape shape = {1, network.Uniform(1, 6), network.Uniform(1, 6),
                             network.Uniform(1, 40)};
    const ir::Shape slopes = network.Uniform(0, 1) == 0 ? ir::Shape{1, 1, shape[3]}
                                                        : ir::Shape{shape[1], shape[2], shape[3]};
    const ir::TensorId x = network.Input(shape);
    const ir::TensorId alpha = network.Constant(network.Uniform(0, 3) == 0 ? ir::Shape{1} : slopes);
    return network.MakeScaled(ir::Prelu{}, {x, alpha}, shape, network.Scale(x) * 1.3F);
  });
}

TEST_P(Legalised, PaddingJoinsTheConvolution) {
  Repeat(2600, 10, [](Network& network) {
    const ir::TensorId x = network.Input({1, 5, 6, network.Uniform(1, 20)});
    const std::int64_t channels = network.graph().tensors[x].shape[3];
    const bool neutral = network.Uniform(0, 1) == 0;
    const ir::Pad pad = {
        .before = {0, 1, 0, 0}, .after = {0, 2, 1, 0}, .fill = neutral ? network.ZeroPoint(x) : 17};
    const ir::TensorId padded = network.Make(pad, {x}, {1, 8, 7, channels});
    return network.Depthwise(padded, 1, {.h = 3, .w = 3}, {.padding = {.top = 1}});
  });
}

TEST_P(Legalised, PaddingWiderThanAConvolutionReaches) {
  Repeat(2650, 1, [](Network& network) {
    const ir::TensorId x = network.Input({1, 1, 5, 3});
    const ir::Pad pad = {
        .before = {0, 0, 9000, 0}, .after = {0, 0, 0, 0}, .fill = network.ZeroPoint(x)};
    const ir::TensorId padded = network.Make(pad, {x}, {1, 1, 9005, 3});
    return network.Conv(padded, 4, {.h = 1, .w = 3}, {});
  });
}

TEST_P(Legalised, ResizeBilinear) {
  Repeat(2700, 16, [](Network& network) {
    const ir::Shape shape = {network.Uniform(1, 2), network.Uniform(1, 6), network.Uniform(1, 6),
                             network.Uniform(1, 20)};
    const ir::Resize resize = {.kind = ir::ResizeKind::kBilinear,
                               .half_pixel_centers = network.Uniform(0, 1) == 0};
    const ir::Shape resized = {shape[0], shape[1] << network.Uniform(0, 2),
                               shape[2] << network.Uniform(0, 2), shape[3]};
    const ir::TensorId output = network.Make(resize, {network.Input(shape)}, resized);
    const executable::Executable executable = Compile(network.graph(), Config(), {.strict = true});
    EXPECT_FALSE(executable.layers.empty());
    return output;
  });
}

TEST_P(Legalised, ResizeBilinearOfOtherSizes) {
  Repeat(2800, 6, [](Network& network) {
    const ir::Shape shape = {1, network.Uniform(1, 6), network.Uniform(1, 6),
                             network.Uniform(1, 20)};
    const ir::Resize resize = {.kind = ir::ResizeKind::kBilinear,
                               .align_corners = network.Uniform(0, 1) == 0};
    const ir::Shape resized = {1, network.Uniform(1, 13), network.Uniform(1, 13), shape[3]};
    return network.Make(resize, {network.Input(shape)}, resized);
  });
}

// A table behind each operator that can take it.
TEST_P(Legalised, FusedTables) {
  Repeat(3000, 24, [](Network& network) {
    const std::int64_t channels = network.Uniform(1, 40);
    const ir::TensorId x = network.Input({1, 5, 6, channels});
    ir::TensorId y = x;
    switch (network.Uniform(0, 6)) {
      case 0:
        y = network.Conv(x, network.Uniform(1, 40), {.h = 2, .w = 2}, {});
        break;
      case 1:
        y = network.Depthwise(x, 1, {.h = 3, .w = 3}, {});
        break;
      case 2:
        y = network.Depthwise(x, 2, {.h = 2, .w = 2}, {});
        break;
      case 3:
        y = network.FullyConnect(x, 30 * channels, network.Uniform(1, 40), true);
        break;
      case 4:
        y = network.Pool(x, {.kind = ir::PoolKind::kAverage, .filter = {.h = 2, .w = 2}});
        break;
      case 5:
        y = network.Combine(x, x, ir::BinaryKind::kMul);
        break;
      default:
        y = network.MakeScaled(
            ir::Reduce{.axes = network.Uniform(0, 1) == 0 ? ir::Shape{1, 2} : ir::Shape{3}}, {x},
            {1}, 0.1F);
        network.graph().tensors[y].shape =
            std::get<ir::Reduce>(network.graph().operators.back().attributes).axes.size() == 2
                ? ir::Shape{1, channels}
                : ir::Shape{1, 5, 6};
        break;
    }
    const ir::TensorId z = network.Apply(network.Apply(y));
    const executable::Executable executable = Compile(network.graph(), Config());
    // A reduction's result changes its shape, which keeps the table apart.
    const bool reduces =
        std::holds_alternative<ir::Reduce>(network.graph().operators[0].attributes);
    EXPECT_LE(executable.layers.size(), reduces ? 2U : 1U);
    return z;
  });
}

// A host call between operators of the device; tensors stay on chip meanwhile. Each QUANTIZE has a
// scale of its own; the second one is the device's.
TEST_P(Legalised, HostCallInTheMiddle) {
  Repeat(2900, 6, [](Network& network) {
    const std::int64_t channels = network.Uniform(1, 40);
    const ir::Shape shape = {1, 4, 5, channels};
    const ir::TensorId x = network.Input(shape);
    const ir::TensorId a = network.Conv(x, channels, {.h = 1, .w = 1}, {});
    const ir::TensorId real = network.Make(ir::Dequantize{}, {a}, shape);
    network.graph().tensors[real].type = ElementType::kFloat32;
    const ir::TensorId b =
        network.MakeScaled(ir::Quantize{}, {real}, shape, network.Scale(a) * 0.7F);
    const ir::TensorId c = network.MakeScaled(ir::Quantize{}, {b}, shape, network.Scale(b) * 1.9F);
    const ir::TensorId sum = network.Combine(a, c, ir::BinaryKind::kAdd);
    return network.Conv(sum, 7, {.h = 3, .w = 3}, {});
  });
}

INSTANTIATE_TEST_SUITE_P(, Legalised, testing::Values(4U, 8U, 16U),
                         [](const auto& info) { return fmt::format("N{}", info.param); });

}  // namespace
}  // namespace tpu::compiler
