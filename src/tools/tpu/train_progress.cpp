// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/train_progress.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "tools/format.h"

namespace tpu::tools {

void TrainProgress::Begin(const TrainPlan& plan) {
  plan_ = plan;
  interrupt_.emplace();
}

void TrainProgress::Step(const training::History& history, const StepTime& time) {
  if (line_.Due()) {
    const auto images = static_cast<double>(time.steps) *
                        static_cast<double>(plan_.settings.batch * plan_.settings.accumulate) /
                        time.seconds;
    const std::uint64_t cycles = history.cost.cycles / history.Steps();
    line_.Show(fmt::format("step {} of {}: loss {:.4f}, {:.1f} images a second{}", history.Steps(),
                           plan_.settings.steps, history.losses.back(), images,
                           cycles == 0 ? "" : ", " + Grouped(cycles) + " cycles a step"));
  }
  if (!plan_.tested && history.Steps() % plan_.steps_per_epoch == 0) Print(history);
}

void TrainProgress::Test(const training::History& history) { Print(history); }

void TrainProgress::Cycles(const training::History& history, std::uint64_t cycles) {
  const bool interrupted = interrupt_->Requested();
  if (!line_.Due()) return;
  line_.Show(fmt::format("step {} of {}: {:.1f} million cycles{}", history.Steps() + 1,
                         plan_.settings.steps, static_cast<double>(cycles) * 1e-6,
                         interrupted ? ", then the end: another signal ends it at once" : ""));
}

// About the steps since the last epoch's end.
void TrainProgress::Print(const training::History& history) {
  line_.Erase();
  const std::uint64_t before =
      (history.Steps() - 1) / plan_.steps_per_epoch * plan_.steps_per_epoch;
  const auto first = history.losses.begin() + static_cast<std::ptrdiff_t>(before);
  const double sum = std::accumulate(first, history.losses.end(), 0.0,
                                     [](double a, float b) { return a + static_cast<double>(b); });
  fmt::print("epoch {}, step {}: loss {:.4f}", before / plan_.steps_per_epoch + 1, history.Steps(),
             sum / static_cast<double>(history.Steps() - before));
  if (plan_.tested) {
    const double value = history.evaluations.back().value;
    if (plan_.settings.loss == tensor::Loss::kCrossEntropy) {
      fmt::print(", accuracy {:.2f} %", 100 * value);
    } else {
      fmt::print(", mean squared error {:.6g}", value);
    }
  }
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace tpu::tools
