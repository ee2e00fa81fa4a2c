// SPDX-License-Identifier: Apache-2.0
// tpu train: a network learns from examples.
#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>

#include "tools/tpu/command.h"
#include "tools/tpu/flags.h"
#include "tools/tpu/train_progress.h"
#include "tools/tpu/training_run.h"

namespace tpu::tools {
namespace {

// A number of at least `least`, or above it, that float32 holds.
CLI::Validator Number(double least, bool above) {
  return CLI::Validator(
      [=](const std::string& text) -> std::string {
        double value = 0;
        const bool number =
            CLI::detail::lexical_cast(text, value) &&
            std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max());
        if (number && (value > least || (!above && value == least))) return "";
        return fmt::format("{} is no number {} {} that float32 holds", text,
                           above ? "above" : "of at least", least);
      },
      "NUMBER");
}

void AddFiles(CLI::App& command, TrainFlags& flags) {
  command.add_option("MODEL", flags.model, ".tflite model of float32")->required();
  command
      .add_option("--inputs", flags.inputs,
                  ".npy file of all examples' inputs, the first dimension counts them: float32, or "
                  "uint8 or int8, whose values are taken as they are")
      ->required();
  command
      .add_option("--labels", flags.labels,
                  ".npy file of classes (int32 or int64) for cross-entropy, of targets (float32) "
                  "for mse")
      ->required();
  CLI::Option* const inputs = command.add_option("--test-inputs", flags.test_inputs,
                                                 "Examples to test the model with, which it does "
                                                 "not learn from");
  CLI::Option* const labels =
      command.add_option("--test-labels", flags.test_labels, "Their labels");
  inputs->needs(labels);
  labels->needs(inputs);
  command.add_option("-o,--output", flags.output, ".tflite file to write: the trained model");
  CLI::Option* const checkpoint = command.add_option(
      "--checkpoint", flags.checkpoint,
      "File to write after each epoch and at the end, from which training can be continued");
  command
      .add_option("--checkpoint-every", flags.checkpoint_every,
                  "Write it after so many steps instead")
      ->check(CLI::Range(std::uint64_t{1}, UINT64_MAX))
      ->needs(checkpoint);
  command.add_option("--resume", flags.resume, "Checkpoint to continue from, to the bit");
  command.add_option("--report", flags.report, "JSON file to write");
  command.add_option("--html", flags.html, "HTML file to write: the report as one page");
}

void AddOptimiser(CLI::App& command, TrainFlags& flags) {
  command.add_option("--loss", flags.loss, "What becomes small")
      ->check(CLI::IsMember({"cross-entropy", "mse"}))
      ->capture_default_str();
  command.add_option("--optimizer", flags.optimizer, "How weights change")
      ->check(CLI::IsMember({"sgd", "momentum", "adam"}))
      ->capture_default_str();
  command.add_option("--lr", flags.learning_rate, "Learning rate (default: 0.01, of adam 0.001)")
      ->check(Number(0, true));
  command
      .add_option("--lr-schedule", flags.schedule,
                  "How it changes: not at all, or down to 0 at the end")
      ->check(CLI::IsMember({"constant", "cosine", "linear"}))
      ->capture_default_str();
  command.add_option("--momentum", flags.momentum, "Factor of momentum (default: 0.9)")
      ->check(Number(0, false));
  command
      .add_option("--weight-decay", flags.weight_decay,
                  "How much adam shrinks weights, times the learning rate (default: 0)")
      ->check(Number(0, false));
}

void AddAmounts(CLI::App& command, TrainFlags& flags) {
  constexpr std::int64_t kMostBatches = 1'000'000;
  command.add_option("--batch", flags.batch, "Examples that the device takes at a time")
      ->check(CLI::Range(std::int64_t{1}, kMostBatches))
      ->capture_default_str();
  command
      .add_option("--accumulate", flags.accumulate,
                  "Batches a step, as if they were one that is so many times as large")
      ->check(CLI::Range(std::int64_t{1}, kMostBatches))
      ->capture_default_str();
  const CLI::Range some(std::uint64_t{1}, std::uint64_t{1} << 48U);
  CLI::Option* const epochs =
      command
          .add_option("--epochs", flags.epochs,
                      "How often all examples are seen (default: 1). What does not fill a step at "
                      "the end of an epoch is left out")
          ->check(some);
  command.add_option("--steps", flags.steps, "Steps, instead of epochs")
      ->check(some)
      ->excludes(epochs);
  command.add_option("--seed", flags.seed, "Seed of the examples' order and of random weights")
      ->capture_default_str();
  command.add_flag("--initialise", flags.initialise,
                   "Begin with random weights in FULLY_CONNECTED, CONV_2D and DEPTHWISE_CONV_2D, "
                   "not with those of the file");
  command
      .add_option("--also-train", flags.also_trained,
                  "A constant to train besides weights, by its name: embeddings of places, for "
                  "example. May be given several times")
      ->allow_extra_args(false);
}

int Run(const TrainFlags& flags) {
  TrainProgress progress;
  const TrainOutcome outcome = Train(flags, progress);
  if (outcome.interrupted) {
    fmt::print(stderr, "tpu: {}\n", outcome.summary);
    return kInterrupted;
  }
  fmt::print("{}\n", outcome.summary);
  return kDone;
}

}  // namespace

void AddTrain(CLI::App& app, Action& action) {
  auto flags = std::make_shared<TrainFlags>();
  CLI::App& command = *app.add_subcommand("train", "Train a network of float32 on examples");
  AddFiles(command, *flags);
  AddOptimiser(command, *flags);
  AddAmounts(command, *flags);
  AddBackendFlag(command, flags->backend);
  command
      .add_option("--config", flags->config,
                  "Machine to compile for, one with bf16: see `tpu info`")
      ->capture_default_str();
  command.callback([flags, &action] { action = [flags] { return Run(*flags); }; });
}

}  // namespace tpu::tools
