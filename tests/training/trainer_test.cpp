// SPDX-License-Identifier: Apache-2.0
// Training with a machine of plain loops.
#include "training/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "tests/training/example_files.h"
#include "tests/training/reference_machine.h"

namespace tpu::training {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class TrainerTest : public ExampleFiles {
 protected:
  void SetUp() override {
    ExampleFiles::SetUp();
    settings_.batch = 4;
    settings_.learning_rate = 0.1;
    settings_.optimizer = tensor::Adam{};
    settings_.steps = 10;
    inputs_ = WriteInputs("x.npy", 14);
    labels_ = WriteLabels("y.npy", 14);
  }

  /// A machine in the initial state.
  [[nodiscard]] std::unique_ptr<ReferenceMachine> Machine() const {
    auto model = tensor::FromTflite(GraphOf(MlpFile()), {.batch = settings_.batch}).model;
    return std::make_unique<ReferenceMachine>(model, Step(model));
  }
  [[nodiscard]] tensor::TrainStep Step(const tensor::Model& model) const {
    return tensor::MakeTrainStep(model, {.loss = settings_.loss,
                                         .optimizer = settings_.optimizer,
                                         .micro_batches = settings_.accumulate});
  }
  [[nodiscard]] Examples Read() const {
    const auto model = tensor::FromTflite(GraphOf(MlpFile()), {.batch = settings_.batch}).model;
    return {inputs_, labels_, ExampleTypeOf(model, Step(model))};
  }

  History Train(StepMachine& machine, History history = {}, const TrainerHooks& hooks = {},
                const TrainerOptions& options = {}) {
    const Examples examples = Read();
    Trainer trainer(settings_, machine, examples, &examples, options, hooks);
    ending_ = trainer.Run(std::move(history));
    divergence_ = trainer.divergence();
    return trainer.history();
  }

  Settings settings_;
  std::string inputs_;
  std::string labels_;
  Ending ending_ = Ending::kDone;
  std::optional<Divergence> divergence_;
};

void ExpectSame(const History& a, const History& b) {
  EXPECT_EQ(a.losses, b.losses);
  EXPECT_EQ(a.weights_crc32, b.weights_crc32);
  EXPECT_EQ(a.evaluations, b.evaluations);
  EXPECT_EQ(a.cost.cycles, b.cost.cycles);
  EXPECT_EQ(a.evaluation_cost.macs, b.evaluation_cost.macs);
}

TEST_F(TrainerTest, Learns) {
  settings_.steps = 60;
  const auto machine = Machine();
  const History history = Train(*machine);
  EXPECT_EQ(ending_, Ending::kDone);
  ASSERT_EQ(history.losses.size(), 60U);
  EXPECT_GT(history.losses.front(), 0.8F);
  EXPECT_LT(history.losses.back(), 0.1F);
  // 14 examples are 3 steps of 4.
  ASSERT_EQ(history.evaluations.size(), 20U);
  EXPECT_EQ(history.evaluations[1].step, 6U);
  EXPECT_EQ(history.evaluations.back().value, 1.0);
  EXPECT_EQ(history.cost.cycles, 600U);
  EXPECT_EQ(history.cost.macs, 6000U);
  EXPECT_EQ(history.evaluation_cost.macs, 80U);
  EXPECT_EQ(history.weights_crc32.back(), Crc32(machine->Parameters()));
}

TEST_F(TrainerTest, IsTheSameWhereverItWasCut) {
  for (const Schedule schedule : {Schedule::kConstant, Schedule::kCosine}) {
    settings_.schedule = schedule;
    const History whole = Train(*Machine());
    for (std::uint64_t cut = 0; cut <= settings_.steps; ++cut) {
      const auto first = Machine();
      std::vector<Bytes> state;
      const History part = Train(
          *first, {},
          {.interrupted = [&, steps = std::uint64_t{0}]() mutable { return ++steps >= cut; }});
      if (cut > 0 && cut < settings_.steps) EXPECT_EQ(ending_, Ending::kInterrupted);
      const auto second = Machine();
      second->SetState(first->State());
      ExpectSame(Train(*second, part), whole);
    }
  }
}

TEST_F(TrainerTest, SeedChangesTheOrder) {
  const History one = Train(*Machine());
  settings_.seed = 2;
  const History two = Train(*Machine());
  EXPECT_NE(one.losses, two.losses);
}

TEST_F(TrainerTest, AccumulatedBatchesAreOneLargeBatch) {
  settings_.optimizer = tensor::Sgd{};
  settings_.batch = 6;
  const History large = Train(*Machine());
  settings_.batch = 2;
  settings_.accumulate = 3;
  const History small = Train(*Machine());
  ASSERT_EQ(small.losses.size(), large.losses.size());
  for (std::size_t i = 0; i < large.losses.size(); ++i) {
    EXPECT_NEAR(small.losses[i], large.losses[i], 2e-2F * large.losses[i]) << i;
  }
  EXPECT_EQ(small.cost.cycles, 3 * large.cost.cycles);
}

/// Notes what it is told.
class NotingMachine final : public StepMachine {
 public:
  void SetState(const std::vector<Bytes>& /*state*/) override {}
  [[nodiscard]] std::vector<Bytes> State() const override { return {}; }
  [[nodiscard]] std::vector<Bytes> Parameters() const override { return {}; }
  BatchRun Accumulate(const Batch& batch) override {
    notes += "a" + std::to_string(batch.inputs.size() / 16) + " ";
    return {.loss = 1, .report = {}};
  }
  BatchRun Update(const Batch& batch, float learning_rate, std::uint64_t step) override {
    notes += "u" + std::to_string(batch.labels.size() / 4) + " " + std::to_string(step) + " ";
    rates.push_back(learning_rate);
    return {.loss = 4, .report = {}};
  }
  PredictRun Predict(const Bytes& /*inputs*/) override {
    notes += "p ";
    return {.prediction = std::vector<float>(12), .report = {}};
  }

  std::string notes;
  std::vector<float> rates;
};

TEST_F(TrainerTest, TellsTheMachineWhatAStepIs) {
  settings_.accumulate = 3;
  settings_.steps = 4;
  settings_.schedule = Schedule::kLinear;
  NotingMachine machine;
  History history = Train(machine);
  // 14 examples are one step of 12, and four batches of 4 to test with.
  const std::string test = "p p p p ";
  EXPECT_EQ(machine.notes, "a4 a4 u4 1 " + test + "a4 a4 u4 2 " + test + "a4 a4 u4 3 " + test +
                               "a4 a4 u4 4 " + test);
  EXPECT_THAT(machine.rates, ElementsAre(0.1F, 0.075F, 0.05F, 0.025F));
  EXPECT_THAT(history.losses, ElementsAre(2, 2, 2, 2));
  // Continued.
  NotingMachine other;
  history.losses.pop_back();
  history.weights_crc32.pop_back();
  Train(other, history);
  EXPECT_EQ(other.notes, "a4 a4 u4 4 " + test);
}

TEST_F(TrainerTest, CheckpointsComeWhenTheyAreDue) {
  const auto at = [&](std::uint64_t every) {
    std::vector<std::uint64_t> steps;
    Train(*Machine(), {}, {.checkpoint = [&](const History& h) { steps.push_back(h.Steps()); }},
          {.checkpoint_every = every});
    return steps;
  };
  EXPECT_THAT(at(0), ElementsAre(3, 6, 9, 10));
  EXPECT_THAT(at(4), ElementsAre(4, 8, 10));
  EXPECT_THAT(at(5), ElementsAre(5, 10));
}

TEST_F(TrainerTest, AnInterruptedRunSavesItsStep) {
  std::vector<std::uint64_t> saved;
  const History history =
      Train(*Machine(), {},
            {.checkpoint = [&](const History& h) { saved.push_back(h.Steps()); },
             .interrupted = [steps = 0]() mutable { return ++steps == 5; }});
  EXPECT_EQ(ending_, Ending::kInterrupted);
  EXPECT_EQ(history.Steps(), 5U);
  EXPECT_THAT(saved, ElementsAre(3, 5));
}

TEST_F(TrainerTest, StopsWhenTheLossIsNotFinite) {
  settings_.optimizer = tensor::Sgd{};
  settings_.learning_rate = 1e30;
  std::vector<std::uint64_t> saved;
  const History history =
      Train(*Machine(), {}, {.checkpoint = [&](const History& h) { saved.push_back(h.Steps()); }},
            {.checkpoint_every = 1});
  ASSERT_EQ(ending_, Ending::kDiverged);
  ASSERT_TRUE(divergence_);
  EXPECT_EQ(divergence_->step, history.Steps() + 1);
  EXPECT_EQ(divergence_->examples.size(), 4U);
  EXPECT_EQ(Crc32(divergence_->weights), history.weights_crc32.back());
  EXPECT_EQ(saved.size(), history.Steps());
  for (const float loss : history.losses) EXPECT_TRUE(std::isfinite(loss));
}

// Large inputs make large gradients of a loss that is small.
TEST_F(TrainerTest, StopsWhenAWeightIsNotFinite) {
  settings_.optimizer = tensor::Sgd{};
  settings_.learning_rate = 3e38;
  std::vector<float> values = SomeFloats(14 * 4, 9);
  for (float& x : values) x *= 1000;
  inputs_ = Write("large.npy", npy::Type::kFloat32, {14, 4}, values);
  const History history = Train(*Machine());
  ASSERT_EQ(ending_, Ending::kDiverged);
  ASSERT_TRUE(divergence_);
  EXPECT_EQ(divergence_->step, 1U);
  EXPECT_TRUE(std::isfinite(divergence_->loss));
  EXPECT_TRUE(divergence_->parameter);
  EXPECT_EQ(history.Steps(), 0U);
}

TEST(Accuracy, CountsTheFirstLargest) {
  const std::vector<float> rows = {1, 2, 3, 5, 5, 0, 0, NAN, 9};
  EXPECT_DOUBLE_EQ(Accuracy(rows, std::vector<std::int32_t>{2, 0, 2}, 3), 2.0 / 3);
  EXPECT_DOUBLE_EQ(Accuracy(rows, std::vector<std::int32_t>{2, 1, 0}, 3), 1.0 / 3);
}

TEST(ApplySoftmax, MakesRowsOfProbabilities) {
  std::vector<float> rows = {0, std::log(3.0F), 1000, 1000};
  ApplySoftmax(rows, 2);
  EXPECT_NEAR(rows[0], 0.25F, 1e-6);
  EXPECT_NEAR(rows[1], 0.75F, 1e-6);
  EXPECT_EQ(rows[2], 0.5F);
}

class MeanSquaredErrorTest : public TrainerTest {
 protected:
  void SetUp() override {
    TrainerTest::SetUp();
    settings_.loss = tensor::Loss::kMeanSquaredError;
    std::vector<float> targets;
    for (int i = 0; i < 14; ++i) {
      for (int k = 0; k < 3; ++k) targets.push_back(i % 3 == k ? 1.0F : 0.0F);
    }
    labels_ = Write("t.npy", npy::Type::kFloat32, {14, 3}, targets);
  }
};

// The last test batch is filled with its last example.
TEST_F(MeanSquaredErrorTest, TestsMeanWhatTheLossMeans) {
  settings_.batch = 14;
  settings_.steps = 1;
  settings_.learning_rate = 1e-20;
  const History one = Train(*Machine(), {}, {}, {.softmax = true});
  ASSERT_EQ(one.evaluations.size(), 1U);
  EXPECT_NEAR(one.evaluations[0].value, one.losses[0], 1e-2 * one.losses[0]);
  settings_.batch = 4;
  const History four = Train(*Machine(), {}, {}, {.softmax = true});
  ASSERT_EQ(four.evaluations.size(), 1U);
  EXPECT_NEAR(four.evaluations[0].value, one.evaluations[0].value, 1e-6);
}

}  // namespace
}  // namespace tpu::training
