// SPDX-License-Identifier: Apache-2.0
// Ways to cut an axis into parts.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "ir/range.h"

namespace tpu::compiler {

/// How often each size occurs.
std::map<std::int64_t, std::int64_t> CountSizes(const std::vector<ir::Range>& ranges);

/// Parts of these sizes behind each other, from `begin` on.
std::vector<ir::Range> Ranges(const std::vector<std::int64_t>& sizes, std::int64_t begin);

/// The ranges, whose numbers count units, in numbers that count what units consist of.
std::vector<ir::Range> OfUnits(std::vector<ir::Range> ranges, std::int64_t unit);

/// [0, total) in parts of at most `most`, all of them whole units.
std::vector<ir::Range> SplitUnits(std::int64_t total, std::int64_t most, std::int64_t unit);

/// The axis in parts that grow from `first` to `most` and end with `first`: the first load and the
/// last drain, which nothing overlaps, are short. Empty when the axis is too short for it.
std::vector<ir::Range> Ramp(std::int64_t total, std::int64_t first, std::int64_t most);

/// As many parts as possible, each `factor` times the next one and none smaller than `least`. When
/// there is not enough for two such parts, they may be nearer to each other in size.
std::vector<std::int64_t> ShrinkingSizes(std::int64_t total, std::int64_t least, double factor);

}  // namespace tpu::compiler
