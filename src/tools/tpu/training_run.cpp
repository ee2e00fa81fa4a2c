// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/training_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "compiler/compile_training.h"
#include "tools/format.h"
#include "tools/tpu/failure.h"
#include "tools/tpu/layer_table.h"
#include "tools/tpu/train_page.h"
#include "tools/tpu/training_files.h"
#include "training/checkpoint.h"
#include "training/device_machine.h"
#include "training/non_finite.h"
#include "training/report.h"
#include "training/trainer.h"

namespace tpu::tools {
namespace {

using training::Ending;
using training::History;

compiler::TrainingExecutables CompileStep(const TrainFlags& flags, const TrainedModel& model,
                                          const isa::HardwareConfig& machine) {
  try {
    return compiler::CompileTraining(model.tensors.model, model.step, machine);
  } catch (const Error& error) {
    throw Error::Format("{}: {}", flags.model, error.what());
  }
}

const char* NameOf(Ending ending) {
  switch (ending) {
    case Ending::kDone:
      break;
    case Ending::kInterrupted:
      return "interrupted";
    case Ending::kDiverged:
      return "diverged";
  }
  return "done";
}

/// Measures steps.
class StepClock {
 public:
  /// A step ends, and the next one begins.
  void Step() {
    time_.seconds += std::chrono::duration<double>(Clock::now() - begin_).count();
    ++time_.steps;
    Begin();
  }
  /// What came between two steps does not count.
  void Begin() { begin_ = Clock::now(); }
  [[nodiscard]] const StepTime& time() const { return time_; }

 private:
  using Clock = std::chrono::steady_clock;
  StepTime time_;
  Clock::time_point begin_ = Clock::now();
};

/// All that stays for as long as the steps take.
class TrainingRun {
 public:
  explicit TrainingRun(const TrainFlags& flags)
      : flags_(flags),
        settings_(SettingsOf(flags)),
        machine_config_(FindMachine(flags.config)),
        device_(MakeDevice(flags.backend, machine_config_)),
        model_(ReadModel(flags, settings_)),
        examples_(flags.inputs, flags.labels, Type()) {
    if (!flags.test_inputs.empty()) {
      test_.emplace(flags.test_inputs, flags.test_labels, Type());
      if (test_->count() == 0) throw Error::Format("{}: holds no examples", flags.test_inputs);
    }
    CountSteps();
    checkpoint_ = EmptyCheckpoint(model_, settings_, examples_);
    if (!flags.resume.empty()) checkpoint_ = ReadCheckpoint(flags, settings_, checkpoint_);
    // Before the steps take hours: whether the file has places for the weights.
    if (!flags.output.empty()) WithWeights(model_, flags.model, InitialWeights(model_));
  }

  TrainOutcome Run(TrainWatcher& watcher) {
    const compiler::TrainingExecutables executables = CompileStep(flags_, model_, machine_config_);
    watcher.Begin(
        {.settings = settings_, .steps_per_epoch = steps_per_epoch_, .tested = test_.has_value()});
    StepClock clock;
    const training::Trainer* running = nullptr;
    training::DeviceMachine machine(
        *device_, executables, model_.step, model_.parameters(),
        training::DataInput(model_.tensors.model),
        {.profile = !flags_.report.empty() || !flags_.html.empty(),
         .progress = [&](std::uint64_t cycles) { watcher.Cycles(running->history(), cycles); }});
    if (!flags_.resume.empty()) {
      std::vector<training::Bytes> state;
      for (const training::SavedTensor& tensor : checkpoint_.state) state.push_back(tensor.bytes);
      machine.SetState(state);
    }
    training::Trainer trainer(settings_, machine, examples_, test_ ? &*test_ : nullptr,
                              {.checkpoint_every = flags_.checkpoint_every,
                               .softmax = model_.tensors.model.logits.has_value()},
                              {.step =
                                   [&](const History& history) {
                                     clock.Step();
                                     watcher.Step(history, clock.time());
                                     clock.Begin();
                                   },
                               .evaluation =
                                   [&](const History& history) {
                                     watcher.Test(history);
                                     clock.Begin();
                                   },
                               .checkpoint =
                                   [&](const History& history) {
                                     SaveCheckpoint(machine, history);
                                     clock.Begin();
                                   },
                               .interrupted = [&] { return watcher.Interrupted(); }});
    running = &trainer;
    clock.Begin();
    const Ending ending = trainer.Run(checkpoint_.history);
    watcher.End();
    std::string divergence;
    if (trainer.divergence()) divergence = Explain(*trainer.divergence());
    WriteReports(executables, machine, clock.time(), trainer.history(), ending, divergence);
    return Finish(ending, divergence, trainer.history(), machine);
  }

 private:
  [[nodiscard]] training::ExampleType Type() const {
    try {
      return training::ExampleTypeOf(model_.tensors.model, model_.step);
    } catch (const Error& error) {
      throw Error::Format("{}: {}", flags_.model, error.what());
    }
  }

  void CountSteps() {
    const std::int64_t per_step = settings_.batch * settings_.accumulate;
    if (examples_.count() < per_step) {
      throw Error::Format(
          "{}: {} examples do not fill a step, which takes {}: --batch times --accumulate",
          flags_.inputs, examples_.count(), per_step);
    }
    steps_per_epoch_ = static_cast<std::uint64_t>(examples_.count() / per_step);
    settings_.steps = flags_.steps.value_or(flags_.epochs.value_or(1) * steps_per_epoch_);
  }

  void SaveCheckpoint(const training::StepMachine& machine, const History& history) {
    if (flags_.checkpoint.empty()) return;
    checkpoint_.history = history;
    const std::vector<training::Bytes> state = machine.State();
    for (std::size_t i = 0; i < state.size(); ++i) checkpoint_.state[i].bytes = state[i];
    training::ReplaceFile(flags_.checkpoint, training::Serialise(checkpoint_));
    saved_ = true;
  }

  /// What happened, and in which layer.
  [[nodiscard]] std::string Explain(const training::Divergence& divergence) const {
    if (divergence.parameter) {
      return fmt::format(
          "step {}: {} is not finite after the update: its gradient is too large, or the learning "
          "rate",
          divergence.step, NameOfParameter(*divergence.parameter));
    }
    return fmt::format("step {}: the loss is {}: {}", divergence.step, divergence.loss,
                       Origin(divergence));
  }
  /// With the layer that it belongs to.
  [[nodiscard]] std::string NameOfParameter(std::size_t parameter) const {
    const std::string& name = model_.step.state[parameter].name;
    for (const ir::Operator& op : model_.graph.operators) {
      if (std::ranges::count(op.inputs, model_.tensors.tensors[parameter]) == 0) continue;
      return fmt::format("{} of {} ({})", name, op.name, ir::OperatorName(op.attributes));
    }
    return name;
  }
  [[nodiscard]] std::string Origin(const training::Divergence& divergence) const {
    try {
      const std::unique_ptr<Device> golden = MakeDevice(kReferenceDevice, machine_config_);
      const auto layer = training::FirstNonFiniteOperator(
          {model_.graph, model_.tensors.tensors, divergence.weights}, examples_,
          divergence.examples, *golden, machine_config_);
      if (layer) return *layer + " is the first operator whose result is not finite";
      return "the results of all operators are finite, so that it happened in the loss or in the "
             "gradients";
    } catch (const Error& error) {
      return std::string("the layer cannot be found: ") + error.what();
    }
  }

  void WriteReports(const compiler::TrainingExecutables& executables,
                    const training::DeviceMachine& machine, const StepTime& time,
                    const History& history, Ending ending, const std::string& divergence) const {
    if (flags_.report.empty() && flags_.html.empty()) return;
    using Json = nlohmann::ordered_json;
    Json json = training::Report({.model = flags_.model,
                                  .backend = flags_.backend,
                                  .config = machine_config_,
                                  .parameters = model_.Numbers(),
                                  .examples = examples_.count(),
                                  .test_examples = test_ ? test_->count() : 0,
                                  .steps_per_epoch = steps_per_epoch_,
                                  .ending = NameOf(ending),
                                  .divergence = divergence,
                                  .seconds = time.seconds,
                                  .steps_here = time.steps},
                                 settings_, history);
    if (machine.profile()) {
      json["step"] = RunJson(executables.update, *machine.profile(), std::nullopt);
      json["step"].erase("config");
      json["step"].erase("passed");
    }
    if (!flags_.report.empty()) {
      WriteFile(flags_.report, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    }
    if (!flags_.html.empty()) WriteFile(flags_.html, TrainPage(json));
  }

  TrainOutcome Finish(Ending ending, const std::string& divergence, const History& history,
                      const training::StepMachine& machine) const {
    const std::string& checkpoint = saved_ ? flags_.checkpoint : flags_.resume;
    if (ending == Ending::kDiverged) {
      throw Failure(fmt::format("{}: {}; {}", flags_.model, divergence,
                                checkpoint.empty() ? "there is no checkpoint"
                                                   : "the last good checkpoint is " + checkpoint));
    }
    if (ending == Ending::kInterrupted) {
      return {.interrupted = true,
              .summary = fmt::format("{}: interrupted after step {} of {}; {}", flags_.model,
                                     history.Steps(), settings_.steps,
                                     saved_ ? "continue with --resume " + flags_.checkpoint
                                            : "nothing is kept: see --checkpoint")};
    }
    if (!flags_.output.empty()) {
      training::ReplaceFile(flags_.output, WithWeights(model_, flags_.model, machine.Parameters()));
    }
    std::string summary = fmt::format("{} steps of {} examples", history.Steps(),
                                      settings_.batch * settings_.accumulate);
    if (!history.losses.empty()) {
      summary += fmt::format(": loss {:.4f}, weights {:08x}", history.losses.back(),
                             history.weights_crc32.back());
    }
    if (history.cost.cycles > 0) {
      summary += fmt::format(", {} cycles a step", Grouped(history.cost.cycles / history.Steps()));
    }
    return {.interrupted = false, .summary = std::move(summary)};
  }

  const TrainFlags& flags_;
  training::Settings settings_;
  isa::HardwareConfig machine_config_;
  std::unique_ptr<Device> device_;
  TrainedModel model_;
  training::Examples examples_;
  std::optional<training::Examples> test_;
  std::uint64_t steps_per_epoch_ = 1;
  training::Checkpoint checkpoint_;  // The last one, or the beginning.
  bool saved_ = false;
};

}  // namespace

TrainOutcome Train(const TrainFlags& flags, TrainWatcher& watcher) {
  RequireFolders(flags);
  return TrainingRun(flags).Run(watcher);
}

}  // namespace tpu::tools
