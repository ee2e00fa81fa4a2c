// SPDX-License-Identifier: Apache-2.0
// `tpu train` as a user calls it, on the golden model.
#include <gmock/gmock.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "tests/tools/command_tester.h"
#include "tests/training/models.h"

namespace tpu::tools {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class TrainCommand : public CommandTester {
 protected:
  void SetUp() override {
    CommandTester::SetUp();
    Write("mlp.tflite", training::MlpFile().File());
    std::vector<float> inputs = training::SomeFloats(std::size_t{40} * 4, 9);
    for (std::size_t i = 0; i < 40; ++i) inputs[4 * i + i % 3] += 1.5F;
    Write("x.npy", Npy("<f4", "(40, 4)", inputs));
    std::vector<std::int64_t> labels;
    for (std::int64_t i = 0; i < 40; ++i) labels.push_back(i % 3);
    Write("y.npy", Npy("<i8", "(40,)", labels));
    labels[7] = 3;
    Write("wrong.npy", Npy("<i8", "(40,)", labels));
    inputs[5] = std::numeric_limits<float>::quiet_NaN();
    Write("nan.npy", Npy("<f4", "(40, 4)", inputs));
    Write("flat.npy", Npy("<f4", "(160,)", inputs));
    Write("text.npy", std::string("not an array"));
    Write("text.ckpt", std::string("not a checkpoint"));
  }

  template <typename T>
  static std::string Npy(const std::string& type, const std::string& shape,
                         const std::vector<T>& values) {
    std::string header =
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header.resize(117, ' ');
    std::string contents(values.size() * sizeof(T), '\0');
    std::memcpy(contents.data(), values.data(), contents.size());
    return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + contents;
  }

  [[nodiscard]] Outcome Train(const std::string& arguments) const {
    return Tpu("train mlp.tflite --inputs x.npy --labels y.npy " + arguments);
  }
};

struct BadTraining {
  const char* name;
  const char* arguments;  ///< Behind `tpu train`.
  const char* message;
};

class BadTrainingTest : public TrainCommand, public testing::WithParamInterface<BadTraining> {};

TEST_P(BadTrainingTest, IsOneLineAndStatusTwo) {
  const Outcome outcome = Tpu(std::string("train ") + GetParam().arguments);
  EXPECT_EQ(outcome.status, 2) << outcome.output;
  EXPECT_THAT(outcome.output, StartsWith("tpu: "));
  EXPECT_THAT(outcome.output, HasSubstr(GetParam().message));
  EXPECT_EQ(std::ranges::count(outcome.output, '\n'), 1) << outcome.output;
}

constexpr std::array kBadTrainings = {
    BadTraining{"NoModel", "--inputs x.npy --labels y.npy", "MODEL is required"},
    BadTraining{"NoInputs", "mlp.tflite --labels y.npy", "--inputs is required"},
    BadTraining{"MissingModel", "none.tflite --inputs x.npy --labels y.npy",
                "none.tflite: cannot be read"},
    BadTraining{"QuantisedModel", "good.tflite --inputs x.npy --labels y.npy", "good.tflite: "},
    BadTraining{"Loss", "mlp.tflite --inputs x.npy --labels y.npy --loss l1", "--loss"},
    BadTraining{"Optimizer", "mlp.tflite --inputs x.npy --labels y.npy --optimizer lamb",
                "--optimizer"},
    BadTraining{"RateZero", "mlp.tflite --inputs x.npy --labels y.npy --lr 0",
                "--lr: 0 is no number above 0"},
    BadTraining{"RateNan", "mlp.tflite --inputs x.npy --labels y.npy --lr nan",
                "--lr: nan is no number"},
    BadTraining{"RateLarge", "mlp.tflite --inputs x.npy --labels y.npy --lr 1e39",
                "--lr: 1e39 is no number"},
    BadTraining{"RateText", "mlp.tflite --inputs x.npy --labels y.npy --lr fast", "--lr"},
    BadTraining{"Momentum", "mlp.tflite --inputs x.npy --labels y.npy --momentum 0.5",
                "--momentum belongs to --optimizer momentum"},
    BadTraining{"WeightDecay", "mlp.tflite --inputs x.npy --labels y.npy --weight-decay 0.5",
                "--weight-decay belongs to --optimizer adam"},
    BadTraining{"BatchZero", "mlp.tflite --inputs x.npy --labels y.npy --batch 0", "--batch"},
    BadTraining{"BatchTooLarge", "mlp.tflite --inputs x.npy --labels y.npy --batch 41",
                "x.npy: 40 examples do not fill a step, which takes 41"},
    BadTraining{"AccumulateTooLarge",
                "mlp.tflite --inputs x.npy --labels y.npy --batch 10 --accumulate 5",
                "which takes 50"},
    BadTraining{"EpochsAndSteps", "mlp.tflite --inputs x.npy --labels y.npy --epochs 1 --steps 1",
                "excludes"},
    BadTraining{"NoSteps", "mlp.tflite --inputs x.npy --labels y.npy --steps 0", "--steps"},
    BadTraining{"TestWithoutLabels", "mlp.tflite --inputs x.npy --labels y.npy --test-inputs x.npy",
                "--test-inputs requires --test-labels"},
    BadTraining{"Config", "mlp.tflite --inputs x.npy --labels y.npy --config N5",
                "--config N5: no such machine"},
    BadTraining{"Backend", "mlp.tflite --inputs x.npy --labels y.npy --backend board", "--backend"},
    BadTraining{"InputsText", "mlp.tflite --inputs text.npy --labels y.npy", "text.npy"},
    BadTraining{"InputsShape", "mlp.tflite --inputs flat.npy --labels y.npy",
                "flat.npy: has shape [160], expected is [examples, 4]"},
    BadTraining{"InputsType", "mlp.tflite --inputs y.npy --labels y.npy",
                "y.npy: has type int64, expected is float32"},
    BadTraining{"InputsNan", "mlp.tflite --inputs nan.npy --labels y.npy",
                "nan.npy: example 1: value 1 is nan"},
    BadTraining{"LabelsType", "mlp.tflite --inputs x.npy --labels x.npy",
                "x.npy: has type float32, expected are numbers of classes"},
    BadTraining{"LabelsRange", "mlp.tflite --inputs x.npy --labels wrong.npy",
                "wrong.npy: label 7 is 3: with 3 classes it has to be 0 to 2"},
    BadTraining{
        "TestLabelsRange",
        "mlp.tflite --inputs x.npy --labels y.npy --test-inputs x.npy --test-labels wrong.npy",
        "wrong.npy: label 7"},
    BadTraining{"TargetsType", "mlp.tflite --inputs x.npy --labels y.npy --loss mse",
                "y.npy: has type int64, expected are targets"},
    BadTraining{"OutputFolder", "mlp.tflite --inputs x.npy --labels y.npy -o none/a.tflite",
                "none/a.tflite: cannot be written: there is no folder"},
    BadTraining{"ReportIsFolder", "mlp.tflite --inputs x.npy --labels y.npy --report .",
                ".: cannot be written: it is a folder"},
    BadTraining{"CheckpointEvery", "mlp.tflite --inputs x.npy --labels y.npy --checkpoint-every 3",
                "--checkpoint-every requires --checkpoint"},
    BadTraining{"ResumeMissing", "mlp.tflite --inputs x.npy --labels y.npy --resume none.ckpt",
                "none.ckpt: cannot be read"},
    BadTraining{"ResumeText", "mlp.tflite --inputs x.npy --labels y.npy --resume text.ckpt",
                "text.ckpt: is no checkpoint"},
};

INSTANTIATE_TEST_SUITE_P(Everything, BadTrainingTest, testing::ValuesIn(kBadTrainings),
                         [](const auto& bad) { return bad.param.name; });

}  // namespace
}  // namespace tpu::tools
