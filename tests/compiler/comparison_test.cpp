// SPDX-License-Identifier: Apache-2.0
// Comparisons of int8 with a constant, which are tables, against the host's kernel, which compares
// with an input that has the constant's values.
#include <gtest/gtest.h>

#include <numeric>
#include <variant>
#include <vector>

#include "compiler/compile.h"
#include "run_on_golden.h"

namespace tpu::compiler {
namespace {

using Int8s = std::vector<std::int8_t>;
using host_operators::Relation;

constexpr std::int64_t kBytes = 256;

// Whether each byte is so related to `value`, or the other way round.
std::vector<std::uint8_t> Compare(Relation relation, std::int8_t value, bool value_first,
                                  bool constant, Rounding rounding) {
  Int8s bytes(kBytes);
  std::iota(bytes.begin(), bytes.end(), std::int8_t{-128});
  ir::Graph graph;
  const ir::TensorId x =
      graph.AddTensor({.name = "x", .shape = {4, kBytes / 4}, .scale = 0.031F, .zero_point = -7});
  ir::Tensor tensor = {.name = "value", .shape = {1}, .scale = 0.05F, .zero_point = 11};
  if (constant) tensor.data = Int8s{value};
  const ir::TensorId v = graph.AddTensor(std::move(tensor));
  const ir::TensorId y =
      graph.AddTensor({.name = "y", .type = ElementType::kBool, .shape = {4, kBytes / 4}});
  graph.inputs = {x};
  std::vector<Int8s> inputs = {bytes};
  if (!constant) {
    graph.inputs.push_back(v);
    inputs.push_back({value});
  }
  graph.outputs = {y};
  graph.operators.push_back(
      {.name = "op",
       .inputs = value_first ? std::vector{v, x} : std::vector{x, v},
       .outputs = {y},
       .attributes = ir::HostOperator{host_operators::Comparison{.relation = relation}}});
  const executable::Executable executable = Compile(graph, {}, {.rounding = rounding});
  const bool host = std::ranges::any_of(executable.steps, [](const auto& step) {
    return std::holds_alternative<executable::HostCall>(step);
  });
  EXPECT_EQ(host, !constant);
  return ValuesOf<std::uint8_t>(RunOnGolden(executable, inputs).at(0));
}

TEST(Comparisons, WithAConstantAreTheHosts) {
  for (int relation = 0; relation <= static_cast<int>(Relation::kLessEqual); ++relation) {
    for (const bool value_first : {false, true}) {
      for (const std::int8_t value : Int8s{-128, 11, 12, 90}) {
        for (const Rounding rounding : {Rounding::kDouble, Rounding::kSingle}) {
          SCOPED_TRACE(fmt::format("{} {} {}", relation, value_first, value));
          const auto compare = [&](bool constant) {
            return Compare(static_cast<Relation>(relation), value, value_first, constant, rounding);
          };
          EXPECT_EQ(compare(true), compare(false));
        }
      }
    }
  }
}

}  // namespace
}  // namespace tpu::compiler
