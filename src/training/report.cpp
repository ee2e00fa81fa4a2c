// SPDX-License-Identifier: Apache-2.0
#include "training/report.h"

#include <variant>

#include "profile/report.h"
#include "training/schedule.h"

namespace tpu::training {
namespace {

using Json = nlohmann::ordered_json;

Json SettingsJson(const Settings& settings) {
  Json json = {{"loss", NameOf(settings.loss)}, {"optimizer", NameOf(settings.optimizer)},
               {"lr", settings.learning_rate},  {"lr_schedule", NameOf(settings.schedule)},
               {"batch", settings.batch},       {"accumulate", settings.accumulate},
               {"steps", settings.steps},       {"seed", settings.seed},
               {"config", settings.config}};
  if (const auto* momentum = std::get_if<tensor::Momentum>(&settings.optimizer)) {
    json["momentum"] = momentum->momentum;
  }
  if (const auto* adam = std::get_if<tensor::Adam>(&settings.optimizer)) {
    json["weight_decay"] = adam->weight_decay;
  }
  if (!settings.also_trained.empty()) json["also_trained"] = settings.also_trained;
  return json;
}

Json EvaluationsJson(const char* name, const ReportFacts& facts, const History& history) {
  Json list = Json::array();
  for (const Evaluation& evaluation : history.evaluations) {
    list.push_back({{"step", evaluation.step},
                    {"epoch", static_cast<double>(evaluation.step) /
                                  static_cast<double>(facts.steps_per_epoch)},
                    {name, evaluation.value}});
  }
  return list;
}

Json LearningRates(const Settings& settings, std::uint64_t steps) {
  Json list = Json::array();
  for (std::uint64_t step = 0; step < steps; ++step) {
    list.push_back(LearningRate(settings.schedule, settings.learning_rate, step, settings.steps));
  }
  return list;
}

double PerSecond(double count, double seconds) { return seconds > 0 ? count / seconds : 0; }

}  // namespace

Json Report(const ReportFacts& facts, const Settings& settings, const History& history) {
  Json json;
  json["model"] = facts.model;
  json["backend"] = facts.backend;
  json["options"] = SettingsJson(settings);
  json["seed"] = settings.seed;
  json["ending"] = facts.ending;
  if (!facts.divergence.empty()) json["divergence"] = facts.divergence;
  json["parameters"] = facts.parameters;
  json["examples"] = facts.examples;
  json["test_examples"] = facts.test_examples;
  json["steps"] = history.Steps();
  json["steps_per_epoch"] = facts.steps_per_epoch;
  const bool classes = settings.loss == tensor::Loss::kCrossEntropy;
  const char* const quality = classes ? "accuracy" : "mean_squared_error";
  json["accuracy"] = nullptr;
  json[quality] = history.evaluations.empty() ? Json() : Json(history.evaluations.back().value);
  json["evaluations"] = EvaluationsJson(quality, facts, history);
  json.update(profile::ToJson(facts.config, history.cost));
  json["evaluation_cycles"] = history.evaluation_cost.cycles;
  json["seconds"] = facts.seconds;
  const auto here = static_cast<double>(facts.steps_here);
  const auto images = here * static_cast<double>(settings.batch * settings.accumulate);
  json["steps_per_second"] = PerSecond(here, facts.seconds);
  json["images_per_second"] = PerSecond(images, facts.seconds);
  json["loss"] = history.losses;
  json["weights_crc32"] = history.weights_crc32;
  json["learning_rate"] = LearningRates(settings, history.Steps());
  return json;
}

}  // namespace tpu::training
