// SPDX-License-Identifier: Apache-2.0
// Variables of a file as states of the graph.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"
#include "model_builder.h"

namespace tpu::tflite {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::int32_t Handle(ModelBuilder& b, const std::string& name) {
  const std::int32_t handle = b.Tensor({}, TensorType::RESOURCE);
  schema::VarHandleOptionsT options;
  options.shared_name = name;
  b.Operator(BuiltinOperator::VAR_HANDLE, {}, {handle}, options);
  return handle;
}

/// Input t0 [2]; op0 makes the handle t1, op1 reads it as t2, op2 adds t0 and makes t3, op3 assigns
/// that. t3 is the output.
ModelBuilder Counter() {
  ModelBuilder b;
  const std::int32_t x = b.Input({2});
  const std::int32_t handle = Handle(b, "count");
  const std::int32_t before = b.Tensor({2});
  b.Operator(BuiltinOperator::READ_VARIABLE, {handle}, {before});
  const std::int32_t after = b.Tensor({2});
  b.Operator(BuiltinOperator::ADD, {before, x}, {after}, schema::AddOptionsT{});
  b.Operator(BuiltinOperator::ASSIGN_VARIABLE, {handle, after}, {});
  b.graph().outputs = {after};
  return b;
}

/// A CALL_ONCE before all other operators, of a subgraph that assigns a constant to "count".
void AddInitialiser(ModelBuilder& b, const std::vector<std::int8_t>& values) {
  ModelBuilder once;
  const std::int32_t handle = Handle(once, "count");
  const auto size = static_cast<std::int32_t>(values.size());
  const std::int32_t value = once.Constant<std::int8_t>({size}, values);
  once.Operator(BuiltinOperator::ASSIGN_VARIABLE, {handle, value}, {});
  auto graph = std::make_unique<schema::SubGraphT>(once.graph());
  const auto buffers = static_cast<std::uint32_t>(b.model().buffers.size());
  const auto codes = static_cast<std::uint32_t>(b.model().operator_codes.size());
  for (const auto& tensor : graph->tensors) {
    if (tensor->buffer != 0) tensor->buffer += buffers;
  }
  for (const auto& op : graph->operators) op->opcode_index += codes;
  for (auto& buffer : once.model().buffers) b.model().buffers.push_back(std::move(buffer));
  for (auto& code : once.model().operator_codes) {
    b.model().operator_codes.push_back(std::move(code));
  }
  b.model().subgraphs.push_back(std::move(graph));
  schema::CallOnceOptionsT options;
  options.init_subgraph_index = static_cast<std::int32_t>(b.model().subgraphs.size()) - 1;
  const std::vector<std::int32_t> outputs = b.graph().outputs;
  b.Operator(BuiltinOperator::CALL_ONCE, {}, {}, options);
  b.graph().outputs = outputs;
  std::rotate(b.graph().operators.begin(), b.graph().operators.end() - 1,
              b.graph().operators.end());
}

ir::Graph ImportVariables(const ModelBuilder& b) {
  return tflite::Import(Parse(b.File(), "x.tflite"));
}

TEST(Variables, BecomeStates) {
  const ir::Graph graph = ImportVariables(Counter());
  ASSERT_THAT(graph.states, SizeIs(1));
  const ir::State& state = graph.states[0];
  EXPECT_EQ(state.after, 3U);
  EXPECT_EQ(graph.tensors[state.before].shape, ir::Shape{2});
  EXPECT_EQ(graph.tensors[state.before].scale, 0.5F);
  EXPECT_THAT(state.initial, ElementsAre(3, 3));  // The zero point.
  ASSERT_THAT(graph.operators, SizeIs(2));
  EXPECT_THAT(graph.operators[0].inputs, ElementsAre(state.before));
  EXPECT_THAT(graph.operators[0].outputs, ElementsAre(2));
}

TEST(Variables, CallOnceSaysWhatTheyBeginWith) {
  ModelBuilder b = Counter();
  AddInitialiser(b, {7, -1});
  const ir::Graph graph = ImportVariables(b);
  ASSERT_THAT(graph.states, SizeIs(1));
  EXPECT_THAT(graph.states[0].initial, ElementsAre(7, 255));
}

TEST(Variables, WhichNoRunAssignsAreConstants) {
  ModelBuilder b = Counter();
  AddInitialiser(b, {7, -1});
  b.graph().operators.pop_back();
  const ir::Graph graph = ImportVariables(b);
  EXPECT_THAT(graph.states, SizeIs(0));
  const ir::Tensor& value = graph.tensors[graph.operators.at(0).inputs.at(0)];
  EXPECT_THAT(std::get<std::vector<std::int8_t>>(value.data), ElementsAre(7, -1));
}

TEST(Variables, WhichAreAssignedBeforeTheyAreReadHaveNoState) {
  ModelBuilder b;
  const std::int32_t x = b.Input({2});
  const std::int32_t handle = Handle(b, "v");
  b.Operator(BuiltinOperator::ASSIGN_VARIABLE, {handle, x}, {});
  b.Operator(BuiltinOperator::READ_VARIABLE, {handle}, {b.Tensor({2})});
  const ir::Graph graph = ImportVariables(b);
  EXPECT_THAT(graph.states, SizeIs(0));
  EXPECT_THAT(graph.operators.at(0).inputs, ElementsAre(x));
}

struct BadVariableCase {
  const char* name;
  std::function<void(ModelBuilder&)> spoil;  // Changes Counter().
  const char* message;
};

const BadVariableCase kBadVariables[] = {
    {"NeverAssigned", [](auto& b) { b.graph().operators.pop_back(); },
     "op1 (READ_VARIABLE): nothing assigns a value to the variable"},
    {"NoHandle", [](auto& b) { b.op(1).inputs[0] = 0; },
     "READ_VARIABLE: its first input is no variable"},
    {"NoSubgraph",
     [](auto& b) {
       AddInitialiser(b, {1, 2});
       b.op(0).builtin_options.AsCallOnceOptions()->init_subgraph_index = 9;
     },
     "CALL_ONCE: there is no subgraph 9 to call"},
    {"CallsItself",
     [](auto& b) {
       AddInitialiser(b, {1, 2});
       b.op(0).builtin_options.AsCallOnceOptions()->init_subgraph_index = 0;
     },
     "CALL_ONCE: there is no subgraph 0 to call"},
    {"InitialiserOfAnotherShape",
     [](auto& b) {
       AddInitialiser(b, {1, 2, 3});
     },
     "the variable is int8 [2]"},
    {"InitialiserThatComputes",
     [](auto& b) {
       AddInitialiser(b, {1, 2});
       b.model().subgraphs[1]->operators[1]->opcode_index = b.op(3).opcode_index;
     },
     "may only assign constants to variables"},
    {"CalledTooLate",
     [](auto& b) {
       AddInitialiser(b, {1, 2});
       std::rotate(b.graph().operators.begin(), b.graph().operators.begin() + 1,
                   b.graph().operators.end());
     },
     "(CALL_ONCE): an operator before it uses a variable"},
    {"ComputesWithAHandle", [](auto& b) { b.op(2).inputs[1] = 1; },
     "t1 is RESOURCE, which is not supported"},
};

class BadVariable : public testing::TestWithParam<BadVariableCase> {};

TEST_P(BadVariable, IsRefused) {
  ModelBuilder b = Counter();
  GetParam().spoil(b);
  try {
    ImportVariables(b);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("x.tflite: "));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, BadVariable, testing::ValuesIn(kBadVariables),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tpu::tflite
