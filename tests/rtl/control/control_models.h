// SPDX-License-Identifier: Apache-2.0
// The models of tpu_control that the tests run.
#pragma once

#include "Vcontrol128.h"
#include "Vcontrol128Both.h"
#include "Vcontrol32.h"
#include "Vcontrol512.h"
#include "Vcontrol512Bf16.h"
#include "Vcontrol512Both.h"
#include "Vcontrol512Int16.h"
#include "control_bench.h"

namespace tpu {

template <>
inline constexpr isa::Formats kFormats<Vcontrol128Both> = isa::kAllFormats;
template <>
inline constexpr isa::Formats kFormats<Vcontrol512Bf16> = {.bf16 = true, .int16 = false};
template <>
inline constexpr isa::Formats kFormats<Vcontrol512Int16> = {.bf16 = false, .int16 = true};
template <>
inline constexpr isa::Formats kFormats<Vcontrol512Both> = isa::kAllFormats;

}  // namespace tpu
