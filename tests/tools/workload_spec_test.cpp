// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/workload_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/error.h"

namespace tpu::tools {
namespace {

using testing::HasSubstr;

TEST(WorkloadSpec, Matmul) {
  const ir::Graph graph = MakeGraph(ParseWorkload("matmul:2x30x7"), 1);
  EXPECT_EQ(graph.tensors[0].shape, (std::vector<std::int64_t>{2, 30}));
  EXPECT_EQ(graph.tensors[1].shape, (std::vector<std::int64_t>{7, 30}));
}

TEST(WorkloadSpec, Convolution) {
  const WorkloadSpec spec = ParseWorkload("conv:12x10x3:k3x5:s2x1:p1x2:8");
  const ir::Graph graph = MakeGraph(spec, 1);
  EXPECT_EQ(graph.tensors[1].shape, (std::vector<std::int64_t>{8, 3, 5, 3}));
  const ir::TensorId output = graph.outputs[0];
  EXPECT_EQ(graph.tensors[output].shape, (std::vector<std::int64_t>{1, 6, 10, 8}));
}

TEST(WorkloadSpec, Depthwise) {
  const ir::Graph graph = MakeGraph(ParseWorkload("dw:9x9x20:k3:s2:p0"), 1);
  const ir::TensorId output = graph.outputs[0];
  EXPECT_EQ(graph.tensors[output].shape, (std::vector<std::int64_t>{1, 4, 4, 20}));
}

TEST(WorkloadSpec, PoolAndAdd) {
  const ir::Graph pool = MakeGraph(ParseWorkload("avgpool:9x9x20:k3:s2:p0"), 1);
  EXPECT_EQ(std::get<ir::Pool2D>(pool.operators[0].attributes).kind, ir::PoolKind::kAverage);
  EXPECT_EQ(pool.tensors[pool.outputs[0]].shape, (std::vector<std::int64_t>{1, 4, 4, 20}));
  const ir::Graph max = MakeGraph(ParseWorkload("maxpool:9x9x20:k3:s2:p0"), 1);
  EXPECT_EQ(std::get<ir::Pool2D>(max.operators[0].attributes).kind, ir::PoolKind::kMax);
  const ir::Graph add = MakeGraph(ParseWorkload("add:4x5x6"), 1);
  EXPECT_EQ(add.inputs.size(), 2U);
  EXPECT_EQ(add.tensors[add.outputs[0]].shape, (std::vector<std::int64_t>{1, 4, 5, 6}));
}

std::int64_t Weights(const ir::Graph& graph) {
  std::int64_t weights = 0;
  for (const ir::Tensor& tensor : graph.tensors) {
    if (tensor.IsConstant()) weights += tensor.Elements();
  }
  return weights;
}

// Keras counts 3,538,984 parameters for 1000 classes; in 17,056 channels batch normalisation has
// four of them, where a bias remains. TensorFlow's own table says 1.66 million at width 0.35.
TEST(WorkloadSpec, MobileNetV2) {
  constexpr std::int64_t kOneClass = 1281;
  EXPECT_EQ(Weights(MakeGraph(ParseWorkload("mobilenetv2:224x224:w100"), 1)),
            3'538'984 - 3 * 17'056 + kOneClass);
  const ir::Graph small = MakeGraph(ParseWorkload("mobilenetv2:96x64:w35"), 1);
  EXPECT_NEAR(static_cast<double>(Weights(small)), 1.66e6, 0.02e6);
  EXPECT_EQ(small.tensors[small.inputs[0]].shape, (std::vector<std::int64_t>{1, 96, 64, 3}));
  EXPECT_EQ(small.tensors[small.outputs[0]].shape, (std::vector<std::int64_t>{1, 1001}));
}

// Four products with weights, and for each head two of tokens with tokens.
TEST(WorkloadSpec, Attention) {
  const ir::Graph graph = MakeGraph(ParseWorkload("attention:10x12:h3"), 1);
  EXPECT_EQ(Weights(graph), 4 * (12 * 12 + 12));
  std::vector<std::vector<std::int64_t>> products;
  for (const ir::Operator& op : graph.operators) {
    if (std::holds_alternative<ir::BatchMatMul>(op.attributes)) {
      products.push_back(graph.tensors[op.outputs[0]].shape);
    }
  }
  EXPECT_EQ(products, (std::vector<std::vector<std::int64_t>>{{1, 3, 10, 10}, {1, 3, 10, 4}}));
  EXPECT_EQ(graph.tensors[graph.outputs[0]].shape, (std::vector<std::int64_t>{1, 10, 12}));
}

// Attention, two more products, and two normalisations with two constants for each channel and
// what is added to the variance.
TEST(WorkloadSpec, Encoder) {
  const ir::Graph graph = MakeGraph(ParseWorkload("encoder:10x12:h3:f40"), 1);
  EXPECT_EQ(Weights(graph),
            4 * (12 * 12 + 12) + (12 * 40 + 40) + (40 * 12 + 12) + 2 * (2 * 12 + 1));
  EXPECT_EQ(graph.tensors[graph.outputs[0]].shape, (ir::Shape{1, 10, 12}));
  const auto count = [&graph]<typename Attributes>(const Attributes& /*of*/) {
    return std::ranges::count_if(graph.operators, [](const ir::Operator& op) {
      return std::holds_alternative<Attributes>(op.attributes);
    });
  };
  EXPECT_EQ(count(ir::BatchMatMul{}), 2);
  EXPECT_EQ(count(ir::FullyConnected{}), 6);
  EXPECT_EQ(count(ir::Reduce{}), 4);
  EXPECT_EQ(count(ir::SquaredDifference{}), 2);
  EXPECT_EQ(count(ir::Function{}), 2);
  EXPECT_EQ(count(ir::Binary{}), 2 * (1 + 6));
}

// The real numbers that the int8 network's integers stand for.
TEST(WorkloadSpec, Float32) {
  for (const std::string text : {"matmul:2x30x7", "dw:9x9x20:k3:s2:p0", "conv:5x5x3:k3:s1:p1:4"}) {
    SCOPED_TRACE(text);
    const ir::Graph ints = MakeGraph(ParseWorkload(text), 1);
    const ir::Graph floats = MakeGraph(ParseWorkload(text + ":float32"), 1);
    EXPECT_EQ(floats.tensors[floats.outputs[0]].type, ElementType::kFloat32);
    const auto& q = std::get<std::vector<std::int8_t>>(ints.tensors[1].data);
    const auto& real = std::get<std::vector<float>>(floats.tensors[1].data);
    const std::vector<float>& scales = ints.tensors[1].channel_scales;
    // Channels are the first dimension, those of depthwise weights the last.
    const std::size_t last = q.size() - 1;
    EXPECT_EQ(real[0], scales.front() * static_cast<float>(q[0]));
    EXPECT_EQ(real[last], scales.back() * static_cast<float>(q[last]));
    const bool channels_last = ints.tensors[1].shape[0] == 1;
    EXPECT_EQ(real[1], scales[channels_last ? 1 : 0] * static_cast<float>(q[1]));
    const auto& bias = std::get<std::vector<std::int32_t>>(ints.tensors[2].data);
    EXPECT_EQ(std::get<std::vector<float>>(floats.tensors[2].data)[0],
              ints.tensors[2].scale * static_cast<float>(bias[0]));
  }
}

// Constants with one scale and a zero point among them, and all numbers of each.
TEST(WorkloadSpec, EncoderInFloat32) {
  const ir::Graph ints = MakeGraph(ParseWorkload("encoder:10x12:h3:f40"), 1);
  const ir::Graph floats = MakeGraph(ParseWorkload("encoder:10x12:h3:f40:float32"), 1);
  ASSERT_EQ(floats.tensors.size(), ints.tensors.size());
  std::size_t centred = 0;
  for (std::size_t id = 0; id < ints.tensors.size(); ++id) {
    const ir::Tensor& tensor = ints.tensors[id];
    SCOPED_TRACE(tensor.name);
    EXPECT_EQ(floats.tensors[id].type, ElementType::kFloat32);
    const auto* q = std::get_if<std::vector<std::int8_t>>(&tensor.data);
    if (q == nullptr || !tensor.channel_scales.empty()) continue;
    ++centred;
    std::vector<float> expected;
    for (const std::int8_t value : *q) {
      expected.push_back(tensor.scale * static_cast<float>(value - tensor.zero_point));
    }
    EXPECT_EQ(std::get<std::vector<float>>(floats.tensors[id].data), expected);
  }
  EXPECT_GE(centred, 6U);  // Of each normalisation two of all channels and what is added.
}

// Only the type of what is no constant differs.
TEST(WorkloadSpec, Bfloat16) {
  const ir::Graph wide = MakeGraph(ParseWorkload("matmul:2x30x7:float32"), 1);
  const ir::Graph narrow = MakeGraph(ParseWorkload("matmul:2x30x7:bfloat16"), 1);
  EXPECT_EQ(narrow.tensors[narrow.inputs[0]].type, ElementType::kBfloat16);
  EXPECT_EQ(narrow.tensors[narrow.outputs[0]].type, ElementType::kBfloat16);
  EXPECT_EQ(narrow.tensors[1].type, ElementType::kFloat32);
  EXPECT_EQ(narrow.tensors[1].data, wide.tensors[1].data);
}

// Eight matrices and four biases of the gates, and two states.
TEST(WorkloadSpec, Lstm) {
  const ir::Graph graph = MakeGraph(ParseWorkload("lstm:5x6x7"), 1);
  EXPECT_EQ(Weights(graph), 4 * (6 * 7 + 7 * 7 + 7));
  EXPECT_EQ(graph.tensors[graph.inputs[0]].shape, (ir::Shape{1, 5, 6}));
  EXPECT_EQ(graph.tensors[graph.outputs[0]].shape, (ir::Shape{1, 5, 7}));
  ASSERT_EQ(graph.states.size(), 2U);
  EXPECT_EQ(graph.tensors[graph.states[0].before].type, ElementType::kInt8);
  EXPECT_EQ(graph.tensors[graph.states[1].before].type, ElementType::kInt16);
}

TEST(WorkloadSpec, Svdf) {
  const ir::Graph graph = MakeGraph(ParseWorkload("svdf:5x6:m7"), 1);
  EXPECT_EQ(Weights(graph), 6 * 5 + 6 * 7 + 6);
  EXPECT_EQ(graph.tensors[graph.outputs[0]].shape, (ir::Shape{1, 6}));
  ASSERT_EQ(graph.states.size(), 1U);
  EXPECT_EQ(graph.states[0].initial.size(), 2U * 6 * 7);
}

// Weights stay; activations are 256 times as fine, and so are biases.
TEST(WorkloadSpec, Int16) {
  const ir::Graph narrow = MakeGraph(ParseWorkload("matmul:2x30x7"), 1);
  const ir::Graph wide = MakeGraph(ParseWorkload("matmul:2x30x7:int16"), 1);
  for (const ir::TensorId id : {wide.inputs[0], wide.outputs[0]}) {
    EXPECT_EQ(wide.tensors[id].type, ElementType::kInt16);
    EXPECT_EQ(wide.tensors[id].zero_point, 0);
    EXPECT_EQ(wide.tensors[id].scale, narrow.tensors[id].scale / 256);
  }
  EXPECT_EQ(wide.tensors[1].data, narrow.tensors[1].data);
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(wide.tensors[2].data)[3],
            256 * std::int64_t{std::get<std::vector<std::int32_t>>(narrow.tensors[2].data)[3]});
  const ir::Graph lstm = MakeGraph(ParseWorkload("lstm:5x6x7:int16"), 1);
  EXPECT_EQ(lstm.tensors[lstm.states[0].before].type, ElementType::kInt16);
  EXPECT_EQ(lstm.states[0].initial.size(), 14U);
}

TEST(WorkloadSpec, Model) {
  const WorkloadSpec spec = ParseWorkload("model:a/b:c.tflite");
  EXPECT_EQ(std::get<ModelSpec>(spec.kind).file, "a/b:c.tflite");
}

TEST(WorkloadSpec, Suite) {
  const auto specs =
      ParseSuite("# heading\n\nmatmul:1x2x3   x4 # four times\n  dw:8x8x8:k3:s1:p1\n", "f");
  ASSERT_EQ(specs.size(), 2U);
  EXPECT_EQ(specs[0].text, "matmul:1x2x3");
  EXPECT_EQ(specs[0].count, 4U);
  EXPECT_EQ(specs[1].count, 1U);
  EXPECT_EQ(specs[1].type, ElementType::kInt8);
  const auto floats = ParseSuite("matmul:1x2x3 x4\n", "f", ElementType::kFloat32);
  EXPECT_EQ(floats[0].text, "matmul:1x2x3:float32");
  EXPECT_EQ(floats[0].type, ElementType::kFloat32);
}

struct BadSpec {
  const char* text;
  const char* message;
};

class BadWorkload : public testing::TestWithParam<BadSpec> {};

TEST_P(BadWorkload, IsRefused) {
  try {
    ParseWorkload(GetParam().text);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(std::string("workload ") + GetParam().text + ": "));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BadWorkload,
    testing::Values(
        BadSpec{"", "should begin with"}, BadSpec{"matmul", "matmul:MxKxN"},
        BadSpec{"gemm:1x1x1", "should begin with"}, BadSpec{"model:", "begin with"},
        BadSpec{"matmul:1x2", "3 numbers"}, BadSpec{"matmul:1x2x3x4", "3 numbers"},
        BadSpec{"matmul:0x2x3", "\"0\" is not a number"}, BadSpec{"matmul:-1x2x3", "\"-1\" is not"},
        BadSpec{"matmul:99999999999x2x3", "is not a number"},
        BadSpec{"matmul:1xx3", "\"\" is not a number"},
        BadSpec{"conv:8x8x3:k3:s1:p1", "conv:HxWxC"},
        BadSpec{"conv:8x8x3:s1:k3:p1:4", "should be k and a number"},
        BadSpec{"conv:8x8x3:k3:s0:p1:4", "\"0\" is not"},
        BadSpec{"conv:2x2x3:k5:s1:p1:4", "larger than the padded image"},
        BadSpec{"dw:8x8x3:k3:s1", "dw:HxWxC"}, BadSpec{"maxpool:8x8x3", "maxpool:HxWxC:k3:s1:p1"},
        BadSpec{"add:8x8", "3 numbers"}, BadSpec{"mobilenetv2:96x96", "w100"},
        BadSpec{"mobilenetv2:96x96:35", "should be w and a number"},
        BadSpec{"attention:8x8", "attention:TxC:h4"},
        BadSpec{"attention:8x8:4", "should be h and a number"},
        BadSpec{"attention:8x8:h3", "do not divide"}, BadSpec{"encoder:8x8:h4", "encoder:TxC:h4"},
        BadSpec{"encoder:8x8:h3:f9", "do not divide"},
        BadSpec{"encoder:8x8:h4:9", "should be f and a number"},
        BadSpec{"encoder:8x8:h4:f9:int16", "RSQRT is not on int16"},
        BadSpec{"matmul:1x2x3:bf16", "matmul:MxKxN"},
        BadSpec{"model:a.tflite:float32", "types of its own"}));

TEST(WorkloadSpec, SuiteErrorsNameTheLine) {
  const auto message = [](const char* text) -> std::string {
    try {
      ParseSuite(text, "f");
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message("matmul:1x1x1\nmatmul:1x1\n"), HasSubstr("f:2: workload matmul:1x1: "));
  EXPECT_THAT(message("matmul:1x1x1 3\n"), HasSubstr("f:1: \"3\" behind the workload"));
  EXPECT_THAT(message("matmul:1x1x1 x0\n"), HasSubstr("f:1: \"x0\" behind the workload"));
  EXPECT_THAT(message("# nothing\n"), HasSubstr("f: holds no workload"));
}

}  // namespace
}  // namespace tpu::tools
