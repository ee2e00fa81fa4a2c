// SPDX-License-Identifier: Apache-2.0
// What `tpu train` says while it works.
#pragma once

#include <cstdint>
#include <optional>

#include "tools/progress.h"
#include "tools/tpu/interrupt.h"
#include "tools/tpu/training_run.h"

namespace tpu::tools {

/// A status line for the steps, and a line of output for each epoch and each test. The run ends
/// after the step at hand when SIGINT or SIGTERM comes.
class TrainProgress final : public TrainWatcher {
 public:
  void Begin(const TrainPlan& plan) override;
  void Step(const training::History& history, const StepTime& time) override;
  void Test(const training::History& history) override;
  void Cycles(const training::History& history, std::uint64_t cycles) override;
  bool Interrupted() override { return interrupt_->Requested(); }
  void End() override { line_.Erase(); }

 private:
  void Print(const training::History& history);

  TrainPlan plan_;
  std::optional<Interrupt> interrupt_;
  StatusLine line_;
};

}  // namespace tpu::tools
