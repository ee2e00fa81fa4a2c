// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/train_progress.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "tools/format.h"

namespace tpu::tools {

TrainProgress::TrainProgress(const training::Settings& settings, std::uint64_t steps_per_epoch,
                             bool tested)
    : settings_(settings), steps_per_epoch_(steps_per_epoch), tested_(tested) {}

void TrainProgress::Step(const training::History& history) {
  seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count();
  ++steps_;
  if (line_.Due()) {
    const auto images = static_cast<double>(steps_) *
                        static_cast<double>(settings_.batch * settings_.accumulate) / seconds_;
    const std::uint64_t cycles = history.cost.cycles / history.Steps();
    line_.Show(fmt::format("step {} of {}: loss {:.4f}, {:.1f} images a second{}", history.Steps(),
                           settings_.steps, history.losses.back(), images,
                           cycles == 0 ? "" : ", " + Grouped(cycles) + " cycles a step"));
  }
  if (!tested_ && history.Steps() % steps_per_epoch_ == 0) Print(history);
  begin_ = Clock::now();
}

void TrainProgress::Test(const training::History& history) {
  Print(history);
  begin_ = Clock::now();
}

void TrainProgress::Checkpoint() { begin_ = Clock::now(); }

void TrainProgress::Cycles(const training::History& history, std::uint64_t cycles,
                           bool interrupted) {
  if (!line_.Due()) return;
  line_.Show(fmt::format("step {} of {}: {:.1f} million cycles{}", history.Steps() + 1,
                         settings_.steps, static_cast<double>(cycles) * 1e-6,
                         interrupted ? ", then the end: another signal ends it at once" : ""));
}

// About the steps since the last epoch's end.
void TrainProgress::Print(const training::History& history) {
  line_.Erase();
  const std::uint64_t before = (history.Steps() - 1) / steps_per_epoch_ * steps_per_epoch_;
  const auto first = history.losses.begin() + static_cast<std::ptrdiff_t>(before);
  const double sum = std::accumulate(first, history.losses.end(), 0.0,
                                     [](double a, float b) { return a + static_cast<double>(b); });
  fmt::print("epoch {}, step {}: loss {:.4f}", before / steps_per_epoch_ + 1, history.Steps(),
             sum / static_cast<double>(history.Steps() - before));
  if (tested_) {
    const double value = history.evaluations.back().value;
    if (settings_.loss == tensor::Loss::kCrossEntropy) {
      fmt::print(", accuracy {:.2f} %", 100 * value);
    } else {
      fmt::print(", mean squared error {:.6g}", value);
    }
  }
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace tpu::tools
