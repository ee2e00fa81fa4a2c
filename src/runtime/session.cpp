#include "runtime/session.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "runtime/config.h"

namespace tpu::runtime {
namespace {

std::string DescribeFault(isa::ErrorCode code, isa::Unit unit, std::uint32_t index,
                          const std::string& layer) {
  const std::string where = layer.empty() ? "" : fmt::format(" of layer {}", layer);
  return fmt::format("the device stopped with {} in the {} unit at instruction {}{}",
                     isa::Name(code), isa::Name(unit), index, where);
}

std::string LayerOf(const isa::Executable& executable, std::uint32_t index) {
  if (index >= executable.layer_of_instruction.size()) return "";
  const std::uint32_t layer = executable.layer_of_instruction[index];
  return layer < executable.layers.size() ? executable.layers[layer].name : "";
}

const isa::TensorBinding& Find(const std::vector<isa::TensorBinding>& bindings, const char* kind,
                               std::string_view name) {
  const auto found = std::ranges::find(bindings, name, &isa::TensorBinding::name);
  if (found != bindings.end()) return *found;
  std::string names;
  for (const isa::TensorBinding& b : bindings) names += names.empty() ? b.name : ", " + b.name;
  throw Error::Format("the program has no {} named {}; it has: {}", kind, name, names);
}

}  // namespace

Counters ReadCounters(Device& device) {
  Counters counters{};
  std::uint32_t offset = isa::kCounterBase;
  for (std::uint64_t& counter : counters) {
    const std::uint64_t low = device.ReadRegister(offset);
    const std::uint64_t high = device.ReadRegister(offset + 4);
    counter = low | high << 32;
    offset += 8;
  }
  return counters;
}

std::uint64_t ArrayCycles(const Counters& counters) {
  const auto first = counters.begin() + static_cast<int>(isa::Counter::kArrayActive);
  const auto last = counters.begin() + static_cast<int>(isa::Counter::kArrayNoWork);
  return std::accumulate(first, last + 1, std::uint64_t{0});
}

DeviceError::DeviceError(isa::ErrorCode code, isa::Unit unit, std::uint32_t index,
                         std::string layer)
    : Error(DescribeFault(code, unit, index, layer)),
      code_(code),
      unit_(unit),
      index_(index),
      layer_(std::move(layer)) {}

Session::Session(Device& device, const isa::Executable& executable)
    : device_(device), executable_(executable) {
  RequireConfig(executable.config, ReadConfig(device));
  device.ReserveMemory(executable.memory_bytes);
  for (const isa::Segment& segment : executable.segments) {
    device.WriteMemory(segment.address, segment.bytes);
  }
}

void Session::SetInput(std::string_view name, std::span<const std::int8_t> values) {
  const isa::TensorBinding& input = Find(executable_.inputs, "input", name);
  if (values.size() != input.Bytes()) {
    throw Error::Format("input {} takes {} values, got {}", name, input.Bytes(), values.size());
  }
  const std::span<const std::byte> bytes = std::as_bytes(values);
  device_.WriteMemory(input.address,
                      {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

RunReport Session::Run(const RunOptions& options) {
  using isa::Register;
  namespace control = isa::bits::kControl_;
  WriteRegister(device_, Register::kIrqClear, 1);
  WriteRegister(device_, Register::kProgAddrLo,
                static_cast<std::uint32_t>(executable_.program_address));
  WriteRegister(device_, Register::kProgAddrHi,
                static_cast<std::uint32_t>(executable_.program_address >> 32));
  WriteRegister(device_, Register::kProgGranules, executable_.program_granules);
  WriteRegister(device_, Register::kWatchdog, options.watchdog);
  WriteRegister(device_, Register::kControl, control::irq_enable | control::start);
  WaitForEnd(options);
  WriteRegister(device_, Register::kIrqClear, 1);
  if ((ReadRegister(device_, Register::kStatus) & isa::bits::kStatus_::error) != 0) {
    ThrowDeviceError();
  }
  RunReport report;
  report.macs = executable_.Macs();
  report.counters = ReadCounters(device_);
  report.cycles = Count(report.counters, isa::Counter::kCycles);
  return report;
}

std::vector<std::int8_t> Session::Output(std::string_view name) const {
  const isa::TensorBinding& output = Find(executable_.outputs, "output", name);
  std::vector<std::int8_t> values(output.Bytes());
  device_.ReadMemory(output.address,
                     {reinterpret_cast<std::uint8_t*>(values.data()), values.size()});
  return values;
}

void Session::WaitForEnd(const RunOptions& options) {
  std::uint64_t waited = 0;
  while (waited < options.max_cycles) {
    const std::uint64_t step = std::min(options.progress_interval, options.max_cycles - waited);
    if (device_.WaitForInterrupt(step)) return;
    waited += step;
    if (options.progress) options.progress(waited);
  }
  throw Error::Format("the program did not end within {} cycles", options.max_cycles);
}

void Session::ThrowDeviceError() {
  namespace error = isa::bits::kError_;
  const std::uint32_t value = ReadRegister(device_, isa::Register::kError);
  const std::uint32_t index = ReadRegister(device_, isa::Register::kErrorIndex);
  throw DeviceError(static_cast<isa::ErrorCode>((value & error::code) >> error::code_lsb),
                    static_cast<isa::Unit>((value & error::unit) >> error::unit_lsb), index,
                    LayerOf(executable_, index));
}

}  // namespace tpu::runtime
