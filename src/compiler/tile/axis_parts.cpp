// SPDX-License-Identifier: Apache-2.0
#include "compiler/tile/axis_parts.h"

#include <algorithm>
#include <cmath>

namespace tpu::compiler {

std::map<std::int64_t, std::int64_t> CountSizes(const std::vector<ir::Range>& ranges) {
  std::map<std::int64_t, std::int64_t> counts;
  for (const ir::Range& range : ranges) ++counts[range.Size()];
  return counts;
}

std::vector<ir::Range> Ranges(const std::vector<std::int64_t>& sizes, std::int64_t begin) {
  std::vector<ir::Range> ranges;
  for (const std::int64_t size : sizes) {
    ranges.push_back({.begin = begin, .end = begin + size});
    begin += size;
  }
  return ranges;
}

std::vector<ir::Range> OfUnits(std::vector<ir::Range> ranges, std::int64_t unit) {
  for (ir::Range& range : ranges) range = {.begin = range.begin * unit, .end = range.end * unit};
  return ranges;
}

std::vector<ir::Range> SplitUnits(std::int64_t total, std::int64_t most, std::int64_t unit) {
  return OfUnits(ir::Split(total / unit, most / unit), unit);
}

std::vector<ir::Range> Ramp(std::int64_t total, std::int64_t first, std::int64_t most) {
  std::vector<std::int64_t> sizes;
  std::int64_t sum = first;  // The last part.
  for (std::int64_t size = first; size < most; size *= 2) {
    sizes.push_back(size);
    sum += size;
  }
  if (sizes.empty() || sum >= total) return {};
  for (const ir::Range& range : ir::Split(total - sum, most)) sizes.push_back(range.Size());
  sizes.push_back(first);
  return Ranges(sizes, 0);
}

std::vector<std::int64_t> ShrinkingSizes(std::int64_t total, std::int64_t least, double factor) {
  if (total < 2 * least) return {total};
  const double ratio = static_cast<double>(total) / static_cast<double>(least);
  int parts = 2;
  double shares = 1 + factor;  // Sum of the parts, counted in last ones.
  for (; 1 + factor * shares <= ratio; ++parts) shares = 1 + factor * shares;
  double size = static_cast<double>(total) / std::min(shares, ratio);
  std::vector<std::int64_t> sizes;
  for (; parts > 1; --parts, size *= factor) {
    sizes.push_back(std::llround(size));
    total -= sizes.back();
  }
  sizes.push_back(total);
  std::reverse(sizes.begin(), sizes.end());
  return sizes;
}

}  // namespace tpu::compiler
