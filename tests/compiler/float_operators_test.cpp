// SPDX-License-Identifier: Apache-2.0
// Operators on float32, compiled for machines with bf16, on the golden model. Integers that bf16
// holds exactly must give the exact result, rounded once; other numbers results as near to double
// precision as docs/arithmetic.md derives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/compile.h"
#include "executable/executable_file.h"
#include "float_network.h"
#include "float_reference.h"

namespace tpu::compiler {
namespace {

struct FloatMachine {
  const char* name;
  isa::HardwareConfig config;
};

void PrintTo(const FloatMachine& machine, std::ostream* out) { *out << machine.name; }

const FloatMachine kFloatMachines[] = {
    {"N4small",
     {.n = 4, .ub_rows = 1024, .acc_rows = 64, .param_rows = 16, .axi_data_width = 32, .bf16 = 1}},
    {"N8",
     {.n = 8, .ub_rows = 2048, .acc_rows = 128, .param_rows = 32, .axi_data_width = 64, .bf16 = 1}},
    {"N16", {.bf16 = 1}},
    {"N16small", {.n = 16, .ub_rows = 1024, .acc_rows = 64, .param_rows = 16, .bf16 = 1}},
};

class FloatOperators : public testing::TestWithParam<FloatMachine> {
 protected:
  // Calls body(network) with integers, whose results must be exact, and with other numbers.
  template <typename Body>
  static void Repeat(std::uint32_t count, Body body) {
    for (std::uint32_t seed = 0; seed < 2 * count; ++seed) {
      SCOPED_TRACE(fmt::format("seed {}", seed));
      FloatNetwork network(seed, seed % 2 == 0 ? Values::kIntegers : Values::kReals);
      network.graph().outputs = body(network);
      const bool exact = seed % 2 == 0 && network.graph().operators.size() == 1;
      ExpectFloats(network, GetParam().config, exact);
      if (HasFatalFailure()) return;
    }
  }
};

TEST_P(FloatOperators, FullyConnected) {
  Repeat(4, [](FloatNetwork& network) -> Ids {
    const std::int64_t in = network.Uniform(1, 150);
    const ir::TensorId x = network.Input({network.Uniform(1, 40), in});
    return {network.FullyConnect(x, network.Uniform(1, 90))};
  });
}

TEST_P(FloatOperators, FullyConnectedLargerThanTheMachine) {
  Repeat(1, [](FloatNetwork& network) -> Ids {
    const ir::TensorId x = network.Input({network.Uniform(1, 20), network.Uniform(1500, 2500)});
    return {network.FullyConnect(x, network.Uniform(50, 100))};
  });
}

TEST_P(FloatOperators, Conv) {
  Repeat(5, [](FloatNetwork& network) -> Ids {
    const ir::TensorId x = network.Input({network.Uniform(1, 2), network.Uniform(3, 14),
                                          network.Uniform(3, 14), network.Uniform(1, 40)});
    return {network.Conv(x, network.Uniform(1, 40), network.AnyWindow<ir::Conv2D>(x, 3))};
  });
}

// Kernel columns and channels share the lanes.
TEST_P(FloatOperators, ConvOfFewChannels) {
  Repeat(4, [](FloatNetwork& network) -> Ids {
    const ir::TensorId x =
        network.Input({1, network.Uniform(5, 20), network.Uniform(5, 30), network.Uniform(1, 4)});
    auto window = network.AnyWindow<ir::Conv2D>(x, 4);
    window.op.dilation = {};
    return {network.Conv(x, network.Uniform(1, 20), window)};
  });
}

TEST_P(FloatOperators, GroupedConv) {
  Repeat(2, [](FloatNetwork& network) -> Ids {
    const ir::TensorId x = network.Input({1, 6, 7, 12});
    return {network.Conv(x, 8, network.AnyWindow<ir::Conv2D>(x, 2), 4)};
  });
}

TEST_P(FloatOperators, Depthwise) {
  Repeat(4, [](FloatNetwork& network) -> Ids {
    const ir::TensorId x =
        network.Input({1, network.Uniform(3, 14), network.Uniform(3, 14), network.Uniform(1, 40)});
    return {network.Depthwise(x, 1, network.AnyWindow<ir::DepthwiseConv2D>(x, 3))};
  });
}

// Between other layers the array may compute two pixels in a row.
TEST_P(FloatOperators, DepthwiseBetweenConvolutions) {
  Repeat(4, [](FloatNetwork& network) -> Ids {
    const ir::TensorId x = network.Input({network.Uniform(1, 2), network.Uniform(6, 20),
                                          network.Uniform(6, 20), network.Uniform(1, 20)});
    const ir::TensorId wide = network.Conv(x, network.Uniform(3, 40), {.op = {}, .kernel = {}});
    const ir::TensorId deep =
        network.Depthwise(wide, 1, network.AnyWindow<ir::DepthwiseConv2D>(wide, 5));
    return {network.Conv(deep, 8, {.op = {}, .kernel = {}})};
  });
}

// A convolution that makes an even number of rows, and a depthwise one behind it: blocks of 2 x 2
// pixels, but for the smallest kernels and images. Small machines cut the images in tiles.
TEST_P(FloatOperators, DepthwiseInBlocks) {
  Repeat(8, [](FloatNetwork& network) -> Ids {
    const auto any = [&](std::int64_t lo, std::int64_t hi) {
      return static_cast<std::int32_t>(network.Uniform(lo, hi));
    };
    const std::int32_t lanes = static_cast<std::int32_t>(GetParam().config.n);
    const ir::TensorId x = network.Input({any(1, 2), 2 * any(3, 16), 2 * any(3, 12), any(1, 20)});
    const std::int32_t side = any(0, 1);
    const ir::TensorId wide =
        network.Conv(x, lanes + any(0, 2 * lanes),
                     {.op = {.padding = {.top = side, .left = side, .bottom = side, .right = side}},
                      .kernel = {.h = 1 + 2 * side, .w = 1 + 2 * side}});
    const ir::Extent kernel = {.h = any(3, 5), .w = any(3, 5)};
    const ir::TensorId deep = network.Depthwise(wide, 1,
                                                {.op = {.padding = {.top = any(0, kernel.h - 1),
                                                                    .left = any(0, kernel.w - 1),
                                                                    .bottom = any(0, kernel.h - 1),
                                                                    .right = any(0, kernel.w - 1)}},
                                                 .kernel = kernel});
    // A convolution's sums hide small mistakes in one channel.
    if (any(0, 1) == 0) return {network.Pool(deep, ir::PoolKind::kMax, 2)};
    return {network.Conv(deep, 8, {.op = {}, .kernel = {}})};
  });
}

bool DrainsBlocks(const executable::Executable& executable) {
  const auto programs = executable::Programs(executable);
  return std::ranges::any_of(programs, [](const std::vector<isa::Instruction>& program) {
    return std::ranges::any_of(program, [](const isa::Instruction& instruction) {
      const auto* drain = std::get_if<isa::Fvector>(&instruction);
      return drain != nullptr && drain->interleave == isa::FloatInterleave::kNext;
    });
  });
}

// Windows that reach over all sides, and ones that stay inside.
TEST_P(FloatOperators, DepthwiseInBlocksWithAndWithoutPadding) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    const auto side = static_cast<std::int32_t>(seed % 2);
    FloatNetwork network(seed, Values::kReals);
    const ir::TensorId x = network.Input({1, 14, 14, 4});
    const ir::TensorId wide = network.Conv(x, 3 * static_cast<std::int64_t>(GetParam().config.n),
                                           {.op = {}, .kernel = {}});
    const ir::TensorId deep = network.Depthwise(
        wide, 1,
        {.op = {.padding = {.top = side, .left = side, .bottom = side, .right = side}},
         .kernel = {.h = 3, .w = 3}});
    network.graph().outputs = {network.Pool(deep, ir::PoolKind::kMax, 2)};
    EXPECT_TRUE(DrainsBlocks(Compile(network.graph(), GetParam().config)));
    ExpectFloats(network, GetParam().config, false);
  }
}

TEST_P(FloatOperators, DepthwiseWithMultiplier) {
  Repeat(2, [](FloatNetwork& network) -> Ids {
    const ir::TensorId x = network.Input({1, 5, 6, network.Uniform(1, 12)});
    return {network.Depthwise(x, 3, network.AnyWindow<ir::DepthwiseConv2D>(x, 3))};
  });
}

TEST_P(FloatOperators, MaxPool) {
  Repeat(3, [](FloatNetwork& network) -> Ids {
    const ir::TensorId x =
        network.Input({1, network.Uniform(3, 12), network.Uniform(3, 12), network.Uniform(1, 40)});
    return {network.Pool(x, ir::PoolKind::kMax, 3)};
  });
}

TEST_P(FloatOperators, AveragePool) {
  Repeat(3, [](FloatNetwork& network) -> Ids {
    const ir::TensorId x =
        network.Input({1, network.Uniform(3, 12), network.Uniform(3, 12), network.Uniform(1, 40)});
    return {network.Pool(x, ir::PoolKind::kAverage, 3)};
  });
}

TEST_P(FloatOperators, Binary) {
  for (const auto kind : {ir::BinaryKind::kAdd, ir::BinaryKind::kSub, ir::BinaryKind::kMul,
                          ir::BinaryKind::kMaximum, ir::BinaryKind::kMinimum}) {
    SCOPED_TRACE(static_cast<int>(kind));
    Repeat(1, [&](FloatNetwork& network) -> Ids {
      const ir::Shape shape = {1, network.Uniform(1, 9), network.Uniform(1, 9),
                               network.Uniform(1, 40)};
      const ir::TensorId a = network.Input(shape);
      return {network.Combine(a, network.Input(shape), kind, shape)};
    });
  }
}

// Moves leave both operands in memory.
TEST_P(FloatOperators, BinaryOfTensorsInMemory) {
  Repeat(1, [](FloatNetwork& network) -> Ids {
    const auto moved = [&] {
      const ir::TensorId x = network.Make(ir::Unary{}, {network.Input({9, 20})}, {9, 20});
      return network.Make(ir::Transpose{.permutation = {1, 0}}, {x}, {20, 9});
    };
    const ir::TensorId a = moved();
    return {network.Combine(a, moved(), ir::BinaryKind::kSub, {20, 9})};
  });
}

// Repeated by moves or, of constants that are everywhere the same, held by the instruction.
TEST_P(FloatOperators, BinaryWithBroadcasting) {
  for (const auto kind : {ir::BinaryKind::kAdd, ir::BinaryKind::kSub}) {
    SCOPED_TRACE(static_cast<int>(kind));
    for (const bool constant_first : {false, true}) {
      for (const ir::Shape& small : {ir::Shape{1}, ir::Shape{20}, ir::Shape{5, 1, 1}}) {
        Repeat(1, [&](FloatNetwork& network) -> Ids {
          const ir::Shape shape = {1, 5, 6, 20};
          const ir::TensorId a = network.Input(shape);
          const ir::TensorId b = network.Constant(small);
          return {constant_first ? network.Combine(b, a, kind, shape)
                                 : network.Combine(a, b, kind, shape)};
        });
      }
    }
  }
  Repeat(1, [&](FloatNetwork& network) -> Ids {
    const ir::TensorId a = network.Input({1, 5, 6, 20});
    return {network.Combine(network.Input({1, 1, 1, 20}), a, ir::BinaryKind::kMul, {1, 5, 6, 20})};
  });
}

TEST_P(FloatOperators, FunctionsOfOneValue) {
  for (const auto kind : {ir::UnaryKind::kRelu, ir::UnaryKind::kRelu6, ir::UnaryKind::kReluN1To1,
                          ir::UnaryKind::kLogistic, ir::UnaryKind::kTanh, ir::UnaryKind::kHardSwish,
                          ir::UnaryKind::kElu}) {
    SCOPED_TRACE(static_cast<int>(kind));
    FloatNetwork network(7, Values::kReals);
    const ir::TensorId x = network.Input({1, 3, 5, 21});
    network.graph().outputs = {network.Make(ir::Unary{.kind = kind}, {x}, {1, 3, 5, 21})};
    ExpectFloats(network, GetParam().config, false);
  }
}

// Of numbers above 1/4: all of the functions are there what the bound takes them for.
TEST_P(FloatOperators, FunctionsOfRealNumbers) {
  for (int kind = 0; kind <= static_cast<int>(ir::FunctionKind::kSquare); ++kind) {
    SCOPED_TRACE(kind);
    FloatNetwork network(7, Values::kReals);
    const ir::Shape shape = {3, 5, 21};
    const ir::TensorId square = network.Make(ir::Function{.kind = ir::FunctionKind::kSquare},
                                             {network.Input(shape)}, shape);
    const ir::TensorId x = network.Make(ir::Binary{}, {square, network.Scalar(0.25F)}, shape);
    network.graph().outputs = {
        network.Make(ir::Function{.kind = static_cast<ir::FunctionKind>(kind)}, {x}, shape)};
    ExpectFloats(network, GetParam().config, false);
  }
}

TEST_P(FloatOperators, SquareRootOfZeroIsZero) {
  FloatNetwork network(7, Values::kReals);
  const ir::TensorId x = network.Input({2});
  network.graph().outputs = {network.Make(ir::Function{.kind = ir::FunctionKind::kSqrt}, {x}, {2})};
  const std::vector<std::vector<float>> inputs = {{0.0F, 4.0F}};
  const auto outputs = RunOnGolden(Compile(network.graph(), GetParam().config), inputs);
  EXPECT_EQ(ValuesOf<float>(outputs[0]), (std::vector<float>{0.0F, 2.0F}));
}

// Each product is below 2^-126 and becomes zero, so that many of them are missing in the sum.
TEST_P(FloatOperators, SumOfProductsThatBecomeZero) {
  FloatNetwork network(7, Values::kReals);
  const ir::TensorId x = network.Input({1, 40});
  const ir::TensorId weights = network.Constant({1, 40});
  network.graph().tensors[weights].data = std::vector<float>(40, 0x1p-63F);
  network.graph().outputs = {network.Make(ir::FullyConnected{}, {x, weights}, {1, 1})};
  const std::vector<std::vector<float>> inputs = {std::vector<float>(40, 0x1p-64F)};
  const auto outputs = RunOnGolden(Compile(network.graph(), GetParam().config), inputs);
  const reference::Numbers expected = reference::EvaluateFloats(network.graph(), inputs).at(0);
  EXPECT_EQ(expected[0].value, 40 * 0x1p-127);
  ExpectNear(ValuesOf<float>(outputs[0]), expected, false);
}

// An operator on int8, one on float32 between DEQUANTIZE and QUANTIZE, and a move of int8.
TEST_P(FloatOperators, BetweenOperatorsOnBytes) {
  ir::Graph graph;
  const auto tensor = [&](ElementType type, float scale, std::int32_t zero_point) {
    ir::Tensor made = {.name = "t", .type = type};
    made.shape = {1, 5, 7, 19};
    made.scale = scale;
    made.zero_point = zero_point;
    return graph.AddTensor(std::move(made));
  };
  const ir::TensorId x = tensor(ElementType::kInt8, 0.05F, 3);
  const ir::TensorId sum = tensor(ElementType::kInt8, 0.08F, -7);
  const ir::TensorId real = tensor(ElementType::kFloat32, 1, 0);
  const ir::TensorId tanh = tensor(ElementType::kFloat32, 1, 0);
  const ir::TensorId codes = tensor(ElementType::kInt8, 0.01F, 11);
  const ir::TensorId turned = tensor(ElementType::kInt8, 0.01F, 11);
  graph.tensors[turned].shape = {1, 19, 5, 7};
  graph.inputs = {x};
  graph.outputs = {turned};
  graph.operators = {
      {.name = "add", .inputs = {x, x}, .outputs = {sum}, .attributes = ir::Binary{}},
      {.name = "real", .inputs = {sum}, .outputs = {real}, .attributes = ir::Dequantize{}},
      {.name = "tanh",
       .inputs = {real},
       .outputs = {tanh},
       .attributes = ir::Unary{.kind = ir::UnaryKind::kTanh}},
      {.name = "codes", .inputs = {tanh}, .outputs = {codes}, .attributes = ir::Quantize{}},
      {.name = "turn",
       .inputs = {codes},
       .outputs = {turned},
       .attributes = ir::Transpose{.permutation = {0, 3, 1, 2}}}};
  std::vector<std::int8_t> bytes(5 * 7 * 19);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::int8_t>(i * 37 % 256);
  const auto outputs =
      RunOnGolden(Compile(graph, GetParam().config), std::vector<std::vector<std::int8_t>>{bytes});
  const auto got = ValuesOf<std::int8_t>(outputs[0]);
  const auto expected =
      reference::EvaluateFloats(graph, {std::vector<float>(bytes.begin(), bytes.end())}).at(0);
  ExpectNear(std::vector<float>(got.begin(), got.end()), expected, false);
}

// A quotient by a tensor, and one by a constant.
TEST_P(FloatOperators, Divide) {
  FloatNetwork network(3, Values::kReals);
  const ir::Shape shape = {3, 5, 21};
  const ir::TensorId divisor = network.Make(ir::Function{.kind = ir::FunctionKind::kExp},
                                            {network.Input({3, 5, 1})}, {3, 5, 1});
  const ir::TensorId a = network.Input(shape);
  network.graph().outputs = {
      network.Make(ir::Divide{.activation = ir::Activation::kRelu}, {a, divisor}, shape),
      network.Make(ir::Divide{}, {a, network.Scalar(3.0F)}, shape)};
  ExpectFloats(network, GetParam().config, false);
}

// As converters write it. The mean makes numbers of no channel that a product must not see.
TEST_P(FloatOperators, LayerNormalisation) {
  FloatNetwork network(5, Values::kReals);
  const ir::Shape shape = {6, 19};
  const ir::Shape rows = {6, 1};
  const auto mean_of = [&](ir::TensorId x) {
    return network.Make(ir::Reduce{.kind = ir::ReduceKind::kMean, .axes = {1}}, {x}, rows);
  };
  const ir::TensorId x = network.Input(shape);
  const ir::TensorId mean = mean_of(x);
  const ir::TensorId variance = mean_of(network.Make(ir::SquaredDifference{}, {x, mean}, shape));
  const ir::TensorId deviation =
      network.Make(ir::Binary{}, {variance, network.Scalar(0.001F)}, rows);
  const ir::TensorId factor =
      network.Make(ir::Function{.kind = ir::FunctionKind::kRsqrt}, {deviation}, rows);
  const ir::TensorId centred =
      network.Make(ir::Binary{.kind = ir::BinaryKind::kSub}, {x, mean}, shape);
  const ir::TensorId normal =
      network.Make(ir::Binary{.kind = ir::BinaryKind::kMul}, {centred, factor}, shape);
  const ir::TensorId scaled = network.Make(ir::Binary{.kind = ir::BinaryKind::kMul},
                                           {normal, network.Constant({19})}, shape);
  network.graph().outputs = {network.FullyConnect(scaled, 8)};
  ExpectFloats(network, GetParam().config, false);
}

// 1 / 0 in lanes without a channel does not reach the product behind.
TEST_P(FloatOperators, LanesWithoutAChannelStayOutOfProducts) {
  FloatNetwork network(5, Values::kReals);
  const ir::Shape shape = {4, 5};
  const ir::TensorId exponentials =
      network.Make(ir::Function{.kind = ir::FunctionKind::kExp}, {network.Input(shape)}, shape);
  const ir::TensorId turned =
      network.Make(ir::Divide{}, {network.Scalar(1.0F), exponentials}, shape);
  network.graph().outputs = {network.FullyConnect(turned, 3)};
  ExpectFloats(network, GetParam().config, false);
}

TEST_P(FloatOperators, BatchMatMul) {
  for (const bool transposed_a : {false, true}) {
    for (const bool transposed_b : {false, true}) {
      SCOPED_TRACE(fmt::format("transposed {} {}", transposed_a, transposed_b));
      Repeat(2, [&](FloatNetwork& network) -> Ids {
        const std::int64_t rows = network.Uniform(1, 20);
        const std::int64_t terms = network.Uniform(1, 40);
        const std::int64_t columns = network.Uniform(1, 40);
        const auto shape = [](std::int64_t batch, std::int64_t h, std::int64_t w, bool transposed) {
          return transposed ? ir::Shape{batch, w, h} : ir::Shape{batch, h, w};
        };
        const std::int64_t batch = network.Uniform(1, 3);
        const ir::TensorId a = network.Input(shape(batch, rows, terms, transposed_a));
        const ir::TensorId b = network.Input(
            shape(network.Uniform(0, 1) == 0 ? 1 : batch, terms, columns, transposed_b));
        return {network.Make(ir::BatchMatMul{.transposed = {transposed_a, transposed_b}}, {a, b},
                             {batch, rows, columns})};
      });
    }
  }
}

TEST_P(FloatOperators, SoftmaxOnTheDevice) {
  for (const ir::Shape& shape : {ir::Shape{3, 30}, ir::Shape{2, 5, 17}, ir::Shape{1, 40}}) {
    for (const float beta : {1.0F, 0.3F}) {
      Repeat(1, [&](FloatNetwork& network) -> Ids {
        const ir::TensorId y =
            network.Make(ir::Softmax{.beta = beta}, {network.Input(shape)}, shape);
        return {network.Make(ir::Unary{.kind = ir::UnaryKind::kRelu}, {y}, shape)};
      });
    }
  }
}

TEST_P(FloatOperators, ResizeBilinear) {
  for (const bool half_pixel_centers : {false, true}) {
    for (const std::int64_t factor : {2, 4}) {
      Repeat(1, [&](FloatNetwork& network) -> Ids {
        const ir::Resize op = {.kind = ir::ResizeKind::kBilinear,
                               .half_pixel_centers = half_pixel_centers};
        return {network.Make(op, {network.Input({1, 4, 5, 9})}, {1, 4 * factor, 5 * factor, 9})};
      });
    }
  }
}

// e to the power of these numbers themselves is infinite.
TEST_P(FloatOperators, SoftmaxOfLargeNumbers) {
  FloatNetwork network(9, Values::kReals);
  const ir::Shape shape = {3, 30};
  const ir::TensorId x = network.Make(ir::Binary{.kind = ir::BinaryKind::kMul},
                                      {network.Input(shape), network.Scalar(500.0F)}, shape);
  const ir::TensorId y = network.Make(ir::Softmax{}, {x}, shape);
  network.graph().outputs = {network.Make(ir::Unary{.kind = ir::UnaryKind::kRelu}, {y}, shape)};
  ExpectFloats(network, GetParam().config, false);
}

// Queries times keys, softmax, times values.
TEST_P(FloatOperators, Attention) {
  Repeat(1, [](FloatNetwork& network) -> Ids {
    const ir::TensorId x = network.Input({10, 6});
    const auto head = [&](ir::TensorId y) { return network.Make(ir::Reshape{}, {y}, {1, 10, 9}); };
    const ir::TensorId queries = head(network.FullyConnect(x, 9));
    const ir::TensorId keys = head(network.FullyConnect(x, 9));
    const ir::TensorId values = head(network.FullyConnect(x, 9));
    const ir::TensorId scores =
        network.Make(ir::BatchMatMul{.transposed = {false, true}}, {queries, keys}, {1, 10, 10});
    const ir::TensorId weights = network.Make(ir::Softmax{.beta = 0.01F}, {scores}, {1, 10, 10});
    return {network.Make(ir::BatchMatMul{}, {weights, values}, {1, 10, 9})};
  });
}

TEST_P(FloatOperators, LeakyRelu) {
  for (const float alpha : {0.1F, 1.0F, 1.7F, -0.3F}) {
    SCOPED_TRACE(alpha);
    FloatNetwork network(7, Values::kReals);
    const ir::TensorId x = network.Input({1, 3, 5, 21});
    network.graph().outputs = {network.Make(ir::LeakyRelu{.alpha = alpha}, {x}, {1, 3, 5, 21})};
    ExpectFloats(network, GetParam().config, false);
  }
}

TEST_P(FloatOperators, Prelu) {
  Repeat(1, [](FloatNetwork& network) -> Ids {
    const ir::TensorId x = network.Input({1, 3, 5, 21});
    return {network.Make(ir::Prelu{}, {x, network.Constant({1, 1, 21})}, {1, 3, 5, 21})};
  });
}

TEST_P(FloatOperators, Reduce) {
  struct Case {
    ir::Shape axes;
    ir::Shape output;
  };
  const std::vector<Case> cases = {{{1, 2}, {2, 18}}, {{3}, {2, 4, 5}}, {{1}, {2, 5, 18}}};
  for (const Case& c : cases) {
    for (const auto kind : {ir::ReduceKind::kMean, ir::ReduceKind::kSum}) {
      Repeat(1, [&](FloatNetwork& network) -> Ids {
        const ir::TensorId x = network.Input({2, 4, 5, 18});
        return {network.Make(ir::Reduce{.kind = kind, .axes = c.axes}, {x}, c.output)};
      });
    }
  }
}

TEST_P(FloatOperators, SoftmaxOnTheHost) {
  Repeat(1, [](FloatNetwork& network) -> Ids {
    const ir::TensorId x = network.Input({3, 30});
    const ir::TensorId y = network.FullyConnect(x, 17);
    return {network.Make(ir::Softmax{.beta = 0.5F}, {y}, {3, 17})};
  });
}

TEST_P(FloatOperators, Moves) {
  Repeat(1, [](FloatNetwork& network) -> Ids {
    const ir::TensorId x = network.Input({1, 4, 6, 20});
    const ir::TensorId y =
        network.Make(ir::Pad{.before = {0, 1, 2, 0}, .after = {0, 0, 1, 3}}, {x}, {1, 5, 9, 23});
    const ir::TensorId relu =
        network.Make(ir::Unary{.kind = ir::UnaryKind::kRelu}, {y}, {1, 5, 9, 23});
    const ir::TensorId transposed =
        network.Make(ir::Transpose{.permutation = {0, 2, 3, 1}}, {relu}, {1, 9, 23, 5});
    return {network.Make(ir::Concatenation{.axis = 3}, {transposed, transposed}, {1, 9, 23, 10}),
            network.Make(ir::Reshape{}, {relu}, {45, 23})};
  });
}

// Layers that leave tensors in the unified buffer and in blocks.
TEST_P(FloatOperators, ResidualNetwork) {
  Repeat(2, [](FloatNetwork& network) -> Ids {
    const ir::TensorId x = network.Input({1, 9, 11, 3});
    const auto same = [](std::int32_t kernel) {
      const std::int32_t pad = kernel / 2;
      return ir::Padding{.top = pad, .left = pad, .bottom = pad, .right = pad};
    };
    const ir::TensorId stem =
        network.Conv(x, 24, {.op = {.padding = same(3)}, .kernel = {.h = 3, .w = 3}});
    const ir::TensorId wide = network.Conv(stem, 40, {.op = {}, .kernel = {}});
    const ir::TensorId deep =
        network.Depthwise(wide, 1, {.op = {.padding = same(3)}, .kernel = {.h = 3, .w = 3}});
    const ir::TensorId narrow = network.Conv(deep, 24, {.op = {}, .kernel = {}});
    const ir::TensorId sum = network.Combine(stem, narrow, ir::BinaryKind::kAdd, {1, 9, 11, 24});
    const ir::TensorId mean = network.Make(
        ir::Reduce{.kind = ir::ReduceKind::kMean, .axes = {1, 2}}, {sum}, {1, 1, 1, 24});
    return {network.FullyConnect(network.Make(ir::Reshape{}, {mean}, {1, 24}), 10)};
  });
}

// All of them are float32 for the user.
TEST_P(FloatOperators, IntermediatesCanBeKept) {
  FloatNetwork network(4, Values::kReals);
  const ir::TensorId x = network.Input({3, 20});
  const ir::TensorId hidden = network.FullyConnect(x, 17);
  const ir::TensorId y = network.FullyConnect(hidden, 5);
  network.graph().outputs = {y};
  const auto inputs = network.InputValues();
  const executable::Executable executable =
      Compile(network.graph(), GetParam().config, {.keep_intermediates = true});
  ASSERT_EQ(executable.outputs.size(), 2U);
  const auto outputs = RunOnGolden(executable, inputs);
  network.graph().outputs = {y, hidden};
  const auto expected = reference::EvaluateFloats(network.graph(), inputs);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(executable.outputs[i].type, ElementType::kFloat32);
    ExpectNear(ValuesOf<float>(outputs[i]), expected[i], false);
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, FloatOperators, testing::ValuesIn(kFloatMachines),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(FloatNumbers, HaveNoBoundAtAPole) {
  using reference::IsOpen;
  EXPECT_TRUE(IsOpen(reference::Reciprocal({.value = 1, .error = 1.5})));
  EXPECT_TRUE(IsOpen(reference::Reciprocal({.value = -1, .error = 1})));
  EXPECT_FALSE(IsOpen(reference::Reciprocal({.value = -1, .error = 0.5})));
  EXPECT_TRUE(IsOpen(reference::Rsqrt({.value = 0.25, .error = 0.5})));
  EXPECT_TRUE(IsOpen(reference::Log({.value = -1, .error = 0.5})));
  EXPECT_FALSE(IsOpen(reference::Log({.value = 1, .error = 0.5})));
}

TEST(FloatNumbers, HaveNoBoundWhereTheyMayBecomeInfinite) {
  using reference::IsOpen;
  const reference::Number large = {.value = 0x1p127};
  EXPECT_FALSE(IsOpen(reference::Rounded(large)));
  EXPECT_TRUE(IsOpen(reference::Plus(large, large)));
  EXPECT_TRUE(IsOpen(reference::Times(reference::Open(1), {})));
  EXPECT_TRUE(IsOpen(reference::Exp({.value = 100})));
  reference::Sum sum;  // The sum is zero, and a part of it may be infinite.
  sum.Add(large);
  sum.Add({.value = -0x1p127});
  EXPECT_TRUE(IsOpen(sum.Result()));
}

TEST(FloatModels, NeedAMachineWithBf16) {
  FloatNetwork network(1, Values::kReals);
  network.graph().outputs = {network.FullyConnect(network.Input({2, 3}), 4)};
  try {
    Compile(network.graph(), {});
    FAIL() << "compiled";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "op0 (FULLY_CONNECTED): tensor t0 is float32, and the machine has no bf16: "
                 "quantise the model to int8, or compile it for a machine with bf16");
  }
}

}  // namespace
}  // namespace tpu::compiler
