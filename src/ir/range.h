// SPDX-License-Identifier: Apache-2.0
// Half-open ranges, and how an axis is cut into them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tpu::ir {

struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  [[nodiscard]] std::int64_t Size() const { return end - begin; }
  [[nodiscard]] bool Empty() const { return end <= begin; }
  [[nodiscard]] bool Contains(Range other) const {
    return other.begin >= begin && other.end <= end;
  }
  friend bool operator==(const Range&, const Range&) = default;
};

constexpr std::int64_t CeilDiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
constexpr std::int64_t RoundUp(std::int64_t a, std::int64_t b) { return CeilDiv(a, b) * b; }

/// [0, total) in as few parts of at most `most` as possible, of nearly equal size.
inline std::vector<Range> Split(std::int64_t total, std::int64_t most) {
  const std::int64_t parts = CeilDiv(total, most);
  std::vector<Range> ranges;
  for (std::int64_t i = 0; i < parts; ++i) {
    ranges.push_back({.begin = total * i / parts, .end = total * (i + 1) / parts});
  }
  return ranges;
}

/// The range, likewise.
inline std::vector<Range> Split(const Range& range, std::int64_t most) {
  std::vector<Range> ranges = Split(range.Size(), most);
  for (Range& part : ranges) {
    part = {.begin = range.begin + part.begin, .end = range.begin + part.end};
  }
  return ranges;
}

/// Sizes of equal parts of a loop of `total` that are worth trying, largest first.
inline std::vector<std::int64_t> PartSizes(std::int64_t total) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t parts = 1; parts <= total; parts += 1 + (parts >= 8 ? parts / 4 : 0)) {
    const std::int64_t size = CeilDiv(total, parts);
    if (sizes.empty() || sizes.back() != size) sizes.push_back(size);
  }
  if (sizes.back() != 1) sizes.push_back(1);
  return sizes;
}

inline std::int64_t LargestSize(const std::vector<Range>& ranges) {
  std::int64_t largest = 0;
  for (const Range& range : ranges) largest = std::max(largest, range.Size());
  return largest;
}

/// Taps of a sliding window along one axis: tap k of output o reads input o*stride + k*dilation -
/// pad.
struct Window {
  std::int64_t size = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pad = 0;    // Before the axis.
  std::int64_t input = 1;  // Length of the input axis.

  /// Position read by the first tap of `taps` for the first of `outputs`; may lie in the padding.
  [[nodiscard]] std::int64_t First(Range outputs, Range taps) const {
    return outputs.begin * stride + taps.begin * dilation - pad;
  }
  /// Input positions that the taps need, padding included.
  [[nodiscard]] Range Reach(Range outputs, Range taps) const {
    return {.begin = First(outputs, taps),
            .end = (outputs.end - 1) * stride + (taps.end - 1) * dilation - pad + 1};
  }
  /// The same without padding; empty when all of it lies in the padding.
  [[nodiscard]] Range Input(Range outputs, Range taps) const {
    const Range reach = Reach(outputs, taps);
    const std::int64_t begin = std::clamp<std::int64_t>(reach.begin, 0, input);
    return {.begin = begin, .end = std::clamp(reach.end, begin, input)};
  }
  /// Taps of one output that lie on the axis, not in the padding.
  [[nodiscard]] std::int64_t TapsInside(std::int64_t output) const {
    std::int64_t taps = 0;
    for (std::int64_t k = 0; k < size; ++k) {
      const std::int64_t position = output * stride + k * dilation - pad;
      if (position >= 0 && position < input) ++taps;
    }
    return taps;
  }
  [[nodiscard]] Range AllTaps() const { return {.begin = 0, .end = size}; }
};

}  // namespace tpu::ir
