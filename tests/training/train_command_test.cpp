// SPDX-License-Identifier: Apache-2.0
// `tpu train` as a user calls it, on the golden model.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>

#include "tests/training/train_command_tester.h"

namespace tpu::tools {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

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
    BadTraining{"AlsoTrain", "mlp.tflite --inputs x.npy --labels y.npy --also-train places",
                "mlp.tflite: places: no operator takes a constant of float32 of that name"},
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
    BadTraining{"OutputIsDevice", "mlp.tflite --inputs x.npy --labels y.npy -o /dev/null",
                "/dev/null: cannot be replaced"},
    BadTraining{"CheckpointEvery", "mlp.tflite --inputs x.npy --labels y.npy --checkpoint-every 3",
                "--checkpoint-every requires --checkpoint"},
    BadTraining{"ResumeMissing", "mlp.tflite --inputs x.npy --labels y.npy --resume none.ckpt",
                "none.ckpt: cannot be read"},
    BadTraining{"ResumeText", "mlp.tflite --inputs x.npy --labels y.npy --resume text.ckpt",
                "text.ckpt: is no checkpoint"},
};

INSTANTIATE_TEST_SUITE_P(Everything, BadTrainingTest, testing::ValuesIn(kBadTrainings),
                         [](const auto& bad) { return bad.param.name; });

using nlohmann::json;

class TrainRunTest : public TrainCommand {
 protected:
  static constexpr const char* kOptions =
      "--test-inputs x.npy --test-labels y.npy --optimizer adam --lr 0.05 --batch 8 ";

  // A good run; its report.
  json Report(const std::string& arguments) const {
    const Outcome outcome = Train(kOptions + arguments + " --report r.json");
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    return json::parse(Read("r.json"));
  }
};

TEST_F(TrainRunTest, LearnsAndReports) {
  const Outcome outcome = Train(std::string(kOptions) + "--epochs 8 --report r.json -o new.tflite");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("epoch 8, step 40: loss "));
  EXPECT_THAT(outcome.output, HasSubstr("40 steps of 8 examples"));
  const json report = json::parse(Read("r.json"));
  ASSERT_EQ(report.at("loss").size(), 40U);
  EXPECT_GT(report.at("loss").at(0), 0.7);
  EXPECT_LT(report.at("loss").at(39), 0.4);
  EXPECT_EQ(report.at("weights_crc32").size(), 40U);
  EXPECT_EQ(report.at("evaluations").size(), 8U);
  EXPECT_GT(report.at("accuracy"), 0.9);
  EXPECT_GT(report.at("macs"), 0);
  EXPECT_EQ(report.at("cycles"), 0);
  EXPECT_EQ(report.at("backend"), "rtl");
  EXPECT_EQ(report.at("ending"), "done");
}

TEST_F(TrainRunTest, TrainedModelRuns) {
  EXPECT_EQ(Train("--steps 3 --batch 8 -o new.tflite").status, 0);
  EXPECT_FALSE(Read("new.tflite") == Read("mlp.tflite"));
  const Outcome run = Tpu("run new.tflite --config N16-bf16 --no-check");
  EXPECT_EQ(run.status, 0) << run.output;
}

TEST_F(TrainRunTest, BackendsComputeTheSame) {
  const json rtl = Report("--steps 5 --backend rtl");
  const json golden = Report("--steps 5 --backend golden");
  EXPECT_EQ(rtl.at("loss"), golden.at("loss"));
  EXPECT_EQ(rtl.at("weights_crc32"), golden.at("weights_crc32"));
}

TEST_F(TrainRunTest, ContinuesToTheBit) {
  for (const std::string more : {"", "--accumulate 2 ", "--initialise --seed 5 "}) {
    const json whole = Report(more + "--steps 12 --checkpoint whole.ckpt -o whole.tflite");
    const std::string last = Read("whole.ckpt");
    // The end of an epoch, where both are tested.
    Report(more + "--steps 10 --checkpoint part.ckpt");
    const json half =
        Report(more + "--steps 12 --resume part.ckpt --checkpoint part.ckpt -o part.tflite");
    EXPECT_EQ(half.at("loss"), whole.at("loss")) << more;
    EXPECT_EQ(half.at("weights_crc32"), whole.at("weights_crc32")) << more;
    EXPECT_EQ(half.at("evaluations"), whole.at("evaluations")) << more;
    EXPECT_EQ(half.at("macs"), whole.at("macs")) << more;
    EXPECT_TRUE(Read("part.ckpt") == last) << more;
    EXPECT_TRUE(Read("part.tflite") == Read("whole.tflite")) << more;
  }
  const json whole = Report("--epochs 3");
  Report("--epochs 1 --checkpoint part.ckpt");
  EXPECT_EQ(Report("--epochs 3 --resume part.ckpt").at("weights_crc32"), whole.at("weights_crc32"));
}

TEST_F(TrainRunTest, CheckpointsOfOtherRunsAreRefused) {
  Report("--steps 2 --checkpoint a.ckpt");
  const auto resume = [&](const std::string& arguments) {
    const Outcome outcome = Train(kOptions + arguments + " --resume a.ckpt");
    EXPECT_EQ(outcome.status, 2) << outcome.output;
    return outcome.output;
  };
  EXPECT_THAT(resume("--steps 4 --seed 2"),
              HasSubstr("a.ckpt: was made with --seed 1, this run is with --seed 2"));
  EXPECT_THAT(resume("--steps 4 --accumulate 2"), HasSubstr("--accumulate 1"));
  EXPECT_THAT(resume("--steps 4 --lr-schedule cosine"), HasSubstr("--lr-schedule constant"));
  EXPECT_THAT(resume("--steps 1"), HasSubstr("a.ckpt: has 2 steps behind it already"));
  std::string bytes = Read("a.ckpt");
  Write("a.ckpt", bytes.substr(0, bytes.size() - 1));
  EXPECT_THAT(resume("--steps 4"), HasSubstr("a.ckpt: is truncated"));
  bytes[bytes.size() / 2] ^= 1;
  Write("a.ckpt", bytes);
  EXPECT_THAT(resume("--steps 4"), HasSubstr("a.ckpt: is damaged"));
}

TEST_F(TrainRunTest, DivergenceNamesStepAndLayer) {
  const Outcome outcome = Train(
      "--batch 8 --steps 20 --lr 1e30 --checkpoint a.ckpt --checkpoint-every 1 --report r.json -o "
      "no.tflite");
  EXPECT_EQ(outcome.status, 1) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("tpu: mlp.tflite: step 2: the loss is "));
  EXPECT_THAT(outcome.output, HasSubstr("(FULLY_CONNECTED) is the first operator whose result is "
                                        "not finite; the last good checkpoint is a.ckpt"));
  const json report = json::parse(Read("r.json"));
  EXPECT_EQ(report.at("ending"), "diverged");
  EXPECT_EQ(report.at("loss").size(), 1U);
  EXPECT_EQ(Read("no.tflite"), "");
  EXPECT_EQ(Train("--batch 8 --steps 1 --lr 1e30 --resume a.ckpt").status, 0);
}

TEST_F(TrainRunTest, DivergenceNamesTheWeight) {
  // Large inputs make large gradients of a loss that is finite.
  std::vector<float> inputs = training::SomeFloats(std::size_t{40} * 4, 9);
  for (float& x : inputs) x *= 1000;
  Write("large.npy", Npy("<f4", "(40, 4)", inputs));
  const Outcome outcome =
      Tpu("train mlp.tflite --inputs large.npy --labels y.npy --batch 8 --steps 5 --lr 3e38");
  EXPECT_EQ(outcome.status, 1) << outcome.output;
  EXPECT_THAT(outcome.output,
              HasSubstr("tpu: mlp.tflite: step 1: t1 of op0 (FULLY_CONNECTED) is not finite "
                        "after the update"));
  EXPECT_THAT(outcome.output, HasSubstr("there is no checkpoint"));
}

TEST_F(TrainRunTest, AnInterruptedRunCanBeContinued) {
  // Shells let programs behind & ignore SIGINT.
  const std::string arguments =
      " train mlp.tflite --inputs x.npy --labels y.npy --batch 8 --checkpoint a.ckpt ";
  const Outcome outcome =
      Shell(std::string(TPU_COMMAND) + arguments +
            "--checkpoint-every 100 --steps 100000000 --report r.json & pid=$!; "
            "for i in $(seq 200); do test -e a.ckpt && break; sleep 0.05; done; kill -TERM $pid; "
            "wait $pid");
  EXPECT_EQ(outcome.status, 130) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("interrupted after step "));
  EXPECT_THAT(outcome.output, HasSubstr("continue with --resume a.ckpt"));
  const json report = json::parse(Read("r.json"));
  EXPECT_EQ(report.at("ending"), "interrupted");
  const std::size_t steps = report.at("loss").size();
  const Outcome more =
      Tpu("train mlp.tflite --inputs x.npy --labels y.npy --batch 8 --resume a.ckpt --steps " +
          std::to_string(steps + 1));
  EXPECT_EQ(more.status, 0) << more.output;
}

TEST_F(TrainRunTest, AFullDiskKeepsTheLastCheckpoint) {
  Report("--steps 2 --checkpoint a.ckpt");
  const std::string before = Read("a.ckpt");
  const Outcome outcome =
      Shell(std::string("ln -s /dev/full a.ckpt.partial; ") + TPU_COMMAND +
            " train mlp.tflite --inputs x.npy --labels y.npy --batch 8 --checkpoint a.ckpt");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.output,
              HasSubstr("a.ckpt.partial: cannot be written: No space left on device"));
  EXPECT_TRUE(Read("a.ckpt") == before);
}

TEST_F(TrainRunTest, SquaredErrors) {
  const Outcome outcome =
      Tpu("train mlp.tflite --inputs x.npy --labels t.npy --test-inputs x.npy --test-labels t.npy "
          "--loss mse "
          "--optimizer momentum --momentum 0.5 --lr 0.5 --batch 16 --accumulate 2 --epochs 30 "
          "--initialise "
          "--lr-schedule linear --report r.json");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("mean squared error "));
  const json report = json::parse(Read("r.json"));
  // 40 examples are one step of 32.
  EXPECT_EQ(report.at("loss").size(), 30U);
  EXPECT_LT(report.at("loss").at(29), 0.7 * report.at("loss").at(0).get<double>());
  EXPECT_TRUE(report.at("accuracy").is_null());
  EXPECT_LT(report.at("mean_squared_error"), 0.2);
}

TEST_F(TrainRunTest, SeedsDiffer) {
  const json one = Report("--steps 2 --initialise");
  const json again = Report("--steps 2 --initialise");
  const json two = Report("--steps 2 --initialise --seed 2");
  const json file = Report("--steps 2");
  EXPECT_EQ(one.at("weights_crc32"), again.at("weights_crc32"));
  EXPECT_NE(one.at("weights_crc32"), two.at("weights_crc32"));
  EXPECT_NE(one.at("weights_crc32"), file.at("weights_crc32"));
}

TEST_F(TrainRunTest, NeedsAMachineWithBf16) {
  const Outcome outcome = Train("--config N16 --batch 8");
  EXPECT_EQ(outcome.status, 2) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("bf16"));
}

}  // namespace
}  // namespace tpu::tools
