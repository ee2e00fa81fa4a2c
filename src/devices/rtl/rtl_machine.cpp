// SPDX-License-Identifier: Apache-2.0
// One machine of sim/CMakeLists.txt, which compiles this file once per Verilated model with
// TPU_MODEL (class), TPU_MODEL_HEADER, TPU_MODEL_ROOT_HEADER (its signals), TPU_SCOPE (what the
// names of tpu_top's signals begin with), TPU_MODEL_CLOCK_HEADER (cmake/verilate.py), TPU_FACTORY
// (function) and, for long runs, TPU_FAST.
#include <verilated.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "devices/rtl/rtl_device.h"
#include "isa/instruction.h"
#include "isa/registers.h"
#include "tb/axi_memory.h"
#include "tb/axi_protocol_checker.h"
#include "tb/axil_protocol_checker.h"
#include "tb/coverage.h"
#include "tb/wave.h"
#include TPU_MODEL_CLOCK_HEADER
#include TPU_MODEL_HEADER
#include TPU_MODEL_ROOT_HEADER

/// A signal of tpu_top in the model.
#define TPU_SIGNAL(name) TPU_JOINED(TPU_SCOPE, name)
#define TPU_JOINED(scope, name) TPU_JOINED_2(scope, name)
#define TPU_JOINED_2(scope, name) scope##name

namespace tpu::devices {
namespace {

#ifdef TPU_FAST
constexpr bool kFast = true;
#else
constexpr bool kFast = false;
#endif

/// The ports, and all other signals, themselves; TPU_MODEL has references to them.
using Ports = std::remove_pointer_t<decltype(TPU_MODEL::rootp)>;

/// The model with its clock. `Tick` is the simulator's inner loop.
class Clock {
 public:
  explicit Clock(const RtlOptions& options) : context_(std::make_unique<VerilatedContext>()) {
    context_->randReset(2);
    context_->randSeed(static_cast<int>(options.reset_seed & 0x7FFFFFFF) | 1);
    model_ = std::make_unique<TPU_MODEL>(context_.get());
    wave_ = std::make_unique<tb::Wave<TPU_MODEL>>(
        *context_, *model_, options.wave_file.empty() ? tb::NextWaveFile() : options.wave_file);
    if (!options.wave_file.empty() && !wave_->kTraced) {
      throw Error::Format("{}: this machine was built without waveforms; use the traced one",
                          options.wave_file);
    }
  }
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  ~Clock() {
    wave_.reset();
    model_->final();
    tb::KeepCoverage(*context_);
    // The model takes itself off the thread's context, which may be that of another model, perhaps
    // gone.
    Verilated::threadContextp(context_.get());
  }

  [[nodiscard]] TPU_MODEL& model() const { return *model_; }
  [[nodiscard]] std::uint64_t cycles() const { return cycles_; }

  void Eval() { model_->eval(); }

  /// The rising edge, which samples the inputs as they are.
  void Rise() {
    model_->clk = 1;
    model_->eval();
    Dump();
    ++cycles_;
  }

  /// The falling edge; outputs follow the inputs set since the rising one.
  void Fall() {
    model_->clk = 0;
    model_->eval();
    Dump();
  }

  /// A falling edge at which nobody looks: inputs take effect in the next Rise(), before its edge.
  /// No output of the machine follows an input within a cycle (test
  /// TakesTheSameCyclesObservedAndUnobserved). Where it is not known which variable of the model
  /// keeps the clock's last level, an ordinary Fall().
  void FallUnseen() {
#ifdef TPU_LAST_CLOCK
    if constexpr (!tb::Wave<TPU_MODEL>::kTraced) {
      model_->clk = 0;
      TPU_LAST_CLOCK(*model_->rootp) = 0;
      return;
    }
#endif
    Fall();
  }

 private:
  void Dump() {
    if constexpr (tb::Wave<TPU_MODEL>::kTraced) {
      context_->timeInc(1);
      wave_->Dump(context_->time());
    }
  }
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<TPU_MODEL> model_;
  std::unique_ptr<tb::Wave<TPU_MODEL>> wave_;
  std::uint64_t cycles_ = 0;
};

tb::AxiMemoryOptions MemoryOptions(const RtlOptions& options) {
  tb::AxiMemoryOptions memory;
  memory.latency = options.memory_latency;
  memory.response_latency = options.response_latency;
  memory.ready_after_valid = options.ready_after_valid;
  if (options.stall_seed) {
    memory.seed = *options.stall_seed;
    memory.interleave = true;
    memory.stalls = options.stalls;
  }
  return memory;
}

/// A netlist has none of the signals that are watched: synthesis renames or removes them.
template <typename Signals>
concept Watchable = requires(const Signals& signals) {
  signals.TPU_SIGNAL(running);
  signals.TPU_SIGNAL(events);
  signals.TPU_SIGNAL(event_starts);
};

/// Notes when instructions start and complete, and what the counters count. The signals are made
/// public in sim/verilator.vlt.
template <typename Signals>
class InstructionWatch {
 public:
  explicit InstructionWatch(const Signals& signals) : signals_(signals) {}

  void Watch(runtime::InstructionTrace* trace) {
    if (!Watchable<Signals> && trace != nullptr) {
      throw Error::Format("this machine is a netlist, which shows no instructions; trace its RTL");
    }
    trace_ = trace;
    running_ = false;
  }
  [[nodiscard]] bool active() const { return trace_ != nullptr; }

  /// To be called after each rising edge. What the machine shows then was in the cycle that the
  /// edge ended.
  void Sample() {
    if constexpr (Watchable<Signals>) {
      if (running_) {
        runtime::ProgramTrace& program = trace_->back();
        ++program.cycles;
        const std::uint32_t events = signals_.TPU_SIGNAL(events);
        NoteInstructions(program, signals_.TPU_SIGNAL(event_starts), events);
        NoteEvents(program.events, events);
      }
      const bool running = signals_.TPU_SIGNAL(running) != 0;
      if (running && !running_) trace_->emplace_back();
      running_ = running;
    }
  }

 private:
  static void NoteInstructions(runtime::ProgramTrace& program, std::uint32_t starts,
                               std::uint32_t events) {
    constexpr auto kFirstUnit = static_cast<std::size_t>(isa::Unit::kLoad);
    const std::uint32_t retired = events >> static_cast<unsigned>(isa::Counter::kLoadRetired);
    if ((starts | retired) == 0) return;
    for (std::size_t i = 0; kFirstUnit + i < program.units.size(); ++i) {
      runtime::UnitTrace& times = program.units[kFirstUnit + i];
      if ((starts >> i & 1) != 0) times.started.push_back(program.cycles);
      if ((retired >> i & 1) != 0) times.completed.push_back(program.cycles);
    }
  }

  static void NoteEvents(std::vector<runtime::EventRun>& runs, std::uint32_t events) {
    if (runs.empty() || runs.back().events != events) runs.push_back({events, 0});
    ++runs.back().cycles;
  }

  const Signals& signals_;
  runtime::InstructionTrace* trace_ = nullptr;
  bool running_ = false;
};

class RtlMachine final : public RtlDevice {
 public:
  explicit RtlMachine(const RtlOptions& options)
      : clock_(options),
        ports_(*clock_.model().rootp),
        memory_(ports_, MemoryOptions(options)),
        checker_(ports_),
        host_checker_(ports_),
        watch_(ports_),
        check_protocol_(options.check_protocol) {
    Reset();
  }

  void ReserveMemory(std::uint64_t bytes) override {
    if (bytes > memory_.bytes().size()) memory_.Resize(bytes);
  }
  void WriteMemory(std::uint64_t address, std::span<const std::uint8_t> bytes) override {
    std::ranges::copy(bytes, Memory(address, bytes.size()).begin());
  }
  void ReadMemory(std::uint64_t address, std::span<std::uint8_t> bytes) override {
    std::ranges::copy(Memory(address, bytes.size()), bytes.begin());
  }

  std::uint32_t ReadRegister(std::uint32_t offset) override {
    ports_.s_axil_arvalid = 1;
    ports_.s_axil_araddr = RegisterAddress(offset);
    TickUntil(offset, [this] { return ports_.s_axil_arready != 0; });
    ports_.s_axil_arvalid = 0;
    // Ready only when there is an answer: the machine has to keep it until then.
    TickUntil(offset, [this] { return ports_.s_axil_rvalid != 0; });
    const std::uint32_t value = ports_.s_axil_rdata;
    ports_.s_axil_rready = 1;
    Tick();
    ports_.s_axil_rready = 0;
    return value;
  }

  void WriteRegister(std::uint32_t offset, std::uint32_t value) override {
    ports_.s_axil_awvalid = 1;
    ports_.s_axil_awaddr = RegisterAddress(offset);
    ports_.s_axil_wvalid = 1;
    ports_.s_axil_wdata = value;
    ports_.s_axil_wstrb = 0xF;
    // A slave may take address and data in any order, or only together.
    TickUntil(offset, [this] { return ports_.s_axil_awvalid == 0 && ports_.s_axil_wvalid == 0; });
    TickUntil(offset, [this] { return ports_.s_axil_bvalid != 0; });
    ports_.s_axil_bready = 1;
    Tick();
    ports_.s_axil_bready = 0;
  }

  bool WaitForInterrupt(std::uint64_t max_cycles) override {
    if (check_protocol_ || watch_.active()) {
      for (std::uint64_t i = 0; i < max_cycles && ports_.irq == 0; ++i) Tick<true>();
    } else {
      for (std::uint64_t i = 0; i < max_cycles && ports_.irq == 0; ++i) Tick<false>();
    }
    if (irq()) ExpectDrained();
    return irq();
  }

  [[nodiscard]] std::uint64_t cycles() const override { return clock_.cycles(); }
  [[nodiscard]] bool irq() const override { return ports_.irq != 0; }
  void Advance(std::uint64_t cycles) override {
    for (std::uint64_t i = 0; i < cycles; ++i) Tick();
  }
  void TraceInstructions(runtime::InstructionTrace* trace) override { watch_.Watch(trace); }
  void FailReadBeat(std::uint64_t n, tb::AxiResponse response) override {
    memory_.FailReadBeat(memory_.traffic().read_beats + n, response);
  }
  void FailWriteResponse(std::uint64_t n, tb::AxiResponse response) override {
    memory_.FailWriteResponse(memory_.traffic().write_responses + n, response);
  }
  void FailRange(std::uint64_t begin, std::uint64_t end, tb::AxiResponse response) override {
    memory_.FailRange(begin, end, response);
  }
  void ForgetFaults() override { memory_.ForgetFaults(); }
  void StopAnswering(bool stop) override {
    memory_.StopAnswering(stop);
    bus_failed_ = true;
  }
  void StopChannel(tb::AxiChannel channel) override {
    memory_.StopChannel(channel);
    bus_failed_ = true;
  }
  void DelayUnanswered(std::uint64_t cycles) override { memory_.DelayUnanswered(cycles); }
  void ForgetUnanswered() override { memory_.ForgetUnanswered(); }
  void HardReset() override { Reset(); }

 private:
  void Reset() {
    constexpr int kResetCycles = 8;
    ports_.rst = 1;
    ports_.clk = 0;
    ports_.s_axil_awvalid = 0;
    ports_.s_axil_awprot = 0;
    ports_.s_axil_wvalid = 0;
    ports_.s_axil_bready = 0;
    ports_.s_axil_arvalid = 0;
    ports_.s_axil_arprot = 0;
    ports_.s_axil_rready = 0;
    memory_.Reset();
    for (int i = 0; i < kResetCycles; ++i) {
      clock_.Fall();
      if (check_protocol_ && i > 0) {
        checker_.SampleReset();
        host_checker_.SampleReset();
      }
      clock_.Rise();
    }
    ports_.rst = 0;
    clock_.Fall();
    // No request may stand at the first edge after reset.
    Tick();
  }

  /// A run that has ended leaves no burst behind, unless the memory did not answer all.
  void ExpectDrained() const {
    if (check_protocol_ && !bus_failed_) checker_.ExpectDrained();
  }

  /// The two kinds keep the inner loop of unobserved runs free of tests.
  template <bool kObserved>
  void Tick() {
    if constexpr (kObserved) {
      if (check_protocol_) {
        checker_.Sample();
        host_checker_.Sample();
      }
    }
    memory_.Sample();
    clock_.Rise();
    if constexpr (kObserved) {
      if (watch_.active()) watch_.Sample();
    }
    memory_.Drive();
    if constexpr (kObserved && !kFast) {
      clock_.Fall();
    } else {
      clock_.FallUnseen();
    }
  }
  void Tick() {
    if (check_protocol_ || watch_.active()) {
      Tick<true>();
    } else {
      Tick<false>();
    }
  }

  /// Ticks through the first cycle in which `condition` holds; the condition sees settled signals.
  template <typename Condition>
  void TickUntil(std::uint32_t offset, Condition condition) {
    constexpr int kMaxCycles = 1000;
    for (int cycle = 0; cycle < kMaxCycles; ++cycle) {
      clock_.Eval();
      const bool met = condition();
      const bool address_taken = ports_.s_axil_awready != 0;
      const bool data_taken = ports_.s_axil_wready != 0;
      Tick();
      if (address_taken) ports_.s_axil_awvalid = 0;
      if (data_taken) ports_.s_axil_wvalid = 0;
      if (met) return;
    }
    throw Error::Format("register 0x{:03x}: no AXI4-Lite answer within {} cycles", offset,
                        kMaxCycles);
  }

  static std::uint16_t RegisterAddress(std::uint32_t offset) {
    constexpr std::uint32_t kRegisterSpace = 0x1000;
    if (offset >= kRegisterSpace || offset % 4 != 0) {
      throw Error::Format("0x{:x} is not the offset of a register", offset);
    }
    return static_cast<std::uint16_t>(offset);
  }

  std::span<std::uint8_t> Memory(std::uint64_t address, std::size_t bytes) {
    const std::uint64_t size = memory_.bytes().size();
    if (address > size || bytes > size - address) {
      throw Error::Format("{} bytes at 0x{:x} are outside the {} bytes of reserved memory", bytes,
                          address, size);
    }
    return std::span(memory_.bytes()).subspan(address, bytes);
  }

  Clock clock_;
  Ports& ports_;
  tb::AxiMemory<Ports> memory_;
  tb::AxiProtocolChecker<Ports> checker_;
  tb::AxilProtocolChecker<Ports> host_checker_;
  InstructionWatch<Ports> watch_;
  bool check_protocol_;
  bool bus_failed_ = false;
};

}  // namespace

std::unique_ptr<RtlDevice> TPU_FACTORY(const RtlOptions& options) {
  return std::make_unique<RtlMachine>(options);
}

}  // namespace tpu::devices
