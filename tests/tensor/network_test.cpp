// SPDX-License-Identifier: Apache-2.0
// Gradients of whole networks: against central differences, and how many operations they take.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tensor/bfloat16.h"
#include "tensor/builder.h"
#include "tensor/gradient.h"
#include "tensor/losses.h"
#include "tensor/print.h"
#include "tensor/simplify.h"
#include "tests/seeds.h"
#include "tests/tensor/count.h"
#include "tests/tensor/differences.h"
#include "tests/tensor/networks.h"
#include "tests/tensor/train_step_tester.h"

namespace tpu::tensor {
namespace {

// The step of plain descent with a rate of 1 changes each parameter by its gradient.
TEST(Networks, GradientsAreTheSlopesOfTheLoss) {
  for (const unsigned seed : Seeds(2)) {
    for (const Network& network : AllNetworks(seed)) {
      SCOPED_TRACE(fmt::format("seed {} {}", seed, network.name));
      const TrainStep step =
          MakeTrainStep(network.model, {.loss = network.loss, .bfloat16 = false});
      NamedValues values = FirstInputs(network, step);
      values["learning_rate"] = {1};
      const NamedValues after = RunNamed(step.update, values);
      // The loss alone.
      Graph loss = step.update;
      loss.outputs = {{"loss", *FindOutput(loss, "loss")}};
      loss = Simplify(loss);
      std::vector<Values<double>> inputs;
      for (const ValueId id : loss.inputs) {
        inputs.push_back(values.at(std::get<Input>(loss.nodes[id].operation).name));
      }
      EXPECT_GT(network.model.parameters.size(), 3U);
      for (std::size_t i = 0; i < loss.inputs.size(); ++i) {
        const std::string& name = std::get<Input>(loss.nodes[loss.inputs[i]].operation).name;
        if (!name.starts_with('w')) continue;
        Values<double> gradient = values.at(name);
        for (std::size_t e = 0; e < gradient.size(); ++e) gradient[e] -= after.at(name)[e];
        ExpectSlope(loss, inputs, i, gradient, {1}, seed);
      }
    }
  }
}

// The step's graph without what the optimiser adds.
Graph StepOf(const Network& network) {
  return MakeTrainStep(network.model, {.loss = network.loss, .bfloat16 = false}).update;
}

TEST(Networks, AnMlpHasTheProductsItMustHave) {
  const Graph step = StepOf(Mlp(1));
  SCOPED_TRACE(Print(step));
  // Two forwards, two for weights, one for the hidden layer: nobody wants the data's gradient.
  EXPECT_EQ(Count<DotGeneral>(step), 5);
  // Logits with classes first, and their gradient back.
  EXPECT_EQ(Count<Transpose>(step), 2);
  EXPECT_EQ(Count<Reshape>(step), 0);
  // Biases of both layers, maximum and factor of the softmax, labels, the learning rate.
  EXPECT_EQ(Count<BroadcastInDim>(step), 2 + 2 + 1 + 1);
  // Maximum, sum and target of the loss, its mean; gradients of two biases.
  EXPECT_EQ(Count<Reduce>(step), 4 + 2);
}

TEST(Networks, GradientsOfConvolutionsAreConvolutions) {
  const Graph step = StepOf(LeNet(1));
  SCOPED_TRACE(Print(step));
  EXPECT_EQ(Count<Convolution>(step), 2 + 2 + 1);
  EXPECT_EQ(Count<SelectAndScatter>(step), 1);
  EXPECT_EQ(Count<ReduceWindow>(step), 2 + 1);
  EXPECT_EQ(Count<Pad>(step), 1);
  EXPECT_EQ(Count<DotGeneral>(step), 3);
  EXPECT_EQ(Count<Transpose>(step), 2);  // Logits and their gradient.
  EXPECT_EQ(Count<Reverse>(step), 0);
}

TEST(Networks, ADepthwiseKernelStaysWhereItIs) {
  const Graph step = StepOf(DepthwiseBlock(1));
  SCOPED_TRACE(Print(step));
  EXPECT_EQ(Count<Convolution>(step), 3 + 3 + 2);
  EXPECT_EQ(Count<Transpose>(step), 0);
  EXPECT_EQ(Count<Reshape>(step), 0);
}

// Two products for each, none of them behind a transpose that is a product's own.
TEST(Networks, ATransformerBlockHasTheProductsItMustHave) {
  const Graph step = StepOf(TransformerBlock(1));
  SCOPED_TRACE(Print(step));
  // Six layers of sums and two products of attention.
  EXPECT_EQ(Count<DotGeneral>(step), 3 * 8);
  EXPECT_EQ(Count<Log>(step), 1);
}

// (softmax - labels) / batch, in two operations for each element beside the softmax's own.
TEST(Networks, CrossEntropyHasAShortGradientThatDividesByNothingSmall) {
  Builder b;
  const ValueId logits = b.Input("logits", {ElementType::kF32, {4, 3}});
  const ValueId labels = b.Input("labels", {ElementType::kS32, {4}});
  const ValueId loss = SoftmaxCrossEntropy(b, logits, OneHot(b, labels, 3, 1), 1);
  b.Output("gradient", Gradient(b, loss, std::vector{logits}).at(0));
  const Graph graph = Simplify(WithoutStopGradients(b.Take()));
  SCOPED_TRACE(Print(graph));
  EXPECT_EQ(Count<Exponential>(graph), 1);
  EXPECT_EQ(Count<Log>(graph), 0);
  EXPECT_EQ(Count<Divide>(graph), 1);
  EXPECT_EQ(Count<Multiply>(graph), 1);
  EXPECT_EQ(Count<Select>(graph), 1);
  EXPECT_EQ(Count<Subtract>(graph), 1);
  EXPECT_EQ(Count<Add>(graph), 1);
  EXPECT_EQ(Count<Reduce>(graph), 2);
  // Numbers that overflow in exp, and such whose softmax is 0 in float.
  const Values<float> x = {1000, 0, -1000, -500, -500, -500, 1, 2, 3, 0, 200, 200};
  const Values<float> y = Evaluate<float>(graph, {x, {0, 1, 2, 0}}).at(0);
  const float third = 1.0F / 12;
  const Values<float> expected = {0, 0, 0, third, third - 0.25F, third};
  for (std::size_t e = 0; e < expected.size(); ++e) EXPECT_NEAR(y[e], expected[e], 1e-7F) << e;
  EXPECT_FLOAT_EQ(y[9], -0.25F);
  EXPECT_FLOAT_EQ(y[10], 0.125F);
}

TEST(Networks, Bfloat16IsForProductsAlone) {
  const TrainStep step = MakeTrainStep(Mlp(1).model, {.optimizer = Momentum{}, .bfloat16 = true});
  SCOPED_TRACE(Print(step.update));
  int products = 0;
  for (const Node& node : step.update.nodes) {
    if (std::holds_alternative<DotGeneral>(node.operation)) {
      ++products;
      EXPECT_EQ(node.type.element, ElementType::kF32);
      for (const ValueId id : node.operands) {
        EXPECT_EQ(step.update.TypeOf(id).element, ElementType::kBf16);
      }
    } else if (node.type.element == ElementType::kBf16) {
      EXPECT_TRUE(std::holds_alternative<Convert>(node.operation)) << NameOf(node.operation);
    }
  }
  EXPECT_EQ(products, 5);
  // Data, hidden layer, the second layer's weights and both gradients once, the first one's
  // weights.
  EXPECT_EQ(Count<Convert>(step.update), 6);
  for (const StateTensor& state : step.state) EXPECT_EQ(state.type.element, ElementType::kF32);
}

}  // namespace
}  // namespace tpu::tensor
