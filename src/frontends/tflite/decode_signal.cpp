// SPDX-License-Identifier: Apache-2.0
// The signal library of TensorFlow Lite Micro. Which types and shapes the operators take,
// host_operators/check.h says; what would make shapes that are too large is refused here.
#include <cstring>
#include <utility>

#include "frontends/tflite/custom_options.h"
#include "frontends/tflite/operator_reader.h"

namespace tpu::tflite {
namespace {

// Audio has some ten thousand samples a second.
constexpr std::int64_t kMostSamples = 1 << 24;

// An option that is the size of something.
std::int64_t SizeOption(const OperatorReader& op, const CustomOptions& options,
                        const std::string& name, std::int64_t least = 1) {
  const std::int64_t size = options.Integer(name);
  op.Require(size >= least && size <= kMostSamples, "{} is {}, not between {} and {}", name, size,
             least, kMostSamples);
  return size;
}

// The first operand, which has a last axis, with another size of it.
ir::Shape WithLast(const OperatorReader& op, std::int64_t last) {
  ir::Shape shape = op.Input(0).shape;
  op.Require(!shape.empty(), "{} has no dimensions", op.Input(0).name);
  shape.back() = last;
  return shape;
}

std::size_t StateElements(const OperatorReader& op, const ir::Shape& shape) {
  std::int64_t elements = 1;
  for (const std::int64_t d : shape) {
    elements *= d;
    op.Require(elements <= kMostSamples, "its state {} is too large", Text(shape));
  }
  return static_cast<std::size_t>(elements);
}

// A state of zeros.
void AddState(OperatorReader& op, ElementType type, const ir::Shape& shape) {
  const auto bytes = static_cast<std::size_t>(ElementBytes(type));
  op.AddState(type, shape, std::vector<std::uint8_t>(StateElements(op, shape) * bytes));
}

// Of a framer that begins with as many zeros as make the first samples a frame: how many they are
// stands before each sequence.
void AddPrefilledState(OperatorReader& op, const ir::Shape& shape, std::int64_t count) {
  std::vector<std::int32_t> numbers(StateElements(op, shape), 0);
  for (std::size_t i = 0; i < numbers.size(); i += static_cast<std::size_t>(shape.back())) {
    numbers[i] = static_cast<std::int32_t>(count);
  }
  std::vector<std::uint8_t> bytes(numbers.size() * sizeof(std::int32_t));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  op.AddState(ElementType::kInt32, shape, std::move(bytes));
}

}  // namespace

ir::Attributes DecodeSignalWindow(OperatorReader& op) {
  op.RequireCounts(2, 2);
  const CustomOptions options(op);
  op.SettleOutput(op.Operand(0).shape);
  op.Operand(1);
  return ir::HostOperator{host_operators::SignalWindow{.shift = options.Integer("shift")}};
}

ir::Attributes DecodeSignalFftAutoScale(OperatorReader& op) {
  op.RequireCounts(1, 1, 2);
  op.SettleOutput(op.Operand(0).shape);
  return ir::HostOperator{host_operators::SignalFftAutoScale{}};
}

ir::Attributes DecodeSignalFft(OperatorReader& op, bool inverse) {
  op.RequireCounts(1, 1);
  const CustomOptions options(op);
  const std::int64_t length = SizeOption(op, options, "fft_length", 4);
  op.Operand(0);
  op.SettleOutput(WithLast(op, inverse ? length : length + 2));
  return ir::HostOperator{host_operators::SignalFft{.length = length, .inverse = inverse}};
}

ir::Attributes DecodeSignalEnergy(OperatorReader& op) {
  op.RequireCounts(1, 1);
  const CustomOptions options(op);
  op.RequireRank(op.Operand(0), 1);
  op.SettleOutput({op.Input(0).shape[0] / 2});
  return ir::HostOperator{host_operators::SignalEnergy{.begin = options.Integer("start_index"),
                                                       .end = options.Integer("end_index")}};
}

ir::Attributes DecodeSignalFilterBank(OperatorReader& op) {
  op.RequireCounts(6, 6);
  const CustomOptions options(op);
  for (std::size_t i = 0; i < op.Inputs(); ++i) op.Operand(i);
  op.SettleOutput({SizeOption(op, options, "num_channels")});
  return ir::HostOperator{host_operators::SignalFilterBank{}};
}

ir::Attributes DecodeSignalSquareRoot(OperatorReader& op) {
  op.RequireCounts(2, 2);
  op.SettleOutput(op.Operand(0).shape);
  op.Operand(1);
  return ir::HostOperator{host_operators::SignalSquareRoot{}};
}

ir::Attributes DecodeSignalSpectralSubtraction(OperatorReader& op) {
  op.RequireCounts(1, 1, 2);
  const CustomOptions options(op);
  const ir::Shape shape = op.Operand(0).shape;
  for (std::size_t i = 0; i < 2; ++i) op.SettleOutput(shape, i);
  op.Require(shape == ir::Shape{options.Integer("num_channels")},
             "{} should have num_channels elements", op.Input(0).name);
  const host_operators::SignalSpectralSubtraction attributes = {
      .smoothing = options.Integer("smoothing"),
      .one_minus_smoothing = options.Integer("one_minus_smoothing"),
      .alternate_smoothing = options.Integer("alternate_smoothing"),
      .alternate_one_minus_smoothing = options.Integer("alternate_one_minus_smoothing"),
      .smoothing_bits = options.Integer("smoothing_bits"),
      .bits = options.Integer("spectral_subtraction_bits"),
      .min_signal_remaining = options.Integer("min_signal_remaining"),
      .clamping = options.Integer("clamping") != 0};
  AddState(op, ElementType::kUint32, shape);
  return ir::HostOperator{attributes};
}

ir::Attributes DecodeSignalPcan(OperatorReader& op) {
  op.RequireCounts(3, 3);
  const CustomOptions options(op);
  for (std::size_t i = 0; i < op.Inputs(); ++i) op.Operand(i);
  op.SettleOutput(op.Input(0).shape);
  return ir::HostOperator{host_operators::SignalPcan{.snr_shift = options.Integer("snr_shift")}};
}

ir::Attributes DecodeSignalLog(OperatorReader& op) {
  op.RequireCounts(1, 1);
  const CustomOptions options(op);
  op.SettleOutput(op.Operand(0).shape);
  return ir::HostOperator{
      host_operators::SignalLog{.output_scale = options.Integer("output_scale"),
                                .correction_bits = options.Integer("input_correction_bits")}};
}

ir::Attributes DecodeSignalDelay(OperatorReader& op) {
  op.RequireCounts(1, 1);
  const CustomOptions options(op);
  const std::int64_t length = SizeOption(op, options, "delay_length");
  op.SettleOutput(op.Operand(0).shape);
  AddState(op, ElementType::kInt16, WithLast(op, length));
  return ir::HostOperator{host_operators::SignalDelay{.length = length}};
}

ir::Attributes DecodeSignalFramer(OperatorReader& op) {
  op.RequireCounts(1, 1, 2);
  const CustomOptions options(op);
  const std::int64_t step = SizeOption(op, options, "frame_step");
  const std::int64_t size = SizeOption(op, options, "frame_size", step);
  op.Operand(0);
  ir::Shape frames = WithLast(op, op.Input(0).shape.empty() ? 0 : op.Input(0).shape.back() / step);
  frames.push_back(size);
  op.SettleOutput(frames);
  AddPrefilledState(op, WithLast(op, 1 + size), options.Integer("prefill") != 0 ? size - step : 0);
  return ir::HostOperator{host_operators::SignalFramer{.size = size, .step = step}};
}

ir::Attributes DecodeSignalOverlapAdd(OperatorReader& op) {
  op.RequireCounts(1, 1);
  const CustomOptions options(op);
  const std::int64_t step = SizeOption(op, options, "frame_step");
  ir::Shape shape = op.Operand(0).shape;
  op.Require(shape.size() >= 2, "{} must have 2 dimensions or more", op.Input(0).name);
  const std::int64_t size = shape.back();
  shape.pop_back();
  ir::Shape state = shape;
  state.back() = size;
  shape.back() *= step;
  op.SettleOutput(shape);
  AddState(op, op.Input(0).type, state);
  return ir::HostOperator{host_operators::SignalOverlapAdd{.step = step}};
}

ir::Attributes DecodeSignalStacker(OperatorReader& op) {
  op.RequireCounts(1, 1, 2);
  const CustomOptions options(op);
  const host_operators::SignalStacker attributes = {
      .channels = SizeOption(op, options, "num_channels"),
      .left = SizeOption(op, options, "stacker_left_context", 0),
      .right = SizeOption(op, options, "stacker_right_context", 0),
      .step = SizeOption(op, options, "stacker_step")};
  op.Operand(0);
  op.SettleOutput({attributes.Numbers()});
  AddState(op, ElementType::kInt32, {2 + attributes.Numbers()});
  return ir::HostOperator{attributes};
}

}  // namespace tpu::tflite
