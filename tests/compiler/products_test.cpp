// SPDX-License-Identifier: Apache-2.0
// BATCH_MATMUL on int8, in random shapes and with random zero points, on machines of several sizes:
// compiled programs on the golden model against plain loops.
#include <gtest/gtest.h>

#include <array>
#include <ostream>
#include <vector>

#include "network.h"

namespace tpu::compiler {
namespace {

struct ProductMachine {
  const char* name;
  isa::HardwareConfig config;
};

void PrintTo(const ProductMachine& machine, std::ostream* out) { *out << machine.name; }

const ProductMachine kProductMachines[] = {
    {"N4small", {.n = 4, .ub_rows = 512, .acc_rows = 64, .param_rows = 16, .axi_data_width = 32}},
    {"N4bf16",
     {.n = 4, .ub_rows = 512, .acc_rows = 64, .param_rows = 16, .axi_data_width = 32, .bf16 = 1}},
    {"N8", {.n = 8, .ub_rows = 1024, .acc_rows = 128, .param_rows = 32, .axi_data_width = 64}},
    {"N16", {.n = 16, .ub_rows = 16384, .acc_rows = 2048, .param_rows = 512}},
    {"N16bf16", {.n = 16, .ub_rows = 16384, .acc_rows = 2048, .param_rows = 512, .bf16 = 1}},
    {"N32", {.n = 32, .ub_rows = 2048, .acc_rows = 512, .param_rows = 64, .axi_data_width = 256}},
};

using Sizes = std::vector<std::int64_t>;

class Products : public testing::TestWithParam<ProductMachine> {
 protected:
  // Calls body(network) for several seeds, and expects the tensor that it makes.
  template <typename Body>
  static void Repeat(std::uint32_t first_seed, std::uint32_t count, Body body) {
    for (std::uint32_t seed = first_seed; seed < first_seed + count; ++seed) {
      SCOPED_TRACE(fmt::format("seed {}", seed));
      Network network(seed);
      const ir::TensorId product = body(network);
      ExpectCorrect(network, {product}, GetParam().config,
                    seed % 4 == 3 ? Rounding::kSingle : Rounding::kDouble);
      if (HasFatalFailure()) return;
    }
  }
  static Sizes Matrix(Sizes batch, std::int64_t rows, std::int64_t columns, bool transposed) {
    if (transposed) std::swap(rows, columns);
    batch.insert(batch.end(), {rows, columns});
    return batch;
  }
};

TEST_P(Products, OfTwoResults) {
  Repeat(1, 5, [](Network& network) {
    const std::array<bool, 2> transposed = {network.Uniform(0, 1) != 0, network.Uniform(0, 1) != 0};
    const Sizes batch = {network.Uniform(1, 3), network.Uniform(1, 3)};
    const std::int64_t rows = network.Uniform(1, 40);
    const std::int64_t terms = network.Uniform(1, 70);
    const std::int64_t columns = network.Uniform(1, 70);
    const ir::TensorId a = network.Input(Matrix(batch, rows, terms, transposed[0]));
    const ir::TensorId b = network.Input(Matrix(batch, terms, columns, transposed[1]));
    return network.Multiply(network.Apply(a), network.Apply(b), transposed, batch);
  });
}

TEST_P(Products, OfMatricesThatBroadcast) {
  Repeat(40, 8, [](Network& network) {
    const Sizes batch = {2, 3};
    const auto some = [&] {
      return network.Uniform(0, 1) != 0 ? Sizes{network.Uniform(0, 1) + 1, 1} : Sizes{3};
    };
    const ir::TensorId a = network.Input(Matrix({2, 3}, 5, 18, false));
    const ir::TensorId b = network.Input(Matrix(some(), 18, 33, false));
    return network.Uniform(0, 1) != 0 ? network.Multiply(a, b, {false, false}, batch)
                                      : network.Multiply(b, a, {true, true}, {2, 3});
  });
}

TEST_P(Products, WithAConstant) {
  Repeat(60, 8, [](Network& network) {
    const std::array<bool, 2> transposed = {network.Uniform(0, 1) != 0, network.Uniform(0, 1) != 0};
    const Sizes batch = {network.Uniform(1, 3)};
    const bool first = network.Uniform(0, 1) != 0;
    const Sizes shape_a = Matrix(batch, 9, 21, transposed[0]);
    const Sizes shape_b =
        Matrix(network.Uniform(0, 1) != 0 ? batch : Sizes{}, 21, 34, transposed[1]);
    const ir::TensorId a = first ? network.Constant(shape_a) : network.Input(shape_a);
    const ir::TensorId b = first ? network.Input(shape_b) : network.Constant(shape_b);
    return network.Multiply(a, b, transposed, batch);
  });
}

// Zero points whose negatives are no int8, on both sides, with the largest sums there are.
TEST_P(Products, OfExtremes) {
  for (const std::int32_t zero_a : {-128, 0, 127}) {
    for (const std::int32_t zero_b : {-128, 0, 127}) {
      for (const std::int8_t value : {std::int8_t{-128}, std::int8_t{127}}) {
        SCOPED_TRACE(fmt::format("{} {} {}", zero_a, zero_b, value));
        Network network(7);
        const ir::TensorId a = network.Input({2, 5, 35});
        const ir::TensorId b = network.Input({2, 35, 20});
        const ir::TensorId product = network.Multiply(a, b, {false, false}, {2});
        ir::Graph& graph = network.graph();
        graph.tensors[a].zero_point = zero_a;
        graph.tensors[b].zero_point = zero_b;
        graph.tensors[product].scale = graph.tensors[a].scale * graph.tensors[b].scale * 19000.0F;
        graph.outputs = {product};
        std::vector<std::vector<std::int8_t>> inputs = network.InputValues();
        std::fill(inputs[1].begin(), inputs[1].end(), value);
        const auto outcome = RunOnGolden(Compile(graph, GetParam().config), inputs);
        const auto expected = reference::Evaluate(graph, inputs, Rounding::kDouble);
        EXPECT_EQ(ValuesOf<std::int8_t>(outcome[0]), expected[0]);
      }
    }
  }
}

TEST_P(Products, LargerThanTheMachine) {
  Repeat(80, 1, [](Network& network) {
    const ir::TensorId a = network.Input({2, 30, 500});
    const ir::TensorId b = network.Input({2, 500, 60});
    return network.Multiply(network.Apply(a), network.Apply(b), {false, false}, {2});
  });
}

// More rows of a matrix than the smallest machine's buffer holds rows of lanes.
TEST_P(Products, OfManyTerms) {
  Repeat(84, 1, [](Network& network) {
    return network.Multiply(network.Input({3, 3000}), network.Apply(network.Input({3000, 5})),
                            {false, false}, {});
  });
}

// As in attention: the products of products, with a table behind one of them.
TEST_P(Products, OfProducts) {
  Repeat(90, 3, [](Network& network) {
    const ir::TensorId queries = network.Apply(network.Input({2, 17, 24}));
    const ir::TensorId keys = network.Apply(network.Input({2, 19, 24}));
    const ir::TensorId values = network.Apply(network.Input({2, 19, 21}));
    const ir::TensorId scores = network.Multiply(queries, keys, {false, true}, {2});
    return network.Multiply(network.Apply(scores), values, {false, false}, {2});
  });
}

INSTANTIATE_TEST_SUITE_P(Machines, Products, testing::ValuesIn(kProductMachines),
                         [](const testing::TestParamInfo<ProductMachine>& info) {
                           return std::string(info.param.name);
                         });

}  // namespace
}  // namespace tpu::compiler
