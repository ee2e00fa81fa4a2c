// SPDX-License-Identifier: Apache-2.0
#include "runtime/session.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>

#include "executable/executable_file.h"
#include "host_kernels/kernels.h"
#include "runtime/config.h"

namespace tpu::runtime {
namespace {

std::string DescribeFault(const std::string& device, isa::ErrorCode code, isa::Unit unit,
                          std::uint32_t index, const std::string& layer) {
  const std::string where = layer.empty() ? "" : fmt::format(" of layer {}", layer);
  return fmt::format("{} stopped with {} in the {} unit at instruction {}{}", device,
                     isa::Name(code), isa::Name(unit), index, where);
}

std::string LayerOf(const executable::Executable& executable, std::size_t index) {
  if (index >= executable.layer_of_instruction.size()) return "";
  const std::uint32_t layer = executable.layer_of_instruction[index];
  return layer < executable.layers.size() ? executable.layers[layer].name : "";
}

const executable::TensorBinding& Find(const std::vector<executable::TensorBinding>& bindings,
                                      const char* kind, std::string_view name) {
  const auto found = std::ranges::find(bindings, name, &executable::TensorBinding::name);
  if (found != bindings.end()) return *found;
  std::string names;
  for (const executable::TensorBinding& b : bindings)
    names += names.empty() ? b.name : ", " + b.name;
  throw Error::Format("the program has no {} named {}; it has: {}", kind, name, names);
}

void RequireInt8(const executable::TensorBinding& tensor, const char* kind) {
  if (tensor.type == ElementType::kInt8) return;
  throw Error::Format("{} {} is {}, not int8: its bytes can be had", kind, tensor.name,
                      ElementTypeName(tensor.type));
}

// The devices that the executable speaks of.
std::vector<Device*> Needed(std::span<Device* const> devices,
                            const executable::Executable& executable) {
  const std::uint64_t needed = executable.Devices();
  if (needed > devices.size()) {
    throw Error::Format("the program needs {} device{}, there {} {}", needed,
                        needed == 1 ? "" : "s", devices.size() == 1 ? "is" : "are", devices.size());
  }
  std::vector<Device*> used(devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(needed));
  for (std::size_t i = 0; i < used.size(); ++i) {
    const auto first = static_cast<std::size_t>(std::ranges::find(used, used[i]) - used.begin());
    if (first != i) throw Error::Format("devices {} and {} of the session are the same", first, i);
  }
  return used;
}

// For messages.
std::string NameOf(std::uint32_t device, const executable::Executable& executable) {
  return executable.Devices() == 1 ? "the device" : fmt::format("device {}", device);
}

bool IsDecision(const executable::Step& step) {
  return std::holds_alternative<executable::Branch>(step) ||
         std::holds_alternative<executable::Loop>(step);
}

std::vector<std::uint64_t> LayerMacs(const executable::Executable& executable) {
  std::vector<std::uint64_t> macs;
  for (const executable::Layer& layer : executable.layers) macs.push_back(layer.macs);
  return macs;
}

// Of a run of these programs.
std::vector<std::uint64_t> LayerMacs(const executable::Executable& executable,
                                     std::span<const std::uint32_t> programs) {
  std::vector<std::uint64_t> macs = LayerMacs(executable);
  if (std::ranges::none_of(executable.steps, IsDecision)) return macs;
  const std::vector<const executable::DeviceProgram*> all = executable.DevicePrograms();
  std::vector<std::uint64_t> runs(all.size());
  for (const std::uint32_t program : programs) ++runs[program];
  std::vector<bool> counted(macs.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t size = executable::Instructions(executable, *all[i]).size();
    for (const std::uint32_t layer :
         std::span(executable.layer_of_instruction).subspan(all[i]->first_instruction, size)) {
      if (!counted[layer]) macs[layer] *= runs[i];
      counted[layer] = true;
    }
  }
  return macs;
}

}  // namespace

Course OnceThrough(const executable::Executable& executable) {
  Course course = {.programs = std::vector<std::uint32_t>(executable.DevicePrograms().size()),
                   .layer_macs = LayerMacs(executable)};
  std::iota(course.programs.begin(), course.programs.end(), 0U);
  return course;
}

Counters ReadCounters(Device& device) {
  std::array<std::uint32_t, 2 * isa::kNumCounters> words;
  device.ReadRegisters(isa::kCounterBase, words);
  Counters counters{};
  for (std::size_t i = 0; i < counters.size(); ++i) {
    counters[i] = words[2 * i] | std::uint64_t{words[2 * i + 1]} << 32;
  }
  return counters;
}

std::uint64_t ArrayCycles(const Counters& counters) {
  const auto first = counters.begin() + static_cast<int>(isa::Counter::kArrayActive);
  const auto last = counters.begin() + static_cast<int>(isa::Counter::kArrayNoWork);
  return std::accumulate(first, last + 1, std::uint64_t{0});
}

DeviceError::DeviceError(const std::string& device, isa::ErrorCode code, isa::Unit unit,
                         std::uint32_t index, std::string layer)
    : Error(DescribeFault(device, code, unit, index, layer)),
      code_(code),
      unit_(unit),
      index_(index),
      layer_(std::move(layer)) {}

Session::Session(std::span<Device* const> devices, const executable::Executable& executable)
    : devices_(Needed(devices, executable)), executable_(executable) {
  for (std::uint32_t i = 0; i < devices_.size(); ++i) {
    try {
      RequireConfig(executable.config, ReadConfig(*devices_[i]));
    } catch (const Error& error) {
      if (devices_.size() == 1) throw;
      throw Error::Format("{}: {}", NameOf(i, executable), error.what());
    }
  }
  for (Device* const device : devices_) device->ReserveMemory(executable.memory_bytes);
  for (const executable::Segment& segment : executable.segments) {
    DeviceOf(segment).WriteMemory(segment.address, segment.bytes);
  }
  ResetStates();
}

void Session::ResetStates() {
  states_.clear();
  for (const executable::State& state : executable_.states) states_.push_back(state.initial);
}

// Outputs of the last run, which may lie at the same places, can be read until then.
void Session::WriteStates() {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const executable::TensorBinding& before = executable_.states[i].before;
    DeviceOf(before).WriteMemory(before.address, states_[i]);
  }
}

void Session::ReadStates() {
  for (std::size_t i = 0; i < states_.size(); ++i) states_[i] = Read(executable_.states[i].after);
}

Session::Session(Device& device, const executable::Executable& executable)
    : Session(std::array{&device}, executable) {}

void Session::SetInput(std::string_view name, std::span<const std::int8_t> values) {
  const executable::TensorBinding& input = Find(executable_.inputs, "input", name);
  RequireInt8(input, "input");
  const std::span<const std::byte> bytes = std::as_bytes(values);
  SetInputBytes(static_cast<std::size_t>(&input - executable_.inputs.data()),
                {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

void Session::SetInputBytes(std::size_t index, std::span<const std::uint8_t> bytes) {
  const executable::TensorBinding& input = executable_.inputs.at(index);
  if (bytes.size() != input.Bytes()) {
    const auto size = static_cast<std::uint64_t>(ElementBytes(input.type));
    throw Error::Format("input {} takes {} values, got {}", input.name, input.Bytes() / size,
                        bytes.size() / size);
  }
  DeviceOf(input).WriteMemory(input.address, bytes);
}

// Runs ranges of steps.
class Session::Steps {
 public:
  Steps(Session& session, const RunOptions& options, RunReport& report)
      : session_(session), options_(options), report_(report) {
    std::uint32_t programs = 0;
    for (const executable::Step& step : session.executable_.steps) {
      program_of_step_.push_back(programs);
      programs += std::holds_alternative<executable::DeviceProgram>(step) ? 1 : 0;
    }
  }

  void Run(std::size_t begin, std::size_t end) {
    const std::vector<executable::Step>& steps = session_.executable_.steps;
    for (std::size_t step = begin; step < end;) {
      step = std::visit([&](const auto& s) { return Run(s, step); }, steps[step]);
    }
  }

 private:
  // Each returns the step that is next.
  std::size_t Run(const executable::DeviceProgram& program, std::size_t step) {
    session_.RunProgram(program, options_, report_);
    report_.course.programs.push_back(program_of_step_[step]);
    return step + 1;
  }

  std::size_t Run(const executable::HostCall& call, std::size_t step) {
    session_.RunOnHost(call);
    return step + 1;
  }

  std::size_t Run(const executable::Branch& branch, std::size_t step) {
    const std::size_t middle = step + 1 + branch.then_steps;
    const std::size_t end = middle + branch.else_steps;
    if (IsTrue(branch.condition)) {
      Run(step + 1, middle);
    } else {
      Run(middle, end);
    }
    return end;
  }

  std::size_t Run(const executable::Loop& loop, std::size_t step) {
    const std::size_t middle = step + 1 + loop.condition_steps;
    const std::size_t end = middle + loop.body_steps;
    for (std::uint64_t iteration = 0;; ++iteration) {
      Run(step + 1, middle);
      if (!IsTrue(loop.condition)) return end;
      if (iteration == options_.max_iterations) {
        const executable::Layer& layer = session_.executable_.layers[loop.layer];
        throw Error::Format("{} ({}) did not end within {} iterations", layer.name, layer.op,
                            options_.max_iterations);
      }
      Run(middle, end);
    }
  }

  [[nodiscard]] bool IsTrue(const executable::TensorBinding& condition) const {
    return session_.Read(condition).at(0) != 0;
  }

  Session& session_;
  const RunOptions& options_;
  RunReport& report_;
  std::vector<std::uint32_t> program_of_step_;  // Or how many programs are before it.
};

RunReport Session::Run(const RunOptions& options) {
  if (options.progress_interval == 0) throw Error("progress_interval is 0; should be at least 1");
  RunReport report;
  WriteStates();
  Steps(*this, options, report).Run(0, executable_.steps.size());
  ReadStates();
  report.course.layer_macs = LayerMacs(executable_, report.course.programs);
  report.macs = std::reduce(report.course.layer_macs.begin(), report.course.layer_macs.end());
  return report;
}

void Session::RunProgram(const executable::DeviceProgram& program, const RunOptions& options,
                         RunReport& report) {
  using isa::Register;
  namespace control = isa::bits::kControl_;
  Device& device = DeviceOf(program);
  WriteRegister(device, Register::kIrqClear, 1);
  WriteRegister(device, Register::kProgAddrLo, static_cast<std::uint32_t>(program.address));
  WriteRegister(device, Register::kProgAddrHi, static_cast<std::uint32_t>(program.address >> 32));
  WriteRegister(device, Register::kProgGranules, program.granules);
  WriteRegister(device, Register::kWatchdog, options.watchdog);
  const auto start = std::chrono::steady_clock::now();
  WriteRegister(device, Register::kControl, control::irq_enable | control::start);
  WaitForEnd(device, options, report.cycles);
  report.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  WriteRegister(device, Register::kIrqClear, 1);
  if ((ReadRegister(device, Register::kStatus) & isa::bits::kStatus_::error) != 0) {
    ThrowDeviceError(program);
  }
  const Counters counters = ReadCounters(device);
  std::ranges::transform(report.counters, counters, report.counters.begin(), std::plus<>());
  report.cycles += Count(counters, isa::Counter::kCycles);
  report.clock_hz = device.ClockHz();
}

void Session::RunOnHost(const executable::HostCall& call) {
  std::vector<host_kernels::Bytes> inputs;
  for (const executable::TensorBinding& input : call.inputs) inputs.push_back(Read(input));
  const std::vector<host_kernels::Bytes> outputs = host_kernels::Run(call, inputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    DeviceOf(call.outputs[i]).WriteMemory(call.outputs[i].address, outputs[i]);
  }
}

std::vector<std::int8_t> Session::Output(std::string_view name) const {
  const executable::TensorBinding& output = Find(executable_.outputs, "output", name);
  RequireInt8(output, "output");
  const std::vector<std::uint8_t> bytes = Read(output);
  return {bytes.begin(), bytes.end()};
}

std::vector<std::uint8_t> Session::OutputBytes(std::size_t index) const {
  return Read(executable_.outputs.at(index));
}

std::vector<std::uint8_t> Session::Read(const executable::TensorBinding& tensor) const {
  std::vector<std::uint8_t> bytes(tensor.Bytes());
  DeviceOf(tensor).ReadMemory(tensor.address, bytes);
  return bytes;
}

void Session::WaitForEnd(Device& device, const RunOptions& options, std::uint64_t cycles_before) {
  std::uint64_t waited = cycles_before;
  while (waited < options.max_cycles) {
    const std::uint64_t step = std::min(options.progress_interval, options.max_cycles - waited);
    if (device.WaitForInterrupt(step)) return;
    waited += step;
    if (options.progress) options.progress(waited);
  }
  throw Error::Format("the program did not end within {} cycles", options.max_cycles);
}

void Session::ThrowDeviceError(const executable::DeviceProgram& program) {
  namespace error = isa::bits::kError_;
  Device& device = DeviceOf(program);
  const std::uint32_t value = ReadRegister(device, isa::Register::kError);
  const std::uint32_t index = ReadRegister(device, isa::Register::kErrorIndex);
  throw DeviceError(NameOf(program.device, executable_),
                    static_cast<isa::ErrorCode>((value & error::code) >> error::code_lsb),
                    static_cast<isa::Unit>((value & error::unit) >> error::unit_lsb), index,
                    LayerOf(executable_, std::size_t{program.first_instruction} + index));
}

}  // namespace tpu::runtime
