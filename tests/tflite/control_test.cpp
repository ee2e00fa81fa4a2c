// SPDX-License-Identifier: Apache-2.0
// IF and WHILE of a file as graphs inside of the graph.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"
#include "ir/check_graph.h"
#include "model_builder.h"

namespace tpu::tflite {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

/// Builds subgraphs of a model one after the other: each is subgraph 0 while it is built.
class ControlModel {
 public:
  ModelBuilder& builder() { return b_; }

  /// What `build` adds makes a subgraph, whose outputs it gives. Its number.
  std::int32_t Subgraph(const std::function<std::vector<std::int32_t>(ModelBuilder&)>& build) {
    auto& subgraphs = b_.model().subgraphs;
    std::unique_ptr<schema::SubGraphT> main = std::move(subgraphs[0]);
    subgraphs[0] = std::make_unique<schema::SubGraphT>();
    subgraphs[0]->outputs = build(b_);
    subgraphs.push_back(std::move(subgraphs[0]));
    subgraphs[0] = std::move(main);
    return static_cast<std::int32_t>(subgraphs.size()) - 1;
  }

 private:
  ModelBuilder b_;
};

std::int32_t Bool(ModelBuilder& b) { return b.Input({1}, TensorType::BOOL); }

std::int32_t ConstantBool(ModelBuilder& b, bool value) {
  const std::int32_t id = b.Constant<std::int8_t>({1}, {static_cast<std::int8_t>(value)});
  b.tensor(id).type = TensorType::BOOL;
  b.tensor(id).quantization = nullptr;
  return id;
}

/// One input [4], which an operator of one input and output turns into the output.
std::function<std::vector<std::int32_t>(ModelBuilder&)> Unary(BuiltinOperator code) {
  return [code](ModelBuilder& b) -> std::vector<std::int32_t> {
    const std::int32_t y = b.Tensor({4});
    const std::int32_t x = b.Input({4});
    b.Operator(code, {x}, {y});
    return {y};
  };
}

void AddIf(ModelBuilder& b, std::vector<std::int32_t> inputs, std::vector<std::int32_t> outputs,
           std::int32_t then_graph, std::int32_t else_graph) {
  schema::IfOptionsT options;
  options.then_subgraph_index = then_graph;
  options.else_subgraph_index = else_graph;
  b.Operator(BuiltinOperator::IF, std::move(inputs), std::move(outputs), options);
}

void AddWhile(ModelBuilder& b, std::vector<std::int32_t> inputs, std::vector<std::int32_t> outputs,
              std::int32_t condition, std::int32_t body) {
  schema::WhileOptionsT options;
  options.cond_subgraph_index = condition;
  options.body_subgraph_index = body;
  b.Operator(BuiltinOperator::WHILE, std::move(inputs), std::move(outputs), options);
}

/// RELU or ABS of an input, as a bool says.
ControlModel Branch() {
  ControlModel model;
  const std::int32_t relu = model.Subgraph(Unary(BuiltinOperator::RELU));
  const std::int32_t abs = model.Subgraph(Unary(BuiltinOperator::ABS));
  ModelBuilder& b = model.builder();
  const std::int32_t condition = Bool(b);
  const std::int32_t x = b.Input({4});
  AddIf(b, {condition, x}, {b.Tensor({4})}, relu, abs);
  return model;
}

/// As long as a bool, which the body hands on, is true, RELU of the other value.
ControlModel Loop() {
  ControlModel model;
  const std::int32_t condition = model.Subgraph([](ModelBuilder& b) {
    const std::int32_t flag = Bool(b);
    b.Input({4});
    return std::vector{flag};
  });
  const std::int32_t body = model.Subgraph([](ModelBuilder& b) {
    const std::int32_t flag = Bool(b);
    const std::int32_t x = b.Input({4});
    const std::int32_t y = b.Tensor({4});
    b.Operator(BuiltinOperator::RELU, {x}, {y});
    return std::vector{flag, y};
  });
  ModelBuilder& b = model.builder();
  const std::int32_t flag = Bool(b);
  const std::int32_t x = b.Input({4});
  const std::int32_t last = b.Tensor({1}, TensorType::BOOL);
  AddWhile(b, {flag, x}, {last, b.Tensor({4})}, condition, body);
  return model;
}

ir::Graph Imported(ModelBuilder& b) { return Import(Parse(b.File(), "x.tflite")); }

TEST(Control, AnIfHasTwoGraphs) {
  ControlModel model = Branch();
  const ir::Graph graph = Imported(model.builder());
  ir::CheckGraph(graph);
  ASSERT_THAT(graph.operators, SizeIs(1));
  const auto& op = std::get<ir::If>(graph.operators[0].attributes);
  ASSERT_THAT(op.then_graph->operators, SizeIs(1));
  EXPECT_EQ(op.then_graph->operators[0].name, "op0/then/op0");
  EXPECT_EQ(ir::OperatorName(op.then_graph->operators[0].attributes), "RELU");
  EXPECT_EQ(op.else_graph->operators[0].name, "op0/else/op0");
  EXPECT_EQ(ir::OperatorName(op.else_graph->operators[0].attributes), "ABS");
}

TEST(Control, AWhileHasAConditionAndABody) {
  ControlModel model = Loop();
  const ir::Graph graph = Imported(model.builder());
  ir::CheckGraph(graph);
  ASSERT_THAT(graph.operators, SizeIs(1));
  const auto& op = std::get<ir::While>(graph.operators[0].attributes);
  EXPECT_THAT(op.condition->operators, SizeIs(0));
  EXPECT_EQ(op.body->operators[0].name, "op0/body/op0");
}

// What the other graph holds is not even looked at.
TEST(Control, AConstantConditionLeavesOneGraph) {
  for (const bool value : {true, false}) {
    ControlModel model;
    const std::int32_t good = model.Subgraph(Unary(BuiltinOperator::RELU));
    const std::int32_t bad = model.Subgraph(Unary(BuiltinOperator::UNIQUE));
    ModelBuilder& b = model.builder();
    const std::int32_t condition = ConstantBool(b, value);
    const std::int32_t x = b.Input({4});
    AddIf(b, {condition, x}, {b.Tensor({4})}, value ? good : bad, value ? bad : good);
    const ir::Graph graph = Imported(b);
    ir::CheckGraph(graph);
    ASSERT_THAT(graph.operators, SizeIs(3));  // With the names of input and output.
    EXPECT_EQ(ir::OperatorName(graph.operators[1].attributes), "RELU");
  }
}

TEST(Control, ComparedConstantsAreAConstantCondition) {
  ControlModel model;
  const std::int32_t relu = model.Subgraph(Unary(BuiltinOperator::RELU));
  const std::int32_t abs = model.Subgraph(Unary(BuiltinOperator::ABS));
  ModelBuilder& b = model.builder();
  const std::int32_t condition = b.Tensor({1}, TensorType::BOOL);
  b.Operator(BuiltinOperator::LESS, {b.Integers({3}), b.Integers({3})}, {condition});
  const std::int32_t x = b.Input({4});
  AddIf(b, {condition, x}, {b.Tensor({4})}, relu, abs);
  const ir::Graph graph = Imported(b);
  ASSERT_THAT(graph.operators, SizeIs(3));
  EXPECT_EQ(ir::OperatorName(graph.operators[1].attributes), "ABS");
}

TEST(Control, ALoopThatNeverRunsIsItsInputs) {
  ControlModel model = Loop();
  auto& condition = *model.builder().model().subgraphs[1];
  condition.tensors.push_back(std::make_unique<schema::TensorT>(*condition.tensors[0]));
  condition.tensors[2]->buffer = static_cast<std::uint32_t>(model.builder().model().buffers.size());
  condition.outputs = {2};
  auto buffer = std::make_unique<schema::BufferT>();
  buffer->data = {0};
  model.builder().model().buffers.push_back(std::move(buffer));
  const ir::Graph graph = Imported(model.builder());
  ASSERT_THAT(graph.operators, SizeIs(2));
  for (const ir::Operator& op : graph.operators) {
    EXPECT_TRUE(std::holds_alternative<ir::Reshape>(op.attributes));
  }
}

struct BadCase {
  const char* name;
  std::function<ControlModel()> model;
  std::function<void(ModelBuilder&)> damage;
  const char* message;
};

schema::SubGraphT& Sub(ModelBuilder& b, std::size_t i) { return *b.model().subgraphs.at(i); }

const BadCase kBadCases[] = {
    {"IndexOutOfRange", Branch,
     [](auto& b) { b.op(0).builtin_options.AsIfOptions()->then_subgraph_index = 9; },
     "IF: there is no subgraph 9 to call"},
    {"NegativeIndex", Loop,
     [](auto& b) { b.op(0).builtin_options.AsWhileOptions()->body_subgraph_index = -1; },
     "WHILE: there is no subgraph -1 to call"},
    {"TheMainGraph", Branch,
     [](auto& b) { b.op(0).builtin_options.AsIfOptions()->else_subgraph_index = 0; },
     "IF: there is no subgraph 0 to call"},
    {"WithoutOptions", Branch, [](auto& b) { b.op(0).builtin_options.Reset(); },
     "op0 (IF): its options are missing"},
    {"RunsItself", Branch,
     [](auto& b) {
       auto& graph = Sub(b, 1);
       graph.operators[0]->opcode_index = b.op(0).opcode_index;
       graph.operators[0]->inputs = {2, 1};
       graph.tensors.push_back(std::make_unique<schema::TensorT>(*b.graph().tensors[0]));
       graph.inputs = {2, 1};
       graph.operators[0]->builtin_options = b.op(0).builtin_options;
       b.op(0).inputs = {0, 0, 1};
     },
     "op0/then/op0/then: subgraph 1 runs itself"},
    {"FewerInputs", Branch, [](auto& b) { b.op(0).inputs = {0}; },
     "op0/then: has 1 inputs, and is given 0"},
    {"MoreOutputs", Branch,
     [](auto& b) {
       const std::int32_t more = b.Tensor({4});
       b.op(0).outputs.push_back(more);
     },
     "op0 (IF): has 2 outputs, and a subgraph that it runs 1"},
    {"OutputType", Branch, [](auto& b) { b.tensor(2).type = TensorType::INT16; },
     "op0 (IF): t0 is int8 and t2 is int16"},
    {"OutputTypeOfOneBranch", Branch,
     [](auto& b) {
       auto& graph = Sub(b, 2);
       graph.outputs = {1};
       graph.operators.clear();
       graph.tensors[1]->type = TensorType::FLOAT32;
     },
     "op0/else: input t1 is FLOAT32 [4], and is given t1, int8 [4]"},
    {"OutputSize", Branch, [](auto& b) { b.tensor(2).shape = {5}; }, "t2 is [5]; it should be [4]"},
    {"InputSize", Branch, [](auto& b) { Sub(b, 1).tensors[1]->shape = {3}; },
     "op0/then: input t1 is INT8 [3], and is given t1, int8 [4]"},
    {"ConditionType", Branch, [](auto& b) { b.tensor(0).type = TensorType::INT8; },
     "op0 (IF): condition t0 is int8 [1]; it must be one bool"},
    {"ConditionOfSeveral", Branch, [](auto& b) { b.tensor(0).shape = {2}; },
     "op0 (IF): condition t0 is bool [2]; it must be one bool"},
    {"ConditionOfLoop", Loop, [](auto& b) { Sub(b, 1).outputs = {1}; },
     "op0 (WHILE): condition t1 is int8 [4]; it must be one bool"},
    {"ConditionWithTwoOutputs", Loop,
     [](auto& b) {
       Sub(b, 1).outputs = {0, 1};
     },
     "its condition has 2 outputs; there must be 1"},
    {"FewerOutputsThanInputs", Loop,
     [](auto& b) {
       b.op(0).outputs.pop_back();
       b.graph().outputs = {2};
     },
     "has 2 inputs and 1 outputs"},
    {"BodyWithOneOutput", Loop, [](auto& b) { Sub(b, 2).outputs = {0}; },
     "op0 (WHILE): has 2 outputs, and a subgraph that it runs 1"},
    {"OperatorInside", Branch,
     [](auto& b) {
       b.model().operator_codes[0]->builtin_code = BuiltinOperator::UNIQUE;
       b.model().operator_codes[0]->deprecated_builtin_code = 103;
     },
     "op0/then/op0 (UNIQUE): this operator is not supported"},
    {"EndlessLoop", Loop,
     [](auto& b) {
       auto& condition = Sub(b, 1);
       condition.tensors.push_back(std::make_unique<schema::TensorT>(*condition.tensors[0]));
       condition.tensors[2]->buffer = static_cast<std::uint32_t>(b.model().buffers.size());
       condition.outputs = {2};
       auto buffer = std::make_unique<schema::BufferT>();
       buffer->data = {1};
       b.model().buffers.push_back(std::move(buffer));
     },
     "op0 (WHILE): its condition is always true, so that it would never end"},
    {"VariableInside", Branch,
     [](auto& b) {
       b.model().operator_codes[0]->builtin_code = BuiltinOperator::READ_VARIABLE;
       b.model().operator_codes[0]->deprecated_builtin_code = 127;
       Sub(b, 1).tensors[1]->type = TensorType::INT8;
     },
     "op0/then/op0 (READ_VARIABLE): variables in subgraphs are not supported"},
};

class BadControl : public testing::TestWithParam<BadCase> {};

TEST_P(BadControl, IsRefused) {
  ControlModel model = GetParam().model();
  GetParam().damage(model.builder());
  try {
    Imported(model.builder());
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
    EXPECT_THAT(error.what(), HasSubstr("x.tflite: "));
  }
}

INSTANTIATE_TEST_SUITE_P(, BadControl, testing::ValuesIn(kBadCases),
                         [](const auto& info) { return std::string(info.param.name); });

// Each subgraph runs the next one twice: 2^20 graphs.
TEST(Control, GraphsThatWouldBecomeMillionsAreRefused) {
  ControlModel model;
  std::int32_t inner = 0;
  const auto build = [&](ModelBuilder& b) {
    const std::int32_t flag = Bool(b);
    const std::int32_t x = b.Input({4});
    const std::int32_t y = b.Tensor({4});
    if (inner == 0) {
      b.Operator(BuiltinOperator::RELU, {x}, {y});
    } else {
      AddIf(b, {flag, flag, x}, {y}, inner, inner);
    }
    return std::vector{y};
  };
  for (int depth = 0; depth < 20; ++depth) inner = model.Subgraph(build);
  build(model.builder());
  try {
    Imported(model.builder());
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("more than 256 uses of subgraphs"));
  }
}

}  // namespace
}  // namespace tpu::tflite
