// SPDX-License-Identifier: Apache-2.0
#include "training/examples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/training/example_files.h"

namespace tpu::training {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

template <typename T>
std::vector<T> ValuesOf(const Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

class ExamplesTest : public ExampleFiles {
 protected:
  const ExampleType classes_ = {.input = {4}, .label = {}, .classes = 3};
  const ExampleType targets_ = {.input = {4}, .label = {2}};

  [[nodiscard]] std::string Reading(const std::string& inputs, const std::string& labels) const {
    return ErrorOf([&] { Examples(inputs, labels, classes_); });
  }
};

TEST_F(ExamplesTest, AreTakenInAnyOrder) {
  const std::string inputs =
      Write<float>("x.npy", npy::Type::kFloat32, {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8.5});
  const std::string labels = Write<std::int64_t>("y.npy", npy::Type::kInt64, {2}, {2, 1});
  const Examples examples(inputs, labels, classes_);
  EXPECT_EQ(examples.count(), 2);
  EXPECT_THAT(ValuesOf<float>(examples.Inputs(std::array<std::int64_t, 2>{1, 0})),
              ElementsAre(5, 6, 7, 8.5, 1, 2, 3, 4));
  EXPECT_THAT(ValuesOf<std::int32_t>(examples.Labels(std::array<std::int64_t, 3>{1, 0, 1})),
              ElementsAre(1, 2, 1));
}

TEST_F(ExamplesTest, BytesAreTakenAsTheyAre) {
  const std::string labels = Write<std::uint8_t>("y.npy", npy::Type::kUint8, {1}, {2});
  const std::string bytes =
      Write<std::uint8_t>("u.npy", npy::Type::kUint8, {1, 4}, {0, 1, 128, 255});
  const std::array<std::int64_t, 1> first = {0};
  EXPECT_THAT(ValuesOf<float>(Examples(bytes, labels, classes_).Inputs(first)),
              ElementsAre(0, 1, 128, 255));
  const std::string chars = Write<std::int8_t>("s.npy", npy::Type::kInt8, {1, 4}, {0, 1, -128, -1});
  EXPECT_THAT(ValuesOf<float>(Examples(chars, labels, classes_).Inputs(first)),
              ElementsAre(0, 1, -128, -1));
}

TEST_F(ExamplesTest, TargetsAreFloats) {
  const std::string inputs = WriteInputs("x.npy", 2);
  const std::string targets = Write<float>("t.npy", npy::Type::kFloat32, {2, 2}, {1, 2, 3, 4});
  const Examples examples(inputs, targets, targets_);
  EXPECT_THAT(ValuesOf<float>(examples.Labels(std::array<std::int64_t, 1>{1})), ElementsAre(3, 4));
  const std::string labels = WriteLabels("y.npy", 2);
  EXPECT_THAT(ErrorOf([&] { Examples(inputs, labels, targets_); }),
              AllOf(HasSubstr("y.npy: has type int32, expected are targets of float32")));
  const std::string nan = Write<float>("n.npy", npy::Type::kFloat32, {2, 2},
                                       {1, 2, std::numeric_limits<float>::quiet_NaN(), 4});
  EXPECT_THAT(ErrorOf([&] { Examples(inputs, nan, targets_); }),
              HasSubstr("n.npy: example 1: value 0 is nan"));
}

TEST_F(ExamplesTest, WrongFilesAreNamed) {
  const std::string inputs = WriteInputs("x.npy", 3);
  const std::string labels = WriteLabels("y.npy", 3);
  EXPECT_EQ(Reading(inputs, labels), "no error");
  EXPECT_THAT(Reading(inputs, inputs), HasSubstr("x.npy: has type float32, expected are numbers"));
  EXPECT_THAT(Reading(labels, labels), HasSubstr("y.npy: has type int32, expected is float32"));
  EXPECT_THAT(Reading(Path("none.npy"), labels), HasSubstr("none.npy"));
  EXPECT_THAT(
      Reading(Write<float>("f.npy", npy::Type::kFloat32, {3, 2, 2}, SomeFloats(12, 1)), labels),
      HasSubstr("f.npy: has shape [3, 2, 2], expected is [examples, 4]"));
  EXPECT_THAT(Reading(inputs, Write<std::int32_t>("c.npy", npy::Type::kInt32, {3, 1}, {0, 0, 0})),
              HasSubstr("c.npy: has shape [3, 1], expected is [examples]"));
  EXPECT_THAT(
      Reading(inputs, WriteLabels("two.npy", 2)),
      AllOf(HasSubstr("two.npy: holds labels of 2 examples, expected are 3"), HasSubstr("x.npy")));
  EXPECT_THAT(Reading(Write<float>("i.npy", npy::Type::kFloat32, {1, 4},
                                   {0, 0, -std::numeric_limits<float>::infinity(), 0}),
                      labels),
              HasSubstr("i.npy: example 0: value 2 is -inf"));
}

TEST_F(ExamplesTest, LabelsAreClasses) {
  const std::string inputs = WriteInputs("x.npy", 3);
  EXPECT_THAT(Reading(inputs, Write<std::int32_t>("a.npy", npy::Type::kInt32, {3}, {0, 1, 3})),
              HasSubstr("a.npy: label 2 is 3: with 3 classes it has to be 0 to 2"));
  EXPECT_THAT(Reading(inputs, Write<std::int8_t>("b.npy", npy::Type::kInt8, {3}, {0, -1, 3})),
              HasSubstr("b.npy: label 1 is -1"));
  // The low half is a class.
  const std::int64_t large = (std::int64_t{1} << 32U) + 1;
  EXPECT_THAT(Reading(inputs, Write<std::int64_t>("c.npy", npy::Type::kInt64, {3}, {large, 0, 0})),
              HasSubstr("c.npy: label 0 is 4294967297"));
}

TEST_F(ExamplesTest, CrcTellsFilesApart) {
  const std::string inputs = WriteInputs("x.npy", 3);
  const std::string labels = WriteLabels("y.npy", 3);
  const Examples examples(inputs, labels, classes_);
  EXPECT_EQ(examples.crc32(), Examples(inputs, labels, classes_).crc32());
  const std::string others = Write<std::int32_t>("o.npy", npy::Type::kInt32, {3}, {0, 1, 1});
  EXPECT_NE(examples.crc32(), Examples(inputs, others, classes_).crc32());
}

TEST(ExampleType, IsWhatTheStepTakes) {
  const auto result = tensor::FromTflite(GraphOf(MlpFile()), {.batch = 6});
  EXPECT_EQ(DataInput(result.model), "t0");
  const ExampleType classes = ExampleTypeOf(result.model, tensor::MakeTrainStep(result.model, {}));
  EXPECT_THAT(classes.input, ElementsAre(4));
  EXPECT_TRUE(classes.label.empty());
  EXPECT_EQ(classes.classes, 3);
  const ExampleType targets = ExampleTypeOf(
      result.model, tensor::MakeTrainStep(result.model, {.loss = tensor::Loss::kMeanSquaredError}));
  EXPECT_THAT(targets.label, ElementsAre(3));
  EXPECT_EQ(targets.classes, 0);
}

}  // namespace
}  // namespace tpu::training
