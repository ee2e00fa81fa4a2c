// SPDX-License-Identifier: Apache-2.0
// REDUCE_MAX, REDUCE_MIN and CUMSUM.
#include <algorithm>
#include <limits>

#include "arithmetic/saturate.h"
#include "host_kernels/elements.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

// Adds up the numbers of a line, `step` apart from `first`, and calls visit(place, sum before, sum
// behind) for each.
template <typename Number, typename Sum, typename Visit>
void AddUp(const std::vector<Number>& numbers, std::ptrdiff_t first, std::ptrdiff_t step,
           std::int64_t count, Sum sum, Visit visit) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(first + i * step);
    const Sum before = sum;
    if constexpr (std::is_integral_v<Sum>) {
      sum = static_cast<Sum>(static_cast<std::uint32_t>(sum) +
                             static_cast<std::uint32_t>(numbers[place]));
    } else {
      sum += numbers[place];
    }
    visit(place, before, sum);
  }
}

// Calls function(first place, step, count) for each line of the input.
template <typename Function>
void ForLines(const Invocation& call, const host_operators::CumulativeSum& op, Function function) {
  const std::span<const std::int64_t> shape = call.In(0).shape;
  const auto axis = static_cast<std::size_t>(op.axis);
  const std::int64_t count = shape[axis];
  const auto step = static_cast<std::ptrdiff_t>(ElementsOf(shape.subspan(axis + 1)));
  const auto lines = static_cast<std::ptrdiff_t>(ElementsOf(shape.first(axis)));
  for (std::ptrdiff_t outer = 0; outer < lines; ++outer) {
    for (std::ptrdiff_t inner = 0; inner < step; ++inner) {
      const std::ptrdiff_t first = outer * count * step + inner;
      function(op.reverse ? first + (count - 1) * step : first, op.reverse ? -step : step, count);
    }
  }
}

// Sums have twice the input's scale and 20 more bits of fraction. They begin with what the real
// number 0 minus the zero point is in that scale, as in TensorFlow Lite Micro.
void SumInt8(Invocation& call, const host_operators::CumulativeSum& op) {
  constexpr std::int32_t kMoreBits = 1 << 20;
  const arithmetic::Rounding rounding = call.Rounding();
  const arithmetic::Multiplier half = arithmetic::QuantizeMultiplier(0.5, rounding);
  const double unit = 2 * static_cast<double>(call.In(0).scale);
  const arithmetic::Multiplier factor = arithmetic::QuantizeMultiplier(
      unit / (kMoreBits * static_cast<double>(call.Out().scale)), rounding);
  const auto scaled = [&](std::int32_t value) {
    return arithmetic::Multiply((value - call.In(0).zero_point) * kMoreBits, half, rounding);
  };
  std::vector<std::int32_t> numbers;
  for (const std::int8_t value : call.Read<std::int8_t>(0)) numbers.push_back(scaled(value));
  std::vector<std::int8_t> output(numbers.size());
  ForLines(call, op, [&](std::ptrdiff_t first, std::ptrdiff_t step, std::int64_t count) {
    AddUp(numbers, first, step, count, scaled(0),
          [&](std::size_t place, std::int32_t before, std::int32_t behind) {
            const std::int32_t value =
                arithmetic::Multiply(op.exclusive ? before : behind, factor, rounding) +
                call.Out().zero_point;
            output[place] = arithmetic::SaturateToInt8(value);
          });
  });
  call.Write(0, output);
}

void SumFloats(Invocation& call, const host_operators::CumulativeSum& op) {
  const std::vector<float> numbers = call.Read<float>(0);
  std::vector<float> output(numbers.size());
  ForLines(call, op, [&](std::ptrdiff_t first, std::ptrdiff_t step, std::int64_t count) {
    AddUp(numbers, first, step, count, 0.0F, [&](std::size_t place, float before, float behind) {
      output[place] = op.exclusive ? before : behind;
    });
  });
  call.Write(0, output);
}

}  // namespace

void Compute(Invocation& call, const host_operators::ReduceExtreme& op) {
  Shape reduced = call.In(0).shape;
  for (const std::int64_t axis : op.axes) reduced[static_cast<std::size_t>(axis)] = 1;
  const std::vector<std::size_t> places = BroadcastPlaces(reduced, call.In(0).shape);
  WithNumber(call.In(0).type, [&]<typename T>(T) {
    using Limits = std::numeric_limits<T>;
    const std::vector<T> input = call.Read<T>(0);
    std::vector<T> output(ElementsOf(reduced), op.smallest ? Limits::max() : Limits::lowest());
    for (std::size_t i = 0; i < input.size(); ++i) {
      T& best = output[places[i]];
      if (op.smallest ? input[i] < best : input[i] > best) best = input[i];
    }
    call.Write(0, output);
  });
}

void Compute(Invocation& call, const host_operators::CumulativeSum& op) {
  if (call.In(0).type == ElementType::kInt8) {
    SumInt8(call, op);
  } else {
    SumFloats(call, op);
  }
}

}  // namespace tpu::host_kernels
