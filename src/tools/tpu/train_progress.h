// SPDX-License-Identifier: Apache-2.0
// What `tpu train` says while it works, and how fast it is.
#pragma once

#include <chrono>
#include <cstdint>

#include "tools/progress.h"
#include "training/history.h"
#include "training/settings.h"

namespace tpu::tools {

/// A status line for the steps, and a line of output for each epoch and each test.
class TrainProgress {
 public:
  /// `tested`: whether there are examples to test with.
  TrainProgress(const training::Settings& settings, std::uint64_t steps_per_epoch, bool tested);

  // After what they are named for.
  void Step(const training::History& history);
  void Test(const training::History& history);
  void Checkpoint();
  /// In the middle of a run of `history`'s next step, which may be the last one.
  void Cycles(const training::History& history, std::uint64_t cycles, bool interrupted);
  /// No more steps: makes room for other output.
  void End() { line_.Erase(); }

  /// Of the steps alone.
  [[nodiscard]] double seconds() const { return seconds_; }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  using Clock = std::chrono::steady_clock;
  void Print(const training::History& history);

  const training::Settings& settings_;
  std::uint64_t steps_per_epoch_;
  bool tested_;
  StatusLine line_;
  Clock::time_point begin_ = Clock::now();  // Of the step at hand.
  double seconds_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace tpu::tools
