// SPDX-License-Identifier: Apache-2.0
// Every operator, in random shapes and on machines of several sizes: compiled programs on the
// golden model against plain loops.
#include <gtest/gtest.h>

#include <ostream>
#include <vector>

#include "network.h"

namespace tpu::compiler {
namespace {

struct Machine {
  const char* name;
  isa::HardwareConfig config;
};

void PrintTo(const Machine& machine, std::ostream* out) { *out << machine.name; }

const Machine kMachines[] = {
    {"N4small", {.n = 4, .ub_rows = 512, .acc_rows = 64, .param_rows = 16, .axi_data_width = 32}},
    {"N8", {.n = 8, .ub_rows = 1024, .acc_rows = 128, .param_rows = 32, .axi_data_width = 64}},
    {"N16", {.n = 16, .ub_rows = 16384, .acc_rows = 2048, .param_rows = 512}},
    {"N16small", {.n = 16, .ub_rows = 512, .acc_rows = 64, .param_rows = 16}},
    {"N32", {.n = 32, .ub_rows = 2048, .acc_rows = 512, .param_rows = 64, .axi_data_width = 256}},
    {"N64", {.n = 64, .ub_rows = 512, .acc_rows = 256, .param_rows = 16, .axi_data_width = 512}},
};

class Operators : public testing::TestWithParam<Machine> {
 protected:
  // Calls body(network, rounding) for several seeds.
  template <typename Body>
  static void Repeat(std::uint32_t first_seed, std::uint32_t count, Body body) {
    for (std::uint32_t seed = first_seed; seed < first_seed + count; ++seed) {
      SCOPED_TRACE(fmt::format("seed {}", seed));
      Network network(seed);
      body(network, seed % 4 == 3 ? Rounding::kSingle : Rounding::kDouble);
      if (HasFatalFailure()) return;
    }
  }
  static const isa::HardwareConfig& Config() { return GetParam().config; }
  static std::int32_t Small(Network& network, std::int64_t lo, std::int64_t hi) {
    return static_cast<std::int32_t>(network.Uniform(lo, hi));
  }
  static ir::Extent AnyExtent(Network& network, std::int64_t lo, std::int64_t hi) {
    return {.h = Small(network, lo, hi), .w = Small(network, lo, hi)};
  }
  static ir::Padding AnyPadding(Network& network, ir::Extent reach) {
    return {.top = Small(network, 0, reach.h - 1),
            .left = Small(network, 0, reach.w - 1),
            .bottom = Small(network, 0, reach.h - 1),
            .right = Small(network, 0, reach.w - 1)};
  }
  // An operator on x, or on x and another tensor of its shape.
  static ir::TensorId AnyOperator(Network& network, ir::TensorId x,
                                  const std::vector<ir::TensorId>& tensors) {
    const std::vector<std::int64_t> shape = network.graph().tensors[x].shape;
    const ir::Extent image = Network::ExtentOf(shape);
    const ir::Extent kernel = AnyExtent(network, 1, 3);
    switch (network.Uniform(0, 6)) {
      case 0:
        return network.Conv(x, network.Uniform(1, 40), kernel,
                            AnyWindow<ir::Conv2D>(network, image, kernel));
      case 1:
        return network.Conv(x, network.Uniform(1, 40), {.h = 1, .w = 1}, {});
      case 2:
        return network.Depthwise(x, 1, kernel,
                                 AnyWindow<ir::DepthwiseConv2D>(network, image, kernel));
      case 3: {
        ir::Pool2D op = {
            .kind = network.Uniform(0, 1) != 0 ? ir::PoolKind::kMax : ir::PoolKind::kAverage,
            .filter = {.h = std::min(2, image.h), .w = std::min(2, image.w)},
            .stride = AnyExtent(network, 1, 2)};
        return network.Pool(x, op);
      }
      case 4:
        return network.Apply(x);
      case 5: {
        const ir::TensorId flat = network.Shape(x, {1, 1, shape[1] * shape[2], shape[3]});
        return network.Shape(network.FullyConnect(flat, shape[3], network.Uniform(1, 40), true),
                             {1, shape[1], shape[2], -1});
      }
      default:
        for (const ir::TensorId other : tensors) {
          if (network.graph().tensors[other].shape == shape) {
            return network.Combine(x, other, static_cast<ir::BinaryKind>(network.Uniform(0, 2)));
          }
        }
        return network.Apply(x);
    }
  }
  // Stride, dilation and padding of a window that fits an image of that size.
  template <typename Op>
  static Op AnyWindow(Network& network, ir::Extent image, ir::Extent kernel) {
    Op op;
    op.stride = AnyExtent(network, 1, 3);
    op.dilation = AnyExtent(network, 1, 2);
    const ir::Extent reach = {.h = (kernel.h - 1) * op.dilation.h + 1,
                              .w = (kernel.w - 1) * op.dilation.w + 1};
    op.padding = AnyPadding(network, reach);
    op.padding.bottom = std::max(op.padding.bottom, reach.h - image.h);
    op.padding.right = std::max(op.padding.right, reach.w - image.w);
    op.activation = network.AnyActivation();
    return op;
  }
};

TEST_P(Operators, FullyConnected) {
  Repeat(100, 8, [](Network& network, Rounding rounding) {
    const std::int64_t rows = network.Uniform(1, 70);
    const std::int64_t in = network.Uniform(1, 150);
    const ir::TensorId x = network.Input({rows, in});
    const ir::TensorId y =
        network.FullyConnect(x, in, network.Uniform(1, 90), network.Uniform(0, 1) != 0);
    ExpectCorrect(network, {y}, Config(), rounding);
  });
}

TEST_P(Operators, FullyConnectedLargerThanTheMachine) {
  Repeat(120, 2, [](Network& network, Rounding rounding) {
    const std::int64_t in = network.Uniform(1500, 3000);
    const ir::TensorId x = network.Input({network.Uniform(1, 40), in});
    const ir::TensorId y = network.FullyConnect(x, in, network.Uniform(1, 200), true);
    ExpectCorrect(network, {y}, Config(), rounding);
  });
}

TEST_P(Operators, Conv) {
  Repeat(200, 12, [](Network& network, Rounding rounding) {
    const std::int64_t images = network.Uniform(1, 4) == 1 ? 2 : 1;
    const ir::TensorId x = network.Input(
        {images, network.Uniform(3, 20), network.Uniform(3, 20), network.Uniform(1, 40)});
    const ir::Extent image = Network::ExtentOf(network.graph().tensors[x].shape);
    const ir::Extent kernel = AnyExtent(network, 1, 4);
    const ir::TensorId y = network.Conv(x, network.Uniform(1, 40), kernel,
                                        AnyWindow<ir::Conv2D>(network, image, kernel));
    ExpectCorrect(network, {y}, Config(), rounding);
  });
}

TEST_P(Operators, ConvOfFewChannels) {
  Repeat(220, 8, [](Network& network, Rounding rounding) {
    const ir::TensorId x =
        network.Input({1, network.Uniform(5, 24), network.Uniform(5, 40), network.Uniform(1, 4)});
    const ir::Extent image = Network::ExtentOf(network.graph().tensors[x].shape);
    const ir::Extent kernel = AnyExtent(network, 3, 7);
    ir::Conv2D op = AnyWindow<ir::Conv2D>(network, image, kernel);
    op.dilation = {};
    const ir::TensorId y = network.Conv(x, network.Uniform(1, 20), kernel, op);
    ExpectCorrect(network, {y}, Config(), rounding);
  });
}

TEST_P(Operators, ConvOfManyChannels) {
  Repeat(240, 2, [](Network& network, Rounding rounding) {
    const ir::TensorId x = network.Input({1, 6, 7, network.Uniform(200, 300)});
    const ir::TensorId y = network.Conv(x, network.Uniform(30, 90), {.h = 3, .w = 3},
                                        {.padding = {.top = 1, .left = 1, .bottom = 1, .right = 1},
                                         .activation = ir::Activation::kRelu});
    ExpectCorrect(network, {y}, Config(), rounding);
  });
}

TEST_P(Operators, ConvOfOnePixel) {
  const isa::HardwareConfig config = Config();
  Repeat(260, 2, [&](Network& network, Rounding rounding) {
    const ir::TensorId x = network.Input({1, 1, 1, network.Uniform(1, 70)});
    const ir::TensorId y = network.Conv(x, network.Uniform(1, 70), {.h = 1, .w = 1}, {});
    ExpectCorrect(network, {y}, config, rounding);
  });
}

TEST_P(Operators, ConvWhoseWindowsLieInThePadding) {
  Repeat(280, 3, [](Network& network, Rounding rounding) {
    const ir::TensorId x = network.Input({1, 2, 3, network.Uniform(1, 20)});
    const ir::TensorId y = network.Conv(
        x, 5, {.h = 2, .w = 2}, {.padding = {.top = 4, .left = 5, .bottom = 6, .right = 3}});
    ExpectCorrect(network, {y}, Config(), rounding);
  });
}

TEST_P(Operators, Depthwise) {
  Repeat(300, 10, [](Network& network, Rounding rounding) {
    const ir::TensorId x = network.Input({network.Uniform(1, 2), network.Uniform(3, 20),
                                          network.Uniform(3, 20), network.Uniform(1, 50)});
    const ir::Extent image = Network::ExtentOf(network.graph().tensors[x].shape);
    const ir::Extent kernel = AnyExtent(network, 1, 4);
    const ir::TensorId y =
        network.Depthwise(x, 1, kernel, AnyWindow<ir::DepthwiseConv2D>(network, image, kernel));
    ExpectCorrect(network, {y}, Config(), rounding);
  });
}

TEST_P(Operators, DepthwiseOfManyChannels) {
  Repeat(320, 2, [](Network& network, Rounding rounding) {
    const ir::TensorId x = network.Input({1, 9, 9, network.Uniform(150, 250)});
    const ir::TensorId y = network.Depthwise(
        x, 1, {.h = 3, .w = 3}, {.padding = {.top = 1, .left = 1, .bottom = 1, .right = 1}});
    ExpectCorrect(network, {y}, Config(), rounding);
  });
}

TEST_P(Operators, DepthwiseWithMultiplier) {
  Repeat(340, 4, [](Network& network, Rounding rounding) {
    const ir::TensorId x =
        network.Input({1, network.Uniform(3, 12), network.Uniform(3, 12), network.Uniform(1, 10)});
    const ir::Extent image = Network::ExtentOf(network.graph().tensors[x].shape);
    const ir::Extent kernel = AnyExtent(network, 1, 3);
    const ir::TensorId y = network.Depthwise(
        x, network.Uniform(2, 9), kernel, AnyWindow<ir::DepthwiseConv2D>(network, image, kernel));
    ExpectCorrect(network, {y}, Config(), rounding);
  });
}

TEST_P(Operators, Pool) {
  Repeat(400, 12, [](Network& network, Rounding rounding) {
    const ir::TensorId x = network.Input({network.Uniform(1, 2), network.Uniform(3, 20),
                                          network.Uniform(3, 20), network.Uniform(1, 50)});
    ir::Pool2D op = {
        .kind = network.Uniform(0, 1) != 0 ? ir::PoolKind::kMax : ir::PoolKind::kAverage,
        .filter = AnyExtent(network, 1, 3),
        .stride = AnyExtent(network, 1, 3),
        .activation = network.AnyActivation()};
    op.padding = AnyPadding(network, op.filter);
    ExpectCorrect(network, {network.Pool(x, op)}, Config(), rounding);
  });
}

TEST_P(Operators, GlobalAveragePool) {
  Repeat(420, 2, [](Network& network, Rounding rounding) {
    const ir::TensorId x = network.Input({1, 7, 7, network.Uniform(1, 100)});
    const ir::TensorId y = network.Pool(
        x,
        {.kind = ir::PoolKind::kAverage, .filter = {.h = 7, .w = 7}, .stride = {.h = 7, .w = 7}});
    ExpectCorrect(network, {y}, Config(), rounding);
  });
}

TEST_P(Operators, Binary) {
  Repeat(500, 15, [](Network& network, Rounding rounding) {
    const std::vector<std::int64_t> shape = {1, network.Uniform(1, 9), network.Uniform(1, 9),
                                             network.Uniform(1, 40)};
    const ir::TensorId a = network.Input(shape);
    const ir::TensorId b =
        network.Uniform(0, 2) == 0 ? network.Constant(shape) : network.Input(shape);
    const auto kind = static_cast<ir::BinaryKind>(network.Uniform(0, 4));
    ExpectCorrect(network, {network.Combine(a, b, kind)}, Config(), rounding);
  });
}

TEST_P(Operators, BinaryOfOneTensorWithItself) {
  Repeat(520, 2, [](Network& network, Rounding rounding) {
    const ir::TensorId a = network.Input({3, 100});
    ExpectCorrect(network, {network.Combine(a, a, ir::BinaryKind::kAdd)}, Config(), rounding);
  });
}

TEST_P(Operators, Lookup) {
  Repeat(600, 3, [](Network& network, Rounding rounding) {
    const ir::TensorId x = network.Input({1, network.Uniform(1, 30), network.Uniform(1, 60)});
    ExpectCorrect(network, {network.Apply(x)}, Config(), rounding);
  });
}

// Layers of a network meet all layouts: blocked tensors between operators, NHWC at the ends.
TEST_P(Operators, ResidualNetwork) {
  Repeat(700, 3, [](Network& network, Rounding rounding) {
    const std::int64_t channels = network.Uniform(3, 40);
    const ir::Padding one = {.top = 1, .left = 1, .bottom = 1, .right = 1};
    const ir::TensorId x = network.Input({1, 10, 11, 3});
    const ir::TensorId a = network.Conv(x, channels, {.h = 3, .w = 3}, {.padding = one});
    const ir::TensorId b = network.Depthwise(a, 1, {.h = 3, .w = 3}, {.padding = one});
    const ir::TensorId c = network.Conv(b, channels, {.h = 1, .w = 1}, {});
    const ir::TensorId d = network.Combine(a, c, ir::BinaryKind::kAdd);
    const ir::TensorId e = network.Apply(d);
    const ir::TensorId f = network.Pool(
        e, {.kind = ir::PoolKind::kMax, .filter = {.h = 2, .w = 2}, .stride = {.h = 2, .w = 2}});
    const ir::TensorId g = network.Shape(f, {1, 5 * 5 * channels});
    const ir::TensorId h = network.FullyConnect(g, 5 * 5 * channels, 10, true);
    ExpectCorrect(network, {h, d}, Config(), rounding);
  });
}

// Any operators one after the other, each on any earlier tensor: tensors stay on chip or not, live
// long or briefly.
TEST_P(Operators, RandomNetworks) {
  Repeat(800, 12, [](Network& network, Rounding rounding) {
    std::vector<ir::TensorId> tensors = {
        network.Input({1, network.Uniform(4, 12), network.Uniform(4, 12), network.Uniform(1, 30)})};
    const std::int64_t operators = network.Uniform(4, 9);
    for (std::int64_t i = 0; i < operators; ++i) {
      const auto recent = static_cast<std::int64_t>(tensors.size()) - 1;
      const ir::TensorId x = tensors[static_cast<std::size_t>(
          network.Uniform(std::max<std::int64_t>(0, recent - 2), recent))];
      tensors.push_back(AnyOperator(network, x, tensors));
    }
    // The last one and one from the middle.
    std::vector<ir::TensorId> outputs = {tensors.back()};
    if (tensors.size() > 4 && tensors[3] != tensors.back()) outputs.push_back(tensors[3]);
    ExpectCorrect(network, outputs, Config(), rounding);
  });
}

// An addition of a graph input (NHWC) and a tensor between operators (blocked).
TEST_P(Operators, MixedLayouts) {
  Repeat(720, 2, [](Network& network, Rounding rounding) {
    const std::int64_t channels = network.Uniform(65, 90);
    const ir::TensorId x = network.Input({1, 5, 6, channels});
    const ir::TensorId y = network.Conv(x, channels, {.h = 1, .w = 1}, {});
    const ir::TensorId z = network.Combine(x, y, ir::BinaryKind::kSub);
    const ir::TensorId p = network.Pool(
        z,
        {.kind = ir::PoolKind::kAverage, .filter = {.h = 2, .w = 2}, .stride = {.h = 1, .w = 1}});
    ExpectCorrect(network, {p}, Config(), rounding);
  });
}

INSTANTIATE_TEST_SUITE_P(Machines, Operators, testing::ValuesIn(kMachines),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tpu::compiler
