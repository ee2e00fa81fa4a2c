// SPDX-License-Identifier: Apache-2.0
// The models of tpu_control that the tests run.
#pragma once

#include "Vcontrol128.h"
#include "Vcontrol128Bf16.h"
#include "Vcontrol32.h"
#include "Vcontrol512.h"
#include "Vcontrol512Bf16.h"
#include "control_bench.h"

namespace tpu {

template <>
inline constexpr bool kHasBf16<Vcontrol128Bf16> = true;
template <>
inline constexpr bool kHasBf16<Vcontrol512Bf16> = true;

}  // namespace tpu
