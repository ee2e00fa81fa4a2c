// SPDX-License-Identifier: Apache-2.0
// The signal library from a spectrum to the channels of a filter bank.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>

#include "base/error.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

template <typename T>
int BitWidth(T x) {
  return static_cast<int>(std::bit_width(x));
}

// The square root, to the nearest as far as T's half holds it; that of a value which half of T's
// bits hold is computed in these.
template <typename T>
std::uint32_t SquareRoot(T x) {
  constexpr int kBits = std::numeric_limits<T>::digits;
  constexpr T kMost = (T{1} << (kBits / 2)) - 1;
  if (x == 0) return 0;
  const int lowest = (kBits - BitWidth(x)) | 1;
  T root = 0;
  T bit = T{1} << (kBits - 1 - lowest);
  for (; bit != 0; bit >>= 2) {
    const bool fits = x >= root + bit;
    if (fits) x -= root + bit;
    root = (root >> 1) + (fits ? bit : 0);
  }
  if (x > root && root != kMost) ++root;
  return static_cast<std::uint32_t>(root);
}

// log2(1 + i / 128) - i / 128 as Q0.16.
constexpr std::array<std::int32_t, 130> kLogTable = {
    0,    224,  442,  654,  861,  1063, 1259, 1450, 1636, 1817, 1992, 2163, 2329, 2490, 2646,
    2797, 2944, 3087, 3224, 3358, 3487, 3611, 3732, 3848, 3960, 4068, 4172, 4272, 4368, 4460,
    4549, 4633, 4714, 4791, 4864, 4934, 5001, 5063, 5123, 5178, 5231, 5280, 5326, 5368, 5408,
    5444, 5477, 5507, 5533, 5557, 5578, 5595, 5610, 5622, 5631, 5637, 5640, 5641, 5638, 5633,
    5626, 5615, 5602, 5586, 5568, 5547, 5524, 5498, 5470, 5439, 5406, 5370, 5332, 5291, 5249,
    5203, 5156, 5106, 5054, 5000, 4944, 4885, 4825, 4762, 4697, 4630, 4561, 4490, 4416, 4341,
    4264, 4184, 4103, 4020, 3935, 3848, 3759, 3668, 3575, 3481, 3384, 3286, 3186, 3084, 2981,
    2875, 2768, 2659, 2549, 2437, 2323, 2207, 2090, 1971, 1851, 1729, 1605, 1480, 1353, 1224,
    1094, 963,  830,  695,  559,  421,  282,  142,  0,    0};

// The natural logarithm of x > 0 times `scale`.
std::uint32_t ScaledLog(std::uint32_t x, std::uint32_t scale) {
  constexpr int kBitsOfLog = 16;
  constexpr int kSegmentBits = 7;
  constexpr std::uint64_t kLogOf2 = 45426;
  constexpr std::uint32_t kHalf = 1U << (kBitsOfLog - 1);
  const int power = BitWidth(x) - 1;
  const auto rest = static_cast<std::uint64_t>(x - (1U << power));
  const auto fraction = static_cast<std::int32_t>((rest << kBitsOfLog) >> power);
  const auto segment = static_cast<std::size_t>(fraction >> (kBitsOfLog - kSegmentBits));
  const std::int32_t begin = static_cast<std::int32_t>(segment) << (kBitsOfLog - kSegmentBits);
  const std::int32_t slope = kLogTable[segment + 1] - kLogTable[segment];
  const std::int32_t correction = kLogTable[segment] + ((slope * (fraction - begin)) >> kBitsOfLog);
  const std::uint32_t log2 = (static_cast<std::uint32_t>(power) << kBitsOfLog) +
                             static_cast<std::uint32_t>(fraction + correction);
  const auto natural = static_cast<std::uint32_t>((kLogOf2 * log2 + kHalf) >> kBitsOfLog);
  return (scale * natural + kHalf) >> kBitsOfLog;
}

// A gain by a table of parabolas, four numbers for each number of bits of x.
std::int16_t GainAt(std::uint32_t x, const std::vector<std::int16_t>& table) {
  if (x <= 2) return table[x];
  const int bits = BitWidth(x);
  const auto begin = static_cast<std::size_t>(4 * bits - 6);
  const std::uint32_t aligned = bits < 11 ? x << (11 - bits) : x >> (bits - 11);
  const auto fraction = static_cast<std::int64_t>(aligned & 0x3FF);
  std::int64_t result = (table[begin + 2] * fraction) >> 5;
  result += std::int64_t{table[begin + 1]} * 32;
  result = (result * fraction + (1 << 14)) >> 15;
  return static_cast<std::int16_t>(result + table[begin]);
}

// x^2 / 4 below 2, x - 1 from there on, of x with 12 fraction bits; the result has 6.
std::uint32_t Shrink(std::uint32_t x) {
  constexpr int kInputBits = 12;
  constexpr int kOutputBits = 6;
  if (x < (2U << kInputBits)) return (x * x) >> (2 + 2 * kInputBits - kOutputBits);
  return (x >> (kInputBits - kOutputBits)) - (1U << kOutputBits);
}

}  // namespace

void Compute(Invocation& call, const host_operators::SignalFilterBank& /*op*/) {
  const std::vector<std::uint32_t> input = call.Read<std::uint32_t>(0);
  const std::vector<std::int16_t> weights = call.Read<std::int16_t>(1);
  const std::vector<std::int16_t> unweights = call.Read<std::int16_t>(2);
  const std::vector<std::int16_t> first_energies = call.Read<std::int16_t>(3);
  const std::vector<std::int16_t> first_weights = call.Read<std::int16_t>(4);
  const std::vector<std::int16_t> counts = call.Read<std::int16_t>(5);
  const auto range = [](std::int16_t begin, std::int16_t count, std::size_t size) {
    const bool inside = begin >= 0 && count >= 0 && static_cast<std::size_t>(begin + count) <= size;
    if (!inside) throw Error::Format("{} numbers from {} are outside of {}", count, begin, size);
    return static_cast<std::size_t>(begin);
  };
  // Each energy belongs to two channels, to the next one with what the weight leaves.
  std::vector<std::uint64_t> sums;
  std::uint64_t sum = 0;
  for (std::size_t channel = 0; channel < counts.size(); ++channel) {
    const std::int16_t count = std::max<std::int16_t>(counts[channel], 0);
    const std::size_t energy = range(first_energies[channel], count, input.size());
    const std::size_t weight = range(first_weights[channel], count, weights.size());
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const std::uint64_t value = input[energy + i];
      sum += static_cast<std::uint64_t>(std::int64_t{weights[weight + i]}) * value;
      next += static_cast<std::uint64_t>(std::int64_t{unweights[weight + i]}) * value;
    }
    sums.push_back(sum);
    sum = next;
  }
  sums.erase(sums.begin());  // What lies below the first channel.
  call.Write(0, sums);
}

void Compute(Invocation& call, const host_operators::SignalSquareRoot& /*op*/) {
  const std::int32_t shift = call.Read<std::int32_t>(1)[0];
  if (shift < 0 || shift > 31) throw Error::Format("a shift by {} bits", shift);
  std::vector<std::uint32_t> roots;
  for (const std::uint64_t value : call.Read<std::uint64_t>(0)) {
    const bool narrow = value <= std::numeric_limits<std::uint32_t>::max();
    const std::uint32_t root =
        narrow ? SquareRoot(static_cast<std::uint32_t>(value)) : SquareRoot(value);
    roots.push_back(root >> shift);
  }
  call.Write(0, roots);
}

void Compute(Invocation& call, const host_operators::SignalSpectralSubtraction& op) {
  std::vector<std::uint32_t> channels = call.Read<std::uint32_t>(0);
  std::vector<std::uint32_t> estimates = call.Read<std::uint32_t>(1);
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const bool odd = i % 2 != 0;
    const auto smoothing = static_cast<std::uint64_t>(odd ? op.alternate_smoothing : op.smoothing);
    const auto rest =
        static_cast<std::uint64_t>(odd ? op.alternate_one_minus_smoothing : op.one_minus_smoothing);
    const std::uint32_t signal = channels[i] << op.smoothing_bits;
    estimates[i] =
        static_cast<std::uint32_t>((signal * smoothing + estimates[i] * rest) >> op.bits);
    const std::uint32_t noise = std::min(estimates[i], signal);
    if (op.clamping) estimates[i] = noise;
    const auto least = static_cast<std::uint32_t>(
        (channels[i] * static_cast<std::uint64_t>(op.min_signal_remaining)) >> op.bits);
    channels[i] = std::max((signal - noise) >> op.smoothing_bits, least);
  }
  call.Write(0, channels);
  call.Write(1, estimates);
  call.Write(2, estimates);
}

void Compute(Invocation& call, const host_operators::SignalPcan& op) {
  std::vector<std::uint32_t> channels = call.Read<std::uint32_t>(0);
  const std::vector<std::uint32_t> estimates = call.Read<std::uint32_t>(1);
  const std::vector<std::int16_t> gains = call.Read<std::int16_t>(2);
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const auto gain = static_cast<std::uint32_t>(std::int32_t{GainAt(estimates[i], gains)});
    channels[i] =
        Shrink(static_cast<std::uint32_t>((std::uint64_t{channels[i]} * gain) >> op.snr_shift));
  }
  call.Write(0, channels);
}

void Compute(Invocation& call, const host_operators::SignalLog& op) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::int16_t>::max();
  std::vector<std::int16_t> output;
  for (const std::uint32_t channel : call.Read<std::uint32_t>(0)) {
    const std::uint32_t value = channel << op.correction_bits;
    const std::uint32_t log =
        value > 1 ? ScaledLog(value, static_cast<std::uint32_t>(op.output_scale)) : 0;
    output.push_back(static_cast<std::int16_t>(std::min(log, kMost)));
  }
  call.Write(0, output);
}

}  // namespace tpu::host_kernels
