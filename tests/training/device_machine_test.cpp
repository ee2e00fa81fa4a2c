// SPDX-License-Identifier: Apache-2.0
// A device trains as plain loops do, up to the order of their sums.
#include "training/device_machine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "tests/training/example_files.h"
#include "tests/training/reference_machine.h"
#include "tpu/device.h"
#include "training/trainer.h"

namespace tpu::training {
namespace {

class DeviceMachineTest : public ExampleFiles {
 protected:
  void SetUp() override {
    ExampleFiles::SetUp();
    settings_.batch = 4;
    settings_.steps = 12;
    settings_.learning_rate = 0.1;
    config_.bf16 = 1;
  }

  void Compare(const ir::Graph& graph, const std::string& inputs, const std::string& labels) {
    const tensor::Model model = tensor::FromTflite(graph, {.batch = settings_.batch}).model;
    const tensor::TrainStep step =
        tensor::MakeTrainStep(model, {.loss = settings_.loss,
                                      .optimizer = settings_.optimizer,
                                      .micro_batches = settings_.accumulate});
    const auto executables = compiler::CompileTraining(model, step, config_);
    const std::unique_ptr<Device> device = MakeDevice("golden", config_);
    DeviceMachine machine(*device, executables, step, model.parameters.size(), DataInput(model),
                          {});
    ReferenceMachine reference(model, step);
    EXPECT_EQ(machine.Parameters(), reference.Parameters());
    const Examples examples(inputs, labels, ExampleTypeOf(model, step));
    const History got = Train(machine, examples);
    const History expected = Train(reference, examples);
    ASSERT_EQ(got.losses.size(), expected.losses.size());
    for (std::size_t i = 0; i < got.losses.size(); ++i) {
      EXPECT_NEAR(got.losses[i], expected.losses[i], 0.02F * (1 + expected.losses[i])) << i;
    }
    EXPECT_EQ(got.weights_crc32.back(), Crc32(machine.Parameters()));
    EXPECT_NEAR(got.evaluations.back().value, expected.evaluations.back().value, 0.15);
    // What is written can be read, and predicts as before.
    const std::vector<Bytes> state = machine.State();
    ASSERT_EQ(state.size(), step.state.size());
    const Batch batch = {examples.Inputs(kFirst), examples.Labels(kFirst)};
    const std::vector<float> before = machine.Predict(batch.inputs).prediction;
    machine.Update(batch, 0.5F, 100);
    EXPECT_NE(machine.State(), state);
    machine.SetState(state);
    EXPECT_EQ(machine.State(), state);
    EXPECT_EQ(machine.Predict(batch.inputs).prediction, before);
  }

  History Train(StepMachine& machine, const Examples& examples) {
    Trainer trainer(settings_, machine, examples, &examples, {}, {});
    EXPECT_EQ(trainer.Run({}), Ending::kDone);
    return trainer.history();
  }

  static constexpr std::array<std::int64_t, 4> kFirst = {0, 1, 2, 3};
  Settings settings_;
  isa::HardwareConfig config_;
};

TEST_F(DeviceMachineTest, Sgd) {
  Compare(GraphOf(MlpFile()), WriteInputs("x.npy", 26), WriteLabels("y.npy", 26));
}

TEST_F(DeviceMachineTest, MomentumOverSeveralBatches) {
  settings_.optimizer = tensor::Momentum{};
  settings_.accumulate = 3;
  Compare(GraphOf(MlpFile()), WriteInputs("x.npy", 26), WriteLabels("y.npy", 26));
}

TEST_F(DeviceMachineTest, AdamAndSquaredErrors) {
  settings_.optimizer = tensor::Adam{.weight_decay = 0.01};
  settings_.learning_rate = 0.01;
  settings_.loss = tensor::Loss::kMeanSquaredError;
  Compare(GraphOf(MlpFile(false)), WriteInputs("x.npy", 26),
          Write("t.npy", npy::Type::kFloat32, {26, 3}, SomeFloats(26 * 3, 5)));
}

TEST_F(DeviceMachineTest, Convolutions) {
  settings_.optimizer = tensor::Adam{};
  settings_.learning_rate = 0.01;
  Compare(GraphOf(ConvolutionFile()),
          Write("x.npy", npy::Type::kFloat32, {26, 8, 8, 2}, SomeFloats(26 * 128, 5)),
          WriteLabels("y.npy", 26));
}

}  // namespace
}  // namespace tpu::training
