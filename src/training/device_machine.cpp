// SPDX-License-Identifier: Apache-2.0
#include "training/device_machine.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "compiler/quantise/bfloat16.h"
#include "executable/executable_file.h"
#include "runtime/instruction_trace.h"
#include "tensor/bfloat16.h"
#include "training/byte_values.h"

namespace tpu::training {
namespace {

std::size_t PlaceOf(const std::vector<executable::TensorBinding>& bindings, const char* what,
                    const std::string& name) {
  const auto found = std::ranges::find(bindings, name, &executable::TensorBinding::name);
  if (found == bindings.end()) {
    throw InternalError("a compiled step has no {} {}", what, name);
  }
  return static_cast<std::size_t>(found - bindings.begin());
}

// float32 as another type.
Bytes Converted(const Bytes& floats, ElementType type) {
  if (type == ElementType::kFloat32) return floats;
  const std::vector<float> values = ValuesOf<float>(floats);
  if (type == ElementType::kBfloat16) {
    std::vector<Bfloat16> rounded(values.size());
    std::ranges::transform(values, rounded.begin(), compiler::ToBfloat16);
    return BytesOfValues(rounded);
  }
  if (type != ElementType::kInt32) {
    throw InternalError("a step takes {} in place of float32", ElementTypeName(type));
  }
  return BytesOfValues(std::vector<std::int32_t>(values.begin(), values.end()));
}

std::vector<Bytes> InitialState(const tensor::TrainStep& step) {
  std::vector<Bytes> state;
  for (const tensor::StateTensor& tensor : step.state) {
    Bytes& bytes =
        state.emplace_back(static_cast<std::size_t>(tensor.type.Elements()) * sizeof(float));
    if (!tensor.initial.empty()) std::memcpy(bytes.data(), tensor.initial.data(), bytes.size());
  }
  return state;
}

// Ends the recording of a trace.
class Recording {
 public:
  Recording(runtime::Tracing& device, runtime::InstructionTrace& trace) : device_(device) {
    device_.TraceInstructions(&trace);
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() { device_.TraceInstructions(nullptr); }

 private:
  runtime::Tracing& device_;
};

}  // namespace

DeviceMachine::Loaded::Loaded(runtime::Device& device, const executable::Executable& e)
    : executable(e), session(device, e) {}

std::size_t DeviceMachine::Loaded::Input(const std::string& name) const {
  return PlaceOf(executable.inputs, "input", name);
}

std::size_t DeviceMachine::Loaded::Output(const std::string& name) const {
  return PlaceOf(executable.outputs, "output", name);
}

bool DeviceMachine::Loaded::Takes(const std::string& input) const {
  return std::ranges::count(executable.inputs, input, &executable::TensorBinding::name) > 0;
}

void DeviceMachine::Loaded::SetFloats(const std::string& name, const Bytes& floats) {
  const std::size_t place = Input(name);
  session.SetInputBytes(place, Converted(floats, executable.inputs[place].type));
}

void DeviceMachine::Loaded::SetLabels(const std::string& name, const Bytes& labels) {
  const std::size_t place = Input(name);
  // Classes are int32 already.
  const ElementType type = executable.inputs[place].type;
  session.SetInputBytes(place, type == ElementType::kInt32 ? labels : Converted(labels, type));
}

float DeviceMachine::Loaded::Scalar(const std::string& output) const {
  return ValuesOf<float>(session.OutputBytes(Output(output))).at(0);
}

DeviceMachine::DeviceMachine(runtime::Device& device,
                             const compiler::TrainingExecutables& executables,
                             const tensor::TrainStep& step, std::size_t parameters,
                             const std::string& input, Options options)
    : device_(device),
      parameters_(parameters),
      input_(input),
      options_(std::move(options)),
      update_(device, executables.update),
      predict_(device, executables.predict) {
  if (executables.accumulate) accumulate_.emplace(device, *executables.accumulate);
  for (const tensor::StateTensor& tensor : step.state) names_.push_back(tensor.name);
  labels_ = update_.Takes("labels") ? "labels" : "targets";
  SetState(InitialState(step));
}

void DeviceMachine::SetState(const std::vector<Bytes>& state) {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    // Inputs of one name lie in one place. Not all executables take all of them.
    for (const std::string& name : {names_[i], tensor::CopyName(names_[i])}) {
      for (Loaded* const loaded : {&update_, accumulate_ ? &*accumulate_ : nullptr, &predict_}) {
        if (loaded != nullptr && loaded->Takes(name)) loaded->SetFloats(name, state.at(i));
      }
    }
  }
}

std::vector<Bytes> DeviceMachine::FirstOfState(std::size_t count) const {
  std::vector<Bytes> state;
  for (std::size_t i = 0; i < count; ++i) {
    state.push_back(update_.session.OutputBytes(update_.Output(names_[i])));
  }
  return state;
}

std::vector<Bytes> DeviceMachine::State() const { return FirstOfState(names_.size()); }

std::vector<Bytes> DeviceMachine::Parameters() const { return FirstOfState(parameters_); }

void DeviceMachine::SetBatch(Loaded& loaded, const Batch& batch) {
  loaded.SetFloats(input_, batch.inputs);
  loaded.SetLabels(labels_, batch.labels);
}

runtime::RunReport DeviceMachine::TracedRun(Loaded& loaded) {
  auto& tracing = dynamic_cast<runtime::Tracing&>(device_);
  profile::Measurement& measurement = profile_.emplace();
  {
    const Recording recording(tracing, measurement.trace);
    measurement.report = loaded.session.Run({.progress = options_.progress});
  }
  measurement.layers = profile::LayerUse(loaded.executable, executable::Programs(loaded.executable),
                                         measurement.report.course, measurement.trace);
  measurement.trace.clear();
  return measurement.report;
}

BatchRun DeviceMachine::Run(Loaded& loaded) {
  const bool trace = options_.profile && &loaded == &update_ && !profile_ &&
                     dynamic_cast<runtime::Tracing*>(&device_) != nullptr;
  BatchRun run;
  run.report = trace ? TracedRun(loaded) : loaded.session.Run({.progress = options_.progress});
  run.loss = loaded.Scalar("loss");
  return run;
}

BatchRun DeviceMachine::Accumulate(const Batch& batch) {
  if (!accumulate_) throw InternalError("a step of one batch adds up no gradients");
  SetBatch(*accumulate_, batch);
  return Run(*accumulate_);
}

BatchRun DeviceMachine::Update(const Batch& batch, float learning_rate, std::uint64_t step) {
  SetBatch(update_, batch);
  update_.SetFloats("learning_rate", BytesOfValues(std::vector{learning_rate}));
  if (update_.Takes("step")) {
    update_.SetFloats("step", BytesOfValues(std::vector{static_cast<float>(step)}));
  }
  return Run(update_);
}

PredictRun DeviceMachine::Predict(const Bytes& inputs) {
  predict_.SetFloats(input_, inputs);
  PredictRun run;
  run.report = predict_.session.Run({.progress = options_.progress});
  run.prediction = ValuesOf<float>(predict_.session.OutputBytes(predict_.Output("prediction")));
  return run;
}

}  // namespace tpu::training
