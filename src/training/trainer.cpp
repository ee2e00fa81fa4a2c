// SPDX-License-Identifier: Apache-2.0
#include "training/trainer.h"

#include <cmath>
#include <cstddef>
#include <utility>

#include "training/non_finite.h"
#include "training/schedule.h"

namespace tpu::training {

Trainer::Trainer(const Settings& settings, StepMachine& machine, const Examples& examples,
                 const Examples* test, TrainerOptions options, TrainerHooks hooks)
    : settings_(settings),
      machine_(machine),
      examples_(examples),
      test_(test),
      options_(options),
      hooks_(std::move(hooks)),
      batches_(examples.count(), settings.batch * settings.accumulate, settings.seed) {}

Ending Trainer::Run(History history) {
  history_ = std::move(history);
  weights_ = machine_.Parameters();
  std::uint64_t saved = history_.Steps();
  const auto save = [&] {
    if (hooks_.checkpoint && saved != history_.Steps()) hooks_.checkpoint(history_);
    saved = history_.Steps();
  };
  while (history_.Steps() < settings_.steps) {
    if (!Step()) return Ending::kDiverged;
    const bool epoch_ends = history_.Steps() % steps_per_epoch() == 0;
    if (epoch_ends || history_.Steps() == settings_.steps) EvaluateNow();
    const std::uint64_t every = options_.checkpoint_every;
    if (every == 0 ? epoch_ends : history_.Steps() % every == 0) save();
    if (hooks_.interrupted && hooks_.interrupted()) {
      save();
      return Ending::kInterrupted;
    }
  }
  save();
  return Ending::kDone;
}

// Whether all numbers are finite.
bool Trainer::Step() {
  const std::uint64_t step = history_.Steps();
  const std::span<const std::int64_t> examples = batches_.OfStep(step);
  const float loss = RunBatches(examples, history_.cost);
  std::vector<Bytes> weights = machine_.Parameters();
  const std::optional<std::size_t> parameter = FirstNonFinite(weights);
  if (!std::isfinite(loss) || parameter) {
    divergence_ = {.step = step + 1,
                   .loss = loss,
                   .parameter = std::isfinite(loss) ? parameter : std::nullopt,
                   .weights = std::move(weights_),
                   .examples = {examples.begin(), examples.end()}};
    return false;
  }
  weights_ = std::move(weights);
  history_.losses.push_back(loss);
  history_.weights_crc32.push_back(Crc32(weights_));
  if (hooks_.step) hooks_.step(history_);
  return true;
}

// The mean of the batches' losses.
float Trainer::RunBatches(std::span<const std::int64_t> examples, runtime::RunReport& cost) {
  const std::uint64_t step = history_.Steps();
  const double rate =
      LearningRate(settings_.schedule, settings_.learning_rate, step, settings_.steps);
  double sum = 0;
  for (std::int64_t i = 0; i < settings_.accumulate; ++i) {
    const auto which = examples.subspan(static_cast<std::size_t>(i * settings_.batch),
                                        static_cast<std::size_t>(settings_.batch));
    const Batch batch = {examples_.Inputs(which), examples_.Labels(which)};
    const BatchRun run = i + 1 < settings_.accumulate
                             ? machine_.Accumulate(batch)
                             : machine_.Update(batch, static_cast<float>(rate), step + 1);
    Add(cost, run.report);
    sum += static_cast<double>(run.loss);
  }
  return static_cast<float>(sum / static_cast<double>(settings_.accumulate));
}

void Trainer::EvaluateNow() {
  if (test_ == nullptr) return;
  const Quality quality =
      Evaluate(machine_, *test_, {.batch = settings_.batch, .softmax = options_.softmax});
  history_.evaluations.push_back({history_.Steps(), quality.value});
  Add(history_.evaluation_cost, quality.cost);
  if (hooks_.evaluation) hooks_.evaluation(history_);
}

}  // namespace tpu::training
