// SPDX-License-Identifier: Apache-2.0
#include "delegate/kernel.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "tools/tpu/layer_table.h"
#include "tools/tpu/load.h"

namespace tpu::delegate {
namespace {

std::span<std::uint8_t> BytesOf(const TfLiteContext& context, int index) {
  const TfLiteTensor& tensor = context.tensors[index];
  if (tensor.data == nullptr && tensor.bytes > 0) {
    throw Error::Format("LiteRT's tensor {} has no memory", index);
  }
  return {tensor.data, tensor.bytes};
}

// What LiteRT fills variables with.
std::uint8_t ResetByte(const TfLiteContext& context, int index) {
  const TfLiteTensor& tensor = context.tensors[index];
  return tensor.type == kTfLiteInt8 ? static_cast<std::uint8_t>(tensor.params.zero_point) : 0;
}

// Of inputs and outputs.
std::vector<std::vector<int>> ShapesOf(const TfLiteContext& context, const Part& part) {
  std::vector<std::vector<int>> shapes;
  for (const auto& list : {part.inputs, part.outputs}) {
    for (const int index : list) {
      const auto shape = Values(context.tensors[index].dims);
      shapes.emplace_back(shape.begin(), shape.end());
    }
  }
  return shapes;
}

}  // namespace

Kernel::Kernel(TfLiteContext& context, Part part, Surroundings& surroundings)
    : part_(std::move(part)), surroundings_(surroundings) {
  Compile(context);
}

Kernel::~Kernel() {
  if (surroundings_.on_board == this) surroundings_.on_board = nullptr;
}

void Kernel::Prepare(TfLiteContext& context) {
  // LiteRT's operators leave some sizes open that programs do not.
  for (const int index : part_.outputs) {
    TfLiteTensor& output = context.tensors[index];
    if (output.allocation_type == kTfLiteDynamic) output.allocation_type = kTfLiteArenaRw;
  }
  if (ShapesOf(context, part_) != shapes_) Compile(context);
}

void Kernel::Compile(TfLiteContext& context) {
  loaded_.reset();
  // None, in case that this fails.
  shapes_.clear();
  executable_ = tools::ReadExecutable(
      ModelFile(context, part_), NameOf(part_),
      {.config = surroundings_.options.config, .rounding = surroundings_.options.rounding});
  shapes_ = ShapesOf(context, part_);
}

void Kernel::Run(TfLiteContext& context) {
  std::vector<std::span<const std::uint8_t>> inputs;
  for (const int index : part_.inputs) inputs.emplace_back(BytesOf(context, index));
  if (loaded_ && VariablesAreReset(context)) loaded_->runner.ResetStates();
  const profile::Measurement measurement = Measure(inputs);
  for (std::size_t i = 0; i < part_.outputs.size(); ++i) {
    const std::span<std::uint8_t> output = BytesOf(context, part_.outputs[i]);
    const runtime::Bytes& computed = measurement.outputs.at(i);
    if (output.size() != computed.size()) {
      throw Error::Format("{}: LiteRT's output {} has {} bytes, the program's {}", NameOf(part_),
                          part_.outputs[i], output.size(), computed.size());
    }
    std::ranges::copy(computed, output.begin());
  }
  // The device has the variables' values; LiteRT's tensors show here whether they were reset.
  for (const int index : part_.variables) {
    std::ranges::fill(BytesOf(context, index), ResetByte(context, index) ^ 1U);
  }
  if (!surroundings_.report.IsWritten()) return;
  nlohmann::ordered_json run = {{"backend", surroundings_.options.backend}};
  run.update(tools::RunJson(executable_, measurement, std::nullopt));
  // Nothing was compared.
  run.erase("passed");
  surroundings_.report.Note(&context, part_.nodes, std::move(run));
}

void Kernel::Load() {
  if (!surroundings_.options.device.empty()) {
    Kernel*& on_board = surroundings_.on_board;
    if (on_board != nullptr && on_board != this) on_board->LeaveBoard();
    on_board = this;
  }
  loaded_.emplace(MakeDevice(surroundings_.options.backend, executable_.config), executable_);
}

void Kernel::LeaveBoard() {
  if (!executable_.states.empty()) {
    throw Error::Format(
        "{}: have values that are kept from run to run, for which the board, that has to run other "
        "parts, too, has no place; use another backend",
        NameOf(part_));
  }
  loaded_.reset();
}

profile::Measurement Kernel::Measure(std::span<const std::span<const std::uint8_t>> inputs) {
  try {
    if (!loaded_) Load();
    profile::Measurement measurement =
        loaded_->runner.Run(inputs, {.trace = surroundings_.report.IsWritten()});
    if (auto fault = profile::CounterFault(measurement.report)) {
      throw Error::Format("{}: {}", NameOf(part_), *fault);
    }
    return measurement;
  } catch (...) {
    // The device may be in the middle of a program.
    loaded_.reset();
    throw;
  }
}

bool Kernel::VariablesAreReset(const TfLiteContext& context) const {
  return std::ranges::any_of(part_.variables, [&](int index) {
    return std::ranges::all_of(BytesOf(context, index), [&](std::uint8_t byte) {
      return byte == ResetByte(context, index);
    });
  });
}

}  // namespace tpu::delegate
