// SPDX-License-Identifier: Apache-2.0
// Training: steps, one after the other, until there are enough of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "training/batches.h"
#include "training/evaluate.h"
#include "training/examples.h"
#include "training/history.h"
#include "training/settings.h"
#include "training/step_machine.h"

namespace tpu::training {

/// A step that made numbers that are not finite. The machine's state is worth nothing then.
struct Divergence {
  std::uint64_t step = 0;  ///< Counts from 1.
  float loss = 0;
  /// The place of the first parameter that was not finite after a finite loss.
  std::optional<std::size_t> parameter;
  std::vector<Bytes> weights;          ///< The parameters before the step.
  std::vector<std::int64_t> examples;  ///< Those of the step.
};

/// What the trainer asks for and tells while it works. Each may be left out.
struct TrainerHooks {
  /// After each step; the last one of the history.
  std::function<void(const History& history)> step;
  std::function<void(const History& history)> evaluation;
  /// When a checkpoint is due. The state is the machine's.
  std::function<void(const History& history)> checkpoint;
  /// Whether to stop after the step at hand.
  std::function<bool()> interrupted;
};

struct TrainerOptions {
  /// A checkpoint is due after so many steps; 0: after each epoch. Also at the end.
  std::uint64_t checkpoint_every = 0;
  bool softmax = false;  ///< See EvaluateOptions.
};

enum class Ending : std::uint8_t { kDone, kInterrupted, kDiverged };

class Trainer {
 public:
  /// `test` may be null. All must outlive the trainer. Throws tpu::Error when the examples do not
  /// fill a step.
  Trainer(const Settings& settings, StepMachine& machine, const Examples& examples,
          const Examples* test, TrainerOptions options, TrainerHooks hooks);

  /// Continues behind the steps of `history`, whose state the machine holds. Each step's examples
  /// follow from its number, so that it does not matter where a run was cut.
  Ending Run(History history);

  [[nodiscard]] const History& history() const { return history_; }
  [[nodiscard]] const std::optional<Divergence>& divergence() const { return divergence_; }
  [[nodiscard]] std::uint64_t steps_per_epoch() const { return batches_.steps_per_epoch(); }

 private:
  bool Step();
  float RunBatches(std::span<const std::int64_t> examples, runtime::RunReport& cost);
  void EvaluateNow();

  const Settings& settings_;
  StepMachine& machine_;
  const Examples& examples_;
  const Examples* test_;
  TrainerOptions options_;
  TrainerHooks hooks_;
  Batches batches_;
  History history_;
  std::vector<Bytes> weights_;  // The parameters after the last step.
  std::optional<Divergence> divergence_;
};

}  // namespace tpu::training
