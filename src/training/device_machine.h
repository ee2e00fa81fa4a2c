// SPDX-License-Identifier: Apache-2.0
// Training on a device.
#pragma once

#include <optional>
#include <string>

#include "compiler/compile_training.h"
#include "profile/measure.h"
#include "runtime/device.h"
#include "tensor/train_step.h"
#include "training/step_machine.h"

namespace tpu::training {

/// One session for each executable, all on one device. The state goes to the device once, and
/// stays.
class DeviceMachine final : public StepMachine {
 public:
  struct Options {
    /// Traces the first run of `update`, when the device is able to: see profile().
    bool profile = false;
    /// Called now and then with the cycles of the current run so far.
    std::function<void(std::uint64_t cycles)> progress;
  };

  /// Places the initial state of `step`. `input` names the model's data. The device and the
  /// executables must outlive this object. Throws tpu::Error when the device is not the machine
  /// that they were compiled for.
  DeviceMachine(runtime::Device& device, const compiler::TrainingExecutables& executables,
                const tensor::TrainStep& step, std::size_t parameters, const std::string& input,
                Options options);

  /// Also the parameters' copies for the array, which are their values rounded to bfloat16.
  void SetState(const std::vector<Bytes>& state) override;
  [[nodiscard]] std::vector<Bytes> State() const override;
  [[nodiscard]] std::vector<Bytes> Parameters() const override;
  BatchRun Accumulate(const Batch& batch) override;
  BatchRun Update(const Batch& batch, float learning_rate, std::uint64_t step) override;
  PredictRun Predict(const Bytes& inputs) override;

  /// The first run of `update`, after it ran and when it was traced.
  [[nodiscard]] const std::optional<profile::Measurement>& profile() const { return profile_; }

 private:
  // An executable in the device's memory, and the places of what each run takes.
  struct Loaded {
    Loaded(runtime::Device& device, const executable::Executable& executable);
    [[nodiscard]] bool Takes(const std::string& input) const;
    [[nodiscard]] std::size_t Input(const std::string& name) const;
    [[nodiscard]] std::size_t Output(const std::string& name) const;
    /// Numbers of float32, in the format that the input has.
    void SetFloats(const std::string& name, const Bytes& floats);
    void SetLabels(const std::string& name, const Bytes& labels);
    [[nodiscard]] float Scalar(const std::string& output) const;

    const executable::Executable& executable;
    runtime::Session session;
  };

  void SetBatch(Loaded& loaded, const Batch& batch);
  BatchRun Run(Loaded& loaded);
  runtime::RunReport TracedRun(Loaded& loaded);
  [[nodiscard]] std::vector<Bytes> FirstOfState(std::size_t count) const;

  runtime::Device& device_;
  std::vector<std::string> names_;  // Of the state.
  std::size_t parameters_;
  std::string input_;
  Options options_;
  Loaded update_;
  std::optional<Loaded> accumulate_;
  Loaded predict_;
  std::string labels_;
  std::optional<profile::Measurement> profile_;
};

}  // namespace tpu::training
