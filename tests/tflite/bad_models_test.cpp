// SPDX-License-Identifier: Apache-2.0
// What is wrong with a model is said in one line that names the file and the place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>

#include "base/error.h"
#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"
#include "model_builder.h"

namespace tpu::tflite {
namespace {

using testing::HasSubstr;

void ExpectError(const Bytes& file, const std::string& message) {
  try {
    tflite::Import(Parse(file, "x.tflite"));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("x.tflite: "));
    EXPECT_THAT(error.what(), HasSubstr(message));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  }
}

struct Case {
  const char* name;
  std::function<void(ModelBuilder&)> spoil;  // Changes SampleModel().
  const char* message;
};

template <typename Options>
Options& OptionsOf(ModelBuilder& b, std::size_t op) {
  return *static_cast<Options*>(b.op(op).builtin_options.value);
}
schema::Conv2DOptionsT& ConvOptions(ModelBuilder& b) {
  return OptionsOf<schema::Conv2DOptionsT>(b, 0);
}
std::vector<float>& Scales(ModelBuilder& b, std::int32_t tensor) {
  return b.tensor(tensor).quantization->scale;
}
std::vector<std::int64_t>& ZeroPoints(ModelBuilder& b, std::int32_t tensor) {
  return b.tensor(tensor).quantization->zero_point;
}
void SetType(ModelBuilder& b, std::int32_t tensor, TensorType type, std::size_t bytes) {
  b.tensor(tensor).type = type;
  b.model().buffers[b.tensor(tensor).buffer]->data.resize(bytes);
}

const Case kCases[] = {
    // What the file says of itself.
    {"Version", [](auto& b) { b.model().version = 2; }, "version: is 2; only 3 can be read"},
    {"NoSubgraph", [](auto& b) { b.model().subgraphs.clear(); }, "subgraphs: there is none"},
    {"NoTensors", [](auto& b) { b.graph().tensors.clear(); }, "tensors: there is none"},
    {"NoOutputs", [](auto& b) { b.graph().outputs.clear(); }, "outputs: there is none"},
    {"UnknownType", [](auto& b) { b.tensor(3).type = static_cast<TensorType>(99); },
     "tensors[3].type: there is no type 99"},
    {"NegativeDimension", [](auto& b) { b.tensor(3).shape[1] = -4; }, "tensors[3].shape[1]: is -4"},
    {"HugeShape",
     [](auto& b) {
       b.tensor(3).shape = {65536, 65536, 65536, 65536};
     },
     "tensors[3].shape: [65536, 65536, 65536, 65536] makes too many elements"},
    {"HugeShapeBehindZero",
     [](auto& b) {
       b.tensor(3).shape = {0, 2147483647, 2147483647, 4};
     },
     "tensors[3].shape"},
    {"ManyDimensions", [](auto& b) { b.tensor(3).shape.assign(9, 1); },
     "tensors[3].shape: has 9 dimensions"},
    {"BufferPastTheEnd", [](auto& b) { b.tensor(1).buffer = 99; },
     "tensors[1].buffer: there is no buffer 99"},
    {"BufferTooShort", [](auto& b) { b.model().buffers[1]->data.pop_back(); },
     "tensors[1].buffer: buffer 1 has 71 bytes; INT8 [4, 3, 3, 2] needs 72"},
    {"BufferOutsideTheFile",
     [](auto& b) {
       b.model().buffers[1]->data.clear();
       b.model().buffers[1]->offset = 1'000'000;
       b.model().buffers[1]->size = 72;
     },
     "buffers[1].offset: bytes 1000000 to 1000072 are outside"},
    {"BufferWrapsAround",
     [](auto& b) {
       b.model().buffers[1]->data.clear();
       b.model().buffers[1]->offset = 64;
       b.model().buffers[1]->size = std::numeric_limits<std::uint64_t>::max() - 32;
     },
     "buffers[1].offset"},
    {"Sparse",
     [](auto& b) { b.tensor(1).sparsity = std::make_unique<schema::SparsityParametersT>(); },
     "tensors[1].sparsity: sparse tensors are not supported"},
    {"ScaleZero", [](auto& b) { Scales(b, 0)[0] = 0.0F; },
     "tensors[0].quantization.scale[0]: is 0"},
    {"ScaleNegative", [](auto& b) { Scales(b, 0)[0] = -1.0F; },
     "tensors[0].quantization.scale[0]: is -1"},
    {"ScaleNan", [](auto& b) { Scales(b, 0)[0] = std::nanf(""); },
     "tensors[0].quantization.scale[0]: is nan"},
    {"ScaleInfinite", [](auto& b) { Scales(b, 0)[0] = std::numeric_limits<float>::infinity(); },
     "tensors[0].quantization.scale[0]: is inf"},
    {"ZeroPointOutOfRange", [](auto& b) { ZeroPoints(b, 0)[0] = 128; },
     "tensors[0].quantization.zero_point[0]: 128 is no INT8"},
    {"ScaleCount",
     [](auto& b) {
       Scales(b, 1).pop_back();
       ZeroPoints(b, 1).pop_back();
     },
     "tensors[1].quantization.scale: has 3 values for a dimension of 4"},
    {"QuantizedDimension", [](auto& b) { b.tensor(1).quantization->quantized_dimension = 4; },
     "tensors[1].quantization.quantized_dimension: is 4"},
    {"CustomQuantization", [](auto& b) { b.tensor(1).quantization->details_type = 1; },
     "tensors[1].quantization.details: custom quantisation"},
    {"OpcodePastTheEnd", [](auto& b) { b.op(1).opcode_index = 77; },
     "operators[1].opcode_index: there is no operator code 77"},
    {"NegativeCode", [](auto& b) { b.model().operator_codes[1]->deprecated_builtin_code = -3; },
     "operators[1].opcode_index: there is no operator with code -3"},
    {"InputPastTheEnd", [](auto& b) { b.op(2).inputs[1] = 9; },
     "operators[2].inputs[1]: there is no tensor 9"},
    {"NegativeInput", [](auto& b) { b.op(2).inputs[1] = -2; },
     "operators[2].inputs[1]: there is no tensor -2"},
    {"OutputLeftOut", [](auto& b) { b.op(2).outputs[0] = -1; },
     "operators[2].outputs[0]: there is no tensor -1"},
    {"GraphOutputPastTheEnd", [](auto& b) { b.graph().outputs[0] = 1000; },
     "subgraphs[0].outputs[0]: there is no tensor 1000"},
    {"GraphInputPastTheEnd", [](auto& b) { b.graph().inputs[0] = -1; },
     "subgraphs[0].inputs[0]: there is no tensor -1"},
    {"Cycle", [](auto& b) { b.op(0).inputs[0] = 8; },
     "operators[0] (CONV_2D): tensor 8 (t8) is used before it is made"},
    {"MadeTwice", [](auto& b) { b.op(3).outputs[0] = 7; },
     "operators[3] (SOFTMAX): tensor 7 (t7) has another origin"},
    {"InputThatIsConstant", [](auto& b) { b.graph().inputs.push_back(1); },
     "subgraphs[0].inputs: tensor 1 (t1) has another origin"},
    {"InputTwice", [](auto& b) { b.graph().inputs.push_back(0); },
     "subgraphs[0].inputs: tensor 0 (t0) has another origin"},
    {"OutputNeverMade",
     [](auto& b) {
       b.Tensor({1});
       b.graph().outputs[0] = 9;
     },
     "subgraphs[0].outputs: tensor 9 (t9) is used before it is made"},
    {"LineBreakInAName",
     [](auto& b) {
       b.tensor(0).name = "a\nb";
       b.tensor(0).type = TensorType::INT16;
     },
     "a?b is int16 with zero point 3; it must be 0"},
    // What operators ask for.
    {"UnknownOperator",
     [](auto& b) { b.model().operator_codes[3]->builtin_code = BuiltinOperator::TOPK_V2; },
     "op3 (TOPK_V2): this operator is not supported"},
    {"OperatorOfTheFuture",
     [](auto& b) {
       b.model().operator_codes[3]->builtin_code = static_cast<BuiltinOperator>(4242);
     },
     "op3 (operator code 4242): this operator is not supported"},
    {"CustomOperator",
     [](auto& b) {
       b.model().operator_codes[3]->builtin_code = BuiltinOperator::CUSTOM;
       b.model().operator_codes[3]->custom_code = "MyOp";
     },
     "op3 (MyOp): this operator is not supported"},
    {"UnsupportedType", [](auto& b) { SetType(b, 6, TensorType::FLOAT16, 384); },
     "op2 (FULLY_CONNECTED): t6 is FLOAT16, which is not supported"},
    {"Uint8Activations", [](auto& b) { b.tensor(0).type = TensorType::UINT8; },
     "op0 (CONV_2D): t0 is uint8, which is not supported; models must be quantised to int8 or "
     "int16: "
     "convert the network again"},
    {"FloatActivations", [](auto& b) { b.tensor(0).type = TensorType::FLOAT32; },
     "op0 (CONV_2D): weights t1 are int8, and the activations float32: only float32 weights are "
     "supported"},
    {"Int8WhereOnlyFloat32Is",
     [](auto& b) { b.model().operator_codes[3]->builtin_code = BuiltinOperator::EXP; },
     "op3 (EXP): t7 is int8, which is not supported; this operator takes float32 alone"},
    {"NotQuantized", [](auto& b) { b.tensor(0).quantization.reset(); },
     "op0 (CONV_2D): t0 has no quantisation"},
    {"ActivationsPerChannel",
     [](auto& b) {
       Scales(b, 3).assign(4, 0.5F);
       ZeroPoints(b, 3).assign(4, 0);
       b.tensor(3).quantization->quantized_dimension = 3;
     },
     "op0 (CONV_2D): t3 is quantised per channel"},
    {"WrongOutputShape",
     [](auto& b) {
       b.tensor(3).shape = {1, 4, 5, 4};
     },
     "op0 (CONV_2D): t3 is [1, 4, 5, 4]; it should be [1, 4, 4, 4]"},
    {"WrongRank",
     [](auto& b) {
       b.tensor(0).shape = {4, 4, 2};
     },
     "op0 (CONV_2D): t0 [4, 4, 2] must have 4 dimensions"},
    {"NoElements",
     [](auto& b) {
       b.tensor(0).shape = {0, 4, 4, 2};
     },
     "op0 (CONV_2D): t0 [0, 4, 4, 2] has no elements"},
    {"TooFewInputs", [](auto& b) { b.op(0).inputs.resize(1); },
     "op0 (CONV_2D): has 1 inputs; there must be 2 to 3"},
    {"TooManyOutputs", [](auto& b) { b.op(3).outputs.push_back(b.Tensor({1})); },
     "op3 (SOFTMAX): has 2 outputs; there must be 1"},
    {"InputLeftOut", [](auto& b) { b.op(0).inputs[0] = -1; }, "op0 (CONV_2D): input 0 is missing"},
    {"OptionsMissing", [](auto& b) { b.op(0).builtin_options.Reset(); },
     "op0 (CONV_2D): its options are missing"},
    {"OptionsOfAnother",
     [](auto& b) {
       b.op(0).builtin_options.Reset();
       b.op(0).builtin_options.Set(schema::SoftmaxOptionsT{});
     },
     "op0 (CONV_2D): its options are missing"},
    {"StrideZero", [](auto& b) { ConvOptions(b).stride_w = 0; },
     "op0 (CONV_2D): stride 1x0 is out of range"},
    {"DilationHuge", [](auto& b) { ConvOptions(b).dilation_h_factor = 2147483647; },
     "op0 (CONV_2D): dilation 2147483647x1 is out of range"},
    {"UnknownPadding", [](auto& b) { ConvOptions(b).padding = static_cast<schema::Padding>(7); },
     "op0 (CONV_2D): padding 7 is neither SAME nor VALID"},
    {"FusedTanh",
     [](auto& b) {
       ConvOptions(b).fused_activation_function = schema::ActivationFunctionType::TANH;
     },
     "op0 (CONV_2D): fused activation 4 is not supported"},
    {"WindowTooLarge",
     [](auto& b) {
       ConvOptions(b).padding = schema::Padding::VALID;
       ConvOptions(b).dilation_h_factor = 2;
     },
     "op0 (CONV_2D): the window 3x3 is larger than the image 4x4"},
    {"Channels", [](auto& b) { b.tensor(0).shape[3] = 3; },
     "op0 (CONV_2D): 3 input channels are no multiple of the weights' 2"},
    {"Groups", [](auto& b) { b.tensor(0).shape[3] = 6; },
     "op0 (CONV_2D): 4 output channels are no multiple of 3 groups"},
    {"WeightsNotConstant",
     [](auto& b) {
       b.tensor(1).buffer = 0;
       b.graph().inputs.push_back(1);
     },
     "op0 (CONV_2D): weights t1 must be constant"},
    {"WeightsOfAnotherType", [](auto& b) { SetType(b, 1, TensorType::UINT8, 72); },
     "op0 (CONV_2D): weights t1 are uint8; only int8 is supported"},
    {"WeightsZeroPoint", [](auto& b) { ZeroPoints(b, 1)[3] = 1; },
     "op0 (CONV_2D): weights t1 must have zero point 0"},
    {"WeightsAxis",
     [](auto& b) {
       Scales(b, 1).assign(2, 0.5F);
       ZeroPoints(b, 1).assign(2, 0);
       b.tensor(1).quantization->quantized_dimension = 3;
     },
     "op0 (CONV_2D): weights t1 are quantised along dimension 3, not 0"},
    {"BiasLength",
     [](auto& b) {
       b.tensor(2).shape = {3};
       b.model().buffers[2]->data.resize(12);
     },
     "op0 (CONV_2D): bias t2 has 3 values for 4 channels"},
    {"BiasType", [](auto& b) { SetType(b, 2, TensorType::INT64, 32); },
     "op0 (CONV_2D): bias t2 is int64; only int32 is supported"},
    {"FactorTooLarge", [](auto& b) { Scales(b, 3)[0] = 1e-12F; },
     "op0 (CONV_2D): the scales make a factor of 6.25e+10, which is too large"},
    {"Variable",
     [](auto& b) {
       b.graph().inputs.clear();
       b.tensor(0).is_variable = true;
     },
     "op0 (CONV_2D): input 0 (t0) is a variable"},
    {"ReshapeToAnotherSize",
     [](auto& b) {
       b.model().buffers[3]->data[0] = 3;
       b.tensor(5).shape = {3, 22};
     },
     "op1 (RESHAPE): the new shape [3, -1] does not have 64 elements"},
    {"ShuffledWeights",
     [](auto& b) { OptionsOf<schema::FullyConnectedOptionsT>(b, 2).weights_format = 1; },
     "op2 (FULLY_CONNECTED): weights in format 1 are not supported"},
    {"SoftmaxScale", [](auto& b) { Scales(b, 8)[0] = 0.5F; },
     "op3 (SOFTMAX): t8 must have scale 0.00390625, not 0.5"},
    {"SoftmaxBeta", [](auto& b) { OptionsOf<schema::SoftmaxOptionsT>(b, 3).beta = std::nanf(""); },
     "op3 (SOFTMAX): beta is nan"},
};

class BadModel : public testing::TestWithParam<Case> {};

TEST_P(BadModel, IsRefusedByName) {
  ModelBuilder model = SampleModel();
  GetParam().spoil(model);
  ExpectError(model.File(), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(Cases, BadModel, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

TEST(BadFile, IsRefused) {
  ExpectError({}, "header: 0 bytes are no TensorFlow Lite model");
  ExpectError({1, 2, 3, 4, 5, 6, 7}, "header: 7 bytes");
  Bytes file = SampleModel().File();
  file[5] = 'X';
  ExpectError(file, "header: bytes 4 to 7 are not TFL3");
  file = SampleModel().File();
  file[0] = 0xf0;
  file[3] = 0x7f;
  ExpectError(file, "model: truncated or damaged");
  EXPECT_THROW(Load("/nonexistent/x.tflite"), Error);
  EXPECT_THROW(Load("/"), Error);
}

// A small file that asks for much memory.
TEST(BadFile, MayNotReferToTheSameContentsWithoutEnd) {
  ModelBuilder b = SampleModel();
  const std::int32_t big = b.Constant<std::int8_t>({100'000}, std::vector<std::int8_t>(100'000));
  for (int i = 0; i < 100; ++i) b.tensor(b.Tensor({100'000})).buffer = b.tensor(big).buffer;
  ExpectError(b.File(), "model: refers to the same contents too often");
}

// Returns whether the file was accepted; anything but an Error escapes.
bool Accepts(const Bytes& file) {
  try {
    tflite::Import(Parse(file, "x.tflite"));
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return false;
  }
}

TEST(BadFile, TruncatedAnywhere) {
  const Bytes file = SampleModel().File();
  ASSERT_TRUE(Accepts(file));
  std::size_t accepted = 0;
  for (std::size_t length = 0; length < file.size(); ++length) {
    // A vector of its own, so that a sanitizer sees reads beyond the end.
    if (Accepts(Bytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(length)))) {
      ++accepted;
    }
  }
  EXPECT_LE(accepted, 16U);  // Padding at the end may go.
}

TEST(BadFile, WithRandomBytes) {
  constexpr std::uint32_t kSeed = 1;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const Bytes file = SampleModel().File();
  int accepted = 0;
  constexpr int kFiles = 20'000;
  for (int i = 0; i < kFiles; ++i) {
    Bytes changed = file;
    for (std::uint32_t changes = 1 + random() % 4; changes > 0; --changes) {
      // Bytes near 0 and 255 make the lengths and offsets that are nearly right.
      const auto small = static_cast<std::uint8_t>(random() % 16 - 8);
      changed[random() % changed.size()] =
          random() % 2 == 0 ? small : static_cast<std::uint8_t>(random());
    }
    accepted += Accepts(changed) ? 1 : 0;
  }
  // Both happen often, or the test tries nothing.
  EXPECT_GT(accepted, kFiles / 20);
  EXPECT_LT(accepted, kFiles * 19 / 20);
}

}  // namespace
}  // namespace tpu::tflite
