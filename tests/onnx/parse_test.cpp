// SPDX-License-Identifier: Apache-2.0
// Files are read as they were written, and what is damaged is said in one line.
#include "frontends/onnx/parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/error.h"
#include "frontends/onnx/import.h"
#include "sample_model.h"

namespace tpu::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

void ExpectError(const Bytes& file, const std::string& message) {
  try {
    (void)Parse(file);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(message));
  }
}

TEST(Parse, ReadsNodesConstantsAndEdges) {
  const Model model = Parse(ModelBuilder()
                                .Input("x", kInt8Type, {-1, 3})
                                .Constant<std::int64_t>("shape", kInt64Type, {2}, {3, -1})
                                .Node("Reshape", {"x", "shape"}, {"y"}, {IntAttribute("a", -5)})
                                .Output("y", kInt8Type)
                                .Finish(18));
  EXPECT_EQ(model.opsets.at(""), 18);
  ASSERT_EQ(model.nodes.size(), 1U);
  EXPECT_EQ(model.nodes[0].op_type, "Reshape");
  EXPECT_THAT(model.nodes[0].inputs, ElementsAre("x", "shape"));
  EXPECT_EQ(model.nodes[0].attributes.at(0).i, -5);
  ASSERT_EQ(model.inputs.size(), 1U);
  EXPECT_EQ(model.inputs[0].type, ElementType::kInt8);
  EXPECT_THAT(model.inputs[0].shape, ElementsAre(std::nullopt, std::optional<std::int64_t>(3)));
  EXPECT_THAT(model.initializers.at(0)->Integers(), ElementsAre(3, -1));
}

TEST(Parse, ReadsTypedFieldsAsRawBytes) {
  Proto packed;
  packed.Int(1, 3).Int(2, kInt8Type).Text(8, "packed").Text(5, std::string("\x05\x80\x01\x7f", 4));
  Proto single;
  single.Int(1, 2).Int(2, kFloatType).Text(8, "single").Float(4, 1.5F).Float(4, -2.0F);
  Proto negative;
  negative.Int(1, 1).Int(2, kInt64Type).Text(8, "negative").Int(7, -9);
  const Model model =
      Parse(ModelBuilder().Initializer(packed).Initializer(single).Initializer(negative).Finish());
  // 128 is -128 as int8: the field has the bits of the number.
  EXPECT_THAT(model.initializers.at(0)->Integers(), ElementsAre(5, -128, 127));
  EXPECT_THAT(model.initializers.at(1)->Floats(), ElementsAre(1.5F, -2.0F));
  EXPECT_THAT(model.initializers.at(2)->Integers(), ElementsAre(-9));
}

TEST(Parse, TellsOnnxFromTensorFlowLite) {
  EXPECT_TRUE(IsOnnx(SampleModel()));
  const Bytes lite = {8, 1, 0, 0, 'T', 'F', 'L', '3'};
  EXPECT_FALSE(IsOnnx(lite));
  EXPECT_FALSE(IsOnnx(Bytes()));
}

TEST(Parse, RefusesWhatItCannotRead) {
  ExpectError(Bytes(), "has no graph");
  ExpectError({0x08, 0x09, 0x3a, 0x05, 0x0a}, "damaged at byte 2: field 7 of ModelProto ends");
  ExpectError({0x08, 0x80}, "damaged at byte 2: no integer ends in ModelProto");
  ExpectError({0x38, 0x01}, "field 7 of ModelProto has another type than ONNX says");
  ExpectError({0x0b}, "field 1 of ModelProto has a kind that no reader knows");
  ExpectError({0x07}, "a field has no valid number");
  const auto with = [](const Proto& tensor) { return ModelBuilder().Initializer(tensor).Finish(); };
  ExpectError(with(TensorOf<float>("w", kFloatType, {3}, {1, 2})),
              "tensor w: has 8 bytes; its shape [3] of float32 needs 12");
  ExpectError(with(TensorOf<float>("w", kFloatType, {-1}, {})), "[-1] is no shape of a tensor");
  ExpectError(with(TensorOf<float>("w", kFloatType, {1LL << 30, 1LL << 30}, {})), "is no shape");
  ExpectError(with(TensorOf<float>("w", 10, {1}, {1})), "tensor w has ONNX's data type 10");
  ExpectError(with(Proto().Int(2, kFloatType).Text(8, "w").Int(14, 1)),
              "tensor w lies in another file");
  const Proto branch = Proto().Text(1, "then_branch").Message(6, {});
  ExpectError(ModelBuilder().Node("If", {"c"}, {"y"}, {branch}).Finish(),
              "node n0 (If): attribute then_branch is a graph");
}

// Whatever is cut off or changed: an error, or another model.
void ReadAnything(const Bytes& file) {
  try {
    (void)Import(Parse(file));
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  }
}

TEST(Parse, SurvivesTruncation) {
  const Bytes file = SampleModel();
  for (std::size_t size = 0; size < file.size(); ++size) {
    ReadAnything({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)});
  }
}

TEST(Parse, SurvivesRandomChanges) {
  const Bytes file = SampleModel();
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    Bytes changed = file;
    for (unsigned k = 0; k < 1 + random() % 3; ++k) {
      changed[random() % changed.size()] = static_cast<std::uint8_t>(random());
    }
    ReadAnything(changed);
  }
}

}  // namespace
}  // namespace tpu::onnx
