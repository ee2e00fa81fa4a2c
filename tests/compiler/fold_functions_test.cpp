// SPDX-License-Identifier: Apache-2.0
// Which operators on float32 become tables of a byte.
#include "compiler/legalise/fold_functions.h"

#include <gtest/gtest.h>

#include "lowered.h"

namespace tpu::compiler {
namespace {

constexpr std::uint8_t ByteOf(int q) { return static_cast<std::uint8_t>(q); }

// x, DEQUANTIZE, functions, QUANTIZE, y.
class FunctionChain {
 public:
  explicit FunctionChain(const std::vector<ir::FunctionKind>& kinds,
                         ElementType type = ElementType::kInt8) {
    source_.graph().inputs = {Tensor(type, 0.5F, 4)};
    ir::TensorId last = Floats();
    source_.Append("dequantize", ir::Dequantize{}, {source_.graph().inputs[0]}, last);
    for (const ir::FunctionKind kind : kinds) {
      const ir::TensorId next = Floats();
      source_.Append("function", ir::Function{.kind = kind}, {last}, next);
      last = next;
    }
    source_.graph().outputs = {Tensor(ElementType::kInt8, 1.0F, -7)};
    source_.Append("quantize", ir::Quantize{}, {last}, source_.graph().outputs[0]);
  }

  ir::Graph& graph() { return source_.graph(); }

 private:
  ir::TensorId Tensor(ElementType type, float scale, std::int32_t zero_point) {
    return source_.Add({.type = type, .shape = {2, 3}, .scale = scale, .zero_point = zero_point});
  }
  ir::TensorId Floats() { return Tensor(ElementType::kFloat32, 1.0F, 0); }

  PlacedGraph source_;
};

TEST(FoldFunctions, MakesATable) {
  FunctionChain chain({ir::FunctionKind::kNegate});
  FoldFunctions(chain.graph());
  ASSERT_EQ(chain.graph().operators.size(), 1U);
  const ir::Operator& op = chain.graph().operators[0];
  EXPECT_EQ(op.name, "quantize");
  EXPECT_EQ(op.inputs, chain.graph().inputs);
  EXPECT_EQ(op.outputs, chain.graph().outputs);
  const auto& table = std::get<ir::Lookup>(op.attributes).table;
  EXPECT_EQ(table[ByteOf(4)], -7);
  EXPECT_EQ(table[ByteOf(10)], -7 - 3);
  EXPECT_EQ(table[ByteOf(5)], -7 - 1) << "halves go away from zero";
}

TEST(FoldFunctions, TakesSeveralFunctions) {
  FunctionChain chain({ir::FunctionKind::kSquare, ir::FunctionKind::kNegate,
                       ir::FunctionKind::kAbsolute, ir::FunctionKind::kSqrt});
  FoldFunctions(chain.graph());
  ASSERT_EQ(chain.graph().operators.size(), 1U);
  const auto& table = std::get<ir::Lookup>(chain.graph().operators[0].attributes).table;
  EXPECT_EQ(table[ByteOf(-8)], -7 + 6);
  EXPECT_EQ(table[ByteOf(16)], -7 + 6);
}

// x, DEQUANTIZE, an operation with a constant, QUANTIZE, y.
ir::Graph WithConstant(const ir::Attributes& attributes, std::vector<float> values, bool first) {
  FunctionChain chain({ir::FunctionKind::kNegate});
  ir::Graph graph = chain.graph();
  ir::Tensor constant = {.type = ElementType::kFloat32};
  constant.shape = {static_cast<std::int64_t>(values.size())};
  constant.data = std::move(values);
  const ir::TensorId id = graph.AddTensor(std::move(constant));
  graph.operators[1].attributes = attributes;
  graph.operators[1].inputs.insert(graph.operators[1].inputs.begin() + (first ? 0 : 1), id);
  FoldFunctions(graph);
  return graph;
}

TEST(FoldFunctions, TakesConstantsThatAreEverywhereTheSame) {
  const auto at_six = [](const ir::Graph& graph) {
    EXPECT_EQ(graph.operators.size(), 1U);
    return int{std::get<ir::Lookup>(graph.operators[0].attributes).table[ByteOf(16)]} + 7;
  };
  using ir::BinaryKind;
  EXPECT_EQ(at_six(WithConstant(ir::Binary{.kind = BinaryKind::kSub}, {10}, true)), 4);
  EXPECT_EQ(at_six(WithConstant(ir::Binary{.kind = BinaryKind::kSub}, {10}, false)), -4);
  EXPECT_EQ(at_six(WithConstant(
                ir::Binary{.kind = BinaryKind::kAdd, .activation = ir::Activation::kRelu6},
                {2, 2, 2}, false)),
            6);
  EXPECT_EQ(at_six(WithConstant(ir::Binary{.kind = BinaryKind::kMul}, {3}, false)), 18);
  EXPECT_EQ(at_six(WithConstant(ir::Binary{.kind = BinaryKind::kMaximum}, {8}, false)), 8);
  EXPECT_EQ(at_six(WithConstant(ir::Binary{.kind = BinaryKind::kMinimum}, {8}, true)), 6);
  EXPECT_EQ(at_six(WithConstant(ir::Divide{}, {3}, false)), 2);
  EXPECT_EQ(at_six(WithConstant(ir::Divide{}, {30}, true)), 5);
  EXPECT_EQ(WithConstant(ir::Divide{}, {1, 2, 3}, false).operators.size(), 3U)
      << "no function of the byte alone";
}

TEST(FoldFunctions, KeepsWhatOthersUse) {
  FunctionChain chain({ir::FunctionKind::kNegate});
  chain.graph().outputs.push_back(chain.graph().operators[0].outputs[0]);
  FoldFunctions(chain.graph());
  ASSERT_EQ(chain.graph().operators.size(), 2U);
  EXPECT_TRUE(std::holds_alternative<ir::Dequantize>(chain.graph().operators[0].attributes));
  EXPECT_TRUE(std::holds_alternative<ir::Lookup>(chain.graph().operators[1].attributes));
}

TEST(FoldFunctions, OtherOperatorsStay) {
  FunctionChain nothing({});
  FoldFunctions(nothing.graph());
  EXPECT_EQ(nothing.graph().operators.size(), 2U) << "the host and the device do this as before";
  FunctionChain wide({ir::FunctionKind::kNegate}, ElementType::kInt16);
  FoldFunctions(wide.graph());
  EXPECT_EQ(wide.graph().operators.size(), 3U);
  FunctionChain other({ir::FunctionKind::kNegate});
  other.graph().operators[1].attributes = ir::Softmax{};
  FoldFunctions(other.graph());
  EXPECT_EQ(other.graph().operators.size(), 3U);
}

}  // namespace
}  // namespace tpu::compiler
