// SPDX-License-Identifier: Apache-2.0
#include "tensor/train_step.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "tensor/bfloat16.h"
#include "tensor/builder.h"
#include "tensor/gradient.h"
#include "tensor/losses.h"
#include "tensor/simplify.h"

namespace tpu::tensor {
namespace {

constexpr std::string_view kGradientSum = "gradient_sum";

std::string NameOfInput(const Graph& graph, ValueId id) {
  return std::get<Input>(graph.nodes.at(id).operation).name;
}

// Writes one of the two graphs.
class TrainStepWriter {
 public:
  TrainStepWriter(const Model& model, const TrainingOptions& options)
      : model_(model), options_(options) {
    Graph graph = model.graph;
    graph.outputs.clear();
    builder_ = Builder(std::move(graph));
    for (const Parameter& parameter : model.parameters) parameters_.push_back(parameter.value);
  }

  Graph Accumulate() {
    const std::vector<ValueId> gradients = Gradients();
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      builder_.Output(StateName(i, kGradientSum),
                      builder_.Add(State(i, kGradientSum), gradients[i]));
    }
    return Finished();
  }

  Graph UpdateAll() {
    const bool scales = ScalesPrediction();
    std::vector<ValueId> gradients = scales ? std::vector<ValueId>() : Gradients();
    StepScalars scalars;
    scalars.learning_rate = builder_.Input("learning_rate", {ElementType::kF32, {}});
    if (UsesStepNumber(options_.optimizer)) {
      scalars.step =
          builder_.Convert(builder_.Input("step", {ElementType::kS32, {}}), ElementType::kF32);
    }
    if (scales) gradients = ScaledGradients(scalars.learning_rate);
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (scales) {
        builder_.Output(NameOfInput(builder_.graph(), parameters_[i]),
                        builder_.Subtract(parameters_[i], gradients[i]));
        continue;
      }
      if (options_.micro_batches > 1) {
        const ValueId sum = builder_.Add(State(i, kGradientSum), gradients[i]);
        gradients[i] = builder_.Scale(sum, 1 / static_cast<double>(options_.micro_batches));
        builder_.Output(StateName(i, kGradientSum), builder_.SplatLike(sum, 0));
      }
      std::vector<ValueId> moments;
      for (const std::string_view moment : MomentNames(options_.optimizer)) {
        moments.push_back(State(i, moment));
      }
      const Updated updated =
          Update(builder_, options_.optimizer, scalars, parameters_[i], gradients[i], moments);
      builder_.Output(NameOfInput(builder_.graph(), parameters_[i]), updated.parameter);
      std::size_t next = 0;
      for (const std::string_view moment : MomentNames(options_.optimizer)) {
        builder_.Output(StateName(i, moment), updated.moments.at(next++));
      }
    }
    return Finished();
  }

 private:
  // A step of SGD is linear in the gradients. So the learning rate can multiply the gradient of the
  // prediction, which is small, and not those of all parameters.
  [[nodiscard]] bool ScalesPrediction() const {
    return std::holds_alternative<Sgd>(options_.optimizer) && options_.micro_batches == 1;
  }
  // Appends loss and gradients times the learning rate.
  std::vector<ValueId> ScaledGradients(ValueId learning_rate) {
    const ValueId prediction = PredictionOfLoss();
    const ValueId gradient = Gradient(builder_, AddLoss(), std::array{prediction}).at(0);
    const ValueId rate = builder_.BroadcastTo(learning_rate, builder_.ShapeOf(gradient));
    return VectorJacobianProduct(builder_, prediction, builder_.Multiply(gradient, rate),
                                 parameters_);
  }

  // Appends loss and gradients.
  std::vector<ValueId> Gradients() { return Gradient(builder_, AddLoss(), parameters_); }
  ValueId AddLoss() {
    const ValueId loss = options_.loss == Loss::kCrossEntropy ? CrossEntropy() : SquaredError();
    builder_.Output("loss", loss);
    return loss;
  }
  // What the loss depends on.
  [[nodiscard]] ValueId PredictionOfLoss() const {
    const bool of_logits = options_.loss == Loss::kCrossEntropy && model_.logits;
    return of_logits ? *model_.logits : model_.prediction;
  }
  ValueId CrossEntropy() {
    const ValueId logits = PredictionOfLoss();
    Shape shape = builder_.ShapeOf(logits);
    if (shape.size() < 2) {
      throw TypeError(fmt::format(
          "cross-entropy takes predictions of a batch and of classes, not of {} dimensions",
          shape.size()));
    }
    const std::int64_t classes = shape.back();
    shape.pop_back();
    const ValueId labels = builder_.Input("labels", {ElementType::kS32, shape});
    // Classes first: examples lie side by side, and each example's class is summed in its own lane.
    Dimensions classes_first = AllDimensions(static_cast<std::int64_t>(shape.size()));
    classes_first.insert(classes_first.begin(), static_cast<std::int64_t>(shape.size()));
    const ValueId turned = builder_.Transpose(logits, classes_first);
    return SoftmaxCrossEntropy(builder_, turned, OneHot(builder_, labels, classes, 0), 0);
  }
  ValueId SquaredError() {
    const ValueId targets = builder_.Input("targets", builder_.TypeOf(model_.prediction));
    return MeanSquaredError(builder_, model_.prediction, targets);
  }

  std::string StateName(std::size_t parameter, std::string_view what) const {
    return fmt::format("{}/{}", NameOfInput(builder_.graph(), parameters_[parameter]), what);
  }
  ValueId State(std::size_t parameter, std::string_view what) {
    return builder_.Input(StateName(parameter, what), builder_.TypeOf(parameters_[parameter]));
  }

  Graph Finished() {
    Graph graph = Simplify(WithoutStopGradients(builder_.Take()));
    if (options_.bfloat16) graph = Simplify(UseBfloat16(graph));
    Verify(graph);
    return graph;
  }

  const Model& model_;
  const TrainingOptions& options_;
  Builder builder_;
  std::vector<ValueId> parameters_;
};

}  // namespace

TrainStep MakeTrainStep(const Model& model, const TrainingOptions& options) {
  if (options.micro_batches < 1) {
    throw Error::Format("a step of {} batches: it takes at least 1", options.micro_batches);
  }
  TrainStep step = {
      .update = TrainStepWriter(model, options).UpdateAll(), .accumulate = {}, .state = {}};
  std::vector<std::string_view> more = MomentNames(options.optimizer);
  if (options.micro_batches > 1) {
    step.accumulate = TrainStepWriter(model, options).Accumulate();
    more.insert(more.begin(), kGradientSum);
  }
  for (const Parameter& parameter : model.parameters) {
    step.state.push_back({.name = NameOfInput(model.graph, parameter.value),
                          .type = model.graph.TypeOf(parameter.value),
                          .initial = parameter.initial});
  }
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const StateTensor own = step.state[i];
    for (const std::string_view what : more) {
      step.state.push_back(
          {.name = fmt::format("{}/{}", own.name, what), .type = own.type, .initial = {}});
    }
  }
  return step;
}

}  // namespace tpu::tensor
