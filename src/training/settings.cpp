// SPDX-License-Identifier: Apache-2.0
#include "training/settings.h"

#include <fmt/format.h>

#include <variant>

#include "base/error.h"

namespace tpu::training {

std::string NameOf(tensor::Loss loss) {
  return loss == tensor::Loss::kCrossEntropy ? "cross-entropy" : "mse";
}

std::string NameOf(const tensor::Optimizer& optimizer) {
  if (std::holds_alternative<tensor::Momentum>(optimizer)) return "momentum";
  return std::holds_alternative<tensor::Adam>(optimizer) ? "adam" : "sgd";
}

std::string NameOf(Schedule schedule) {
  switch (schedule) {
    case Schedule::kCosine:
      return "cosine";
    case Schedule::kLinear:
      return "linear";
    case Schedule::kConstant:
      break;
  }
  return "constant";
}

tensor::Optimizer OptimizerOf(const std::string& name) {
  if (name == "sgd") return tensor::Sgd{};
  if (name == "momentum") return tensor::Momentum{};
  if (name == "adam") return tensor::Adam{};
  throw Error::Format("there is no optimiser {}; there are sgd, momentum and adam", name);
}

Schedule ScheduleOf(const std::string& name) {
  for (const Schedule schedule : {Schedule::kConstant, Schedule::kCosine, Schedule::kLinear}) {
    if (NameOf(schedule) == name) return schedule;
  }
  throw Error::Format("there is no schedule {}; there are constant, cosine and linear", name);
}

OptionTexts LastingOptions(const Settings& settings) {
  OptionTexts texts = {{"--loss", NameOf(settings.loss)},
                       {"--optimizer", NameOf(settings.optimizer)},
                       {"--lr", fmt::format("{}", settings.learning_rate)},
                       {"--lr-schedule", NameOf(settings.schedule)},
                       {"--batch", fmt::format("{}", settings.batch)},
                       {"--accumulate", fmt::format("{}", settings.accumulate)},
                       {"--seed", fmt::format("{}", settings.seed)},
                       {"--config", settings.config}};
  if (const auto* momentum = std::get_if<tensor::Momentum>(&settings.optimizer)) {
    texts.emplace_back("--momentum", fmt::format("{}", momentum->momentum));
  }
  if (const auto* adam = std::get_if<tensor::Adam>(&settings.optimizer)) {
    texts.emplace_back("--weight-decay", fmt::format("{}", adam->weight_decay));
  }
  if (!settings.also_trained.empty()) {
    texts.emplace_back("--also-train", fmt::format("{}", fmt::join(settings.also_trained, ", ")));
  }
  if (settings.schedule != Schedule::kConstant) {
    texts.emplace_back("--steps", fmt::format("{}", settings.steps));
  }
  return texts;
}

}  // namespace tpu::training
