// SPDX-License-Identifier: Apache-2.0
#include "training/device_machine.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "executable/executable_file.h"
#include "runtime/instruction_trace.h"

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

template <typename T>
Bytes BytesOfScalar(T value) {
  Bytes bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

std::vector<float> FloatsOf(const Bytes& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
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

void DeviceMachine::Loaded::Set(const std::string& name, const Bytes& bytes) {
  session.SetInputBytes(Input(name), bytes);
}

float DeviceMachine::Loaded::Scalar(const std::string& output) const {
  return FloatsOf(session.OutputBytes(Output(output))).at(0);
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
  const auto& inputs = executables.update.inputs;
  const bool classes = std::ranges::count(inputs, "labels", &executable::TensorBinding::name) > 0;
  labels_ = classes ? "labels" : "targets";
  SetState(InitialState(step));
}

void DeviceMachine::SetState(const std::vector<Bytes>& state) {
  for (std::size_t i = 0; i < names_.size(); ++i) update_.Set(names_[i], state.at(i));
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
  loaded.Set(input_, batch.inputs);
  loaded.Set(labels_, batch.labels);
}

void DeviceMachine::SetScalar(Loaded& loaded, const std::string& name, double value) {
  const std::size_t place = loaded.Input(name);
  const bool integer = loaded.executable.inputs[place].type == ElementType::kInt32;
  loaded.session.SetInputBytes(place, integer ? BytesOfScalar(static_cast<std::int32_t>(value))
                                              : BytesOfScalar(static_cast<float>(value)));
}

runtime::RunReport DeviceMachine::TracedRun(Loaded& loaded) {
  auto& tracing = dynamic_cast<runtime::Tracing&>(device_);
  profile::Measurement& measurement = profile_.emplace();
  {
    const Recording recording(tracing, measurement.trace);
    const auto start = std::chrono::steady_clock::now();
    measurement.report = loaded.session.Run({.progress = options_.progress});
    measurement.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  measurement.layers = profile::LayerUse(loaded.executable, executable::Programs(loaded.executable),
                                         measurement.trace);
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
  SetScalar(update_, "learning_rate", static_cast<double>(learning_rate));
  const auto& inputs = update_.executable.inputs;
  if (std::ranges::count(inputs, "step", &executable::TensorBinding::name) > 0) {
    SetScalar(update_, "step", static_cast<double>(step));
  }
  return Run(update_);
}

PredictRun DeviceMachine::Predict(const Bytes& inputs) {
  predict_.Set(input_, inputs);
  PredictRun run;
  run.report = predict_.session.Run({.progress = options_.progress});
  run.prediction = FloatsOf(predict_.session.OutputBytes(predict_.Output("prediction")));
  return run;
}

}  // namespace tpu::training
