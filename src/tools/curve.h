// SPDX-License-Identifier: Apache-2.0
// A curve as text.
#pragma once

#include <span>
#include <string>

namespace tpu::tools {

/// Bars from 0 to the values, side by side, with the scale at the left and the first and the last
/// value's number, counted from 1, below. Where there are more values than columns a bar is the
/// mean of its share. Nothing for no values; values that are not finite or below 0 count as 0.
std::string DrawCurve(std::span<const float> values);

}  // namespace tpu::tools
