// SPDX-License-Identifier: Apache-2.0
// A Verilated model with its own context, clock, reset and (when compiled in) waveform.
#pragma once

#include <verilated.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "base/error.h"
#include "tb/coverage.h"
#include "tb/wave.h"

namespace tpu::tb {

/// Owns one model whose clock is `clk` and whose synchronous, active-high reset is `rst`. Inputs
/// set between two ticks are sampled by the rising edge of the next tick; outputs read after a tick
/// are those after that edge. Call Eval() to see combinational outputs follow inputs within a
/// cycle.
template <typename Model>
class Dut {
 public:
  /// `seed` chooses the values that registers without reset start with (models built without FAST).
  explicit Dut(std::uint64_t seed = 1) : context_(std::make_unique<VerilatedContext>()) {
    context_->randReset(2);
    context_->randSeed(static_cast<int>(seed & 0x7FFFFFFF) | 1);
    model_ = std::make_unique<Model>(context_.get());
    wave_ = std::make_unique<Wave<Model>>(*context_, *model_, NextWaveFile());
    model_->clk = 0;
    SetReset(1);
    model_->eval();
  }
  Dut(const Dut&) = delete;
  Dut& operator=(const Dut&) = delete;
  ~Dut() {
    wave_.reset();
    model_->final();
    KeepCoverage(*context_);
    // The model takes itself off the thread's context, which may be that of another model, perhaps
    // gone.
    Verilated::threadContextp(context_.get());
  }

  Model* operator->() { return model_.get(); }
  Model& operator*() { return *model_; }
  VerilatedContext& context() { return *context_; }
  [[nodiscard]] std::uint64_t cycles() const { return cycles_; }

  /// Lets combinational outputs follow the inputs.
  void Eval() { model_->eval(); }

  /// One clock cycle. Throws when an RTL assertion stopped the simulation.
  void Tick() {
    model_->clk = 1;
    context_->timeInc(1);
    model_->eval();
    wave_->Dump(context_->time());
    model_->clk = 0;
    context_->timeInc(1);
    model_->eval();
    wave_->Dump(context_->time());
    ++cycles_;
    if (context_->gotFinish()) {
      throw Error::Format("the RTL stopped itself at cycle {}: an assertion failed (see above)",
                          cycles_);
    }
  }

  /// Holds reset for `cycles` cycles. Set inputs to idle values before.
  void Reset(int cycles = 3) {
    SetReset(1);
    for (int i = 0; i < cycles; ++i) Tick();
    SetReset(0);
    Eval();
  }

 private:
  /// Models of pure datapath have no reset.
  void SetReset(std::uint8_t level) {
    if constexpr (requires(Model & m) { m.rst; }) model_->rst = level;
  }

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Wave<Model>> wave_;
  std::uint64_t cycles_ = 0;
};

}  // namespace tpu::tb
