// SPDX-License-Identifier: Apache-2.0
// The signal library's operators that keep samples from run to run.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "base/error.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

// A number of samples at the beginning of a state.
std::size_t CountAt(const std::vector<std::int32_t>& state, std::size_t place, std::int64_t most) {
  const std::int32_t count = state[place];
  if (count < 0 || count > most) throw Error::Format("the state has {} samples", count);
  return static_cast<std::size_t>(count);
}

template <typename T>
T AddSaturating(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a + b;
  } else {
    using Limits = std::numeric_limits<T>;
    return static_cast<T>(std::clamp(a + b, int{Limits::min()}, int{Limits::max()}));
  }
}

template <typename T>
void OverlapAdd(Invocation& call, const host_operators::SignalOverlapAdd& op) {
  const Shape& shape = call.In(0).shape;
  const auto size = static_cast<std::size_t>(shape.back());
  const auto frames = static_cast<std::size_t>(shape[shape.size() - 2]);
  const auto step = static_cast<std::ptrdiff_t>(op.step);
  const std::vector<T> input = call.Read<T>(0);
  std::vector<T> state = call.Read<T>(1);
  std::vector<T> output;
  for (std::size_t frame = 0; frame < input.size() / size; ++frame) {
    const std::span sums = std::span(state).subspan(frame / frames * size, size);
    for (std::size_t i = 0; i < size; ++i) {
      sums[i] = AddSaturating(sums[i], input[frame * size + i]);
    }
    output.insert(output.end(), sums.begin(), sums.begin() + step);
    std::fill(std::shift_left(sums.begin(), sums.end(), step), sums.end(), T{});
  }
  call.Write(0, output);
  call.Write(1, state);
}

}  // namespace

void Compute(Invocation& call, const host_operators::SignalDelay& op) {
  const std::vector<std::int16_t> input = call.Read<std::int16_t>(0);
  const std::vector<std::int16_t> state = call.Read<std::int16_t>(1);
  const auto size = call.In(0).shape.back();
  std::vector<std::int16_t> output;
  std::vector<std::int16_t> later;
  const auto sequences = static_cast<std::ptrdiff_t>(input.size()) / size;
  for (std::ptrdiff_t i = 0; i < sequences; ++i) {
    std::vector<std::int16_t> samples(state.begin() + i * op.length,
                                      state.begin() + (i + 1) * op.length);
    samples.insert(samples.end(), input.begin() + i * size, input.begin() + (i + 1) * size);
    output.insert(output.end(), samples.begin(), samples.begin() + size);
    later.insert(later.end(), samples.begin() + size, samples.end());
  }
  call.Write(0, output);
  call.Write(1, later);
}

void Compute(Invocation& call, const host_operators::SignalFramer& op) {
  const std::vector<std::int16_t> input = call.Read<std::int16_t>(0);
  std::vector<std::int32_t> state = call.Read<std::int32_t>(1);
  std::vector<std::int16_t> output(ElementsOf(call.Out().shape), 0);
  bool valid = true;
  const auto size = static_cast<std::size_t>(op.size);
  const auto step = static_cast<std::size_t>(op.step);
  const std::size_t frames = static_cast<std::size_t>(call.In(0).shape.back()) / step;
  for (std::size_t sequence = 0; sequence < input.size() / step / frames; ++sequence) {
    const std::size_t begin = sequence * (1 + size);
    const auto kept = state.begin() + static_cast<std::ptrdiff_t>(begin + 1);
    const std::size_t count = CountAt(state, begin, op.size);
    std::vector<std::int16_t> samples(kept, kept + static_cast<std::ptrdiff_t>(count));
    for (std::size_t frame = sequence * frames; frame < (sequence + 1) * frames; ++frame) {
      const std::span news = std::span(input).subspan(frame * step, step);
      samples.insert(samples.end(), news.begin(), news.end());
      if (samples.size() < size) {
        valid = false;
        continue;
      }
      std::copy_n(samples.begin(), size,
                  output.begin() + static_cast<std::ptrdiff_t>(frame * size));
      samples.erase(samples.begin(), samples.begin() + op.step);
    }
    state[begin] = static_cast<std::int32_t>(samples.size());
    std::copy(samples.begin(), samples.end(), kept);
  }
  call.Write(0, output);
  call.Write(1, std::vector<std::uint8_t>{valid ? std::uint8_t{1} : std::uint8_t{0}});
  call.Write(2, state);
}

void Compute(Invocation& call, const host_operators::SignalOverlapAdd& op) {
  if (call.In(0).type == ElementType::kFloat32) {
    OverlapAdd<float>(call, op);
  } else {
    OverlapAdd<std::int16_t>(call, op);
  }
}

void Compute(Invocation& call, const host_operators::SignalStacker& op) {
  const std::vector<std::int16_t> frame = call.Read<std::int16_t>(0);
  std::vector<std::int32_t> state = call.Read<std::int32_t>(1);
  const std::size_t count = CountAt(state, 0, op.Numbers());
  std::vector<std::int16_t> numbers(state.begin() + 2,
                                    state.begin() + 2 + static_cast<std::ptrdiff_t>(count));
  // The first frame stands for those before it, too.
  const std::int64_t copies = state[1] == 0 ? op.left + 1 : 1;
  for (std::int64_t i = 0; i < copies; ++i) {
    numbers.insert(numbers.end(), frame.begin(), frame.end());
  }
  const bool valid = numbers.size() >= static_cast<std::size_t>(op.Numbers());
  if (valid) {
    call.Write(0, numbers);
    numbers.erase(numbers.begin(), numbers.begin() + op.step * op.channels);
  }
  state[0] = static_cast<std::int32_t>(numbers.size());
  state[1] = 1;
  std::copy(numbers.begin(), numbers.end(), state.begin() + 2);
  call.Write(1, std::vector<std::uint8_t>{valid ? std::uint8_t{1} : std::uint8_t{0}});
  call.Write(2, state);
}

}  // namespace tpu::host_kernels
