// SPDX-License-Identifier: Apache-2.0
// Trains by plain loops in float32.
#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "tests/tensor/train_step_tester.h"
#include "training/examples.h"
#include "training/step_machine.h"

namespace tpu::training {

class ReferenceMachine final : public StepMachine {
 public:
  ReferenceMachine(const tensor::Model& model, tensor::TrainStep step)
      : step_(std::move(step)),
        parameters_(model.parameters.size()),
        input_(DataInput(model)),
        predict_(model.graph) {
    predict_.outputs = {{"prediction", model.logits.value_or(model.prediction)}};
    for (const tensor::StateTensor& tensor : step_.state) {
      auto& values = values_[tensor.name];
      values.assign(tensor.initial.begin(), tensor.initial.end());
      values.resize(static_cast<std::size_t>(tensor.type.Elements()));
    }
  }

  void SetState(const std::vector<Bytes>& state) override {
    for (std::size_t i = 0; i < state.size(); ++i) {
      values_[step_.state[i].name] = Values<float>(state[i]);
    }
  }
  [[nodiscard]] std::vector<Bytes> State() const override { return First(step_.state.size()); }
  [[nodiscard]] std::vector<Bytes> Parameters() const override { return First(parameters_); }

  BatchRun Accumulate(const Batch& batch) override { return Run(*step_.accumulate, batch); }
  BatchRun Update(const Batch& batch, float learning_rate, std::uint64_t step) override {
    values_["learning_rate"] = {static_cast<double>(learning_rate)};
    values_["step"] = {static_cast<double>(step)};
    return Run(step_.update, batch);
  }
  PredictRun Predict(const Bytes& inputs) override {
    values_[input_] = Values<float>(inputs);
    const auto values = tensor::RunNamed<float>(predict_, values_).at("prediction");
    return {.prediction = {values.begin(), values.end()}, .report = {.macs = 1}};
  }

 private:
  template <typename T>
  static tensor::Values<double> Values(const Bytes& bytes) {
    tensor::Values<double> values;
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) {
      T value{};
      std::memcpy(&value, bytes.data() + at, sizeof(T));
      values.push_back(static_cast<double>(value));
    }
    return values;
  }
  [[nodiscard]] std::vector<Bytes> First(std::size_t count) const {
    std::vector<Bytes> state;
    for (std::size_t i = 0; i < count; ++i) {
      const auto& doubles = values_.at(step_.state[i].name);
      const std::vector<float> floats(doubles.begin(), doubles.end());
      std::memcpy(state.emplace_back(floats.size() * sizeof(float)).data(), floats.data(),
                  floats.size() * sizeof(float));
    }
    return state;
  }
  BatchRun Run(const tensor::Graph& graph, const Batch& batch) {
    values_[input_] = Values<float>(batch.inputs);
    const bool classes = tensor::FindInput(graph, "labels").has_value();
    values_[classes ? "labels" : "targets"] =
        classes ? Values<std::int32_t>(batch.labels) : Values<float>(batch.labels);
    auto outputs = tensor::RunNamed<float>(graph, values_);
    BatchRun run = {.loss = static_cast<float>(outputs.at("loss").at(0)),
                    .report = {.macs = 100, .cycles = 10}};
    outputs.erase("loss");
    for (auto& [name, values] : outputs) values_[name] = std::move(values);
    return run;
  }

  tensor::TrainStep step_;
  std::size_t parameters_;
  std::string input_;
  tensor::Graph predict_;
  tensor::NamedValues values_;
};

}  // namespace tpu::training
