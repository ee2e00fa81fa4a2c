// SPDX-License-Identifier: Apache-2.0
// The signal library from samples to a spectrum.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "host_kernels/fft.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

std::int16_t SaturateSample(std::int64_t value) {
  using Limits = std::numeric_limits<std::int16_t>;
  return static_cast<std::int16_t>(std::clamp<std::int64_t>(value, Limits::min(), Limits::max()));
}

// How far all samples can be shifted left. Not at all for zeros alone. In int16, so that the
// magnitude of the lowest number is the lowest number itself.
int UnusedBits(const std::vector<std::int16_t>& samples) {
  std::int16_t largest = 0;
  for (const std::int16_t sample : samples) {
    if (sample > largest) {
      largest = sample;
    } else if (-sample > largest) {
      largest = static_cast<std::int16_t>(-sample);
    }
  }
  if (largest <= 0) return 0;
  return 15 - static_cast<int>(std::bit_width(static_cast<std::uint16_t>(largest)));
}

template <typename T>
void Transform(Invocation& call, const host_operators::SignalFft& op) {
  const auto length = static_cast<std::size_t>(op.length);
  const RealFft<T> fft(length, op.inverse);
  const std::vector<T> input = call.Read<T>(0);
  const auto size = static_cast<std::size_t>(call.In(0).shape.back());
  std::vector<T> output;
  for (std::size_t begin = 0; begin < input.size(); begin += size) {
    const std::span frame = std::span(input).subspan(begin, size);
    if (op.inverse) {
      std::vector<Complex<T>> pairs;
      for (std::size_t i = 0; i < size; i += 2) pairs.push_back({frame[i], frame[i + 1]});
      const std::vector<T> samples = fft.Backward(pairs);
      output.insert(output.end(), samples.begin(), samples.end());
      continue;
    }
    std::vector<T> samples(frame.begin(), frame.end());
    samples.resize(length);
    for (const Complex<T>& pair : fft.Forward(samples)) {
      output.push_back(pair.real);
      output.push_back(pair.imaginary);
    }
  }
  call.Write(0, output);
}

}  // namespace

void Compute(Invocation& call, const host_operators::SignalWindow& op) {
  std::vector<std::int16_t> samples = call.Read<std::int16_t>(0);
  const std::vector<std::int16_t> weights = call.Read<std::int16_t>(1);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::int64_t product = std::int64_t{samples[i]} * weights[i % weights.size()];
    samples[i] = SaturateSample(product >> op.shift);
  }
  call.Write(0, samples);
}

void Compute(Invocation& call, const host_operators::SignalFftAutoScale& /*op*/) {
  std::vector<std::int16_t> samples = call.Read<std::int16_t>(0);
  const int shift = UnusedBits(samples);
  for (std::int16_t& sample : samples) {
    sample = static_cast<std::int16_t>(int{sample} * (1 << shift));
  }
  call.Write(0, samples);
  call.Write(1, std::vector<std::int32_t>{shift});
}

void Compute(Invocation& call, const host_operators::SignalFft& op) {
  switch (call.In(0).type) {
    case ElementType::kInt16:
      return Transform<std::int16_t>(call, op);
    case ElementType::kInt32:
      return Transform<std::int32_t>(call, op);
    default:
      return Transform<float>(call, op);
  }
}

void Compute(Invocation& call, const host_operators::SignalEnergy& op) {
  const std::vector<std::int16_t> spectrum = call.Read<std::int16_t>(0);
  std::vector<std::uint32_t> energies(ElementsOf(call.Out().shape), 0);
  for (auto i = static_cast<std::size_t>(op.begin); i < static_cast<std::size_t>(op.end); ++i) {
    const std::int64_t real = spectrum[2 * i];
    const std::int64_t imaginary = spectrum[2 * i + 1];
    energies[i] = static_cast<std::uint32_t>(real * real + imaginary * imaginary);
  }
  call.Write(0, energies);
}

}  // namespace tpu::host_kernels
