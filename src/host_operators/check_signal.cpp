// SPDX-License-Identifier: Apache-2.0
// The signal library of TensorFlow Lite Micro.
#include "host_operators/checker.h"

namespace tpu::host_operators {
namespace {

using enum ElementType;

// Audio has some ten thousand samples a second.
constexpr std::int64_t kMostSamples = 1 << 24;
constexpr std::int64_t kMostUint32 = 0xffff'ffff;
// The last number of a table of gains that a 32-bit estimate can ask for.
constexpr std::int64_t kGains = 4 * 32 - 6 + 3;

Shape WithLast(Shape shape, std::int64_t last) {
  shape.back() = last;
  return shape;
}

}  // namespace

void CheckOperator(const Checker& c, const SignalWindow& op) {
  c.Counts(2, 1);
  for (const Operand* tensor : {&c.In(0), &c.In(1), &c.Out()}) c.IsOneOf(*tensor, {kInt16});
  c.HasAxis(c.In(0));
  c.HasShape(c.In(1), {c.In(0).shape.back()});
  c.HasShape(c.Out(), c.In(0).shape);
  c.InRange("shift", op.shift, 0, 31);
}

void CheckOperator(const Checker& c, const SignalFftAutoScale& /*op*/) {
  c.Counts(1, 2);
  for (const Operand* tensor : {&c.In(0), &c.Out()}) c.IsOneOf(*tensor, {kInt16});
  c.IsOneOf(c.Out(1), {kInt32});
  c.HasRank(c.In(0), 1);
  c.HasShape(c.Out(), c.In(0).shape);
  c.HasElements(c.Out(1), 1);
}

void CheckOperator(const Checker& c, const SignalFft& op) {
  c.Counts(1, 1);
  c.IsOneOf(c.In(0), {kInt16, kInt32, kFloat32});
  c.SameType(c.In(0), c.Out());
  c.HasAxis(c.In(0));
  c.InRange("fft_length", op.length, 4, kMostSamples);
  std::int64_t rest = op.length;
  for (const std::int64_t prime : {2, 3, 5}) {
    while (rest % prime == 0) rest /= prime;
  }
  c.Require(op.length % 2 == 0 && rest == 1,
            "fft_length is {}; it must be even, without prime factors beyond 5", op.length);
  const std::int64_t numbers = op.length + 2;  // Real and imaginary parts.
  if (op.inverse) {
    c.HasShape(c.In(0), WithLast(c.In(0).shape, numbers));
    c.HasShape(c.Out(), WithLast(c.In(0).shape, op.length));
  } else {
    c.Require(c.In(0).shape.back() <= op.length, "{} has {} samples; at most {} are transformed",
              c.In(0).name, c.In(0).shape.back(), op.length);
    c.HasShape(c.Out(), WithLast(c.In(0).shape, numbers));
  }
}

void CheckOperator(const Checker& c, const SignalEnergy& op) {
  c.Counts(1, 1);
  c.IsOneOf(c.In(0), {kInt16});
  c.IsOneOf(c.Out(), {kUint32});
  c.HasRank(c.In(0), 1);
  c.HasRank(c.Out(), 1);
  c.InRange("end_index", op.end, 0, c.Out().shape[0]);
  c.InRange("start_index", op.begin, 0, op.end);
  c.Require(c.In(0).shape[0] / 2 >= op.end, "{} has {} numbers, which are not {} pairs",
            c.In(0).name, c.In(0).shape[0], op.end);
}

void CheckOperator(const Checker& c, const SignalFilterBank& /*op*/) {
  c.Counts(6, 1);
  c.IsOneOf(c.In(0), {kUint32});
  for (std::size_t i = 1; i < 6; ++i) c.IsOneOf(c.In(i), {kInt16});
  for (std::size_t i = 0; i < 6; ++i) c.HasRank(c.In(i), 1);
  c.IsOneOf(c.Out(), {kUint64});
  c.HasRank(c.Out(), 1);
  c.HasShape(c.In(2), c.In(1).shape);
  for (std::size_t i = 3; i < 6; ++i) c.HasShape(c.In(i), {c.Out().shape[0] + 1});
}

void CheckOperator(const Checker& c, const SignalSquareRoot& /*op*/) {
  c.Counts(2, 1);
  c.IsOneOf(c.In(0), {kUint64});
  c.IsOneOf(c.In(1), {kInt32});
  c.HasElements(c.In(1), 1);
  c.IsOneOf(c.Out(), {kUint32});
  c.HasShape(c.Out(), c.In(0).shape);
}

void CheckOperator(const Checker& c, const SignalSpectralSubtraction& op) {
  c.Counts(2, 3);
  for (const Operand* tensor : {&c.In(0), &c.In(1), &c.Out(), &c.Out(1), &c.Out(2)}) {
    c.IsOneOf(*tensor, {kUint32});
    c.HasShape(*tensor, c.In(0).shape);
  }
  c.InRange("smoothing", op.smoothing, 0, kMostUint32);
  c.InRange("one_minus_smoothing", op.one_minus_smoothing, 0, kMostUint32);
  c.InRange("alternate_smoothing", op.alternate_smoothing, 0, kMostUint32);
  c.InRange("alternate_one_minus_smoothing", op.alternate_one_minus_smoothing, 0, kMostUint32);
  c.InRange("min_signal_remaining", op.min_signal_remaining, 0, kMostUint32);
  c.InRange("smoothing_bits", op.smoothing_bits, 0, 31);
  c.InRange("spectral_subtraction_bits", op.bits, 0, 63);
}

void CheckOperator(const Checker& c, const SignalPcan& op) {
  c.Counts(3, 1);
  for (const Operand* tensor : {&c.In(0), &c.In(1), &c.Out()}) {
    c.IsOneOf(*tensor, {kUint32});
    c.HasShape(*tensor, c.In(0).shape);
  }
  c.IsOneOf(c.In(2), {kInt16});
  c.HasRank(c.In(2), 1);
  c.Require(c.In(2).shape[0] >= kGains, "{} has {} gains; there must be {}", c.In(2).name,
            c.In(2).shape[0], kGains);
  c.InRange("snr_shift", op.snr_shift, 0, 63);
}

void CheckOperator(const Checker& c, const SignalLog& op) {
  c.Counts(1, 1);
  c.IsOneOf(c.In(0), {kUint32});
  c.IsOneOf(c.Out(), {kInt16});
  c.HasShape(c.Out(), c.In(0).shape);
  c.InRange("input_correction_bits", op.correction_bits, 0, 31);
  c.InRange("output_scale", op.output_scale, 0, kMostUint32);
}

void CheckOperator(const Checker& c, const SignalDelay& op) {
  c.Counts(2, 2);
  for (const Operand* tensor : {&c.In(0), &c.In(1), &c.Out(), &c.Out(1)}) {
    c.IsOneOf(*tensor, {kInt16});
  }
  c.HasAxis(c.In(0));
  c.HasShape(c.Out(), c.In(0).shape);
  c.InRange("delay_length", op.length, 1, kMostSamples);
  for (const Operand* state : {&c.In(1), &c.Out(1)}) {
    c.HasShape(*state, WithLast(c.In(0).shape, op.length));
  }
}

void CheckOperator(const Checker& c, const SignalFramer& op) {
  c.Counts(2, 3);
  for (const Operand* tensor : {&c.In(0), &c.Out()}) c.IsOneOf(*tensor, {kInt16});
  c.IsOneOf(c.Out(1), {kBool});
  c.HasElements(c.Out(1), 1);
  c.HasAxis(c.In(0));
  c.InRange("frame_step", op.step, 1, c.In(0).shape.back());
  c.InRange("frame_size", op.size, op.step, kMostSamples);
  c.Require(c.In(0).shape.back() % op.step == 0, "{} has {} samples, which are no multiple of {}",
            c.In(0).name, c.In(0).shape.back(), op.step);
  Shape frames = c.In(0).shape;
  frames.back() /= op.step;
  frames.push_back(op.size);
  c.HasShape(c.Out(), frames);
  const Shape state = WithLast(c.In(0).shape, 1 + op.size);
  for (const Operand* tensor : {&c.In(1), &c.Out(2)}) {
    c.IsOneOf(*tensor, {kInt32});
    c.HasShape(*tensor, state);
  }
}

void CheckOperator(const Checker& c, const SignalOverlapAdd& op) {
  c.Counts(2, 2);
  c.IsOneOf(c.In(0), {kInt16, kFloat32});
  for (const Operand* tensor : {&c.In(1), &c.Out(), &c.Out(1)}) c.SameType(c.In(0), *tensor);
  Shape shape = c.In(0).shape;
  c.Require(shape.size() >= 2, "{} should have 2 dimensions or more", c.In(0).name);
  const std::int64_t size = shape.back();
  c.InRange("frame_step", op.step, 1, size);
  shape.pop_back();
  const std::int64_t frames = shape.back();
  c.HasShape(c.Out(), WithLast(shape, frames * op.step));
  for (const Operand* state : {&c.In(1), &c.Out(1)}) c.HasShape(*state, WithLast(shape, size));
}

void CheckOperator(const Checker& c, const SignalStacker& op) {
  c.Counts(2, 3);
  for (const Operand* tensor : {&c.In(0), &c.Out()}) c.IsOneOf(*tensor, {kInt16});
  c.IsOneOf(c.Out(1), {kBool});
  c.HasElements(c.Out(1), 1);
  constexpr std::int64_t kMostFrames = 1 << 12;
  c.InRange("num_channels", op.channels, 1, kMostFrames);
  c.InRange("stacker_left_context", op.left, 0, kMostFrames);
  c.InRange("stacker_right_context", op.right, 0, kMostFrames);
  c.InRange("stacker_step", op.step, 1, op.left + op.right + 1);
  c.HasShape(c.In(0), {op.channels});
  c.HasShape(c.Out(), {op.Numbers()});
  for (const Operand* state : {&c.In(1), &c.Out(2)}) {
    c.IsOneOf(*state, {kInt32});
    c.HasShape(*state, {2 + op.Numbers()});
  }
}

}  // namespace tpu::host_operators
