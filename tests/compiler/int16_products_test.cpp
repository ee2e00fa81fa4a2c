// SPDX-License-Identifier: Apache-2.0
// BATCH_MATMUL on int16: the array's products of bytes, joined by the vector unit, against the
// host's kernel, which sums 64 bits. Machines without int16 leave the operator to that kernel.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ostream>
#include <random>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/compile.h"
#include "run_on_golden.h"

namespace tpu::compiler {
namespace {

using Int16s = std::vector<std::int16_t>;

struct ProductMachine {
  const char* name;
  isa::HardwareConfig config;
};

void PrintTo(const ProductMachine& machine, std::ostream* out) { *out << machine.name; }

// The small ones hold hardly anything at once.
const ProductMachine kMachines[] = {
    {"N4",
     {.n = 4, .ub_rows = 512, .acc_rows = 64, .param_rows = 16, .axi_data_width = 32, .int16 = 1}},
    {"N8bf16",
     {.n = 8,
      .ub_rows = 1024,
      .acc_rows = 128,
      .param_rows = 32,
      .axi_data_width = 64,
      .bf16 = 1,
      .int16 = 1}},
    {"N16", {.n = 16, .ub_rows = 16384, .acc_rows = 2048, .param_rows = 512, .int16 = 1}},
};

isa::HardwareConfig WithoutInt16(isa::HardwareConfig config) {
  config.int16 = 0;
  return config;
}

std::size_t HostCalls(const executable::Executable& executable) {
  return static_cast<std::size_t>(std::count_if(
      executable.steps.begin(), executable.steps.end(),
      [](const auto& step) { return std::holds_alternative<executable::HostCall>(step); }));
}

struct Factor {
  ir::Shape shape;
  bool transposed = false;
  bool constant = false;
};

// A product of two tensors, and their values.
class Product {
 public:
  /// `least` and `most`: of the factors' values. Large outputs reach both ends of int16.
  Product(const Factor& a, const Factor& b, std::uint32_t seed = 1, std::int32_t least = -32768,
          std::int32_t most = 32767)
      : random_(seed), values_(least, most) {
    const ir::Shape matrix_a = Matrix(a);
    const ir::Shape matrix_b = Matrix(b);
    ir::Shape shape = a.shape.size() > b.shape.size() ? a.shape : b.shape;
    shape[shape.size() - 2] = matrix_a[0];
    shape.back() = matrix_b[1];
    const ir::TensorId first = AddFactor(a);
    const ir::TensorId second = AddFactor(b);
    const auto terms = static_cast<float>(matrix_a[1]);
    const auto largest = static_cast<float>(std::max(std::abs(least), std::abs(most)));
    const ir::TensorId output =
        graph_.AddTensor({.name = "y",
                          .type = ElementType::kInt16,
                          .shape = shape,
                          .scale = std::max(terms * largest * largest / 131072.0F, 1.0F)});
    graph_.operators.push_back({.name = "product",
                                .inputs = {first, second},
                                .outputs = {output},
                                .attributes = ir::HostOperator{host_operators::BatchMatMul{
                                    .transposed = {a.transposed, b.transposed}}}});
    graph_.outputs = {output};
  }

  void ExpectSameAsHosts(const isa::HardwareConfig& config) const {
    const executable::Executable device = Compile(graph_, config);
    const executable::Executable host = Compile(graph_, WithoutInt16(config));
    EXPECT_EQ(HostCalls(device), 0U);
    EXPECT_EQ(HostCalls(host), 1U);
    EXPECT_EQ(ValuesOf<std::int16_t>(RunOnGolden(device, inputs_).at(0)),
              ValuesOf<std::int16_t>(RunOnGolden(host, inputs_).at(0)));
  }

  [[nodiscard]] ir::Graph& graph() { return graph_; }

 private:
  static ir::Shape Matrix(const Factor& factor) {
    ir::Shape matrix = {factor.shape.end() - 2, factor.shape.end()};
    if (factor.transposed) std::swap(matrix[0], matrix[1]);
    return matrix;
  }

  ir::TensorId AddFactor(const Factor& factor) {
    ir::Tensor tensor = {.name = "x", .type = ElementType::kInt16, .shape = factor.shape};
    Int16s values(static_cast<std::size_t>(tensor.Elements()));
    for (std::int16_t& value : values) value = static_cast<std::int16_t>(values_(random_));
    if (factor.constant) {
      tensor.data = std::move(values);
      return graph_.AddTensor(std::move(tensor));
    }
    inputs_.push_back(std::move(values));
    graph_.inputs.push_back(graph_.AddTensor(std::move(tensor)));
    return graph_.inputs.back();
  }

  std::mt19937 random_;
  std::uniform_int_distribution<std::int32_t> values_;
  ir::Graph graph_;
  std::vector<Int16s> inputs_;
};

class Int16Matrices : public testing::TestWithParam<ProductMachine> {};

TEST_P(Int16Matrices, OfTwoInputs) {
  for (const bool first : {false, true}) {
    for (const bool second : {false, true}) {
      SCOPED_TRACE(fmt::format("{} {}", first, second));
      const Factor a = {.shape = {2, 5, 21}, .transposed = first};
      const std::int64_t terms = first ? 5 : 21;
      Factor b = {.shape = {2, terms, 19}, .transposed = second};
      if (second) std::swap(b.shape[1], b.shape[2]);
      Product(a, b, 2).ExpectSameAsHosts(GetParam().config);
    }
  }
}

TEST_P(Int16Matrices, OfMatricesThatBroadcast) {
  Product({{2, 1, 3, 6}}, {{1, 6, 9}}, 3).ExpectSameAsHosts(GetParam().config);
  Product({{7, 6}}, {{3, 6, 9}}, 4).ExpectSameAsHosts(GetParam().config);
  Product({{3, 7, 6}}, {{6, 9}}, 5).ExpectSameAsHosts(GetParam().config);
}

TEST_P(Int16Matrices, WithAConstant) {
  Product({.shape = {2, 3, 10}}, {.shape = {2, 10, 18}, .constant = true}, 6)
      .ExpectSameAsHosts(GetParam().config);
  Product({.shape = {2, 3, 10}, .constant = true}, {.shape = {2, 10, 18}}, 7)
      .ExpectSameAsHosts(GetParam().config);
}

// The largest sums that there are, of either sign, and around each carry from byte to byte.
TEST_P(Int16Matrices, OfExtremes) {
  for (const std::int32_t value : {-32768, -32767, -257, -129, -128, -1, 0, 127, 128, 255, 32767}) {
    SCOPED_TRACE(value);
    Product({.shape = {4, 33}}, {.shape = {33, 5}}, 8, value, std::min(value + 1, 32767))
        .ExpectSameAsHosts(GetParam().config);
  }
}

TEST_P(Int16Matrices, OfManyTerms) {
  Product({.shape = {2, 2000}}, {.shape = {2000, 3}}, 9).ExpectSameAsHosts(GetParam().config);
}

INSTANTIATE_TEST_SUITE_P(Machines, Int16Matrices, testing::ValuesIn(kMachines),
                         [](const testing::TestParamInfo<ProductMachine>& info) {
                           return std::string(info.param.name);
                         });

// Of small factors all bits of the sum are in the output.
TEST(Int16MatrixSums, AreExactToTheLastBit) {
  Product({.shape = {8, 3}}, {.shape = {3, 16}}, 10, -90, 90)
      .ExpectSameAsHosts(kMachines[2].config);
}

TEST(Int16MatrixSums, OfMoreTermsThanTheVectorUnitHoldsAreTheHosts) {
  Product most({.shape = {1, 16384}}, {.shape = {16384, 1}}, 11, 32766, 32767);
  most.ExpectSameAsHosts(kMachines[2].config);
  Product more({.shape = {1, 16385}}, {.shape = {16385, 1}}, 12);
  EXPECT_EQ(HostCalls(Compile(more.graph(), kMachines[2].config)), 1U);
}

}  // namespace
}  // namespace tpu::compiler
