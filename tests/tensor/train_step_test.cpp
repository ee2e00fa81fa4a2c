// SPDX-License-Identifier: Apache-2.0
// Optimisers against plain loops, and whole steps of training.
#include "tensor/train_step.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tensor/builder.h"
#include "tensor/losses.h"
#include "tests/tensor/count.h"
#include "tests/tensor/names.h"
#include "tests/tensor/networks.h"
#include "tests/tensor/train_step_tester.h"

namespace tpu::tensor {
namespace {

Values<double> Random(std::mt19937& random, std::size_t count) {
  Values<double> values(count);
  for (double& v : values) v = std::uniform_real_distribution<double>(-1, 1)(random);
  return values;
}

void ExpectNear(const Values<double>& got, const Values<double>& expected, double error) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t e = 0; e < got.size(); ++e) EXPECT_NEAR(got[e], expected[e], error) << e;
}

// One parameter of 5 numbers, four steps. `plain` does a step in a loop: it gets the parameter, its
// moments, the gradient, the learning rate and the step's number.
template <typename Plain>
void CompareSteps(const Optimizer& optimizer, Plain plain) {
  Builder b;
  const ValueId parameter = b.Input("parameter", {kF32, {5}});
  const ValueId gradient = b.Input("gradient", {kF32, {5}});
  const StepScalars scalars = {b.Input("learning_rate", {kF32, {}}), b.Input("step", {kF32, {}})};
  std::vector<ValueId> moments;
  for (const std::string_view name : MomentNames(optimizer)) {
    moments.push_back(b.Input(std::string(name), {kF32, {5}}));
  }
  const Updated updated = Update(b, optimizer, scalars, parameter, gradient, moments);
  b.Output("parameter", updated.parameter);
  for (const ValueId moment : updated.moments) b.Output(fmt::format("moment{}", moment), moment);

  std::mt19937 random(1);
  Values<double> value = Random(random, 5);
  std::vector<Values<double>> state = {value};
  state.resize(1 + moments.size(), Values<double>(5, 0));
  std::vector<Values<double>> expected = state;
  for (int step = 1; step <= 4; ++step) {
    const Values<double> g = Random(random, 5);
    const double rate = 0.1 / step;
    std::vector<Values<double>> inputs = {state[0], g, {rate}, {static_cast<double>(step)}};
    inputs.insert(inputs.end(), state.begin() + 1, state.end());
    state = Evaluate(b.graph(), inputs);
    for (std::size_t e = 0; e < g.size(); ++e) plain(expected, e, g[e], rate, step);
    ASSERT_EQ(state.size(), expected.size());
    for (std::size_t i = 0; i < state.size(); ++i) ExpectNear(state[i], expected[i], 1e-12);
  }
}

TEST(Optimizers, Sgd) {
  CompareSteps(Sgd{},
               [](auto& s, std::size_t e, double g, double rate, int) { s[0][e] -= rate * g; });
}

TEST(Optimizers, Momentum) {
  CompareSteps(Momentum{.momentum = 0.8}, [](auto& s, std::size_t e, double g, double rate, int) {
    s[1][e] = 0.8 * s[1][e] + g;
    s[0][e] -= rate * s[1][e];
  });
}

void PlainAdam(std::vector<Values<double>>& s, std::size_t e, double g, double rate, int step,
               double decay) {
  s[1][e] = 0.9 * s[1][e] + 0.1 * g;
  s[2][e] = 0.99 * (s[2][e] + g * g);  // The mean of squares times 0.99 / 0.01.
  const double mean = s[1][e] / (1 - std::pow(0.9, step));
  const double square = s[2][e] * 0.01 / 0.99 / (1 - std::pow(0.99, step));
  s[0][e] = s[0][e] - rate * decay * s[0][e] - rate * mean / (std::sqrt(square) + 1e-3);
}

TEST(Optimizers, AdamWithAndWithoutWeightDecay) {
  for (const double decay : {0.0, 0.3}) {
    CompareSteps(Adam{.beta1 = 0.9, .beta2 = 0.99, .epsilon = 1e-3, .weight_decay = decay},
                 [decay](auto& s, std::size_t e, double g, double rate, int step) {
                   PlainAdam(s, e, g, rate, step, decay);
                 });
  }
}

// Data and labels of another batch.
void SetBatch(NamedValues& values, const Network& network) {
  values["data0"] = network.data[0];
  values["labels"] = network.labels[0];
}

// Two batches of 4 add up to one of 8.
TEST(TrainStep, MicroBatchesMakeTheGradientOfOneBatch) {
  const std::vector<Network> halves = {Mlp(1), Mlp(2)};
  const Network whole = Mlp(3, 8);
  const TrainingOptions options = {.optimizer = Momentum{}, .micro_batches = 2, .bfloat16 = false};
  const TrainStep step = MakeTrainStep(halves[0].model, options);
  const TrainStep at_once =
      MakeTrainStep(whole.model, {.optimizer = Momentum{}, .bfloat16 = false});
  ASSERT_TRUE(step.accumulate);
  EXPECT_FALSE(at_once.accumulate);

  NamedValues values = FirstInputs(halves[0], step);
  NamedValues expected = values;
  expected["data0"].insert(expected["data0"].end(), halves[1].data[0].begin(),
                           halves[1].data[0].end());
  expected["labels"].insert(expected["labels"].end(), halves[1].labels[0].begin(),
                            halves[1].labels[0].end());
  values["learning_rate"] = expected["learning_rate"] = {0.5};
  double loss = 0;
  // Twice, as the sums have to begin with zero again.
  for (int i = 0; i < 2; ++i) {
    SetBatch(values, halves[0]);
    NamedValues after = RunNamed(*step.accumulate, values);
    loss = after.at("loss")[0];
    EXPECT_EQ(after.count("w0"), 0U);
    for (auto& [name, tensor] : after) values[name] = tensor;
    SetBatch(values, halves[1]);
    after = RunNamed(step.update, values);
    loss = (loss + after.at("loss")[0]) / 2;
    for (auto& [name, tensor] : after) values[name] = tensor;
    for (auto& [name, tensor] : RunNamed(at_once.update, expected)) expected[name] = tensor;
  }
  EXPECT_NEAR(loss, expected.at("loss")[0], 1e-12);
  for (const StateTensor& state : at_once.state) {
    SCOPED_TRACE(state.name);
    ExpectNear(values.at(state.name), expected.at(state.name), 1e-12);
  }
  EXPECT_EQ(values.at("w0/gradient_sum"), Values<double>(30, 0));
}

TEST(TrainStep, NamesItsStateAndInputs) {
  const TrainStep step =
      MakeTrainStep(Mlp(1).model, {.optimizer = Adam{}, .micro_batches = 3, .bfloat16 = false});
  std::vector<std::string> names;
  for (const StateTensor& state : step.state) {
    names.push_back(state.name);
    // Each is an input and an output of the same type.
    const auto input = FindInput(step.update, state.name);
    const auto output = FindOutput(step.update, state.name);
    ASSERT_TRUE(input && output) << state.name;
    EXPECT_EQ(step.update.TypeOf(*input), state.type);
    EXPECT_EQ(step.update.TypeOf(*output), state.type);
  }
  EXPECT_EQ(names.size(), 16U);
  EXPECT_THAT(names, testing::IsSupersetOf(
                         {"w0", "w3", "w2/gradient_sum", "w0/first_moment", "w1/square_sum"}));
  EXPECT_EQ(step.state[0].initial.size(), 30U);
  for (const char* name : {"data0", "labels", "learning_rate", "step"}) {
    EXPECT_TRUE(FindInput(step.update, name)) << name;
  }
  EXPECT_FALSE(FindInput(*step.accumulate, "learning_rate"));
  EXPECT_EQ(Count<StopGradient>(step.update), 0);
}

// Every optimiser makes the loss of every network small on the data that it sees, in the
// arithmetic of a machine with bf16.
TEST(TrainStep, TrainsInBfloat16) {
  const std::vector<std::pair<Optimizer, float>> optimizers = {
      {Sgd{}, 0.2F}, {Momentum{}, 0.05F}, {Adam{}, 0.02F}};
  for (const auto& [optimizer, rate] : optimizers) {
    for (const Network& network : {Mlp(1), TransformerBlock(1)}) {
      SCOPED_TRACE(fmt::format("{} optimizer {}", network.name, optimizer.index()));
      const TrainStep step =
          MakeTrainStep(network.model, {.loss = network.loss, .optimizer = optimizer});
      NamedValues values = FirstInputs(network, step);
      values["learning_rate"] = {static_cast<double>(rate)};
      double first = 0;
      for (int i = 1; i <= 40; ++i) {
        values["step"] = {static_cast<double>(i)};
        for (auto& [name, tensor] : RunNamed<float>(step.update, values)) values[name] = tensor;
        if (i == 1) first = values.at("loss")[0];
      }
      EXPECT_GT(first, 0.5);
      EXPECT_LT(values.at("loss")[0], 0.4 * first);
    }
  }
}

TEST(TrainStep, RefusesWhatTheLossDoesNotTake) {
  Builder b;
  const ValueId x = b.Input("x", {kF32, {4}});
  Model model = {.graph = b.Take(), .parameters = {}, .prediction = x, .logits = {}};
  EXPECT_THROW(MakeTrainStep(model, {.loss = Loss::kCrossEntropy}), TypeError);
  EXPECT_NO_THROW(MakeTrainStep(model, {.loss = Loss::kMeanSquaredError}));
  EXPECT_THROW(MakeTrainStep(model, {.loss = Loss::kMeanSquaredError, .micro_batches = 0}), Error);
}

TEST(Losses, LabelsThatAreNoClassesAreNamed) {
  EXPECT_NO_THROW(CheckLabels(std::vector<std::int32_t>{0, 9, 5}, 10));
  for (const std::int32_t wrong : {-1, 10}) {
    try {
      CheckLabels(std::vector<std::int32_t>{0, wrong, 5}, 10);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.what(),
                fmt::format("label 1 is {}: with 10 classes it has to be 0 to 9", wrong));
    }
  }
}

}  // namespace
}  // namespace tpu::tensor
