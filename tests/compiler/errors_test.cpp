// SPDX-License-Identifier: Apache-2.0
// What the compiler refuses, and how it says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "base/error.h"
#include "network.h"

namespace tpu::compiler {
namespace {

using testing::HasSubstr;

struct Case {
  const char* name;
  std::function<void(Network&)> build;  // Makes a graph that is wrong.
  const char* message;
};

ir::TensorId SomeConv(Network& network) {
  const ir::TensorId x = network.Input({1, 4, 4, 8});
  return network.Conv(x, 8, {.h = 3, .w = 3}, {});
}

const Case kCases[] = {
    {"GroupedConv",
     [](Network& n) {
       n.graph().tensors[SomeConv(n)].name = "y";
       n.graph().tensors[n.graph().operators[0].inputs[1]].shape[3] = 3;
       n.graph().tensors[n.graph().operators[0].inputs[1]].data = std::vector<std::int8_t>(216);
     },
     "op0 (CONV_2D): weights t1 have 3 input channels and t0 has 8"},
    {"WrongOutputSize",
     [](Network& n) {
       n.graph().tensors[SomeConv(n)].shape = {1, 3, 2, 8};
     },
     "op0 (CONV_2D): output t"},
    {"WeightsNotConstant",
     [](Network& n) {
       SomeConv(n);
       const ir::TensorId weights = n.graph().operators[0].inputs[1];
       n.graph().tensors[weights].data = {};
       n.graph().inputs.push_back(weights);
     },
     "op0 (CONV_2D): weights t1 must be constant int8"},
    {"Broadcast",
     [](Network& n) {
       const ir::TensorId a = n.Input({1, 4, 4, 8});
       const ir::TensorId b = n.Input({1, 1, 1, 3});
       n.Combine(a, b, ir::BinaryKind::kAdd);
     },
     "op0 (ADD): t1 does not broadcast to the output's shape"},
    {"MoreMemoryThanAddresses",
     [](Network& n) {
       const ir::TensorId x = n.Input({4, 8});
       n.Make(ir::Pad{.before = {0, 0}, .after = {80'000'000, 80'000'000}}, {x},
              {80'000'004, 80'000'008});
     },
     "needs more memory than the machine's 40 address bits reach"},
    {"ResizedBeyondReason",
     [](Network& n) {
       const ir::TensorId x = n.Input({1, 4, 4, 8});
       n.Make(ir::Resize{.kind = ir::ResizeKind::kNearest}, {x}, {1, 4, 4'000'001, 8});
     },
     "has more than 65536 rows or columns"},
    {"PoolThatRescales",
     [](Network& n) {
       const ir::TensorId x = n.Input({1, 4, 4, 8});
       const ir::TensorId y = n.Pool(x, {.filter = {.h = 2, .w = 2}});
       n.graph().tensors[y].scale *= 2;
     },
     "op0 (MAX_POOL_2D): input t0 and output t1 must have the same scale"},
    {"UsedBeforeItIsMade",
     [](Network& n) {
       SomeConv(n);
       n.graph().inputs.clear();
     },
     "op0: input t0 is not made before it"},
    {"ConstantOfWrongSize",
     [](Network& n) {
       SomeConv(n);
       n.graph().tensors[1].data = std::vector<std::int8_t>(7);
     },
     "tensor t1: 7 values do not make its shape of 576"},
    {"ZeroPointOutOfRange", [](Network& n) { n.graph().tensors[SomeConv(n)].zero_point = 200; },
     "zero point 200 is not an int8"},
    {"ShapeOfHostOperator",
     [](Network& n) {
       SomeConv(n);
       n.graph().operators[0].attributes = ir::Softmax{};
     },
     "op0 (SOFTMAX): input t0 and output t3 must have the same shape"},
    {"TypeOfActivations",
     [](Network& n) {
       ir::Tensor& tensor = n.graph().tensors[SomeConv(n)];
       tensor.type = ElementType::kUint8;
       tensor.zero_point = 0;
     },
     "op0 (CONV_2D): tensor t3 must be int8, not uint8"},
    {"ConstantOfWrongType",
     [](Network& n) {
       SomeConv(n);
       n.graph().tensors[1].data = std::vector<float>(576);
     },
     "tensor t1: its contents are not int8"},
    {"WindowLargerThanTheMachine",
     [](Network& n) {
       const ir::TensorId x = n.Input({1, 1, 3000, 8});
       n.Conv(x, 8, {.h = 1, .w = 3000}, {});
     },
     "op0: one output pixel's window does not fit the machine's buffers"},
    {"StrideBeyondTheField",
     [](Network& n) {
       const ir::TensorId x = n.Input({1, 600, 1, 8});
       n.Conv(x, 8, {.h = 1, .w = 1}, {.stride = {.h = 300, .w = 1}});
     },
     "op0 (CONV_2D): strides must lie between 1 and 255"},
    {"PoolStrideBeyondTheField",
     [](Network& n) {
       const ir::TensorId x = n.Input({1, 600, 1, 8});
       n.Pool(x, {.filter = {.h = 2, .w = 1}, .stride = {.h = 300, .w = 1}});
     },
     "op0 (MAX_POOL_2D): strides must lie between 1 and 255"},
    {"DilationBeyondTheField",
     [](Network& n) {
       const ir::TensorId x = n.Input({1, 600, 1, 8});
       n.Conv(x, 8, {.h = 2, .w = 1}, {.stride = {.h = 1, .w = 1}, .dilation = {.h = 300, .w = 1}});
     },
     "op0 (CONV_2D): dilations must lie between 1 and 255"},
};

class Errors : public testing::TestWithParam<Case> {};

TEST_P(Errors, NameTheOperatorAndTheTensor) {
  Network network(1);
  GetParam().build(network);
  const isa::HardwareConfig small = {.n = 8, .ub_rows = 512, .acc_rows = 64, .param_rows = 16};
  try {
    Compile(network.graph(), small);
    FAIL() << "compiled";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Errors, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tpu::compiler
